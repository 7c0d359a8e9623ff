//! HTTP/2 as a framing under HTTP semantics.
//!
//! ```text
//!   input ─► input.rs ─► frame/* ─┬─ blocks.rs: HEADERS ─► hpack ─► head.rs ─► Http::Head
//!                                 ├─ DATA ─► window.rs ─────────────────────► Http::Data
//!                                 └─ control.rs: SETTINGS, PING, GOAWAY
//!   out ◄─ frame/* ◄─┬─ encode.rs ◄─ hpack ◄───────────── respond, open, finish
//!                    └─ output.rs: queues in fair turns ◄─ data
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `input.rs`, `blocks.rs` | reads what the peer sends: frames; header blocks |
//! | `output.rs` | writes what this side sends: queues, windows, turns |
//! | `control.rs`, `pings.rs`, `bdp.rs` | the connection itself: preface, SETTINGS, GOAWAY; PINGs; its bandwidth-delay product |
//! | `settings.rs`, `shutdown.rs`, `windows.rs` | the SETTINGS of both sides; the shutdown; the connection's windows |
//! | `streams.rs`, `close.rs`, `state.rs`, `window.rs` | slots; how streams begin and end; the RFC's diagram; flow control |
//! | `head.rs`, `field.rs`, `encode.rs` | heads: read, checked, written |
//! | `block_cache/` | repeated header blocks, read and written by comparison |
//! | `frame/`, `hpack/` | the two codecs, which do not depend on the above |
//! | `internals.rs` | pieces for benchmarks and fuzz targets |
//! | `guard.rs`, `clock.rs`, `error.rs` | floods, deadlines, faults |
//!
//! Source:     docs/wire/grpc.md sections 1 and 6; RFC 9113, RFC 7541
//! Invariants: header blocks are decoded and encoded in the order in which they are sent; the bytes of a long
//!             body are never copied; the connection's window is reopened on receipt, a stream's when
//!             semantics grant.
//! Limits:     `Limits::{streams, window, window_growth, head, patience, keepalive}`; frames of
//!             [`LONG_FRAME`](settings::LONG_FRAME) bytes; a connection's window of
//!             [`CONNECTION_WINDOW`](windows::CONNECTION_WINDOW).
//! Errors:     see [`Fault`](error).
//! Not here:   how each request is answered (`semantics`); TLS and ALPN; the `Upgrade` of RFC 7540, which RFC
//!             9113 removed.
//! Deviations: priorities are ignored (RFC 9113 5.3.2), but a stream that depends on itself is refused.

mod bdp;
mod block_cache;
mod blocks;
mod clock;
mod close;
mod control;
mod encode;
mod error;
mod field;
mod frame;
mod guard;
mod head;
mod hpack;
mod input;
#[cfg(feature = "__internals")]
#[doc(hidden)]
pub mod internals;
mod output;
mod pings;
mod settings;
mod shutdown;
mod state;
mod streams;
#[cfg(test)]
mod tests;
mod window;
mod windows;

use super::{
    content,
    dialects::{self, Kind},
    framing::{Abort, Framing, HeadBlock, Http, Own, Reply, Request},
    semantics::Semantics,
};
use block_cache::ReadBlocks;
use blocks::Block;
use clock::{Clock, Timer};
use encode::Preamble;
use error::{Code, Fault};
use field::Field;
use frame::{MAX_31, PREFACE};
use guard::Guard;
use hpack::{Decoder, Encoder};
use output::Sending;
use pings::Pings;
use polywire_base::IoBuf;
use polywire_call::Metadata;
use polywire_wire::{
    ClientSetup, Connections, CredentialPer, Cx, Denied, Dumped, Goodbye, HttpVersion, Limits, Machine,
    Protocol, Refusal, Role, Setup, Sniff, Stopping, WireError,
};
use settings::Settings;
use shutdown::{End, GoawayState, Shutdown};
use state::{Move, State};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};
use streams::{Answer, Inbound, Listed, Phase, Streams, Tail, Update};
use window::Window;
use windows::Windows;

/// The name in ALPN. RFC 9113, section 3.2
pub(super) const ALPN: &[&str] = &["h2"];

/// HTTP/2 with prior knowledge; over TLS, ALPN calls it `h2`.
pub static PROTOCOL: Protocol = Protocol {
    name: "h2",
    system: "http",
    also_called: &["http2", "http/2"],
    sniff,
    alpn: |_| ALPN,
    http: Some(HttpVersion::Two),
    credential: CredentialPer::Request,
    stopping: Stopping::AnnouncesLast,
    connections: Connections::SINGLE,
    peer_limits_calls: true,
    compressions: content::CODINGS,
    content: content::by_parameter,
    streams: polywire_wire::Streams::Bytes,
    machine: Some(|setup| over(setup, Kind::Plain)),
    trace: polywire_wire::Carrier::BOTH,
    fields,
    dumped: |head| dialects::dumped(fields, head, Dumped::OWN),
    ..Protocol::DEFAULT
};

