//! `.fbs` files to Rust: tables that are read where they lie, structs, enums, unions, services.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `lexer.rs` | text to tokens, with their lines and comments |
//! | `parse.rs` | tokens to declarations, one file |
//! | `schema.rs` | all files: names found, fields placed, numbers checked |
//! | `emit/` | Rust source |
//!
//! Generated code is safe: it reads, verifies and builds through `polywire::flatbuffers`. How many fields a table has and how
//! many bytes they can take is known here, so the builder need not ask field by field.
//!
//! Not here: attributes other than `deprecated`, `required`, `id`, `bit_flags` and `streaming` are read over;
//! `force_align`, unions of other things than tables and vectors of unions are refused.

mod emit;
mod lexer;
mod parse;
mod schema;

pub(crate) use emit::files;
pub(crate) use schema::Schema;
