//! Polling handlers where their request was parsed, for as long as they are quick.
//!
//! ```text
//!               quick          two confirmed slow polls in 64, or one of ten budgets
//!   new --> INLINE -------------------------------------> POOL
//!             ^  \ Pending: task on the shard, polled        |
//!             |   \ there; slow wakes move it to the pool    |
//!             `--- 64 quick polls, none slow between -------'
//! ```
//!
//! An inline poll uses no waker: most handlers are ready at once. A handler that is not ready becomes a task
//! and is polled again as a task, so that it misses no wake-up.
//!
//! Wall time alone would demote every method many times a second on a shared machine. So a poll over budget
//! only makes the next polls of that method read the thread's CPU time before and after, and those decide.
//! The first polls of a method read it too.
//!
//! CPU time is no proof either: a network interrupt that is served during a poll counts as the handler's
//! time, and under load there are many. So a method returns to the shard soon the first time. Each time it is
//! sent to the pool, it has to make twice as many quick polls there before it returns, up to 512. Each time
//! it was suspected and found quick, it needs half as many.

pub use crate::reused_box::Place as FuturePlace;
use crate::{
    Shard,
    backlog::{Backlog, Claim, Cost},
    clock, os, reused_box, shard,
    watch::MethodName,
};
use polywire_base::running::{Running, method_of};
use polywire_call::{Code, Status};
use polywire_exchange::{Answerer, turns_ended};
use polywire_wire::Outcome;
use std::{
    any::Any,
    cell::Cell,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering::*},
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// The future of a handler that has not ended.
pub type HandlerFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// The thread on which a method's handler is polled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Inline {
    /// On the shard while the handler is quick, otherwise on the work pool.
    #[default]
    Adaptive,
    /// Always on the shard: for handlers known to be quick.
    Always,
    /// Always on the work pool: for handlers that compute, or use `block_in_place`.
    Never,
    /// On a thread of its own: for code that blocks.
    Blocking,
}

/// Measures how quick a method has been lately, over all shards. Written by the shards and by the pool
/// threads that run its calls, with relaxed stores: a lost count only delays a decision.
pub struct Gauge {
    mode: Inline,
    budget: Duration,
    pool: AtomicBool,
    /// The number of next polls that read the CPU clock, and the number of slow ones so far.
    probes: AtomicU32,
    slow: AtomicU32,
    quick_in_pool: AtomicU32,
    /// Number of quick polls in the pool that brings the method back to the shards.
    patience: AtomicU32,
    demotions: AtomicU32,
    /// The number of further calls for which `may_last` assumes that they outlive their first poll. Written
    /// by the shard.
    lasting: AtomicU32,
    /// The cost of calls that waited in a backlog.
    cost: Cost,
}

/// The number of polls that are measured after one that was over budget.
const PROBES: u32 = 64;
/// Number of confirmed slow polls among them that sends a method to the pool.
const SLOW: u32 = 2;
/// After this many calls in a row that were ready at once, the next is expected to be ready at once too.
const QUICK: u32 = 512;
/// Number of quick polls in the pool that brings a method back, if no poll between them computed for longer:
/// the first value and the largest.
const PATIENCE: (u32, u32) = (64, 512);

impl Gauge {
    /// A gauge for one method. `budget` is the CPU time that one poll may take and still count as quick; the
    /// server's default is 100 µs.
    pub fn new(mode: Inline, budget: Duration) -> Arc<Gauge> {
        Arc::new(Gauge {
            mode,
            budget,
            pool: AtomicBool::new(false),
            probes: AtomicU32::new(PROBES), // so that a method that computes is recognised by its first call
            slow: AtomicU32::new(0),
            quick_in_pool: AtomicU32::new(0),
            patience: AtomicU32::new(PATIENCE.0),
            demotions: AtomicU32::new(0),
            lasting: AtomicU32::new(QUICK),
            cost: Cost::default(),
        })
    }

    /// Where the next call is polled first.
    #[inline]
    pub fn place(&self) -> Place {
        match self.mode {
            Inline::Always => Place::Shard,
            Inline::Never => Place::Pool,
            Inline::Blocking => Place::Thread,
            Inline::Adaptive if self.pool.load(Relaxed) => Place::Pool,
            Inline::Adaptive => Place::Shard,
        }
    }

