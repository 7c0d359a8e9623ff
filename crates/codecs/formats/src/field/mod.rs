//! Types of fields in generated messages for which Rust has no type.
//!
//! | type | field |
//! | --- | --- |
//! | [`MessageField`] | a message that may be unset |
//! | [`Map`] | `map<K, V>` |
//! | [`EnumValue`] | a value of an open enum, which may have numbers that this program does not know |
//!
//! The page `docs/fields.md` has all kinds of fields.

pub mod enumeration;
mod map;
mod message;

pub use enumeration::{EnumValue, FieldEnum};
pub use map::{KeyHasher, Map, MapState};
pub use message::{FieldMessage, MessageField, Storage};
