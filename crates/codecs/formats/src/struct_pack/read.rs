//! Decodes bytes according to their shape.
//!
//! The shape is derived from the type that is read, so that every request of the type matches the shape: all
//! methods of the deserializer have the same implementation.

use super::{Fault, Scalar, Shape, Type};
use crate::FormatError;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};

/// Bits of the meta byte.
const TOTAL_LENGTH: u8 = 0b11;
const LITERAL: u8 = 0b100;
const WIDTH_AT: u8 = 3;
const KNOWN: u8 = 0b1_1111;

pub(super) fn read<'de, T: Deserialize<'de>>(kind: &Type, bytes: &'de [u8]) -> Result<T, FormatError> {
    let mut reader = Reader { rest: bytes, width: 1 };
    reader.head(kind)?;
    let value = T::deserialize(At { reader: &mut reader, shape: &kind.shape })?;
    if !reader.rest.is_empty() {
        return Err(Fault::new("bytes after the value").into());
    }
    Ok(value)
}

struct Reader<'de> {
    rest: &'de [u8],
    /// Width of a length in bytes.
    width: usize,
}

impl<'de> Reader<'de> {
    fn head(&mut self, kind: &Type) -> Result<(), Fault> {
        let hash = u32::from_le_bytes(self.take_array()?);
        if hash & !1 != kind.hash {
            return Err(Fault::new(format!("{:#010x} is the hash of another type", hash & !1)));
        }
        if hash & 1 == 0 {
            return Ok(());
        }
        let [meta] = self.take_array()?;
        if meta & TOTAL_LENGTH != 0 || meta & !KNOWN != 0 {
            return Err(Fault::new(format!(
                "meta byte {meta:#04x} asks for features that are not supported"
            )));
        }
        self.width = 1 << (meta >> WIDTH_AT);
        if meta & LITERAL != 0 {
            let sent = self.take(kind.literal.len() + 1)?;
            if sent.split_last() != Some((&0, &*kind.literal)) {
                return Err(Fault::new("the literal of another type"));
            }
        }
        Ok(())
    }

    fn take(&mut self, bytes: usize) -> Result<&'de [u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or_else(|| Fault::new("truncated"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        Ok(self.take(N)?.try_into().expect("so many were taken"))
    }

    /// The number of elements that follow, of at least `least` bytes each.
    fn count(&mut self, least: usize) -> Result<usize, Fault> {
        let mut length = [0; 8];
        length[..self.width].copy_from_slice(self.take(self.width)?);
        let count = usize::try_from(u64::from_le_bytes(length)).ok();
        let count = count.filter(|count| count.checked_mul(least).is_some_and(|all| all <= self.rest.len()));
        count.ok_or_else(|| Fault::new("a count beyond the end"))
    }
}

/// A deserializer at a value of this shape.
struct At<'r, 's, 'de> {
    reader: &'r mut Reader<'de>,
    shape: &'s Shape,
}

