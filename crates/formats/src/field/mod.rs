//! Types of fields in generated messages for which Rust has no type.
//!
//! | type | field |
//! | --- | --- |
//! | [`MessageField`] | a message that may be unset |
//! | [`Map`] | `map<K, V>` |
//! | [`EnumValue`] | a value of an open enum, which may have numbers that this program does not know |
//!
//! The page `docs/fields.md` has all kinds of fields.

mod map;
mod message;

pub use map::{KeyHasher, Map, MapState};
pub use message::{FieldMessage, MessageField, Storage};

/// A value of an open enum: one that the `.proto` file declares, or any other number.
///
/// The variants are `Known(E)` and `Unknown(i32)`. Only the following are part of the stable interface:
/// `From<E>` and `From<i32>`, `to_i32`, `as_known` (the declared value, if it is one), `is_known`,
/// `is_unknown`, comparison with an `E`, and `Default`, which is the value 0.
///
/// ```
/// # use polywire_formats::{EnumValue, wkt::api::Syntax};
/// let mut syntax = EnumValue::from(Syntax::SYNTAX_PROTO3);
/// assert_eq!(syntax, Syntax::SYNTAX_PROTO3);
/// syntax = 7.into();
/// assert_eq!((syntax.as_known(), syntax.to_i32()), (None, 7));
/// ```
#[doc(inline)]
pub use buffa::EnumValue;
