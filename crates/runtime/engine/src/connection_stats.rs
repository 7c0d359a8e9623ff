//! The state of a connection that other threads may read and change: counters, time limits, signals.
//!
//! The connection writes its counters once per turn with plain stores. When it goes to sleep, it computes
//! from them when it will exceed a time limit, and sets its one timer for that, unless the timer fires
//! earlier anyhow. So limits cost a few comparisons per turn and a timer once per limit's length, and no
//! wake-up where no limit can be exceeded.

use crate::{Fault, clock, memory::HeldBytes, os::TcpInfo, transport::Peer};
use std::{
    any::Any,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock,
        atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::*},
    },
    task::Waker,
    time::{Duration, Instant},
};

/// Time limits of a connection; `None` = no limit.
///
/// ```
/// use polywire_engine::Timeouts;
/// use std::time::Duration;
///
/// let timeouts = Timeouts::default().idle(Duration::from_secs(600)).message(None);
/// # assert_eq!((timeouts.idle, timeouts.message), (Some(Duration::from_secs(600)), None));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Timeouts {
    /// The time from the first byte until the protocol is recognised. Where TLS is to begin, or peers speak
    /// at once ([`Config::at_once`](crate::Config::at_once)), the time begins when the connection is
    /// accepted. Default 10 s. A peer that has sent nothing yet is idle.
    pub first_bytes: Option<Duration>,
    /// The time from the first byte of a message until it is complete; if it arrives at 1 KiB a second or
    /// more ([`goes_on`](polywire_wire::goes_on)), the time begins again. Default 60 s.
    pub message: Option<Duration>,
    /// Longest time without reads and writes. Default: no limit, as brpc's `idle_timeout_sec` = -1.
    pub idle: Option<Duration>,
    /// The longest time during which there are unsent bytes and the peer reads none. Default 10 minutes,
    /// since readers pause. While half of the memory budget is used, 30 s.
    pub write_stall: Option<Duration>,
    /// Server: the longest time that the authenticator may take to decide about a peer, which is then
    /// refused. Default 10 s. Without a limit, an authenticator that never answers may keep a connection open
    /// forever: while more bytes wait to be read than are read ahead (16 KiB), a peer's disconnection is not
    /// noticed.
    pub authentication: Option<Duration>,
}

impl Timeouts {
    /// No time is bounded: a peer may be silent, slow or unread for as long as it likes.
    pub const NONE: Timeouts =
        Timeouts { first_bytes: None, message: None, idle: None, write_stall: None, authentication: None };
}

polywire_base::setters! {
    Timeouts {}
    optional {
        first_bytes: Duration,
        message: Duration,
        idle: Duration,
        write_stall: Duration,
        authentication: Duration,
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            first_bytes: Some(Duration::from_secs(10)),
            message: Some(Duration::from_secs(60)),
            idle: None,
            write_stall: Some(Duration::from_secs(600)),
            authentication: Some(Duration::from_secs(10)),
        }
    }
}

/// How and when a connection has ended.
#[derive(Clone, Copy, Debug)]
pub struct End<'r> {
    pub reason: &'r str,
    /// Calls that were in flight, and are lost.
    pub calls: usize,
    /// Number of bytes that the peer had not read.
    pub owed: u64,
}

