//! What HTTP semantics ask of a framing, and what passes between the two.
//!
//! ```text
//!             HeadBlock, Http::{Head, Data, ..}
//!  Framing  ─────────────────────────────────►  Semantics  ──► Event
//!  (h1, h2) ◄─────────────────────────────────  (calls)    ◄── command
//!             Request, Reply, data, grant
//! ```
//!
//! A *slot* is a small dense number that the framing gives to a message it reads or a request it sends; it is the same
//! for both directions of one exchange. Nothing here knows content types, JSON or gRPC.
//!
//! Not here: which requests are answered how (`semantics.rs`), bytes (`h1/`).

use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};
use polywire_wire::{Cx, Goodbye, Refusal, WireError};
use std::time::Instant;

/// One connection as heads and pieces of bodies.
pub(crate) trait Framing: Send + 'static {
    /// The next thing that the peer said; borrows nothing, so that semantics may loop over it.
    fn poll(&mut self, cx: &mut Cx<'_>) -> Result<Http, WireError>;
    /// The peer's head in this slot; stays until the slot's next `Http::Head`.
    fn head(&self, slot: u32) -> &HeadBlock;
    /// Visits the fields behind the body (trailers) of this slot.
    fn trailers(&self, slot: u32, visit: &mut dyn FnMut(&str, &[u8]));
    /// Visits the fields of a head, pseudo fields (`:method`, `:path`, `:status`) first.
    fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8]));
    /// Client: sends a request's head. `end`: no body follows.
    fn open(&mut self, cx: &mut Cx<'_>, request: &Request<'_>, end: bool) -> Result<u32, Refusal>;
    /// Server: the request is admitted; whoever waits for `100 Continue` gets it.
    fn proceed(&mut self, cx: &mut Cx<'_>, slot: u32);
    /// Server: sends a reply's head. `end`: no body follows, whatever `reply.length` says.
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool);
    /// Sends a piece of the body; `end`: it is the last. Returns the bytes now queued for this slot.
    fn data(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: &IoBuf, end: bool) -> usize;
    /// Gives the exchange up in both directions.
    fn reset(&mut self, cx: &mut Cx<'_>, slot: u32);
    /// The application took these bytes: reopen the window.
    fn grant(&mut self, slot: u32, bytes: usize);
    /// Rule 5: opens the window until `missing` bytes fit; returns what was borrowed from later grants.
    fn ensure(&mut self, slot: u32, missing: usize) -> usize;
    /// Says `Http::Writable` once half the backlog of this slot has left.
    fn stall(&mut self, slot: u32);
    /// `out` has room again.
    fn room(&mut self, cx: &mut Cx<'_>);
    /// The peer shut its sending side.
    fn eof(&mut self);
    /// See [`polywire_wire::Machine::deadline`].
    fn deadline(&self) -> Option<Instant>;
    /// See [`polywire_wire::Machine::goodbye`].
    fn goodbye(&mut self, phase: Goodbye);
    /// No further request is read; what is owed is still sent.
    fn close(&mut self);
    /// Requests that may be opened now.
    fn vacancies(&self) -> u32;
    /// Bytes held here beyond `input` and `out`.
    fn held(&self) -> usize;
}

/// What a framing found.
#[derive(Debug)]
pub(crate) enum Http {
    /// A complete head. `id` counts requests at a server; `end`: there is no body.
    Head { slot: u32, id: u64, end: bool },
    /// A piece of a body, within the slot's window. `end`: the last one, maybe empty.
    Data { slot: u32, bytes: IoBuf, end: bool },
    /// At least so many bytes of this body are still to come; not told of short ones.
    Coming { slot: u32, bytes: u64 },
    /// The peer broke this exchange off. The framing has already answered what it could.
    Reset { slot: u32, why: Status },
    /// A stalled sender may queue this many bytes again.
    Writable { slot: u32, room: usize },
    /// See [`polywire_wire::Step::Need`].
    Need(usize),
    /// See [`polywire_wire::Step::Blocked`].
    Blocked,
    /// See [`polywire_wire::Step::Closed`].
    Closed,
}

/// A stretch of a head block. Zero length at place 0 stands for absence: a start line is never empty.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub at: u32,
    pub len: u32,
}

impl Span {
    pub fn of(self, raw: &[u8]) -> &[u8] {
        &raw[self.at as usize..][..self.len as usize]
    }
}

