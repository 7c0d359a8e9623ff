//! The interface between messages and servers and clients, whichever library generated them.
//!
//! A [`Payload`] is the content of a call: protobuf's [`Message`]s, and types that encode themselves
//! ([`Flat`](crate::flatbuffers::Flat)). Generated code implements [`Message`] by
//! [`message!`](crate::message!). Servers and clients use [`decode_request`], [`encode_reply`] and their
//! counterparts, which choose the encoding ([`Content`]), decompress or compress, check required fields and
//! convert errors into the status of the call.
//!
//! Hot path: protobuf without compression, once per message and direction. Decoding reads the received slice
//! in place; encoding makes one allocation of exactly the right size.

#[cfg(feature = "mcpack")]
use crate::mcpack::{self, Variant};
use crate::{
    FormatError, compression,
    json::{self, Json, Style},
    protobuf::{owned::Visit, required},
    schema::MessageSchema,
    text,
};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_wire::{Compression, Content, Longest};

/// A message that a call can carry.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message that polywire can send",
    label = "not generated from a .proto or .fbs file",
    note = "messages come from `polywire_build::compile(\"proto/….proto\")` in build.rs and `polywire::include!(\"…\")`"
)]
pub trait Payload: Sized + Send + Sync + 'static {
    /// Decodes it from any encoding. `longest` limits a body that is decompressed, `json` is the meaning of
    /// `application/json`.
    ///
    /// # Errors
    /// See [`FormatError`].
    fn decode(
        content: Content,
        compression: Compression,
        body: IoBuf,
        longest: Longest,
        json: Json,
    ) -> Result<Self, FormatError>;

    /// Name and fields of a protobuf message, by which HTTP requests are [bound](crate::rest).
    #[doc(hidden)]
    fn described() -> Option<MessageSchema<'static>> {
        None
    }

    /// Encodes it in any encoding.
    ///
    /// # Errors
    /// See [`FormatError`].
    fn encode(&self, content: Content, compression: Compression, json: Json) -> Result<IoBuf, FormatError>;

    /// Like `encode`, for a message that is not used afterwards: a message that holds its encoded bytes
    /// passes them on, instead of sharing them.
    ///
    /// # Errors
    /// See [`FormatError`].
    #[inline]
    fn into_encoded(
        self,
        content: Content,
        compression: Compression,
        json: Json,
    ) -> Result<IoBuf, FormatError> {
        self.encode(content, compression, json)
    }
}

