//! A connection without its socket: bytes in, bytes out, time in.
//!
//! [`Pump`] owns the machines of a connection, the dispatcher above them, the received bytes that no machine
//! has taken, and the unsent output. It never reads, writes, waits, or looks at a clock. The owner of the
//! socket drives it: the task [`crate::Connection`], or threads that wait for replies themselves (the
//! client's blocking calls).
//!
//! ```text
//!  begin ─► [ deadline passed? expire ] ─► pump ─┬─ Flush ──► write, wrote*, flushed, pump again
//!    ▲                                           ├─ Recognised ─► pump again
//!    │                                           ├─ Waits ──► read, received, pump again; or write, flushed, and wait
//!    └──────── end_turn ◄────────────────────────┼─ Spent ──► other connections have their turn
//!                                                └─ Over ───► write what is owed, then close the socket
//! ```
//!
//! Before waiting, a driver asks [`Pump::has_to_pump`] (a flush may have made room that a machine waited for)
//! and arms a timer for [`Pump::deadline`].

use crate::{
    Config, Dispatcher, Fault, Machines, Next, Question, Turn,
    connection_stats::Partial,
    dispatcher::Wires,
    input::{Input, Space},
    machines::Recognised,
    memory::HeldBytes,
    transport::{Peer, Security},
};
use bytes::BytesMut;
use polywire_base::Output;
use polywire_call::{Origin, Status, brpc};
use polywire_wire::{
    ClientSetup, Cx, Event, Goodbye, Protocol, Role, ServerSetup, Step, Validity, Wake, WireError,
};
use std::{
    hash::{BuildHasher, RandomState},
    sync::Arc,
    time::{Duration, Instant},
};

/// Bytes that are read while a machine is `Blocked`, only to notice the end of the stream.
const READ_AHEAD: usize = 16 << 10;
/// Messages that are handled in one turn.
const TURN_MESSAGES: u32 = 2048;
/// Once a turn has lasted this long, it takes no further message. Otherwise many handlers that are polled
/// inline, each of them quick, could keep other connections of the shard waiting.
const TURN_TIME: Duration = Duration::from_millis(1);
/// Bytes quoted of a peer that speaks another protocol.
const SHOWN: usize = 32;
/// How long a connection that accepts no further exchanges refuses new ones. Then it ends: a peer that
/// ignores refusals would otherwise keep it open forever.
const REFUSES: Duration = Duration::from_secs(1);
/// Smallest batch worth a write before the turn ends.
const LEAST_BATCH: u32 = 32;

/// The machines of one connection with everything they work on; see the module.
pub struct Pump<D: Dispatcher> {
    machines: Machines,
    dispatcher: D,
    host: D::Host,
    config: Arc<Config>,
    role: Role,
    security: Option<Arc<Security>>,
    /// See [`ServerSetup::loopback`].
    loopback: bool,
    input: Input,
    out: Output,
    phase: Phase,
    /// The reason for its end, and the number of calls in flight then.
    ended: Option<Box<(Status, usize)>>,
    /// Whether the machine should be polled: since it last reported `Need` or `Blocked`, there was new input,
    /// a command or room.
    dirty: bool,
    blocked: bool,
    /// The dispatcher may have commands.
    commanded: bool,
    /// Since when the connection accepts no further exchanges.
    draining: Option<Instant>,
    /// The peer has closed its write side.
    eof: bool,
    /// The last flush left unsent bytes.
    stalled: bool,
    /// Bytes have left, and a machine may have waited for that room.
    made_room: bool,
    /// Messages appended to `out` since the last flush, in this turn, and in the last turn.
    unflushed: u32,
    handled: u32,
    batch: u32,
    /// The end of the turn's time budget.
    until: Option<Instant>,
}

#[derive(Clone, Copy)]
enum Phase {
    Open,
    /// All calls have ended, and the unsent bytes still leave. `linger`: the peer gets a moment to read them.
    Over {
        linger: bool,
    },
}

