//! Polling handlers where their request was parsed, for as long as that is quick.
//!
//! ```text
//!               quick          two confirmed slow polls in 64, or one of ten budgets
//!   new --> INLINE -------------------------------------> POOL
//!             ^  \ Pending: task on the shard, polled        |
//!             |   \ there; slow wakes move it to the pool    |
//!             `--- 64 quick polls, none slow between -------'
//! ```
//!
//! An inline poll uses no waker: most handlers are ready at once. One that is not becomes a task and is polled again
//! there, so that nothing it waited for is missed.
//!
//! Wall time alone would demote every method many times a second on a shared machine. So a poll over budget only makes
//! the next polls of that method read the thread's CPU time before and after, and those decide. The first polls of a
//! method read it too.
//!
//! CPU time is no proof either: a network interrupt that is served meanwhile counts as the handler's, and under load there are
//! many. So a method comes back soon the first time. Each time it is sent to the pool it has to be quick there for twice as
//! long, up to 512 polls; each time it was watched in vain, half as long.

use crate::{Shard, clock, os, shard, watchdog::MethodName};
use polywire_call::Status;
use polywire_exchange::Answerer;
use polywire_wire::Outcome;
use std::{
    any::Any,
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

/// A handler under way.
pub type HandlerFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// Where a method's handler is polled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inline {
    /// On the shard while it is quick, else on the work pool.
    #[default]
    Adaptive,
    /// On the shard, always: for handlers known to be quick.
    Always,
    /// On the work pool, always: for handlers that compute, or use `block_in_place`.
    Never,
    /// On a thread of its own: for code that blocks.
    Blocking,
}

/// How quick a method has been lately, on one shard. Written by that shard and by the pool threads its calls are on,
/// with relaxed stores: a lost count only delays a decision.
pub struct Gauge {
    mode: Inline,
    budget: Duration,
    pool: AtomicBool,
    /// Polls left that read the CPU clock, and how many of them were slow.
    probes: AtomicU32,
    slow: AtomicU32,
    quick_in_pool: AtomicU32,
    /// Quick polls in the pool that bring it back.
    patience: AtomicU32,
    demotions: AtomicU32,
    /// Calls left that are taken for such as outlive their first poll. Written by the shard.
    lasting: AtomicU32,
}

/// Polls watched after one that was over budget.
const PROBES: u32 = 64;
/// Confirmed slow polls among them that send a method to the pool.
const SLOW: u32 = 2;
/// So many calls in a row that were ready at once, and the next is taken for one that will be.
const QUICK: u32 = 512;
/// Quick polls in the pool that bring a method back if none between them computed for longer: at first, and at most.
const PATIENCE: (u32, u32) = (64, 512);

