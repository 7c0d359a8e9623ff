//! Parser of FlatBuffers' schema language, `.fbs` files.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `lexer.rs` | text to tokens, with their lines and comments |
//! | `parse.rs` | tokens to declarations, one file |
//! | `attributes.rs` | checks of the attributes of fields |
//! | `read.rs` | files and their includes |
//! | `resolve.rs` | declarations to a schema: names resolved, fields laid out, numbers checked |
//! | `default.rs`, `function.rs` | defaults of fields |
//! | `hash.rs` | the hashes of texts that stand in their place |
//! | `schema.rs`, `scalar.rs` | the resulting schema |
//!
//! `polywire-build` generates Rust from a schema, `polywire_formats::flatbuffers::json` converts JSON to
//! messages by one.
//!
//! Refused: attributes that are neither declared by a schema nor known to FlatBuffers, and `vector64` and
//! `offset64`, which use offsets of 64 bits.

#![forbid(unsafe_code)]

mod attributes;
mod default;
mod function;
mod hash;
mod lexer;
mod parse;
mod read;
mod resolve;
mod scalar;
mod schema;

pub use hash::Hash;
pub use scalar::Scalar;
pub use schema::{
    Enum, Field, Item, Kind, Member, Method, Place, Schema, Struct, Table, Type, Union, Value, Variant,
    joined,
};

use std::fmt;

/// A file is missing or invalid; the text begins with file and line where they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
