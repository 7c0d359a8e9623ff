//! What is around a message: a length, a TTHeader with or without one, or nothing.

use super::{Form, ttheader::Header};
use polywire_base::IoBuf;
use polywire_wire::{Limits, WireError};

/// The place of a message at the front of the input.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Bytes before the message.
    pub start: usize,
    /// Bytes up to the end of the message; `None`: only its struct tells where it ends.
    pub end: Option<usize>,
    pub header: Option<Header>,
}

/// Reads what is before a message; `Err`: this many more bytes are needed.
///
/// # Errors
/// The frame is too long, or malformed.
#[inline]
pub(super) fn read(
    input: &mut IoBuf,
    form: Form,
    limits: &Limits,
) -> Result<Result<Frame, usize>, WireError> {
    if form.ttheader {
        return after_header(input, limits);
    }
    if !form.framed {
        return Ok(Ok(Frame { start: 0, end: None, header: None }));
    }
    let Some(length) = number(input, 0) else { return Ok(Err(4 - input.len())) };
    if length > limits.max_message {
        return Err(WireError::TooLarge);
    }
    Ok(Ok(Frame { start: 4, end: Some(4 + length as usize), header: None }))
}

/// After a TTHeader the first byte tells whether the message has a length: a peer may send both, as Kitex
/// does when it closes a connection. An old message has no such byte, so there is none after a TTHeader.
fn after_header(input: &mut IoBuf, limits: &Limits) -> Result<Result<Frame, usize>, WireError> {
    let here = input.len();
    let Some(header) = Header::read(input.peek(here.min(Header::BYTES)).unwrap_or(&[]), limits)? else {
        return Ok(Err(Header::BYTES - here));
    };
    if header.message >= here {
        return Ok(Err(header.message + 1 - here));
    }
    let framed = input.peek(header.message + 1).is_some_and(|bytes| bytes[header.message] & 0x80 == 0);
    let start = header.message + if framed { 4 } else { 0 };
    if start >= header.end {
        return Err(WireError::Malformed("a frame that ends before its message"));
    }
    if start >= here {
        return Ok(Err(start + 1 - here));
    }
    if input.peek(start + 1).is_some_and(|bytes| bytes[start] & 0x80 == 0) {
        return Err(WireError::Malformed("an old message after a TTHeader"));
    }
    if framed && number(input, header.message) != Some((header.end - start) as u32) {
        return Err(WireError::Malformed("a frame in a frame of another length"));
    }
    Ok(Ok(Frame { start, end: Some(header.end), header: Some(header) }))
}

#[inline]
fn number(input: &mut IoBuf, at: usize) -> Option<u32> {
    let bytes = input.peek(at + 4)?[at..].first_chunk()?;
    Some(u32::from_be_bytes(*bytes))
}
