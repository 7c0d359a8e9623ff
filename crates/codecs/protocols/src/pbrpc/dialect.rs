//! The differences between the protocols of the family: the form of their headers and metas.

use super::{Check, Extension, Frame, Message};
use polywire_base::Output;
use polywire_call::{Metadata, Status};
use polywire_wire::{Compression, Compressions, Content, Outcome, Outgoing, Refusal, Target, WireError};

/// The differences between these protocols. There is one value for each connection; it knows the target of
/// the current request.
pub(crate) trait Dialect: Default + Send + 'static {
    const NAME: &'static str;
    const MAGIC: &'static [u8; 4];
    /// Length of magic and lengths in bytes.
    const HEADER_BYTES: usize;
    /// The compressions that payloads may have.
    const COMPRESSIONS: Compressions = NAMED;
    /// If set, a server sends no reply longer than the longest message that it reads itself. The value is the
    /// number of bytes of it that are meta.
    const BOUNDED_REPLY: Option<usize> = None;
    /// How a payload is verified.
    type Check: Check;
    /// The parts of a connection besides its calls.
    type Extension: Extension<Self>;

    /// Reads the lengths in a header.
    fn frame(header: &[u8], max_body_bytes: u32) -> Result<Frame, WireError>;
    /// Fills in the header of a frame.
    fn put_header(header: &mut [u8], meta_bytes: u32, payload_bytes: u32);

    /// Server: reads a request's meta. An `Err` in `Ok` is answered, one outside closes.
    fn read_request(
        &mut self,
        raw: &[u8],
        payload_bytes: usize,
        message: &mut Message<Self::Check>,
    ) -> Result<Result<Extra, Status>, WireError>;
    /// Server: the method that the last request names.
    fn target(&self) -> Target<'_>;
    /// Server: id and credential of a connection's first request.
    fn credential(raw: &[u8]) -> Result<(u64, &[u8]), WireError>;
    /// Client: reads a reply's meta.
    fn read_reply<'r>(raw: &'r [u8], payload_bytes: usize, message: &mut Message<Self::Check>)
    -> Replied<'r>;

    /// Client: appends a request.
    fn put_request(out: &mut Output, id: u64, credential: &[u8], call: &Outgoing<'_>) -> Result<(), Refusal>;
    /// Server: appends the reply of a call that succeeded.
    fn put_reply(out: &mut Output, id: u64, outcome: &Outcome) -> Result<(), TooLong>;
    /// Server: appends the reply of a call that failed, with the fields that travel with it.
    fn put_failure(
        out: &mut Output,
        id: u64,
        status: &Status,
        trailers: Option<&Metadata>,
    ) -> Result<(), TooLong>;
    /// Server: appends the answer to a rejected credential, if there is one.
    fn put_unauthenticated(out: &mut Output, id: u64, why: &Status);
}

/// The parts of a request's meta beyond those that every request has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extra {
    Nothing,
    Metadata,
    /// The request offers streams, and may have metadata.
    Streams,
}

impl Extra {
    #[inline]
    pub fn metadata(there: bool) -> Extra {
        if there { Extra::Metadata } else { Extra::Nothing }
    }
}

/// The parts of a reply's meta that a client reads.
pub(crate) enum Replied<'r> {
    Good,
    /// The call failed at the server; the payload is ignored.
    Failed {
        code: i32,
        text: &'r [u8],
    },
    /// The meta contradicts the payload.
    Wrong(&'static str),
    /// The meta cannot be read, or belongs to no call: the frame is dropped, the connection continues.
    Ignored,
    /// The meta cannot be read, and the connection fails.
    Broken(WireError),
}

/// The frame has lengths that its fields cannot express, or a meta that is longer than peers read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

impl From<TooLong> for Refusal {
    fn from(_: TooLong) -> Self {
        Refusal::TooLarge
    }
}

/// The compressions that most of these protocols have numbers for.
pub(crate) const NAMED: Compressions =
    Compressions::NONE.with(Compression::SNAPPY).with(Compression::GZIP).with(Compression::ZLIB);

/// Whether `call` fits protocols that have numbers for these compressions and carry protobuf alone.
pub(crate) fn check_form(call: &Outgoing<'_>) -> Result<(), Refusal> {
    match (call.content, NAMED.contains(call.compression)) {
        (Content::PROTOBUF, true) => Ok(()),
        (Content::PROTOBUF, false) => Err(Refusal::Compression),
        _ => Err(Refusal::Unsupported),
    }
}
