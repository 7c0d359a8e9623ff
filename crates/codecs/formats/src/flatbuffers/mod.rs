//! FlatBuffers: messages that are read in place.
//!
//! ```text
//!   sending     Builder --finish--> one Vec, written from its back -----------> Bytes of its used part, no copy
//!   receiving   IoBuf --one segment? no: one copy--> Bytes --verify--> Flat<T> --get()--> views, no copy
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `message.rs` | [`Flat`], an owned and verified buffer: what servers and clients send and receive |
//! | `read.rs` | positions to values: scalars, strings, [`Table`], [`Vector`] |
//! | `verifiable.rs` | what can be verified: numbers, vectors, what offsets lead to |
//! | `verify.rs` | [`Verifier`]: whether a buffer conforms to its schema, and the limits of the check |
//! | `build/` | [`Builder`] |
//! | `key.rs` | vectors that are sorted by a key |
//! | `json/` | JSON to messages and back by schema, for tools without generated code |
//!
//! All of it is safe code, including the output of polywire-build for `.fbs` files. So reading checks every
//! position; in a verified buffer none is outside, and in any other (only misuse of the builder makes one)
//! defaults are read.
//!
//! Source: <https://flatbuffers.dev/internals/>; docs/wire/flatbuffers_rpc.md, section 5.

mod build;
pub mod json;
mod key;
mod limits;
mod message;
mod read;
mod verifiable;
mod verify;

#[cfg(test)]
mod tests;

pub use build::{
    Builder, Indirect, Inline, Items, Offset, Push, TableBuilder, UnionValue, Unions, aligned_structs,
    aligned_unions, structs, unions,
};
pub use key::{Key, Keyed, sorted_structs, sorted_tables};
pub use message::{Flat, Root, nest};
pub use read::{Apart, Read, Table, Vector};
pub use verifiable::{Indirects, Nested, Tag, Verifiable, Verified};
pub use verify::{InvalidFlatbuffer, TableVerifier, Verifier};
