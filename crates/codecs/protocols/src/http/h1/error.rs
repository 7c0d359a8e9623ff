//! The errors that a peer can make on HTTP/1, and how each is answered.
//!
//! Source: docs/wire/http.md sections 5 and 6; RFC 9112 2.2, 3, 5, 6, 7, 11.2.
//!
//! A server answers each fault with a final status after the replies to earlier requests. Then the connection
//! closes, because the boundaries of what follows on it are unknown. At a client the call fails and the
//! connection closes.

use polywire_wire::WireError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The line is not `method SP target SP HTTP/1.x CRLF`, with single spaces and a token as method.
    StartLine,
    /// Neither origin form, nor absolute form, nor `*` of OPTIONS, nor authority form of CONNECT.
    Target,
    /// `HTTP/` with another version.
    Version,
    /// The line is not `HTTP/1.x SP status [SP reason] CRLF`.
    StatusLine,
    /// An empty name, bytes that are not a token, or a space before the colon.
    FieldName,
    /// A line that begins with space: obsolete line folding.
    Folded,
    /// LF without CR, CR without LF, NUL or another control byte.
    Control,
    /// Missing, more than one, or not a valid name; more than one in 1.0.
    Host,
    /// The value is not only digits, is too large, or the field occurs more than once.
    ContentLength,
    /// Chunked twice or not last, no coding at all, or in 1.0.
    TransferEncoding,
    /// A transfer coding that is not supported.
    Coding,
    /// Both `transfer-encoding` and `content-length`.
    BothLengths,
    /// An invalid chunk size or extension, or data without its line end.
    Chunk,
    /// A start line that is longer than its limit.
    LongStartLine,
    /// Start line and fields, or trailers, above their limits in bytes or in number.
    LargeHead,
    /// The head was not complete in time.
    Slow,
    /// Bytes that are the reply to no call.
    Unasked,
    /// `101` without an upgrade.
    Upgraded,
}

impl Fault {
    /// The HTTP status of the reply that ends the connection.
    pub fn status(self) -> u16 {
        match self {
            Fault::StartLine
            | Fault::Target
            | Fault::StatusLine
            | Fault::FieldName
            | Fault::Folded
            | Fault::Control
            | Fault::Host
            | Fault::ContentLength
            | Fault::TransferEncoding
            | Fault::BothLengths
            | Fault::Chunk
            | Fault::Unasked
            | Fault::Upgraded => 400,
            Fault::Slow => 408,
            Fault::LongStartLine => 414,
            Fault::LargeHead => 431,
            Fault::Coding => 501,
            Fault::Version => 505,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Fault::StartLine => "bad request line",
            Fault::Target => "bad request target",
            Fault::Version => "this version of HTTP is not spoken here",
            Fault::StatusLine => "bad status line",
            Fault::FieldName => "bad field name",
            Fault::Folded => "folded field line",
            Fault::Control => "control byte or bare line end",
            Fault::Host => "bad or missing host",
            Fault::ContentLength => "bad content-length",
            Fault::TransferEncoding => "bad transfer-encoding",
            Fault::Coding => "transfer coding not supported",
            Fault::BothLengths => "both transfer-encoding and content-length",
            Fault::Chunk => "bad chunk",
            Fault::LongStartLine => "request line over 8 KiB",
            Fault::LargeHead => "fields over 64 KiB or 100",
            Fault::Slow => "head not complete in time",
            Fault::Unasked => "bytes that answer no call",
            Fault::Upgraded => "switched protocols without being asked",
        }
    }

    /// The error that the engine counts.
    pub fn wire(self) -> WireError {
        match self {
            Fault::LongStartLine | Fault::LargeHead => WireError::TooLarge,
            other => WireError::Malformed(other.text()),
        }
    }
}