/// The reason why [`Pump::pump`] returned.
pub enum Pumped {
    /// The machine waits: for bytes, for room, for a command or for its deadline.
    Waits,
    /// Enough bytes are unsent to be worth a write before the rest is handled.
    Flush,
    /// The first bytes have named the protocol.
    Recognised(&'static Protocol),
    /// The turn's budget is spent.
    Spent,
    /// Every call has ended: write the unsent bytes, then close the socket.
    Over,
}

impl<D: Dispatcher> Pump<D> {
    /// The pump of a server. The first bytes decide the protocol.
    pub fn server(config: Arc<Config>, dispatcher: D, host: D::Host) -> Self {
        Self::new(config, Machines::unknown(), Role::Server, dispatcher, host)
    }

    /// The pump of a client. `None` if the protocol has no client machine.
    pub fn client(
        config: Arc<Config>,
        protocol: &'static Protocol,
        setup: &ClientSetup<'_>,
        dispatcher: D,
        host: D::Host,
    ) -> Option<Self> {
        let machines = Machines::client(protocol, setup)?;
        Some(Self::new(config, machines, Role::Client, dispatcher, host))
    }

    fn new(config: Arc<Config>, machines: Machines, role: Role, dispatcher: D, host: D::Host) -> Self {
        Pump {
            machines,
            dispatcher,
            host,
            role,
            security: None,
            loopback: false,
            input: Input::default(),
            out: Output::new(config.room),
            config,
            phase: Phase::Open,
            ended: None,
            dirty: true,
            blocked: false,
            commanded: true,
            draining: None,
            eof: false,
            stalled: false,
            made_room: false,
            unflushed: 0,
            handled: 0,
            batch: 0,
            until: None,
        }
    }

    /// Begins a turn: resets its budget and marks that the dispatcher may have commands.
    #[inline]
    pub fn begin(&mut self, now: Instant) {
        self.until = Some(now + TURN_TIME);
        self.begin_again();
    }

    /// Begins another turn within the time budget of the last one.
    #[inline]
    pub(crate) fn begin_again(&mut self) {
        self.handled = 0;
        self.commanded = true;
    }

    /// Ends a turn and returns how many messages were handled in it.
    #[inline]
    pub fn end_turn(&mut self) -> u32 {
        self.batch = self.handled;
        self.handled
    }

    /// Runs commands and polls the machine until no work is left, or the driver has to act first.
    pub fn pump(&mut self, now: &mut Instant) -> Pumped {
        let pumped = self.pump_machines(now);
        if self.eof && matches!(pumped, Pumped::Waits) {
            self.end_at_eof();
            return Pumped::Over;
        }
        pumped
    }

