//! One connection: a socket, and the pump that it feeds. It reads in large pieces, writes early and in
//! batches, and keeps one timer.
//!
//! ```text
//!  woken -> deadlines -> [ pump -> read once ]* -> flush -> wait
//!                           `-- flush in between whenever max(32, last batch / 3) messages are pending --'
//! ```
//!
//! Flushing only at the end of a turn makes both peers take turns sleeping; flushing every message costs a
//! system call each. With a third of the last batch, the peer works on the first third while we make the
//! second.
//!
//! Limits: one turn takes no further message after 2048 of them or a millisecond (`pump`), and reads no more
//! after [`TURN_BYTES`] bytes, before other connections have their turns; reading stops while more than
//! [`Config::overfull`] bytes are unsent, or while a machine is `Blocked` and 16 KiB wait (a little is read
//! so that the peer's end is noticed).
//!
//! Not here: the handling of the bytes (`pump`), the read buffers (`input`), the recognition of protocols
//! (`machines`), time limits of idle and slow peers (`connection_stats`).

use crate::{
    Config, ConnectionStats, Dispatcher, Fault, Pump, Pumped, Transport,
    backlog::pause,
    clock,
    connection_stats::{OwnQuestion, Signal},
    inline, input,
    memory::{self, HeldBytes},
    shard::{self, Shard},
    spare,
    transport::{Broken, Protection},
};
use polywire_call::{Origin, Status, brpc};
use polywire_wire::{ClientSetup, Goodbye, Protocol, Role};
use std::{
    future::Future,
    io::{self, IoSlice},
    pin::{Pin, pin},
    sync::{Arc, atomic::Ordering::Relaxed},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};
use tokio::{runtime::Handle, task::coop::unconstrained, time::Sleep};

/// Turns that a connection may take in a row before it yields to other connections, while new commands are
/// posted without pause.
const ROUNDS: u32 = 8;
const TURN_BYTES: usize = 512 << 10;
const FLUSH_BYTES: u64 = 4 << 20;
/// The number of bytes that a connection which holds little may read in a turn before its memory is checked.
const FREE_BYTES: usize = 64 << 10;
/// How long an ended connection keeps reading, so that the peer receives the final bytes and not a reset.
const LINGER: Duration = Duration::from_secs(1);
/// The maximum number of bytes that it reads in that time.
const LINGER_BYTES: usize = 256 << 10;

/// How long an accepted connection has for its first bytes when its server stops: a client that has just
/// connected sends its request in the next moment, and would otherwise see the end of the connection in place
/// of a reply.
pub const NEW: Duration = Duration::from_millis(500);

/// The interval at which a time limit is checked again that has passed and has not ended the connection.
const LIMIT_AGAIN: Duration = Duration::from_millis(5);

/// Drives one socket. It is a future: spawn it on a shard or on any tokio runtime.
pub struct Connection<D: Dispatcher> {
    transport: Box<dyn Transport>,
    pump: Pump<D>,
    connection_stats: Arc<ConnectionStats>,
    /// Set once the write side is shut down: the connection reads for a moment longer.
    lingering: Option<Lingering>,
    /// Since when output has not fitted into the socket's buffer without any of it leaving.
    stalled: Option<Instant>,
    /// The last flush stopped before it was done, so that other connections get their turn.
    unfinished: bool,
    /// The number of bytes charged to [`Config::memory`].
    charged: usize,
    /// The total number of bytes read at the last charge.
    read_when_charged: u64,
    /// The memory of decompressed messages, which their owners charge themselves.
    inflated: usize,
    /// Since when the connection has not been read because of that memory.
    held_back: Option<Instant>,
    /// Whether the last charge was about that of an idle connection, and the connection holds no inflated
    /// bytes and is not held back.
    is_little: bool,
    /// Output has already been kept back for one turn.
    postponed: bool,
    /// The task that polls the connection: signals and the timer wake this one.
    task: Option<Waker>,
    /// The runtime in whose context user code is polled here: the shard's work pool.
    work: Option<Handle>,
    timer: Option<Pin<Box<Sleep>>>,
    timer_at: Option<Instant>,
}

/// The number of bytes that an ended connection still reads, and the time until when it reads.
struct Lingering {
    /// Bytes that may still be read.
    left: usize,
    until: Instant,
}

