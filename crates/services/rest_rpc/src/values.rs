//! Arguments and results in the bodies of both formats.

use super::{
    Value,
    plain::{self, Plain},
};
use polywire_call::Content;
use polywire_formats::{
    FormatError, msgpack,
    struct_pack::{self, Shape, Type},
};
use serde::{
    Deserialize, Serialize,
    de::{
        DeserializeOwned,
        value::{self, UnitDeserializer},
    },
};
use std::marker::PhantomData;

/// msgpack's nil, as which serde encodes `()`.
const NIL: [u8; 1] = [0xc0];
/// msgpack's empty array: no arguments.
const NO_ARGUMENTS: [u8; 1] = [0x90];

/// How values of a type are encoded and decoded. `()` is encoded as no bytes: no arguments, or no result.
pub(super) struct Form<T> {
    /// Whether this is the tuple of a call's arguments; otherwise it is a result or a publication.
    arguments: bool,
    /// Whether the type is `()`.
    nothing: bool,
    /// The type in format B, for values that are not text.
    packed: Result<Type, FormatError>,
    of: PhantomData<fn() -> T>,
}

impl<T> Form<T> {
    pub fn of_arguments<'de>() -> Self
    where
        T: Deserialize<'de>,
    {
        Form { arguments: true, ..Form::of_value() }
    }

    pub fn of_value<'de>() -> Self
    where
        T: Deserialize<'de>,
    {
        // A type that can be read from nothing may also be an option, which has a size.
        let unit = T::deserialize(UnitDeserializer::<value::Error>::new());
        let nothing = size_of::<T>() == 0 && unit.is_ok();
        Form { arguments: false, nothing, packed: Type::of::<T>(), of: PhantomData }
    }

    /// Whether the value is a single number or string, which format B encodes as text.
    fn is_plain(&self) -> bool {
        match (&self.packed.as_ref().map(Type::shape), self.arguments) {
            (Ok(Shape::Tuple(members)), true) => {
                matches!(members[..], [Shape::Scalar(_) | Shape::Text])
            }
            (Ok(Shape::Scalar(_) | Shape::Text), false) => true,
            _ => false,
        }
    }

    /// Whether the value is a string.
    pub fn is_text(&self) -> bool {
        matches!(self.packed.as_ref().map(Type::shape), Ok(Shape::Text))
    }

    pub fn encode(&self, content: Content, value: &T) -> Result<Vec<u8>, FormatError>
    where
        T: Serialize,
    {
        match content {
            Content::MSGPACK if self.nothing => {
                Ok(if self.arguments { NO_ARGUMENTS.to_vec() } else { Vec::new() })
            }
            Content::MSGPACK => msgpack::encode(value),
            Content::STRUCT_PACK if self.nothing => Ok(Vec::new()),
            Content::STRUCT_PACK if self.is_plain() => {
                let text = plain::write(value, self.arguments).map(Plain::into_bytes);
                text.ok_or_else(|| FormatError::StructPack("the value does not have its type's form".into()))
            }
            Content::STRUCT_PACK => struct_pack::encode(self.packed.as_ref().map_err(Clone::clone)?, value),
            other => Err(FormatError::UnknownContent(other)),
        }
    }

    pub fn decode(&self, content: Content, bytes: &[u8]) -> Result<T, FormatError>
    where
        T: DeserializeOwned,
    {
        let no_bytes = if self.arguments { &NO_ARGUMENTS[..] } else { &[] };
        match content {
            // An absent result may also be `None` of an option.
            Content::MSGPACK if bytes == no_bytes => msgpack::decode(&NIL),
            Content::MSGPACK => msgpack::decode(bytes),
            Content::STRUCT_PACK if self.nothing && bytes.is_empty() => msgpack::decode(&NIL),
            Content::STRUCT_PACK if self.is_plain() => self.decode_plain(bytes),
            Content::STRUCT_PACK => struct_pack::decode(self.packed.as_ref().map_err(Clone::clone)?, bytes),
            other => Err(FormatError::UnknownContent(other)),
        }
    }

    /// "Quirk: a single number passed as a named variable takes the last row (a tuple of one). A lenient
    /// server can accept both."
    fn decode_plain(&self, bytes: &[u8]) -> Result<T, FormatError>
    where
        T: DeserializeOwned,
    {
        if let (true, Ok(packed)) = (self.arguments, &self.packed)
            && matches!(packed.shape(), Shape::Tuple(members) if matches!(members[..], [Shape::Scalar(_)]))
            && let Ok(value) = struct_pack::decode(packed, bytes)
        {
            return Ok(value);
        }
        let read = plain::read(bytes, self.arguments);
        read.map_err(|error| FormatError::StructPack(error.to_string().into()))
    }
}

/// The text of a value that is a single string.
pub(super) fn text_of<T: Serialize + ?Sized>(value: &T) -> Option<Vec<u8>> {
    match plain::write(value, false)? {
        Plain::Text(text) => Some(text),
        Plain::Number(_) => None,
    }
}

/// Encodes a publication: "raw text for string payloads", otherwise packed as in the format.
pub(super) fn published<T: Value>(content: Content, value: &T) -> Result<Vec<u8>, FormatError> {
    match (text_of(value), content) {
        (Some(text), _) => Ok(text),
        (None, Content::MSGPACK) => msgpack::encode(value),
        (None, _) => Form::of_value().encode(content, value),
    }
}

/// Decodes a string from its bytes alone.
pub(super) fn of_text<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    plain::read(bytes, false).map_err(|error| FormatError::Msgpack(error.to_string().into()))
}