    #[inline]
    fn pump_machines(&mut self, now: &mut Instant) -> Pumped {
        if !self.is_open() {
            return Pumped::Over;
        }
        if self.commanded && !self.commands(*now) {
            return Pumped::Flush;
        }
        if !self.has_to_pump() {
            return Pumped::Waits;
        }
        while self.handled < TURN_MESSAGES && self.until.is_none_or(|until| *now < until) {
            if self.machines.is_unknown() {
                return self.recognise(*now).map_or_else(|| self.waits(), Pumped::Recognised);
            }
            let (protocol, index, machine) = self.machines.active();
            let mut cx =
                Cx { now: *now, input: &mut self.input.waiting, out: &mut self.out, host: &mut self.host };
            let mut turn = Turn { now: *now, protocol, machine: index };
            let next = match machine.poll(&mut cx) {
                Ok(Step::Event(Event::Open(open))) => self.dispatcher.request(open, &mut turn),
                Ok(Step::Event(Event::Finish { exchange, outcome })) => {
                    self.dispatcher.outcome(exchange, outcome)
                }
                Ok(Step::Event(event)) => self.dispatcher.event(event, &mut turn),
                Ok(Step::Need(n)) => {
                    self.dirty = false;
                    self.blocked = false;
                    self.input.need(n);
                    return Pumped::Waits;
                }
                Ok(Step::Blocked) => {
                    self.dirty = false;
                    self.blocked = true;
                    self.input.compact();
                    return Pumped::Waits;
                }
                Ok(Step::Foreign) if self.role == Role::Client => {
                    self.fail(&WireError::BadMagic); // a server must answer in the client's protocol
                    return Pumped::Over;
                }
                Ok(Step::Foreign) => {
                    if self.recognise(*now).is_none() {
                        return self.waits();
                    }
                    continue;
                }
                Ok(Step::Become(machine)) => {
                    self.machines.replace_active(machine);
                    continue;
                }
                Ok(Step::Closed) => {
                    let why = Status::unavailable("the connection was closed").with_origin(Origin::Transport);
                    self.end(why, true);
                    return Pumped::Over;
                }
                Err(error) => {
                    self.fail(&error);
                    return Pumped::Over;
                }
            };
            *now = turn.now;
            self.handled += 1;
            match next {
                Next::Continue => {}
                Next::Finish(exchange, outcome) => {
                    let (_, _, machine) = self.machines.active();
                    let mut cx = Cx {
                        now: *now,
                        input: &mut self.input.waiting,
                        out: &mut self.out,
                        host: &mut self.host,
                    };
                    machine.finish(&mut cx, exchange, outcome);
                    self.unflushed += 1;
                    if self.unflushed >= self.portion() {
                        return Pumped::Flush;
                    }
                }
                Next::Verdict(verdict) => {
                    let (_, _, machine) = self.machines.active();
                    let mut cx = Cx {
                        now: *now,
                        input: &mut self.input.waiting,
                        out: &mut self.out,
                        host: &mut self.host,
                    };
                    machine.authenticated(&mut cx, verdict.map(|()| Validity::Credential));
                }
                Next::Commands => {
                    if !self.commands(*now) {
                        return Pumped::Flush;
                    }
                }
                Next::Close => {
                    self.end(Status::cancelled("closed by the handler"), false);
                    return Pumped::Over;
                }
            }
        }
        Pumped::Spent
    }

    /// The number of messages that are worth a write before more are handled.
    #[inline]
    fn portion(&self) -> u32 {
        LEAST_BATCH.max(self.batch / 3)
    }

    /// The dispatcher, and the parts that it acts on besides the messages of the peer.
    #[inline]
    fn wired(&mut self, now: Instant) -> (&mut D, Wires<'_, D::Host>) {
        let wires = Wires {
            now,
            host: &mut self.host,
            machines: &mut self.machines,
            input: &mut self.input.waiting,
            out: &mut self.out,
        };
        (&mut self.dispatcher, wires)
    }

    /// Runs posted commands in portions, so that the first requests are sent while the next are encoded.
    /// Returns false if a portion is complete and should be flushed before the next.
    fn commands(&mut self, now: Instant) -> bool {
        let most = self.portion().saturating_sub(self.unflushed).max(1);
        let (dispatcher, mut wires) = self.wired(now);
        let done = dispatcher.commands(&mut wires, most as usize) as u32;
        self.commanded = false;
        if done == 0 {
            return true;
        }
        self.dirty = true;
        self.handled += done;
        self.unflushed += done;
        self.commanded = done == most && self.handled < TURN_MESSAGES;
        !self.commanded
    }

    #[cold]
    fn waits(&self) -> Pumped {
        if self.is_open() { Pumped::Waits } else { Pumped::Over }
    }

