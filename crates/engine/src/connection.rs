//! One connection: reads, pumps its machines, flushes early and in batches.
//!
//! ```text
//!  woken -> deadlines -> commands -> [ read once -> poll, event, finish, ... until Need or Blocked ]* -> flush -> wait
//!                            `-- flush in between whenever max(32, last batch / 3) messages are pending --'
//! ```
//!
//! Flushing only at the end of a turn makes both peers take turns sleeping; flushing every message costs a system call
//! each. With a third of the last batch, the peer works on the first third while we make the second.
//!
//! Limits: one turn handles at most [`TURN_MESSAGES`] messages and [`TURN_BYTES`] bytes before other connections have
//! their turn; reading stops while more than [`Config::overfull`] bytes are owed, or while a machine is `Blocked` and
//! [`READ_AHEAD`] bytes wait (a little is read so that the peer's end is noticed).
//!
//! Not here: buffers that reads fill (`input`), what the first bytes mean (`machines`), time limits of idle and slow
//! peers (`vitals`).

use crate::{
    Dispatcher, Fault, Faults, Machines, Next, Timeouts, Transport, Turn, Vitals, clock,
    dispatcher::Wires,
    inline,
    input::{self, Input},
    machines::Recognised,
    shard,
    transport::{Broken, Protection},
    vitals::Signal,
};
use polywire_base::Output;
use polywire_call::{Origin, Status, brpc};
use polywire_wire::{
    Cx, Extensions, Goodbye, Limits, Protocol, Registry, Role, Setup, Step, Wake, WireError,
};
use std::{
    future::Future,
    hash::{BuildHasher, RandomState},
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};
use tokio::{runtime::Handle, time::Sleep};

/// Read while `Blocked`, only to notice the peer's end.
const READ_AHEAD: usize = 16 << 10;
/// Turns in a row, while something is posted as fast as we look, before other connections have theirs.
const ROUNDS: u32 = 8;
const TURN_MESSAGES: u32 = 2048;
const TURN_BYTES: usize = 512 << 10;
const FLUSH_BYTES: u64 = 4 << 20;
/// How long an ended connection reads on, so that the peer gets our last words and not a reset.
const LINGER: Duration = Duration::from_secs(1);
/// And how much.
const LINGER_BYTES: usize = 256 << 10;
/// Smallest batch worth a write before the turn ends.
const LEAST_BATCH: u32 = 32;

/// What all connections of a listener or a channel share.
pub struct Config {
    /// Who may own first bytes; a client's protocol is given to [`Connection::client`] instead.
    pub registry: Registry,
    /// Which of them are allowed here.
    pub allowed: Box<dyn Fn(&Protocol) -> bool + Send + Sync>,
    pub limits: Limits,
    /// Server: nothing is dispatched before a credential was accepted.
    pub authenticate: bool,
    /// Server: origins whose pages may call over HTTP, between commas; `*` for all, empty for none.
    pub cross_origin: String,
    /// Settings of single protocols.
    pub extensions: Extensions,
    /// Bytes owed beyond which bulk data waits in its machine. Default 256 KiB.
    pub room: usize,
    /// Bytes owed beyond which a server reads nothing and a client takes no further calls (EOVERCROWDED). Default
    /// 64 MiB, brpc's `socket_max_unwritten_bytes`.
    pub overfull: usize,
    /// On shards all of them hold; on other runtimes only `write_stall` does.
    pub timeouts: Timeouts,
    /// Where bad ends are counted.
    pub faults: Arc<Faults>,
}

impl Config {
    pub fn new(registry: Registry) -> Self {
        Config {
            registry,
            allowed: Box::new(|_| true),
            limits: Limits::default(),
            authenticate: false,
            cross_origin: String::new(),
            extensions: Extensions::default(),
            room: 256 << 10,
            overfull: 64 << 20,
            timeouts: Timeouts::default(),
            faults: Arc::default(),
        }
    }
}

