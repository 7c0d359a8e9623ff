//! The compact protocol: numbers with a variable number of bytes.
//!
//! ```text
//!  field       id minus last id, 1..15 (4 bits) | type (4 bits) | value        i16, i32, i64   zigzag, 7 bits a byte, low ones first
//!              or 0 (4 bits) | type (4 bits) | id, zigzag | value              double          little-endian
//!              bool: type 1 is true, 2 is false, no value                      string          length | bytes
//!  list, set   count 0..14 (4 bits) | type (4 bits) | elements                 map             count | key, value (4 bits each) | entries
//!              or 15 (4 bits) | type (4 bits) | count | elements                               an empty one is a single 0
//! ```
//!
//! Source: doc/specs/thrift-compact-protocol.md of Apache Thrift; docs/wire/thrift.md

use super::{
    Bytes, Encoding, Error, MAX_DEPTH, Reader, Scan, Scope, Type, Uuid, Writer, binary::share, buffer::Buffer,
};
use polywire_base::IoBuf;

const TRUE: u8 = 1;
const FALSE: u8 = 2;

/// Reads a message in the compact protocol.
pub struct CompactReader<'a> {
    message: &'a Bytes,
    rest: &'a [u8],
    depth: usize,
    /// Id of the last field of this struct.
    last: i16,
    /// The value of a field of type bool, which was in the field's head.
    told: Option<bool>,
}

/// Reads an unsigned number of at most `most` bytes; `None`: it is not complete. With its number of bytes.
///
/// # Errors
/// [`Error::Varint`]: more bytes.
#[inline]
pub fn varint(bytes: &[u8], most: usize) -> Result<Option<(u64, usize)>, Error> {
    let mut value = 0;
    for (k, &byte) in bytes.iter().take(most).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * k);
        if byte < 0x80 {
            return Ok(Some((value, k + 1)));
        }
    }
    if bytes.len() < most { Ok(None) } else { Err(Error::Varint) }
}

/// Most bytes of a number of 32 bits, and of one of 64.
pub(super) const MOST_32: usize = 5;
pub(super) const MOST_64: usize = 10;

impl<'a> CompactReader<'a> {
    pub fn new(message: &'a Bytes) -> Self {
        CompactReader { message, rest: message, depth: 0, last: 0, told: None }
    }

    /// # Errors
    /// [`Error::Trailing`]: there are bytes that were not read.
    pub fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::Trailing) }
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, Error> {
        let (&byte, rest) = self.rest.split_first().ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(byte)
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    #[inline]
    fn number(&mut self, most: usize) -> Result<u64, Error> {
        let (value, used) = varint(self.rest, most)?.ok_or(Error::Truncated)?;
        self.rest = &self.rest[used..];
        Ok(value)
    }

    #[inline]
    fn zigzag_32(&mut self) -> Result<i32, Error> {
        let value = u32::try_from(self.number(MOST_32)?).map_err(|_| Error::Varint)?;
        Ok((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    /// Lengths are i32 in all implementations.
    #[inline]
    fn length(&mut self) -> Result<usize, Error> {
        let length = self.number(MOST_32)?;
        if length > i32::MAX as u64 { Err(Error::Negative) } else { Ok(length as usize) }
    }

    #[inline]
    fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let length = self.length()?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(bytes)
    }
}

impl Reader for CompactReader<'_> {
    #[inline]
    fn begin_struct(&mut self) -> Result<Scope, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::Depth);
        }
        Ok(Scope(std::mem::take(&mut self.last)))
    }

    #[inline]
    fn field(&mut self) -> Result<Option<(i16, Type)>, Error> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        let (delta, number) = (head >> 4, head & 0x0f);
        let kind = Type::of_compact(number)?;
        self.last = match delta {
            0 => self.i16()?,
            delta => self.last.wrapping_add(delta.into()),
        };
        if kind == Type::Bool {
            self.told = Some(number == TRUE);
        }
        Ok(Some((self.last, kind)))
    }

    #[inline]
    fn end_struct(&mut self, outer: Scope) {
        self.depth -= 1;
        self.last = outer.0;
    }

    #[inline]
    fn bool(&mut self) -> Result<bool, Error> {
        match self.told.take() {
            Some(told) => Ok(told),
            None => Ok(self.byte()? == TRUE),
        }
    }

    #[inline]
    fn i8(&mut self) -> Result<i8, Error> {
        Ok(self.byte()? as i8)
    }

    #[inline]
    fn i16(&mut self) -> Result<i16, Error> {
        i16::try_from(self.zigzag_32()?).map_err(|_| Error::Varint)
    }

    #[inline]
    fn i32(&mut self) -> Result<i32, Error> {
        self.zigzag_32()
    }

    #[inline]
    fn i64(&mut self) -> Result<i64, Error> {
        let value = self.number(MOST_64)?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    #[inline]
    fn double(&mut self) -> Result<f64, Error> {
        Ok(f64::from_le_bytes(self.take()?))
    }

    #[inline]
    fn string(&mut self) -> Result<String, Error> {
        let text = str::from_utf8(self.bytes()?).map_err(|_| Error::NotUtf8)?;
        Ok(text.to_owned())
    }

    #[inline]
    fn binary(&mut self) -> Result<Bytes, Error> {
        let bytes = self.bytes()?;
        Ok(share(self.message, bytes))
    }

    #[inline]
    fn uuid(&mut self) -> Result<Uuid, Error> {
        Ok(Uuid(self.take()?))
    }

    #[inline]
    fn any_list(&mut self) -> Result<Option<(Type, usize)>, Error> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.length()?,
            count => count.into(),
        };
        if count == 0 {
            return Ok(None);
        }
        let kind = Type::of_compact(head & 0x0f)?;
        if count > self.rest.len() / kind.least_compact() {
            return Err(Error::Truncated);
        }
        Ok(Some((kind, count)))
    }

    #[inline]
    fn any_map(&mut self) -> Result<Option<(Type, Type, usize)>, Error> {
        let count = self.length()?;
        if count == 0 {
            return Ok(None);
        }
        let kinds = self.byte()?;
        let (key, value) = (Type::of_compact(kinds >> 4)?, Type::of_compact(kinds & 0x0f)?);
        if count > self.rest.len() / (key.least_compact() + value.least_compact()) {
            return Err(Error::Truncated);
        }
        Ok(Some((key, value, count)))
    }

    #[cold]
    fn skip(&mut self, kind: Type) -> Result<(), Error> {
        if self.told.take().is_some() {
            return Ok(());
        }
        let end = Scan::of_value(Encoding::Compact, kind, self.depth).finish(self.rest)?;
        self.rest = &self.rest[end..];
        Ok(())
    }
}

