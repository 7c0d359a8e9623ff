//! FlatBuffers: messages that are read where they lie.
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
//! | `verify.rs` | [`Verifier`]: whether a buffer is what its schema says, and the limits of its work |
//! | `build/` | [`Builder`] |
//! | `json/` | JSON to messages and back by schema, for those without generated code |
//!
//! All of it is safe code, as is what polywire-build makes of `.fbs` files. So reading checks every position; in a verified
//! buffer none is outside, and in one that is not (only a builder misused makes such) defaults are read.
//!
//! Source: <https://flatbuffers.dev/internals/>; docs/wire/flatbuffers_rpc.md, section 5.

mod build;
pub mod json;
mod message;
mod read;
mod verify;

/// Longest message, bytes: offsets are signed in places.
const MAX_BYTES: usize = i32::MAX as usize;

#[cfg(test)]
mod tests;

pub use build::{Builder, Indirect, Inline, Items, Offset, Push, TableBuilder, UnionValue, structs};
pub use message::{Flat, Root};
pub use read::{Read, Table, Vector};
use verify::MAX_DEPTH;
pub use verify::{Indirects, InvalidFlatbuffer, TableVerifier, Verifiable, Verified, Verifier};
