//! The values of document elements.

use super::{EMPTY_BYTES, Error, View};

/// The types of values, with their numbers on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Kind {
    Double = 1,
    String = 2,
    Document = 3,
    Array = 4,
    Binary = 5,
    Undefined = 6,
    ObjectId = 7,
    Bool = 8,
    DateTime = 9,
    Null = 10,
    Regex = 11,
    DbPointer = 12,
    Code = 13,
    Symbol = 14,
    CodeWithScope = 15,
    Int32 = 16,
    Timestamp = 17,
    Int64 = 18,
    Decimal128 = 19,
    MaxKey = 0x7f,
    MinKey = 0xff,
}

impl Kind {
    /// The type with this number.
    pub fn of(number: u8) -> Option<Kind> {
        const BY_NUMBER: [Kind; 19] = [
            Kind::Double,
            Kind::String,
            Kind::Document,
            Kind::Array,
            Kind::Binary,
            Kind::Undefined,
            Kind::ObjectId,
            Kind::Bool,
            Kind::DateTime,
            Kind::Null,
            Kind::Regex,
            Kind::DbPointer,
            Kind::Code,
            Kind::Symbol,
            Kind::CodeWithScope,
            Kind::Int32,
            Kind::Timestamp,
            Kind::Int64,
            Kind::Decimal128,
        ];
        match number {
            0x7f => Some(Kind::MaxKey),
            0xff => Some(Kind::MinKey),
            number => BY_NUMBER.get(usize::from(number).checked_sub(1)?).copied(),
        }
    }
}

/// A value, in place.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    Double(f64),
    String(&'a str),
    Document(View<'a>),
    /// A document whose names are `0`, `1` and so on.
    Array(View<'a>),
    Binary {
        subtype: u8,
        bytes: &'a [u8],
    },
    ObjectId([u8; 12]),
    Bool(bool),
    /// Milliseconds since 1970, UTC.
    DateTime(i64),
    Null,
    Regex {
        pattern: &'a str,
        options: &'a str,
    },
    /// JavaScript code, without a scope.
    Code(&'a str),
    Int32(i32),
    /// Seconds since 1970 in the upper half, a counter in the lower one.
    Timestamp(u64),
    Int64(i64),
    /// A decimal number, IEEE 754-2008, little-endian.
    Decimal128([u8; 16]),
    MinKey,
    MaxKey,
    /// A type that is deprecated (undefined, a database pointer, a symbol, code with a scope): its bytes.
    Deprecated {
        kind: Kind,
        bytes: &'a [u8],
    },
}

impl<'a> Value<'a> {
    /// The value as an integer, if it is a number; also doubles without a fraction.
    pub fn as_i64(&self) -> Option<i64> {
        match *self {
            Value::Int32(number) => Some(number.into()),
            Value::Int64(number) => Some(number),
            // Both bounds are exact as doubles, and the upper one is beyond the range.
            Value::Double(number)
                if number.fract() == 0.0 && (-(2f64.powi(63))..2f64.powi(63)).contains(&number) =>
            {
                Some(number as i64)
            }
            _ => None,
        }
    }

    /// The value as a float, if it is a number.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Value::Double(number) => Some(number),
            Value::Int32(number) => Some(number.into()),
            Value::Int64(number) => Some(number as f64),
            _ => None,
        }
    }

    /// Whether the value counts as true for an option of a command: a bool, or a number that is not 0.
    pub fn is_true(&self) -> bool {
        match self {
            Value::Bool(is) => *is,
            number => number.as_f64().is_some_and(|number| number != 0.0),
        }
    }

    pub fn as_str(&self) -> Option<&'a str> {
        match *self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The document, or the array.
    pub fn as_view(&self) -> Option<View<'a>> {
        match *self {
            Value::Document(view) | Value::Array(view) => Some(view),
            _ => None,
        }
    }

    /// Reads a value at the front, without looking into documents; with the bytes after it.
    pub(super) fn read(kind: Kind, bytes: &'a [u8]) -> Result<(Value<'a>, &'a [u8]), Error> {
        Ok(match kind {
            Kind::Double => array(bytes).map(|(b, rest)| (Value::Double(f64::from_le_bytes(b)), rest))?,
            Kind::String => text(bytes).map(|(text, rest)| (Value::String(text), rest))?,
            Kind::Code => text(bytes).map(|(text, rest)| (Value::Code(text), rest))?,
            Kind::Document => document(bytes).map(|(view, rest)| (Value::Document(view), rest))?,
            Kind::Array => document(bytes).map(|(view, rest)| (Value::Array(view), rest))?,
            Kind::Binary => {
                let (length, rest) = length(bytes, 0)?;
                let (&subtype, rest) = rest.split_first().ok_or(Error::Length)?;
                let (bytes, rest) = rest.split_at_checked(length).ok_or(Error::Length)?;
                (Value::Binary { subtype, bytes }, rest)
            }
            Kind::ObjectId => array(bytes).map(|(id, rest)| (Value::ObjectId(id), rest))?,
            Kind::Bool => match bytes.split_first().ok_or(Error::Length)? {
                (0, rest) => (Value::Bool(false), rest),
                (1, rest) => (Value::Bool(true), rest),
                _ => return Err(Error::Value),
            },
            Kind::DateTime => array(bytes).map(|(b, rest)| (Value::DateTime(i64::from_le_bytes(b)), rest))?,
            Kind::Null => (Value::Null, bytes),
            Kind::Regex => {
                let (pattern, rest) = name(bytes)?;
                let (options, rest) = name(rest)?;
                (Value::Regex { pattern, options }, rest)
            }
            Kind::Int32 => array(bytes).map(|(b, rest)| (Value::Int32(i32::from_le_bytes(b)), rest))?,
            Kind::Timestamp => {
                array(bytes).map(|(b, rest)| (Value::Timestamp(u64::from_le_bytes(b)), rest))?
            }
            Kind::Int64 => array(bytes).map(|(b, rest)| (Value::Int64(i64::from_le_bytes(b)), rest))?,
            Kind::Decimal128 => array(bytes).map(|(b, rest)| (Value::Decimal128(b), rest))?,
            Kind::MinKey => (Value::MinKey, bytes),
            Kind::MaxKey => (Value::MaxKey, bytes),
            Kind::Undefined => (Value::Deprecated { kind, bytes: &[] }, bytes),
            Kind::Symbol => {
                let (_, rest) = text(bytes)?;
                (Value::Deprecated { kind, bytes: before(bytes, rest) }, rest)
            }
            Kind::DbPointer => {
                let (_, rest) = text(bytes)?;
                let (_, rest) = array::<12>(rest)?;
                (Value::Deprecated { kind, bytes: before(bytes, rest) }, rest)
            }
            Kind::CodeWithScope => {
                let (whole, inner) = length(bytes, 4)?;
                let (inner, _) = inner.split_at_checked(whole).ok_or(Error::Length)?;
                let (_, scope) = text(inner)?;
                let (_, end) = document(scope)?;
                if !end.is_empty() {
                    return Err(Error::Length);
                }
                let rest = &bytes[4 + whole..];
                (Value::Deprecated { kind, bytes: before(bytes, rest) }, rest)
            }
        })
    }

    /// The document inside the value that has to be checked, too.
    pub(super) fn inner(&self) -> Option<&'a [u8]> {
        match *self {
            Value::Document(view) | Value::Array(view) => Some(view.as_bytes()),
            Value::Deprecated { kind: Kind::CodeWithScope, bytes } => {
                // As it was read: a length, a text, the scope.
                text(bytes.get(4..)?).ok().map(|(_, scope)| scope)
            }
            _ => None,
        }
    }
}