enum State {
    Open,
    /// Calls have ended; what is owed still leaves.
    Flushing {
        linger: bool,
    },
    /// Our half is shut; reads on for a moment.
    Lingering {
        left: usize,
    },
}

/// Drives one socket. A future: spawn it on a shard or on any tokio runtime.
pub struct Connection<D: Dispatcher> {
    transport: Box<dyn Transport>,
    machines: Machines,
    dispatcher: D,
    host: D::Host,
    config: Arc<Config>,
    vitals: Arc<Vitals>,
    role: Role,
    input: Input,
    out: Output,
    state: State,
    /// The machine should be polled: input, a command or room came since it last said `Need` or `Blocked`.
    dirty: bool,
    blocked: bool,
    /// Output does not fit the socket, and none has left since then.
    stalled: Option<Instant>,
    /// A flush stopped to let others have their turn.
    unfinished: bool,
    /// What is owed has waited for a turn.
    postponed: bool,
    draining: bool,
    began: bool,
    /// Context of user code that is polled here: the shard's work pool.
    work: Option<Handle>,
    /// Messages appended to `out` since the last flush, and in this turn, and in the last.
    unflushed: u32,
    handled: u32,
    batch: u32,
    timer: Option<Pin<Box<Sleep>>>,
    timer_at: Option<Instant>,
    linger_until: Option<Instant>,
}

/// How a turn went.
enum Turned {
    /// Nothing to do before something happens.
    Wait,
    /// More to do, after others had their turn.
    Yield,
    Over,
}

impl<D: Dispatcher> Connection<D> {
    /// A connection that was accepted: its first bytes decide the protocol.
    pub fn server(transport: Box<dyn Transport>, config: Arc<Config>, dispatcher: D, host: D::Host) -> Self {
        Self::new(transport, config, Machines::unknown(), Role::Server, dispatcher, host)
    }

    /// A connection that was made to speak `protocol`. `None` if that protocol has no machine.
    pub fn client(
        transport: Box<dyn Transport>,
        config: Arc<Config>,
        protocol: &'static Protocol,
        setup: &Setup<'_>,
        dispatcher: D,
        host: D::Host,
    ) -> Option<Self> {
        let machines = Machines::of(protocol, Role::Client, setup)?;
        let connection = Self::new(transport, config, machines, Role::Client, dispatcher, host);
        connection.vitals.set_protocol(protocol.name);
        Some(connection)
    }

    fn new(
        transport: Box<dyn Transport>,
        config: Arc<Config>,
        machines: Machines,
        role: Role,
        dispatcher: D,
        host: D::Host,
    ) -> Self {
        Connection {
            vitals: Vitals::new(transport.peer().clone(), transport.local().clone(), config.timeouts),
            transport,
            machines,
            dispatcher,
            host,
            out: Output::new(config.room),
            config,
            role,
            input: Input::default(),
            state: State::Open,
            dirty: true,
            blocked: false,
            stalled: None,
            unfinished: false,
            postponed: false,
            draining: false,
            began: false,
            work: None,
            unflushed: 0,
            handled: 0,
            batch: 0,
            timer: None,
            timer_at: None,
            linger_until: None,
        }
    }

    pub fn vitals(&self) -> &Arc<Vitals> {
        &self.vitals
    }

