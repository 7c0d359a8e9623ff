//! Converts numbers of mcpack to numbers of fields.
//!
//! Source: docs/wire/mcpack.md, "Reading into protobuf"

use super::field::{self, Field};
use crate::{protobuf::wire::zigzag, schema::Kind};

/// A number of mcpack.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    Signed(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
}

impl Number {
    /// The value of a field that is a number. Its size is determined by its type.
    #[inline]
    pub fn of(code: u8, value: &[u8]) -> Option<Number> {
        Some(match (code, value) {
            (field::INT32, &[a, b, c, d]) => Number::Signed(i32::from_le_bytes([a, b, c, d]).into()),
            (field::INT64, value) => Number::Signed(i64::from_le_bytes(value.try_into().ok()?)),
            (field::UINT32, &[a, b, c, d]) => Number::Unsigned(u32::from_le_bytes([a, b, c, d]).into()),
            (field::UINT64, value) => Number::Unsigned(u64::from_le_bytes(value.try_into().ok()?)),
            (field::BOOL, &[byte]) => Number::Unsigned(u64::from(byte != 0)),
            (field::DOUBLE, value) => Number::Double(f64::from_le_bytes(value.try_into().ok()?)),
            (field::FLOAT, &[a, b, c, d]) => Number::Float(f32::from_le_bytes([a, b, c, d])),
            (field::INT8, &[byte]) => Number::Signed((byte as i8).into()),
            (field::INT16, &[a, b]) => Number::Signed(i16::from_le_bytes([a, b]).into()),
            (field::UINT8, &[byte]) => Number::Unsigned(byte.into()),
            (field::UINT16, &[a, b]) => Number::Unsigned(u16::from_le_bytes([a, b]).into()),
            _ => return None,
        })
    }

    /// The value, if it is an integer, signed or not.
    fn integer(self) -> Option<i128> {
        match self {
            Number::Signed(number) => Some(number.into()),
            Number::Unsigned(number) => Some(number.into()),
            Number::Float(_) | Number::Double(_) => None,
        }
    }

    /// The bits on the wire for a field of this kind; `None` if the number is out of its range:
    /// "range-checked (overflow, or negative into unsigned = error)".
    #[inline]
    pub fn checked(self, kind: Kind) -> Option<u64> {
        let integer = || self.integer();
        Some(match kind {
            Kind::Double | Kind::Float => return self.float(kind),
            Kind::Bool => u64::from(integer()? != 0),
            Kind::Int32 | Kind::Sfixed32 | Kind::Sint32 | Kind::Enum(_) => {
                signed(kind, i32::try_from(integer()?).ok()?.into())
            }
            Kind::Int64 | Kind::Sfixed64 | Kind::Sint64 => signed(kind, i64::try_from(integer()?).ok()?),
            Kind::Uint32 | Kind::Fixed32 => u32::try_from(integer()?).ok()?.into(),
            Kind::Uint64 | Kind::Fixed64 => u64::try_from(integer()?).ok()?,
            Kind::String | Kind::Bytes | Kind::Message(_) | Kind::Group(_) => return None,
        })
    }

    /// The bits for items of an isoarray: "cast without range check; a float item for an integer field reads
    /// 0, an integer item for a float field reads 0".
    #[inline]
    pub fn cast(self, kind: Kind) -> u64 {
        let integer = self.integer().unwrap_or(0);
        match kind {
            Kind::Double | Kind::Float => self.float(kind).unwrap_or(0),
            Kind::Bool => u64::from(integer != 0),
            Kind::Int32 | Kind::Sfixed32 | Kind::Sint32 | Kind::Enum(_) => {
                signed(kind, (integer as i32).into())
            }
            Kind::Int64 | Kind::Sfixed64 | Kind::Sint64 => signed(kind, integer as i64),
            Kind::Uint32 | Kind::Fixed32 => u64::from(integer as u32),
            _ => integer as u64,
        }
    }

    /// "float or double only". Without a conversion the bits are kept: via the other type, a signalling NaN
    /// would become a quiet one.
    fn float(self, kind: Kind) -> Option<u64> {
        let double = match self {
            Number::Float(number) if kind == Kind::Float => return Some(number.to_bits().into()),
            Number::Float(number) => f64::from(number),
            Number::Double(number) => number,
            Number::Signed(_) | Number::Unsigned(_) => return None,
        };
        Some(match kind {
            Kind::Float => u64::from((double as f32).to_bits()),
            _ => double.to_bits(),
        })
    }
}

/// The bits of a signed number for its kind.
fn signed(kind: Kind, number: i64) -> u64 {
    match kind {
        Kind::Sint32 | Kind::Sint64 => zigzag(number),
        _ => number as u64,
    }
}

/// The items of an isoarray: type, size, and bytes. "(value_size - 1) must be a multiple of the item size and
/// the type must be primitive."
pub(super) fn isoarray(array: Field<'_>) -> Option<(u8, usize, &[u8])> {
    let (&code, items) = array.value.split_first()?;
    let size = usize::from(code & field::SIZE);
    let whole = size > 0 && items.len().is_multiple_of(size);
    // A number of this type can be read from as many zeros.
    (whole && Number::of(code, &[0; 16][..size]).is_some()).then_some((code, size, items))
}
