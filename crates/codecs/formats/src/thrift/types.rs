//! The types of values on the wire.

use super::Error;

/// The type of a value, with the number that the binary protocol has for it.
///
/// Source: doc/specs/thrift-binary-protocol.md of Apache Thrift; docs/wire/thrift.md, "Types"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Type {
    Bool = 2,
    I8 = 3,
    Double = 4,
    I16 = 6,
    I32 = 8,
    I64 = 10,
    /// `binary` and `string`.
    Binary = 11,
    /// Structs, unions and exceptions.
    Struct = 12,
    Map = 13,
    Set = 14,
    List = 15,
    Uuid = 16,
}

impl Type {
    /// The type with this number in the binary protocol.
    ///
    /// # Errors
    /// There is no such type.
    #[inline]
    pub const fn of_binary(number: u8) -> Result<Type, Error> {
        Ok(match number {
            2 => Type::Bool,
            3 => Type::I8,
            4 => Type::Double,
            6 => Type::I16,
            8 => Type::I32,
            10 => Type::I64,
            11 => Type::Binary,
            12 => Type::Struct,
            13 => Type::Map,
            14 => Type::Set,
            15 => Type::List,
            16 => Type::Uuid,
            other => return Err(Error::Type(other)),
        })
    }

    /// The type with this number in the compact protocol, of a field or an element. 1 and 2 are both `bool`.
    ///
    /// # Errors
    /// There is no such type.
    #[inline]
    pub const fn of_compact(number: u8) -> Result<Type, Error> {
        Ok(match number {
            1 | 2 => Type::Bool,
            3 => Type::I8,
            4 => Type::I16,
            5 => Type::I32,
            6 => Type::I64,
            7 => Type::Double,
            8 => Type::Binary,
            9 => Type::List,
            10 => Type::Set,
            11 => Type::Map,
            12 => Type::Struct,
            13 => Type::Uuid,
            other => return Err(Error::Type(other)),
        })
    }

    /// The type's number in the compact protocol; for `bool` the number that elements use.
    #[inline]
    pub const fn compact(self) -> u8 {
        match self {
            Type::Bool => 1,
            Type::I8 => 3,
            Type::I16 => 4,
            Type::I32 => 5,
            Type::I64 => 6,
            Type::Double => 7,
            Type::Binary => 8,
            Type::List => 9,
            Type::Set => 10,
            Type::Map => 11,
            Type::Struct => 12,
            Type::Uuid => 13,
        }
    }

    /// The fewest bytes of a value in the binary protocol.
    #[inline]
    pub(super) const fn least_binary(self) -> usize {
        match self {
            Type::Bool | Type::I8 | Type::Struct => 1,
            Type::I16 => 2,
            Type::I32 | Type::Binary => 4,
            Type::Set | Type::List => 5,
            Type::Map => 6,
            Type::Double | Type::I64 => 8,
            Type::Uuid => 16,
        }
    }

    /// The fewest bytes of an element in the compact protocol.
    #[inline]
    pub(super) const fn least_compact(self) -> usize {
        match self {
            Type::Double => 8,
            Type::Uuid => 16,
            _ => 1,
        }
    }
}
