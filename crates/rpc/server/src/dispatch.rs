//! From events to handlers and back: the calls of one connection.
//!
//! ```text
//!  Open --> limits --> handler --Ready--> Finish at once (no table touched)
//!                          `----Pending--> Live slot, Line, deadline armed; its outcome comes back by the inbox
//!  Part, Credit, Reset, Finish --> Live by exchange.slot, token compared
//! ```

mod asking;
mod tasks;

use self::asking::Authentication;
use crate::{
    call_metrics::Way,
    context::{Connection, Context, Parts, sooner},
    ends::OpenConnection,
    limits::{Limiter, Sample},
    router::{Router, client_of, rank_of},
    service::{Call, Started},
    spans::{self, Traced},
    table::{Shared, SharedMethod, Table},
};
use polywire_base::{IoBuf, LineGate, Slab, Timer, Wheel};
use polywire_call::{Code, Status, brpc};
use polywire_engine::{
    Dispatcher, Next, Peer, Question, Shard, Turn, Wires,
    backlog::{Claim, Rank},
    clock,
    inline::{self, Gauge, HandlerFuture, Place},
    memory::Memory,
    transport::Security,
};
use polywire_exchange::{Answerer, Desk, Line, Pipe};
use polywire_hub::{Decision, Seat};
use polywire_streams::RawStream;
use polywire_trace::Lane;
use polywire_wire::{
    Answer, Compression, Content, Credit, Delivery, Event, Exchange, Head, Limits, Notice, Open, Outcome,
    Part, Protocol,
};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering::Relaxed},
    task::{Poll, Waker},
    time::{Duration, Instant},
};

/// The calls of one server connection.
pub(crate) struct Dispatch {
    table: Arc<Table>,
    shard: Arc<Shard>,
    connection: Arc<Connection>,
    /// State of the authentication; set when the authenticator is first asked.
    authentication: Option<Box<Authentication>>,
    limits: Limits,
    /// See [`client_of`].
    client: u64,
    /// Counts the connection while it exists.
    place: Option<OpenConnection>,
    /// Bytes of requests in flight, if they are counted.
    held: usize,
    desk: Desk,
    lines: VecDeque<Arc<Line>>,
    drained: Vec<Arc<Line>>,
    live: Slab<Live>,
    /// Index into `live` for each `Exchange::slot`.
    by_slot: Vec<u32>,
    /// Created for the first call that waits with a deadline.
    wheel: Option<Box<Wheel<u32>>>,
    /// A lower bound of all deadlines.
    soonest: Option<Instant>,
    fired: Vec<u32>,
    /// Set if the connection is the peer of a socket.
    seat: Option<Box<Seat>>,
    /// Chooses which of its calls are recorded.
    lane: Lane,
}

/// A call or stream that did not finish in its first turn.
struct Live {
    exchange: Exchange,
    machine: u8,
    line: Arc<Line>,
    /// Counts the call out of the limiters when it is dropped.
    entered: Entered,
    timer: Timer,
    deadline: Option<Instant>,
    credit: Credit,
    /// Whether the head of a streamed reply has been sent.
    answered: bool,
    /// The handler's outcome, which waits for parts that are still queued.
    last: Option<Outcome>,
    /// Index of the method, for its statistics; `NO_METHOD` for an offered stream.
    method: u32,
    /// By what system it has come, for the same.
    system: &'static str,
    /// Bytes of the messages that have come and were sent.
    received: u64,
    sent: u64,
    began: Instant,
    /// Whether this is an accepted stream: it outlives its call and ends with its sink.
    stream: bool,
    /// Bytes of parts that its handler has not taken.
    untaken: usize,
    /// Where calls are recorded.
    traced: Option<Box<Traced>>,
}

const NO_METHOD: u32 = u32::MAX;
/// Timers fire up to this long after they are due.
const TICK: Duration = Duration::from_millis(1);
/// Places for calls that an idle connection keeps allocated.
const KEPT: usize = 64;
/// A quarter of a read buffer, in bytes. Anything longer may keep a whole read buffer alive.
const SMALL: usize = 16 << 10;

/// A call that was let in.
#[derive(Default)]
struct Entered {
    /// Counts the call out when it is dropped. `None`: nothing limits it.
    counted: Option<Counted>,
    /// Bytes of the request, if they are counted.
    bytes: usize,
    /// What the call takes beside it, if that is counted.
    beside: usize,
}

/// A call that the limiters have counted in. Dropping it counts the call out.
#[derive(Default)]
struct Counted {
    server: Option<Arc<Limiter>>,
    method: Option<Arc<Limiter>>,
    /// The budget of the method's requests, and the bytes that were charged to it.
    memory: Option<(Arc<Memory>, usize)>,
}

