//! BSON: documents of MongoDB's protocol, read in place and written.
//!
//! ```text
//!  0         4                                   n-1   n
//!  +---------+----------+----------+--- - - -----+----+
//!  | n       | element  | element  |             | 00 |      n: i32, with itself; all numbers little-endian
//!  +---------+----------+----------+--- - - -----+----+
//!  element: type (u8), name (bytes without NUL, then NUL), value
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `check.rs` | whether bytes are a document |
//! | `view.rs` | documents inside of bytes, and their elements |
//! | `document.rs` | documents of one's own |
//! | `value.rs` | values |
//! | `write.rs` | new documents |
//!
//! The types that a server needs to recognise commands and answer them. A document is one buffer, as it was
//! received: for maps, or Rust types through serde, pass [`Document::as_bytes`] to the crate `bson`, and its
//! output to [`Document::from_bytes`].
//!
//! Source: BSON specification, version 1.1 (bsonspec.org)
//! Limits: documents are nested at most [`MAX_DEPTH`] deep. Nothing is allocated while reading; a check looks
//!         at each byte once and keeps the end of each open document.

mod check;
mod document;
#[cfg(test)]
mod tests;
mod value;
mod view;
mod write;

pub use document::Document;
pub use value::{Kind, Value};
pub use view::{Elements, View};
pub use write::{Builder, array};

use std::{error, fmt};

/// The maximum nesting of documents and arrays, MongoDB's own limit.
pub const MAX_DEPTH: usize = 200;

/// Shortest document, in bytes: a length and the NUL at its end.
pub const EMPTY_BYTES: usize = 5;

/// The reason why bytes are not a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The length of a document, a text or a binary does not match the bytes.
    Length,
    /// A name or a text is not UTF-8, or has no end.
    Text,
    /// A type that the specification does not have.
    Type(u8),
    /// A value that its type does not have, such as a bool that is 2.
    Value,
    /// Documents are nested deeper than [`MAX_DEPTH`].
    TooDeep,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Length => f.write_str("a length in a BSON document is wrong"),
            Error::Text => f.write_str("a name or text in a BSON document is not UTF-8, or has no end"),
            Error::Type(kind) => write!(f, "BSON has no type {kind:#04x}"),
            Error::Value => f.write_str("a BSON value is none of its type"),
            Error::TooDeep => write!(f, "BSON documents are nested deeper than {MAX_DEPTH}"),
        }
    }
}

impl error::Error for Error {}
