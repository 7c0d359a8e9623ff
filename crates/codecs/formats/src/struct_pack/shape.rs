//! Types in struct_pack: a byte string that identifies each, and the memory layout of plain structs.

use super::{name_hash, trace};
use crate::FormatError;
use serde::Deserialize;

/// The shape of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Scalar(Scalar),
    Text,
    /// The C++ type `std::vector<char>`.
    Bytes,
    Sequence(Box<Shape>),
    Set(Box<Shape>),
    Map(Box<Shape>, Box<Shape>),
    Array(Box<Shape>, usize),
    Optional(Box<Shape>),
    Tuple(Vec<Shape>),
    /// A struct with its members, and with its layout if all members are plain data.
    Struct(Vec<Shape>, Option<Layout>),
}

/// A type for encoding and decoding: its shape, and the header of its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    pub(super) shape: Shape,
    pub(super) literal: Vec<u8>,
    pub(super) hash: u32,
}

impl Type {
    /// The type, derived without a value.
    ///
    /// # Errors
    /// The supported part of struct_pack has no such type; the text names the unsupported part.
    pub fn of<'de, T: Deserialize<'de>>() -> Result<Type, FormatError> {
        Ok(trace::trace::<T>()?.into())
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The byte string that identifies the type.
    pub fn literal(&self) -> &[u8] {
        &self.literal
    }

    /// The number before its values; its lowest bit is 0.
    pub fn hash(&self) -> u32 {
        self.hash
    }
}

impl From<Shape> for Type {
    fn from(shape: Shape) -> Self {
        let mut literal = Vec::new();
        shape.put(&mut literal);
        let hash = name_hash(&literal) & !1;
        Type { shape, literal, hash }
    }
}

/// A number type, with its byte in the literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Scalar {
    I32 = 0x01,
    U32 = 0x02,
    I64 = 0x03,
    U64 = 0x04,
    I8 = 0x05,
    U8 = 0x06,
    I16 = 0x07,
    U16 = 0x08,
    Bool = 0x0b,
    Char = 0x0c,
    F32 = 0x11,
    F64 = 0x12,
}

impl Scalar {
    /// Size in bytes, which is also its alignment in C.
    pub fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 | Scalar::Bool | Scalar::Char => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }
}

const TEXT: u8 = 0x80;
const ARRAY: u8 = 0x81;
const MAP: u8 = 0x82;
const SET: u8 = 0x83;
const SEQUENCE: u8 = 0x84;
const OPTIONAL: u8 = 0x85;
const BEGIN: u8 = 0xfd;
const END: u8 = 0xff;

/// The memory layout of a plain value, as in C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub(super) size: usize,
    pub(super) align: usize,
}

impl Layout {
    /// The layout of a struct; `None` if some member is not plain data.
    fn around(members: &[Shape]) -> Option<Layout> {
        let mut whole = Layout { size: 0, align: 1 };
        for member in members {
            let member = member.layout()?;
            whole.size = member.place(whole.size).checked_add(member.size)?;
            whole.align = whole.align.max(member.align);
        }
        whole.size = whole.place(whole.size);
        Some(whole)
    }

    /// The position of a member at or after `offset`.
    pub(super) fn place(self, offset: usize) -> usize {
        offset.next_multiple_of(self.align)
    }
}

impl Shape {
    /// A struct with these members.
    pub fn structure(members: Vec<Shape>) -> Shape {
        let layout = Layout::around(&members);
        Shape::Struct(members, layout)
    }

    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Shape::Scalar(scalar) => out.push(*scalar as u8),
            Shape::Text => out.extend([TEXT, Scalar::Char as u8]),
            Shape::Bytes => out.extend([SEQUENCE, Scalar::Char as u8]),
            Shape::Sequence(element) => element.put_behind(SEQUENCE, out),
            Shape::Set(element) => element.put_behind(SET, out),
            Shape::Optional(inner) => inner.put_behind(OPTIONAL, out),
            Shape::Map(key, value) => {
                key.put_behind(MAP, out);
                value.put(out);
            }
            Shape::Array(element, length) => {
                element.put_behind(ARRAY, out);
                put_size(*length, out);
            }
            Shape::Tuple(members) => {
                out.push(BEGIN);
                members.iter().for_each(|member| member.put(out));
                out.push(END);
            }
            Shape::Struct(members, layout) => {
                out.push(BEGIN);
                members.iter().for_each(|member| member.put(out));
                if let Some(layout) = layout {
                    put_size(layout.align, out); // as packed
                    put_size(layout.align, out); // as aligned
                }
                out.push(END);
            }
        }
    }

    fn put_behind(&self, code: u8, out: &mut Vec<u8>) {
        out.push(code);
        self.put(out);
    }

    /// Size and alignment of a type that C copies as memory; a tuple never is.
    pub(super) fn layout(&self) -> Option<Layout> {
        match self {
            Shape::Scalar(scalar) => Some(Layout { size: scalar.size(), align: scalar.size() }),
            Shape::Array(element, length) => {
                let Layout { size, align } = element.layout()?;
                Some(Layout { size: size.checked_mul(*length)?, align })
            }
            Shape::Struct(_, layout) => *layout,
            Shape::Text
            | Shape::Bytes
            | Shape::Sequence(_)
            | Shape::Set(_)
            | Shape::Map(..)
            | Shape::Optional(_)
            | Shape::Tuple(_) => None,
        }
    }

    /// Size of a struct in its memory layout: it may have padding, also at its end. `None` for other types.
    pub(super) fn holes(&self) -> Option<usize> {
        match self {
            Shape::Struct(_, layout) => layout.map(|layout| layout.size),
            _ => None,
        }
    }

    /// Length in bytes of the shortest value, against which a count is checked.
    pub(super) fn least(&self) -> usize {
        match self {
            Shape::Scalar(scalar) => scalar.size(),
            Shape::Array(element, length) => element.least().saturating_mul(*length),
            Shape::Tuple(members) | Shape::Struct(members, _) => members.iter().map(Shape::least).sum(),
            // A length, or a flag.
            Shape::Text
            | Shape::Bytes
            | Shape::Sequence(_)
            | Shape::Set(_)
            | Shape::Map(..)
            | Shape::Optional(_) => 1,
        }
    }
}

/// Encodes a size. "Small numbers N are one byte 0x81+N"; larger ones are preceded by digits to the base of
/// 127, the least significant first, each one increased by one.
fn put_size(mut size: usize, out: &mut Vec<u8>) {
    while size >= 127 {
        out.push((size % 127 + 1) as u8);
        size /= 127;
    }
    out.push(0x81 + size as u8);
}
