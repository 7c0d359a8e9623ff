//! The form of a body: its encoding and its compression.

/// The encoding of a body. A struct with constants rather than an enum, because formats add their own values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Content(pub u8);
impl Content {
    /// Protobuf binary; also stands for "the method's own encoding".
    pub const PROTOBUF: Content = Content(0);
    /// JSON by brpc's mapping (`.proto` names, 64-bit integers as numbers).
    pub const JSON: Content = Content(1);
    /// JSON by protobuf's own mapping: lowerCamelCase names, 64-bit integers as strings.
    pub const PROTO_JSON: Content = Content(2);
    /// Protobuf's text format: `name: "lamp"`.
    pub const PROTO_TEXT: Content = Content(3);
    /// Bytes that only the handler interprets: raw HTTP bodies.
    pub const RAW: Content = Content(4);
    /// RESP2 and RESP3: a command; its reply is in the version that the connection speaks.
    pub const RESP2: Content = Content(5);
    pub const RESP3: Content = Content(6);
    /// A finished FlatBuffer, without a size in front.
    pub const FLATBUFFERS: Content = Content(7);

    /// mcpack v2: the value of an object, its count and its members without a head (docs/wire/mcpack.md,
    /// "Object body").
    pub const MCPACK: Content = Content(8);
    /// compack: mcpack v2 with repeated data packed. A reader of MCPACK or COMPACK reads both.
    pub const COMPACK: Content = Content(9);
    /// msgpack: for a request the array of its arguments, for a reply its value, empty for none (rest_rpc,
    /// format A).
    pub const MSGPACK: Content = Content(10);
    /// Like [`Content::MSGPACK`], but as text if the value is a single number or string, and otherwise as
    /// struct_pack (rest_rpc, format B).
    pub const STRUCT_PACK: Content = Content(11);
    /// One Thrift struct in the binary protocol: the arguments of a call, or its result.
    pub const THRIFT: Content = Content(12);
    /// One Thrift struct in the compact protocol.
    pub const THRIFT_COMPACT: Content = Content(13);
    /// Documents of BSON: for a request the sections of an OP_MSG, for a reply one document (MongoDB's
    /// protocol).
    pub const BSON: Content = Content(14);

    /// The name of the encoding in error messages.
    pub const fn name(self) -> &'static str {
        match self {
            Content::PROTOBUF => "protobuf",
            Content::JSON | Content::PROTO_JSON => "JSON",
            Content::PROTO_TEXT => "protobuf text",
            Content::RAW => "raw bytes",
            Content::RESP2 | Content::RESP3 => "Redis commands",
            Content::FLATBUFFERS => "FlatBuffers",
            Content::MCPACK => "mcpack",
            Content::COMPACK => "compack",
            Content::MSGPACK => "msgpack",
            Content::STRUCT_PACK => "struct_pack",
            Content::THRIFT => "Thrift's binary protocol",
            Content::THRIFT_COMPACT => "Thrift's compact protocol",
            Content::BSON => "BSON",
            _ => "an unknown form",
        }
    }

    /// Whether the body is JSON, in either mapping.
    pub const fn is_json(self) -> bool {
        matches!(self, Content::JSON | Content::PROTO_JSON)
    }
}

/// The compression of a body. Open for further values, like [`Content`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Compression(pub u8);
impl Compression {
    pub const NONE: Compression = Compression(0);
    /// Snappy's raw block format.
    pub const SNAPPY: Compression = Compression(1);
    /// gzip, RFC 1952.
    pub const GZIP: Compression = Compression(2);
    /// zlib, RFC 1950.
    pub const ZLIB: Compression = Compression(3);
    /// Snappy's stream format, `framing_format.txt`, which gRPC and Connect name `snappy`.
    pub const SNAPPY_FRAMED: Compression = Compression(4);
    /// Zstandard, RFC 8878.
    pub const ZSTD: Compression = Compression(5);
    /// Any unknown compression: the call is refused.
    pub const UNKNOWN: Compression = Compression(u8::MAX);
}

/// The compressions that a reader can decompress. Uncompressed is in every set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Compressions(u8);
impl Compressions {
    /// No compression: a reader that takes only what is not compressed.
    pub const NONE: Compressions = Compressions(0);
    /// All compressions: for protocols in which receivers do not announce any.
    pub const ALL: Compressions = Compressions(u8::MAX);

    /// The set with this compression added.
    pub const fn with(self, compression: Compression) -> Self {
        if compression.0 < 8 { Compressions(self.0 | 1 << compression.0) } else { self }
    }

    pub const fn contains(self, compression: Compression) -> bool {
        compression.0 == 0 || compression.0 < 8 && self.0 & 1 << compression.0 != 0
    }
}