impl<'de> At<'_, '_, 'de> {
    fn scalar<V: Visitor<'de>>(self, scalar: Scalar, visitor: V) -> Result<V::Value, Fault> {
        macro_rules! number {
            ($type:ty, $visit:ident) => {
                visitor.$visit(<$type>::from_le_bytes(self.reader.take_array()?))
            };
        }
        match scalar {
            Scalar::I8 => number!(i8, visit_i8),
            Scalar::I16 => number!(i16, visit_i16),
            Scalar::I32 => number!(i32, visit_i32),
            Scalar::I64 => number!(i64, visit_i64),
            Scalar::U8 => number!(u8, visit_u8),
            Scalar::U16 => number!(u16, visit_u16),
            Scalar::U32 => number!(u32, visit_u32),
            Scalar::U64 => number!(u64, visit_u64),
            Scalar::F32 => number!(f32, visit_f32),
            Scalar::F64 => number!(f64, visit_f64),
            Scalar::Bool => visitor.visit_bool(self.reader.take_array()? != [0]),
            Scalar::Char => {
                let [byte] = self.reader.take_array()?;
                visitor.visit_char(char::from(byte))
            }
        }
    }

    /// A struct with the memory layout of C has padding, also at its end.
    fn members<V: Visitor<'de>>(self, members: &[Shape], visitor: V) -> Result<V::Value, Fault> {
        let size = self.shape.holes();
        let begin = self.reader.rest.len();
        let mut left =
            Members { reader: &mut *self.reader, members: members.iter(), begin, packed: size.is_none() };
        let value = visitor.visit_seq(&mut left)?;
        if left.members.len() > 0 {
            return Err(Fault::new("members that are not read"));
        }
        if let Some(size) = size {
            let taken = begin - self.reader.rest.len();
            self.reader.take(size - taken)?;
        }
        Ok(value)
    }

    fn elements<V: Visitor<'de>>(self, element: &Shape, count: usize, visitor: V) -> Result<V::Value, Fault> {
        let mut elements = Elements { reader: self.reader, key: element, value: element, left: count };
        let value = visitor.visit_seq(&mut elements)?;
        elements.close()?;
        Ok(value)
    }
}

impl<'de> Deserializer<'de> for At<'_, '_, 'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape {
            Shape::Scalar(scalar) => self.scalar(*scalar, visitor),
            Shape::Text => {
                let length = self.reader.count(1)?;
                let bytes = self.reader.take(length)?;
                match std::str::from_utf8(bytes) {
                    Ok(text) => visitor.visit_borrowed_str(text),
                    Err(_) => visitor.visit_borrowed_bytes(bytes), // for types that accept bytes
                }
            }
            Shape::Bytes => {
                let length = self.reader.count(1)?;
                visitor.visit_borrowed_bytes(self.reader.take(length)?)
            }
            Shape::Sequence(element) | Shape::Set(element) => {
                let count = self.reader.count(element.least())?;
                self.elements(element, count, visitor)
            }
            Shape::Array(element, length) => self.elements(element, *length, visitor),
            Shape::Map(key, value) => {
                let left = self.reader.count(key.least() + value.least())?;
                let mut entries = Elements { reader: self.reader, key, value, left };
                let map = visitor.visit_map(&mut entries)?;
                entries.close()?;
                Ok(map)
            }
            Shape::Optional(inner) => match self.reader.take_array()? {
                [0] => visitor.visit_none(),
                [_] => visitor.visit_some(At { reader: self.reader, shape: inner }),
            },
            Shape::Tuple(members) | Shape::Struct(members, _) => self.members(members, visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

struct Members<'r, 's, 'de> {
    reader: &'r mut Reader<'de>,
    members: std::slice::Iter<'s, Shape>,
    /// Bytes that were left at the beginning.
    begin: usize,
    /// Whether there is no padding.
    packed: bool,
}

impl<'de> SeqAccess<'de> for &mut Members<'_, '_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(shape) = self.members.next() else { return Ok(None) };
        if let (false, Some(layout)) = (self.packed, shape.layout()) {
            let offset = self.begin - self.reader.rest.len();
            self.reader.take(layout.place(offset) - offset)?;
        }
        seed.deserialize(At { reader: self.reader, shape }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// Elements of a sequence, for which key and value are both its element; or entries of a map.
struct Elements<'r, 's, 'de> {
    reader: &'r mut Reader<'de>,
    key: &'s Shape,
    value: &'s Shape,
    left: usize,
}

impl Elements<'_, '_, '_> {
    fn close(self) -> Result<(), Fault> {
        if self.left == 0 { Ok(()) } else { Err(Fault::new("elements that are not read")) }
    }
}

impl<'de> SeqAccess<'de> for &mut Elements<'_, '_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(At { reader: self.reader, shape: self.value }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for &mut Elements<'_, '_, 'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(At { reader: self.reader, shape: self.key }).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        seed.deserialize(At { reader: self.reader, shape: self.value })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}
