//! Format B's encoding of a single number or string: its text.
//!
//! Numbers are written as C++'s `std::to_string` writes them, with six digits after the point, and `1` for
//! true. Strings are their bytes.
//!
//! Source: docs/wire/rest_rpc.md, section 4, "Body of a call"

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess, Visitor, value::Error},
    forward_to_deserialize_any,
    ser::{self, Impossible},
};
use std::fmt;

/// A value as text.
pub(super) enum Plain {
    Number(Vec<u8>),
    Text(Vec<u8>),
}

impl Plain {
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Plain::Number(bytes) | Plain::Text(bytes) => bytes,
        }
    }
}

/// Writes a value as text, if it is a single number or string. `only_argument`: the value is a tuple that
/// contains only that.
pub(super) fn write<T: Serialize + ?Sized>(value: &T, only_argument: bool) -> Option<Plain> {
    value.serialize(Write { only_argument, member: None }).ok()
}

/// Parses text as a number or string; `only_argument` as in [`write`].
pub(super) fn read<'de, T: Deserialize<'de>>(bytes: &'de [u8], only_argument: bool) -> Result<T, Error> {
    T::deserialize(Read { bytes, only_argument })
}

/// A serializer that fails as soon as the value is anything else.
struct Write {
    only_argument: bool,
    member: Option<Plain>,
}

/// The value has no plain text form.
#[derive(Debug)]
struct More;
impl fmt::Display for More {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than one number or string")
    }
}
impl std::error::Error for More {}
impl ser::Error for More {
    fn custom<T: fmt::Display>(_: T) -> Self {
        More
    }
}

impl Write {
    fn number(self, number: impl fmt::Display) -> Result<Plain, More> {
        if self.only_argument { Err(More) } else { Ok(Plain::Number(number.to_string().into_bytes())) }
    }

    fn text(self, bytes: &[u8]) -> Result<Plain, More> {
        if self.only_argument { Err(More) } else { Ok(Plain::Text(bytes.to_vec())) }
    }
}

macro_rules! numbers {
    ($($put:ident $type:ty;)*) => {$(
        fn $put(self, number: $type) -> Result<Plain, More> {
            self.number(number)
        }
    )*};
}

macro_rules! more {
    ($($put:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        fn $put(self, $(_: $type),*) -> Result<$ok, More> {
            Err(More)
        }
    )*};
}

impl Serializer for Write {
    type Ok = Plain;
    type Error = More;
    type SerializeTuple = Write;
    type SerializeSeq = Impossible<Plain, More>;
    type SerializeTupleStruct = Impossible<Plain, More>;
    type SerializeTupleVariant = Impossible<Plain, More>;
    type SerializeMap = Impossible<Plain, More>;
    type SerializeStruct = Impossible<Plain, More>;
    type SerializeStructVariant = Impossible<Plain, More>;

    numbers! {
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64;
        serialize_u8 u8; serialize_u16 u16; serialize_u32 u32; serialize_u64 u64;
    }

    more! {
        serialize_none() -> Plain;
        serialize_unit() -> Plain;
        serialize_unit_struct(&'static str) -> Plain;
        serialize_unit_variant(&'static str, u32, &'static str) -> Plain;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_bool(self, value: bool) -> Result<Plain, More> {
        self.number(u8::from(value))
    }

    /// Writes a number, like C++'s `char`.
    fn serialize_char(self, value: char) -> Result<Plain, More> {
        self.number(u8::try_from(value).map_err(|_| More)? as i8)
    }

    fn serialize_f32(self, value: f32) -> Result<Plain, More> {
        self.number(format_args!("{value:.6}"))
    }

    fn serialize_f64(self, value: f64) -> Result<Plain, More> {
        self.number(format_args!("{value:.6}"))
    }

    fn serialize_str(self, text: &str) -> Result<Plain, More> {
        self.text(text.as_bytes())
    }

    /// A string that is not UTF-8.
    fn serialize_bytes(self, bytes: &[u8]) -> Result<Plain, More> {
        self.text(bytes)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Plain, More> {
        Err(More)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Plain, More> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Plain, More> {
        Err(More)
    }

    fn serialize_tuple(self, length: usize) -> Result<Write, More> {
        if self.only_argument && length == 1 { Ok(self) } else { Err(More) }
    }
}

impl ser::SerializeTuple for Write {
    type Ok = Plain;
    type Error = More;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), More> {
        self.member = Some(value.serialize(Write { only_argument: false, member: None })?);
        Ok(())
    }
    fn end(self) -> Result<Plain, More> {
        self.member.ok_or(More)
    }
}

struct Read<'de> {
    bytes: &'de [u8],
    only_argument: bool,
}

impl<'de> Read<'de> {
    fn text(&self) -> Result<&'de str, Error> {
        std::str::from_utf8(self.bytes).map_err(de::Error::custom)
    }

    fn number<N: std::str::FromStr<Err: fmt::Display>>(&self) -> Result<N, Error> {
        self.text()?.parse().map_err(de::Error::custom)
    }
}

macro_rules! parsed {
    ($($ask:ident $visit:ident;)*) => {$(
        fn $ask<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.number()?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Read<'de> {
    type Error = Error;

    parsed! {
        deserialize_i8 visit_i8; deserialize_i16 visit_i16; deserialize_i32 visit_i32; deserialize_i64 visit_i64;
        deserialize_u8 visit_u8; deserialize_u16 visit_u16; deserialize_u32 visit_u32; deserialize_u64 visit_u64;
        deserialize_f32 visit_f32; deserialize_f64 visit_f64;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number: i64 = self.number()?;
        visitor.visit_bool(number != 0)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number: i8 = self.number()?;
        visitor.visit_char(char::from(number as u8))
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text() {
            Ok(text) => visitor.visit_borrowed_str(text),
            Err(_) => visitor.visit_borrowed_bytes(self.bytes), // for types that accept bytes
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        if !self.only_argument || length != 1 {
            return Err(de::Error::custom("one number or string"));
        }
        visitor.visit_seq(Only(Some(self.bytes)))
    }

    forward_to_deserialize_any! {
        i128 u128 str string bytes byte_buf option unit unit_struct seq tuple_struct map struct enum identifier
        ignored_any
    }
}

/// A tuple of one argument.
struct Only<'de>(Option<&'de [u8]>);

impl<'de> SeqAccess<'de> for Only<'de> {
    type Error = Error;
    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(bytes) = self.0.take() else { return Ok(None) };
        seed.deserialize(Read { bytes, only_argument: false }).map(Some)
    }
}
