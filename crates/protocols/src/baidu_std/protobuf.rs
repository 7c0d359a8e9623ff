//! The little of protobuf's wire format that a meta needs: read by reference, written through a stack buffer.
//!
//! Source: the protobuf encoding guide; docs/wire/common.md, "Protobuf notes".
//! Limits: varints of at most ten bytes, groups of at most [`MAX_DEPTH`] levels.
//! Errors: `None` for anything that is not protobuf; the caller knows what that means for the frame.

use bytes::BytesMut;

/// Deepest nesting of unknown groups that is skipped.
const MAX_DEPTH: u32 = 32;

/// Takes a varint off the front.
#[inline(always)]
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let (&first, tail) = rest.split_first()?;
    if first < 0x80 {
        *rest = tail;
        return Some(u64::from(first));
    }
    long_varint(rest)
}

fn long_varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for (i, &byte) in rest.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            *rest = &rest[i + 1..];
            return Some(value);
        }
    }
    None
}

/// Takes a length and that many bytes off the front.
#[inline(always)]
pub(super) fn bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(varint(rest)?).ok()?;
    let (taken, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(taken)
}

/// Skips the field that `first`, the byte before `rest`, begins: one we do not know.
#[cold]
pub(super) fn skip(first: u8, rest: &mut &[u8]) -> Option<()> {
    let tag = if first < 0x80 {
        u64::from(first)
    } else {
        let mut shift = 0;
        let mut tag = u64::from(first & 0x7f);
        loop {
            let (&byte, tail) = rest.split_first()?;
            *rest = tail;
            shift += 7;
            tag |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break tag;
            }
            if shift == 28 {
                return None; // a tag has at most five bytes
            }
        }
    };
    skip_value(tag, rest, 0)
}

fn skip_value(tag: u64, rest: &mut &[u8], depth: u32) -> Option<()> {
    let number = tag >> 3;
    if number == 0 || depth > MAX_DEPTH {
        return None;
    }
    match tag & 7 {
        0 => varint(rest).map(drop),
        1 => rest.split_at_checked(8).map(|(_, tail)| *rest = tail),
        2 => bytes(rest).map(drop),
        3 => loop {
            let tag = varint(rest)?;
            if tag == number << 3 | 4 {
                return Some(());
            }
            skip_value(tag, rest, depth + 1)?;
        },
        5 => rest.split_at_checked(4).map(|(_, tail)| *rest = tail),
        _ => None,
    }
}

/// Bytes that `value` takes as a varint.
#[inline]
pub(super) fn varint_bytes(value: u64) -> usize {
    (70 - (value | 1).leading_zeros() as usize) / 7
}

/// Bytes of a length-delimited field with a tag of one byte.
#[inline]
pub(super) fn field_bytes(length: usize) -> usize {
    1 + varint_bytes(length as u64) + length
}

/// Appends fields to a buffer. Short ones are gathered on the stack and copied out in one go: many small appends to a
/// growing buffer cost more than the bytes they write.
pub(super) struct Writer<'o> {
    out: &'o mut BytesMut,
    gathered: [u8; Writer::ROOM],
    len: usize,
}

impl<'o> Writer<'o> {
    /// Bytes gathered before they are copied out. At most [`Writer::TEXTS`] are in use behind a text; the rest is for
    /// the numbers up to the next one: header, four ids, timeout, compression, correlation id, sizes and checksum take
    /// 99 bytes at their longest.
    const ROOM: usize = 192;
    const TEXTS: usize = 64;

    #[inline]
    pub fn new(out: &'o mut BytesMut) -> Self {
        Writer { out, gathered: [0; Writer::ROOM], len: 0 }
    }

    #[inline]
    pub fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.gathered[self.len..self.len + N].copy_from_slice(&bytes);
        self.len += N;
    }

    #[inline]
    pub fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.put([value as u8 | 0x80]);
            value >>= 7;
        }
        self.put([value as u8]);
    }

    /// A varint field with a tag of one byte.
    #[inline]
    pub fn int(&mut self, tag: u8, value: u64) {
        self.put([tag]);
        self.varint(value);
    }

    /// A length-delimited field with a tag of one byte.
    #[inline]
    pub fn text(&mut self, tag: u8, text: &[u8]) {
        self.int(tag, text.len() as u64);
        let end = self.len + text.len();
        if end <= Writer::TEXTS {
            self.gathered[self.len..end].copy_from_slice(text);
            self.len = end;
        } else {
            self.spill();
            self.out.extend_from_slice(text);
        }
    }

    /// Hands the buffer back, everything written.
    #[inline]
    pub fn end(mut self) -> &'o mut BytesMut {
        self.spill();
        self.out
    }

    #[inline]
    fn spill(&mut self) {
        self.out.extend_from_slice(&self.gathered[..self.len]);
        self.len = 0;
    }
}
