//! The value of a field: a number, a text, or a message.

use super::{Packed, Packer, Refused, Unpacker};
use crate::EnumValue;
use crate::{
    mcpack::{
        field::{Field, SIZE, STRING},
        scalar::Number,
        write::number,
    },
    schema::Kind,
};
use buffa::bytes::Bytes;

/// One value. Numbers implement `bits` and `from_bits`; the other methods have defaults.
pub trait Value: Sized {
    const KIND: Kind;

    /// The bits of a number as in protobuf, without zigzag. 0 if a field without presence leaves the value
    /// out.
    fn bits(&self) -> u64;

    /// The number with these bits; `None` if the type has no such value.
    fn from_bits(_: u64) -> Option<Self> {
        None
    }

    /// The bytes of a text.
    fn text(&self) -> &[u8] {
        &[]
    }

    #[inline]
    fn write(&self, code: u8, name: &[u8], to: &mut Packer) -> Result<(), Refused> {
        let number = number(code, Self::KIND, self.bits());
        to.to.number(code, name, &number[..usize::from(code & SIZE)]);
        Ok(())
    }

    #[inline]
    fn read(field: Field<'_>, _: &mut Unpacker) -> Result<Self, Refused> {
        let number = Number::of(field.code, field.value).ok_or(Refused)?;
        Self::from_bits(number.checked(Self::KIND).ok_or(Refused)?).ok_or(Refused)
    }

    /// Reads a further occurrence: of values that are not messages, the last one counts.
    #[inline]
    fn merge(&mut self, field: Field<'_>, from: &mut Unpacker) -> Result<(), Refused> {
        *self = Self::read(field, from)?;
        Ok(())
    }

    /// Writes messages by columns.
    fn write_columns(_: &[Self], _: &[u8], _: &mut Packer) -> Result<(), Refused> {
        Err(Refused)
    }

    /// Reads messages by columns.
    fn read_columns(_: Field<'_>, _: &mut Vec<Self>, _: &mut Unpacker) -> Result<(), Refused> {
        Err(Refused)
    }
}

impl<M: Packed> Value for M {
    /// The index is not used.
    const KIND: Kind = Kind::Message(0);

    fn bits(&self) -> u64 {
        1
    }

    #[inline]
    fn write(&self, _: u8, name: &[u8], to: &mut Packer) -> Result<(), Refused> {
        to.object(self, name)
    }

    #[inline]
    fn read(field: Field<'_>, from: &mut Unpacker) -> Result<Self, Refused> {
        let mut message = M::default();
        message.merge(field, from)?;
        Ok(message)
    }

    #[inline]
    fn merge(&mut self, field: Field<'_>, from: &mut Unpacker) -> Result<(), Refused> {
        from.object(self, field)
    }

    fn write_columns(rows: &[Self], name: &[u8], to: &mut Packer) -> Result<(), Refused> {
        to.columns(name, M::MEMBERS, rows.iter(), |row, at, to| row.pack_item(at, to))
    }

    fn read_columns(object: Field<'_>, to: &mut Vec<Self>, from: &mut Unpacker) -> Result<(), Refused> {
        from.columns(object, |message| to.push(message))
    }
}

macro_rules! number {
    ($($type:ty: $kind:ident, $value:ident => $bits:expr, $from:expr;)*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::$kind;

            #[inline]
            fn bits(&self) -> u64 {
                let $value = *self;
                $bits
            }

            #[inline]
            fn from_bits($value: u64) -> Option<Self> {
                Some($from)
            }
        }
    )*};
}

number! {
    i32: Int32, value => value as u64, value as i32;
    i64: Int64, value => value as u64, value as i64;
    u32: Uint32, value => value.into(), value as u32;
    u64: Uint64, value => value, value;
    bool: Bool, value => value.into(), value != 0;
    f32: Float, value => value.to_bits().into(), f32::from_bits(value as u32);
    f64: Double, value => value.to_bits(), f64::from_bits(value);
}

/// "enum as int32, value not validated"
impl<E> Value for EnumValue<E> {
    const KIND: Kind = Kind::Int32;

    #[inline]
    fn bits(&self) -> u64 {
        self.to_i32().bits()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Self> {
        i32::from_bits(bits).map(Into::into)
    }
}

macro_rules! text {
    ($($type:ty: $kind:ident, $read:expr;)*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::$kind;

            #[inline]
            fn bits(&self) -> u64 {
                self.len() as u64
            }

            #[inline]
            fn text(&self) -> &[u8] {
                self.as_ref()
            }

            #[inline]
            fn write(&self, code: u8, name: &[u8], to: &mut Packer) -> Result<(), Refused> {
                match code {
                    STRING => to.to.string(name, self.text()),
                    _ => to.to.binary(name, self.text()),
                }
                Ok(())
            }

            #[inline]
            fn read(field: Field<'_>, _: &mut Unpacker) -> Result<Self, Refused> {
                field.bytes().and_then($read).ok_or(Refused)
            }
        }
    )*};
}

text! {
    String: String, |bytes| smoothutf8::from_utf8(bytes).map(Into::into);
    Vec<u8>: Bytes, |bytes| Some(bytes.into());
    Bytes: Bytes, |bytes| Some(Bytes::copy_from_slice(bytes));
}
