//! DATA: a piece of a body. Flags END_STREAM, PADDED (RFC 9113 6.1).
//!
//! ```text
//!  [pad length: u8] | data | [padding]
//! ```
//!
//! The only frame whose payload is not parsed in one piece: data is cut off the input by reference.

use super::{HEADER_BYTES, Header, Kind, flag};
use crate::http::h2::error::Fault;
use bytes::BytesMut;

/// Checks that the frame is on a stream, and if it is padded, that it has room for the pad length.
#[inline]
pub(crate) fn check(header: &Header) -> Result<(), Fault> {
    header.on_stream()?;
    if header.has(flag::PADDED) && header.length == 0 {
        return Err(Fault::frame_size("padded frame without a length"));
    }
    Ok(())
}

/// Bytes of data and of padding after them, once the pad length (`first` byte of the payload) is here.
#[inline]
pub(crate) fn shape(header: &Header, first: Option<u8>) -> Result<(usize, usize), Fault> {
    if !header.has(flag::PADDED) {
        return Ok((header.length, 0));
    }
    let pad = first.map_or(0, usize::from);
    let data = (header.length - 1).checked_sub(pad).ok_or(Fault::protocol("padding as long as its frame"))?;
    Ok((data, pad))
}

/// Extends a frame whose header has been written.
#[inline]
pub(crate) fn lengthen(header: &mut [u8], length: usize) {
    header[..3].copy_from_slice(&(length as u32).to_be_bytes()[1..]);
}

/// Writes the header of a frame with `length` bytes of data and no padding.
#[inline]
pub(crate) fn write(out: &mut BytesMut, stream: u32, length: usize, end: bool) {
    out.reserve(HEADER_BYTES);
    let flags = if end { flag::END_STREAM } else { 0 };
    Header { length, kind: Kind::DATA, flags, stream }.write(out);
}