/// What a call that waits takes besides what is counted: its places in the tables of its machine and here,
/// its context, its handler. Measured: see test `the_budget_sees_most_of_what_a_peer_can_make_it_hold`.
const CALL_BYTES: usize = 3 << 10;
/// What a call that streams takes in addition: its queues.
const PIPE_BYTES: usize = 6 << 10;
/// What a message of a stream takes at least beside its bytes, until its handler takes it.
const PART_BYTES: usize = 24;

impl Entered {
    #[inline]
    fn new(
        shared: &Shared,
        method: &SharedMethod,
        timeout: Option<Duration>,
        (bytes, head_bytes): (usize, usize),
    ) -> Result<Self, Status> {
        let (bytes, beside) = match shared.memory.is_some() || method.memory.is_some() {
            true => (bytes, head_bytes + CALL_BYTES),
            false => (0, 0),
        };
        let server = Some(&shared.limiter).filter(|server| server.counts() && !method.exempt);
        let counted = match server.is_some() || method.memory.is_some() || method.limiter.counts() {
            true => Some(Counted::new(server, method, timeout, bytes)?),
            false => None,
        };
        Ok(Entered { counted, bytes, beside })
    }

    /// Counts a call out whose handler has ended, and tells the limiters how it went.
    #[inline]
    fn end(&mut self, now: Instant, took: Duration, ok: bool) {
        if let Some(counted) = self.counted.take() {
            counted.end(Sample { now, took, ok });
        }
    }
}

impl Counted {
    #[cold]
    fn new(
        server: Option<&Arc<Limiter>>,
        method: &SharedMethod,
        timeout: Option<Duration>,
        bytes: usize,
    ) -> Result<Self, Status> {
        let (mut counted, timeout) = (Counted::default(), method.time(timeout));
        let own = Some(&method.limiter).filter(|limiter| limiter.counts());
        for (limiter, place) in [(server, &mut counted.server), (own, &mut counted.method)] {
            let Some(limiter) = limiter else { continue };
            if !limiter.enter(timeout) {
                return Err(brpc::status(brpc::ELIMIT, "").unprocessed());
            }
            *place = Some(limiter.clone());
        }
        if let Some(memory) = &method.memory {
            if !memory.fits(bytes) {
                return Err(brpc::status(brpc::ELIMIT, "The method's memory is used up").unprocessed());
            }
            memory.recharge(0, bytes);
            counted.memory = Some((memory.clone(), bytes));
        }
        Ok(counted)
    }

    #[cold]
    fn end(mut self, sample: Sample) {
        for limiter in [&mut self.server, &mut self.method] {
            if let Some(limiter) = limiter.take() {
                limiter.leave(Some(sample));
            }
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        for limiter in [&self.server, &self.method].into_iter().flatten() {
            limiter.leave(None);
        }
        if let Some((memory, bytes)) = &self.memory {
            memory.recharge(*bytes, 0);
        }
    }
}

impl Dispatch {
    pub fn new(table: &Arc<Table>, shard: &Arc<Shard>, peer: Peer, local: Peer, limits: Limits) -> Self {
        Dispatch {
            table: table.clone(),
            shard: shard.clone(),
            client: client_of(&peer),
            connection: Connection::new(peer, local, table.shared.common.clone()),
            authentication: None,
            limits,
            place: None,
            held: 0,
            desk: Desk::new(),
            lines: VecDeque::new(),
            drained: Vec::new(),
            live: Slab::new(),
            by_slot: Vec::new(),
            wheel: None,
            soonest: None,
            fired: Vec::new(),
            seat: None,
            lane: Lane::default(),
        }
    }

    pub fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// Keeps the connection's place.
    pub fn set_place(&mut self, place: OpenConnection) {
        self.place = Some(place);
    }

    /// Handles a request where calls are recorded, as code of its own, so that others pay for nothing but the
    /// question.
    #[inline(never)]
    fn open_traced(&mut self, open: Open<'_>, turn: &mut Turn) -> Next {
        self.open_as::<true>(open, turn)
    }