    fn turn(&mut self, task: &mut Context<'_>) -> io::Result<Turned> {
        let mut now = clock::now();
        self.handled = 0;
        let signal = self.vitals.signal();
        if signal != Signal::None {
            self.obey(signal, now);
        }
        if self.timer_at.is_some_and(|at| at <= now) {
            self.expire(now);
        }
        let turned = match self.state {
            State::Open => self.turn_open(task, &mut now)?,
            State::Flushing { .. } => Turned::Wait,
            State::Lingering { .. } => return self.linger(task),
        };
        let postponed = self.postpones();
        if !postponed {
            self.flush(task, now)?;
        }
        self.batch = self.handled;
        if self.handled > 0 {
            shard::active(now);
        }
        let (owed, pending) = (self.out.len(), self.dispatcher.pending());
        let partial = !self.blocked && self.is_receiving();
        self.vitals.settle(owed, pending, self.handled.into(), partial, now);
        if let State::Flushing { linger } = self.state {
            if self.out.is_empty() {
                self.transport.shutdown();
                if !linger {
                    return Ok(Turned::Over);
                }
                self.state = State::Lingering { left: LINGER_BYTES };
                self.linger_until = Some(now + LINGER);
                return self.linger(task);
            }
        } else if self.dispatcher.is_over() && self.out.is_empty() {
            self.say(Goodbye::Close, now);
            self.end(Status::unavailable("closed").with_origin(Origin::Transport), false);
            return Ok(Turned::Yield);
        } else if self.draining && self.is_quiet() {
            self.say(Goodbye::Close, now);
            self.end(Status::unavailable("drained").with_origin(Origin::Transport), true);
            return Ok(Turned::Yield);
        } else if self.has_to_pump() || self.unfinished || postponed {
            // The flush made room for a machine that was blocked, or has more to do; or handlers have their turn first.
            return Ok(Turned::Yield);
        }
        Ok(turned)
    }

    /// What is owed stays for one more turn, once.
    #[inline]
    fn postpones(&mut self) -> bool {
        let waited = std::mem::take(&mut self.postponed);
        self.postponed = !waited && self.out.can_wait() && matches!(self.state, State::Open);
        self.postponed
    }

    /// Nothing is under way: no call, no reply, no request that has begun to arrive.
    fn is_quiet(&self) -> bool {
        self.dispatcher.pending() == 0 && self.out.is_empty() && !self.is_receiving()
    }

    /// There may be something to take for the machine, which waits for the whole of a long message.
    #[inline]
    fn has_to_pump(&self) -> bool {
        self.dirty && !self.input.is_filling()
    }

    /// A message has begun to arrive.
    fn is_receiving(&self) -> bool {
        !self.input.is_empty() || self.machines.is_receiving()
    }

    fn turn_open(&mut self, task: &mut Context<'_>, now: &mut Instant) -> io::Result<Turned> {
        self.commands(task, now)?;
        let mut bytes = TURN_BYTES;
        loop {
            if self.has_to_pump() {
                self.pump(task, now)?;
            }
            if !matches!(self.state, State::Open) {
                return Ok(Turned::Wait);
            }
            if self.has_to_pump() || bytes == 0 {
                return Ok(Turned::Yield); // the turn's budget is spent
            }
            let ahead = self.blocked && self.input.waiting.len() >= READ_AHEAD;
            // A client always reads: were both sides to wait for the other to take what they owe, neither would go on.
            if ahead || (self.role == Role::Server && self.out.len() > self.config.overfull) {
                return Ok(Turned::Wait);
            }
            match self.input.read(&mut *self.transport, task, self.machines.is_receiving()) {
                Poll::Pending => return Ok(Turned::Wait),
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Ready(Ok(0)) => {
                    self.end_of_input(task, now)?;
                    return Ok(Turned::Wait);
                }
                Poll::Ready(Ok(n)) => {
                    bytes = bytes.saturating_sub(n);
                    self.vitals.read(n, *now);
                    self.dirty = true;
                }
            }
        }
    }

