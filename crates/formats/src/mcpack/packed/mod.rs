//! Messages whose members generated code writes and reads: straight from and into the Rust value, with names and types
//! known when it is compiled.
//!
//! It does the ordinary and gives up ([`Refused`]) wherever something is wrong or rare: the message then goes by its
//! descriptor, which says what is wrong. So both ways write the same bytes, accept the same, and have one set of errors and
//! limits; it is enough that nothing is done here that the descriptor would refuse.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `value.rs` | numbers, texts, messages: what a field holds |
//! | `place.rs`, `map.rs` | how a message keeps them: plain, `Option`, `Vec`, map |
//! | `packer.rs`, `unpacker.rs` | objects and arrays, written and read |
//! | `macros.rs` | what a message of `polywire-build` becomes |
//!
//! Left to the descriptor besides: what is longer than `ENOUGH`, nested deeper than `MAX_DEPTH`, or might become more than
//! the reader's bound as protobuf (`GROWTH`); required fields that are absent; enums with numbers they do not know;
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
    /// Writes all members, and says how many.
    fn pack(&self, to: &mut Packer) -> Result<u32, Refused>;

    /// Writes one member without its name, if there is anything to write; says whether.
    fn pack_item(&self, at: usize, to: &mut Packer) -> Result<bool, Refused>;
}

/// What has members that can be read. `at` is an index into them.
pub trait Members: Default {
    /// Their names, as they are declared.
    const MEMBERS: &'static [&'static str];
    /// Indices of `MEMBERS`, by length and then by bytes; of a name that is there twice the first.
    const BY_NAME: &'static [u16];
    /// The required ones, as bits.
    const REQUIRED: u64;

    /// Reads one member; says whether it has a value.
    fn unpack(&mut self, at: usize, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused>;
}

/// What generated code leaves to the descriptor.
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

/// A [`Rule`].
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

/// Levels of objects: half of what mcpack and protobuf allow, so that it does not matter how each of them counts, nor how much
/// of the stack a large message takes.
const MAX_DEPTH: u32 = 50;

/// How many times its size a body may become in protobuf: a byte of an isoarray has a tag of five and ten of its own.
const GROWTH: usize = 16;

/// One level further down.
#[inline]
fn deeper(depth: u32) -> Result<u32, Refused> {
    if depth < MAX_DEPTH { Ok(depth + 1) } else { Err(Refused) }
}

/// An object's body from a message, or `None` to leave it to the descriptor.
pub fn pack<M: Packed>(message: &M, variant: Variant) -> Option<Vec<u8>> {
    let mut packer = Packer::new(variant);
    packer.body(message).ok()?;
    packer.finish()
}

/// A message from an object's body, or `None` to leave it to the descriptor, under whose limits this one stays.
pub fn unpack<M: Packed>(body: &[u8], max_bytes: usize) -> Option<M> {
    if body.len().saturating_mul(GROWTH) > max_bytes {
        return None;
    }
    Unpacker::new().body(body).ok()
}