/// Writes a message in the compact protocol.
#[derive(Default)]
pub struct CompactWriter {
    out: Buffer,
    last: i16,
    /// The field whose value is the bool that follows.
    field: Option<i16>,
}

impl CompactWriter {
    /// The bytes; `None`: a string or container was longer than 2³¹ - 1.
    pub fn finish(self) -> Option<IoBuf> {
        self.out.finish()
    }

    #[inline]
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.out.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.byte(value as u8);
    }

    #[inline]
    fn length(&mut self, length: usize) {
        let length = self.out.length(length);
        self.number(length as u64);
    }

    #[inline]
    fn head(&mut self, id: i16, number: u8) {
        let delta = i32::from(id) - i32::from(self.last);
        if (1..=15).contains(&delta) {
            self.out.byte((delta as u8) << 4 | number);
        } else {
            self.out.byte(number);
            self.i16(id);
        }
        self.last = id;
    }
}

impl Writer for CompactWriter {
    #[inline]
    fn begin_struct(&mut self) -> Scope {
        Scope(std::mem::take(&mut self.last))
    }

    #[inline]
    fn field(&mut self, id: i16, kind: Type) {
        match kind {
            Type::Bool => self.field = Some(id),
            kind => self.head(id, kind.compact()),
        }
    }

    #[inline]
    fn end_struct(&mut self, outer: Scope) {
        self.out.byte(0);
        self.last = outer.0;
    }

    #[inline]
    fn bool(&mut self, value: bool) {
        let number = if value { TRUE } else { FALSE };
        match self.field.take() {
            Some(id) => self.head(id, number),
            None => self.out.byte(number),
        }
    }

    #[inline]
    fn i8(&mut self, value: i8) {
        self.out.byte(value as u8);
    }

    #[inline]
    fn i16(&mut self, value: i16) {
        self.i32(value.into());
    }

    #[inline]
    fn i32(&mut self, value: i32) {
        self.number(u64::from((value << 1 ^ value >> 31) as u32));
    }

    #[inline]
    fn i64(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63) as u64);
    }

    #[inline]
    fn double(&mut self, value: f64) {
        self.out.put(&value.to_le_bytes());
    }

    #[inline]
    fn string(&mut self, value: &str) {
        self.length(value.len());
        self.out.put(value.as_bytes());
    }

    #[inline]
    fn binary(&mut self, value: &Bytes) {
        self.length(value.len());
        self.out.share(value);
    }

    #[inline]
    fn uuid(&mut self, value: &Uuid) {
        self.out.put(&value.0);
    }

    #[inline]
    fn list(&mut self, kind: Type, count: usize) {
        if count < 15 {
            self.out.byte((count as u8) << 4 | kind.compact());
        } else {
            self.out.byte(0xf0 | kind.compact());
            self.length(count);
        }
    }

    #[inline]
    fn map(&mut self, key: Type, value: Type, count: usize) {
        self.length(count);
        if count > 0 {
            self.out.byte(key.compact() << 4 | value.compact());
        }
    }
}
