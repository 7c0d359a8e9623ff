//! Derives the shape of a Rust type: its `Deserialize` is asked to read a value, and its requests are
//! recorded.

use super::{Fault, MAX_DEPTH, Scalar, Shape, set};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use std::fmt;

/// Numbers that are offered one after the other until the type accepts one: `NonZeroU8` refuses 0, an enum
/// with `serde_repr` accepts only its own numbers.
const OFFERS: [u8; 8] = [1, 0, 2, 3, 4, 5, 10, 100];

pub(super) fn trace<'de, T: Deserialize<'de>>() -> Result<Shape, Fault> {
    let mut first = None;
    for offer in OFFERS {
        let mut shape = None;
        let trace = Trace { shape: &mut shape, depth: 0, offer };
        match (T::deserialize(trace), shape) {
            (Ok(_), Some(shape)) => return Ok(shape),
            (Ok(_), None) => return Err(Fault::new("nothing")),
            (Err(fault), _) => drop(first.get_or_insert(fault)),
        }
    }
    Err(first.unwrap_or_else(|| Fault::new("no offer was made")))
}

/// Records the requests.
struct Trace<'t> {
    shape: &'t mut Option<Shape>,
    depth: usize,
    /// The value of all numbers.
    offer: u8,
}

impl<'t> Trace<'t> {
    fn found(self, shape: Shape) {
        *self.shape = Some(shape);
    }

    fn inside<'c>(&self, shape: &'c mut Option<Shape>) -> Result<Trace<'c>, Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault::new("types nest too deep, or without an end"));
        }
        Ok(Trace { shape, depth: self.depth + 1, offer: self.offer })
    }

    /// Lets the visitor read this many members, and returns their shapes.
    fn members<'de, V: Visitor<'de>>(
        &self,
        most: usize,
        visitor: V,
    ) -> Result<(V::Value, Vec<Shape>), Fault> {
        let mut members = Vec::new();
        let value = visitor.visit_seq(Members { of: self, members: &mut members, left: most })?;
        Ok((value, members))
    }
}

/// Members of a tuple or struct, or one element for a sequence.
struct Members<'m, 't> {
    of: &'m Trace<'t>,
    members: &'m mut Vec<Shape>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Members<'_, '_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut shape = None;
        let value = seed.deserialize(self.of.inside(&mut shape)?)?;
        self.members.push(shape.ok_or_else(|| Fault::new("a member that reads nothing"))?);
        Ok(Some(value))
    }
}

/// One entry.
struct Entry<'m, 't> {
    of: &'m Trace<'t>,
    key: &'m mut Option<Shape>,
    value: &'m mut Option<Shape>,
}

impl<'de> MapAccess<'de> for Entry<'_, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        if self.key.is_some() {
            return Ok(None);
        }
        seed.deserialize(self.of.inside(self.key)?).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        seed.deserialize(self.of.inside(self.value)?)
    }
}

/// The type that a visitor expects: serde requests arrays in the same way as tuples.
struct Wants<'v, V>(&'v V);

impl<'de, V: Visitor<'de>> fmt::Display for Wants<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
}

macro_rules! scalars {
    ($($ask:ident $visit:ident $scalar:ident $type:ty;)*) => {$(
        fn $ask<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            let offer = <$type>::from(self.offer);
            self.found(Shape::Scalar(Scalar::$scalar));
            visitor.$visit(offer)
        }
    )*};
}

macro_rules! without {
    ($($ask:ident($($arg:ident: $type:ty),*) $what:literal;)*) => {$(
        fn $ask<V: Visitor<'de>>(self, $($arg: $type,)* _: V) -> Result<V::Value, Fault> {
            Err(Fault::new($what))
        }
    )*};
}

impl<'de> Deserializer<'de> for Trace<'_> {
    type Error = Fault;

    scalars! {
        deserialize_i16 visit_i16 I16 i16;
        deserialize_i32 visit_i32 I32 i32;
        deserialize_i64 visit_i64 I64 i64;
        deserialize_u8 visit_u8 U8 u8;
        deserialize_u16 visit_u16 U16 u16;
        deserialize_u32 visit_u32 U32 u32;
        deserialize_u64 visit_u64 U64 u64;
        deserialize_f32 visit_f32 F32 f32;
        deserialize_f64 visit_f64 F64 f64;
        deserialize_char visit_char Char char;
    }

    without! {
        deserialize_any() "a type that takes anything has no shape";
        deserialize_ignored_any() "a type that takes anything has no shape";
        deserialize_identifier() "names have no shape";
        deserialize_unit() "nothing has no shape";
        deserialize_unit_struct(_name: &'static str) "nothing has no shape";
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let offer = self.offer as i8; // all of them fit
        self.found(Shape::Scalar(Scalar::I8));
        visitor.visit_i8(offer)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.found(Shape::Scalar(Scalar::Bool));
        visitor.visit_bool(false)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.found(Shape::Text);
        visitor.visit_borrowed_str("")
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.found(Shape::Bytes);
        visitor.visit_borrowed_bytes(b"")
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let mut inner = None;
        let value = visitor.visit_some(self.inside(&mut inner)?)?;
        let inner = inner.ok_or_else(|| Fault::new("an option of nothing"))?;
        self.found(Shape::Optional(Box::new(inner)));
        Ok(value)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name != set::NAME {
            let Trace { shape, depth, offer } = self;
            return visitor.visit_newtype_struct(Trace { shape, depth, offer });
        }
        let mut inner = None;
        let value = visitor.visit_newtype_struct(self.inside(&mut inner)?)?;
        let Some(Shape::Sequence(element)) = inner else { return Err(Fault::new("a set of no sequence")) };
        self.found(Shape::Set(element));
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let (value, mut members) = self.members(1, visitor)?;
        let element = members.pop().ok_or_else(|| Fault::new("a sequence without elements"))?;
        self.found(Shape::Sequence(Box::new(element)));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        let is_array = Wants(&visitor).to_string().starts_with("an array");
        let (value, mut members) = self.members(length, visitor)?;
        let shape = match members.pop() {
            None => return Err(Fault::new("an array or tuple of nothing")),
            Some(element) if is_array => Shape::Array(Box::new(element), length),
            Some(last) => {
                members.push(last);
                Shape::Tuple(members)
            }
        };
        self.found(shape);
        Ok(value)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let (value, members) = self.members(length, visitor)?;
        if members.is_empty() {
            return Err(Fault::new("a struct of nothing"));
        }
        self.found(Shape::structure(members));
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple_struct(name, fields.len(), visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let (mut key, mut inner) = (None, None);
        let value = visitor.visit_map(Entry { of: &self, key: &mut key, value: &mut inner })?;
        let (Some(key), Some(inner)) = (key, inner) else { return Err(Fault::new("a map of nothing")) };
        self.found(Shape::Map(Box::new(key), Box::new(inner)));
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Fault> {
        Err(Fault::new(format!("enum {name}: C++ sends it as a number, so give it as one")))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