    #[inline(always)]
    fn open_as<const TRACED: bool>(&mut self, open: Open<'_>, turn: &mut Turn) -> Next {
        let Open { exchange, route, head, mut body, finished, streams } = open;
        let system = head.dialect.system(turn.protocol);
        let identity = if route.caller == 0 { None } else { self.take_caller(route.caller) };
        if head.timeout.is_some_and(|timeout| timeout.is_zero()) {
            self.table.shared.stats.trouble(route.method).late.add(1);
            return self.turned_away(exchange, route.method, system, expired()); // the caller no longer waits for it
        }
        let method = &self.table.shared.methods[route.method as usize];
        let bytes = (body.len(), head.raw.len());
        let mut entered = match Entered::new(&self.table.shared, method, head.timeout, bytes) {
            Ok(entered) => entered,
            Err(status) => {
                self.table.shared.stats.trouble(route.method).refused.add(1);
                let outcome = Outcome { status, ..Outcome::default() };
                return self.turned_away(exchange, route.method, system, outcome);
            }
        };
        if let Some(dump) = &self.table.shared.dump
            && !method.exempt
            && dump.wants(turn.now)
        {
            let streams = (method.streaming || !finished).then_some(finished);
            dump.take(turn.protocol, &head, method.called(&head), &body, streams);
        }
        let deadline = head.timeout.and_then(|timeout| turn.now.checked_add(timeout));
        let traced = if TRACED {
            let (shared, request) = (&self.table.shared, (turn.protocol, &head));
            Traced::begin(
                &shared.tracer,
                &mut self.lane,
                &self.connection,
                method,
                request,
                body.len(),
                turn.now,
            )
        } else {
            None
        };
        let mut cx = Context::new(Parts {
            connection: self.connection.clone(),
            protocol: turn.protocol,
            method: method.name,
            received: turn.now,
            deadline,
            raw: (!head.raw.is_empty()).then(|| head.raw.into()),
            content: head.content,
            compression: head.compression,
            accepts: head.accepts,
            way: route.way,
        });
        if self.table.shared.authenticator.is_some() {
            if method.method.open_to_all {
                cx.set_unknown_caller();
            } else if let Some(identity) = identity {
                cx.set_identity(identity);
            }
        }
        if let (true, Some(traced)) = (TRACED, &traced) {
            traced.show(&mut cx);
        }
        // Made where it is passed on: it is large, and from a variable it would be copied.
        let call = |cx, body| Call {
            cx,
            body,
            attachment: head.attachment,
            content: head.content,
            compression: head.compression,
            max_message: route.max_message,
            stream: None,
        };
        if method.apart || !streams.is_empty() {
            if method.is_catch_all() {
                cx.set_called(method.called(&head));
            }
            let (of, call, streaming) = ((route.method, system), call(cx, body), method.streaming);
            let ends = Ends { streaming, finished, whole: route.delivery == Delivery::Whole, streams };
            return self.open_streaming(exchange, of, call, ends, entered, traced, turn);
        }
        let (of, received) = ((route.method, system), bytes.0 as u64);
        let entry = &self.table.entries[route.method as usize];
        let mut place = place_of(&entry.gauge, head.content, head.compression, &body);
        if entry.gauge.may_last(place) {
            unpin(&mut body);
        }
        let claim = match place == Place::Pool && !method.exempt {
            true => self.claim(&head, route.method, &cx, turn),
            false => None,
        };
        let mut started = start(&*entry.handler, call(cx, body));
        if let (true, Some(span)) = (TRACED, traced.as_ref().and_then(Traced::watcher)) {
            started = spans::watch(started, span);
        }
        let mut future = match started {
            Started::Ready(mut outcome) => {
                let began = std::mem::replace(&mut turn.now, clock::now());
                self.ended(of, &mut outcome, turn.now - began, (received, 0));
                entered.end(turn.now, turn.now - began, outcome.status.is_ok());
                if let (true, Some(traced)) = (TRACED, &traced) {
                    self.trace_end(traced, of, turn.now, &outcome.status, outcome.body.len());
                }
                return Next::Finish(exchange, outcome);
            }
            Started::Future(future) => future,
        };
        if place == Place::Shard {
            let (mut polled, now) = (Poll::Pending, &mut turn.now);
            let took =
                inline::poll_here(&mut polled, &mut future, &entry.gauge, &self.shard, method.watched, now);
            if let Poll::Ready(outcome) = &mut polled {
                if self.table.shared.backlog.is_too_much(took, turn.now) && !method.exempt {
                    entry.gauge.relieve();
                }
                self.ended(of, outcome, took, (received, 0));
                entered.end(turn.now, took, outcome.status.is_ok());
                if let (true, Some(traced)) = (TRACED, &traced) {
                    self.trace_end(traced, of, turn.now, &outcome.status, outcome.body.len());
                }
            }
            if let Poll::Ready(outcome) = polled {
                inline::discard(future);
                return Next::Finish(exchange, outcome);
            }
            place = entry.gauge.place(); // polling it may have changed the place
        }
        self.park(exchange, (of, received), future, place, claim, entered, deadline, traced, turn);
        Next::Continue
    }

    /// A request that is refused before its handler is called.
    #[cold]
    fn turned_away(&self, exchange: Exchange, method: u32, system: &'static str, outcome: Outcome) -> Next {
        self.table.shared.stats.turned_away(Some(method), Way::new(system, &outcome.status));
        Next::Finish(exchange, outcome)
    }