fn before<'a>(all: &'a [u8], rest: &[u8]) -> &'a [u8] {
    &all[..all.len() - rest.len()]
}

fn array<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), Error> {
    bytes.split_first_chunk().map(|(array, rest)| (*array, rest)).ok_or(Error::Length)
}

/// A length of four bytes, which includes `own` bytes of itself; returns the number of bytes after them.
fn length(bytes: &[u8], own: usize) -> Result<(usize, &[u8]), Error> {
    let (length, rest) = array(bytes)?;
    let length = usize::try_from(i32::from_le_bytes(length)).ok().and_then(|length| length.checked_sub(own));
    Ok((length.ok_or(Error::Length)?, rest))
}

/// A text after its length, which includes the NUL at its end.
fn text(bytes: &[u8]) -> Result<(&str, &[u8]), Error> {
    let (length, rest) = length(bytes, 0)?;
    let (text, rest) = rest.split_at_checked(length).ok_or(Error::Length)?;
    let [text @ .., 0] = text else { return Err(Error::Length) };
    Ok((str::from_utf8(text).map_err(|_| Error::Text)?, rest))
}

/// Text up to a NUL.
pub(super) fn name(bytes: &[u8]) -> Result<(&str, &[u8]), Error> {
    let end = memchr::memchr(0, bytes).ok_or(Error::Text)?;
    Ok((str::from_utf8(&bytes[..end]).map_err(|_| Error::Text)?, &bytes[end + 1..]))
}

/// A document by its length and its last byte.
pub(super) fn document(bytes: &[u8]) -> Result<(View<'_>, &[u8]), Error> {
    let (length, _) = length(bytes, 0)?;
    if length < EMPTY_BYTES {
        return Err(Error::Length);
    }
    let (document, rest) = bytes.split_at_checked(length).ok_or(Error::Length)?;
    match document {
        [.., 0] => Ok((View::of(document), rest)),
        _ => Err(Error::Length),
    }
}

macro_rules! from {
    ($($type:ty => |$value:ident| $made:expr;)*) => {
        $(impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Self {
                $made
            }
        })*
    };
}

from! {
    f64 => |value| Value::Double(value);
    &'a str => |value| Value::String(value);
    &'a String => |value| Value::String(value);
    View<'a> => |value| Value::Document(value);
    bool => |value| Value::Bool(value);
    i32 => |value| Value::Int32(value);
    i64 => |value| Value::Int64(value);
    &'a [u8] => |value| Value::Binary { subtype: 0, bytes: value };
}
