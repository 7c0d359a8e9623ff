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
//! | `verify.rs` | what the runtime's verifier is told of structs, and the limits of its work |
//! | `build.rs` | structs into a builder |
//!
//! Building and verifying are the `flatbuffers` runtime's. Reading is not: the runtime's accessors are `unsafe`, and the
//! code that polywire-build makes of `.fbs` files compiles where that is forbidden. So reading checks every position;
//! in a verified buffer none is outside, and in one that is not (only a builder misused makes such) defaults are read.
//!
//! Source: <https://flatbuffers.dev/internals/>; docs/wire/flatbuffers_rpc.md, section 5.

mod build;
mod message;
mod read;
mod verify;

#[cfg(test)]
mod tests;

pub use build::{Inline, Padding, push_struct, structs};
pub use flatbuffers as runtime;
pub use message::{Flat, Root};
pub use read::{Read, Table, Vector};
pub use verify::{StructVector, verify_struct};

/// Builds a message from its back to its front.
pub type Builder = runtime::FlatBufferBuilder<'static>;
/// Where something that was built lies.
pub type Offset<T> = runtime::WIPOffset<T>;