/// The result of a turn.
enum Turned {
    /// Nothing is left to do until the next event.
    Wait,
    /// Work is left, and continues after other connections have had their turn.
    Yield,
    Over,
}

impl<D: Dispatcher> Connection<D> {
    /// An accepted connection. Its first bytes decide the protocol.
    pub fn server(transport: Box<dyn Transport>, config: Arc<Config>, dispatcher: D, host: D::Host) -> Self {
        let mut pump = Pump::server(config, dispatcher, host);
        pump.reached_at(transport.local());
        Self::new(transport, pump)
    }

    /// A connection that was opened to speak `protocol`. `None` if that protocol has no client machine.
    pub fn client(
        transport: Box<dyn Transport>,
        config: Arc<Config>,
        protocol: &'static Protocol,
        setup: &ClientSetup<'_>,
        dispatcher: D,
        host: D::Host,
    ) -> Option<Self> {
        let connection = Self::new(transport, Pump::client(config, protocol, setup, dispatcher, host)?);
        connection.connection_stats.set_protocol(protocol.name);
        Some(connection)
    }

    fn new(transport: Box<dyn Transport>, pump: Pump<D>) -> Self {
        let timeouts = pump.config().timeouts;
        Connection {
            connection_stats: ConnectionStats::new(
                transport.peer().clone(),
                transport.local().clone(),
                timeouts,
            ),
            transport,
            pump,
            lingering: None,
            stalled: None,
            unfinished: false,
            charged: 0,
            inflated: 0,
            held_back: None,
            read_when_charged: 0,
            is_little: false,
            postponed: false,
            task: None,
            work: None,
            timer: None,
            timer_at: None,
        }
    }

    pub fn connection_stats(&self) -> &Arc<ConnectionStats> {
        &self.connection_stats
    }

    pub fn dispatcher(&self) -> &D {
        self.pump.dispatcher()
    }

    pub fn dispatcher_mut(&mut self) -> &mut D {
        self.pump.dispatcher_mut()
    }

    /// Moves the connection to the runtime of the caller, on which it has to be polled from now on. Nothing
    /// is lost: bytes that arrive meanwhile are read at the next poll.
    ///
    /// # Errors
    /// The system's error if it has no file descriptor left. The connection then needs its old runtime.
    pub fn move_to_current_runtime(&mut self) -> io::Result<()> {
        self.transport.move_to_current_runtime()?;
        (self.timer, self.timer_at) = (None, None);
        self.task = None;
        Ok(())
    }

    /// Sets the task in which the connection is polled from now on: its first task, or another one.
    #[cold]
    fn enter(&mut self, task: &Waker) {
        self.connection_stats.attach(task);
        self.work = inline::work_of_this_thread();
        self.timer_at = None; // it is set to wake the task before this one
        self.task = Some(task.clone());
    }

    /// Runs one turn. `round` is the number of turns directly before this one, with which it shares its time
    /// budget.
    fn turn(&mut self, task: &mut Context<'_>, round: u32) -> io::Result<Turned> {
        let mut now = clock::now();
        let began = now;
        if round == 0 {
            self.pump.begin(now);
        } else {
            self.pump.begin_again();
        }
        let signal = self.connection_stats.signal();
        if signal != Signal::None {
            self.obey(signal, now);
        }
        if self.timer_at.is_some_and(|at| at <= now) {
            self.expire(now);
        }
        if self.lingering.is_some() {
            return self.linger(task);
        }
        let turned = if self.pump.is_open() { self.turn_open(task, &mut now)? } else { Turned::Wait };
        let postponed = self.postpones();
        if !postponed {
            self.flush(task, now)?;
        }
        let handled = self.pump.end_turn();
        pause::end_turn(began, handled);
        if handled > 0 {
            shard::active(now);
        }
        let (owed, pending) = (self.pump.unsent().len(), self.pump.pending());
        self.connection_stats.settle(owed, pending, handled.into(), self.pump.partial(), now);
        if self.pump.config().memory.is_some() && !self.is_charged() {
            self.charge_turn(now);
        }
        if !self.pump.is_open() {
            if self.pump.unsent().is_empty() {
                self.transport.shutdown();
                if !self.pump.lingers() {
                    return Ok(Turned::Over);
                }
                self.connection_stats.linger();
                self.lingering = Some(Lingering { left: LINGER_BYTES, until: now + LINGER });
                return self.linger(task);
            }
            if self.unfinished {
                return Ok(Turned::Yield);
            }
        } else if (!self.is_new(now) && self.pump.end_if_idle(now))
            || self.pump.has_to_pump()
            || self.unfinished
            || postponed
        {
            // The flush made room for a machine that was blocked, or has more to do; or handlers get their
            // turn first.
            return Ok(Turned::Yield);
        }
        Ok(turned)
    }

