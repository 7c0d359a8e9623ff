//! The faults of an encoded struct.

use super::{MAX_DEPTH, Type};
use crate::FormatError;
use std::{error, fmt};

/// The reason why a struct could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The message ends inside a value, or a length or count leads beyond its end.
    Truncated,
    /// Bytes follow the struct.
    Trailing,
    /// No type has this number.
    Type(u8),
    /// A negative length or count.
    Negative,
    /// A number of more bytes than its type can need.
    Varint,
    /// Structs and containers were nested too deeply.
    Depth,
    /// A `string` that is not UTF-8.
    NotUtf8,
    /// The elements have another type than the definition.
    Elements { expected: Type, found: Type },
    /// A required field is missing.
    Missing { of: &'static str, field: &'static str },
    /// A union in which not exactly one known field is set.
    Union(&'static str),
}

impl Error {
    /// A required field is missing.
    pub const fn missing(of: &'static str, field: &'static str) -> Error {
        Error::Missing { of, field }
    }

    /// A union in which not exactly one known field is set.
    pub const fn union(of: &'static str) -> Error {
        Error::Union(of)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Truncated => f.write_str("it ends inside a value"),
            Error::Trailing => f.write_str("bytes follow the struct"),
            Error::Type(number) => write!(f, "no type has the number {number}"),
            Error::Negative => f.write_str("a negative length"),
            Error::Varint => f.write_str("a number of too many bytes"),
            Error::Depth => write!(f, "nested more than {MAX_DEPTH} deep"),
            Error::NotUtf8 => f.write_str("a string is not UTF-8: declare it as binary"),
            Error::Elements { expected, found } => {
                write!(f, "elements of type {found:?} where the definition says {expected:?}")
            }
            Error::Missing { of, field } => write!(f, "required field {of}.{field} is missing"),
            Error::Union(of) => write!(f, "not exactly one field of the union {of} is set"),
        }
    }
}

impl error::Error for Error {}

impl From<Error> for FormatError {
    #[cold]
    fn from(error: Error) -> Self {
        FormatError::Thrift(error.to_string().into())
    }
}