/// A protobuf message that can be sent, and kept: as bytes, as JSON, as text.
///
/// Made from `.proto` files, for messages of buffa and (with the feature `prost`) of prost.
///
/// ```
/// # mod polywire { pub use polywire_formats::*; }
/// use polywire::{Message, rpc::Status};
///
/// let message = Status { code: 5, message: "not there".into(), ..Default::default() };
/// let bytes = message.encode()?;
/// assert_eq!(Status::decode(&bytes)?, message);
/// assert_eq!(message.to_json()?, r#"{"code":5,"message":"not there"}"#);
/// assert_eq!(message.to_text()?, "code: 5\nmessage: \"not there\"\n");
/// # assert_eq!(Status::from_json(&message.to_json()?)?, message);
/// # assert_eq!(Status::from_text(&message.to_text()?)?, message);
/// # Ok::<_, polywire::FormatError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message that polywire can send",
    label = "not generated from a .proto file",
    note = "messages come from `polywire_build::compile(\"proto/….proto\")` in build.rs and `polywire::include!(\"…\")`"
)]
pub trait Message: Default + Send + Sync + 'static {
    /// Whether [`Message::from_shared`] copies less than [`Message::from_wire`].
    #[doc(hidden)]
    const SHARES: bool = false;

    /// The schema: name and fields.
    fn schema() -> MessageSchema<'static>;

    /// The message as protobuf, as it is sent: for a file, a database, a queue.
    ///
    /// # Errors
    /// [`FormatError::MissingRequired`]; [`FormatError::TooLarge`] beyond 2 GiB, the limit of protobuf.
    fn encode(&self) -> Result<Vec<u8>, FormatError> {
        translate(Self::schema(), self.to_wire()?, Content::PROTOBUF, Json::DEFAULT)
    }

    /// Reads what [`Message::encode`] has written, or another program in protobuf.
    ///
    /// # Errors
    /// [`FormatError::Protobuf`], [`FormatError::MissingRequired`].
    fn decode(bytes: &[u8]) -> Result<Self, FormatError> {
        decode_protobuf(bytes)
    }

    /// The message in protobuf's own mapping to JSON (`application/proto-json`). [`Payload::encode`] has
    /// others.
    ///
    /// # Errors
    /// [`FormatError::Json`] for values that JSON cannot express, [`FormatError::MissingRequired`].
    fn to_json(&self) -> Result<String, FormatError> {
        json::from_wire(Self::schema(), &self.to_wire()?, Style::Canonical).map(text_of)
    }

    /// Reads protobuf's own mapping to JSON. Unknown members are ignored.
    ///
    /// # Errors
    /// [`FormatError::Json`] with the offset, [`FormatError::MissingRequired`].
    fn from_json(text: &str) -> Result<Self, FormatError> {
        Self::from_wire(&json::to_wire(Self::schema(), text.as_bytes(), Style::Canonical)?.wire)
    }

    /// The message in protobuf's text format, one field per line.
    ///
    /// # Errors
    /// [`FormatError::MissingRequired`].
    fn to_text(&self) -> Result<String, FormatError> {
        text::from_wire(Self::schema(), &self.to_wire()?).map(text_of)
    }

    /// Reads protobuf's text format.
    ///
    /// # Errors
    /// [`FormatError::Text`] with the line, [`FormatError::MissingRequired`].
    fn from_text(text: &str) -> Result<Self, FormatError> {
        Self::from_wire(&text::to_wire(Self::schema(), text.as_bytes())?)
    }

    /// Decodes protobuf. Required fields may be missing: [`Message::decode`] has the whole check.
    ///
    /// # Errors
    /// [`FormatError::Protobuf`].
    fn from_wire(bytes: &[u8]) -> Result<Self, FormatError>;

    /// Decodes from shared bytes, which fields of [`Bytes`](bytes::Bytes) share.
    ///
    /// # Errors
    /// The errors of [`Message::from_wire`].
    #[doc(hidden)]
    fn from_shared(wire: bytes::Bytes) -> Result<Self, FormatError> {
        Self::from_wire(&wire)
    }

    /// Encodes as protobuf in one allocation of exactly the right size.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] beyond 2 GiB, the limit of protobuf.
    fn to_wire(&self) -> Result<Vec<u8>, FormatError>;

    /// Like [`Message::to_wire`], for a message that is not used afterwards: long strings and bytes are not
    /// copied. The encoded bytes are the same.
    ///
    /// # Errors
    /// The errors of [`Message::to_wire`].
    fn into_wire(self) -> Result<IoBuf, FormatError> {
        Ok(self.to_wire()?.into())
    }

    /// Visits each string and each field of bytes, including those of nested messages, but not those in
    /// oneofs and maps.
    #[doc(hidden)]
    fn buffers(&mut self, _visit: Visit<'_>) {}

    /// Reads the body of an mcpack object, if there is generated code that can; otherwise the schema is used.
    #[cfg(feature = "mcpack")]
    #[doc(hidden)]
    fn from_mcpack(_body: &[u8], _max_bytes: usize) -> Option<Self> {
        None
    }

    /// Writes the body of an mcpack object, under the same condition.
    #[cfg(feature = "mcpack")]
    #[doc(hidden)]
    fn to_mcpack(&self, _variant: Variant) -> Option<Vec<u8>> {
        None
    }
}

/// Text that was written here. JSON and text format are UTF-8 whatever bytes the fields have.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Decodes a request at a server. `longest` limits a body that is decompressed.
///
/// # Errors
/// EREQUEST with the fault.
#[inline]
pub fn decode_request<M: Payload>(
    content: Content,
    compression: Compression,
    body: IoBuf,
    longest: impl Into<Longest>,
) -> Result<M, Status> {
    M::decode(content, compression, body, longest.into(), Json::DEFAULT).map_err(FormatError::request)
}

/// Decodes a reply at a client. `longest` limits a body that is decompressed.
///
/// # Errors
/// ERESPONSE with the fault.
#[inline]
pub fn decode_reply<M: Payload>(
    content: Content,
    compression: Compression,
    body: IoBuf,
    longest: impl Into<Longest>,
) -> Result<M, Status> {
    M::decode(content, compression, body, longest.into(), Json::DEFAULT).map_err(FormatError::reply)
}

/// Encodes a request at a client.
///
/// # Errors
/// EREQUEST with the fault.
#[inline]
pub fn encode_request<M: Payload>(
    message: M,
    content: Content,
    compression: Compression,
) -> Result<IoBuf, Status> {
    message.into_encoded(content, compression, Json::DEFAULT).map_err(FormatError::request)
}

/// Encodes a reply at a server.
///
/// # Errors
/// ERESPONSE with the fault.
#[inline]
pub fn encode_reply<M: Payload>(
    message: M,
    content: Content,
    compression: Compression,
) -> Result<IoBuf, Status> {
    message.into_encoded(content, compression, Json::DEFAULT).map_err(FormatError::reply)
}

impl<M: Message> Payload for M {
    #[inline]
    fn decode(
        content: Content,
        compression: Compression,
        mut body: IoBuf,
        longest: Longest,
        json: Json,
    ) -> Result<Self, FormatError> {
        if content == Content::PROTOBUF && compression == Compression::NONE {
            return match M::SHARES && body.len() >= SHARED_FROM {
                false => decode_protobuf(body.contiguous()),
                true => decode_shared(body),
            };
        }
        decode_other(content, compression, body, longest, json)
    }

