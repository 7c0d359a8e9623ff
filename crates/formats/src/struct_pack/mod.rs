//! struct_pack of Rust types, through serde: what rest_rpc v0.21 and coro_rpc send.
//!
//! ```text
//!  0             4        5
//!  +-------------+--------+--------------------+----- - - -----+
//!  | hash, u32   | [meta] | [literal, NUL]     | fields        |
//!  +-------------+--------+--------------------+----- - - -----+
//!   of the type, lowest bit: a meta byte follows. Little-endian.
//! ```
//!
//! The bytes say nothing of their type but its hash, so both ends must know it: [`Type::of`] finds it out from a type's
//! `Deserialize`, without a value. [`encode`] and [`decode`] follow it.
//!
//! | C++ | Rust |
//! | --- | --- |
//! | numbers, `bool`, `char` | numbers, `bool`, `char` (one byte) |
//! | `std::string` | `String`, `&str` |
//! | `std::vector`, `std::list` | `Vec`; `std::vector<char>`: bytes (`serde_bytes`) |
//! | `std::map`, `std::unordered_map` | `BTreeMap`, `HashMap` |
//! | `std::set`, `std::unordered_set` | [`Set`] around any of Rust's |
//! | `std::array`, `T[N]` | `[T; N]` |
//! | `std::optional`, `std::unique_ptr` | `Option` |
//! | `std::tuple` | tuples |
//! | structs, `std::pair` | structs with fields |
//!
//! | file | what it holds |
//! | --- | --- |
//! | `shape.rs` | types: their literals, hashes and places in memory |
//! | `trace.rs` | the shape of a Rust type |
//! | `write.rs`, `read.rs` | values along their shape |
//! | `set.rs` | sets, which serde does not tell from sequences |
//!
//! Source:     docs/wire/rest_rpc.md, "struct_pack, the part needed here"; literals, bytes and padding confirmed with the
//!             codec itself
//! Limits:     types nest at most [`MAX_DEPTH`] deep; a count may not exceed the bytes behind it.
//! Errors:     [`FormatError::StructPack`].
//! Not here:   enums (give them as the number that C++ sends, with `serde_repr` say), variants, `expected`,
//!             compatible fields, 128-bit numbers.

mod read;
mod set;
mod shape;
mod trace;
mod write;

#[cfg(test)]
mod tests;

pub use set::Set;
pub use shape::{Layout, Scalar, Shape, Type};

use crate::FormatError;
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How deep types may nest.
pub const MAX_DEPTH: usize = 64;

/// Writes a value of this type. The short form: no meta byte while all containers are short.
///
/// # Errors
/// The value is of another type.
pub fn encode<T: Serialize + ?Sized>(kind: &Type, value: &T) -> Result<Vec<u8>, FormatError> {
    write::write(kind, value)
}

/// Reads a value that is all of `bytes`, in either form. Strings may borrow.
///
/// # Errors
/// Another type, or not struct_pack.
pub fn decode<'de, T: Deserialize<'de>>(kind: &Type, bytes: &'de [u8]) -> Result<T, FormatError> {
    read::read(kind, bytes)
}

/// What names types here, and functions and topics in rest_rpc: the first four bytes of an MD5, as a number.
pub fn name_hash(name: &[u8]) -> u32 {
    let digest = Md5::digest(name);
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

/// What can go wrong inside of serde.
#[derive(Debug)]
struct Fault(Box<str>);

impl Fault {
    #[cold]
    fn new(what: impl Into<Box<str>>) -> Fault {
        Fault(what.into())
    }
}

impl From<Fault> for FormatError {
    fn from(fault: Fault) -> Self {
        FormatError::StructPack(fault.0)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl serde::ser::Error for Fault {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Fault::new(what.to_string())
    }
}

impl serde::de::Error for Fault {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Fault::new(what.to_string())
    }
}
