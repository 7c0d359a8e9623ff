//! Converts FlatBuffers to JSON and back, by schema: for tools without generated code.
//!
//! The mapping is flatc's. Members have the names of the schema; for a union `u`, the member `u_type` names
//! its variant, for a vector of unions all variants; structs have all their members. Enums are written by
//! name and read by name or number, bit flags by several names. Numbers are written as numbers, however wide,
//! and can be read from strings, too; `"inf"`, `"-inf"` and `"nan"` are strings. Bytes with
//! `nested_flatbuffer` are objects, or arrays of numbers. Absent fields are left out, except numbers that are
//! a `key`, and a field that is null or has its default is not written. Vectors of tables or structs with a
//! `key` are sorted.
//!
//! A text for a number with `hash` is its hash.
//!
//! Differences to flatc: names are in quotes and there are no comments, since texts are read by the lexer of
//! JSON; tables and structs with equal keys stay in their order; `flexbuffer`s are their bytes.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `read.rs` | text to a message |
//! | `number.rs` | numbers and names of enums |
//! | `union.rs` | unions in a text |
//! | `place.rs` | numbers, structs and arrays in a text |
//! | `sort.rs` | vectors of tables and structs with a `key`, in its order |
//! | `verify.rs` | the rules of `../verify.rs`, by schema |
//! | `write.rs` | a message, once it is verified, to text |
//!
//! Limits: tables nest at most 64 deep, both ways, brackets in a text at most 100. A message takes memory in
//! proportion to its text. The caller limits the text, since a message may refer to the same value many
//! times.
//!
//! Errors: [`FormatError::Json`] with the offset, [`FormatError::MissingRequired`],
//! [`FormatError::FlatBuffers`].

mod number;
mod place;
mod read;
mod sort;
#[cfg(test)]
mod tests;
mod union;
mod verify;
mod write;

use crate::FormatError;
use polywire_fbs::{Place, Schema};

/// The type of a union without a value.
const NONE: &str = "NONE";

/// Converts JSON into a message whose root is this table.
///
/// # Errors
/// See the module; [`FormatError::TooLarge`] for a table beyond 64 KiB or a message beyond 2 GiB.
///
/// # Panics
/// If `table` is not a table of the schema.
pub fn from_json(schema: &Schema, table: Place, text: &[u8]) -> Result<Vec<u8>, FormatError> {
    read::message(schema, table, text)
}

/// Verifies a message whose root is this table and converts it to JSON of at most about `max_bytes`.
///
/// # Errors
/// See the module; [`FormatError::TooLarge`] beyond `max_bytes`.
///
/// # Panics
/// If `table` is not a table of the schema.
pub fn to_json(
    schema: &Schema,
    table: Place,
    message: &[u8],
    max_bytes: usize,
) -> Result<Vec<u8>, FormatError> {
    verify::message(schema, table, message)?;
    write::message(schema, table, message, max_bytes)
}
