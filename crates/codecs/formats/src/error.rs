//! Errors of payloads, and the status that a call gets for each.

use polywire_call::{Native, Status, brpc};
use polywire_wire::{Compression, Content};
use std::{error, fmt};

/// An error of decoding or encoding a payload.
///
/// `Display` names the fault and its place; [`FormatError::request`] and [`FormatError::reply`] make the
/// status of a call from it, depending on whose message it was.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormatError {
    /// Not protobuf: a length past the end, a bad tag, nesting beyond 100.
    Protobuf(Box<str>),
    /// A `string` whose Rust type is `String` holds bytes that are not UTF-8; the path is
    /// `package.Message.field[2].below`.
    NotUtf8(Box<str>),
    /// Not a FlatBuffer of the schema: an offset that leads outside, a missing required field, too deep
    /// nesting.
    FlatBuffers(Box<str>),
    /// A `required` field is missing; the name is `package.Message.field`.
    MissingRequired(Box<str>),
    /// Not JSON, or JSON that does not fit the message. `at` counts bytes from the start of the text.
    Json { at: usize, what: Box<str> },
    /// Not protobuf text format, or text that does not fit the message. `line` counts from 1.
    Text { line: u32, what: Box<str> },
    /// Not mcpack, or mcpack that does not fit the message.
    Mcpack(Box<str>),
    /// Not msgpack, or msgpack that does not fit the type.
    Msgpack(Box<str>),
    /// Not struct_pack, or struct_pack of another type.
    StructPack(Box<str>),
    /// Not a struct of Thrift, or one that does not fit the definition.
    Thrift(Box<str>),
    /// The compressed bytes are damaged.
    Compressed(Box<str>),
    /// Longer than `limit` bytes after decompression, or longer than the encoding can carry.
    TooLarge { limit: usize },
    /// More than `limit` bytes after decompression, beyond the limits of
    /// [`Inflated`](polywire_wire::Inflated).
    Inflated { limit: usize },
    /// The memory budget has no room for the decompressed message.
    NoMemory,
    /// Messages cannot have this encoding.
    UnknownContent(Content),
    /// This compression is not supported.
    UnknownCompression(Compression),
}

impl FormatError {
    /// The status if the message was a request: EREQUEST with the code INTERNAL rather than INVALID_ARGUMENT,
    /// which that number has otherwise, because gRPC leaves that code to applications.
    #[cold]
    pub fn request(self) -> Status {
        self.status(brpc::EREQUEST)
    }

    /// The status if the message was a reply: ERESPONSE.
    #[cold]
    pub fn reply(self) -> Status {
        self.status(brpc::ERESPONSE)
    }

    /// brpc has one number for all errors; the code here is more specific where possible.
    fn status(self, number: i32) -> Status {
        match self {
            FormatError::NoMemory => return brpc::status(brpc::ELIMIT, self.to_string()),
            FormatError::TooLarge { .. } | FormatError::Inflated { .. } => {
                Status::resource_exhausted(self.to_string())
            }
            _ => Status::internal(self.to_string()),
        }
        .with_native(Native::Brpc(number))
    }

    #[cold]
    pub(crate) fn mcpack(what: impl Into<Box<str>>) -> Self {
        FormatError::Mcpack(what.into())
    }

    #[cold]
    pub(crate) fn protobuf(what: impl Into<Box<str>>) -> Self {
        FormatError::Protobuf(what.into())
    }
}

/// The feature that a compression needs and that is off.
fn left_out(compression: Compression) -> Option<&'static str> {
    let (feature, is_on) = match compression {
        Compression::GZIP | Compression::ZLIB => ("gzip", cfg!(feature = "gzip")),
        Compression::SNAPPY | Compression::SNAPPY_FRAMED => ("snappy", cfg!(feature = "snappy")),
        Compression::ZSTD => ("zstd", cfg!(feature = "zstd")),
        _ => return None,
    };
    (!is_on).then_some(feature)
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Protobuf(what) => write!(f, "not a valid protobuf message: {what}"),
            FormatError::NotUtf8(field) => write!(
                f,
                "{field} is not UTF-8; a server or client that is to take such text makes the field bytes, by \
                 `strings_as_bytes` of polywire-build"
            ),
            FormatError::FlatBuffers(what) => write!(f, "not a valid FlatBuffer: {what}"),
            FormatError::MissingRequired(field) => write!(f, "missing required field {field}"),
            FormatError::Json { at, what } => write!(f, "JSON at byte {at}: {what}"),
            FormatError::Text { line, what } => write!(f, "text format at line {line}: {what}"),
            FormatError::Mcpack(what) => write!(f, "mcpack: {what}"),
            FormatError::Msgpack(what) => write!(f, "msgpack: {what}"),
            FormatError::StructPack(what) => write!(f, "struct_pack: {what}"),
            FormatError::Thrift(what) => write!(f, "thrift: {what}"),
            FormatError::Compressed(what) => write!(f, "damaged compressed body: {what}"),
            FormatError::TooLarge { limit } => write!(f, "longer than {limit} bytes"),
            FormatError::Inflated { limit } => {
                write!(f, "inflates to more than {limit} bytes, the most that Limits::inflated allows for it")
            }
            FormatError::NoMemory => f.write_str("the memory for messages is used up"),
            FormatError::UnknownContent(Content::MCPACK | Content::COMPACK)
                if cfg!(not(feature = "mcpack")) =>
            {
                f.write_str("mcpack is left out of this build: turn on the feature `mcpack`")
            }
            FormatError::UnknownContent(content) => {
                write!(f, "messages of this kind cannot be carried as {}", content.name())
            }
            FormatError::UnknownCompression(Compression::UNKNOWN) => f.write_str("unknown compression"),
            FormatError::UnknownCompression(c) => match left_out(*c) {
                Some(feature) => {
                    write!(f, "{feature} is left out of this build: turn on the feature `{feature}`")
                }
                None => write!(f, "unknown compression number {}", c.0),
            },
        }
    }
}

impl error::Error for FormatError {}