    fn described() -> Option<MessageSchema<'static>> {
        Some(M::schema())
    }

    #[inline]
    fn encode(&self, content: Content, compression: Compression, json: Json) -> Result<IoBuf, FormatError> {
        if content == Content::PROTOBUF
            && compression == Compression::NONE
            && !M::schema().can_lack_required()
        {
            return Ok(self.to_wire()?.into());
        }
        encode_other(self, content, compression, json)
    }

    #[inline]
    fn into_encoded(
        self,
        content: Content,
        compression: Compression,
        json: Json,
    ) -> Result<IoBuf, FormatError> {
        if content == Content::PROTOBUF
            && compression == Compression::NONE
            && !M::schema().can_lack_required()
        {
            return self.into_wire();
        }
        encode_other(&self, content, compression, json)
    }
}

/// Messages of at least this many bytes are decoded so that their fields share them. Shorter ones are copied,
/// since they would keep their receive buffer alive.
pub(crate) const SHARED_FROM: usize = 4 << 10;

#[inline(never)]
fn decode_shared<M: Message>(mut body: IoBuf) -> Result<M, FormatError> {
    let schema = M::schema();
    if schema.has_required() {
        required::check(schema, body.contiguous())?;
    }
    M::from_shared(body.into_bytes())
}

#[inline]
fn decode_protobuf<M: Message>(bytes: &[u8]) -> Result<M, FormatError> {
    let schema = M::schema();
    if schema.has_required() {
        required::check(schema, bytes)?;
    }
    M::from_wire(bytes)
}

fn decode_other<M: Message>(
    content: Content,
    compression: Compression,
    body: IoBuf,
    longest: Longest,
    json: Json,
) -> Result<M, FormatError> {
    let mut body = compression::decompress(compression, body, longest)?;
    let bytes = body.contiguous();
    if content == Content::PROTOBUF {
        return decode_protobuf(bytes);
    }
    #[cfg(feature = "mcpack")]
    if matches!(content, Content::MCPACK | Content::COMPACK)
        && let Some(message) = M::from_mcpack(bytes, longest.message)
    {
        return Ok(message);
    }
    let wire = to_protobuf(M::schema(), content, bytes, longest, json)?;
    match content {
        // Required fields were checked while the text was read.
        Content::JSON | Content::PROTO_JSON | Content::PROTO_TEXT => M::from_wire(&wire),
        _ => decode_protobuf(&wire),
    }
}

/// Converts a message from another encoding to protobuf.
#[cfg_attr(not(feature = "mcpack"), allow(unused_variables))] // mcpack grows
pub(crate) fn to_protobuf(
    schema: MessageSchema<'_>,
    content: Content,
    bytes: &[u8],
    longest: Longest,
    json: Json,
) -> Result<Vec<u8>, FormatError> {
    Ok(match content {
        Content::JSON => json::to_wire(schema, bytes, json.0)?.wire,
        Content::PROTO_JSON => json::to_wire(schema, bytes, Style::Canonical)?.wire,
        Content::PROTO_TEXT => text::to_wire(schema, bytes)?,
        #[cfg(feature = "mcpack")]
        Content::MCPACK | Content::COMPACK => mcpack::to_wire(schema, bytes, longest.message)?,
        other => return Err(FormatError::UnknownContent(other)),
    })
}

fn encode_other<M: Message>(
    message: &M,
    content: Content,
    compression: Compression,
    json: Json,
) -> Result<IoBuf, FormatError> {
    #[cfg(feature = "mcpack")]
    let packed = Variant::of(content).and_then(|variant| message.to_mcpack(variant));
    #[cfg(not(feature = "mcpack"))]
    let packed = None;
    let bytes = match packed {
        Some(body) => body,
        None => translate(M::schema(), message.to_wire()?, content, json)?,
    };
    match compression {
        Compression::NONE => Ok(bytes.into()),
        compression => compression::compress(compression, bytes.into()),
    }
}

/// Converts a message in protobuf to another encoding.
pub(crate) fn translate(
    schema: MessageSchema<'_>,
    wire: Vec<u8>,
    content: Content,
    json: Json,
) -> Result<Vec<u8>, FormatError> {
    // In text, required fields are checked while it is written.
    match content {
        Content::PROTOBUF => {
            if schema.can_lack_required() {
                required::check(schema, &wire)?;
            }
            Ok(wire)
        }
        Content::JSON => json::from_wire(schema, &wire, json.0),
        Content::PROTO_JSON => json::from_wire(schema, &wire, Style::Canonical),
        Content::PROTO_TEXT => text::from_wire(schema, &wire),
        #[cfg(feature = "mcpack")]
        Content::MCPACK => mcpack::from_wire(schema, &wire, Variant::Mcpack),
        #[cfg(feature = "mcpack")]
        Content::COMPACK => mcpack::from_wire(schema, &wire, Variant::Compack),
        other => Err(FormatError::UnknownContent(other)),
    }
}
