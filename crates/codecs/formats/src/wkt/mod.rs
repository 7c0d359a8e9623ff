//! Google's well-known types: messages that `.proto` files import from `google/protobuf/`.
//!
//! They are ordinary messages: their fields are public, methods take and return them, and in JSON they have
//! the special forms of protobuf. This module adds conversions to and from Rust's own types.
//!
//! | message | converts from, by `into()` | converts to, by `try_into()` or `into()` |
//! | --- | --- | --- |
//! | [`Timestamp`] | [`SystemTime`](std::time::SystemTime), `chrono::DateTime`, `jiff::Timestamp` | the same, if it is in their range |
//! | [`Duration`] | [`std::time::Duration`], `chrono::TimeDelta`, `jiff::SignedDuration` | the same, if it is in their range |
//! | [`Value`], [`Struct`], [`ListValue`] | `bool`, `f64`, strings, `Option`, collected items | see [`Value::as_str`] and the other methods |
//! | [`StringValue`], [`Int32Value`] and the other wrappers | the wrapped type | the wrapped type |
//! | [`FieldMask`] | collected paths | |
//! | [`Any`] | [`Any::pack`] | [`Any::unpack`] |
//! | [`Empty`] | `()` | |
//!
//! The types of chrono and jiff need the feature of that name. A type that converts to a message also
//! converts to a field with that message: `item.updated_at = SystemTime::now().into()`.

mod any;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "prost")]
mod prost;
mod time;
mod values;
mod wrappers;

#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, rustdoc::all)]
pub(crate) mod generated {
    include!("generated/google.protobuf.rs");
}

#[cfg(feature = "views")]
#[doc(hidden)]
pub use generated::__buffa;
pub use generated::{
    Any, BoolValue, BytesValue, DESCRIPTOR_SET, DoubleValue, Duration, Empty, FieldMask, FloatValue,
    Int32Value, Int64Value, ListValue, NullValue, StringValue, Struct, Timestamp, UInt32Value, UInt64Value,
    Value, value,
};
pub use time::OutOfRange;

/// Messages that describe interfaces: `google/protobuf/api.proto`, `type.proto` and `source_context.proto`.
pub mod api {
    pub use super::generated::{
        Api, Enum, EnumValue, Field, Method, Mixin, Option, SourceContext, Syntax, Type, field,
    };
}

/// Converts everything that converts to a message to a field with that message.
macro_rules! fields {
    ($($(#[$attribute:meta])* $from:ty => $message:ty;)*) => {$(
        $(#[$attribute])*
        impl<P: $crate::Storage<$message>> From<$from> for $crate::MessageField<$message, P> {
            #[inline]
            fn from(value: $from) -> Self {
                Self::some(value.into())
            }
        }
    )*};
}
use fields;
