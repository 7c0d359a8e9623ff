//! The interface between HTTP semantics and a framing.
//!
//! ```text
//!             HeadBlock, Http::{Head, Data, ..}
//!  Framing  ─────────────────────────────────►  Semantics  ──► Event
//!  (h1, h2) ◄─────────────────────────────────  (calls)    ◄── command
//!             Request, Reply, data, grant
//! ```
//!
//! A *slot* is a small dense number that the framing gives to a message it reads or a request it sends; it is
//! the same for both directions of one exchange. Nothing here knows content types, JSON or gRPC.
//!
//! Not here: how each request is answered (`semantics.rs`), bytes (`h1/`).

use polywire_base::IoBuf;
use polywire_call::Metadata;
use polywire_wire::{Cx, Goodbye, Refusal, WireError, may_be_id};
use std::time::{Duration, Instant};

/// Splits one connection into heads and pieces of bodies.
pub(crate) trait Framing: Send + 'static {
    /// Whether another protocol is asked for and begins with fields (`upgrade`), and not with a method of its
    /// own.
    const UPGRADES: bool;

    /// The next item that the peer sent; it borrows nothing, so that semantics may loop over it. After
    /// `Http::Data` the caller must take the bytes from the input before it calls again.
    fn poll(&mut self, cx: &mut Cx<'_>) -> Result<Http, WireError>;
    /// The peer's head in this slot; stays until the slot's next `Http::Head`.
    fn head(&self, slot: u32) -> &HeadBlock;
    /// Visits the fields after the body (trailers) of this slot.
    fn trailers(&self, slot: u32, visit: &mut dyn FnMut(&str, &[u8]));
    /// Visits the fields of a head, pseudo fields (`:method`, `:path`, `:status`) first.
    fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8]));
    /// Client: sends a request's head. `end`: no body follows.
    fn open(&mut self, cx: &mut Cx<'_>, request: &Request<'_>, end: bool) -> Result<u32, Refusal>;
    /// Server: the request is admitted; a client that waits for `100 Continue` is sent it.
    fn proceed(&mut self, cx: &mut Cx<'_>, slot: u32);
    /// Server: the bytes after the head in this slot, which asks for another protocol, are a body of unknown
    /// length if the reply has status 101, and otherwise the next request.
    fn hold(&mut self, slot: u32);
    /// Server: sends a reply's head. `end`: no body follows, whatever `reply.length` says.
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool);
    /// Sends a piece of the body, `prefix` (at most a few bytes) before `bytes`, which are shared where that
    /// pays; `end`: it is the last. Returns the bytes now queued for this slot.
    fn data(&mut self, cx: &mut Cx<'_>, slot: u32, prefix: &[u8], bytes: &IoBuf, end: bool) -> usize;
    /// Ends this side's half with fields after the body (trailers): first `own`, then those of the
    /// application.
    fn finish(&mut self, cx: &mut Cx<'_>, slot: u32, own: Own<'_>, fields: Option<&Metadata>);
    /// Ends the exchange in both directions. If both halves have ended, nothing is written; with
    /// [`Abort::NoError`] queued bytes are sent first.
    fn reset(&mut self, cx: &mut Cx<'_>, slot: u32, why: Abort);
    /// The application has taken these bytes: the window can be reopened.
    fn grant(&mut self, slot: u32, bytes: usize);
    /// Rule 5: opens the window until `missing` bytes fit; returns the number of bytes borrowed from later
    /// grants.
    fn ensure(&mut self, slot: u32, missing: usize) -> usize;
    /// Semantics have ended their exchange: only then may the slot be used again, even if the stream ended
    /// long before.
    fn release(&mut self, slot: u32);
    /// Requests `Http::Writable` once half the backlog of this slot has been sent.
    fn stall(&mut self, slot: u32);
    /// Number of bytes that all senders of the connection together may still queue.
    fn backlog(&self) -> usize {
        usize::MAX
    }
    /// Whether so many replies to the peer are unread that no further request is started.
    fn is_crowded(&self) -> bool {
        false
    }
    /// Server: no bytes were read for this time, which does not count against the peer.
    fn skip_time(&mut self, _time: Duration) {}
    /// Server: the peer's credential is refused, which is answered next. Above a certain rate the connection
    /// takes no further requests.
    fn on_refused_credential(&mut self, cx: &mut Cx<'_>);
    /// `out` has room again.
    fn room(&mut self, cx: &mut Cx<'_>);
    /// The peer has closed its sending half.
    fn eof(&mut self);
    /// See [`polywire_wire::Machine::deadline`].
    fn deadline(&self) -> Option<Instant>;
    /// See [`polywire_wire::Machine::goodbye`].
    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye);
    /// The rest of this message is discarded. If no other message can follow it, no further request is read.
    /// Queued bytes are still sent.
    fn close(&mut self);
    /// Client: the reason that the server gave for ending the connection, if it gave one.
    fn reason(&self) -> Option<&str> {
        None
    }
    /// Number of requests that may be opened now.
    fn vacancies(&self) -> u32;
    /// Whether a head or body has begun to arrive and is incomplete.
    fn is_receiving(&self) -> bool;
    /// The head of this slot has been reported and copied: a long one is kept no longer.
    fn forget_head(&mut self, _slot: u32) {}
    /// Bytes of a slot, where a peer may use many.
    const SLOT: usize = 0;
    /// Bytes held here beyond `input` and `out`.
    fn held(&self) -> usize;
}

/// An event of a framing. It consists of plain numbers because it is passed on several times for every
/// request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Http {
    /// A complete head. `id` counts requests at a server; `end`: there is no body.
    Head { slot: u32, id: u64, end: bool },
    /// Server: as `Head`, of a head that is longer than allowed. Only its first fields are there, and its
    /// content type.
    TooLarge { slot: u32, id: u64, end: bool },
    /// A piece of a body, within the slot's window: the first `bytes` of the input. `end`: the last one,
    /// maybe empty.
    Data { slot: u32, bytes: usize, end: bool },
    /// At least this many bytes of this body have not arrived yet; not reported for short bodies.
    Coming { slot: u32, bytes: u64 },
    /// The peer ended this exchange early. The framing has already answered if it could.
    Reset { slot: u32, why: Broken },
    /// A stalled sender may queue this many bytes again.
    Writable { slot: u32, room: usize },
    /// The peer takes no further requests; those it will not process follow as `Reset`.
    Draining,
    /// Client: the server complains about too many PINGs.
    Calm,
    /// The peer allows this many concurrent requests.
    Limit(u32),
    /// No slot from this one on is in use, and few were used lately: memory for them may be freed.
    Slots(u32),
    /// Nothing to report yet: `poll` has to be called again.
    Again,
    /// See [`polywire_wire::Step::Need`].
    Need(usize),
    /// See [`polywire_wire::Step::Blocked`].
    Blocked,
    /// See [`polywire_wire::Step::Closed`]. Reported again by each later poll.
    Closed,
}

/// The way in which a peer ended an exchange early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// The connection ended before a byte of the reply.
    NoReply,
    /// The connection ended inside a message.
    Cut,
    /// The peer broke this rule.
    Rules(&'static str),
    /// The peer sent a head or trailers longer than allowed.
    TooLarge,
    /// The peer reset it with this code (RST_STREAM; docs/wire/grpc.md section 1).
    Code(u32),
    /// The peer has not processed the exchange: REFUSED_STREAM, or above the last stream of its GOAWAY.
    Refused,
}

/// The reason why this side ends an exchange early; HTTP/2 sends RST_STREAM, HTTP/1 closes the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Abort {
    /// The caller no longer waits for the exchange.
    Cancel,
    /// The message is complete; further bytes of the peer are not wanted.
    NoError,
    /// This side has failed.
    Internal,
}