    /// Finds out which protocol the input belongs to. `None`: more bytes are needed, or it belongs to no
    /// protocol and the connection ends.
    #[cold]
    fn recognise(&mut self, now: Instant) -> Option<&'static Protocol> {
        let alpn = self.security.as_ref().and_then(|security| security.alpn.as_deref());
        let Config { protocols, allowed, limits, authenticate, extensions, .. } = &*self.config;
        let setup = ServerSetup {
            limits: *limits,
            secure: self.security.is_some(),
            loopback: self.loopback,
            random: RandomState::new().hash_one(0) as i64,
            extensions: Some(extensions),
            ..ServerSetup::default()
        };
        let found = self.machines.recognise(
            &mut self.input.waiting,
            protocols,
            alpn,
            &**allowed,
            authenticate,
            &setup,
        );
        match found {
            Recognised::Owner(protocol) => {
                self.dispatcher.recognised(&mut self.host, protocol);
                if self.draining.is_some() {
                    self.goodbye(Goodbye::Drain, now);
                }
                Some(protocol)
            }
            Recognised::NeedMore(n) => {
                self.dirty = false;
                self.input.need_to_recognise(n);
                None
            }
            Recognised::Unknown => {
                self.dirty = false;
                if !self.input.is_empty() {
                    let fault =
                        if self.machines.is_unknown() { Fault::UnknownProtocol } else { Fault::Malformed };
                    self.config.faults.add(fault);
                    self.end(Status::invalid_argument("unknown protocol").with_origin(Origin::Remote), false);
                }
                None
            }
        }
    }

    /// Server: the local address that the peer connected to. To be called before anything is read.
    pub fn reached_at(&mut self, local: &Peer) {
        self.loopback = matches!(local, Peer::Ip(address) if address.ip().to_canonical().is_loopback());
    }

    /// The TLS handshake has established the peer's identity and protocol. To be called before anything else
    /// on a protected connection.
    #[cold]
    pub fn secured(&mut self, security: &Arc<Security>) {
        if self.security.is_none() {
            self.security = Some(security.clone());
            self.dispatcher.secured(security);
        }
    }

    /// Whether the protocol is not known yet.
    #[inline]
    pub fn is_unknown(&self) -> bool {
        self.machines.is_unknown()
    }

    /// Whether there may be something to do for the machine. While a long message is incomplete, only its end
    /// counts.
    #[inline]
    pub fn has_to_pump(&self) -> bool {
        self.dirty && !self.input.is_filling()
    }

    /// Whether more should be read now. A client always reads unless its machine is blocked: if both sides
    /// waited for the other to read, neither would go on.
    #[inline]
    pub fn takes_input(&self) -> bool {
        let ahead = self.blocked && self.input.waiting.len() >= READ_AHEAD;
        !(ahead || (self.role == Role::Server && self.out.len() > self.config.overfull))
    }

    /// Whether some of the held memory waits for the peer: the rest of a message, or bytes that the peer does
    /// not read.
    pub(crate) fn holds_for_peer(&self) -> bool {
        self.is_receiving() || !self.out.is_empty()
    }

    /// Whether the pump waits for nothing, and holds only its own memory.
    #[inline]
    pub(crate) fn holds_nothing(&self) -> bool {
        self.dispatcher.pending() == 0
            && self.out.is_empty()
            && self.input.is_empty()
            && !self.machines.iter().any(|machine| machine.holds())
    }

    /// The number of bytes that the calls keep, if the connection is open and holds nothing else besides
    /// received parts of open streams.
    #[inline]
    pub(crate) fn holds_only_calls(&self) -> Option<usize> {
        let only = self.is_open()
            && self.out.is_empty()
            && self.input.held() == 0
            && !self.machines.iter().any(|machine| machine.holds())
            && self.dispatcher.inflated() == 0;
        only.then(|| self.dispatcher.held())
    }

    /// Bytes that the connection holds: received, assembled by machines, of requests in flight, inflated,
    /// unsent.
    pub(crate) fn held_bytes(&self) -> HeldBytes {
        HeldBytes {
            input: self.input.held(),
            assembled: self.machines.iter().map(|machine| machine.held()).sum(),
            requests: self.dispatcher.held(),
            inflated: self.dispatcher.inflated(),
            unsent: self.out.memory(),
        }
    }

