//! Snappy's raw block format: the decompressed length as a varint, then literals and copies. No framing, no
//! checksum.

use super::Room;
use crate::FormatError;

/// Largest ratio of decompressed to compressed length: three bytes copy at most 64.
const MAX_RATIO: usize = 22;

pub(super) fn decompress(bytes: &[u8], mut room: Room<'_>) -> Result<Vec<u8>, FormatError> {
    let damaged = |e: snap::Error| FormatError::Compressed(e.to_string().into());
    let announced = snap::raw::decompress_len(bytes).map_err(damaged)?;
    if announced > room.most {
        return Err(FormatError::TooLarge { limit: room.most });
    }
    // The peer announces the length; do not allocate more than the bytes can become.
    if announced > bytes.len().saturating_mul(MAX_RATIO) {
        return Err(FormatError::Compressed("announces more than it can hold".into()));
    }
    room.take(announced)?;
    snap::raw::Decoder::new().decompress_vec(bytes).map_err(damaged)
}

pub(super) fn compress(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let too_large = |_| FormatError::TooLarge { limit: u32::MAX as usize };
    snap::raw::Encoder::new().compress_vec(bytes).map_err(too_large)
}