    /// Whether its first bytes may still be on their way, so that the connection is not ended for being idle.
    #[inline]
    fn is_new(&self, now: Instant) -> bool {
        self.pump.is_unknown() && now < self.connection_stats.since + NEW
    }

    /// Whether unsent bytes are kept for one more turn. That happens at most once.
    #[inline]
    fn postpones(&mut self) -> bool {
        let waited = std::mem::take(&mut self.postponed);
        self.postponed = !waited && self.pump.unsent().can_wait() && self.pump.is_open();
        self.postponed
    }

    fn turn_open(&mut self, task: &mut Context<'_>, now: &mut Instant) -> io::Result<Turned> {
        let mut bytes = TURN_BYTES;
        loop {
            if self.pump.is_unknown()
                && let Some(security) = self.transport.protection().security()
            {
                self.pump.secured(security);
            }
            match self.pump.pump(now) {
                Pumped::Waits => {}
                Pumped::Flush => {
                    self.flush(task, *now)?;
                    continue;
                }
                Pumped::Recognised(protocol) => {
                    self.connection_stats.set_protocol(protocol.name);
                    continue;
                }
                Pumped::Spent => return Ok(Turned::Yield),
                Pumped::Over => return Ok(Turned::Wait),
            }
            if bytes == 0 {
                return Ok(Turned::Yield); // the turn's budget is spent
            }
            if !self.pump.takes_input() || !self.may_read(*now, TURN_BYTES - bytes) {
                return Ok(Turned::Wait);
            }
            let (input, keeps) = self.pump.input();
            match input.read(&mut *self.transport, task, keeps) {
                Poll::Pending => return Ok(Turned::Wait),
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Ready(Ok(0)) => self.pump.end_of_input(*now),
                Poll::Ready(Ok(n)) => {
                    bytes = bytes.saturating_sub(n);
                    self.connection_stats.read(n, *now);
                    self.pump.received();
                }
            }
        }
    }

    /// Charges the present memory of the connection to the budget.
    fn recharge(&mut self) {
        if let Some(memory) = &self.pump.config().memory {
            // Of one that has ended, what its peer has not read is left.
            let held = match self.pump.is_open() {
                true => self.pump.held_bytes(),
                false => HeldBytes { unsent: self.pump.unsent().memory(), ..HeldBytes::default() },
            };
            let now = memory::CONNECTION_BYTES + held.sum() - held.inflated;
            self.inflated = held.inflated;
            self.read_when_charged = self.connection_stats.bytes_in.load(Relaxed);
            if self.charged == 0 || now.abs_diff(self.charged) > memory.slack() {
                memory.recharge(self.charged, now);
                self.charged = now;
            }
            let little = memory::CONNECTION_BYTES..=memory::CONNECTION_BYTES + memory.slack();
            self.is_little = little.contains(&self.charged) && self.inflated == 0 && self.held_back.is_none();
            if memory.is_tight() {
                spare::clear(); // nothing counts what the thread keeps
            }
        }
    }

    /// Whether the last charge is still exact, so that the memory need not be added up: the connection holds
    /// nothing, or only what its calls keep.
    #[inline]
    fn is_charged(&self) -> bool {
        (self.is_little && self.pump.holds_nothing()) || self.is_charged_for_calls()
    }

    /// Like the above, with calls under way. Messages of open streams may have begun to arrive: at most as
    /// many bytes as were read since.
    fn is_charged_for_calls(&self) -> bool {
        let Some(memory) = &self.pump.config().memory else { return true };
        let Some(calls) = self.pump.holds_only_calls() else { return false };
        let off = (memory::CONNECTION_BYTES + calls).abs_diff(self.charged);
        let come = self.connection_stats.bytes_in.load(Relaxed) - self.read_when_charged;
        self.charged > 0
            && self.inflated == 0
            && self.held_back.is_none()
            && off + come as usize <= memory.slack()
    }