/// A listener for the ends of connections.
pub trait OnEnd: Send + Sync {
    /// A connection has ended: [`ConnectionStats::is_over`]. Called on its thread, which others wait for.
    fn ended(&self, connection: &ConnectionStats, end: End<'_>);
}

/// The callers on a connection, where more is known of them than their address.
pub trait Callers: Send + Sync {
    /// Passes `tell` each caller's name, and the number of messages, out of `messages`, that the caller has
    /// sent.
    fn each(&self, messages: u64, tell: &mut dyn FnMut(&str, u64));
}

/// A question of another thread to a dispatcher; see [`ConnectionStats::ask`](crate::ConnectionStats::ask).
/// The dispatcher knows its type.
pub type Question = Box<dyn Any + Send>;

/// A question that the connection itself answers.
pub(crate) enum OwnQuestion {
    Tcp(Box<dyn FnOnce(Option<TcpInfo>) + Send>),
    Held(Box<dyn FnOnce(HeldBytes) + Send>),
}

/// Questions that a connection takes before it has answered some.
pub const MOST_QUESTIONS: usize = 64;

/// A command to a connection from another thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Signal {
    None = 0,
    /// Announce the end to the peer, finish the calls in flight, then close.
    Drain = 1,
    /// The connection closes now.
    Close = 2,
    FirstBytes = 3,
    Idle = 4,
    /// A message is late. This is the only signal that a connection may survive: it ends the late message if
    /// it can.
    Message = 5,
    /// Questions of [`ConnectionStats::ask`] have to be answered. The connection continues afterwards.
    Asked = 6,
}

impl Signal {
    fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The strongest of the signals whose bits are set.
    fn strongest(bits: u8) -> Signal {
        match bits.checked_ilog2() {
            Some(1) => Signal::Drain,
            Some(2) => Signal::Close,
            Some(3) => Signal::FirstBytes,
            Some(4) => Signal::Idle,
            Some(5) => Signal::Message,
            Some(6) => Signal::Asked,
            _ => Signal::None,
        }
    }

    pub(crate) fn reason(self) -> &'static str {
        match self {
            Signal::None | Signal::Asked => "",
            Signal::Drain => "drained",
            Signal::Close => "closed by the server",
            Signal::FirstBytes => "no recognisable first bytes in time",
            Signal::Message => "a message was not completed in time",
            Signal::Idle => "idle for too long",
        }
    }

    pub(crate) fn fault(self) -> Option<Fault> {
        match self {
            Signal::None | Signal::Drain | Signal::Close | Signal::Asked => None,
            Signal::FirstBytes => Some(Fault::FirstBytes),
            Signal::Message => Some(Fault::Message),
            Signal::Idle => Some(Fault::Idle),
        }
    }
}

/// The incomplete messages that have begun to arrive.
#[derive(Clone, Copy)]
pub(crate) enum Partial {
    None,
    /// At most one message, which began no earlier than the first turn that ended within it.
    One,
    /// Several messages at once, the oldest of them since then. It does not matter that others complete
    /// meanwhile.
    Since(Instant),
}

/// Counters and signals of one connection. Its connection alone writes the counters, with relaxed stores; any
/// thread may read them.
pub struct ConnectionStats {
    /// Identifies the connection within this process: counts from 1 and is never reused.
    pub id: u64,
    pub peer: Peer,
    pub local: Peer,
    pub since: Instant,
    pub(crate) timeouts: Timeouts,
    over: AtomicBool,
    /// Whether all bytes are sent, and those that still arrive are discarded.
    lingers: AtomicBool,
    /// Whether all time limits apply: it was accepted by a shard. Set before its first poll.
    limited: AtomicBool,
    /// Time of the first read, in milliseconds after `since`, plus 1; 0 if there was none.
    first_read: AtomicU64,
    /// Time of the last read, in milliseconds after `since`.
    last_read: AtomicU64,
    last_write: AtomicU64,
    /// Start of the unfinished message, in milliseconds after `since`, plus 1; 0 if there is none.
    message_since: AtomicU64,
    /// `bytes_in` at that start.
    message_from: AtomicU64,
    /// Whether a machine reported that start.
    by_machine: AtomicBool,
    pub bytes_in: AtomicU64,
    pub bytes_out: AtomicU64,
    pub messages: AtomicU64,
    /// Bytes that have not been written to the socket.
    pub owed: AtomicU64,
    pending: AtomicU32,
    /// The protocol's name; unset before the first bytes are recognised.
    protocol: OnceLock<&'static str>,
    /// One bit for each signal. Any thread may set one. The connection clears [`Signal::Message`] and
    /// [`Signal::Asked`]; the others stay set.
    signals: AtomicU8,
    /// The task that polls the connection, stored at its first poll.
    task: Mutex<Option<Waker>>,
    /// The questions of other threads to the dispatcher, at most [`MOST_QUESTIONS`]; none is added once the
    /// connection is over.
    questions: Mutex<Vec<Question>>,
    /// The listener for the connection's end.
    told: OnceLock<Arc<dyn OnEnd>>,
    callers: OnceLock<Arc<dyn Callers>>,
}

