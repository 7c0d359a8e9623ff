//! The binary protocol: numbers of fixed length, big-endian.
//!
//! ```text
//!  field       type u8 | id i16 | value, and 0 after the last       string   length i32 | bytes
//!  list, set   type u8 | count i32 | elements                       map      key u8 | value u8 | count i32 | entries
//! ```
//!
//! Source: doc/specs/thrift-binary-protocol.md of Apache Thrift; docs/wire/thrift.md

use super::{
    Bytes, Encoding, Error, MAX_DEPTH, Reader, SHARED_FROM, Scan, Scope, Type, Uuid, Writer, buffer::Buffer,
};
use polywire_base::IoBuf;

/// Reads a message in the binary protocol.
pub struct BinaryReader<'a> {
    message: &'a Bytes,
    rest: &'a [u8],
    depth: usize,
}

impl<'a> BinaryReader<'a> {
    pub fn new(message: &'a Bytes) -> Self {
        BinaryReader { message, rest: message, depth: 0 }
    }

    /// # Errors
    /// [`Error::Trailing`]: there are bytes that were not read.
    pub fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::Trailing) }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    #[inline]
    fn length(&mut self) -> Result<usize, Error> {
        usize::try_from(i32::from_be_bytes(self.take()?)).map_err(|_| Error::Negative)
    }

    #[inline]
    fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let length = self.length()?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Whether `count` elements of at least `least` bytes each can follow.
    #[inline]
    fn hold(&self, count: usize, least: usize) -> Result<(), Error> {
        if count > self.rest.len() / least { Err(Error::Truncated) } else { Ok(()) }
    }
}

impl Reader for BinaryReader<'_> {
    #[inline]
    fn begin_struct(&mut self) -> Result<Scope, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Error::Depth) } else { Ok(Scope(0)) }
    }

    #[inline]
    fn field(&mut self) -> Result<Option<(i16, Type)>, Error> {
        let [kind] = self.take()?;
        if kind == 0 {
            return Ok(None);
        }
        let kind = Type::of_binary(kind)?;
        Ok(Some((i16::from_be_bytes(self.take()?), kind)))
    }

    #[inline]
    fn end_struct(&mut self, _outer: Scope) {
        self.depth -= 1;
    }

    #[inline]
    fn bool(&mut self) -> Result<bool, Error> {
        let [byte] = self.take()?;
        Ok(byte != 0)
    }

    #[inline]
    fn i8(&mut self) -> Result<i8, Error> {
        Ok(i8::from_be_bytes(self.take()?))
    }

    #[inline]
    fn i16(&mut self) -> Result<i16, Error> {
        Ok(i16::from_be_bytes(self.take()?))
    }

    #[inline]
    fn i32(&mut self) -> Result<i32, Error> {
        Ok(i32::from_be_bytes(self.take()?))
    }

    #[inline]
    fn i64(&mut self) -> Result<i64, Error> {
        Ok(i64::from_be_bytes(self.take()?))
    }

    #[inline]
    fn double(&mut self) -> Result<f64, Error> {
        Ok(f64::from_be_bytes(self.take()?))
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
        let [kind] = self.take()?;
        let count = self.length()?;
        if count == 0 {
            return Ok(None);
        }
        let kind = Type::of_binary(kind)?;
        self.hold(count, kind.least_binary())?;
        Ok(Some((kind, count)))
    }

    #[inline]
    fn any_map(&mut self) -> Result<Option<(Type, Type, usize)>, Error> {
        let [key, value] = self.take()?;
        let count = self.length()?;
        if count == 0 {
            return Ok(None);
        }
        let (key, value) = (Type::of_binary(key)?, Type::of_binary(value)?);
        self.hold(count, key.least_binary() + value.least_binary())?;
        Ok(Some((key, value, count)))
    }

    #[cold]
    fn skip(&mut self, kind: Type) -> Result<(), Error> {
        let end = Scan::of_value(Encoding::Binary, kind, self.depth).finish(self.rest)?;
        self.rest = &self.rest[end..];
        Ok(())
    }
}

/// A part of a message: long parts share its memory.
#[inline]
pub(super) fn share(message: &Bytes, part: &[u8]) -> Bytes {
    if part.len() < SHARED_FROM { Bytes::copy_from_slice(part) } else { message.slice_ref(part) }
}

/// Writes a message in the binary protocol.
#[derive(Default)]
pub struct BinaryWriter {
    out: Buffer,
}

impl BinaryWriter {
    /// The bytes; `None`: a string or container was longer than 2³¹ - 1.
    pub fn finish(self) -> Option<IoBuf> {
        self.out.finish()
    }
}

impl Writer for BinaryWriter {
    #[inline]
    fn begin_struct(&mut self) -> Scope {
        Scope(0)
    }

    #[inline]
    fn field(&mut self, id: i16, kind: Type) {
        let [high, low] = id.to_be_bytes();
        self.out.put(&[kind as u8, high, low]);
    }

    #[inline]
    fn end_struct(&mut self, _outer: Scope) {
        self.out.byte(0);
    }

    #[inline]
    fn bool(&mut self, value: bool) {
        self.out.byte(value.into());
    }

    #[inline]
    fn i8(&mut self, value: i8) {
        self.out.put(&value.to_be_bytes());
    }

    #[inline]
    fn i16(&mut self, value: i16) {
        self.out.put(&value.to_be_bytes());
    }

    #[inline]
    fn i32(&mut self, value: i32) {
        self.out.put(&value.to_be_bytes());
    }

    #[inline]
    fn i64(&mut self, value: i64) {
        self.out.put(&value.to_be_bytes());
    }

    #[inline]
    fn double(&mut self, value: f64) {
        self.out.put(&value.to_be_bytes());
    }

    #[inline]
    fn string(&mut self, value: &str) {
        let length = self.out.length(value.len());
        self.i32(length);
        self.out.put(value.as_bytes());
    }

    #[inline]
    fn binary(&mut self, value: &Bytes) {
        let length = self.out.length(value.len());
        self.i32(length);
        self.out.share(value);
    }

    #[inline]
    fn uuid(&mut self, value: &Uuid) {
        self.out.put(&value.0);
    }

    #[inline]
    fn list(&mut self, kind: Type, count: usize) {
        self.out.byte(kind as u8);
        let count = self.out.length(count);
        self.i32(count);
    }

    #[inline]
    fn map(&mut self, key: Type, value: Type, count: usize) {
        self.out.put(&[key as u8, value as u8]);
        let count = self.out.length(count);
        self.i32(count);
    }
}
