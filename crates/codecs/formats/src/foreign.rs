//! Messages of somebody else in another form, by schema: what a proxy needs, which has no generated code.
//!
//! Protobuf is in the middle: what comes in any form is read into it, and written from it in any other.
//!
//! Limits: a message has at most the bytes that its reader or writer is given as a limit, whatever it was
//! before; the work for it grows with its length alone.
//!
//! Not here: compression; whether two forms are the same to a reader.

#[cfg(feature = "mcpack")]
use crate::mcpack::{self, Variant};
use crate::{
    FormatError,
    json::{self, Json},
    schema::MessageSchema,
};
use polywire_base::IoBuf;
use polywire_wire::Content;
use std::borrow::Cow;

/// Whether messages in this form can be read and written here.
pub fn is_known(content: Content) -> bool {
    is_mcpack(content) || matches!(content, Content::PROTOBUF | Content::JSON | Content::PROTO_JSON)
}

/// Whether this is mcpack or compack. A reader of one reads the other.
pub fn is_mcpack(content: Content) -> bool {
    matches!(content, Content::MCPACK | Content::COMPACK)
}

/// Whether this is a struct of Thrift, in one of its two protocols.
pub fn is_thrift(content: Content) -> bool {
    matches!(content, Content::THRIFT | Content::THRIFT_COMPACT)
}

/// Whether messages in this form have none in protobuf, and nothing else has one in it: structs of Thrift,
/// and the lists of values of msgpack and struct_pack.
pub fn is_apart(content: Content) -> bool {
    is_thrift(content) || matches!(content, Content::MSGPACK | Content::STRUCT_PACK)
}

/// A struct of Thrift in its other protocol. Both tell the types of all values, so that no schema is needed.
///
/// # Errors
/// It is no such struct, or the result has more than `longest` bytes.
#[cfg_attr(not(feature = "thrift"), allow(unused_variables))]
pub fn recode(bytes: IoBuf, content: Content, longest: usize) -> Result<IoBuf, FormatError> {
    #[cfg(feature = "thrift")]
    if let Some(from) = crate::thrift::Encoding::of(content) {
        return crate::thrift::recode(from, bytes, longest);
    }
    Err(FormatError::UnknownContent(content))
}

/// Reads a message in `content` into protobuf. `json` is what [`Content::JSON`] means; `longest` limits what
/// mcpack becomes, JSON is limited when it is written.
///
/// # Errors
/// See [`FormatError`]. Bytes that are protobuf already are not looked at.
#[cfg_attr(not(feature = "mcpack"), allow(unused_variables))]
pub fn to_wire<'b>(
    schema: MessageSchema<'_>,
    bytes: &'b [u8],
    content: Content,
    json: Json,
    longest: usize,
) -> Result<Cow<'b, [u8]>, FormatError> {
    Ok(Cow::Owned(match content {
        Content::PROTOBUF => return Ok(Cow::Borrowed(bytes)),
        Content::JSON => json::to_wire(schema, bytes, json.style())?.wire,
        Content::PROTO_JSON => json::to_wire(schema, bytes, Json::CANONICAL.style())?.wire,
        #[cfg(feature = "mcpack")]
        Content::MCPACK | Content::COMPACK => mcpack::to_wire_exactly(schema, bytes, longest)?,
        other => return Err(FormatError::UnknownContent(other)),
    }))
}

/// Writes a message that is in protobuf in `content`.
///
/// # Errors
/// See [`FormatError`]. Bytes that stay protobuf are not looked at.
pub fn from_wire(
    schema: MessageSchema<'_>,
    wire: Cow<'_, [u8]>,
    content: Content,
    json: Json,
    longest: usize,
) -> Result<Vec<u8>, FormatError> {
    match content {
        // `0` in an array of doubles are two bytes of JSON, and up to thirteen of protobuf.
        Content::PROTOBUF if wire.len() > longest => Err(FormatError::TooLarge { limit: longest }),
        Content::PROTOBUF => Ok(wire.into_owned()),
        Content::JSON => json::from_wire_exactly(schema, &wire, json.style(), longest),
        Content::PROTO_JSON => json::from_wire_exactly(schema, &wire, Json::CANONICAL.style(), longest),
        #[cfg(feature = "mcpack")]
        Content::MCPACK => mcpack::from_wire_exactly(schema, &wire, Variant::Mcpack, longest),
        #[cfg(feature = "mcpack")]
        Content::COMPACK => mcpack::from_wire_exactly(schema, &wire, Variant::Compack, longest),
        other => Err(FormatError::UnknownContent(other)),
    }
}
