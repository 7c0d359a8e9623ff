//! The callers' handle of a connection: an inbox for calls, which exists before the connection is made.

use crate::connection::tally::Tally;
use polywire_base::Inbox;
use polywire_engine::{ConnectionStats, Peer};
use polywire_exchange::{Caller, Desk, Draft, Line, Pipe, Request, Sink, Source};
use polywire_wire::Limits;
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::*},
};

/// The number of streams that a peer is assumed to allow before it has announced its limit: RFC 9113 6.5.2
/// recommends no fewer.
const STREAMS: u32 = 100;

/// The callers' handle of a connection. Posted calls wait in its inbox until the connection takes them.
pub(crate) struct Handle {
    inbox: Arc<Inbox<Line>>,
    /// [`CONNECTING`], [`OPEN`], [`FULL`], perhaps [`PASSING`] and, as the last one, [`RETIRED`].
    state: AtomicU8,
    /// The number of waiting calls that may go to another connection. Written by other connections, taken by
    /// this one.
    relief: AtomicU32,
    /// The number of streams that were posted and have not ended. Written by posting threads and by the
    /// connection.
    streams: AtomicU32,
    /// The number of streams that the peer allows.
    limit: AtomicU32,
    /// Whether a call has arrived since the last look, to end idle connections.
    used: AtomicBool,
    /// Set when the connection is made. `None`: it is driven by threads that wait for their calls.
    connected: OnceLock<Option<Arc<ConnectionStats>>>,
    /// Whether the peer has announced its limits.
    heard: AtomicBool,
    /// Whether the connection is driven by blocking callers, and its peer has closed it without having sent
    /// anything.
    mute: AtomicBool,
    pub(super) tally: Tally,
}

/// The connection takes calls, or will once it is made.
const OPEN: u8 = 0;
/// The connection has no room: calls that are posted to it wait, so other connections are preferred.
const FULL: u8 = 1;
/// The connection was added because others were full, and is not made yet: calls are not posted to it.
const CONNECTING: u8 = 2;
/// Calls go to other connections. Calls that were just being posted here are still served.
const PASSING: u8 = 3;
/// The connection has ended, or takes no further calls and ends after those under way.
const RETIRED: u8 = 4;

impl Handle {
    /// The handle of a new connection, and the desk at which that connection takes its calls.
    pub fn new() -> (Arc<Handle>, Desk) {
        let desk = Desk::new();
        let handle = Handle {
            inbox: desk.inbox().clone(),
            state: AtomicU8::new(OPEN),
            relief: AtomicU32::new(0),
            streams: AtomicU32::new(0),
            limit: AtomicU32::new(STREAMS),
            used: AtomicBool::new(false),
            connected: OnceLock::new(),
            heard: AtomicBool::new(false),
            mute: AtomicBool::new(false),
            tally: Tally::new(),
        };
        (Arc::new(handle), desk)
    }

    /// The connection is made.
    pub fn connected(&self, connection_stats: Option<Arc<ConnectionStats>>) {
        let _ = self.connected.set(connection_stats); // it is made once
    }

    /// Records that the peer has announced its limits.
    pub fn hear(&self) {
        self.heard.store(true, Release);
    }

    /// Whether the peer has sent anything.
    pub fn has_heard(&self) -> bool {
        self.heard.load(Acquire)
    }

    /// Records that the peer has closed the connection, which blocking callers drive, without having sent
    /// anything.
    #[cold]
    pub fn mute(&self) {
        self.mute.store(true, Relaxed);
    }

    /// Whether a peer at an IP address has closed the connection after it received a request, without having
    /// sent anything.
    pub fn is_mute(&self) -> bool {
        match self.connection_stats() {
            Some(stats) => {
                matches!(stats.peer, Peer::Ip(_))
                    && stats.bytes_in.load(Relaxed) == 0
                    && stats.bytes_out.load(Relaxed) > 0
            }
            None => self.mute.load(Relaxed),
        }
    }

    /// Whether the connection has been made.
    pub fn is_connected(&self) -> bool {
        self.connected.get().is_some()
    }

    /// The figures of the connection, if it is made and is not driven by threads.
    pub fn connection_stats(&self) -> Option<&Arc<ConnectionStats>> {
        self.connected.get()?.as_ref()
    }