    /// The input to read into, and whether the bytes read may be kept for long. Call [`Pump::received`]
    /// afterwards.
    #[inline]
    pub(crate) fn input(&mut self) -> (&mut Input, bool) {
        let keeps = self.machines.is_receiving();
        (&mut self.input, keeps)
    }

    /// Notes that bytes were read into the input.
    #[inline]
    pub(crate) fn received(&mut self) {
        self.dirty = true;
    }

    /// Lends space to read into while others use the pump. `spare` is the driver's own buffer, used for all
    /// but long messages.
    pub fn lend(&mut self, spare: &mut BytesMut) -> Space {
        self.input.lend(spare)
    }

    /// Takes the space back, with the bytes that were read into it.
    pub fn take_back(&mut self, space: Space, spare: &mut BytesMut) {
        if self.is_open() {
            let keeps = self.machines.is_receiving();
            self.dirty |= self.input.take_back(space, spare, keeps);
        }
    }

    /// Records that the peer has closed its write side. The next `pump` still handles received bytes; then
    /// the connection is over.
    pub fn end_of_input(&mut self, now: Instant) {
        if let Some(from) = self.dispatcher.input_ended(&self.out) {
            self.out.truncate(from);
        }
        let (input, out, host) = (&mut self.input.waiting, &mut self.out, &mut self.host);
        self.machines.each(|machine| {
            let mut cx = Cx { now, input: &mut *input, out: &mut *out, host: &mut *host };
            let _ = machine.resume(&mut cx, Wake::Eof); // the connection ends either way
        });
        self.eof = true;
        self.commanded = false;
        self.dirty = !self.machines.is_unknown();
    }

    #[cold]
    fn end_at_eof(&mut self) {
        if self.is_open() && (self.input.is_filling() || (!self.input.is_empty() && !self.blocked)) {
            self.config.faults.add(Fault::Truncated);
        }
        let why = brpc::status(brpc::EEOF, "the peer closed the connection");
        self.end(why.with_origin(Origin::Transport), false);
    }

    /// Lends memory to write into during a turn; without it the pump allocates its own.
    #[inline]
    pub(crate) fn lend_memory(&mut self, memory: BytesMut) {
        self.out.lend_memory(memory);
    }

    /// Takes the memory back, unless it still holds unsent bytes or is larger than `most` bytes.
    #[inline]
    pub(crate) fn take_memory(&mut self, most: usize) -> BytesMut {
        self.out.take_memory(most)
    }

    /// The bytes that have not been written to the socket.
    #[inline]
    pub fn unsent(&self) -> &Output {
        &self.out
    }

    /// Notes that the first `bytes` of the unsent output were written.
    #[inline]
    pub fn wrote(&mut self, bytes: usize) {
        // A machine may be waiting for room although the socket takes everything at once.
        self.made_room |= self.stalled || self.blocked || self.out.room() < self.config.room / 2;
        self.out.advance(bytes);
    }

    /// Ends a flush: the socket accepts no more bytes for now, or none are left to send. Machines that waited
    /// for room continue.
    pub fn flushed(&mut self, now: Instant) {
        self.unflushed = 0;
        self.stalled = !self.out.is_empty();
        self.dispatcher.flushed(&self.out);
        if std::mem::take(&mut self.made_room) && self.out.room() > 0 {
            self.resume(Wake::Room, now);
        }
    }

    /// Discards the unsent bytes: nothing will read them.
    pub fn discard_unsent(&mut self) {
        self.out.take();
    }

    /// When [`Pump::expire`] has to be called next.
    pub fn deadline(&self) -> Option<Instant> {
        if !self.is_open() {
            return None;
        }
        self.machines.iter().filter_map(|m| m.deadline()).chain(self.dispatcher.next_deadline()).min()
    }

