//! Encodes values according to their shape.

use super::{Fault, Scalar, Shape, Type};
use crate::FormatError;
use serde::{
    Serialize, Serializer,
    ser::{Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct},
};

/// Encodes with lengths of one byte, and again with longer ones if a container turns out to be longer.
pub(super) fn write<T: Serialize + ?Sized>(kind: &Type, value: &T) -> Result<Vec<u8>, FormatError> {
    let Type { shape, hash, .. } = kind;
    let mut writer = Writer { out: Vec::with_capacity(64), width: 1, longest: 0 };
    loop {
        writer.out.clear();
        match writer.width {
            1 => writer.out.extend(hash.to_le_bytes()),
            width => {
                writer.out.extend((hash | 1).to_le_bytes());
                writer.out.push((width.trailing_zeros() as u8) << 3);
            }
        }
        writer.longest = 0;
        value.serialize(At { writer: &mut writer, shape })?;
        let width = width_of(writer.longest);
        if width <= writer.width {
            return Ok(writer.out);
        }
        writer.width = width;
    }
}

/// Width of a length in bytes: "bits 3-4 width of container lengths (0: 1 byte, 1: 2, 2: 4, 3: 8)".
fn width_of(longest: usize) -> usize {
    match longest {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

struct Writer {
    out: Vec<u8>,
    /// Width of a length in bytes.
    width: usize,
    /// Length of the longest container so far; if it exceeds `width`, everything is encoded again.
    longest: usize,
}

impl Writer {
    /// Writes a length. Returns false if the width is too small for it, so that the rest need not be written.
    fn length(&mut self, length: usize) -> bool {
        self.longest = self.longest.max(length);
        self.out.extend_from_slice(&(length as u64).to_le_bytes()[..self.width]);
        width_of(length) <= self.width
    }
}

/// A serializer for a value of this shape.
struct At<'w, 's> {
    writer: &'w mut Writer,
    shape: &'s Shape,
}

impl<'w, 's> At<'w, 's> {
    fn scalar(self, scalar: Scalar, bytes: &[u8]) -> Result<(), Fault> {
        if *self.shape != Shape::Scalar(scalar) {
            return Err(unlike(self.shape));
        }
        self.writer.out.extend_from_slice(bytes);
        Ok(())
    }

    fn container(self, shape: &Shape, bytes: &[u8]) -> Result<(), Fault> {
        if self.shape != shape {
            return Err(unlike(self.shape));
        }
        if self.writer.length(bytes.len()) {
            self.writer.out.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Members of a tuple, a struct or an array.
    fn members(self, length: usize) -> Result<Members<'w, 's>, Fault> {
        let (list, fits) = match self.shape {
            Shape::Tuple(members) | Shape::Struct(members, _) => {
                (List::Each(members.iter()), members.len() == length)
            }
            Shape::Array(element, of) => (List::All(element, *of), *of == length),
            _ => return Err(unlike(self.shape)),
        };
        if !fits {
            return Err(unlike(self.shape));
        }
        let begin = self.writer.out.len();
        // Only structs have padding: elements of an array follow each other without.
        let size = self.shape.holes();
        Ok(Members { writer: self.writer, list, begin, size })
    }
}

#[cold]
fn unlike(shape: &Shape) -> Fault {
    Fault::new(format!("the value is no {shape:?}"))
}

/// Shapes of the next values.
enum List<'s> {
    Each(std::slice::Iter<'s, Shape>),
    All(&'s Shape, usize),
}

impl<'s> Iterator for List<'s> {
    type Item = &'s Shape;
    fn next(&mut self) -> Option<&'s Shape> {
        match self {
            List::Each(members) => members.next(),
            List::All(element, left) => {
                *left = left.checked_sub(1)?;
                Some(element)
            }
        }
    }
}

struct Members<'w, 's> {
    writer: &'w mut Writer,
    list: List<'s>,
    begin: usize,
    /// Size of a struct in its memory layout.
    size: Option<usize>,
}

impl Members<'_, '_> {
    fn member<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let shape = self.list.next().ok_or_else(|| Fault::new("too many members"))?;
        if let (Some(_), Some(layout)) = (self.size, shape.layout()) {
            let offset = self.writer.out.len() - self.begin;
            self.writer.out.resize(self.begin + layout.place(offset), 0);
        }
        value.serialize(At { writer: self.writer, shape })
    }

    fn close(mut self) -> Result<(), Fault> {
        if self.list.next().is_some() {
            return Err(Fault::new("too few members"));
        }
        if let Some(size) = self.size {
            self.writer.out.resize(self.begin + size, 0);
        }
        Ok(())
    }
}

/// Elements of a sequence, a set or a map.
struct Elements<'w, 's> {
    writer: &'w mut Writer,
    /// For a sequence, `key` and `value` are both its element.
    key: &'s Shape,
    value: &'s Shape,
    left: usize,
    /// Whether the width is too small, so that nothing more is written.
    narrow: bool,
}

impl Elements<'_, '_> {
    fn put<T: Serialize + ?Sized>(&mut self, key: bool, value: &T) -> Result<(), Fault> {
        if self.narrow {
            return Ok(());
        }
        let shape = if key { self.key } else { self.value };
        value.serialize(At { writer: self.writer, shape })
    }

    fn count(&mut self) -> Result<(), Fault> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Fault::new("more elements than announced"))?;
        Ok(())
    }

    fn close(self) -> Result<(), Fault> {
        if self.left == 0 { Ok(()) } else { Err(Fault::new("fewer elements than announced")) }
    }
}

impl<'w, 's> At<'w, 's> {
    fn elements(
        self,
        key: &'s Shape,
        value: &'s Shape,
        length: Option<usize>,
    ) -> Result<Elements<'w, 's>, Fault> {
        let left = length.ok_or_else(|| Fault::new("a sequence that does not know its length"))?;
        let narrow = !self.writer.length(left);
        Ok(Elements { writer: self.writer, key, value, left, narrow })
    }
}

macro_rules! scalars {
    ($($put:ident $scalar:ident $type:ty;)*) => {$(
        fn $put(self, value: $type) -> Result<(), Fault> {
            self.scalar(Scalar::$scalar, &value.to_le_bytes())
        }
    )*};
}

impl<'w, 's> Serializer for At<'w, 's> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Elements<'w, 's>;
    type SerializeMap = Elements<'w, 's>;
    type SerializeTuple = Members<'w, 's>;
    type SerializeTupleStruct = Members<'w, 's>;
    type SerializeStruct = Members<'w, 's>;
    type SerializeTupleVariant = Impossible<(), Fault>;
    type SerializeStructVariant = Impossible<(), Fault>;

    scalars! {
        serialize_i8 I8 i8;
        serialize_i16 I16 i16;
        serialize_i32 I32 i32;
        serialize_i64 I64 i64;
        serialize_u8 U8 u8;
        serialize_u16 U16 u16;
        serialize_u32 U32 u32;
        serialize_u64 U64 u64;
        serialize_f32 F32 f32;
        serialize_f64 F64 f64;
    }

    fn serialize_bool(self, value: bool) -> Result<(), Fault> {
        self.scalar(Scalar::Bool, &[u8::from(value)])
    }

    fn serialize_char(self, value: char) -> Result<(), Fault> {
        let byte = u8::try_from(value).map_err(|_| Fault::new("a char of more than one byte"))?;
        self.scalar(Scalar::Char, &[byte])
    }

    fn serialize_str(self, text: &str) -> Result<(), Fault> {
        self.container(&Shape::Text, text.as_bytes())
    }

    /// Also used for a string that is not UTF-8.
    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Fault> {
        let shape = if *self.shape == Shape::Text { &Shape::Text } else { &Shape::Bytes };
        self.container(shape, bytes)
    }

    fn serialize_none(self) -> Result<(), Fault> {
        match self.shape {
            Shape::Optional(_) => self.writer.out.push(0),
            other => return Err(unlike(other)),
        }
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        let Shape::Optional(inner) = self.shape else { return Err(unlike(self.shape)) };
        self.writer.out.push(1);
        value.serialize(At { writer: self.writer, shape: inner })
    }

    fn serialize_unit(self) -> Result<(), Fault> {
        Err(unlike(self.shape))
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Fault> {
        Err(unlike(self.shape))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Fault> {
        Err(unlike(self.shape))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        value.serialize(self) // the shape shows that it is a set
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Fault> {
        Err(unlike(self.shape))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements<'w, 's>, Fault> {
        match self.shape {
            Shape::Sequence(element) | Shape::Set(element) => self.elements(element, element, length),
            other => Err(unlike(other)),
        }
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Elements<'w, 's>, Fault> {
        match self.shape {
            Shape::Map(key, value) => self.elements(key, value, length),
            other => Err(unlike(other)),
        }
    }

    fn serialize_tuple(self, length: usize) -> Result<Members<'w, 's>, Fault> {
        self.members(length)
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Members<'w, 's>, Fault> {
        self.members(length)
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Members<'w, 's>, Fault> {
        self.members(length)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Fault> {
        Err(unlike(self.shape))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Fault> {
        Err(unlike(self.shape))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl SerializeSeq for Elements<'_, '_> {
    type Ok = ();
    type Error = Fault;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.count()?;
        self.put(false, value)
    }
    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

impl SerializeMap for Elements<'_, '_> {
    type Ok = ();
    type Error = Fault;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.count()?;
        self.put(true, key)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.put(false, value)
    }
    fn end(self) -> Result<(), Fault> {
        self.close()
    }
}

macro_rules! members {
    ($($trait:ident $put:ident($($name:ident: $type:ty)?);)*) => {$(
        impl $trait for Members<'_, '_> {
            type Ok = ();
            type Error = Fault;
            fn $put<T: Serialize + ?Sized>(&mut self, $($name: $type,)? value: &T) -> Result<(), Fault> {
                self.member(value)
            }
            fn end(self) -> Result<(), Fault> {
                self.close()
            }
        }
    )*};
}

members! {
    SerializeTuple serialize_element();
    SerializeTupleStruct serialize_field();
    SerializeStruct serialize_field(_name: &'static str);
}
