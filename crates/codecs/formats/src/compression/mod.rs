//! Compression of bodies: gzip, zlib, zstd and both forms of snappy, with a limit when decompressing.
//!
//! One file per codec, each with `compress(&[u8]) -> Vec<u8>` and `decompress(&[u8], &mut Room)`.
//!
//! Limits: a body is inflated as far as [`Longest`] allows and its [`Room`] has memory; one byte more is
//!         [`FormatError::TooLarge`], [`FormatError::Inflated`] or [`FormatError::NoMemory`], and not more
//!         than that is ever allocated.
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
use polywire_wire::{Compression, Longest};
use std::io::Read;

/// Decompresses a body.
///
/// # Errors
/// See the module.
#[cfg_attr(not(any(feature = "gzip", feature = "snappy", feature = "zstd")), allow(unused))]
pub fn decompress(
    compression: Compression,
    body: IoBuf,
    longest: impl Into<Longest>,
) -> Result<IoBuf, FormatError> {
    match compression {
        Compression::NONE => Ok(body),
        _ => inflate(compression, body, longest.into(), &mut |_| true),
    }
}

/// Like [`decompress`], with a check of memory: before memory is reserved, `takes` gets the number of bytes
/// and may refuse them.
///
/// # Errors
/// See the module.
#[cfg_attr(not(any(feature = "gzip", feature = "snappy", feature = "zstd")), allow(unused))]
pub fn inflate(
    compression: Compression,
    mut body: IoBuf,
    longest: Longest,
    takes: &mut dyn FnMut(usize) -> bool,
) -> Result<IoBuf, FormatError> {
    let most = longest.inflated(body.len());
    let room = Room { most, takes };
    let inflated: Result<Vec<u8>, _> = match compression {
        Compression::NONE => return Ok(body),
        #[cfg(feature = "gzip")]
        Compression::GZIP => gzip::decompress(body.contiguous(), room),
        #[cfg(feature = "gzip")]
        Compression::ZLIB => zlib::decompress(body.contiguous(), room),
        #[cfg(feature = "snappy")]
        Compression::SNAPPY => snappy::decompress(body.contiguous(), room),
        #[cfg(feature = "snappy")]
        Compression::SNAPPY_FRAMED => snappy_framed::decompress(body.contiguous(), room),
        #[cfg(feature = "zstd")]
        Compression::ZSTD => zstd::decompress(body.contiguous(), room),
        other => return Err(FormatError::UnknownCompression(other)),
    };
    match inflated {
        Ok(inflated) => Ok(inflated.into()),
        Err(FormatError::TooLarge { .. }) if most < longest.message => {
            Err(FormatError::Inflated { limit: most })
        }
        Err(error) => Err(error),
    }
}

/// The output of a decompression, with its limits.
struct Room<'t> {
    /// The maximum number of bytes.
    most: usize,
    takes: &'t mut dyn FnMut(usize) -> bool,
}

impl Room<'_> {
    /// Requests memory for `bytes` bytes in total.
    fn take(&mut self, bytes: usize) -> Result<(), FormatError> {
        if (self.takes)(bytes) { Ok(()) } else { Err(FormatError::NoMemory) }
    }
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

/// Reads to the end, at most as much as there is room for, and never reserves more than one byte beyond that.
fn read_bounded(
    mut inflating: impl Read,
    compressed: usize,
    mut room: Room<'_>,
) -> Result<Vec<u8>, FormatError> {
    let most = room.most;
    let cap = most.saturating_add(1);
    let mut out: Vec<u8> = Vec::new();
    let mut target = compressed.saturating_mul(GUESS).clamp(64, cap.max(64)).min(cap);
    loop {
        let start = out.len();
        room.take(target)?;
        out.reserve_exact(target - start);
        let read = inflating.by_ref().take((target - start) as u64).read_to_end(&mut out);
        read.map_err(|e| FormatError::Compressed(e.to_string().into()))?;
        if out.len() > most {
            return Err(FormatError::TooLarge { limit: most });
        }
        if out.len() < target {
            return Ok(out);
        }
        target = target.saturating_mul(2).min(cap);
    }
}

#[cfg(test)]
mod tests;
