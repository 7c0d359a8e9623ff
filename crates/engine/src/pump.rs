//! A connection without its socket: bytes in, bytes out, time in.
//!
//! [`Pump`] owns the machines of a connection, the dispatcher above them, and what has been received and not taken, or
//! appended and not sent. It never reads, writes, waits, or looks at a clock. Whoever has the socket drives it: the
//! task [`crate::Connection`], or threads that wait for replies themselves (the client's blocking calls).
//!
//! ```text
//!  begin ─► [ deadline passed? expire ] ─► pump ─┬─ Flush ──► write, wrote*, flushed, pump again
//!    ▲                                           ├─ Recognised ─► pump again
//!    │                                           ├─ Waits ──► read, received, pump again; or write, flushed, and wait
//!    └──────── end_turn ◄────────────────────────┼─ Spent ──► other connections have their turn
//!                                                └─ Over ───► write what is owed, then close the socket
//! ```
//!
//! Before waiting, a driver asks [`Pump::has_to_pump`] (a flush may have made room that a machine waited for) and arms a
//! timer for [`Pump::deadline`].

use crate::{
    Config, Dispatcher, Fault, Machines, Next, Turn,
    dispatcher::Wires,
    input::{Input, Space},
    machines::Recognised,
    transport::{Peer, Security},
    vitals::Partial,
};
use bytes::BytesMut;
use polywire_base::Output;
use polywire_call::{Origin, Status, brpc};
use polywire_wire::{ClientSetup, Cx, Goodbye, Protocol, Role, ServerSetup, Step, Validity, Wake, WireError};
use std::{
    hash::{BuildHasher, RandomState},
    sync::Arc,
    time::{Duration, Instant},
};

/// Read while a machine is `Blocked`, only to notice the peer's end.
const READ_AHEAD: usize = 16 << 10;
/// Messages handled in one turn.
const TURN_MESSAGES: u32 = 2048;
/// After so long a turn takes no further message: handlers that are polled where their request was read, and say when they
/// began and ended, must not keep other connections of the shard waiting by their number.
const TURN_TIME: Duration = Duration::from_millis(1);
/// Bytes that are shown of a peer that speaks another protocol.
const SHOWN: usize = 32;
/// Smallest batch worth a write before the turn ends.
const LEAST_BATCH: u32 = 32;

/// The machines of one connection with all that they work on; see the module.
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
    /// The machine should be polled: input, a command or room came since it last said `Need` or `Blocked`.
    dirty: bool,
    blocked: bool,
    /// The dispatcher may have commands.
    commanded: bool,
    draining: bool,
    /// The peer sends no more.
    eof: bool,
    /// The last flush left something.
    stalled: bool,
    /// Bytes have left that a machine may have waited for.
    made_room: bool,
    /// Messages appended to `out` since the last flush, and in this turn, and in the last.
    unflushed: u32,
    handled: u32,
    batch: u32,
    /// When the turn has used up its time.
    until: Option<Instant>,
}

#[derive(Clone, Copy)]
enum Phase {
    Open,
    /// Calls have ended; what is owed still leaves. `linger`: the peer needs a moment to read it.
    Over {
        linger: bool,
    },
}

/// Why [`Pump::pump`] returned.
pub enum Pumped {
    /// The machine waits: for bytes, for room, for a command or for its deadline.
    Waits,
    /// Enough is owed to be worth a write before the rest is handled.
    Flush,
    /// The first bytes have named the protocol.
    Recognised(&'static Protocol),
    /// The turn's budget is spent.
    Spent,
    /// Every call has ended: what is owed leaves, then the socket is closed.
    Over,
}

impl<D: Dispatcher> Pump<D> {
    /// The server's end: the first bytes decide the protocol.
    pub fn server(config: Arc<Config>, dispatcher: D, host: D::Host) -> Self {
        Self::new(config, Machines::unknown(), Role::Server, dispatcher, host)
    }