    /// Where to poll first a call whose request costs its handler more than its length suggests, because it
    /// has to be decompressed or parsed as text. Such a call goes to the pool, where it holds up no
    /// connection, unless its method always runs on the shard.
    #[inline]
    pub fn place_of_costly(&self) -> Place {
        match (self.mode, self.place()) {
            (Inline::Adaptive, Place::Shard) => Place::Pool,
            (_, place) => place,
        }
    }

    /// Whether a call that is polled first at `place` may outlive that poll, because it is polled elsewhere
    /// or a recent call did so. Its handler should then not keep the buffer into which its request was read.
    /// To be called once per call.
    #[inline]
    pub fn may_last(&self, place: Place) -> bool {
        let left = self.lasting.load(Relaxed);
        if left > 0 {
            self.lasting.store(left - 1, Relaxed);
        }
        left > 0 || place != Place::Shard
    }

    /// The cost of the method's calls, measured on those that waited in a backlog.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// The number of times that the method was moved to the pool.
    pub fn demotions(&self) -> u32 {
        self.demotions.load(Relaxed)
    }

    fn probing(&self) -> bool {
        self.probes.load(Relaxed) > 0
    }

    /// Sends a method to the pool whose calls are quick but too many for its shards. It returns as others do,
    /// once calls do not wait any more.
    #[cold]
    pub fn relieve(&self) {
        if self.mode == Inline::Adaptive && !self.pool.load(Relaxed) {
            self.quick_in_pool.store(0, Relaxed);
            self.demotions.fetch_add(1, Relaxed);
            self.pool.store(true, Relaxed);
        }
    }

    /// Notes a poll on the shard that was over budget by the wall clock.
    #[cold]
    fn note_slow_poll(&self) {
        if self.mode == Inline::Adaptive && !self.probing() {
            self.slow.store(0, Relaxed);
            self.probes.store(PROBES, Relaxed);
        }
    }

    /// Notes the CPU time of a poll on the shard: no more than passed by the clock, because a poll takes no
    /// time where a test has paused that clock, whatever it costs the machine.
    #[cold]
    fn probed(&self, cpu: Duration) {
        let left = self.probes.load(Relaxed).saturating_sub(1);
        self.probes.store(left, Relaxed);
        if cpu > self.budget {
            // One poll of ten budgets of CPU time is proof enough: every further one would hold up the shard
            // as long.
            let weight = if cpu > self.budget * 10 { SLOW } else { 1 };
            let slow = self.slow.load(Relaxed) + weight;
            self.slow.store(slow, Relaxed);
            if slow >= SLOW && self.mode == Inline::Adaptive {
                self.probes.store(0, Relaxed);
                self.quick_in_pool.store(0, Relaxed);
                self.demotions.fetch_add(1, Relaxed);
                return self.pool.store(true, Relaxed);
            }
        }
        if left == 0 {
            self.patience.store((self.patience.load(Relaxed) / 2).max(PATIENCE.0), Relaxed);
        }
    }

    /// Whether polls on the pool count towards the method's return to the shard. They do not while the method
    /// runs on the shard, or is configured to stay on the pool.
    fn may_come_back(&self) -> bool {
        self.pool.load(Relaxed)
    }

    /// Records the wall time and the CPU time of a poll on the pool, for a method that may return to the
    /// shard. A poll that was slow without computing is no evidence either way: it blocked, or its thread was
    /// not scheduled. One that ended with its turn at a stream was quick however long it took: as long as it
    /// has messages to send, each of them wakes the shard, which takes the processor from this thread.
    fn pooled(&self, wall: Duration, cpu: Duration, had_its_turn: bool) {
        if cpu > self.budget {
            self.quick_in_pool.store(0, Relaxed);
        } else if wall <= self.budget || had_its_turn {
            let patience = self.patience.load(Relaxed);
            if self.quick_in_pool.fetch_add(1, Relaxed) + 1 >= patience {
                self.patience.store((2 * patience).min(PATIENCE.1), Relaxed);
                self.pool.store(false, Relaxed);
            }
        }
    }
}

