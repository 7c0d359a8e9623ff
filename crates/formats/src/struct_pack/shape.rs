//! Types as struct_pack sees them: a byte string that names each, and where the fields of plain structs lie.

use super::{name_hash, trace};
use crate::FormatError;
use serde::Deserialize;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Scalar(Scalar),
    Text,
    /// `std::vector<char>`.
    Bytes,
    Sequence(Box<Shape>),
    Set(Box<Shape>),
    Map(Box<Shape>, Box<Shape>),
    Array(Box<Shape>, usize),
    Optional(Box<Shape>),
    Tuple(Vec<Shape>),
    /// With its layout, if all of it is plain data.
    Struct(Vec<Shape>, Option<Layout>),
}

/// A type that values are written and read as: its shape, and what stands in front of its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    pub(super) shape: Shape,
    pub(super) literal: Vec<u8>,
    pub(super) hash: u32,
}

impl Type {
    /// A type, found without a value.
    ///
    /// # Errors
    /// struct_pack, as far as it is here, has no such type; the text says what is in the way.
    pub fn of<'de, T: Deserialize<'de>>() -> Result<Type, FormatError> {
        Ok(trace::trace::<T>()?.into())
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The byte string that stands for it.
    pub fn literal(&self) -> &[u8] {
        &self.literal
    }

    /// The number in front of its values; its lowest bit is 0.
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

/// A number, by its byte in the literal.
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
    /// Bytes, and their alignment in C.
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

/// Where a value of plain data lies in memory: what C makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub(super) size: usize,
    pub(super) align: usize,
}

impl Layout {
    /// Of a struct; `None` if some member is more than plain data.
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

    /// The place of a member behind `offset`.
    pub(super) fn place(self, offset: usize) -> usize {
        offset.next_multiple_of(self.align)
    }
}

impl Shape {
    /// A struct of these members.
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

    /// Size and alignment of what C copies as it lies; a tuple never is.
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

    /// Bytes of a struct that lies as in memory: it may have holes, also at its end. Other things have none.
    pub(super) fn holes(&self) -> Option<usize> {
        match self {
            Shape::Struct(_, layout) => layout.map(|layout| layout.size),
            _ => None,
        }
    }

    /// Bytes of the shortest value: what a count is checked against.
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

/// "Small numbers N are one byte 0x81+N"; larger ones have digits to the base of 127 before it, the least first, each one
/// more than it is.
fn put_size(mut size: usize, out: &mut Vec<u8>) {
    while size >= 127 {
        out.push((size % 127 + 1) as u8);
        size /= 127;
    }
    out.push(0x81 + size as u8);
}