    /// The client's end. `None` if the protocol has no machine.
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
            dirty: true,
            blocked: false,
            commanded: true,
            draining: false,
            eof: false,
            stalled: false,
            made_room: false,
            unflushed: 0,
            handled: 0,
            batch: 0,
            until: None,
        }
    }

    /// Begins a turn: its budget is whole again, and the dispatcher is asked for commands.
    #[inline]
    pub fn begin(&mut self, now: Instant) {
        self.until = Some(now + TURN_TIME);
        self.begin_again();
    }

    /// Begins another turn in the time of the last one.
    #[inline]
    pub(crate) fn begin_again(&mut self) {
        self.handled = 0;
        self.commanded = true;
    }

    /// Ends a turn: how many messages were handled in it.
    #[inline]
    pub fn end_turn(&mut self) -> u32 {
        self.batch = self.handled;
        self.handled
    }

    /// Runs commands and polls the machine until there is nothing to do, or something for the driver to do first.
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
            let next = match machine.poll(&mut cx) {
                Ok(Step::Event(event)) => {
                    let mut turn = Turn { now: *now, protocol, machine: index };
                    let next = self.dispatcher.event(event, &mut turn);
                    *now = turn.now;
                    next
                }
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
                    self.fail(&WireError::BadMagic); // a client is answered in what it speaks
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

    /// Messages that are worth a write before more are handled.
    #[inline]
    fn portion(&self) -> u32 {
        LEAST_BATCH.max(self.batch / 3)
    }

    /// Runs what was posted from outside, in portions so that the first requests leave while the next are encoded.
    /// False: a portion is done, to be flushed before the next.
    fn commands(&mut self, now: Instant) -> bool {
        let most = self.portion().saturating_sub(self.unflushed).max(1);
        let mut wires = Wires {
            now,
            host: &mut self.host,
            machines: &mut self.machines,
            input: &mut self.input.waiting,
            out: &mut self.out,
        };
        let done = self.dispatcher.commands(&mut wires, most as usize) as u32;
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

    /// Finds out whose the front is. `None`: more bytes are needed, or it belongs to no protocol and the connection ends.
    #[cold]
    fn recognise(&mut self, now: Instant) -> Option<&'static Protocol> {
        let alpn = self.security.as_ref().and_then(|security| security.alpn.as_deref());
        let Config { registry, allowed, limits, authenticate, extensions, .. } = &*self.config;
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
            registry,
            alpn,
            &**allowed,
            authenticate,
            &setup,
        );
        match found {
            Recognised::Owner(protocol) => {
                self.dispatcher.recognised(&mut self.host, protocol);
                if self.draining {
                    self.goodbye(Goodbye::Drain, now);
                }
                Some(protocol)
            }
            Recognised::NeedMore(n) => {
                self.dirty = false;
                self.input.need_to_recognise(n);
                None
            }
            Recognised::Nobody => {
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

    /// Server: the address at which the peer reached us. Before anything is read.
    pub fn reached_at(&mut self, local: &Peer) {
        self.loopback = matches!(local, Peer::Ip(address) if address.ip().to_canonical().is_loopback());
    }

    /// TLS has told who the peer is and what it speaks. Before anything else of a protected connection.
    #[cold]
    pub fn secured(&mut self, security: &Arc<Security>) {
        if self.security.is_none() {
            self.security = Some(security.clone());
            self.dispatcher.secured(security);
        }
    }

    /// The protocol is not known yet.
    #[inline]
    pub fn is_unknown(&self) -> bool {
        self.machines.is_unknown()
    }

    /// There may be something to take for the machine, which waits for the whole of a long message.
    #[inline]
    pub fn has_to_pump(&self) -> bool {
        self.dirty && !self.input.is_filling()
    }

    /// Whether more should be read now. A client always reads unless its machine is blocked: were both sides to wait for
    /// the other to take what they owe, neither would go on.
    #[inline]
    pub fn takes_input(&self) -> bool {
        let ahead = self.blocked && self.input.waiting.len() >= READ_AHEAD;
        !(ahead || (self.role == Role::Server && self.out.len() > self.config.overfull))
    }

    /// What to read into, and whether what is read there may stay for long; say [`Pump::received`] afterwards.
    #[inline]
    pub(crate) fn input(&mut self) -> (&mut Input, bool) {
        let keeps = self.machines.is_receiving();
        (&mut self.input, keeps)
    }

    /// Bytes came.
    #[inline]
    pub(crate) fn received(&mut self) {
        self.dirty = true;
    }

    /// Space to read into while others use the pump. `spare` is the driver's own buffer, used for all but long messages.
    pub fn lend(&mut self, spare: &mut BytesMut) -> Space {
        self.input.lend(spare)
    }

    /// The space comes back with what was read into it.
    pub fn take_back(&mut self, space: Space, spare: &mut BytesMut) {
        if self.is_open() {
            let keeps = self.machines.is_receiving();
            self.dirty |= self.input.take_back(space, spare, keeps);
        }
    }

    /// The peer sends no more. What is here is still handled by the next `pump`; then the connection is over.
    pub fn end_of_input(&mut self, now: Instant) {
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

    /// Memory to write into during a turn; without it there is some of our own.
    #[inline]
    pub(crate) fn lend_memory(&mut self, memory: BytesMut) {
        self.out.lend_memory(memory);
    }

    /// The memory comes back, unless something is still owed or there is more than `most` bytes of it.
    #[inline]
    pub(crate) fn take_memory(&mut self, most: usize) -> BytesMut {
        self.out.take_memory(most)
    }

    /// What is owed to the socket.
    #[inline]
    pub fn owed(&self) -> &Output {
        &self.out
    }

    /// The front of what is owed has left.
    #[inline]
    pub fn wrote(&mut self, bytes: usize) {
        // A machine may be waiting for room although the socket takes everything at once.
        self.made_room |= self.stalled || self.blocked || self.out.room() < self.config.room / 2;
        self.out.advance(bytes);
    }

    /// A flush is over: the socket takes no more for now, or nothing is owed. Machines that waited for room go on.
    pub fn flushed(&mut self, now: Instant) {
        self.unflushed = 0;
        self.stalled = !self.out.is_empty();
        self.dispatcher.flushed(&self.out);
        if std::mem::take(&mut self.made_room) && self.out.room() > 0 {
            self.resume(Wake::Room, now);
        }
    }

    /// What is owed is thrown away: nobody will read it.
    pub fn forget_owed(&mut self) {
        self.out.take();
    }

    /// When [`Pump::expire`] is to be called.
    pub fn deadline(&self) -> Option<Instant> {
        if !self.is_open() {
            return None;
        }
        self.machines.iter().filter_map(|m| m.deadline()).chain(self.dispatcher.next_deadline()).min()
    }

    /// Ends what is past its deadline; machines hear of theirs. Early calls do no harm.
    #[cold]
    pub fn expire(&mut self, now: Instant) {
        if !self.is_open() {
            return;
        }
        if self.machines.iter().filter_map(|m| m.deadline()).any(|at| at <= now) {
            self.resume(Wake::Deadline, now);
        }
        let mut wires = Wires {
            now,
            host: &mut self.host,
            machines: &mut self.machines,
            input: &mut self.input.waiting,
            out: &mut self.out,
        };
        self.dispatcher.expire(&mut wires);
        self.dirty = true;
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

    /// Takes no further exchanges; those under way go on.
    pub fn drain(&mut self, now: Instant) {
        if !std::mem::replace(&mut self.draining, true) {
            self.goodbye(Goodbye::Drain, now);
        }
    }

    /// Machines say goodbye to the peer.
    pub fn goodbye(&mut self, phase: Goodbye, now: Instant) {
        let (input, out, host) = (&mut self.input.waiting, &mut self.out, &mut self.host);
        self.machines.each(|machine| {
            let mut cx = Cx { now, input: &mut *input, out: &mut *out, host: &mut *host };
            machine.goodbye(&mut cx, phase);
        });
        self.dirty = true;
    }

    /// Ends a connection that nobody needs any more, or that was to end once nothing is under way. True: it did.
    pub fn end_if_idle(&mut self, now: Instant) -> bool {
        let (why, linger) = if self.dispatcher.is_over() && self.out.is_empty() {
            ("closed", false)
        } else if self.draining && self.is_quiet() {
            ("drained", true)
        } else {
            return false;
        };
        self.goodbye(Goodbye::Close, now);
        self.end(Status::unavailable(why).with_origin(Origin::Transport), linger);
        true
    }

    /// Nothing is under way: no call, no reply, no request that has begun to arrive.
    fn is_quiet(&self) -> bool {
        self.dispatcher.pending() == 0 && self.out.is_empty() && !self.is_receiving()
    }

    /// A message has begun to arrive.
    fn is_receiving(&self) -> bool {
        !self.input.is_empty() || self.machines.is_receiving()
    }

    /// What has begun to arrive, and is only kept by the peer from ending.
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

    /// A message may have begun at `begun` or before and is not complete.
    pub(crate) fn is_late(&self, begun: Instant) -> bool {
        match self.partial() {
            Partial::None => false,
            Partial::One => true, // only the connection's figures tell since when
            Partial::Since(oldest) => oldest <= begun,
        }
    }

    /// Machines end what began to arrive at `begun` or before and is not complete, see [`Machine::give_up`]; how many it was.
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

    /// Calls under way.
    #[inline]
    pub fn pending(&self) -> usize {
        self.dispatcher.pending()
    }

    /// Before the driver waits: false if something was posted meanwhile.
    #[inline]
    pub fn sleep(&mut self, waker: &std::task::Waker) -> bool {
        self.dispatcher.sleep(waker)
    }

    /// The peer broke the protocol; the machine has written its words of farewell.
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

    /// Calls end now; what is owed still leaves.
    #[cold]
    pub fn end(&mut self, why: Status, linger: bool) {
        if self.is_open() {
            if self.dispatcher.takes_back(&self.out) {
                self.out.take();
            }
            self.dispatcher.closed(&mut self.host, why);
            self.phase = Phase::Over { linger: linger && self.role == Role::Server };
            self.input = Input::default();
        }
    }

    /// Calls may still be answered.
    #[inline]
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open)
    }

    /// Over, and the peer is given a moment to read what it was told last.
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
            let text = "the peer gave no sign of life in time"; // lost as if its end had been told
            return brpc::status(brpc::EFAILEDSOCKET, text).with_origin(Origin::Transport);
        }
    };
    Status::internal(format!("the peer broke the protocol: {text}")).with_origin(Origin::Remote)
}
