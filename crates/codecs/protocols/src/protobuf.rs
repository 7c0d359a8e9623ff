//! The parts of protobuf's wire format that metas and error details need: read by reference, written in
//! place.
//!
//! Source: the protobuf encoding guide; docs/wire/common.md, "Protobuf notes".
//! Limits: varints of at most ten bytes, groups of at most [`MAX_DEPTH`] levels.
//! Errors: `None` for bytes that are not protobuf; the caller decides what that means for the frame.

use bytes::BytesMut;

/// Deepest nesting of unknown groups that is skipped.
const MAX_DEPTH: u32 = 32;

/// Reads a varint from the front.
#[inline(always)]
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let (value, tail) = match *rest {
        [byte @ ..0x80, tail @ ..] => (u64::from(*byte), tail),
        [low, high @ ..0x80, tail @ ..] => (u64::from(low & 0x7f) | u64::from(*high) << 7, tail),
        _ => return long_varint(rest),
    };
    *rest = tail;
    Some(value)
}

/// With at least eight bytes left: finds the groups of seven bits and joins them at once.
#[inline]
fn long_varint(rest: &mut &[u8]) -> Option<u64> {
    let Some((&eight, _)) = rest.split_first_chunk() else { return slow_varint(rest) };
    let word = u64::from_le_bytes(eight);
    let ends = !word & 0x8080_8080_8080_8080;
    if ends == 0 {
        return slow_varint(rest);
    }
    let x = word & (ends ^ (ends - 1)) & 0x7f7f_7f7f_7f7f_7f7f;
    let x = x & 0x007f_007f_007f_007f | (x & 0x7f00_7f00_7f00_7f00) >> 1;
    let x = x & 0x0000_3fff_0000_3fff | (x & 0x3fff_0000_3fff_0000) >> 2;
    let x = x & 0x0fff_ffff | (x & 0x0fff_ffff_0000_0000) >> 4;
    *rest = &rest[ends.trailing_zeros() as usize / 8 + 1..];
    Some(x)
}

fn slow_varint(rest: &mut &[u8]) -> Option<u64> {
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

/// Reads a length and that many bytes from the front.
#[inline(always)]
pub(super) fn bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(varint(rest)?).ok()?;
    let (taken, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(taken)
}

/// Skips an unknown field, whose first byte, `first`, was already taken off `rest`.
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

/// Skips the value after this tag.
#[cold]
pub(super) fn skip_value(tag: u64, rest: &mut &[u8], depth: u32) -> Option<()> {
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

/// What [`short_varint`] takes is less.
pub(super) const VARINT_END: u64 = 1 << 56;

/// A value below [`VARINT_END`] as a varint, and its length; the bytes after it mean nothing. Spreads eight
/// groups of seven bits to bytes, to be stored at once.
#[inline]
pub(super) fn short_varint(value: u64) -> ([u8; 8], usize) {
    let length = varint_bytes(value);
    let x = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) << 4;
    let x = x & 0x0000_3fff_0000_3fff | (x & 0x0fff_c000_0fff_c000) << 2;
    let x = x & 0x007f_007f_007f_007f | (x & 0x3f80_3f80_3f80_3f80) << 1;
    let more = 0x8080_8080_8080_8080 & ((1 << (8 * (length - 1))) - 1);
    ((x | more).to_le_bytes(), length)
}

/// Length of a length-delimited field whose tag is one byte.
#[inline]
pub(super) fn field_bytes(length: usize) -> usize {
    1 + varint_bytes(length as u64) + length
}

/// Appends fields to a buffer.
///
/// ```text
///   out: ... what was there | written | zeros, at least ROOM of them after every text |
///                                     at                                          out.len()
/// ```
///
/// The room is reserved in advance for many fields, so that writing a field is a store and not a call; unused
/// room is cut off at the end. (Gathering the fields on the stack and appending them together was slower,
/// because the copy waits for the many small stores before it.)
pub(super) struct Writer<'o> {
    out: &'o mut BytesMut,
    at: usize,
}

impl<'o> Writer<'o> {
    /// Room for the numbers between two texts: header, response, four ids, timeout, compression, correlation
    /// id, attachment, content, checksum and the head of a text take 129 bytes at their longest, and a number
    /// is stored with up to seven bytes after it.
    const ROOM: usize = 160;

    /// `texts`: bytes of text that are known to follow. They fit without growing, with all numbers before the
    /// last of them and the room after it.
    #[inline]
    pub fn new(out: &'o mut BytesMut, texts: usize) -> Self {
        let at = out.len();
        out.resize(at + texts + 2 * Writer::ROOM, 0);
        Writer { out, at }
    }

    #[inline]
    pub fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        // A slice of unknown length would be copied by a call.
        *self.out[self.at..].first_chunk_mut().expect("there is room") = bytes;
        self.at += N;
    }

    /// Appends this many zeros, to be filled in later.
    #[inline]
    pub fn leave(&mut self, bytes: usize) {
        self.at += bytes;
    }

    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.put([value as u8]);
        } else if value < VARINT_END {
            let (bytes, length) = short_varint(value);
            self.put(bytes); // those that do not belong to the value are overwritten later
            self.at -= 8 - length;
        } else {
            self.long_varint(value);
        }
    }

    #[cold]
    fn long_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.put([value as u8 | 0x80]);
            value >>= 7;
        }
        self.put([value as u8]);
    }

    /// Appends a varint field whose tag is one byte.
    #[inline]
    pub fn int(&mut self, tag: u8, value: u64) {
        if value < 0x80 {
            return self.put([tag, value as u8]);
        }
        self.put([tag]);
        self.varint(value);
    }

    /// Appends a length-delimited field whose tag is one byte.
    #[inline]
    pub fn text(&mut self, tag: u8, text: &[u8]) {
        self.int(tag, text.len() as u64);
        self.raw(text);
    }

    /// Appends bytes unchanged, and new room after them.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) {
        let end = self.at + bytes.len();
        if self.out.len() < end + Writer::ROOM {
            self.grow(end);
        }
        self.out[self.at..end].copy_from_slice(bytes);
        self.at = end;
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.out.resize(end + Writer::ROOM, 0);
    }

    /// Hands the buffer back, without the room that was not used.
    #[inline]
    pub fn end(self) -> &'o mut BytesMut {
        self.out.truncate(self.at);
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(value: u64) -> Vec<u8> {
        let mut out = BytesMut::new();
        let mut writer = Writer::new(&mut out, 0);
        writer.varint(value);
        writer.end().to_vec()
    }

    proptest! {
        #[test]
        fn varints_are_what_the_byte_by_byte_reader_reads(number in any::<u64>(), shift in 0..64u32, behind in 0..9usize) {
            let value = number >> shift;
            let mut bytes = encoded(value);
            prop_assert_eq!(bytes.len(), varint_bytes(value));
            let length = bytes.len();
            bytes.resize(length + behind, 0xff);
            let (mut quick, mut slow) = (&bytes[..], &bytes[..]);
            prop_assert_eq!(varint(&mut quick), Some(value));
            prop_assert_eq!(slow_varint(&mut slow), Some(value));
            prop_assert_eq!((quick.len(), slow.len()), (behind, behind));
        }

        #[test]
        fn any_bytes_read_alike_both_ways(bytes in prop::collection::vec(any::<u8>(), 0..14)) {
            let (mut quick, mut slow) = (&bytes[..], &bytes[..]);
            prop_assert_eq!(varint(&mut quick), slow_varint(&mut slow));
            prop_assert_eq!(quick, slow);
        }
    }
}
