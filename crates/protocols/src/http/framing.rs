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
use polywire_call::Metadata;
use polywire_wire::{Cx, Goodbye, Refusal, WireError};
use std::time::{Duration, Instant};

/// One connection as heads and pieces of bodies.
pub(crate) trait Framing: Send + 'static {
    /// The next thing that the peer sent; borrows nothing, so that semantics may loop over it. Of `Http::Data` the caller
    /// cuts the bytes off the input before it asks again.
    fn poll(&mut self, cx: &mut Cx<'_>) -> Result<Http, WireError>;
    /// The peer's head in this slot; stays until the slot's next `Http::Head`.
    fn head(&self, slot: u32) -> &HeadBlock;
    /// Visits the fields after the body (trailers) of this slot.
    fn trailers(&self, slot: u32, visit: &mut dyn FnMut(&str, &[u8]));
    /// Visits the fields of a head, pseudo fields (`:method`, `:path`, `:status`) first.
    fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8]));
    /// Client: sends a request's head. `end`: no body follows.
    fn open(&mut self, cx: &mut Cx<'_>, request: &Request<'_>, end: bool) -> Result<u32, Refusal>;
    /// Server: the request is admitted; a client that waits for `100 Continue` gets it.
    fn proceed(&mut self, cx: &mut Cx<'_>, slot: u32);
    /// Server: sends a reply's head. `end`: no body follows, whatever `reply.length` says.
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool);
    /// Sends a piece of the body, `prefix` (at most a few bytes) before `bytes`, which are shared where that pays; `end`:
    /// it is the last. Returns the bytes now queued for this slot.
    fn data(&mut self, cx: &mut Cx<'_>, slot: u32, prefix: &[u8], bytes: &IoBuf, end: bool) -> usize;
    /// Ends our half with fields after the body (trailers): `own` ones, then the application's.
    fn finish(&mut self, cx: &mut Cx<'_>, slot: u32, own: Own<'_>, fields: Option<&Metadata>);
    /// Gives the exchange up in both directions. Of one whose two halves are over it says nothing; with
    /// [`Abort::NoError`] what our half still owes leaves first.
    fn reset(&mut self, cx: &mut Cx<'_>, slot: u32, why: Abort);
    /// The application took these bytes: reopen the window.
    fn grant(&mut self, slot: u32, bytes: usize);
    /// Rule 5: opens the window until `missing` bytes fit; returns what was borrowed from later grants.
    fn ensure(&mut self, slot: u32, missing: usize) -> usize;
    /// Semantics have ended their exchange: only now may the slot be used again, even if the stream was over long ago.
    fn release(&mut self, slot: u32);
    /// Says `Http::Writable` once half the backlog of this slot has left.
    fn stall(&mut self, slot: u32);
    /// Bytes that all senders of the connection together may still queue.
    fn backlog(&self) -> usize {
        usize::MAX
    }
    /// The peer leaves so many replies unread that no further request is begun.
    fn is_crowded(&self) -> bool {
        false
    }
    /// Server: nothing was read for so long, so the peer is not late by that time.
    fn skip_time(&mut self, _time: Duration) {}
    /// Server: the peer showed a credential that is refused, which is answered next. Beyond a rate of that the connection
    /// takes no further requests.
    fn distrust(&mut self, cx: &mut Cx<'_>);
    /// `out` has room again.
    fn room(&mut self, cx: &mut Cx<'_>);
    /// The peer shut its sending side.
    fn eof(&mut self);
    /// See [`polywire_wire::Machine::deadline`].
    fn deadline(&self) -> Option<Instant>;
    /// See [`polywire_wire::Machine::goodbye`].
    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye);
    /// What the peer still sends of this message is of no use: where nothing else can follow it, no further request is
    /// read. What is owed is still sent.
    fn close(&mut self);
    /// Requests that may be opened now.
    fn vacancies(&self) -> u32;
    /// A head or body has begun to arrive and is not at its end.
    fn is_receiving(&self) -> bool;
    /// Bytes held here beyond `input` and `out`.
    fn held(&self) -> usize;
}

/// What a framing found. Plain numbers: it passes through several hands for every request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Http {
    /// A complete head. `id` counts requests at a server; `end`: there is no body.
    Head { slot: u32, id: u64, end: bool },
    /// A piece of a body, within the slot's window: the first `bytes` of the input. `end`: the last one, maybe empty.
    Data { slot: u32, bytes: usize, end: bool },
    /// At least so many bytes of this body are still to come; not reported of short ones.
    Coming { slot: u32, bytes: u64 },
    /// The peer broke this exchange off. The framing has already answered what it could.
    Reset { slot: u32, why: Broken },
    /// A stalled sender may queue this many bytes again.
    Writable { slot: u32, room: usize },
    /// The peer takes no further requests; those it will not process follow as `Reset`.
    Draining,
    /// Client: the server was asked too often whether it is there.
    Calm,
    /// The peer allows so many requests at once.
    Limit(u32),
    /// No slot from this one on is in use, and few were lately: what is kept for them may go.
    Slots(u32),
    /// Nothing to report yet: ask again.
    Again,
    /// See [`polywire_wire::Step::Need`].
    Need(usize),
    /// See [`polywire_wire::Step::Blocked`].
    Blocked,
    /// See [`polywire_wire::Step::Closed`]. Said again when asked again.
    Closed,
}

/// How a peer broke an exchange off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// The connection ended before a byte of the reply.
    NoReply,
    /// The connection ended inside a message.
    Cut,
    /// Against the rules; says which.
    Rules(&'static str),
    /// The peer gave it up with this code (RST_STREAM; docs/wire/grpc.md section 1).
    Code(u32),
    /// The peer did nothing with it: REFUSED_STREAM, or above the last stream of its GOAWAY.
    Refused,
}

/// Why this side gives an exchange up; HTTP/2 says it in RST_STREAM, HTTP/1 by closing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Abort {
    /// The caller does not wait for it any more.
    Cancel,
    /// The message is complete; what the peer still sends is not wanted.
    NoError,
    /// This side has failed.
    Internal,
}