    /// Updates the statistics of a handler that has ended, after so many bytes of messages were received and
    /// sent before its outcome.
    #[inline]
    fn ended(
        &self,
        (method, system): (u32, &'static str),
        outcome: &mut Outcome,
        took: Duration,
        (received, sent): (u64, u64),
    ) {
        let stats = &self.table.shared.stats;
        if !outcome.status.is_ok() {
            outcome.status = std::mem::take(&mut outcome.status).of_handler();
            stats.trouble(method).failed(&outcome.status);
        }
        let way = Way::new(system, &outcome.status);
        stats.ended(method, way, took);
        if stats.wants_sizes(system) {
            stats.add_sizes(method, way, received, sent + outcome.body.len() as u64);
        }
    }

    /// A call that may be recorded has ended.
    fn trace_end(
        &self,
        traced: &Traced,
        (method, system): (u32, &'static str),
        now: Instant,
        status: &Status,
        reply_bytes: usize,
    ) {
        let shared = &self.table.shared;
        let durations = || shared.stats.durations(method, Way { system, code: Code::Ok });
        let method = &shared.methods[method as usize];
        traced.end(&shared.tracer, &self.connection, (method, &durations), now, status, reply_bytes);
    }

    #[cold]
    fn park(
        &mut self,
        exchange: Exchange,
        ((method, system), received): ((u32, &'static str), u64),
        future: HandlerFuture,
        place: Place,
        claim: Option<Claim>,
        entered: Entered,
        deadline: Option<Instant>,
        traced: Option<Traced>,
        turn: &Turn,
    ) {
        let (line, answerer) = Line::serve(self.desk.inbox());
        let live = Live::new(exchange, turn.machine, line, entered, turn.now);
        let key = self.insert(Live { method, system, received, traced: traced.map(Box::new), ..live });
        self.arm(key, self.until(method, deadline, turn.now), turn.now);
        if let Some(claim) = claim {
            let backlog = &self.table.shared.backlog;
            let gauge = &self.table.entries[method as usize].gauge;
            let watched = self.table.shared.methods[method as usize].watched;
            return inline::park_behind(backlog, claim, future, gauge, answerer, &self.shard, watched);
        }
        self.run(method, future, place, answerer);
    }

    /// What the backlog has to know of a call that may wait for a worker before its first poll.
    #[cold]
    fn claim(&self, head: &Head<'_>, method: u32, cx: &Context, turn: &Turn) -> Option<Claim> {
        let backlog = Some(&self.table.shared.backlog).filter(|backlog| backlog.is_on())?;
        let rank = if backlog.is_used() {
            rank_of(head, turn.protocol, cx.identity().is_some())
        } else {
            Rank::default()
        };
        let deadline = self.until(method, cx.deadline(), turn.now);
        Some(Claim { rank, caller: self.client, deadline, now: turn.now })
    }

    fn run(&self, method: u32, future: HandlerFuture, place: Place, answerer: Answerer) {
        let gauge = &self.table.entries[method as usize].gauge;
        let watched = self.table.shared.methods[method as usize].watched;
        inline::park(future, gauge, place, answerer, &self.shard, watched);
    }

    #[cold]
    fn open_streaming(
        &mut self,
        exchange: Exchange,
        (method, system): (u32, &'static str),
        mut call: Call,
        ends: Ends<'_>,
        mut entered: Entered,
        traced: Option<Traced>,
        turn: &Turn,
    ) -> Next {
        if ends.streaming && exchange.slot == Exchange::UNTRACKED {
            return self.turned_away(exchange, method, system, self.no_stream(method, turn).into());
        }
        unpin(&mut call.body);
        let received = call.body.len() as u64;
        let deadline = self.until(method, call.cx.deadline(), turn.now);
        let (line, answerer) = if ends.streaming {
            if entered.beside > 0 {
                entered.beside += PIPE_BYTES;
            }
            let (line, answerer, both) = Line::serve_stream(self.desk.inbox(), self.pipe());
            call.stream = Some(both);
            if !ends.whole && !call.body.is_empty() {
                let bytes = std::mem::take(&mut call.body);
                let compression = call.compression;
                let _ = line.push_part(Part { compression, ..Part::message(bytes) }); // the queue is empty
            }
            if ends.finished {
                let _ = line.push_part(Part::end()); // there is room for an end
            }
            (line, answerer)
        } else {
            Line::serve(self.desk.inbox())
        };
        let mut offered = Vec::new();
        for &stream in ends.streams {
            // An offered stream has no outcome: it ends with its sink.
            let (line, _, both) = Line::serve_stream(self.desk.inbox(), self.pipe());
            offered.push(RawStream::new(both, polywire_engine::sleep));
            let live = Live::new(stream, turn.machine, line, Entered::default(), turn.now);
            self.insert(Live { stream: true, credit: Credit::CLOSED, ..live });
        }
        if !offered.is_empty() {
            call.cx.set_offers(offered);
        }
        let live = Live::new(exchange, turn.machine, line, entered, turn.now);
        let watch = traced.as_ref().and_then(Traced::watcher);
        let (answered, traced) = (!ends.streaming, traced.map(Box::new));
        let key = self.insert(Live { method, system, received, answered, traced, ..live });
        self.arm(key, deadline, turn.now);
        let entry = &self.table.entries[method as usize];
        let place = place_of(&entry.gauge, call.content, call.compression, &call.body);
        match watch.into_iter().fold(start(&*entry.handler, call), spans::watch) {
            Started::Ready(outcome) => answerer.answer(outcome),
            Started::Future(future) => self.run(method, future, place, answerer),
        }
        Next::Commands
    }

    /// The status for a call that came without a stream to a streaming method, over a protocol that carries
    /// streams.
    #[cold]
    fn no_stream(&self, method: u32, turn: &Turn) -> Status {
        let (method, protocol) = (self.table.shared.methods[method as usize].watched, turn.protocol.name);
        Status::unimplemented(format!("{method} streams: open a stream with the call over {protocol}"))
    }

    fn pipe(&self) -> Box<Pipe> {
        Pipe::new(&self.limits)
    }

    fn insert(&mut self, live: Live) -> u32 {
        let (slot, line) = (live.exchange.slot, live.line.clone());
        if live.method != NO_METHOD {
            self.table.shared.stats.parked(live.method, live.system, 1);
        }
        self.held += live.held();
        let key = self.live.insert(live).index;
        line.place(key);
        if slot < Exchange::CONNECTION.slot {
            let slot = slot as usize;
            if self.by_slot.len() <= slot {
                self.by_slot.resize(slot + 1, u32::MAX);
            }
            self.by_slot[slot] = key;
        }
        key
    }

    fn arm(&mut self, key: u32, deadline: Option<Instant>, now: Instant) {
        let Some(at) = deadline else { return };
        let wheel = self.wheel.get_or_insert_with(|| Box::new(Wheel::new(now)));
        let timer = wheel.arm(at, key);
        self.soonest = Some(self.soonest.map_or(at, |soonest| soonest.min(at)));
        if let Some(live) = self.live.at_mut(key) {
            (live.timer, live.deadline) = (timer, deadline);
        }
    }

    /// When a call that waits ends at the latest: at its caller's deadline, or when its method's time is up.
    fn until(&self, method: u32, deadline: Option<Instant>, now: Instant) -> Option<Instant> {
        match self.table.shared.methods[method as usize].method.timeout {
            Some(most) => sooner(deadline, now, most),
            None => deadline,
        }
    }

    fn find(&self, exchange: Exchange) -> Option<u32> {
        let key = *self.by_slot.get(exchange.slot as usize)?;
        (self.live.at(key)?.exchange == exchange).then_some(key)
    }

    fn remove(&mut self, key: u32) -> Option<Live> {
        let live = self.live.remove_at(key)?;
        self.held -= live.held();
        if live.method != NO_METHOD {
            self.table.shared.stats.parked(live.method, live.system, -1);
        }
        if let Some(wheel) = &mut self.wheel {
            wheel.disarm(live.timer);
        }
        if self.live.is_empty() && self.live.entries() > KEPT {
            self.forget_peak();
        }
        Some(live)
    }

    /// Frees the tables after a peak: with nothing in flight, an idle connection does not keep them.
    #[cold]
    fn forget_peak(&mut self) {
        self.live.shrink_to(0); // keeps the versions of its keys, by which calls have names that are never used again
        self.by_slot = Default::default();
        (self.wheel, self.soonest) = (None, None);
        self.lines.shrink_to(KEPT);
        self.drained.shrink_to(KEPT);
        self.fired.shrink_to(KEPT);
    }

    /// Ends a call that its caller gives up. Callers give up at their deadlines, too, which they may notice a
    /// moment before this side does.
    fn leave(&mut self, key: u32, why: Status, now: Instant) {
        let Some(live) = self.live.at_mut(key) else { return };
        if live.deadline.is_none_or(|at| at > now + TICK) {
            return self.abort(key, why, Ender::Caller);
        }
        live.entered.end(now, now.saturating_duration_since(live.began), false);
        self.abort(key, brpc::status(brpc::ERPCTIMEDOUT, why.message()), Ender::Deadline);
    }

    /// Ends a call before its handler does: the handler is dropped, and its streams end with `why`.
    fn abort(&mut self, key: u32, why: Status, by: Ender) {
        if let Some(live) = self.remove(key) {
            let now = clock::now();
            if live.method != NO_METHOD {
                let stats = &self.table.shared.stats;
                let trouble = stats.trouble(live.method);
                // Whatever becomes of its connection: a call that its caller gives up is cancelled.
                let mut way = Way { system: live.system, code: Code::Cancelled };
                match by {
                    Ender::Caller => trouble.given_up(&why, live.line.has_pipe()),
                    Ender::Deadline => {
                        way = Way::new(live.system, &why);
                        trouble.late.add(1);
                        trouble.failed(&why);
                    }
                    Ender::Operator => {
                        way = Way::new(live.system, &why);
                        trouble.failed(&why);
                    }
                }
                stats.ended(live.method, way, now.saturating_duration_since(live.began));
                if stats.wants_sizes(live.system) {
                    stats.add_sizes(live.method, way, live.received, live.sent);
                }
            }
            if let Some(traced) = &live.traced {
                let of = (live.method, live.system);
                match by {
                    Ender::Caller => self.trace_end(traced, of, now, &Status::cancelled(why.message()), 0),
                    Ender::Deadline | Ender::Operator => self.trace_end(traced, of, now, &why, 0),
                }
            }
            if matches!(by, Ender::Deadline) {
                live.line.note_late();
            }
            if live.line.has_pipe() {
                self.desk.complete(&live.line, Outcome { status: why, ..Outcome::default() });
            } else {
                self.desk.cancel(&live.line);
            }
        }
    }

    /// Moves parts between a live call's queues and its machine as far as possible, and finishes the call
    /// when it is complete.
    fn serve(&mut self, key: u32, wires: &mut Wires<'_, Router>) {
        let Some(live) = self.live.at_mut(key) else { return };
        let Some((machine, mut cx)) = wires.machine(live.machine) else { return };
        let exchange = live.exchange;
        if live.last.is_none() {
            // read before the parts, so that all parts sent before it are seen
            live.last = self.desk.take_answer(&live.line);
        }
        if live.line.has_pipe() {
            // A handler that has dropped its source receives no more, but may go on sending.
            let deaf = live.line.is_dropped();
            let taken = if deaf { live.line.discard_parts() } else { live.line.taken() };
            if let Some((bytes, messages)) = taken {
                let less = (bytes + messages as usize * PART_BYTES).min(live.untaken); // the first message came with the call
                (live.untaken, self.held) = (live.untaken - less, self.held - less);
                machine.grant(&mut cx, exchange, bytes, messages);
            }
            if !live.answered {
                // read before the head, which the handler sets before it sends parts
                let parts = !live.line.is_drained();
                let given = live.line.pop_answer();
                if let Some(answer) = given.or_else(|| parts.then(Answer::default)) {
                    live.answered = true;
                    live.credit = machine.answer(&mut cx, exchange, &answer);
                }
            }
            let mut popped = false;
            // Not before the head, which may have come with the first part just now: both are served then.
            while live.answered && live.credit.is_open() {
                let Some(part) = live.line.pop_part() else { break };
                popped = true;
                live.sent += part.bytes.len() as u64;
                live.credit = machine.send(&mut cx, exchange, &part);
            }
            if popped {
                live.line.wake_writer();
            }
        }
        if live.stream && live.last.is_none() && live.line.is_half() && live.line.is_drained() {
            live.last = Some(Outcome::default()); // an accepted stream ends with its sink
        }
        if live.last.is_some() && live.line.is_drained() {
            let Some(mut live) = self.remove(key) else { return };
            let mut outcome = live.last.take().unwrap_or_default();
            if live.method != NO_METHOD {
                let took = wires.now - live.began;
                if live.line.is_refused() {
                    // Its handler has not run: the status says so, and limiters measure nothing.
                    self.table.shared.stats.refused.add(1);
                    self.table.shared.stats.trouble(live.method).refused.add(1);
                    let way = Way::new(live.system, &outcome.status);
                    self.table.shared.stats.turned_away(Some(live.method), way);
                } else {
                    self.ended((live.method, live.system), &mut outcome, took, (live.received, live.sent));
                    live.entered.end(wires.now, took, outcome.status.is_ok());
                }
            }
            if let Some(traced) = &live.traced {
                let of = (live.method, live.system);
                self.trace_end(traced, of, clock::now(), &outcome.status, outcome.body.len());
            }
            self.desk.cancel(&live.line);
            if let Some((machine, mut cx)) = wires.machine(live.machine) {
                machine.finish(&mut cx, exchange, outcome);
            }
        }
    }

    /// The connection turns out to be the peer of a socket: asks for a seat for it.
    #[cold]
    fn meet(&mut self, kind: &str, name: &[u8]) -> Next {
        let mut receptions = self.table.shared.receptions.iter();
        let decision = receptions.find_map(|reception| reception.receive(kind, name, &self.limits));
        match decision.unwrap_or(Decision::Caller) {
            Decision::Seat(seat) => {
                self.seat = Some(seat);
                Next::Commands
            }
            Decision::Caller => Next::Continue,
            Decision::Refused => Next::Close,
        }
    }

    /// Handles an event of a connection that has a seat.
    fn seated(&mut self, event: Event<'_>) -> Next {
        let Some(seat) = &mut self.seat else { return Next::Continue };
        match event {
            Event::Part { part, .. } => seat.part(part),
            Event::Credit { credit, .. } => {
                seat.credit(credit);
                return Next::Commands;
            }
            Event::Notice(Notice::Topic { on, topic }) if !seat.topic(on, topic) => return Next::Close,
            _ => {}
        }
        Next::Continue
    }

    /// The peer reads no more parts: what is queued for it is discarded.
    #[cold]
    fn stop(&mut self, exchange: Exchange) {
        let Some(key) = self.find(exchange) else { return };
        let live = self.live.at_mut(key).expect("found above");
        live.credit = Credit::OPEN;
        live.line.stop();
        Line::post(&live.line);
    }

    fn part(&mut self, exchange: Exchange, part: Part) -> Next {
        if let Some(key) = self.find(exchange) {
            let live = self.live.at_mut(key).expect("found above");
            let line = &live.line;
            live.received += part.bytes.len() as u64;
            if line.has_pipe() {
                let bytes = part.bytes.len() + PART_BYTES;
                (live.untaken, self.held) = (live.untaken + bytes, self.held + bytes);
                if line.push_part(part).is_err() {
                    debug_assert!(false, "the machine delivered more than was granted");
                    return Next::Close;
                }
            }
            if line.is_dropped() {
                Line::post(line); // so that the queued parts are discarded and their credit returned
                return Next::Commands;
            }
        }
        Next::Continue
    }
}

impl Live {
    fn new(exchange: Exchange, machine: u8, line: Arc<Line>, entered: Entered, began: Instant) -> Self {
        Live {
            exchange,
            machine,
            line,
            entered,
            timer: Timer::NONE,
            deadline: None,
            credit: Credit::OPEN,
            answered: true,
            last: None,
            method: NO_METHOD,
            system: "",
            received: 0,
            sent: 0,
            began,
            stream: false,
            untaken: 0,
            traced: None,
        }
    }

    /// Bytes that are counted.
    #[inline]
    fn held(&self) -> usize {
        self.entered.bytes + self.entered.beside + self.untaken
    }
}

/// Starts a handler. A panic before its future exists ends this call alone.
#[inline(always)]
fn start(handler: &dyn crate::service::Handler, call: Call) -> Started {
    catch_unwind(AssertUnwindSafe(|| handler.start(call))).unwrap_or_else(|_| {
        let status = Status::internal(inline::PANICKED);
        Started::Ready(Outcome { status, ..Outcome::default() })
    })
}

impl Dispatcher for Dispatch {
    type Host = Router;

    /// Hot path: runs once per request.
    #[inline]
    fn request(&mut self, open: Open<'_>, turn: &mut Turn) -> Next {
        match self.table.shared.tracer.is_on() {
            false => self.open_as::<false>(open, turn),
            true => self.open_traced(open, turn),
        }
    }

    fn outcome(&mut self, exchange: Exchange, outcome: Outcome) -> Next {
        if let Some(live) = self.find(exchange).and_then(|key| self.remove(key)) {
            self.desk.complete(&live.line, outcome);
        }
        Next::Continue
    }

    fn event(&mut self, event: Event<'_>, turn: &mut Turn) -> Next {
        match event {
            Event::Part { exchange: Exchange::CONNECTION, .. }
            | Event::Credit { exchange: Exchange::CONNECTION, .. }
            | Event::Notice(Notice::Topic { .. }) => self.seated(event),
            Event::Notice(Notice::Peer { kind, identity, .. }) => self.meet(kind, identity),
            Event::Part { exchange, part } => self.part(exchange, part),
            Event::Credit { exchange, credit } => {
                let Some(key) = self.find(exchange) else { return Next::Continue };
                let live = self.live.at_mut(key).expect("found above");
                live.credit = credit;
                Line::post(&live.line);
                Next::Commands
            }
            Event::Stopped { exchange } => {
                self.stop(exchange);
                Next::Commands
            }
            Event::Reset { exchange, why } => {
                self.find(exchange).into_iter().for_each(|key| self.leave(key, why.clone(), turn.now));
                Next::Continue
            }
            Event::Authenticate(claim) => self.ask(claim, turn),
            Event::Open(_) | Event::Finish { .. } | Event::Answer { .. } | Event::Notice(_) => Next::Continue,
        }
    }

    fn commands(&mut self, wires: &mut Wires<'_, Router>, most: usize) -> usize {
        let told = self.tell_verdict(wires);
        self.desk.inbox().drain(&mut self.drained);
        self.lines.extend(self.drained.drain(..));
        let n = self.lines.len().min(most - told);
        for _ in 0..n {
            let Some(line) = self.lines.pop_front() else { break };
            let key = line.key();
            let current = self.live.at(key);
            if current.is_some_and(|live| Arc::ptr_eq(&live.line, &line)) {
                self.serve(key, wires);
            } else if key == Line::UNPLACED {
                self.answered(&line, wires);
            }
        }
        let n = n + told;
        match (&mut self.seat, wires.machine(0)) {
            (Some(seat), Some((machine, mut cx))) => n + seat.serve(machine, &mut cx, most - n),
            _ => n,
        }
    }

    fn sleep(&mut self, waker: &Waker) -> bool {
        self.lines.is_empty()
            && self.desk.inbox().sleep(waker)
            && self.seat.as_mut().is_none_or(|seat| seat.sleep(waker))
    }

    fn expire(&mut self, wires: &mut Wires<'_, Router>) -> Option<Instant> {
        self.expire_question(wires);
        let Some(wheel) = &mut self.wheel else { return self.next_deadline() };
        let mut fired = std::mem::take(&mut self.fired);
        wheel.advance(wires.now, &mut fired);
        self.soonest = wheel.next();
        for key in fired.drain(..) {
            let Some(live) = self.live.at_mut(key) else { continue };
            live.timer = Timer::NONE; // fired, so no longer armed
            let (exchange, machine) = (live.exchange, live.machine);
            let took = wires.now - live.began;
            live.entered.end(wires.now, took, false);
            self.abort(key, brpc::status(brpc::ERPCTIMEDOUT, ""), Ender::Deadline);
            if let Some((machine, mut cx)) = wires.machine(machine) {
                machine.finish(&mut cx, exchange, expired());
            }
        }
        self.fired = fired;
        self.next_deadline()
    }

    fn next_deadline(&self) -> Option<Instant> {
        let question = self.authentication.as_ref().and_then(|authentication| authentication.deadline());
        self.soonest.into_iter().chain(question).min()
    }

    fn secured(&mut self, security: &Arc<Security>) {
        #[cfg(feature = "__tls")]
        if self.table.shared.authenticator.is_none() {
            let certificate = security.peer_certificates.first();
            let identity = certificate.and_then(|certificate| crate::tls::identity(certificate));
            identity.into_iter().for_each(|identity| drop(self.connection.set_identity(identity)));
        }
        let _ = self.connection.security.set(security.clone()); // called once
    }

    fn recognised(&mut self, host: &mut Router, protocol: &'static Protocol) {
        host.speak(protocol);
    }

    fn asked(&mut self, question: Question, wires: &mut Wires<'_, Router>) -> Option<Question> {
        let question = question.downcast().ok()?; // others ask nothing
        self.answer_about_tasks(question, wires).map(|rest| rest as Question)
    }

    fn pending(&self) -> usize {
        // The peer of a socket is never finished, unless the server stops.
        let seated = self.seat.is_some() && !self.table.shared.stopping.load(Relaxed);
        let asking = self.authentication.as_ref().is_some_and(|authentication| authentication.is_asking());
        self.live.len() + usize::from(seated) + usize::from(asking)
    }

    fn held(&self) -> usize {
        self.held + self.seat.as_ref().map_or(0, |seat| seat.held())
    }

    fn inflated(&self) -> usize {
        self.connection.inflated()
    }

    fn is_over(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| seat.is_over())
    }

    fn closed(&mut self, _host: &mut Router, why: Status) {
        static GATE: LineGate = LineGate::new(10, 1);
        if tracing::enabled!(tracing::Level::DEBUG)
            && let Some(left_out) = GATE.pass()
        {
            let peer = &self.connection.peer;
            tracing::debug!(%peer, why = why.message(), left_out, "a connection has ended");
        }
        let now = clock::now();
        for key in 0..self.live.entries() as u32 {
            self.leave(key, why.clone(), now);
        }
        self.drop_question();
        self.seat = None;
        // No one receives the outcome of a handler that ends from now on. A posted line and the inbox that
        // contains it refer to each other: release both.
        self.lines.clear();
        self.desk.inbox().close(&mut self.drained);
        self.drained.clear();
    }
}

/// Who ends a call before its handler does.
enum Ender {
    /// The peer resets it, or is gone.
    Caller,
    Deadline,
    Operator,
}

/// The streams of a streaming call, and how it began.
struct Ends<'a> {
    /// Whether the method streams; otherwise only the offered streams do.
    streaming: bool,
    /// Whether the peer has already finished sending.
    finished: bool,
    /// Whether the body is the request; otherwise it is the first message of the stream.
    whole: bool,
    /// The streams that are offered inside the call.
    streams: &'a [Exchange],
}

/// Texts of at least this many bytes are parsed on the pool.
const LONG_TEXT: usize = 64 << 10;

/// Where a call's handler is polled first. A request of a few KB that decompresses to many MB, or a long
/// text, must not hold up a shard, not even the first time.
#[inline]
fn place_of(gauge: &Gauge, content: Content, compression: Compression, body: &IoBuf) -> Place {
    let is_text = matches!(content, Content::JSON | Content::PROTO_JSON | Content::PROTO_TEXT);
    match compression != Compression::NONE || is_text && body.len() >= LONG_TEXT {
        false => gauge.place(),
        true => gauge.place_of_costly(),
    }
}

/// Copies a request whose handler outlives the turn, so that it does not keep the read buffer of which it is
/// a small part: its message, its attachment and all slices that the handler takes of them.
#[inline]
fn unpin(body: &mut IoBuf) {
    if body.len() < SMALL && !body.is_empty() {
        *body = body.detached();
    }
}

#[cold]
fn expired() -> Outcome {
    let status = brpc::status(brpc::ERPCTIMEDOUT, "the deadline of the call has passed");
    Outcome { status, ..Outcome::default() }
}
