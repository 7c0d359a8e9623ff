//! Encodes Rust types as msgpack, through serde and `rmp-serde`.
//!
//! Structs are arrays of their fields in order, as with C++'s `MSGPACK_DEFINE`. Bytes from a peer are checked
//! once before they are decoded, since counts cannot be trusted: an array of four thousand million elements
//! takes five bytes to announce.
//!
//! Limits: [`MAX_DEPTH`]; a count may not exceed the number of bytes after it.
//!
//! Errors: [`FormatError::Msgpack`].

use crate::FormatError;
use serde::{Deserialize, Serialize};

/// Deepest nesting of arrays and maps.
pub const MAX_DEPTH: usize = 64;

/// Encodes a value.
///
/// # Errors
/// An error of the type's own code, or a sequence without a known length.
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, FormatError> {
    rmp_serde::to_vec(value).map_err(|error| wrong(error.to_string()))
}

/// Decodes a value that takes all of `bytes`. Strings may borrow.
///
/// # Errors
/// The bytes are not msgpack, are nested too deeply, or do not fit the type.
pub fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, FormatError> {
    check(bytes)?;
    let mut reader = rmp_serde::Deserializer::from_read_ref(bytes);
    reader.set_max_depth(MAX_DEPTH * 2); // a level takes at most two calls of it; `check` enforces the limit
    T::deserialize(&mut reader).map_err(|error| wrong(error.to_string()))
}

/// Checks that `bytes` are one complete value.
///
/// # Errors
/// The fault in the bytes.
pub fn check(bytes: &[u8]) -> Result<(), FormatError> {
    let mut rest = bytes;
    // Number of values still to come, for each open array and map.
    let mut open = [0usize; MAX_DEPTH];
    let mut depth = 0;
    loop {
        let (children, after) = step(rest).ok_or_else(|| wrong("truncated, or no msgpack"))?;
        rest = after;
        if children > rest.len() {
            return Err(wrong("a count beyond the end"));
        }
        if children > 0 {
            *open.get_mut(depth).ok_or_else(|| wrong("nested too deep"))? = children;
            depth += 1;
            continue;
        }
        while depth > 0 {
            open[depth - 1] -= 1;
            if open[depth - 1] > 0 {
                break;
            }
            depth -= 1;
        }
        if depth == 0 {
            return if rest.is_empty() { Ok(()) } else { Err(wrong("bytes after the value")) };
        }
    }
}

/// The number of elements of the array at the front, and the bytes of its head. `None`: it is not an array,
/// or is truncated.
pub fn array_head(bytes: &[u8]) -> Option<(usize, usize)> {
    match *bytes {
        [head @ 0x90..=0x9f, ..] => Some((usize::from(head & 0x0f), 1)),
        [0xdc, ..] => Some((number(bytes, 1, 2)?, 3)),
        [0xdd, ..] => Some((number(bytes, 1, 4)?, 5)),
        _ => None,
    }
}

/// Writes a string of any bytes: rest_rpc packs values into strings.
pub fn put_str(out: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        length @ 0..=31 => out.push(0xa0 | length as u8),
        length @ 32..=0xff => out.extend([0xd9, length as u8]),
        length @ 0x100..=0xffff => {
            out.push(0xda);
            out.extend((length as u16).to_be_bytes());
        }
        length => {
            out.push(0xdb);
            out.extend((length as u32).to_be_bytes()); // messages are limited to far less than 4 GiB
        }
    }
    out.extend_from_slice(bytes);
}

/// Takes the string, of any bytes, or the binary at the front. `None`: it is neither, or is truncated.
pub fn take_str(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let head = match *bytes.first()? {
        0xa0..=0xbf => 1,
        0xd9 | 0xc4 => 2,
        0xda | 0xc5 => 3,
        0xdb | 0xc6 => 5,
        _ => return None,
    };
    let (_, rest) = step(bytes)?;
    Some((&bytes[head..bytes.len() - rest.len()], rest))
}

/// Takes one head and, for a scalar, its bytes. Returns the number of values inside it, and the rest.
fn step(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (children, length) = match *bytes.first()? {
        0x00..=0x7f | 0xe0..=0xff | 0xc0 | 0xc2 | 0xc3 => (0, 1),
        head @ 0x80..=0x8f => (2 * usize::from(head & 0x0f), 1),
        head @ 0x90..=0x9f => (usize::from(head & 0x0f), 1),
        head @ 0xa0..=0xbf => (0, 1 + usize::from(head & 0x1f)),
        0xc1 => return None, // never used
        0xc4 | 0xd9 => (0, 2 + number(bytes, 1, 1)?),
        0xc5 | 0xda => (0, 3 + number(bytes, 1, 2)?),
        0xc6 | 0xdb => (0, 5 + number(bytes, 1, 4)?),
        0xc7 => (0, 3 + number(bytes, 1, 1)?),
        0xc8 => (0, 4 + number(bytes, 1, 2)?),
        0xc9 => (0, 6 + number(bytes, 1, 4)?),
        0xcc | 0xd0 => (0, 2),
        0xcd | 0xd1 => (0, 3),
        0xca | 0xce | 0xd2 => (0, 5),
        0xcb | 0xcf | 0xd3 => (0, 9),
        head @ 0xd4..=0xd8 => (0, 2 + (1 << (head - 0xd4))),
        0xdc => (number(bytes, 1, 2)?, 3),
        0xdd => (number(bytes, 1, 4)?, 5),
        0xde => (number(bytes, 1, 2)?.checked_mul(2)?, 3),
        0xdf => (number(bytes, 1, 4)?.checked_mul(2)?, 5),
    };
    Some((children, bytes.get(length..)?))
}

/// A big-endian number of `width` bytes.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + width)?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

#[cold]
fn wrong(what: impl Into<Box<str>>) -> FormatError {
    FormatError::Msgpack(what.into())
}

#[cfg(test)]
mod tests;