/// A connection with calls of this dialect.
pub(super) fn over(setup: &Setup<'_>, kind: Kind) -> Box<dyn Machine> {
    Box::new(Semantics::new(H2::new(setup), setup, kind))
}

pub(super) fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
    dialects::visit(H2::fields, raw, visit);
}

/// The client's preface of 24 bytes decides. `PRI` could also begin a line of HTTP/1 or Redis; those
/// protocols are tried later.
fn sniff(bytes: &[u8]) -> Sniff {
    crate::sniff::magic(PREFACE, bytes)
}

/// The state of one HTTP/2 connection, at either end.
pub(crate) struct H2 {
    role: Role,
    limits: Limits,
    streams: Streams,
    decoder: Decoder<Field>,
    read_blocks: ReadBlocks,
    encoder: Encoder,
    /// The fields that are the same in all heads of this side.
    preamble: Preamble,
    settings: Settings,
    windows: Windows,
    sending: Sending,
    /// Number of input bytes to skip: padding, unknown frames, unwanted bodies.
    skip: usize,
    /// A header block that continues in CONTINUATION frames.
    block: Option<Box<Block>>,
    /// Streams that semantics released while a half of them was open.
    loose: Vec<Listed>,
    /// Streams with a complete reply whose requests go on, each with the time when it is reset.
    lingering: VecDeque<(Instant, Listed)>,
    news: VecDeque<News>,
    guard: Guard,
    pings: Pings,
    clock: Clock,
    /// Highest id of a stream that the client has opened, at either end.
    last: u32,
    /// Ids of streams that this side reset. Frames for them that were already on their way are not the peer's
    /// fault.
    reset: VecDeque<u32>,
    stage: Stage,
    shutdown: Shutdown,
    /// Server: whether it takes CONNECT with `:protocol`.
    connects: bool,
    /// Since when no stream has been open; `None` if one is open, or this was not checked yet.
    idle: Option<Instant>,
}

/// The state of the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Nothing has been sent.
    New,
    /// A server waits for the client's preface.
    Preface,
    Frames,
}

/// Events that are reported before anything is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum News {
    /// The stream was broken off by the peer, see `Phase::Reported`.
    Broken(Listed),
    Writable(Listed),
    Draining,
    Limit(u32),
    /// The server has received more PINGs than it allows.
    Calm,
    Slots(u32),
}

/// The fields that all heads of a client share. A name or a credential that cannot be sent in a field is left
/// out.
fn preamble(setup: &ClientSetup<'_>) -> Preamble {
    let authority = super::fields::without_zone(setup.authority);
    let authority = authority.as_bytes();
    let credential = setup.credential.filter(|bytes| bytes.iter().all(|&b| super::fields::is_value_byte(b)));
    Preamble::new(
        if super::fields::is_host(authority) { authority } else { b"" },
        credential.unwrap_or_default(),
        setup.secure,
    )
}

impl H2 {
    pub fn new(setup: &Setup<'_>) -> Self {
        let role = setup.role();
        let random = match setup {
            Setup::Server(setup) => setup.random,
            Setup::Client(_) => 0,
        };
        let mut limits = setup.limits();
        limits.keepalive = limits.keepalive.settled(role, random);
        H2 {
            role,
            limits,
            streams: Streams::default(),
            decoder: Decoder::new(),
            read_blocks: ReadBlocks::default(),
            encoder: Encoder::new(),
            preamble: match setup {
                Setup::Client(setup) => preamble(setup),
                Setup::Server(_) => Preamble::default(),
            },
            settings: Settings::new(limits.window),
            windows: Windows::new(&limits),
            sending: Sending::default(),
            skip: 0,
            block: None,
            loose: Vec::new(),
            lingering: VecDeque::new(),
            news: VecDeque::new(),
            guard: Guard::new(&limits.patience),
            pings: Pings::new(),
            clock: Clock::default(),
            last: 0,
            reset: VecDeque::new(),
            stage: Stage::New,
            shutdown: Shutdown::default(),
            connects: role == Role::Server && super::websocket::is_served(setup),
            idle: None,
        }
    }

    /// Number of streams that a client may have open now.
    fn allowed(&self) -> u32 {
        self.settings.peer.allowed().min(self.limits.streams)
    }

    /// Whether the ids of this connection are nearly used up: "grpc-go at 75 %".
    fn is_used_up(&self) -> bool {
        self.last > MAX_31 / 4 * 3
    }