    /// Ends calls whose deadline has passed, and wakes machines whose deadline has passed. Early calls are
    /// harmless.
    #[cold]
    pub fn expire(&mut self, now: Instant) {
        if !self.is_open() {
            return;
        }
        if self.machines.iter().filter_map(|m| m.deadline()).any(|at| at <= now) {
            self.resume(Wake::Deadline, now);
        }
        let (dispatcher, mut wires) = self.wired(now);
        dispatcher.expire(&mut wires);
        self.dirty = true;
    }

    /// Lets the dispatcher answer a question; see [`Dispatcher::asked`].
    #[cold]
    pub fn asked(&mut self, question: Question, now: Instant) -> Option<Question> {
        if !self.is_open() {
            return None;
        }
        let (dispatcher, mut wires) = self.wired(now);
        let rest = dispatcher.asked(question, &mut wires);
        self.dirty = true;
        rest
    }

    fn resume(&mut self, why: Wake, now: Instant) {
        let (input, out, host) = (&mut self.input.waiting, &mut self.out, &mut self.host);
        let mut failed = None;
        self.machines.each(|machine| {
            let mut cx = Cx { now, input: &mut *input, out: &mut *out, host: &mut *host };
            if let Err(error) = machine.resume(&mut cx, why) {
                failed = Some(error);
            }
        });
        self.dirty = true;
        if let Some(error) = failed {
            self.fail(&error);
        }
    }

    /// Accepts no further exchanges; those in flight continue.
    pub fn drain(&mut self, now: Instant) {
        if self.draining.is_none() {
            self.draining = Some(now);
            self.goodbye(Goodbye::Drain, now);
        }
    }

    /// Lets the machines announce to the peer that the connection will close.
    pub fn goodbye(&mut self, phase: Goodbye, now: Instant) {
        let (input, out, host) = (&mut self.input.waiting, &mut self.out, &mut self.host);
        self.machines.each(|machine| {
            let mut cx = Cx { now, input: &mut *input, out: &mut *out, host: &mut *host };
            machine.goodbye(&mut cx, phase);
        });
        self.dirty = true;
    }

    /// Ends a connection that is not needed any more, or that was to end once nothing is in flight. Returns
    /// whether it did.
    pub fn end_if_idle(&mut self, now: Instant) -> bool {
        let (why, linger) = if self.dispatcher.is_over() && self.out.is_empty() {
            ("closed", false)
        } else if self.draining.is_some_and(|since| self.is_quiet() || self.only_refuses(since, now)) {
            ("drained", true)
        } else {
            return false;
        };
        self.goodbye(Goodbye::Close, now);
        self.end(Status::unavailable(why).with_origin(Origin::Transport), linger);
        true
    }

    /// Whether requests still arrive although the peer was informed long enough ago that none is accepted.
    #[cold]
    fn only_refuses(&self, since: Instant, now: Instant) -> bool {
        let receiving = self.input.is_filling() || self.machines.is_receiving();
        self.dispatcher.pending() == 0 && !receiving && now.saturating_duration_since(since) >= REFUSES
    }

    /// Whether nothing is in flight: no call, no reply, no request that has begun to arrive.
    pub(crate) fn is_quiet(&self) -> bool {
        self.dispatcher.pending() == 0 && self.out.is_empty() && !self.is_receiving()
    }

    /// Whether a message has begun to arrive.
    fn is_receiving(&self) -> bool {
        !self.input.is_empty() || self.machines.is_receiving()
    }

    /// The messages that are incomplete because the peer has not sent the rest.
    #[inline]
    pub(crate) fn partial(&self) -> Partial {
        if self.blocked || !self.is_receiving() {
            return Partial::None;
        }
        match self.machines.oldest() {
            Some(oldest) => Partial::Since(oldest),
            None if self.input.is_empty() && self.machines.is_patient() => Partial::None,
            None => Partial::One,
        }
    }