/// The thread on which a call is polled first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Shard,
    Pool,
    Thread,
}

/// Polls a handler once on the shard, and leaves in `polled`, which is pending, what it returns. Returns the
/// time the poll took. `now` is the last clock reading and is set to the one after the poll.
///
/// A panic becomes a [`Status`]; the future must not be polled again after `Ready`.
#[inline]
pub fn poll_here(
    polled: &mut Poll<Outcome>,
    future: &mut HandlerFuture,
    gauge: &Gauge,
    shard: &Shard,
    method: MethodName,
    now: &mut Instant,
) -> Duration {
    let probing = gauge.probing();
    let cpu = if probing { os::thread_cpu_time() } else { Duration::ZERO };
    shard.watch.begin(method);
    guarded(polled, method, future, &mut Context::from_waker(Waker::noop()));
    shard.watch.end();
    let after = clock::now();
    let wall = after - std::mem::replace(now, after);
    if probing {
        gauge.probed((os::thread_cpu_time() - cpu).min(wall));
    } else if wall > gauge.budget {
        gauge.note_slow_poll();
    }
    if polled.is_pending() {
        gauge.lasting.store(QUICK, Relaxed);
    }
    wall
}

thread_local! {
    /// Informs a profiler of the method that this thread runs.
    static RUNNING: Running = Running::of(os::thread_number());
    /// See [`dropped_for`].
    static DROPPED_FOR: Cell<Option<Code>> = const { Cell::new(None) };
}

/// The method, `service/method`, whose handler the calling thread polls. Tasks that a handler spawned do not
/// count.
pub fn running_method() -> Option<&'static str> {
    method_of(os::thread_number())
}

/// Polls user code, and leaves in `polled` what it returns; a panic ends this call and nothing else. An
/// outcome would be copied on its way through each of the functions that returned it.
fn guarded(polled: &mut Poll<Outcome>, method: MethodName, future: &mut HandlerFuture, cx: &mut Context<'_>) {
    let _ = RUNNING.try_with(|running| running.begin(method)); // a thread that ends tells nothing more
    let ended = catch_unwind(AssertUnwindSafe(|| *polled = future.as_mut().poll(cx)));
    let _ = RUNNING.try_with(Running::end);
    if let Err(panic) = ended {
        *polled = Poll::Ready(Outcome { status: of_panic(&*panic), ..Outcome::default() });
    }
}

/// The text of the status of a call whose handler panicked.
pub const PANICKED: &str = "the handler panicked";

/// The status that a caller receives after a panic. The panic's text is left out because it may quote data of
/// other callers; only the panic hook sees it, which by default prints it to standard error.
#[cold]
fn of_panic(panic: &(dyn Any + Send)) -> Status {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(|s| &s[..])).unwrap_or("(no message)");
    // Texts of tokio, in the version that the manifest asks for; a test checks that they still match.
    let blocks = text.contains("can call blocking only when running on the multi-threaded runtime")
        || text.contains("Cannot block the current thread from within a runtime")
        || text.contains("Cannot start a runtime from within a runtime");
    if blocks {
        let text = "the handler blocks its thread; declare its method `inline(Never)` or `blocking`";
        return Status::internal(text);
    }
    Status::internal(PANICKED)
}

/// Why the handler that the calling thread is dropping has not come to its end: DEADLINE_EXCEEDED, CANCELLED
/// where its caller does not wait any more, or UNAVAILABLE where its runtime ends. `None` elsewhere. It is
/// for destructors of what a handler owns, which nobody else can tell.
pub fn dropped_for() -> Option<Code> {
    DROPPED_FOR.try_with(Cell::get).ok().flatten()
}

/// Drops a handler that has not come to its end.
fn drop_early(future: HandlerFuture, why: Code) {
    let before = DROPPED_FOR.try_with(|reason| reason.replace(Some(why)));
    discard(future);
    if let Ok(before) = before {
        let _ = DROPPED_FOR.try_with(|reason| reason.set(before)); // a thread that ends tells nothing more
    }
}

