//! Messages whose members generated code writes and reads directly, with names and types known at compile
//! time.
//!
//! It handles the common cases and returns [`Refused`] for errors and rare cases: the message is then
//! converted by its descriptor, which reports the error. So both ways write the same bytes, accept the same
//! input, and have the same errors and limits; this module only has to refuse everything that the descriptor
//! would refuse.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `value.rs` | values of fields: numbers, texts, messages |
//! | `place.rs`, `map.rs` | how a message stores them: plain, `Option`, `Vec`, map |
//! | `packer.rs`, `unpacker.rs` | objects and arrays, written and read |
//! | `macros.rs` | macros for messages of `polywire-build` |
//!
//! Also left to the descriptor: messages longer than `ENOUGH`, nested deeper than `MAX_DEPTH`, or that might
//! exceed the reader's limit as protobuf (`GROWTH`); missing required fields; unknown numbers of enums;
//! singular messages in several pieces that are complete only together.

mod macros;
mod map;
mod packer;
mod place;
mod unpacker;
mod value;

pub use super::field::Field;
pub use crate::FormatError;
pub use packer::Packer;
pub use place::Place;
pub use unpacker::Unpacker;
pub use value::Value;

use super::{Variant, write};

/// A message whose members generated code writes and reads.
pub trait Packed: Members {
    /// Writes all members, and returns their number.
    fn pack(&self, to: &mut Packer) -> Result<u32, Refused>;

    /// Writes one member without its name, if it has a value; returns whether it has.
    fn pack_item(&self, at: usize, to: &mut Packer) -> Result<bool, Refused>;
}

/// A type with members that can be read. `at` is an index into them.
pub trait Members: Default {
    /// The names of the members, as they are declared.
    const MEMBERS: &'static [&'static str];
    /// Indices into `MEMBERS`, sorted by length and then by bytes; for a duplicate name, the first.
    const BY_NAME: &'static [u16];
    /// The required members, as bits.
    const REQUIRED: u64;

    /// Reads one member; returns whether it has a value.
    fn unpack(&mut self, at: usize, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused>;
}

/// The packed form cannot represent the message; the descriptor is used.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused;

impl From<FormatError> for Refused {
    #[cold]
    fn from(_: FormatError) -> Self {
        Refused
    }
}

/// The options of a field: `idl_type`, whether `idl_on` is set, whether the field is required.
pub struct Rule<const TYPE: u8, const ON: bool, const REQUIRED: bool>;

/// The type that implements a [`Rule`].
pub trait Rules {
    const TYPE: u8;
    const ON: bool;
    const REQUIRED: bool;
}

impl<const TYPE: u8, const ON: bool, const REQUIRED: bool> Rules for Rule<TYPE, ON, REQUIRED> {
    const TYPE: u8 = TYPE;
    const ON: bool = ON;
    const REQUIRED: bool = REQUIRED;
}

/// The type that a value is written as. "Any other combination is a generation-time error."
const fn code<V: Value>(idl: u8, repeated: bool) -> u8 {
    match write::code(V::KIND, idl, repeated) {
        Some(code) => code,
        None => panic!("`idl_type` does not fit the field"),
    }
}

/// Deepest nesting of objects: half of what mcpack and protobuf allow, so that the exact way of counting does
/// not matter, and large messages do not use much stack.
const MAX_DEPTH: u32 = 50;

/// The maximum growth of a body from mcpack to protobuf: a byte of an isoarray becomes a tag of five bytes
/// and a value of ten.
const GROWTH: usize = 16;

/// The next level of depth.
#[inline]
fn deeper(depth: u32) -> Result<u32, Refused> {
    if depth < MAX_DEPTH { Ok(depth + 1) } else { Err(Refused) }
}

/// An object's body for a message, or `None` to leave it to the descriptor.
pub fn pack<M: Packed>(message: &M, variant: Variant) -> Option<Vec<u8>> {
    let mut packer = Packer::new(variant);
    packer.body(message).ok()?;
    packer.finish()
}

/// Decodes a message from an object's body, or returns `None` to leave it to the descriptor. Only accepts
/// bodies within the descriptor's limits.
pub fn unpack<M: Packed>(body: &[u8], max_bytes: usize) -> Option<M> {
    if body.len().saturating_mul(GROWTH) > max_bytes {
        return None;
    }
    Unpacker::new().body(body).ok()
}