    /// Whether an incomplete message may have begun at `begun` or before.
    pub(crate) fn is_late(&self, begun: Instant) -> bool {
        match self.partial() {
            Partial::None => false,
            Partial::One => true, // only the connection's counters know since when
            Partial::Since(oldest) => oldest <= begun,
        }
    }

    /// Lets the machines end incomplete messages that began at `begun` or before; see [`Machine::give_up`].
    /// Returns their number.
    ///
    /// [`Machine::give_up`]: polywire_wire::Machine::give_up
    #[cold]
    pub(crate) fn give_up(&mut self, begun: Instant, now: Instant) -> u32 {
        if !self.is_open() {
            return 0;
        }
        let (input, out, host) = (&mut self.input.waiting, &mut self.out, &mut self.host);
        let mut late = 0;
        self.machines.each(|machine| {
            let mut cx = Cx { now, input: &mut *input, out: &mut *out, host: &mut *host };
            late += machine.give_up(&mut cx, begun);
        });
        self.dirty |= late > 0;
        late
    }

    /// Number of calls in flight.
    #[inline]
    pub fn pending(&self) -> usize {
        self.dispatcher.pending()
    }

    /// Called before the driver waits. Returns false if something was posted meanwhile.
    #[inline]
    pub fn sleep(&mut self, waker: &std::task::Waker) -> bool {
        self.dispatcher.sleep(waker)
    }

    /// The peer broke the protocol; the machine has already written its final message to the peer.
    #[cold]
    fn fail(&mut self, error: &WireError) {
        if self.is_open() {
            self.config.faults.add(Fault::from(error));
        }
        let mut why = explain(error);
        if self.role == Role::Client && *error == WireError::BadMagic {
            let n = self.input.waiting.len().min(SHOWN);
            let front = self.input.waiting.peek(n).unwrap_or_default().escape_ascii().to_string();
            let text = format!("{}, beginning \"{front}\"", why.message());
            why = why.with_message(text);
        }
        self.end(why, true);
    }

    /// Ends all calls now; the unsent bytes still leave.
    #[cold]
    pub fn end(&mut self, why: Status, linger: bool) {
        if self.is_open() {
            if let Some(from) = self.dispatcher.takes_back(&self.out) {
                self.out.truncate(from);
            }
            self.ended = Some(Box::new((why.clone(), self.dispatcher.pending())));
            self.dispatcher.closed(&mut self.host, why);
            self.phase = Phase::Over { linger: linger && self.role == Role::Server };
            self.input = Input::default();
        }
    }

    /// The reason for the end, and the number of calls in flight then.
    pub(crate) fn ended(&self) -> (&str, usize) {
        self.ended.as_ref().map_or(("", 0), |ended| (ended.0.message(), ended.1))
    }

    /// Whether calls may still be answered.
    #[inline]
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open)
    }

    /// Whether the connection has ended and the peer is given a moment to read the final bytes.
    pub fn lingers(&self) -> bool {
        matches!(self.phase, Phase::Over { linger: true })
    }

    pub fn role(&self) -> Role {
        self.role
    }

    pub fn dispatcher(&self) -> &D {
        &self.dispatcher
    }

    pub fn dispatcher_mut(&mut self) -> &mut D {
        &mut self.dispatcher
    }

    pub fn config(&self) -> &Arc<Config> {
        &self.config
    }
}

#[cold]
fn explain(error: &WireError) -> Status {
    let text = match error {
        WireError::BadMagic => "bytes of another protocol",
        WireError::TooLarge => "a message is larger than the limit",
        WireError::FlowControl => "flow control was broken",
        WireError::Malformed(what) => what,
        WireError::Flood(_) => "too much of what asks for nothing",
        WireError::Silent => {
            // the same text as when the connection is found dead
            let text = "the peer gave no sign of life in time";
            return brpc::status(brpc::EFAILEDSOCKET, text).with_origin(Origin::Transport);
        }
    };
    Status::internal(format!("the peer broke the protocol: {text}")).with_origin(Origin::Remote)
}