    /// The bytes that the connection held at the last charge.
    fn held(&self) -> usize {
        self.charged.saturating_sub(memory::CONNECTION_BYTES) + self.inflated
    }

    /// Charges the memory that the connection holds at the end of a turn. An ended connection is not read any
    /// more: its output waits as long as an open connection would wait to be read.
    #[cold]
    fn charge_turn(&mut self, now: Instant) {
        if self.pump.is_open() {
            self.recharge();
        } else if self.pump.unsent().is_empty() {
            self.recharge();
            self.held_back = None;
        } else {
            self.may_read_on(now);
        }
    }

    /// Whether the memory budget allows reading; `bytes` were read in this turn.
    #[inline]
    fn may_read(&mut self, now: Instant, bytes: usize) -> bool {
        let Some(memory) = &self.pump.config().memory else { return true };
        (bytes < FREE_BYTES && self.is_little && memory.has_plenty()) || self.may_read_on(now)
    }

    #[cold]
    fn may_read_on(&mut self, now: Instant) -> bool {
        self.recharge();
        let Some(memory) = &self.pump.config().memory else { return true };
        let may = memory.lets_read(self.held());
        match (may, self.held_back) {
            (true, _) => self.held_back = None,
            (false, None) => {
                memory.note_held_back();
                (self.held_back, self.is_little) = (Some(now), false);
            }
            (false, Some(_)) => {}
        }
        may
    }

    /// Ends a connection that has not been read for long because of the memory that it holds; if it has ended
    /// already, discards the output that it holds for its peer. A connection that waits only since it has
    /// calls in flight continues.
    #[cold]
    fn end_if_stuck(&mut self, now: Instant) {
        let Some(since) = self.held_back else { return };
        let waits = self.pump.is_open() && self.pump.pending() > 0 && !self.pump.holds_for_peer();
        if now.saturating_duration_since(since) < memory::PATIENCE || waits {
            return;
        }
        if let Some(memory) = &self.pump.config().memory {
            if memory.lets_read(self.held()) {
                self.held_back = None;
                return;
            }
            memory.note_closed();
        }
        self.pump.config().faults.add(Fault::Memory);
        let why = Status::resource_exhausted("the budget of memory is spent").with_origin(Origin::Transport);
        self.pump.end(why, false);
        self.pump.discard_unsent();
        self.held_back = None;
    }

    fn flush(&mut self, task: &mut Context<'_>, now: Instant) -> io::Result<()> {
        self.unfinished = false;
        let before = self.pump.unsent().flushed();
        let mut stalled = false;
        while !self.pump.unsent().is_empty() {
            let out = self.pump.unsent();
            if out.flushed() - before > FLUSH_BYTES {
                // a peer that reads as fast as we write must not starve other connections
                self.unfinished = true;
                break;
            }
            let written = match out.as_slice() {
                Some(one) => self.transport.poll_write(task, &[IoSlice::new(one)]),
                None => {
                    let mut slices = [IoSlice::new(&[]); 64];
                    let n = out.io_slices(&mut slices);
                    self.transport.poll_write(task, &slices[..n])
                }
            };
            match written {
                Poll::Ready(Ok(0)) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(Ok(n)) => self.pump.wrote(n),
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Pending => {
                    stalled = true;
                    break;
                }
            }
        }
        let wrote = (self.pump.unsent().flushed() - before) as usize;
        if wrote > 0 {
            self.connection_stats.wrote(wrote, now);
        }
        self.stalled = match self.stalled {
            Some(since) if stalled && wrote == 0 => Some(since),
            _ => stalled.then_some(now),
        };
        self.pump.flushed(now);
        Ok(())
    }

