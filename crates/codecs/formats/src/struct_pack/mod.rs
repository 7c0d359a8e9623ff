//! Encodes Rust types as struct_pack, through serde: the format of rest_rpc v0.21 and coro_rpc.
//!
//! ```text
//!  0             4        5
//!  +-------------+--------+--------------------+----- - - -----+
//!  | hash, u32   | [meta] | [literal, NUL]     | fields        |
//!  +-------------+--------+--------------------+----- - - -----+
//!   of the type, lowest bit: a meta byte follows. Little-endian.
//! ```
//!
//! The bytes contain only a hash of their type, so both ends must know it: [`Type::of`] derives it from a
//! type's `Deserialize`, without a value. [`encode`] and [`decode`] use it.
//!
//! | C++ | Rust |
//! | --- | --- |
//! | numbers, `bool`, `char` | numbers, `bool`, `char` (one byte) |
//! | `std::string` | `String`, `&str` |
//! | `std::vector`, `std::list` | `Vec`; `std::vector<char>`: bytes (`serde_bytes`) |
//! | `std::map`, `std::unordered_map` | `BTreeMap`, `HashMap` |
//! | `std::set`, `std::unordered_set` | [`Set`] around any set of Rust |
//! | `std::array`, `T[N]` | `[T; N]` |
//! | `std::optional`, `std::unique_ptr` | `Option` |
//! | `std::tuple` | tuples |
//! | structs, `std::pair` | structs with fields |
//!
//! | file | what it holds |
//! | --- | --- |
//! | `shape.rs` | types: their literals, hashes and memory layouts |
//! | `trace.rs` | the shape of a Rust type |
//! | `write.rs`, `read.rs` | values according to their shape |
//! | `set.rs` | sets, which serde does not distinguish from sequences |
//!
//! Source: docs/wire/rest_rpc.md, "struct_pack, the part needed here"; literals, bytes and padding confirmed
//! with the codec itself
//!
//! Limits: types nest at most [`MAX_DEPTH`] deep; a count may not exceed the number of bytes after it.
//!
//! Errors: [`FormatError::StructPack`].
//!
//! Not here: enums (use the number that C++ sends, for example with `serde_repr`), variants, `expected`,
//! compatible fields, 128-bit numbers.

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
use serde::{Deserialize, Serialize};
use std::fmt;

/// Deepest nesting of types.
pub const MAX_DEPTH: usize = 64;

/// Encodes a value of this type, in the short form: without a meta byte while all containers are short.
///
/// # Errors
/// The value has another type.
pub fn encode<T: Serialize + ?Sized>(kind: &Type, value: &T) -> Result<Vec<u8>, FormatError> {
    write::write(kind, value)
}

/// Decodes a value that takes all of `bytes`, in either form. Strings may borrow.
///
/// # Errors
/// The bytes are of another type, or not struct_pack.
pub fn decode<'de, T: Deserialize<'de>>(kind: &Type, bytes: &'de [u8]) -> Result<T, FormatError> {
    read::read(kind, bytes)
}

/// The hash of types here, and of functions and topics in rest_rpc: the first four bytes of an MD5, as a
/// number.
pub fn name_hash(name: &[u8]) -> u32 {
    let digest = md5::compute(name);
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

/// An error inside of serde.
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