    /// Polls the machine until it needs more bytes, is blocked, or the turn's budget is spent.
    fn pump(&mut self, task: &mut Context<'_>, now: &mut Instant) -> io::Result<()> {
        while self.handled < TURN_MESSAGES {
            if self.machines.is_unknown() && !self.recognise(*now) {
                return Ok(());
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
                    return Ok(());
                }
                Ok(Step::Blocked) => {
                    self.dirty = false;
                    self.blocked = true;
                    self.input.compact();
                    return Ok(());
                }
                Ok(Step::Foreign) if self.role == Role::Client => {
                    self.fail(&WireError::BadMagic); // a client is answered in what it speaks
                    return Ok(());
                }
                Ok(Step::Foreign) => {
                    if !self.recognise(*now) {
                        return Ok(());
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
                    return Ok(());
                }
                Err(error) => {
                    self.fail(&error);
                    return Ok(());
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
                    self.appended(task, *now)?;
                }
                Next::Verdict(verdict) => {
                    let (_, _, machine) = self.machines.active();
                    let mut cx = Cx {
                        now: *now,
                        input: &mut self.input.waiting,
                        out: &mut self.out,
                        host: &mut self.host,
                    };
                    machine.authenticated(&mut cx, verdict);
                }
                Next::Commands => self.commands(task, now)?,
                Next::Close => {
                    self.end(Status::cancelled("closed by the handler"), false);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// A message was appended: flush once enough of them wait.
    #[inline]
    fn appended(&mut self, task: &mut Context<'_>, now: Instant) -> io::Result<()> {
        self.unflushed += 1;
        if self.unflushed >= LEAST_BATCH.max(self.batch / 3) { self.flush(task, now) } else { Ok(()) }
    }

    /// Runs what was posted from outside, in portions so that the first requests leave while the next are encoded.
    fn commands(&mut self, task: &mut Context<'_>, now: &mut Instant) -> io::Result<()> {
        loop {
            let most = LEAST_BATCH.max(self.batch / 3).saturating_sub(self.unflushed).max(1);
            let mut wires = Wires {
                now: *now,
                host: &mut self.host,
                machines: &mut self.machines,
                input: &mut self.input.waiting,
                out: &mut self.out,
            };
            let done = self.dispatcher.commands(&mut wires, most as usize) as u32;
            if done == 0 {
                return Ok(());
            }
            self.dirty = true;
            self.handled += done;
            self.unflushed += done;
            if done < most || self.handled >= TURN_MESSAGES {
                return Ok(());
            }
            self.flush(task, *now)?;
        }
    }

    /// Finds out whose the front is; false: not yet, or nobody's.
    #[cold]
    fn recognise(&mut self, now: Instant) -> bool {
        let security = self.transport.protection().security();
        if let Some(security) = security.filter(|_| self.machines.is_unknown()) {
            self.dispatcher.secured(security);
        }
        let alpn = security.and_then(|security| security.alpn.as_deref());
        let Config { registry, allowed, limits, authenticate, cross_origin, extensions, .. } = &*self.config;
        let setup = Setup {
            limits: *limits,
            authenticate: *authenticate,
            secure: security.is_some(),
            cross_origin,
            random: RandomState::new().hash_one(0) as i64,
            extensions: Some(extensions),
            ..Setup::default()
        };
        let found = self.machines.recognise(&mut self.input.waiting, registry, alpn, &**allowed, &setup);
        match found {
            Recognised::Owner(protocol) => {
                self.vitals.set_protocol(protocol.name);
                self.dispatcher.recognised(&mut self.host, protocol);
                if self.draining {
                    self.say(Goodbye::Drain, now);
                }
                true
            }
            Recognised::NeedMore(n) => {
                self.dirty = false;
                self.input.need_to_recognise(n);
                false
            }
            Recognised::Nobody => {
                self.dirty = false;
                if !self.input.is_empty() {
                    let fault =
                        if self.machines.is_unknown() { Fault::UnknownProtocol } else { Fault::Malformed };
                    self.config.faults.add(fault);
                    self.end(Status::invalid_argument("unknown protocol").with_origin(Origin::Remote), false);
                }
                false
            }
        }
    }

    fn end_of_input(&mut self, task: &mut Context<'_>, now: &mut Instant) -> io::Result<()> {
        let (input, out, host) = (&mut self.input.waiting, &mut self.out, &mut self.host);
        self.machines.each(|machine| {
            let mut cx = Cx { now: *now, input: &mut *input, out: &mut *out, host: &mut *host };
            let _ = machine.resume(&mut cx, Wake::Eof); // the connection ends either way
        });
        if !self.machines.is_unknown() && !self.input.is_filling() {
            self.pump(task, now)?;
        }
        if matches!(self.state, State::Open) {
            if self.input.is_filling() || (!self.input.is_empty() && !self.blocked) {
                self.config.faults.add(Fault::Truncated);
            }
            let why = brpc::status(brpc::EEOF, "the peer closed the connection");
            self.end(why.with_origin(Origin::Transport), false);
        }
        Ok(())
    }

    fn flush(&mut self, task: &mut Context<'_>, now: Instant) -> io::Result<()> {
        self.unflushed = 0;
        self.unfinished = false;
        if self.out.is_empty() {
            return Ok(());
        }
        let before = self.out.flushed();
        // A machine may be waiting for room although the socket takes everything at once.
        let tight = self.out.room() < self.config.room / 2;
        let mut stalled = false;
        while !self.out.is_empty() {
            if self.out.flushed() - before > FLUSH_BYTES {
                self.unfinished = true; // a reader as fast as we write must not keep others waiting
                break;
            }
            let written = match self.out.as_slice() {
                Some(one) => self.transport.poll_write(task, &[IoSlice::new(one)]),
                None => {
                    let mut slices = [IoSlice::new(&[]); 64];
                    let n = self.out.io_slices(&mut slices);
                    self.transport.poll_write(task, &slices[..n])
                }
            };
            match written {
                Poll::Ready(Ok(0)) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(Ok(n)) => self.out.advance(n),
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Pending => {
                    stalled = true;
                    break;
                }
            }
        }
        let wrote = (self.out.flushed() - before) as usize;
        if wrote > 0 {
            self.vitals.wrote(wrote, now);
            if (tight || self.stalled.is_some() || self.blocked) && self.out.room() > 0 {
                self.resume(Wake::Room, now);
            }
        }
        self.stalled = match self.stalled {
            Some(since) if wrote == 0 => Some(since),
            _ => stalled.then_some(now),
        };
        Ok(())
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

    /// The peer broke the protocol; the machine has written its words of farewell.
    #[cold]
    fn fail(&mut self, error: &WireError) {
        if matches!(self.state, State::Open) {
            self.config.faults.add(Fault::from(error));
        }
        self.end(explain(error), true);
    }

    fn say(&mut self, goodbye: Goodbye, now: Instant) {
        let (input, out, host) = (&mut self.input.waiting, &mut self.out, &mut self.host);
        self.machines.each(|machine| {
            let mut cx = Cx { now, input: &mut *input, out: &mut *out, host: &mut *host };
            machine.goodbye(&mut cx, goodbye);
        });
        self.dirty = true;
    }

    fn obey(&mut self, signal: Signal, now: Instant) {
        match signal {
            Signal::None => {}
            Signal::Drain => {
                if !std::mem::replace(&mut self.draining, true) {
                    self.say(Goodbye::Drain, now);
                }
            }
            Signal::Close | Signal::FirstBytes | Signal::Message | Signal::Idle => {
                if matches!(self.state, State::Open) {
                    let handshaking = matches!(self.transport.protection(), Protection::Handshaking);
                    match signal.fault() {
                        Some(Fault::FirstBytes) if handshaking => {
                            self.config.faults.add(Fault::TlsHandshakeLate);
                        }
                        Some(fault) => self.config.faults.add(fault),
                        None => self.say(Goodbye::Close, now),
                    }
                }
                self.end(Status::unavailable(signal.reason()).with_origin(Origin::Transport), false);
            }
        }
    }

    #[cold]
    fn expire(&mut self, now: Instant) {
        self.timer_at = None;
        if let Some(until) = self.linger_until.filter(|until| *until <= now) {
            debug_assert!(until <= now);
            self.state = State::Lingering { left: 0 };
        }
        if self.stall_ends().is_some_and(|at| at <= now) {
            self.config.faults.add(Fault::WriteStall);
            self.end(Status::unavailable("the peer reads nothing").with_origin(Origin::Transport), false);
            self.stalled = None;
            self.out.take();
        }
        if !matches!(self.state, State::Open) {
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

    /// The transport failed. True: it has told the peer why, who needs a moment to read that.
    #[cold]
    fn lost(&mut self, error: &io::Error) -> bool {
        let (open, fault) = (matches!(self.state, State::Open), Broken::fault_of(error));
        if open {
            self.config.faults.add(fault);
        }
        let number = match (fault, error.kind()) {
            (Fault::TlsTruncated, _) => brpc::EEOF,
            (Fault::Reset, io::ErrorKind::ConnectionReset) => brpc::ECONNRESET,
            (Fault::Reset, _) => brpc::EFAILEDSOCKET,
            _ => brpc::ESSL,
        };
        self.end(brpc::status(number, error.to_string()).with_origin(Origin::Transport), true);
        self.out.take();
        open && self.role == Role::Server && fault != Fault::Reset
    }

    /// Calls end now; what is owed still leaves.
    #[cold]
    fn end(&mut self, why: Status, linger: bool) {
        if matches!(self.state, State::Open) {
            self.dispatcher.closed(&mut self.host, why);
            self.state = State::Flushing { linger: linger && self.role == Role::Server };
            self.input = Input::default();
        }
    }

    fn linger(&mut self, task: &mut Context<'_>) -> io::Result<Turned> {
        let State::Lingering { mut left } = self.state else { return Ok(Turned::Over) };
        let turned = loop {
            if left == 0 {
                break Turned::Over;
            }
            match input::discard(&mut *self.transport, task) {
                Poll::Pending => break Turned::Wait,
                Poll::Ready(Ok(n)) if n > 0 => left = left.saturating_sub(n),
                Poll::Ready(_) => break Turned::Over,
            }
        };
        self.state = State::Lingering { left };
        Ok(turned)
    }

    fn stall_ends(&self) -> Option<Instant> {
        Some(self.stalled? + self.config.timeouts.write_stall?)
    }

    /// One timer for everything that is due at a time; it may fire early, never late.
    fn arm(&mut self, task: &mut Context<'_>) -> bool {
        let mut soonest = self.linger_until.into_iter().chain(self.stall_ends()).min();
        if matches!(self.state, State::Open) {
            let machines = self.machines.iter().filter_map(|m| m.deadline());
            soonest = machines.chain(self.dispatcher.next_deadline()).chain(soonest).min();
        }
        let Some(at) = soonest else { return true };
        if self.timer_at.is_none_or(|armed| at < armed) {
            self.timer_at = Some(at);
            match &mut self.timer {
                Some(timer) => timer.as_mut().reset(at.into()),
                None => self.timer = Some(Box::pin(tokio::time::sleep_until(at.into()))),
            }
        }
        let timer = self.timer.as_mut().expect("made above");
        timer.as_mut().poll(task).is_pending()
    }
}

impl<D: Dispatcher> Future for Connection<D> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        if !std::mem::replace(&mut this.began, true) {
            this.vitals.attach(task.waker());
            this.work = inline::work_of_this_thread();
        }
        let work = this.work.clone();
        for _ in 0..ROUNDS {
            let context = work.as_ref().map(Handle::enter); // never across an await: dropped below
            let turned = this.turn(task);
            drop(context);
            match turned {
                Ok(Turned::Wait) => {
                    // Once its calls have ended nobody looks at what is posted: it must not keep us awake.
                    let ended = !matches!(this.state, State::Open);
                    if (ended || this.dispatcher.sleep(task.waker())) && this.arm(task) {
                        return Poll::Pending;
                    }
                }
                Ok(Turned::Yield) => break,
                Ok(Turned::Over) => return Poll::Ready(()),
                Err(error) => {
                    if this.lost(&error) {
                        continue;
                    }
                    return Poll::Ready(());
                }
            }
        }
        task.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<D: Dispatcher> Drop for Connection<D> {
    fn drop(&mut self) {
        let why = brpc::status(brpc::EFAILEDSOCKET, "the runtime of the connection ended");
        self.end(why.with_origin(Origin::Transport), false);
        self.vitals.end();
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
