//! Parser of Thrift's interface definition language, `.thrift` files.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `lexer.rs` | text to tokens, with their places and comments |
//! | `parse.rs`, `ast.rs` | tokens to declarations, one file |
//! | `read.rs` | files and their includes |
//! | `scope.rs` | which declaration a name refers to |
//! | `resolve.rs`, `fields.rs` | declarations to a schema |
//! | `constant.rs`, `uuid.rs` | values of constants and defaults |
//! | `place.rs` | lines and columns |
//! | `schema.rs` | the resulting schema |
//!
//! The grammar is that of Apache's compiler 0.17 to 0.25. `polywire-build` generates Rust from a schema.

#![forbid(unsafe_code)]

mod ast;
mod constant;
mod fields;
mod lexer;
mod parse;
mod place;
mod read;
mod resolve;
mod schema;
mod scope;
mod uuid;

pub use place::Place;
pub use schema::{
    Field, File, Id, Item, Kind, Method, Requiredness, Schema, Service, Struct, StructKind, Type, Value,
    Variant,
};

use std::fmt;

/// A file is missing or invalid; the text begins with file, line and column where they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