impl ConnectionStats {
    pub(crate) fn new(peer: Peer, local: Peer, timeouts: Timeouts) -> Arc<ConnectionStats> {
        static IDS: AtomicU64 = AtomicU64::new(1);
        Arc::new(ConnectionStats {
            id: IDS.fetch_add(1, Relaxed),
            peer,
            local,
            since: clock::now(),
            timeouts,
            over: AtomicBool::new(false),
            lingers: AtomicBool::new(false),
            limited: AtomicBool::new(false),
            first_read: AtomicU64::new(0),
            last_read: AtomicU64::new(0),
            last_write: AtomicU64::new(0),
            message_since: AtomicU64::new(0),
            message_from: AtomicU64::new(0),
            by_machine: AtomicBool::new(false),
            bytes_in: AtomicU64::new(0),
            bytes_out: AtomicU64::new(0),
            messages: AtomicU64::new(0),
            owed: AtomicU64::new(0),
            pending: AtomicU32::new(0),
            protocol: OnceLock::new(),
            signals: AtomicU8::new(0),
            task: Mutex::new(None),
            questions: Mutex::new(Vec::new()),
            told: OnceLock::new(),
            callers: OnceLock::new(),
        })
    }

    /// Number of calls in flight.
    pub fn calls(&self) -> u32 {
        self.pending.load(Relaxed)
    }

    /// Whether a message has begun to arrive and is not complete.
    pub fn is_partial(&self) -> bool {
        self.message_since.load(Relaxed) > 0
    }

    /// When the last byte was read or written; when the connection was accepted, if there was none.
    pub fn last_active(&self) -> Instant {
        let after = self.last_read.load(Relaxed).max(self.last_write.load(Relaxed));
        self.since.checked_add(Duration::from_millis(after)).unwrap_or(self.since)
    }

    /// Whether the connection has ended; its last counters stay.
    pub fn is_over(&self) -> bool {
        self.over.load(Acquire) // pairs with the release in `end`
    }

    /// Whether the connection has sent everything, and only stays so that a peer which is still writing does
    /// not lose its last bytes: it ends by itself soon.
    pub fn lingers(&self) -> bool {
        self.lingers.load(Relaxed)
    }

    pub(crate) fn linger(&self) {
        self.lingers.store(true, Relaxed);
    }

    /// Sets the listener for the connection's end, if none is set. To be called before the connection is
    /// polled for the first time.
    pub fn tell_end(&self, to: Arc<dyn OnEnd>) {
        let _ = self.told.set(to);
    }

    /// Sets the source of the callers' names, if none is set.
    pub fn set_callers(&self, callers: Arc<dyn Callers>) {
        let _ = self.callers.set(callers);
    }

    /// Passes `tell` the name of each named caller, and the number of messages that it has sent.
    pub fn each_caller(&self, mut tell: impl FnMut(&str, u64)) {
        if let Some(callers) = self.callers.get() {
            callers.each(self.messages.load(Relaxed), &mut tell);
        }
    }

    /// Marks that all time limits apply to this connection.
    pub(crate) fn limit(&self) {
        self.limited.store(true, Relaxed);
    }

    /// Records that the connection has ended for this reason, with `calls` calls in flight.
    pub(crate) fn end(&self, reason: &str, calls: usize) {
        let owed = self.owed.swap(0, Relaxed);
        self.pending.store(0, Relaxed);
        *self.waker() = None;
        self.over.store(true, Release);
        drop(self.take_questions()); // who asks learns from the drop that there is no answer
        if let Some(told) = self.told.get() {
            told.ended(self, End { reason, calls, owed });
        }
    }