    /// Whether the connection takes calls, now or once it is made or has room.
    #[inline]
    pub fn is_alive(&self) -> bool {
        self.state.load(Acquire) < PASSING // pairs with the release in `retire`; a stale answer costs one attempt
    }

    /// Whether the connection has room, so that a call need not wait.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.state.load(Acquire) == OPEN // as above
    }

    /// Whether the peer allows one more stream, so that the stream need not wait.
    pub fn has_room_for_stream(&self) -> bool {
        self.is_alive() && self.streams() < self.limit.load(Relaxed)
    }

    /// The number of streams that are under way or wait.
    pub fn streams(&self) -> u32 {
        self.streams.load(Relaxed)
    }

    /// Notes how many streams the peer allows.
    pub fn allow(&self, streams: u32) {
        self.limit.store(streams, Relaxed);
    }

    /// Records that one of the streams has ended.
    pub fn stream_ended(&self) {
        self.streams.fetch_sub(1, Relaxed);
    }

    /// Marks the connection as full: other connections are preferred from now on.
    pub fn fill(&self) {
        let _ = self.state.compare_exchange(OPEN, FULL, AcqRel, Relaxed); // else it is full or over
    }

    /// Holds calls back until [`Handle::reopen`]: an additional connection is still being made.
    pub fn begin_connecting(&self) {
        self.state.store(CONNECTING, Release);
    }

    /// Whether this is an additional connection that is still being made.
    pub fn is_connecting(&self) -> bool {
        self.state.load(Acquire) == CONNECTING
    }

    /// Lets calls be posted here from now on.
    pub fn reopen(&self) {
        let open = |state| (state < PASSING).then_some(OPEN);
        let _ = self.state.fetch_update(AcqRel, Relaxed, open); // else it is over
    }

    /// Allows `calls` of the calls that wait here to go to another connection.
    pub fn relieve(&self, calls: u32) {
        self.relief.fetch_max(calls, AcqRel);
        self.inbox.ring();
    }

    /// The number of waiting calls that may go elsewhere; zero from then on.
    pub fn take_relief(&self) -> u32 {
        self.relief.swap(0, AcqRel)
    }

    /// Records that a call has arrived.
    pub fn mark_used(&self) {
        self.used.store(true, Relaxed);
    }

    /// Whether a call has arrived since the last query.
    pub fn take_used(&self) -> bool {
        self.used.swap(false, Relaxed)
    }

    /// Posts a call. `Err` returns it: the connection has ended and has not seen it.
    #[inline]
    pub fn post(&self, draft: Draft) -> Result<Caller, Draft> {
        draft.post(&self.inbox)
    }

    /// Posts a call with streams. `None`: the connection has ended, and has not seen it.
    pub fn post_stream(&self, request: Request, limits: &Limits) -> Option<(Source, Sink)> {
        let (line, source, sink) = Caller::stream(&self.inbox, request, Pipe::new(limits));
        self.streams.fetch_add(1, Relaxed);
        let posted = Line::post(&line);
        if !posted {
            self.stream_ended();
        }
        posted.then_some((source, sink))
    }

    /// A stream that a call on this connection may offer.
    pub fn offer(&self, limits: &Limits) -> (Arc<Line>, (Source, Sink)) {
        Line::offer(&self.inbox, Pipe::new(limits))
    }

    /// Directs calls to other connections from now on. This one stays open for calls that are just being
    /// posted, until [`Handle::close`].
    pub fn pass(&self) {
        let pass = |state| (state < PASSING).then_some(PASSING);
        let _ = self.state.fetch_update(AcqRel, Relaxed, pass); // else it is over
    }

    /// Whether the connection has ended, or ends with the calls that it has.
    pub fn is_retired(&self) -> bool {
        self.state.load(Acquire) == RETIRED
    }

    /// Stops the connection from taking calls from now on.
    pub fn retire(&self) {
        self.state.store(RETIRED, Release);
    }

    /// Like [`Handle::retire`]; the connection ends after the calls under way.
    pub fn close(&self) {
        self.retire();
        self.inbox.ring();
    }
}
