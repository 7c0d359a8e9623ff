//! HTTP/1.0 and HTTP/1.1 as a framing under HTTP semantics.
//!
//! ```text
//!           first           first + live
//!   slots: | answered next | … | read last | free …        a ring of at most `Limits::exchanges`
//!              ^ in turn: writes to `out`      ^ the head being read
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `parse.rs`, `target.rs` | heads: start line and fields; targets of requests |
//! | `head_cache.rs` | heads that come again, read by comparison |
//! | `body.rs` | where a body ends |
//! | `input.rs`, `output.rs` | reads what the peer sends, step by step; writes one message of this side |
//! | `encode.rs` | heads as text |
//! | `order.rs` | replies in the order of their requests |
//! | `error.rs` | the errors that a peer can make |
//!
//! Source:     docs/wire/http.md sections 4 to 6; RFC 9112
//! Invariants: replies leave in the order of their requests, however they were finished; after a fault or a
//!             last request no byte of input is read as a message again.
//! Limits:     `Limits::exchanges` bounds the requests that are read and not answered; for heads see
//!             `parse.rs`; `Limits::window` bounds the body bytes that are delivered and not granted; for
//!             discarded ones see [`SKIP`]; a head takes at most [`HEAD_TIME`].
//! Errors:     see [`Fault`](error::Fault).
//! Not here:   which request is answered how (`semantics`), when an idle connection ends (engine).
//!
//! A client has one request outstanding: slot 0.

mod body;
mod encode;
mod error;
mod head_cache;
mod input;
mod order;
mod output;
mod parse;
mod target;

use super::{
    dialects::{self, Kind},
    framing::{Abort, Framing, HeadBlock, Http, Own, Reply, Request},
    semantics::Semantics,
    token_bucket::TokenBucket,
};
use body::Reading;
use encode::{BodyLength, Connection, Preamble};
use error::Fault;
use head_cache::HeadCache;
use input::window;
use output::Sending;
pub(crate) use parse::MAX_START_LINE;
use parse::Scan;
use polywire_base::IoBuf;
use polywire_call::Metadata;
use polywire_wire::{ClientSetup, Cx, Denied, Goodbye, Limits, Machine, Refusal, Role, Setup, WireError};
use std::time::{Duration, Instant};

/// The time from the first byte of a head to its last; a slower request is answered with 408.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);
/// Empty lines that may stand before a request. RFC 9112 2.2: a server "SHOULD ignore at least one".
pub(crate) const MAX_BLANK_LINES: u8 = 4;
/// The rest of a body that is not used is read and discarded, so that the connection can be kept, if it is
/// known to be no longer than this when the reply's head is written.
pub(crate) const SKIP: usize = 64 << 10;
/// Longer chunks are announced to semantics before their bytes are read.
const LONG_CHUNK: u64 = 64 << 10;

/// The names in ALPN. RFC 7301, section 6
pub(super) const ALPN: &[&str] = &["http/1.1", "http/1.0"];

/// The machine of a connection whose client makes calls of this kind.
pub(super) fn over(setup: &Setup<'_>, kind: Kind) -> Box<dyn Machine> {
    Box::new(Semantics::new(H1::new(setup), setup, kind))
}

pub(super) fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    dialects::visit(H1::fields, raw, visit);
}

/// The state of one HTTP/1 connection, at either end.
pub(crate) struct H1 {
    role: Role,
    limits: Limits,
    /// Client: the fields that all requests share.
    preamble: Preamble,
    /// Grows up to `Limits::exchanges`.
    slots: Vec<Slot>,
    /// Index of the request whose reply is in turn.
    first: u32,
    /// Number of requests that were read and not answered completely.
    live: u32,
    /// Client: whether the call in slot 0 is under way.
    occupied: bool,
    /// Number of requests read so far; client: of replies.
    count: u64,
    reading: Reading,
    /// The slot whose body is being read.
    current: u32,
    scan: Scan,
    /// Server: the last head and its parsed form.
    head_cache: HeadCache,
    /// Number of bytes of chunk extensions in this message.
    extensions: usize,
    /// Fields after the body of the last message.
    trailers: HeadBlock,
    /// Number of empty lines before the current request.
    blank: u8,
    /// Whether the rest of this body is unwanted.
    skips: bool,
    /// When the head being read began.
    begun: Option<Instant>,
    /// No further message is read. The value is what `poll` returns once all replies are in `out`.
    end: Option<End>,
    draining: bool,
    /// Server: the age after which a connection ends with its next reply, and the time when that is reached.
    /// The age counts from the first request.
    max_age: Option<Duration>,
    old_from: Option<Instant>,
    eof: bool,
    /// Slots whose senders may continue.
    writable: Vec<u32>,
    /// Server: how many further credentials may be refused; set when the first one is.
    refusals: Option<Box<TokenBucket>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Closed,
    Fault(Fault),
}