    /// Name of the protocol, once it is known.
    pub fn protocol(&self) -> Option<&'static str> {
        self.protocol.get().copied()
    }

    pub(crate) fn set_protocol(&self, name: &'static str) {
        let _ = self.protocol.set(name); // the first one is kept: the protocol that the connection began with
    }

    fn age(&self, now: Instant) -> u64 {
        now.saturating_duration_since(self.since).as_millis() as u64 // enough for 584 million years
    }

    pub(crate) fn read(&self, bytes: usize, now: Instant) {
        let (before, age) = (self.bytes_in.load(Relaxed), self.age(now));
        if before == 0 {
            self.first_read.store(age + 1, Relaxed);
        }
        self.bytes_in.store(before + bytes as u64, Relaxed);
        self.last_read.store(age, Relaxed);
    }

    pub(crate) fn wrote(&self, bytes: usize, now: Instant) {
        self.bytes_out.store(self.bytes_out.load(Relaxed) + bytes as u64, Relaxed);
        self.last_write.store(self.age(now), Relaxed);
    }

    pub(crate) fn settle(&self, owed: usize, pending: usize, messages: u64, partial: Partial, now: Instant) {
        self.owed.store(owed as u64, Relaxed);
        self.pending.store(pending as u32, Relaxed);
        self.messages.store(self.messages.load(Relaxed) + messages, Relaxed);
        let began = self.message_since.load(Relaxed);
        let began = match partial {
            Partial::None => 0,
            Partial::Since(oldest) => self.age(oldest) + 1,
            // The message that a machine reported has ended otherwise or was dropped: what is here now began
            // later.
            Partial::One if messages > 0 || began == 0 || self.by_machine.load(Relaxed) => {
                self.message_from.store(self.bytes_in.load(Relaxed), Relaxed);
                self.age(now) + 1
            }
            Partial::One => began,
        };
        self.message_since.store(began, Relaxed);
        self.by_machine.store(matches!(partial, Partial::Since(_)), Relaxed);
    }

    /// Restarts the time of the one incomplete message, if enough of it has arrived; false if not, or if the
    /// machine reports its messages itself.
    #[cold]
    pub(crate) fn goes_on(&self, now: Instant) -> bool {
        let (bytes, began) = (self.bytes_in.load(Relaxed), self.message_since.load(Relaxed));
        let (from, age) = (self.message_from.load(Relaxed), self.age(now));
        let time = Duration::from_millis((age + 1).saturating_sub(began));
        let goes_on =
            began > 0 && !self.by_machine.load(Relaxed) && polywire_wire::goes_on(bytes - from, time);
        if goes_on {
            self.message_since.store(age + 1, Relaxed);
            self.message_from.store(bytes, Relaxed);
        }
        goes_on
    }

    pub(crate) fn attach(&self, waker: &Waker) {
        *self.waker() = Some(waker.clone());
    }

    fn waker(&self) -> MutexGuard<'_, Option<Waker>> {
        polywire_base::lock(&self.task)
    }

    #[inline]
    pub(crate) fn signal(&self) -> Signal {
        Signal::strongest(self.signals.load(Relaxed))
    }

    /// The connection has obeyed this signal, and continues. Returns which other signal it has received.
    #[cold]
    pub(crate) fn outlived(&self, signal: Signal) -> Signal {
        let bit = signal.bit();
        Signal::strongest(self.signals.fetch_and(!bit, AcqRel) & !bit)
    }

    /// Lets the connection's dispatcher answer a question in its next turn
    /// ([`Dispatcher::asked`](crate::Dispatcher::asked)), on its own thread: the dispatcher can read its own
    /// state without a lock and without a copy, at no cost while there are no questions. A question that
    /// cannot be answered is dropped: the connection is over, or [`MOST_QUESTIONS`] wait already.
    pub fn ask(&self, question: Question) {
        let mut questions = polywire_base::lock(&self.questions);
        if self.is_over() || questions.len() >= MOST_QUESTIONS {
            drop(questions);
            return drop(question); // not under the lock: its drop may run anything
        }
        questions.push(question);
        drop(questions);
        self.tell(Signal::Asked);
    }

    /// Asks for the system's data about the socket, if it is a TCP socket. The connection's own thread calls
    /// `then` with them; where there are none, `then` is dropped.
    pub fn ask_tcp(&self, then: impl FnOnce(Option<TcpInfo>) + Send + 'static) {
        self.ask(Box::new(OwnQuestion::Tcp(Box::new(then))));
    }

    /// Asks for the number of bytes that the connection holds. Its own thread calls `then`; where there is
    /// none, `then` is dropped.
    pub fn ask_held(&self, then: impl FnOnce(HeldBytes) + Send + 'static) {
        self.ask(Box::new(OwnQuestion::Held(Box::new(then))));
    }

    pub(crate) fn take_questions(&self) -> Vec<Question> {
        std::mem::take(&mut *polywire_base::lock(&self.questions))
    }

    /// Sends a signal. Of several signals the connection obeys the strongest.
    pub fn tell(&self, signal: Signal) {
        if self.signals.fetch_or(signal.bit(), AcqRel) & signal.bit() == 0 {
            let task = self.waker().clone();
            task.into_iter().for_each(Waker::wake);
        }
    }

    /// The time limits that run now, each with its signal and the time at which it is exceeded. `at_once`:
    /// the limit for the first bytes began with the connection.
    fn running(&self, at_once: bool) -> impl Iterator<Item = (Signal, Instant)> {
        let Timeouts { first_bytes, message, idle, write_stall: _, authentication: _ } = self.timeouts;
        let limited = self.limited.load(Relaxed);
        let began = self.message_since.load(Relaxed);
        let first_bytes = first_bytes.filter(|_| self.protocol.get().is_none());
        let first_read = if at_once { Some(0) } else { self.first_read.load(Relaxed).checked_sub(1) };
        let first_bytes = first_read.zip(first_bytes);
        let message = message.filter(|_| limited && began > 0).map(|limit| (began - 1, limit));
        let idle = idle.filter(|_| limited && self.pending.load(Relaxed) == 0);
        let idle = idle.map(|limit| (self.last_read.load(Relaxed).max(self.last_write.load(Relaxed)), limit));
        let running = [(Signal::FirstBytes, first_bytes), (Signal::Message, message), (Signal::Idle, idle)];
        running.into_iter().filter_map(|(signal, limit)| {
            let (from, limit) = limit?;
            // A limit that reaches beyond what the clock can tell is none.
            Some((signal, self.since.checked_add(limit)?.checked_add(Duration::from_millis(from))?))
        })
    }

    /// When the connection will exceed a time limit, if no event occurs.
    pub(crate) fn due(&self, at_once: bool) -> Option<Instant> {
        self.running(at_once).map(|(_, at)| at).min()
    }

    /// The signal for the time limit that the connection exceeds now, if any.
    pub(crate) fn overdue(&self, now: Instant, at_once: bool) -> Option<Signal> {
        self.running(at_once).find(|(_, at)| *at <= now).map(|(signal, _)| signal)
    }
}

