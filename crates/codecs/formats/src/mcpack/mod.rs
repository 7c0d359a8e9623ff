//! mcpack v2 and compack: converts messages to protobuf and back by schema, or directly with generated code;
//! and fields for envelopes.
//!
//! ```text
//!  0      1           2
//!  +------+-----------+------- - -------+-------- - -------+------ - - -----+
//!  | type | name_size | value_size      | name, NUL        | value          |
//!  +------+-----------+------- - -------+-------- - -------+------ - - -----+
//!                       0, 1 or 4 bytes    name_size bytes    little-endian
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `field.rs` | types and heads; fields read by reference, bounded |
//! | `writer.rs` | heads and groups, written in place |
//! | `read.rs`, `scalar.rs` | members to a message |
//! | `write.rs` | a message to members |
//! | `columns.rs` | repeated messages of compack, both ways |
//! | `packed/` | the same with generated code, from and to the Rust value |
//!
//! This module reads and writes the *body* of an object: count and fields without a head, as the envelopes of
//! ubrpc contain it. [`document`] removes the head of a standalone object.
//!
//! Source: docs/wire/mcpack.md
//!
//! Invariants: both variants are read alike; [`Variant`] chooses how repeated data is written.
//!
//! Limits: objects and arrays nest at most 100 deep; a message has at most the bytes that its reader is given
//! as a limit; counts that a peer sends are not trusted. A name has at most 254 bytes.
//!
//! Errors: [`FormatError::Mcpack`], [`FormatError::MissingRequired`], [`FormatError::TooLarge`].
//!
//! Deviations: an empty array, for a field that is not repeated, reads as absent, since that is how brpc
//! writes it (`idl_on`). A row of which every column is null is an empty message; brpc loses it if it is the
//! last row.
//!
//! Not here: extensions, which mcpack has no names for.

mod columns;
pub mod field;
#[doc(hidden)]
pub mod packed;
mod read;
mod scalar;
mod write;
mod writer;

#[cfg(test)]
mod tests;

pub use field::{Field, Fields};
pub use writer::{Group, Writer};

use crate::{
    FormatError,
    protobuf::{required, wire::MAX_DEPTH},
    schema::MessageSchema,
};
use polywire_wire::Content;

/// How repeated data is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// mcpack v2: arrays of fields with heads.
    Mcpack,
    /// compack: numbers packed, messages by columns.
    Compack,
}

impl Variant {
    /// The variant for a content type; `None` if that is not mcpack.
    #[inline]
    pub(crate) fn of(content: Content) -> Option<Variant> {
        match content {
            Content::MCPACK => Some(Variant::Mcpack),
            Content::COMPACK => Some(Variant::Compack),
            _ => None,
        }
    }
}

/// The body of a standalone object: "type exactly 0x10, name_size 0, value_size > 0", with nothing after it.
///
/// # Errors
/// [`FormatError::Mcpack`].
pub fn document(bytes: &[u8]) -> Result<&[u8], FormatError> {
    let mut fields = Fields::bare(bytes);
    match fields.next()? {
        Some(Field { code: field::OBJECT, name: b"", value }) if !value.is_empty() && fields.is_empty() => {
            Ok(value)
        }
        _ => Err(FormatError::mcpack("not one unnamed object")),
    }
}

/// Bytes of the head before a document's body.
pub const DOCUMENT_HEAD_BYTES: usize = 6;

/// Converts an object's body to protobuf. Does not check required fields; `max_bytes` limits the result.
///
/// # Errors
/// See the module.
pub fn to_wire(schema: MessageSchema<'_>, body: &[u8], max_bytes: usize) -> Result<Vec<u8>, FormatError> {
    read::message(schema, body, max_bytes, false)
}

/// Converts an object's body of somebody else to protobuf that its reader takes: required fields are there,
/// and text that must be UTF-8 is.
///
/// # Errors
/// See the module.
pub(crate) fn to_wire_exactly(
    schema: MessageSchema<'_>,
    body: &[u8],
    max_bytes: usize,
) -> Result<Vec<u8>, FormatError> {
    let wire = read::message(schema, body, max_bytes, true)?;
    if schema.has_required() {
        required::check(schema, &wire)?;
    }
    Ok(wire)
}

/// Converts protobuf of somebody else to an object's body of at most `longest` bytes. The work for it is
/// limited as well.
///
/// # Errors
/// See the module.
pub(crate) fn from_wire_exactly(
    schema: MessageSchema<'_>,
    wire: &[u8],
    variant: Variant,
    longest: usize,
) -> Result<Vec<u8>, FormatError> {
    write::exactly(schema, wire, variant, longest)
}

/// Converts protobuf to an object's body.
///
/// # Errors
/// See the module.
pub fn from_wire(schema: MessageSchema<'_>, wire: &[u8], variant: Variant) -> Result<Vec<u8>, FormatError> {
    write::message(schema, wire, variant)
}

/// The next level of depth, or an error beyond the limit.
fn deeper(depth: u32) -> Result<u32, FormatError> {
    if depth >= MAX_DEPTH {
        return Err(FormatError::mcpack("nested more than 100 levels deep"));
    }
    Ok(depth + 1)
}
