//! Reads tags, varints and fields from a slice, and writes them to a `Vec`.
//!
//! Source: protobuf.dev, programming-guides/encoding.
//!
//! Limits: a varint has at most ten bytes; groups nest at most [`MAX_DEPTH`] deep; a length never exceeds the
//! end.

use crate::{FormatError, schema::Kind};

/// Deepest nesting of messages and groups: the default of every protobuf implementation.
pub(crate) const MAX_DEPTH: u32 = 100;

/// The low three bits of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WireType {
    Varint,
    Fixed64,
    Bytes,
    StartGroup,
    EndGroup,
    Fixed32,
}

/// One field in its encoded form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a> {
    pub number: u32,
    pub wire: WireType,
    /// The varint, or the fixed bits; 0 for bytes and groups.
    pub bits: u64,
    /// The payload of bytes and groups (without the end tag); empty for numbers.
    pub payload: &'a [u8],
}

/// Reads fields from the front of a slice.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The next field, or `None` at the end.
    #[inline]
    pub fn field(&mut self) -> Result<Option<Raw<'a>>, FormatError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (number, wire) = self.tag()?;
        let (mut bits, mut payload) = (0, &[][..]);
        match wire {
            WireType::Varint => bits = self.varint()?,
            WireType::Fixed64 => bits = self.fixed64()?,
            WireType::Fixed32 => bits = u64::from(self.fixed32()?),
            WireType::Bytes => payload = self.bytes()?,
            WireType::StartGroup => payload = self.group(number)?,
            WireType::EndGroup => return Err(FormatError::protobuf("end of a group that did not begin")),
        }
        Ok(Some(Raw { number, wire, bits, payload }))
    }

    /// Passes over the next field; its number, or `None` at the end.
    #[inline]
    pub fn pass(&mut self) -> Result<Option<u32>, FormatError> {
        match self.rest {
            // A short text or message, as most fields are: number below 16, length below 128.
            [tag @ 0x0a..0x80, length @ ..0x80, rest @ ..]
                if tag & 7 == 2 && usize::from(*length) <= rest.len() =>
            {
                self.rest = &rest[usize::from(*length)..];
                Ok(Some(u32::from(tag >> 3)))
            }
            [] => Ok(None),
            _ => Ok(self.field()?.map(|raw| raw.number)),
        }
    }

    #[inline]
    fn tag(&mut self) -> Result<(u32, WireType), FormatError> {
        let tag = self.varint()?;
        let wire = match tag & 7 {
            0 => WireType::Varint,
            1 => WireType::Fixed64,
            2 => WireType::Bytes,
            3 => WireType::StartGroup,
            4 => WireType::EndGroup,
            5 => WireType::Fixed32,
            _ => return Err(FormatError::protobuf("unknown wire type")),
        };
        match u32::try_from(tag >> 3) {
            Ok(number @ 1..=0x1fff_ffff) => Ok((number, wire)),
            _ => Err(FormatError::protobuf("field number out of range")),
        }
    }

    #[inline]
    pub fn varint(&mut self) -> Result<u64, FormatError> {
        match self.rest {
            [byte @ ..0x80, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(*byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, FormatError> {
        let mut value = 0;
        for (i, byte) in self.rest.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * i);
            if *byte < 0x80 {
                if i == 9 && *byte > 1 {
                    return Err(FormatError::protobuf("varint beyond 64 bits"));
                }
                self.rest = &self.rest[i + 1..];
                return Ok(value);
            }
        }
        Err(FormatError::protobuf(if self.rest.len() < 10 {
            "cut off in a varint"
        } else {
            "varint beyond ten bytes"
        }))
    }

    #[inline]
    pub fn fixed64(&mut self) -> Result<u64, FormatError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or_else(cut_off)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    #[inline]
    pub fn fixed32(&mut self) -> Result<u32, FormatError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or_else(cut_off)?;
        self.rest = rest;
        Ok(u32::from_le_bytes(*bytes))
    }

    #[inline]
    fn bytes(&mut self) -> Result<&'a [u8], FormatError> {
        let length = self.varint()?;
        let length = usize::try_from(length).map_err(|_| cut_off())?;
        let (payload, rest) = self.rest.split_at_checked(length).ok_or_else(cut_off)?;
        self.rest = rest;
        Ok(payload)
    }

    /// The contents up to the end tag of group `number`; groups inside may nest. Iterative, so that depth
    /// uses no stack.
    #[cold]
    fn group(&mut self, number: u32) -> Result<&'a [u8], FormatError> {
        let start = self.rest;
        let mut open = vec![number];
        loop {
            let inside = start.len() - self.rest.len();
            let (number, wire) = self.tag()?;
            match wire {
                WireType::Varint => drop(self.varint()?),
                WireType::Fixed64 => drop(self.fixed64()?),
                WireType::Fixed32 => drop(self.fixed32()?),
                WireType::Bytes => drop(self.bytes()?),
                WireType::StartGroup if open.len() as u32 >= MAX_DEPTH => return Err(too_deep()),
                WireType::StartGroup => open.push(number),
                WireType::EndGroup => {
                    if open.pop() != Some(number) {
                        return Err(FormatError::protobuf("end of another group"));
                    }
                    if open.is_empty() {
                        return Ok(&start[..inside]);
                    }
                }
            }
        }
    }
}

#[cold]
fn cut_off() -> FormatError {
    FormatError::protobuf("cut off in a field")
}

#[cold]
pub(crate) fn too_deep() -> FormatError {
    FormatError::protobuf("nested more than 100 levels deep")
}

