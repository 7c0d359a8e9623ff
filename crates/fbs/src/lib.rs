//! FlatBuffers' schema language: what `.fbs` files declare.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `lexer.rs` | text to tokens, with their lines and comments |
//! | `parse.rs` | tokens to declarations, one file |
//! | `resolve.rs` | all files: includes read, names found, fields placed, numbers checked |
//! | `schema.rs`, `scalar.rs` | what comes of it |
//!
//! `polywire-build` makes Rust of a schema, `polywire_formats::flatbuffers::json` turns JSON into messages by one.
//!
//! Not here: attributes other than `deprecated`, `required`, `id`, `bit_flags` and `streaming` are read over;
//! `force_align`, unions of other things than tables and vectors of unions are refused.

#![forbid(unsafe_code)]

mod lexer;
mod parse;
mod resolve;
mod scalar;
mod schema;

pub use scalar::Scalar;
pub use schema::{
    Enum, Field, Item, Kind, Member, Method, Place, Schema, Struct, Table, Type, Union, Value, joined,
};

use std::fmt;

/// A file is missing or wrong; the text begins with file and line where they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
