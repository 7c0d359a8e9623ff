//! gzip, RFC 1952; several members are allowed.

use super::{LEVEL, Room, read_bounded};
use crate::FormatError;
use flate2::bufread::{GzEncoder, MultiGzDecoder};
use std::io::Read;

pub(super) fn decompress(bytes: &[u8], room: Room<'_>) -> Result<Vec<u8>, FormatError> {
    read_bounded(MultiGzDecoder::new(bytes), bytes.len(), room)
}

pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 2 + 64);
    GzEncoder::new(bytes, LEVEL).read_to_end(&mut out).expect("reading memory does not fail");
    out
}
