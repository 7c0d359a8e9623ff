//! The trait that the members of the family implement.

use super::frame::Head;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Compression, Compressions, Content, Outcome, Outgoing, Refusal, Stopping, Target};

/// The meaning of heads and bodies. There is one value for each connection, which holds the current request.
pub(crate) trait Dialect: Send + 'static {
    const NAME: &'static str;
    /// Whether the head alone names the method, so that a request is admitted before its body arrives.
    const HEAD_NAMES: bool;
    /// Whether a request says how many relays it has passed: in the provider of its head, or in its body.
    const COUNTS_RELAYS: bool = false;
    /// Whether a server closes the connection when a call fails.
    const FAILS_BY_CLOSING: bool = false;
    /// How a stopping server treats requests.
    const STOPPING: Stopping = if Self::FAILS_BY_CLOSING { Stopping::Serves } else { Stopping::Refuses };
    /// The compressions that requests and replies may have.
    const ACCEPTS: Compressions = Compressions::NONE;

    /// Server: reads the head of a request. Returns the compression of its body, if the head shows that.
    fn read_head(&mut self, _head: &Head) -> Compression {
        Compression::NONE
    }
    /// Server: reads the body of a request.
    fn read_request(&mut self, head: &Head, body: IoBuf) -> Result<Request, Refused>;
    /// Server: the method that the request names.
    fn target(&self) -> Target<'_>;
    /// Server: adds to the request's fields, see `fields.rs`, what its body has of them.
    fn put_fields(&self, _raw: &mut Vec<u8>) {}
    /// Server: how many bytes at the end of the request's body are its attachment.
    fn attachment(&self) -> u32 {
        0
    }
    /// Server: the log id that replaces the head's.
    fn log_id(&self) -> Option<u64> {
        None
    }
    /// Server: appends the reply to the request with this head; an `Err` leaves `out` as it was.
    fn put_reply(&mut self, out: &mut Output, head: Head, outcome: &Outcome) -> Result<(), Status>;
    /// Server: appends the answer to a request that failed. False: the protocol has no reply for failures,
    /// and the connection closes.
    fn put_failure(
        &mut self,
        _out: &mut Output,
        _head: Head,
        _status: &Status,
        _trailers: Option<&Metadata>,
    ) -> bool {
        false
    }

    /// Client: appends a request.
    fn put_request(&mut self, out: &mut Output, id: u64, call: &Outgoing<'_>) -> Result<(), Refusal>;
    /// Client: reads a reply. `None`: it belongs to no call and is dropped.
    fn read_reply(&mut self, head: &Head, body: IoBuf) -> Option<Outcome>;
}

/// The message of a request.
pub(crate) struct Request {
    pub body: IoBuf,
    pub content: Content,
    pub compression: Compression,
}

/// The reason why a request cannot be read.
pub(crate) enum Refused {
    Close(&'static str),
    Answer(Status),
}

/// Appends a frame: `head`, then `prefix` and `body` as its body.
pub(crate) fn put_frame(out: &mut Output, head: &Head, prefix: &[u8], body: &IoBuf) -> Result<(), Refusal> {
    let body_len = u32::try_from(prefix.len() + body.len()).map_err(|_| Refusal::TooLarge)?;
    out.put(&head.write(body_len));
    out.put(prefix);
    out.share(body);
    Ok(())
}

/// Writes a reply frame. A reply that is too long for a frame is an error of the handler.
pub(crate) fn put_reply(out: &mut Output, head: &Head, prefix: &[u8], body: &IoBuf) -> Result<(), Status> {
    let too_long = |_| brpc::status(brpc::ERESPONSE, "the reply is longer than a frame can be");
    put_frame(out, head, prefix, body).map_err(too_long)
}

/// The position of a message in a body.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    at: usize,
    bytes: usize,
}

impl Place {
    /// The position of `part`, which is a piece of `whole`.
    pub fn of(part: &[u8], whole: &[u8]) -> Place {
        let at = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        Place { at, bytes: part.len() }
    }

    /// The piece of `whole`, by reference.
    pub fn cut(self, mut whole: IoBuf) -> IoBuf {
        whole.advance(self.at);
        whole.truncate(self.bytes);
        whole
    }
}
