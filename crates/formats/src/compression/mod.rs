//! Compression of bodies: gzip, zlib, zstd and both forms of snappy, with a limit when decompressing.
//!
//! One file per codec, each with `compress(&[u8]) -> Vec<u8>` and `decompress(&[u8], max_bytes)`.
//!
//! Limits: a decompressed body has at most `max_bytes`; one byte more is [`FormatError::TooLarge`], and not
//! more than that is ever allocated.
//!
//! Errors: damaged input is [`FormatError::Compressed`], an unknown compression
//! [`FormatError::UnknownCompression`].

#[cfg(feature = "gzip")]
mod gzip;
#[cfg(feature = "snappy")]
mod snappy;
#[cfg(feature = "snappy")]
mod snappy_framed;
#[cfg(feature = "gzip")]
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

use crate::FormatError;
use polywire_base::IoBuf;
use polywire_wire::Compression;
use std::io::Read;

/// Decompresses a body.
///
/// # Errors
/// See the module.
#[cfg_attr(not(any(feature = "gzip", feature = "snappy", feature = "zstd")), allow(unused))]
pub fn decompress(compression: Compression, mut body: IoBuf, max_bytes: usize) -> Result<IoBuf, FormatError> {
    let inflated: Vec<u8> = match compression {
        Compression::NONE => return Ok(body),
        #[cfg(feature = "gzip")]
        Compression::GZIP => gzip::decompress(body.contiguous(), max_bytes)?,
        #[cfg(feature = "gzip")]
        Compression::ZLIB => zlib::decompress(body.contiguous(), max_bytes)?,
        #[cfg(feature = "snappy")]
        Compression::SNAPPY => snappy::decompress(body.contiguous(), max_bytes)?,
        #[cfg(feature = "snappy")]
        Compression::SNAPPY_FRAMED => snappy_framed::decompress(body.contiguous(), max_bytes)?,
        #[cfg(feature = "zstd")]
        Compression::ZSTD => zstd::decompress(body.contiguous(), max_bytes)?,
        other => return Err(FormatError::UnknownCompression(other)),
    };
    Ok(inflated.into())
}

/// Compresses a body.
///
/// # Errors
/// [`FormatError::UnknownCompression`], and [`FormatError::TooLarge`] beyond 4 GiB for snappy.
#[cfg_attr(not(any(feature = "gzip", feature = "snappy", feature = "zstd")), allow(unused))]
pub fn compress(compression: Compression, mut body: IoBuf) -> Result<IoBuf, FormatError> {
    let deflated: Vec<u8> = match compression {
        Compression::NONE => return Ok(body),
        #[cfg(feature = "gzip")]
        Compression::GZIP => gzip::compress(body.contiguous()),
        #[cfg(feature = "gzip")]
        Compression::ZLIB => zlib::compress(body.contiguous()),
        #[cfg(feature = "snappy")]
        Compression::SNAPPY => snappy::compress(body.contiguous())?,
        #[cfg(feature = "snappy")]
        Compression::SNAPPY_FRAMED => snappy_framed::compress(body.contiguous()),
        #[cfg(feature = "zstd")]
        Compression::ZSTD => zstd::compress(body.contiguous()),
        other => return Err(FormatError::UnknownCompression(other)),
    };
    Ok(deflated.into())
}

/// Level of gzip and zlib. The fastest, because calls wait for it; it takes some ten percent more bytes than
/// the usual level 6.
#[cfg(feature = "gzip")]
const LEVEL: flate2::Compression = flate2::Compression::fast();

/// First guess of the decompressed size, as a multiple of the compressed one.
const GUESS: usize = 4;

/// Reads to the end, at most `max_bytes`, and never reserves more than one byte beyond that.
fn read_bounded(
    mut inflating: impl Read,
    compressed: usize,
    max_bytes: usize,
) -> Result<Vec<u8>, FormatError> {
    let cap = max_bytes.saturating_add(1);
    let mut out: Vec<u8> = Vec::new();
    let mut target = compressed.saturating_mul(GUESS).clamp(64, cap.max(64)).min(cap);
    loop {
        let start = out.len();
        out.reserve_exact(target - start);
        let read = inflating.by_ref().take((target - start) as u64).read_to_end(&mut out);
        read.map_err(|e| FormatError::Compressed(e.to_string().into()))?;
        if out.len() > max_bytes {
            return Err(FormatError::TooLarge { limit: max_bytes });
        }
        if out.len() < target {
            return Ok(out);
        }
        target = target.saturating_mul(2).min(cap);
    }
}

#[cfg(test)]
mod tests;