/// Fields that semantics writes itself, names in lower case. They are checked: no byte in them can break a
/// line.
pub(crate) type Own<'a> = &'a [(&'static str, &'a [u8])];

/// A range of at most 64 KiB in a head block. All zero means absent, because a start line is never empty.
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

    /// The first `len` bytes of the range.
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

/// Fields whose position is noted while a head is read, so that they need not be searched for.
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
    // Only the framing uses it; it is in no table.
    Connection,
    Upgrade,
    ContentLength,
    TransferEncoding,
    /// The time when a reply was made; not a field of the application.
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

    /// Like [`Known::find`], for a name in lower case.
    #[inline]
    pub fn of_lower(name: &[u8]) -> Option<Known> {
        Some(match name {
            b"date" => Known::Date,
            b"host" => Known::Host,
            b"accept" => Known::Accept,
            b"expect" => Known::Expect,
            b"origin" => Known::Origin,
            b"upgrade" => Known::Upgrade,
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

/// Whether a method is one of those that most requests have.
#[derive(Clone, Copy, Default, Debug)]
enum Usual {
    Get,
    Post,
    #[default]
    Other,
}

/// A head of the peer, with the positions of the fields that semantics reads.
#[derive(Clone, Default, Debug)]
pub(crate) struct HeadBlock {
    /// Start line and fields in the framing's own form. Capacity is kept from message to message.
    pub raw: Vec<u8>,
    /// The method of a request.
    verb: Span,
    usual: Usual,
    /// Request: origin form, with the query.
    pub target: Span,
    /// Request: `target` before `?` or `#`.
    pub path: Span,
    /// Reply: 100 to 999.
    pub status: u16,
    /// Reply: version, status and reason as text.
    pub title: Span,
    /// Length of the body in bytes, if the head states it.
    pub length: Option<u64>,
    /// Number of fields that only the application reads.
    pub extra: u32,
    /// Whether one of them may name a trace or the id of a log.
    pub ids: bool,
    /// Request: it asks for WebSocket.
    pub upgrade: bool,
    /// Request: the method is CONNECT with a `:protocol` (RFC 8441), which is routed as GET.
    pub connects: bool,
    /// Heads of one connection with the same number other than 0 differ in `grpc-timeout` at most.
    pub like: u32,
    known: [Span; Known::NOTED],
    /// One bit for each known field that occurred more than once.
    repeated: u32,
}

impl HeadBlock {
    /// Bytes of memory that an idle connection keeps for its next head.
    const KEPT: usize = 1 << 10;

    /// Notes a field that only the application reads.
    #[inline]
    pub fn other(&mut self, name: &[u8]) {
        self.extra += 1;
        self.ids |= may_be_id(name);
    }

    /// Clears the block for the next head; keeps the memory. The positions of the start line are always set
    /// again.
    #[inline]
    pub fn clear(&mut self) {
        self.raw.clear();
        self.length = None;
        (self.extra, self.like, self.ids) = (0, 0, false);
        (self.upgrade, self.connects) = (false, false);
        self.known = Default::default();
        self.repeated = 0;
    }

    /// Frees the memory of a long head's fields after they were copied; numbers stay. Fields that the reply
    /// needs keep the whole head: those of a page's call and of WebSocket.
    #[cold]
    pub fn forget_long(&mut self) {
        if self.is_long() && !self.upgrade && self.known(Known::Origin).is_none() {
            *self = HeadBlock { raw: Vec::new(), known: Default::default(), ..*self };
            (self.verb, self.target, self.path, self.title) = Default::default();
            self.usual = Usual::Other;
        }
    }

    /// Whether the head's fields take more memory than a slot keeps.
    #[inline]
    pub fn is_long(&self) -> bool {
        self.raw.len() > Self::KEPT
    }

    /// Becomes a copy of `other` and keeps its memory.
    #[inline]
    pub fn copy_from(&mut self, other: &HeadBlock) {
        let mut raw = std::mem::take(&mut self.raw);
        raw.clear();
        raw.extend_from_slice(&other.raw);
        *self = HeadBlock { raw, ..*other };
    }

    /// Frees memory that a large head needed; the block is empty then.
    #[inline]
    pub fn shrink(&mut self) {
        if self.raw.capacity() > Self::KEPT {
            *self = HeadBlock::default();
        }
    }

    /// Notes where the value of a known field is; the first one counts.
    #[inline]
    pub fn note(&mut self, field: Known, value: Span) {
        let Some(place) = self.known.get_mut(field as usize) else { return };
        if *place == Span::default() {
            *place = value;
        } else {
            self.repeated |= 1 << field as u32;
        }
    }

    /// The value of a field that was noted while reading.
    #[inline]
    pub fn known(&self, field: Known) -> Option<&[u8]> {
        let span = *self.known.get(field as usize)?;
        (span != Span::default()).then(|| span.of(&self.raw))
    }

    /// Removes a noted field.
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

    /// Sets the method of a request: where it is in `raw`, and what it is.
    #[inline]
    pub fn set_verb(&mut self, place: Span, verb: &[u8]) {
        self.verb = place;
        self.usual = match verb {
            b"GET" => Usual::Get,
            b"POST" => Usual::Post,
            _ => Usual::Other,
        };
    }

    /// The method of a request.
    #[inline]
    pub fn verb(&self) -> &str {
        match self.usual {
            _ if self.connects => "GET",
            Usual::Get => "GET",
            Usual::Post => "POST",
            Usual::Other => self.text(self.verb),
        }
    }
}

/// The head of a reply, as semantics pass it to a framing.
pub(crate) struct Reply<'a> {
    pub status: u16,
    pub content_type: Option<&'a [u8]>,
    pub encoding: Option<&'a [u8]>,
    /// The value of `x-bd-error-code`; 0 leaves the field out.
    pub error: i32,
    /// `allow`: methods that are allowed.
    pub allow: Option<&'a str>,
    pub own: Own<'a>,
    /// The handler's fields; see [`super::fields::is_ours`] for names that are skipped.
    pub fields: Option<&'a Metadata>,
    /// Bytes of the body; `None`: unknown, or the status has none.
    pub length: Option<u64>,
    /// Whether all of the body follows at once, even if the head does not have its length.
    pub at_once: bool,
}

impl Reply<'_> {
    /// Whether the handler has set `date` itself.
    #[inline]
    pub fn gives_date(&self) -> bool {
        self.fields.is_some_and(|fields| fields.get("date").is_some())
    }
}

/// A request's head in the form that semantics pass to a framing. Checked: nothing in it can break a line.
pub(crate) struct Request<'a> {
    pub verb: &'a str,
    /// Whether the request asks for WebSocket: HTTP/1 adds `upgrade`, HTTP/2 sends it as CONNECT.
    pub upgrade: bool,
    /// Pieces of the request target.
    pub path: [&'a str; 4],
    pub content_type: Option<&'a [u8]>,
    pub encoding: Option<&'a [u8]>,
    /// The value of `x-polywire-timeout-ms`.
    pub timeout_ms: Option<u64>,
    pub own: Own<'a>,
    /// The caller's fields; see [`super::fields::is_ours`] for names that are skipped.
    pub fields: &'a Metadata,
    /// Bytes of the body; `None`: unknown, or no body (`end`).
    pub length: Option<u64>,
}

impl Request<'_> {
    /// The size of the head's fields as HTTP/2 counts them (RFC 9113 10.5.1), without the fields that the
    /// framing adds.
    pub fn size(&self) -> usize {
        const FIELD: usize = 32;
        let own: usize = self.own.iter().map(|(name, value)| name.len() + value.len() + FIELD).sum();
        let fields: usize = self.fields.iter().map(|(name, value)| name.len() + value.len() + FIELD).sum();
        self.path.iter().map(|piece| piece.len()).sum::<usize>() + own + fields
    }
}
