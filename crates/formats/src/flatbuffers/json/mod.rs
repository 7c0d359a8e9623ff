//! FlatBuffers as JSON and back, by schema: what tools need that have no generated code.
//!
//! The mapping is flatc's. Members have the names of the schema; a union `u` has the name of what it holds in `u_type`; structs
//! have all their members. Enums are written by name and read by name or number, bits by several names. Numbers are written as
//! such, however wide, and read from strings, too: `"inf"`, `"-inf"` and `"nan"` are these. Bytes with `nested_flatbuffer` are
//! objects, or the numbers they consist of. What a message does not hold is left out, and a field that is null or has its
//! default is not written.
//!
//! Not as flatc: names stand in quotes and there are no comments, since texts are read by the lexer of JSON; vectors of tables
//! with a `key` are not sorted; a field with `hash` is given as its number, a text is refused; `flexbuffer`s are their bytes.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `read.rs` | text to a message |
//! | `number.rs` | numbers and names of enums, both ways |
//! | `verify.rs` | the rules of `../verify.rs`, by schema |
//! | `write.rs` | a message, once it is verified, to text |
//!
//! Limits: tables nest at most 64 deep, both ways, brackets in a text at most 100. A message takes memory in proportion to its text. Text is bounded by the
//!         caller, since a message may say the same many times over.
//! Errors: [`FormatError::Json`] with the offset, [`FormatError::MissingRequired`], [`FormatError::FlatBuffers`].

mod number;
mod read;
#[cfg(test)]
mod tests;
mod verify;
mod write;

use crate::FormatError;
use polywire_fbs::{Place, Schema};

/// Reads JSON into a message that begins with this table.
///
/// # Errors
/// See the module; [`FormatError::TooLarge`] for a table beyond 64 KiB or a message beyond 2 GiB.
///
/// # Panics
/// If `table` is no table of the schema.
pub fn from_json(schema: &Schema, table: Place, text: &[u8]) -> Result<Vec<u8>, FormatError> {
    read::message(schema, table, text)
}

/// Verifies a message that begins with this table and writes it as JSON of about `max_bytes` at most.
///
/// # Errors
/// See the module; [`FormatError::TooLarge`] beyond `max_bytes`.
///
/// # Panics
/// If `table` is no table of the schema.
pub fn to_json(
    schema: &Schema,
    table: Place,
    message: &[u8],
    max_bytes: usize,
) -> Result<Vec<u8>, FormatError> {
    verify::message(schema, table, message)?;
    write::message(schema, table, message, max_bytes)
}