/// Fields whose place is noted while a head is read, so that nobody has to look for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    ContentType,
    ContentEncoding,
    Timeout,
    Authorization,
    Expect,
    ErrorCode,
    // Of the framing alone, in no table:
    Host,
    Connection,
    ContentLength,
    TransferEncoding,
}

impl Known {
    const NOTED: usize = 6;

    /// The field of this name in any case; `None` for all that only the application reads.
    #[inline]
    pub fn find(name: &[u8]) -> Option<Known> {
        let (known, spelled): (Known, &[u8]) = match name.len() {
            4 => (Known::Host, b"host"),
            6 => (Known::Expect, b"expect"),
            10 => (Known::Connection, b"connection"),
            12 => (Known::ContentType, b"content-type"),
            13 => (Known::Authorization, b"authorization"),
            14 => (Known::ContentLength, b"content-length"),
            15 => (Known::ErrorCode, super::ERROR_CODE_FIELD.as_bytes()),
            16 => (Known::ContentEncoding, b"content-encoding"),
            17 => (Known::TransferEncoding, b"transfer-encoding"),
            21 => (Known::Timeout, super::TIMEOUT_FIELD.as_bytes()),
            _ => return None,
        };
        name.eq_ignore_ascii_case(spelled).then_some(known)
    }
}

/// A peer's head as it came, with the places of what semantics read.
#[derive(Default, Debug)]
pub(crate) struct HeadBlock {
    /// Start line and fields in the framing's own form. Capacity is kept from message to message.
    pub raw: Vec<u8>,
    /// Request: method.
    pub verb: Span,
    /// Request: origin form, with the query.
    pub target: Span,
    /// Request: bytes of `target` before `?` or `#`.
    pub path: u32,
    /// Reply: 100 to 999.
    pub status: u16,
    /// Reply: version, status and reason as text.
    pub title: Span,
    /// Bytes of the body, if the head tells.
    pub length: Option<u64>,
    /// Fields that only the application reads.
    pub extra: u32,
    known: [Span; Known::NOTED],
    /// One bit for each known field that came more than once.
    repeated: u8,
}

impl HeadBlock {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        let mut raw = std::mem::take(&mut self.raw);
        raw.clear();
        *self = HeadBlock { raw, ..HeadBlock::default() };
    }

    /// Remembers where the value of a known field lies; the first one counts.
    #[inline]
    pub fn note(&mut self, field: Known, value: Span) {
        let Some(place) = self.known.get_mut(field as usize) else { return };
        if *place == Span::default() {
            *place = value;
        } else {
            self.repeated |= 1 << field as u8;
        }
    }

    /// Value of a noted field.
    #[inline]
    pub fn known(&self, field: Known) -> Option<&[u8]> {
        let span = *self.known.get(field as usize)?;
        (span != Span::default()).then(|| span.of(&self.raw))
    }

    /// As if the field had not come.
    pub fn forget(&mut self, field: Known) {
        self.known[field as usize] = Span::default();
    }

    pub fn is_repeated(&self, field: Known) -> bool {
        self.repeated & 1 << field as u8 != 0
    }

    /// Text of a span that the framing has found to be ASCII.
    pub fn text(&self, span: Span) -> &str {
        std::str::from_utf8(span.of(&self.raw)).unwrap_or("")
    }
}

/// A reply's head as semantics want it said.
pub(crate) struct Reply<'a> {
    pub status: u16,
    pub content_type: Option<&'a [u8]>,
    pub encoding: Option<&'a [u8]>,
    /// `x-bd-error-code`; 0: none.
    pub error: i32,
    /// `allow`, for 405.
    pub allow: Option<&'static str>,
    /// What the handler adds; see [`super::fields::is_ours`] for names that are skipped.
    pub fields: Option<&'a Metadata>,
    /// Bytes of the body; `None`: unknown, or the status has none.
    pub length: Option<u64>,
}

/// A request's head as semantics want it said. Checked: nothing in it can break a line.
pub(crate) struct Request<'a> {
    pub verb: &'a str,
    /// Pieces of the request target.
    pub path: [&'a str; 4],
    pub content_type: Option<&'a [u8]>,
    pub encoding: Option<&'a [u8]>,
    /// `x-polywire-timeout-ms`.
    pub timeout_ms: Option<u64>,
    /// What the caller adds; see [`super::fields::is_ours`] for names that are skipped.
    pub fields: &'a Metadata,
    /// Bytes of the body; `None`: unknown, or no body (`end`).
    pub length: Option<u64>,
}
