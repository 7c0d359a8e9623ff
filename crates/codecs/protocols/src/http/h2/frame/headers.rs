//! HEADERS: the beginning of a header block. Flags END_STREAM, END_HEADERS, PADDED, PRIORITY (RFC 9113 6.2).
//!
//! ```text
//!  [pad length: u8] | [E + dependency: u32, weight: u8] | fragment | [padding]
//! ```
//!
//! Priorities are ignored, except that a stream which depends on itself is an error (RFC 9113 5.3.2).

use super::{HEADER_BYTES, Header, Kind, continuation, flag, priority, unpadded};
use crate::http::h2::error::Fault;
use bytes::BytesMut;

/// The fragment of a payload, and the stream error if the stream depends on itself.
#[inline]
pub(crate) fn parse<'p>(header: &Header, payload: &'p [u8]) -> Result<(&'p [u8], Option<Fault>), Fault> {
    header.on_stream()?;
    let content = unpadded(header, payload)?;
    if !header.has(flag::PRIORITY) {
        return Ok((content, None));
    }
    let cut = content.split_at_checked(priority::BYTES);
    let (fields, fragment) = cut.ok_or(Fault::frame_size("HEADERS shorter than its priority"))?;
    Ok((fragment, priority::check(header.stream, fields).err()))
}

/// Writes a block as HEADERS, and CONTINUATION where it is longer than `most`, the peer's
/// SETTINGS_MAX_FRAME_SIZE.
#[inline]
pub(crate) fn write(
    out: &mut BytesMut,
    stream: u32,
    end: bool,
    most: usize,
    block: impl FnOnce(&mut BytesMut),
) {
    let start = out.len();
    let flags = flag::END_HEADERS | if end { flag::END_STREAM } else { 0 };
    Header { length: 0, kind: Kind::HEADERS, flags, stream }.write(out);
    block(out);
    let length = out.len() - start - HEADER_BYTES;
    if length > most {
        return split(out, start, stream, flags, most);
    }
    let [_, a, b, c] = (length as u32).to_be_bytes();
    out[start..start + 3].copy_from_slice(&[a, b, c]);
}

#[cold]
fn split(out: &mut BytesMut, start: usize, stream: u32, flags: u8, most: usize) {
    let block = out.split_off(start).split_off(HEADER_BYTES);
    let (first, rest) = block.split_at(most);
    let flags = flags & !flag::END_HEADERS;
    Header { length: most, kind: Kind::HEADERS, flags, stream }.write(out);
    out.extend_from_slice(first);
    continuation::write(out, stream, most, rest);
}