#[derive(Default)]
struct Slot {
    head: HeadBlock,
    id: u64,
    minor: u8,
    keep_alive: bool,
    /// Whether `100 Continue` has been sent, or will be when this slot's turn comes.
    proceeds: bool,
    /// Whether the connection ends after this reply.
    closes: bool,
    /// Client: the reply has no body, whatever its head says.
    bodiless: bool,
    /// Client: the request asks for another protocol.
    upgrades: bool,
    /// Whether the body is delivered in one piece.
    gathers: bool,
    /// Bytes that were delivered to semantics and not granted; negative while a whole message is let in (rule
    /// 5).
    ungranted: i64,
    sending: Sending,
}

/// The fields that all heads of a client share. A host name or a credential that cannot be sent in a field is
/// left out.
fn preamble(setup: &ClientSetup<'_>) -> Preamble {
    let printable = |bytes: &[u8]| bytes.iter().all(|&b| super::fields::is_value_byte(b));
    let authority = super::fields::without_zone(setup.authority);
    let authority = if printable(authority.as_bytes()) { &*authority } else { "" };
    let credential = setup.credential.filter(|credential| printable(credential)).unwrap_or_default();
    Preamble::new(authority, credential, setup.once)
}

fn max_age(setup: &Setup<'_>) -> Option<Duration> {
    match setup {
        Setup::Server(setup) => setup.limits.keepalive.settled(Role::Server, setup.random).max_age,
        Setup::Client(_) => None,
    }
}

impl H1 {
    pub fn new(setup: &Setup<'_>) -> Self {
        H1 {
            role: setup.role(),
            limits: setup.limits(),
            preamble: match setup {
                Setup::Client(setup) => preamble(setup),
                Setup::Server(_) => Preamble::default(),
            },
            slots: Vec::new(),
            first: 0,
            live: 0,
            occupied: false,
            count: 0,
            reading: Reading::Head,
            current: 0,
            scan: Scan::default(),
            head_cache: HeadCache::default(),
            extensions: 0,
            trailers: HeadBlock::default(),
            blank: 0,
            skips: false,
            begun: None,
            end: None,
            draining: false,
            max_age: max_age(setup),
            old_from: None,
            eof: false,
            writable: Vec::new(),
            refusals: None,
        }
    }

    fn capacity(&self) -> u32 {
        self.limits.exchanges.max(1)
    }

    /// Slot of the request that is read next, or being read.
    fn next(&self) -> u32 {
        (self.first + self.live) % self.capacity()
    }

    fn in_turn(&self, slot: u32) -> bool {
        self.role == Role::Client || self.live > 0 && self.first == slot
    }

    fn is_last(&self, slot: u32) -> bool {
        self.live > 0 && (self.first + self.live - 1) % self.capacity() == slot
    }

    fn reads_body_of(&self, slot: u32) -> bool {
        self.reading.is_in_body() && self.current == slot && !self.skips
    }

    /// Whether a reply with this status has no body here, whatever its fields state about a length.
    fn has_no_body(&self, slot: u32, status: u16) -> bool {
        matches!(status, 204 | 304) || self.slots[slot as usize].head.verb() == "HEAD"
    }

    fn make_slot(&mut self, slot: u32) {
        if self.slots.len() <= slot as usize {
            if slot == 0 {
                self.slots.reserve_exact(1); // most connections never pipeline
            }
            self.slots.push(Slot::default());
        }
    }

    fn slot(&mut self, slot: u32) -> &mut Slot {
        &mut self.slots[slot as usize]
    }
}

impl Framing for H1 {
    const UPGRADES: bool = true;