/// Fields that semantics write themselves, names in lower case. Checked: nothing in them can break a line.
pub(crate) type Own<'a> = &'a [(&'static str, &'a [u8])];

/// A stretch of a head block of at most 64 KiB. All zero stands for absence: a start line is never empty.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    at: u16,
    len: u16,
}

impl Span {
    /// # Panics
    /// Beyond 64 KiB.
    #[inline]
    pub fn new(at: usize, len: usize) -> Self {
        debug_assert!(at + len <= 1 << 16);
        Span { at: at as u16, len: len as u16 }
    }

    /// Its first `len` bytes.
    #[inline]
    pub fn front(self, len: usize) -> Self {
        debug_assert!(len <= self.len as usize);
        Span { len: len as u16, ..self }
    }

    /// The position after its last byte.
    pub fn end(self) -> usize {
        self.at as usize + self.len as usize
    }

    #[inline]
    pub fn of(self, raw: &[u8]) -> &[u8] {
        &raw[self.at as usize..][..self.len as usize]
    }
}

/// Fields whose place is noted while a head is read, so that they need not be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    ContentType,
    ContentEncoding,
    Timeout,
    Authorization,
    Expect,
    ErrorCode,
    Accept,
    AcceptEncoding,
    GrpcTimeout,
    GrpcEncoding,
    GrpcAcceptEncoding,
    GrpcStatus,
    ConnectVersion,
    ConnectTimeout,
    ConnectEncoding,
    ConnectAcceptEncoding,
    Host,
    Origin,
    FetchSite,
    // Of the framing alone, in no table:
    Connection,
    ContentLength,
    TransferEncoding,
    /// When a reply was made: no field of the application's.
    Date,
}

impl Known {
    const NOTED: usize = 19;

    /// The field of this name in any case; `None` for all that only the application reads.
    #[inline]
    pub fn find(name: &[u8]) -> Option<Known> {
        let mut lower = [0; 24];
        let lower = lower.get_mut(..name.len())?;
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        Known::of_lower(lower)
    }

    /// As [`Known::find`], of a name that is in lower case.
    #[inline]
    pub fn of_lower(name: &[u8]) -> Option<Known> {
        Some(match name {
            b"date" => Known::Date,
            b"host" => Known::Host,
            b"accept" => Known::Accept,
            b"expect" => Known::Expect,
            b"origin" => Known::Origin,
            b"connection" => Known::Connection,
            b"grpc-status" => Known::GrpcStatus,
            b"content-type" => Known::ContentType,
            b"grpc-timeout" => Known::GrpcTimeout,
            b"authorization" => Known::Authorization,
            b"grpc-encoding" => Known::GrpcEncoding,
            b"content-length" => Known::ContentLength,
            b"sec-fetch-site" => Known::FetchSite,
            b"x-bd-error-code" => Known::ErrorCode,
            b"accept-encoding" => Known::AcceptEncoding,
            b"content-encoding" => Known::ContentEncoding,
            b"transfer-encoding" => Known::TransferEncoding,
            b"connect-timeout-ms" => Known::ConnectTimeout,
            b"grpc-accept-encoding" => Known::GrpcAcceptEncoding,
            b"x-polywire-timeout-ms" => Known::Timeout,
            b"connect-accept-encoding" => Known::ConnectAcceptEncoding,
            b"connect-protocol-version" => Known::ConnectVersion,
            b"connect-content-encoding" => Known::ConnectEncoding,
            _ => return None,
        })
    }
}