/// Appends a varint.
#[inline]
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a number in the encoding of `kind`.
#[inline]
pub(crate) fn put_bits(out: &mut Vec<u8>, kind: Kind, bits: u64) {
    match kind.wire_type() {
        5 => out.extend_from_slice(&(bits as u32).to_le_bytes()),
        1 => out.extend_from_slice(&bits.to_le_bytes()),
        _ => put_varint(out, bits),
    }
}

/// A length prefix that is not written yet: its position, and its guessed width.
pub(crate) struct Open {
    pub at: usize,
    pub width: usize,
}

impl Open {
    /// Begins a value with a length prefix; it will be made from at most `most` bytes. Short inputs contain
    /// short messages, so one byte is the guess; in long inputs, a deeply nested message would otherwise be
    /// moved once per level.
    #[inline]
    pub fn begin(out: &mut Vec<u8>, most: usize) -> Open {
        let width = if most < 16 << 10 { 1 } else { varint_len(most as u64) };
        let at = out.len();
        out.resize(at + width, 0);
        Open { at, width }
    }

    /// Ends it: writes the length.
    #[inline]
    pub fn end(self, out: &mut Vec<u8>) {
        let len = out.len() - self.at - self.width;
        let needed = varint_len(len as u64);
        if needed == self.width && needed == 1 {
            out[self.at] = len as u8;
            return;
        }
        self.end_moving(out, len, needed);
    }

    fn end_moving(self, out: &mut Vec<u8>, len: usize, needed: usize) {
        let Open { at, width } = self;
        if needed > width {
            out.resize(at + needed + len, 0);
        }
        out.copy_within(at + width..at + width + len, at + needed);
        out.truncate(at + needed + len);
        let mut value = len as u64;
        for byte in &mut out[at..at + needed] {
            *byte = value as u8 | 0x80;
            value >>= 7;
        }
        out[at + needed - 1] &= 0x7f;
    }
}

/// Length of a varint in bytes.
#[inline]
pub(crate) fn varint_len(value: u64) -> usize {
    (70 - (value | 1).leading_zeros() as usize) / 7
}

/// Zigzag encoding of a signed number, for sint32 and sint64.
#[inline]
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The signed number of a zigzag varint.
#[inline]
pub(crate) fn unzigzag(bits: u64) -> i64 {
    (bits >> 1) as i64 ^ -((bits & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Nearly all draws have the short form at least once, whole or cut off.
        #[test]
        fn passing_over_a_field_is_reading_it(
            bytes in prop::collection::vec(prop_oneof![0..24u8, any::<u8>()], 0..24),
        ) {
            let (mut passed, mut read) = (Reader::new(&bytes), Reader::new(&bytes));
            loop {
                let (number, raw) = (passed.pass(), read.field());
                prop_assert_eq!(passed.remaining(), read.remaining());
                match (number, raw) {
                    (Ok(Some(number)), Ok(Some(raw))) => prop_assert_eq!(number, raw.number),
                    (number, raw) => {
                        prop_assert_eq!(format!("{number:?}"), format!("{:?}", raw.map(|_| None::<u32>)));
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn varints_of_every_length_come_back_and_cut_ones_do_not() {
        for shift in 0..64 {
            for value in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let mut out = Vec::new();
                put_varint(&mut out, value);
                assert_eq!(out.len(), varint_len(value), "{value}");
                assert_eq!(Reader::new(&out).varint().unwrap(), value);
                for cut in 0..out.len() {
                    assert!(Reader::new(&out[..cut]).varint().is_err());
                }
            }
        }
    }

    #[test]
    fn a_varint_of_eleven_bytes_or_65_bits_is_refused() {
        assert!(Reader::new(&[0x80; 11]).varint().is_err());
        let mut bits_65 = [0xff; 10];
        bits_65[9] = 0x02;
        assert!(Reader::new(&bits_65).varint().is_err());
    }

    #[test]
    fn zigzag_follows_the_table_of_the_encoding_guide() {
        for (value, bits) in
            [(0, 0), (-1, 1), (1, 2), (-2, 3), (0x7fff_ffff, 0xffff_fffe), (-0x8000_0000, 0xffff_ffff)]
        {
            assert_eq!(zigzag(value), bits);
            assert_eq!(unzigzag(bits), value);
        }
        assert_eq!(unzigzag(zigzag(i64::MIN)), i64::MIN);
    }

    #[test]
    fn a_group_ends_at_its_own_end_tag() {
        // group 1 { group 2 { 3: varint 5 } }  4: varint 6
        let bytes = [0x0b, 0x13, 0x18, 0x05, 0x14, 0x0c, 0x20, 0x06];
        let mut reader = Reader::new(&bytes);
        let group = reader.field().unwrap().unwrap();
        assert_eq!((group.number, group.payload), (1, &bytes[1..5]));
        assert_eq!(reader.field().unwrap().unwrap().number, 4);
        assert!(reader.field().unwrap().is_none());
        for cut in 1..6 {
            assert!(Reader::new(&bytes[..cut]).field().is_err(), "cut at {cut}");
        }
        assert!(Reader::new(&[0x0b, 0x14]).field().is_err(), "end tag of another group");
        assert!(Reader::new(&[0x0c]).field().is_err(), "end tag without a group");
    }

    #[test]
    fn groups_beyond_the_limit_are_refused_without_deep_recursion() {
        assert!(Reader::new(&[0x0b; 1 << 20]).field().is_err());
    }
}