/// Drops user code; a panicking destructor ends nothing else. Its memory is used again.
pub fn discard(future: HandlerFuture) {
    // Its call is over either way.
    let _ = catch_unwind(AssertUnwindSafe(move || reused_box::drop_and_keep(future)));
}

/// Continues a handler that did not finish inline, or must not be polled there, at `place`. Its outcome goes
/// to `answerer`.
pub fn park(
    future: HandlerFuture,
    gauge: &Arc<Gauge>,
    place: Place,
    answerer: Answerer,
    shard: &Arc<Shard>,
    method: MethodName,
) {
    let (gauge, home) = (gauge.clone(), shard.clone());
    let under_way = UnderWay { future, answerer, home, method };
    match place {
        Place::Shard => drop(shard.handle().spawn(Parked {
            call: Some(under_way),
            gauge,
            here: true,
            method,
            spent: None,
        })),
        Place::Pool => drop(shard.work().spawn(Parked {
            call: Some(under_way),
            gauge,
            here: false,
            method,
            spent: None,
        })),
        Place::Thread => drop(shard.work().spawn_blocking(move || under_way.block_on())),
    }
}

/// Lets a call wait for a worker of the pool behind others, or be refused; its handler has not been polled.
pub fn park_behind(
    backlog: &Arc<Backlog>,
    claim: Claim,
    future: HandlerFuture,
    gauge: &Arc<Gauge>,
    answerer: Answerer,
    shard: &Arc<Shard>,
    method: MethodName,
) {
    let (gauge, home) = (gauge.clone(), shard.clone());
    let call = Some(UnderWay { future, answerer, home, method });
    let parked = Parked { call, gauge, here: false, method, spent: Some(Spent::default()) };
    backlog.push(claim, parked, shard.work());
}

/// The cost of a call so far.
#[derive(Default)]
struct Spent {
    /// When the call was first polled.
    began: Option<Instant>,
    polled: Duration,
    /// Whether others waited when it was taken from the backlog: then its method stays on the pool.
    crowd: bool,
}

/// A call whose handler has not ended.
struct UnderWay {
    future: HandlerFuture,
    answerer: Answerer,
    /// The shard that received the request; calls that the handler makes use its connections.
    home: Arc<Shard>,
    method: MethodName,
}

impl UnderWay {
    fn end(self, outcome: Outcome) {
        discard(self.future);
        self.answerer.answer(outcome);
    }

    /// Drops the handler of a call that is over.
    fn cut_short(self) {
        let why = if self.answerer.is_late() { Code::DeadlineExceeded } else { Code::Cancelled };
        drop_early(self.future, why);
    }

    /// Runs the handler to its end on the current blocking thread.
    fn block_on(mut self) {
        /// A wake-up flag beside the thread's park token, because the handler's own code may consume that
        /// token.
        struct WakeFlag {
            woken: AtomicBool,
            thread: Thread,
        }
        impl Wake for WakeFlag {
            fn wake(self: Arc<Self>) {
                self.woken.store(true, Release); // pairs with the acquire below
                self.thread.unpark();
            }
        }
        let flag = Arc::new(WakeFlag { woken: AtomicBool::new(false), thread: thread::current() });
        let waker = Waker::from(flag.clone());
        let mut cx = Context::from_waker(&waker);
        loop {
            if self.answerer.watch(&waker) {
                return self.cut_short();
            }
            self.answerer.running();
            let mut polled = Poll::Pending;
            shard::visit(&self.home, || guarded(&mut polled, self.method, &mut self.future, &mut cx));
            if let Poll::Ready(outcome) = polled {
                return self.end(outcome);
            }
            self.answerer.waiting();
            while !flag.woken.swap(false, Acquire) {
                thread::park();
            }
        }
    }
}

pub(crate) struct Parked {
    /// The call; `None` once it has moved to the pool or ended.
    call: Option<UnderWay>,
    gauge: Arc<Gauge>,
    /// Whether the task runs on the shard; otherwise on the pool.
    here: bool,
    method: MethodName,
    /// The cost so far, set if the call waited in a backlog, whose estimates it improves.
    spent: Option<Spent>,
}

