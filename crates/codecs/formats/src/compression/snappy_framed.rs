//! Snappy's stream format: chunks of at most 64 KiB, each with a checksum.

use super::{Room, read_bounded};
use crate::FormatError;
use snap::read::{FrameDecoder, FrameEncoder};
use std::io::Read;

pub(super) fn decompress(bytes: &[u8], room: Room<'_>) -> Result<Vec<u8>, FormatError> {
    // Zero bytes are an empty body: Go's writer and ours write no identifier before the first data.
    read_bounded(FrameDecoder::new(bytes), bytes.len(), room)
}

pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 2 + 64);
    FrameEncoder::new(bytes).read_to_end(&mut out).expect("reading memory does not fail");
    out
}
