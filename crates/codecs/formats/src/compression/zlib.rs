//! Compression with zlib, RFC 1950.

use super::{LEVEL, Room, read_bounded};
use crate::FormatError;
use flate2::bufread::{ZlibDecoder, ZlibEncoder};
use std::io::Read;

pub(super) fn decompress(bytes: &[u8], room: Room<'_>) -> Result<Vec<u8>, FormatError> {
    let mut rest = bytes;
    let out = read_bounded(ZlibDecoder::new(&mut rest), bytes.len(), room)?;
    if !rest.is_empty() {
        return Err(FormatError::Compressed("bytes after the end".into()));
    }
    Ok(out)
}

pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 2 + 64);
    ZlibEncoder::new(bytes, LEVEL).read_to_end(&mut out).expect("reading memory does not fail");
    out
}
