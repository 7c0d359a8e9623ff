//! Zstandard, RFC 8878: one frame.
//!
//! A pure Rust library, so that no C code reads bytes of a peer. Its encoder has the fastest level only,
//! which suits calls.

use super::{Room, read_bounded};
use crate::FormatError;
use ruzstd::{
    decoding::StreamingDecoder,
    encoding::{CompressionLevel, compress_to_vec},
};

/// Largest window that a frame may ask for, in bytes: "at least 8 MB" is what RFC 8878 3.1.1.1.2 recommends
/// to support.
const WINDOW: u64 = 8 << 20;

pub(super) fn decompress(bytes: &[u8], room: Room<'_>) -> Result<Vec<u8>, FormatError> {
    let damaged = |what: String| FormatError::Compressed(what.into());
    let mut rest = bytes;
    let mut frame = StreamingDecoder::new_with_max_window_size(&mut rest, WINDOW)
        .map_err(|error| damaged(error.to_string()))?;
    let out = read_bounded(&mut frame, bytes.len(), room)?;
    let decoder = frame.into_frame_decoder();
    let told = decoder.get_checksum_from_data();
    if told.is_some() && told != decoder.get_calculated_checksum() {
        return Err(damaged("checksum differs".into()));
    }
    if !rest.is_empty() {
        return Err(damaged("bytes after the end".into()));
    }
    Ok(out)
}

pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}