impl Gauge {
    /// `budget`: CPU time of a poll that still counts as quick; 100 µs is the default elsewhere.
    pub fn new(mode: Inline, budget: Duration) -> Arc<Gauge> {
        Arc::new(Gauge {
            mode,
            budget,
            pool: AtomicBool::new(false),
            probes: AtomicU32::new(PROBES), // a method that computes is to be found out by its first call
            slow: AtomicU32::new(0),
            quick_in_pool: AtomicU32::new(0),
            patience: AtomicU32::new(PATIENCE.0),
            demotions: AtomicU32::new(0),
            lasting: AtomicU32::new(QUICK),
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

    /// The same of a call whose request costs its handler more than its length says: it is inflated, or parsed as text, where
    /// it holds up no connection. A method that is to run on the shard does.
    #[inline]
    pub fn place_of_costly(&self) -> Place {
        match (self.mode, self.place()) {
            (Inline::Adaptive, Place::Shard) => Place::Pool,
            (_, place) => place,
        }
    }

    /// Whether the next call may outlive its first poll: it is polled elsewhere, or a call lately did. Its handler then should
    /// not keep the buffer that its request was read into. Once per call.
    #[inline]
    pub fn may_last(&self) -> bool {
        let left = self.lasting.load(Relaxed);
        if left > 0 {
            self.lasting.store(left - 1, Relaxed);
        }
        left > 0 || self.place() != Place::Shard
    }

    /// How often the method was sent to the pool.
    pub fn demotions(&self) -> u32 {
        self.demotions.load(Relaxed)
    }

    fn probing(&self) -> bool {
        self.probes.load(Relaxed) > 0
    }

    /// A poll on the shard was over budget by the wall clock.
    #[cold]
    fn suspect(&self) {
        if self.mode == Inline::Adaptive && !self.probing() {
            self.slow.store(0, Relaxed);
            self.probes.store(PROBES, Relaxed);
        }
    }

    /// A poll on the shard took this much CPU time.
    #[cold]
    fn probed(&self, cpu: Duration) {
        let left = self.probes.load(Relaxed).saturating_sub(1);
        self.probes.store(left, Relaxed);
        if cpu > self.budget {
            // One poll of ten budgets of CPU time says enough: every further one would hold up the shard as long.
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

    /// Polls on the pool decide whether the method comes back. Those of calls that are polled there while their method is on
    /// the shard, or is to be on the pool, say nothing.
    fn may_come_back(&self) -> bool {
        self.pool.load(Relaxed)
    }

    /// A poll on the pool took this long, and this much CPU time of it, of a method that may come back. One that was slow without
    /// computing is no sign of either: it blocked, or its thread was not let run.
    fn pooled(&self, wall: Duration, cpu: Duration) {
        if cpu > self.budget {
            self.quick_in_pool.store(0, Relaxed);
        } else if wall <= self.budget {
            let patience = self.patience.load(Relaxed);
            if self.quick_in_pool.fetch_add(1, Relaxed) + 1 >= patience {
                self.patience.store((2 * patience).min(PATIENCE.1), Relaxed);
                self.pool.store(false, Relaxed);
            }
        }
    }
}

/// Where a call is polled first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Shard,
    Pool,
    Thread,
}

/// Polls a handler once on the shard; its outcome comes with the time it took. `now` is the last clock reading and
/// becomes the one after the poll.
///
/// A panic becomes a [`Status`]; the future must not be polled again after `Ready`.
#[inline]
pub fn poll_here(
    future: &mut HandlerFuture,
    gauge: &Gauge,
    shard: &Shard,
    method: MethodName,
    now: &mut Instant,
) -> Poll<(Outcome, Duration)> {
    let probing = gauge.probing();
    let cpu = if probing { os::thread_cpu_time() } else { Duration::ZERO };
    shard.watch.begin(method);
    let polled = guarded(future, &mut Context::from_waker(Waker::noop()));
    shard.watch.end();
    let after = clock::now();
    let wall = after - std::mem::replace(now, after);
    if probing {
        gauge.probed(os::thread_cpu_time() - cpu);
    } else if wall > gauge.budget {
        gauge.suspect();
    }
    if polled.is_pending() {
        gauge.lasting.store(QUICK, Relaxed);
    }
    polled.map(|outcome| (outcome, wall))
}

/// Polls user code; a panic ends the call and nothing else.
fn guarded(future: &mut HandlerFuture, cx: &mut Context<'_>) -> Poll<Outcome> {
    match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(polled) => polled,
        Err(panic) => Poll::Ready(Outcome { status: of_panic(&*panic), ..Outcome::default() }),
    }
}

/// What the caller hears of a panic. Its text may quote data of other callers: it is for the panic hook, by default on
/// standard error, and for nobody else.
#[cold]
fn of_panic(panic: &(dyn Any + Send)) -> Status {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(|s| &s[..])).unwrap_or("(no message)");
    // tokio's words, in the version that the manifest asks for; a test holds them to it.
    let blocks = text.contains("can call blocking only when running on the multi-threaded runtime")
        || text.contains("Cannot block the current thread from within a runtime")
        || text.contains("Cannot start a runtime from within a runtime");
    if blocks {
        let text = "the handler blocks its thread; declare its method `inline(Never)` or `blocking`";
        return Status::internal(text);
    }
    Status::internal("the handler panicked")
}

/// Drops user code; a panicking destructor ends nothing else.
pub fn discard(future: HandlerFuture) {
    let _ = catch_unwind(AssertUnwindSafe(move || drop(future))); // its call is over either way
}

/// A handler that did not finish inline, or must not be polled there: it goes on at `place`. Its outcome goes to `answerer`.
pub fn park(
    future: HandlerFuture,
    gauge: &Arc<Gauge>,
    place: Place,
    answerer: Answerer,
    shard: &Arc<Shard>,
    method: MethodName,
) {
    let (gauge, home) = (gauge.clone(), shard.clone());
    let under_way = UnderWay { future, answerer, home };
    match place {
        Place::Shard => {
            drop(shard.handle().spawn(Parked { call: Some(under_way), gauge, here: true, method }))
        }
        Place::Pool => drop(shard.work().spawn(Parked { call: Some(under_way), gauge, here: false, method })),
        Place::Thread => drop(shard.work().spawn_blocking(move || under_way.block_on())),
    }
}

/// A call whose handler has not ended.
struct UnderWay {
    future: HandlerFuture,
    answerer: Answerer,
    /// The shard that took the request; calls that the handler makes use its connections.
    home: Arc<Shard>,
}

impl UnderWay {
    fn end(self, outcome: Outcome) {
        discard(self.future);
        self.answerer.answer(outcome);
    }

    /// A blocking thread drives the handler to its end.
    fn block_on(mut self) {
        /// Not the thread's park token alone: the handler's own code may take that away.
        struct Bell {
            rung: AtomicBool,
            thread: Thread,
        }
        impl Wake for Bell {
            fn wake(self: Arc<Self>) {
                self.rung.store(true, Release); // pairs with the acquire below
                self.thread.unpark();
            }
        }
        let bell = Arc::new(Bell { rung: AtomicBool::new(true), thread: thread::current() });
        let waker = Waker::from(bell.clone());
        let mut cx = Context::from_waker(&waker);
        self.answerer.watch(&waker);
        loop {
            if !bell.rung.swap(false, Acquire) {
                thread::park();
                continue;
            }
            if self.answerer.is_over() {
                return discard(self.future);
            }
            let polled = shard::visit(&self.home, || guarded(&mut self.future, &mut cx));
            if let Poll::Ready(outcome) = polled {
                return self.end(outcome);
            }
            self.answerer.watch(&waker);
        }
    }
}

struct Parked {
    /// `None` once it has moved on or ended.
    call: Option<UnderWay>,
    gauge: Arc<Gauge>,
    /// On the shard; else on the pool.
    here: bool,
    method: MethodName,
}

impl Future for Parked {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(call) = &mut this.call else { return Poll::Ready(()) };
        call.answerer.watch(cx.waker());
        if call.answerer.is_over() {
            if let Some(call) = this.call.take() {
                discard(call.future); // cancelled
            }
            return Poll::Ready(());
        }
        if this.here && this.gauge.place() != Place::Shard {
            let (gauge, home) = (this.gauge.clone(), call.home.clone());
            let moved = Parked { call: this.call.take(), gauge, here: false, method: this.method };
            home.work().spawn(moved);
            return Poll::Ready(());
        }
        let polled = if this.here {
            let shard = &call.home;
            let _work = shard.work().enter(); // timers, sockets and tasks of handlers live on the pool
            let probing = this.gauge.probing();
            let cpu = if probing { os::thread_cpu_time() } else { Duration::ZERO };
            let began = Instant::now();
            shard.watch.begin(this.method);
            let polled = guarded(&mut call.future, cx);
            shard.watch.end();
            if probing {
                this.gauge.probed(os::thread_cpu_time() - cpu);
            } else if began.elapsed() > this.gauge.budget {
                this.gauge.suspect();
            }
            polled
        } else {
            let clocks = this.gauge.may_come_back().then(|| (Instant::now(), os::thread_cpu_time()));
            let polled = shard::visit(&call.home, || guarded(&mut call.future, cx));
            if let Some((began, cpu)) = clocks {
                let wall = began.elapsed();
                let slow = wall > this.gauge.budget;
                this.gauge.pooled(wall, if slow { os::thread_cpu_time() - cpu } else { Duration::ZERO });
            }
            polled
        };
        let Poll::Ready(outcome) = polled else { return Poll::Pending };
        if let Some(call) = this.call.take() {
            call.end(outcome);
        }
        Poll::Ready(())
    }
}

impl Drop for Parked {
    fn drop(&mut self) {
        // The runtime ended under a handler that had not.
        if let Some(call) = self.call.take() {
            let status = Status::unavailable("the runtime of the handler ended");
            call.end(Outcome { status, ..Outcome::default() });
        }
    }
}

/// Holds the work pool's context while a shard runs handlers: `Handle::current()` is the pool for them.
pub(crate) fn work_of_this_thread() -> Option<tokio::runtime::Handle> {
    shard::with_current(|shard| shard.map(|shard| shard.work().clone()))
}

#[cfg(all(test, not(loom)))]
mod tests;