impl Parked {
    /// A call that is over, for tests of queues.
    #[cfg(test)]
    pub(crate) fn none() -> Parked {
        let gauge = Gauge::new(Inline::Never, Duration::ZERO);
        Parked { call: None, gauge, here: false, method: &"test/None", spent: None }
    }

    pub(crate) fn cost(&self) -> &Cost {
        &self.gauge.cost
    }

    /// Notes that other calls wait while this one runs.
    pub(crate) fn note_crowd(&mut self) {
        if let Some(spent) = &mut self.spent {
            spent.crowd = true;
        }
    }

    /// Ends a call whose handler has not been polled.
    pub(crate) fn refuse(mut self, status: Status) {
        if let Some(call) = self.call.take() {
            discard(call.future);
            call.answerer.refuse(Outcome { status, ..Outcome::default() });
        }
    }
}

impl Future for Parked {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(call) = &mut this.call else { return Poll::Ready(()) };
        if call.answerer.watch(cx.waker()) {
            if let Some(call) = this.call.take() {
                call.cut_short();
            }
            return Poll::Ready(());
        }
        if this.here && this.gauge.place() != Place::Shard {
            let (gauge, home) = (this.gauge.clone(), call.home.clone());
            let moved =
                Parked { call: this.call.take(), gauge, here: false, method: this.method, spent: None };
            home.work().spawn(moved);
            return Poll::Ready(());
        }
        call.answerer.running();
        let mut polled = Poll::Pending;
        if this.here {
            let shard = &call.home;
            let _work = shard.work().enter(); // timers, sockets and tasks of handlers live on the pool
            let probing = this.gauge.probing();
            let cpu = if probing { os::thread_cpu_time() } else { Duration::ZERO };
            let began = clock::now();
            shard.watch.begin(this.method);
            guarded(&mut polled, this.method, &mut call.future, cx);
            shard.watch.end();
            let wall = clock::now() - began;
            if probing {
                this.gauge.probed((os::thread_cpu_time() - cpu).min(wall));
            } else if wall > this.gauge.budget {
                this.gauge.note_slow_poll();
            }
        } else {
            let began = this.spent.is_some().then(clock::now);
            let clocks = this.gauge.may_come_back().then(|| (clock::now(), os::thread_cpu_time()));
            let turns = turns_ended();
            shard::visit(&call.home, || guarded(&mut polled, this.method, &mut call.future, cx));
            let clocks = clocks.filter(|_| !this.spent.as_ref().is_some_and(|spent| spent.crowd));
            if let Some((began, cpu)) = clocks {
                let wall = clock::now() - began;
                let slow = wall > this.gauge.budget;
                let cpu = if slow { os::thread_cpu_time() - cpu } else { Duration::ZERO };
                this.gauge.pooled(wall, cpu, turns_ended() != turns);
            }
            if let (Some(spent), Some(before)) = (&mut this.spent, began) {
                let now = clock::now();
                let first = *spent.began.get_or_insert(before);
                spent.polled += now - before;
                if polled.is_ready() {
                    this.gauge.cost.add(spent.polled, now - first);
                }
            }
        }
        let Poll::Ready(outcome) = polled else {
            call.answerer.waiting();
            return Poll::Pending;
        };
        if let Some(call) = this.call.take() {
            call.end(outcome);
        }
        Poll::Ready(())
    }
}

impl Drop for Parked {
    fn drop(&mut self) {
        // The runtime shut down before the handler ended.
        if let Some(call) = self.call.take() {
            let status = Status::unavailable("the runtime of the handler ended");
            drop_early(call.future, Code::Unavailable);
            call.answerer.answer(Outcome { status, ..Outcome::default() });
        }
    }
}

/// The work pool of this thread's shard, if there is one. The shard enters its context while it runs
/// handlers, so that `Handle::current()` is the pool for them.
pub(crate) fn work_of_this_thread() -> Option<tokio::runtime::Handle> {
    shard::with_current(|shard| shard.map(|shard| shard.work().clone()))
}

#[cfg(all(test, not(loom)))]
mod tests;