    #[cold]
    fn rare(&mut self, cx: &mut Cx<'_>) -> Option<Http> {
        match self.news.pop_front()? {
            News::Broken(listed) => {
                let slot = self.streams.slot_of(listed)?;
                let why = self.streams.at(slot).take_broken()?;
                Some(Http::Reset { slot, why })
            }
            News::Writable(listed) => {
                let slot = self.streams.slot_of(listed)?;
                let stream = self.streams.get(slot);
                if stream.is_released() {
                    return None;
                }
                let room = (self.limits.backlog as usize).saturating_sub(stream.outbound.queue.len());
                let room = room.min(self.backlog());
                if room == 0 {
                    self.stall(slot); // others were faster: woken again when there is room
                    return None;
                }
                Some(Http::Writable { slot, room })
            }
            News::Draining => Some(Http::Draining),
            News::Calm => Some(Http::Calm),
            News::Slots(n) => Some(Http::Slots(n)),
            News::Limit(n) => {
                self.pump(cx);
                Some(Http::Limit(n))
            }
        }
    }
}

impl Framing for H2 {
    const UPGRADES: bool = false;

    #[inline]
    fn poll(&mut self, cx: &mut Cx<'_>) -> Result<Http, WireError> {
        if self.stage == Stage::New {
            self.send_preface(cx);
        }
        let settled = self.settle(cx);
        while !self.news.is_empty() {
            if let Some(http) = self.rare(cx) {
                return Ok(http);
            }
        }
        if let Some(end) = self.shutdown.end {
            return self.ending(cx, end);
        }
        match settled.and_then(|()| self.step(cx)) {
            Ok(http) => Ok(http),
            Err(fault) => self.fault(cx, fault),
        }
    }

    fn head(&self, slot: u32) -> &HeadBlock {
        &self.streams.get(slot).head
    }

    const SLOT: usize = size_of::<streams::Stream>();

    fn forget_head(&mut self, slot: u32) {
        self.streams.at(slot).head.forget_long();
    }

    fn trailers(&self, slot: u32, visit: &mut dyn FnMut(&str, &[u8])) {
        head::visit(&self.streams.get(slot).trailers, visit);
    }

    fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
        head::visit(raw, visit);
    }

    #[inline]
    fn open(&mut self, cx: &mut Cx<'_>, request: &Request<'_>, end: bool) -> Result<u32, Refusal> {
        if self.shutdown.has_begun() || self.is_used_up() {
            return Err(Refusal::Draining);
        }
        if request.upgrade && !self.settings.peer.connects {
            let waits = !self.settings.peer.has_sent_settings();
            return Err(if waits { Refusal::Full } else { Refusal::Unsupported });
        }
        if self.streams.live() >= self.allowed() {
            return Err(Refusal::Full);
        }
        if self.settings.peer.head < u32::MAX && request.size() > self.settings.peer.head as usize {
            return Err(Refusal::TooLarge);
        }
        if self.stage == Stage::New {
            self.send_preface(cx);
        }
        let id = if self.last == 0 { 1 } else { self.last + 2 };
        self.last = id;
        let slot = self.begin(id, Phase::Reported { broken: None });
        self.write_head(cx, slot, end, |encoder, out, preamble| {
            encode::request(encoder, out, request, preamble)
        });
        if request.verb == "HEAD" {
            self.streams.at(slot).answer = Answer::DueBodiless;
        }
        if self.is_used_up() {
            self.news.push_back(News::Draining);
        }
        Ok(slot)
    }

    fn proceed(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let stream = self.streams.get(slot);
        // A client that has begun to send the body does not wait for 100.
        if stream.state == State::Open && cx.input.is_empty() {
            self.write_head(cx, slot, false, |encoder, out, _| encode::interim(encoder, out));
        }
    }

    fn hold(&mut self, _: u32) {} // a stream is of its request alone

    #[inline]
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool) {
        let stream = self.streams.at(slot);
        if !stream.state.can_send() || stream.answer == Answer::Begun {
            return;
        }
        stream.answer = Answer::Begun;
        self.guard.replied();
        let date = cx.host.date(cx.now);
        self.write_head(cx, slot, end, |encoder, out, ours| encode::reply(encoder, out, reply, date, ours));
    }

    #[inline]
    fn data(&mut self, cx: &mut Cx<'_>, slot: u32, prefix: &[u8], bytes: &IoBuf, end: bool) -> usize {
        self.send(cx, slot, prefix, bytes, end)
    }

    #[inline]
    fn finish(&mut self, cx: &mut Cx<'_>, slot: u32, own: Own<'_>, fields: Option<&Metadata>) {
        let stream = self.streams.at(slot);
        if !stream.state.can_send() || stream.outbound.has_end() {
            return;
        }
        if stream.outbound.queue.is_empty() {
            self.write_head(cx, slot, true, |encoder, out, ours| {
                encode::trailers(encoder, out, own, fields, ours)
            });
        } else {
            stream.outbound.tail = Tail::Trailers(encode::keep_trailers(own, fields).into());
        }
    }

    fn reset(&mut self, cx: &mut Cx<'_>, slot: u32, why: Abort) {
        let stream = self.streams.get(slot);
        if why == Abort::NoError && stream.outbound.has_end() {
            return; // `conclude` says it when the last byte has left
        }
        let code = match why {
            Abort::Cancel => Code::CANCEL,
            Abort::NoError => Code::NO_ERROR,
            Abort::Internal => Code::INTERNAL_ERROR,
        };
        self.break_off(cx, slot, code);
    }

    fn grant(&mut self, slot: u32, bytes: usize) {
        let stream = self.streams.at(slot);
        if stream.state.can_recv() {
            let Inbound { window, expected, .. } = &mut stream.inbound;
            window.grant(bytes);
            // The rest of a body of known length may fit already.
            let fits = expected.is_some_and(|left| left as i64 <= window.open());
            if !fits && window.is_half_due() {
                self.update(slot, Update::Listed);
            }
        }
    }

    fn ensure(&mut self, slot: u32, missing: usize) -> usize {
        let stream = self.streams.at(slot);
        if !stream.is_taken() {
            return 0;
        }
        let window = &mut stream.inbound.window;
        let borrowed = window.ensure(missing);
        self.settings.local.expect(missing);
        if missing as i64 > window.open() && stream.state.can_recv() {
            self.update(slot, Update::Urgent);
        }
        borrowed
    }

    fn release(&mut self, slot: u32) {
        let stream = self.streams.at(slot);
        if !stream.release() {
            return;
        }
        match stream.state {
            State::Closed => self.free(slot),
            // A server may still have to answer: the stream ends when the last byte has been sent.
            State::Open | State::HalfClosedRemote if self.role == Role::Server => {}
            State::Open | State::HalfClosedLocal | State::HalfClosedRemote => {
                self.loose.push(self.streams.listed(slot));
            }
        }
    }

    fn stall(&mut self, slot: u32) {
        let stream = self.streams.at(slot);
        if stream.is_taken() {
            stream.outbound.is_stalled = true;
            self.wake_sender(slot);
        }
    }

    fn backlog(&self) -> usize {
        match self.role {
            Role::Server => (self.limits.patience.queued as usize).saturating_sub(self.sending.queued),
            Role::Client => usize::MAX, // what a client sends is its own
        }
    }

    #[inline]
    fn is_crowded(&self) -> bool {
        self.sending.queued > self.limits.patience.queued as usize
    }

    /// Above a rate of refusals no further requests are accepted, and no credential is looked at, not even of
    /// requests that are on their way; calls under way, perhaps of other callers, are completed.
    #[cold]
    fn on_refused_credential(&mut self, cx: &mut Cx<'_>) {
        if self.count_mistake(cx).is_err() && !matches!(self.shutdown.local, GoawayState::Sent(_)) {
            cx.host.denied(Denied::Credentials);
            self.drain(cx);
            self.send_final_goaway(cx);
        }
    }

    fn room(&mut self, cx: &mut Cx<'_>) {
        self.pump(cx);
    }

    fn eof(&mut self) {
        self.shutdown.eof = true;
    }

    fn deadline(&self) -> Option<Instant> {
        if self.shutdown.is_over() { None } else { self.clock.soonest() }
    }

    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        match phase {
            Goodbye::Drain => self.drain(cx),
            Goodbye::Close => self.close_now(cx),
        }
    }

    /// Streams end separately: giving up one message does not affect the others.
    fn close(&mut self) {}

    fn reason(&self) -> Option<&str> {
        self.shutdown.reason.as_deref()
    }

    fn vacancies(&self) -> u32 {
        if self.role == Role::Server || self.shutdown.has_begun() || self.is_used_up() {
            return 0;
        }
        self.allowed().saturating_sub(self.streams.live())
    }

    fn is_receiving(&self) -> bool {
        // Until a client has received the first GOAWAY, its requests may be on their way.
        self.block.is_some() || self.shutdown.local == GoawayState::Warned
    }

    fn skip_time(&mut self, time: Duration) {
        self.clock.skip(time);
    }

    fn held(&self) -> usize {
        self.sending.queued + self.block.as_ref().map_or(0, |block| block.len()) + self.streams.held()
    }
}