    #[cold]
    fn obey(&mut self, signal: Signal, now: Instant) {
        match signal {
            Signal::None => {}
            Signal::Message if self.outlives_message(now) => {
                let other = self.connection_stats.outlived(Signal::Message);
                self.obey(other, now);
            }
            Signal::Asked => {
                let other = self.connection_stats.outlived(Signal::Asked);
                for question in self.connection_stats.take_questions() {
                    let question = match question.downcast::<OwnQuestion>() {
                        Ok(asked) => {
                            match *asked {
                                OwnQuestion::Tcp(then) => then(self.transport.tcp_info()),
                                OwnQuestion::Held(then) => then(self.pump.held_bytes()),
                            }
                            continue;
                        }
                        Err(question) => question,
                    };
                    if let Some(rest) = self.pump.asked(question, now) {
                        self.connection_stats.ask(rest);
                    }
                }
                self.obey(other, now);
            }
            Signal::Drain => self.pump.drain(now),
            Signal::Close | Signal::FirstBytes | Signal::Message | Signal::Idle => {
                if self.pump.is_open() {
                    let handshaking = matches!(self.transport.protection(), Protection::Handshaking);
                    match signal.fault() {
                        Some(Fault::FirstBytes) if handshaking => {
                            self.pump.config().faults.add(Fault::TlsHandshakeLate);
                        }
                        Some(fault) => self.pump.config().faults.add(fault),
                        None => self.pump.goodbye(Goodbye::Close, now),
                    }
                }
                let why = Status::unavailable(signal.reason()).with_origin(Origin::Transport);
                self.pump.end(why, false);
            }
        }
    }

    /// Ends the messages that are late. True if the connection can continue; false if it has to end.
    fn outlives_message(&mut self, now: Instant) -> bool {
        if !self.pump.is_open() {
            return false;
        }
        if self.connection_stats.goes_on(now) {
            return true;
        }
        let Some(limit) = self.pump.config().timeouts.message else { return true };
        // Ages are compared in whole milliseconds.
        let Some(begun) = (now + Duration::from_millis(1)).checked_sub(limit) else { return true };
        match self.pump.give_up(begun, now) {
            0 => !self.pump.is_late(begun),
            late => {
                (0..late).for_each(|_| self.pump.config().faults.add(Fault::Message));
                true
            }
        }
    }

    #[cold]
    fn expire(&mut self, now: Instant) {
        self.timer_at = None;
        if let Some(lingering) = self.lingering.as_mut().filter(|lingering| lingering.until <= now) {
            lingering.left = 0;
        }
        if self.is_stalled(now) {
            self.pump.config().faults.add(Fault::WriteStall);
            let why = Status::unavailable("the peer reads nothing").with_origin(Origin::Transport);
            self.pump.end(why, false);
            self.pump.discard_unsent();
            self.stalled = None;
        }
        self.end_if_stuck(now);
        if self.pump.is_open()
            && let Some(signal) = self.connection_stats.overdue(now, self.at_once())
        {
            self.obey(signal, now);
        }
        self.pump.expire(now);
    }

    /// Handles a failure of the transport. Returns whether the peer was sent the reason and needs a moment to
    /// read it.
    #[cold]
    fn lost(&mut self, error: &io::Error) -> bool {
        let (open, fault) = (self.pump.is_open(), Broken::fault_of(error));
        // Clients such as curl leave without a goodbye when they have what they asked for.
        let is_usual = fault == Fault::TlsTruncated
            && error.kind() == io::ErrorKind::UnexpectedEof
            && self.pump.is_quiet();
        if open && !is_usual {
            self.pump.config().faults.add(fault);
        }
        let number = match (fault, error.kind()) {
            (Fault::TlsTruncated, _) => brpc::EEOF,
            (Fault::Reset, io::ErrorKind::ConnectionReset) => brpc::ECONNRESET,
            (Fault::Reset, _) => brpc::EFAILEDSOCKET,
            _ => brpc::ESSL,
        };
        self.pump.end(brpc::status(number, error.to_string()).with_origin(Origin::Transport), true);
        self.pump.discard_unsent();
        open && self.pump.role() == Role::Server && fault != Fault::Reset
    }

    fn linger(&mut self, task: &mut Context<'_>) -> io::Result<Turned> {
        let Some(Lingering { left, .. }) = &mut self.lingering else { return Ok(Turned::Over) };
        loop {
            if *left == 0 {
                return Ok(Turned::Over);
            }
            match input::discard(&mut *self.transport, task) {
                Poll::Pending => return Ok(Turned::Wait),
                Poll::Ready(Ok(n)) if n > 0 => *left = left.saturating_sub(n),
                Poll::Ready(_) => return Ok(Turned::Over),
            }
        }
    }

    /// Whether the time limit of the first bytes runs although none of them was read.
    fn at_once(&self) -> bool {
        self.pump.config().at_once || matches!(self.transport.protection(), Protection::Handshaking)
    }