impl fmt::Debug for ConnectionStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionStats")
            .field("peer", &self.peer)
            .field("age", &clock::now().saturating_duration_since(self.since))
            .field("protocol", &self.protocol())
            .field("bytes_in", &self.bytes_in.load(Relaxed))
            .field("bytes_out", &self.bytes_out.load(Relaxed))
            .field("messages", &self.messages.load(Relaxed))
            .field("owed", &self.owed.load(Relaxed))
            .field("over", &self.is_over())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of messages that arrive concurrently, the oldest one's age counts, whatever else completes meanwhile;
    /// messages that arrive one after the other each have their own age.
    #[test]
    fn a_message_is_late_by_its_own_age() {
        let second = |n| Duration::from_secs(n);
        for (oldest, late) in [(true, Some(Signal::Message)), (false, None)] {
            let peer = Peer::Memory("test".into());
            let connection_stats = ConnectionStats::new(peer.clone(), peer, Timeouts::default());
            connection_stats.set_protocol("test");
            connection_stats.limit();
            let begun = connection_stats.since;
            for n in 1..=60 {
                let now = begun + second(n);
                let partial = if oldest { Partial::Since(begun + second(1)) } else { Partial::One };
                connection_stats.settle(0, 0, 1, partial, now);
                assert_eq!(connection_stats.overdue(now, false), None, "after {n} s");
            }
            assert_eq!(connection_stats.overdue(begun + second(61), false), late);
        }
    }

    /// An upload of ten minutes does not count as trickling; a peer that trickles has its time restarted once
    /// at most.
    #[test]
    fn a_message_has_its_time_again_while_enough_of_it_comes() {
        let second = |n| Duration::from_secs(n);
        for (rate, ends) in [(20_000, 601), (2_000, 601), (1_000, 61), (1, 61)] {
            let peer = Peer::Memory("test".into());
            let connection_stats = ConnectionStats::new(peer.clone(), peer, Timeouts::default());
            connection_stats.set_protocol("test");
            connection_stats.limit();
            let begun = connection_stats.since;
            let late = |n| {
                let now = begun + second(n);
                connection_stats.read(rate, now);
                connection_stats.settle(0, 0, 0, Partial::One, now);
                connection_stats.overdue(now, false).is_some() && !connection_stats.goes_on(now)
            };
            assert_eq!((1..=600).find(|&n| late(n)).unwrap_or(601), ends, "{rate} bytes a second");
            let silent = (601..).find(|&n| {
                let now = begun + second(n);
                connection_stats.overdue(now, false).is_some() && !connection_stats.goes_on(now)
            });
            assert!(ends < 601 || silent.is_some_and(|n| n <= 600 + 120), "{silent:?}");
        }
    }

    /// After late messages were dropped, another one may have arrived in part: its age counts from the drop.
    #[test]
    fn what_is_left_when_late_messages_were_given_up_has_its_own_time() {
        let second = |n| Duration::from_secs(n);
        let peer = Peer::Memory("test".into());
        let connection_stats = ConnectionStats::new(peer.clone(), peer, Timeouts::default());
        connection_stats.set_protocol("test");
        connection_stats.limit();
        let begun = connection_stats.since;
        connection_stats.settle(0, 0, 0, Partial::Since(begun), begun + second(59));
        assert_eq!(connection_stats.overdue(begun + second(60), false), Some(Signal::Message));
        connection_stats.settle(0, 0, 0, Partial::One, begun + second(60));
        assert_eq!(connection_stats.overdue(begun + second(119), false), None);
        connection_stats.settle(0, 0, 0, Partial::One, begun + second(119));
        assert_eq!(connection_stats.overdue(begun + second(120), false), Some(Signal::Message));
    }

    /// A connection that survives a late message still receives other signals, and the signal of the next
    /// late message.
    #[test]
    fn a_late_message_hides_no_other_signal() {
        let peer = Peer::Memory("test".into());
        let connection_stats = ConnectionStats::new(peer.clone(), peer, Timeouts::default());
        connection_stats.tell(Signal::Message);
        connection_stats.tell(Signal::Drain);
        assert_eq!(connection_stats.signal(), Signal::Message);
        assert_eq!(connection_stats.outlived(Signal::Message), Signal::Drain);
        assert_eq!(connection_stats.signal(), Signal::Drain);
        connection_stats.tell(Signal::Message);
        assert_eq!(connection_stats.signal(), Signal::Message);
        connection_stats.tell(Signal::Close);
        assert_eq!(connection_stats.outlived(Signal::Message), Signal::Close);
    }
}