    #[inline]
    fn poll(&mut self, cx: &mut Cx<'_>) -> Result<Http, WireError> {
        if let Some(slot) = self.writable.pop() {
            let queued = self.slots[slot as usize].sending.queued();
            return Ok(Http::Writable { slot, room: (self.limits.backlog as usize).saturating_sub(queued) });
        }
        if let Some(end) = self.end
            && self.live == 0
        {
            return self.ending(cx, end);
        }
        match self.step(cx) {
            Ok(http) => Ok(http),
            Err(fault) => Ok(self.fault(cx, fault)),
        }
    }

    fn head(&self, slot: u32) -> &HeadBlock {
        &self.slots[slot as usize].head
    }

    fn trailers(&self, _: u32, visit: &mut dyn FnMut(&str, &[u8])) {
        parse::visit_lines(&self.trailers.raw, visit);
    }

    fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
        target::visit(raw, visit);
    }

    #[inline]
    fn open(&mut self, cx: &mut Cx<'_>, request: &Request<'_>, end: bool) -> Result<u32, Refusal> {
        if self.end.is_some() || self.draining || self.eof {
            return Err(Refusal::Draining);
        }
        if self.occupied || self.live > 0 {
            return Err(Refusal::Full);
        }
        self.make_slot(0);
        (self.live, self.occupied) = (1, true);
        let this = &mut self.slots[0];
        this.bodiless = request.verb == "HEAD";
        this.upgrades = request.upgrade;
        this.sending.clear();
        let said = match request.length {
            Some(n) => BodyLength::Length(n),
            None if end || request.upgrade => BodyLength::Nothing,
            None => BodyLength::Chunked,
        };
        encode::request(this.sending.begin(cx.out, true, said, end, end), request, &self.preamble, said);
        Ok(0)
    }

    fn proceed(&mut self, cx: &mut Cx<'_>, slot: u32) {
        self.slot(slot).proceeds = true;
        if self.in_turn(slot) {
            self.say_continue(cx, slot);
        }
    }

    #[cold]
    fn hold(&mut self, slot: u32) {
        (self.reading, self.current) = (Reading::Held, slot);
    }

    #[inline]
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool) {
        if self.reading == Reading::Held && self.current == slot {
            match reply.status {
                101 => self.reading = Reading::UntilClose,
                _ => self.message_complete(), // it stays HTTP
            }
        }
        let in_turn = self.in_turn(slot);
        let minor = self.slots[slot as usize].minor;
        let bodiless = self.has_no_body(slot, reply.status);
        let said = match reply.length {
            Some(n) => BodyLength::Length(n),
            None if bodiless || reply.status == 101 => BodyLength::Nothing,
            None if end => BodyLength::Length(0),
            None if minor == 0 => BodyLength::Nothing,
            None => BodyLength::Chunked,
        };
        let until_close = said == BodyLength::Nothing && !bodiless && !end;
        let whole = end || reply.at_once;
        let mut closes = !self.slots[slot as usize].keep_alive || until_close;
        closes |= self.end.is_some() && self.is_last(slot);
        if whole && self.reads_body_of(slot) {
            closes |= !self.may_skip_rest(slot);
            self.leave_rest(closes);
        }
        let connection = match (closes, minor) {
            _ if reply.status == 101 => Connection::Unwritten, // among the fields of the reply
            (true, _) => Connection::Close,
            (false, 1) => Connection::Unwritten,
            (false, _) => Connection::KeepAlive,
        };
        if closes && !self.reading.is_in_body() {
            self.end(End::Closed);
        }
        if reply.status == 101 {
            self.end.get_or_insert(End::Closed); // nothing follows the other protocol
        }
        let this = &mut self.slots[slot as usize];
        this.closes = closes;
        let date = cx.host.date(cx.now);
        encode::reply(
            this.sending.begin(cx.out, in_turn, said, bodiless, end),
            reply,
            minor,
            said,
            connection,
            date,
        );
        if end && in_turn {
            self.advance(cx);
        }
    }

    #[inline]
    fn data(&mut self, cx: &mut Cx<'_>, slot: u32, prefix: &[u8], bytes: &IoBuf, end: bool) -> usize {
        let in_turn = self.in_turn(slot);
        let this = &mut self.slots[slot as usize];
        this.sending.data(cx.out, in_turn, prefix, bytes, end);
        let (queued, closes) = (this.sending.queued(), this.closes);
        if self.role == Role::Server {
            // The streamed answer has ended before the upload.
            if end && self.reads_body_of(slot) {
                self.leave_rest(closes);
            }
            if end && in_turn {
                self.advance(cx);
            }
        }
        queued
    }

    fn finish(&mut self, cx: &mut Cx<'_>, slot: u32, own: Own<'_>, fields: Option<&Metadata>) {
        encode::trailers(&mut self.slot(slot).sending.trailers, own, fields);
        self.data(cx, slot, b"", &IoBuf::new(), true);
    }

    fn reset(&mut self, cx: &mut Cx<'_>, slot: u32, why: Abort) {
        if why == Abort::NoError && self.slots[slot as usize].sending.has_ended() {
            return; // the reply leaves, the rest of the request is skipped or ends the connection
        }
        match self.role {
            Role::Client => {
                self.live = 0;
                self.end(End::Closed);
            }
            Role::Server => {
                let this = self.slot(slot);
                this.closes = true;
                this.sending.give_up(b"");
                if self.reads_body_of(slot) {
                    self.end(End::Closed);
                }
                self.advance(cx);
            }
        }
    }

    fn grant(&mut self, slot: u32, bytes: usize) {
        let this = self.slot(slot);
        // Returning more than was given opens nothing.
        this.ungranted = (this.ungranted - bytes as i64).max(this.ungranted.min(0));
    }

    fn ensure(&mut self, slot: u32, missing: usize) -> usize {
        let whole = matches!(self.reading, Reading::Length(left) if left <= missing as u64);
        let window = window(&self.limits, self.slots[slot as usize].ungranted);
        let borrowed = missing.saturating_sub(window);
        let gathers = whole && self.reads_body_of(slot);
        let this = self.slot(slot);
        this.gathers |= gathers;
        this.ungranted -= borrowed as i64;
        borrowed
    }

    fn release(&mut self, _: u32) {
        self.occupied = false; // a server's slots are free when their replies have left
    }

    fn stall(&mut self, slot: u32) {
        self.slot(slot).sending.stalled = true;
    }

    #[cold]
    fn on_refused_credential(&mut self, cx: &mut Cx<'_>) {
        let rate = self.limits.patience.mistakes;
        if !self.refusals.get_or_insert_with(|| TokenBucket::new(rate).into()).take(cx.now) {
            cx.host.denied(Denied::Credentials);
            self.close();
        }
    }

    fn room(&mut self, cx: &mut Cx<'_>) {
        match self.role {
            Role::Server => self.advance(cx),
            Role::Client => {
                if let Some(this) = self.slots.first_mut()
                    && self.live > 0
                {
                    this.sending.pump(cx.out);
                    self.wake_sender(0);
                }
            }
        }
    }

    fn eof(&mut self) {
        self.eof = true;
    }

    fn deadline(&self) -> Option<Instant> {
        self.begun.map(|begun| begun + HEAD_TIME)
    }

    fn goodbye(&mut self, _: &mut Cx<'_>, phase: Goodbye) {
        match phase {
            // A request whose first bytes are here is still taken; its reply says that it is the last.
            Goodbye::Drain => self.draining = true,
            Goodbye::Close => {
                self.live = 0;
                self.end(End::Closed);
            }
        }
    }

    fn close(&mut self) {
        self.end.get_or_insert(End::Closed);
        if self.reading == Reading::Head {
            self.reading = Reading::Off;
        }
    }

    fn vacancies(&self) -> u32 {
        let open = self.end.is_none() && !self.draining && !self.eof && !self.occupied;
        u32::from(self.role == Role::Client && open)
    }

    fn is_receiving(&self) -> bool {
        // What another protocol sends has no end that could be late.
        let taken = self.role == Role::Server && matches!(self.reading, Reading::UntilClose | Reading::Held);
        self.reading.is_in_body() && !taken || (self.reading == Reading::Head && self.scan.has_begun())
    }

    fn held(&self) -> usize {
        let slot = if self.role == Role::Server { self.next() } else { 0 };
        let partial = match self.reading {
            Reading::Head if self.scan.has_begun() => self.slots[slot as usize].head.raw.len(),
            _ => 0,
        };
        let queued = (0..self.live).map(|n| (self.first + n) % self.capacity());
        let held = |slot: u32| {
            let Slot { sending, head, .. } = &self.slots[slot as usize];
            sending.held() + if head.is_long() { head.raw.capacity() } else { 0 }
        };
        let queued: usize = queued.map(held).sum();
        partial + queued + self.trailers.raw.len()
    }
}