    /// Whether the peer has read nothing for longer than allowed.
    fn is_stalled(&self, now: Instant) -> bool {
        let Config { timeouts, memory, .. } = &**self.pump.config();
        let Some((since, limit)) = self.stalled.zip(timeouts.write_stall) else { return false };
        let time = now.saturating_duration_since(since);
        time >= limit || time >= memory::STALL && memory.as_ref().is_some_and(|memory| memory.is_tight())
    }

    /// When to check whether the peer has read nothing for too long.
    fn looks_at_stall(&self) -> Option<Instant> {
        let (since, limit) = self.stalled.zip(self.pump.config().timeouts.write_stall)?;
        // A limit that reaches beyond what the clock can tell is none.
        let end = since.checked_add(limit);
        let tight = self.pump.config().memory.as_ref().map(|_| {
            let tight = since + memory::STALL;
            let now = clock::now();
            if tight > now { tight } else { now + memory::STALL }
        });
        end.into_iter().chain(tight).min()
    }

    /// When the connection will exceed a time limit that depends on its counters.
    fn limit_ends(&self) -> Option<Instant> {
        if self.pump.is_open() { self.connection_stats.due(self.at_once()) } else { None }
    }

    /// Sets the one timer for the earliest deadline. It may fire early, never late. Returns false if that is
    /// now.
    fn arm(&mut self, task: &mut Context<'_>) -> bool {
        let lingering = self.lingering.as_ref().map(|lingering| lingering.until);
        let (stall, limit) = (self.looks_at_stall(), self.limit_ends());
        let memory = self.held_back.map(|_| clock::now() + memory::LOOK_AGAIN);
        let times = self.pump.deadline().into_iter().chain(lingering).chain(stall).chain(limit).chain(memory);
        let Some(at) = times.min() else {
            if self.timer_at.is_none() {
                self.timer = None; // an idle connection needs no memory for one
            }
            return true;
        };
        if self.timer_at.is_some_and(|armed| armed <= at) {
            return true; // it wakes this task already: see `enter`
        }
        let now = clock::now();
        let at = if limit == Some(at) && at <= now { now + LIMIT_AGAIN } else { at };
        self.timer_at = Some(at);
        match &mut self.timer {
            Some(timer) => timer.as_mut().reset(at.into()),
            None => self.timer = Some(Box::pin(tokio::time::sleep_until(at.into()))),
        }
        let timer = self.timer.as_mut().expect("made above");
        // Of a task that has used up its budget, tokio would not register the timer.
        pin!(unconstrained(timer.as_mut())).poll(task).is_pending()
    }
}

impl<D: Dispatcher> Future for Connection<D> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        if !this.task.as_ref().is_some_and(|known| known.will_wake(task.waker())) {
            this.enter(task.waker());
        }
        let work = this.work.clone();
        for round in 0..ROUNDS {
            let context = work.as_ref().map(Handle::enter); // never across an await: dropped below
            if this.pump.unsent().is_empty() {
                this.pump.lend_memory(spare::take_writing());
            }
            let turned = this.turn(task, round);
            if this.pump.unsent().is_empty() {
                spare::put_writing(this.pump.take_memory(spare::MOST_WRITTEN));
            }
            drop(context);
            match turned {
                Ok(Turned::Wait) => {
                    // Once its calls have ended, nothing reads posted commands any more: they must not keep
                    // the task awake.
                    let ended = !this.pump.is_open();
                    if (ended || this.pump.sleep(task.waker())) && this.arm(task) {
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
        self.pump.end(why.with_origin(Origin::Transport), false);
        if let Some(memory) = &self.pump.config().memory {
            memory.recharge(self.charged, 0);
        }
        let (reason, calls) = self.pump.ended();
        self.connection_stats.end(reason, calls);
    }
}

impl Shard {
    /// Hosts a connection made by `make` on this shard's thread, for as long as it lasts.
    pub fn host<D, F>(self: &Arc<Self>, make: F)
    where
        D: Dispatcher,
        F: FnOnce(&Arc<Shard>) -> std::io::Result<Connection<D>> + Send + 'static,
    {
        let (counted, shard) = (self.counted(), self.clone());
        self.spawn(async move {
            let _counted = counted;
            // A socket that cannot be registered (out of descriptors) is dropped: the peer sees a reset.
            // Boxed, since an async block has room for each place that a value passes through.
            if let Ok(connection) = make(&shard).map(Box::new) {
                shard.keep(connection.connection_stats());
                unconstrained(connection).await;
            }
        });
    }
}