/// A peer's head as it came, with the places of what semantics read.
#[derive(Clone, Default, Debug)]
pub(crate) struct HeadBlock {
    /// Start line and fields in the framing's own form. Capacity is kept from message to message.
    pub raw: Vec<u8>,
    /// The method of a request.
    pub verb: Span,
    /// Request: origin form, with the query.
    pub target: Span,
    /// Request: `target` before `?` or `#`.
    pub path: Span,
    /// Reply: 100 to 999.
    pub status: u16,
    /// Reply: version, status and reason as text.
    pub title: Span,
    /// Bytes of the body, if the head tells.
    pub length: Option<u64>,
    /// Fields that only the application reads.
    pub extra: u32,
    /// Heads of one connection with the same number other than 0 differ in `grpc-timeout` at most.
    pub like: u32,
    known: [Span; Known::NOTED],
    /// One bit for each known field that came more than once.
    repeated: u32,
}

impl HeadBlock {
    /// Bytes of memory that an idle connection keeps for its next head.
    const KEPT: usize = 1 << 10;

    /// For the next head; keeps the memory. The places of the start line are always set anew.
    #[inline]
    pub fn clear(&mut self) {
        self.raw.clear();
        self.length = None;
        (self.extra, self.like) = (0, 0);
        self.known = Default::default();
        self.repeated = 0;
    }

    /// Becomes a copy of `other` and keeps its memory.
    #[inline]
    pub fn copy_from(&mut self, other: &HeadBlock) {
        let mut raw = std::mem::take(&mut self.raw);
        raw.clear();
        raw.extend_from_slice(&other.raw);
        *self = HeadBlock { raw, ..*other };
    }

    /// Lets go of memory that a large head left behind; the block is empty then.
    #[inline]
    pub fn shrink(&mut self) {
        if self.raw.capacity() > Self::KEPT {
            *self = HeadBlock::default();
        }
    }

    /// Remembers where the value of a known field lies; the first one counts.
    #[inline]
    pub fn note(&mut self, field: Known, value: Span) {
        let Some(place) = self.known.get_mut(field as usize) else { return };
        if *place == Span::default() {
            *place = value;
        } else {
            self.repeated |= 1 << field as u32;
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
        self.repeated & 1 << field as u32 != 0
    }

    /// Text of a span that the framing has found to be ASCII.
    #[inline]
    pub fn text(&self, span: Span) -> &str {
        std::str::from_utf8(span.of(&self.raw)).unwrap_or("")
    }

    /// The method of a request.
    #[inline]
    pub fn verb(&self) -> &str {
        match self.verb.of(&self.raw) {
            b"GET" => "GET",
            b"POST" => "POST",
            _ => self.text(self.verb),
        }
    }
}

/// A reply's head as semantics want it written.
pub(crate) struct Reply<'a> {
    pub status: u16,
    pub content_type: Option<&'a [u8]>,
    pub encoding: Option<&'a [u8]>,
    /// The field `x-bd-error-code`; 0: it is left out.
    pub error: i32,
    /// `allow`: methods that may be used.
    pub allow: Option<&'a str>,
    pub own: Own<'a>,
    /// What the handler adds; see [`super::fields::is_ours`] for names that are skipped.
    pub fields: Option<&'a Metadata>,
    /// Bytes of the body; `None`: unknown, or the status has none.
    pub length: Option<u64>,
    /// All of the body follows at once, even if the head does not have its length.
    pub at_once: bool,
}

impl Reply<'_> {
    /// The handler says when it was made.
    #[inline]
    pub fn gives_date(&self) -> bool {
        self.fields.is_some_and(|fields| fields.get("date").is_some())
    }
}

/// A request's head as semantics want it written. Checked: nothing in it can break a line.
pub(crate) struct Request<'a> {
    pub verb: &'a str,
    /// Pieces of the request target.
    pub path: [&'a str; 4],
    pub content_type: Option<&'a [u8]>,
    pub encoding: Option<&'a [u8]>,
    /// The field `x-polywire-timeout-ms`.
    pub timeout_ms: Option<u64>,
    pub own: Own<'a>,
    /// What the caller adds; see [`super::fields::is_ours`] for names that are skipped.
    pub fields: &'a Metadata,
    /// Bytes of the body; `None`: unknown, or no body (`end`).
    pub length: Option<u64>,
}

impl Request<'_> {
    /// Bytes of its fields as HTTP/2 counts them (RFC 9113 10.5.1), without those that the framing adds.
    pub fn size(&self) -> usize {
        const FIELD: usize = 32;
        let own: usize = self.own.iter().map(|(name, value)| name.len() + value.len() + FIELD).sum();
        let fields: usize = self.fields.iter().map(|(name, value)| name.len() + value.len() + FIELD).sum();
        self.path.iter().map(|piece| piece.len()).sum::<usize>() + own + fields
    }
}
