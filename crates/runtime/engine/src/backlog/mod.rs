//! Calls that wait for a worker of the pool: the order in which they run, and which of them are refused.
//!
//! ```text
//!  park_behind --> Queue (ranks x callers) --> a task of the pool takes who is next --> first poll of the handler
//!                    `--> refused: late, cannot be done in time, crowded out
//! ```
//!
//! The pool has a task for each call that waits; which call the task runs is decided when a worker gets to
//! it. In a burst, calls run in the order of their arrival. A queue that has not been empty for a while is
//! called standing: then calls may wait only for about ten to forty times their own duration, the newest runs
//! next, and further calls are refused.
//!
//! Source: docs/design/overload.md. The rule of the standing queue is that of Facebook's servers (Maurer,
//!         "Fail at Scale", ACM Queue 13, 2015).

mod cost;
pub(crate) mod pause;
mod queue;
mod rank;
mod settings;
mod shedding;
#[cfg(test)]
mod tests;

use self::queue::{Ahead, Amount, QUEUES, Queue, Waiting, Why};
use crate::{clock, inline::Parked};
pub use cost::Cost;
use polywire_call::{Status, brpc};
pub use rank::Rank;
pub use settings::ParseSheddingError;
use settings::Settings;
pub use shedding::Shedding;
use std::{
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::runtime::Handle;

/// Handlers that take less than this are not worth the way to a worker and back. A call of which nothing is
/// known counts for as much.
const WORTH: Duration = Duration::from_micros(20);

/// How long calls wait in the queue of an overloaded server: eight times what each takes, and long enough
/// that workers have work while a shard pauses. Quick calls wait behind dear ones for as long as these do.
fn short(ahead: Amount, cost: &Cost) -> Duration {
    (cost.mean().max(ahead.mean()) * 8).max(Duration::from_millis(2))
}

/// The facts about a call that has to wait.
#[derive(Clone, Copy)]
pub struct Claim {
    pub rank: Rank,
    /// A number that identifies the caller.
    pub caller: u64,
    pub deadline: Option<Instant>,
    pub now: Instant,
}

/// The decisions of a backlog.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BacklogReport {
    /// Calls that wait now.
    pub waiting: u32,
    /// The highest number of calls that waited at once.
    pub highest: u32,
    /// Whether the queue stands.
    pub standing: bool,
    /// Calls that were refused since they had waited for too long.
    pub late: u64,
    /// Calls that were refused since they could not be done before their deadline.
    pub deadline: u64,
    /// Calls that were refused since the queue was full for their rank or their caller.
    pub crowded: u64,
}

/// The calls of a server that wait for a worker.
pub struct Backlog {
    settings: Settings,
    workers: u32,
    began: Instant,
    state: Mutex<State>,
    waiting: AtomicU32,
    standing: AtomicBool,
    /// Whether the queue is no burst: then it has a bound.
    bounded: AtomicBool,
    highest: AtomicU32,
    refused: [AtomicU64; 3],
}

struct State {
    queue: Queue<Parked>,
    /// Tasks of the pool that have not taken a call yet: at least one for each that waits.
    tasks: usize,
}

impl Backlog {
    /// The backlog of a pool with `workers` workers. `None`: calls do not wait in it until [`Backlog::set`]
    /// changes that.
    pub fn new(shedding: impl Into<Option<Shedding>>, workers: u32, now: Instant) -> Arc<Backlog> {
        let shedding = shedding.into().map(Shedding::bounded);
        let options = shedding.unwrap_or_default();
        Arc::new(Backlog {
            settings: Settings::new(shedding),
            workers: workers.max(1),
            began: now,
            state: Mutex::new(State { queue: Queue::new(options, now), tasks: 0 }),
            waiting: AtomicU32::new(0),
            standing: AtomicBool::new(false),
            bounded: AtomicBool::new(false),
            highest: AtomicU32::new(0),
            refused: Default::default(),
        })
    }

    /// How calls are shed; `None`: they are not shed.
    pub fn shedding(&self) -> Option<Shedding> {
        self.settings.shedding()
    }

    /// Replaces the settings of shedding. Calls that wait already keep their patience.
    pub fn set(&self, shedding: impl Into<Option<Shedding>>) {
        let shedding = shedding.into().map(Shedding::bounded);
        let mut state = self.lock();
        self.settings.set(shedding);
        if let Some(shedding) = shedding {
            state.queue.set(shedding);
        }
    }

    /// Whether calls wait in the backlog before they run. Hot: called for each call that runs on the pool.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.settings.is_on()
    }

    /// Whether a call that took `took` on its shard is too much for the shard: it has been busy with such
    /// calls for so long that they should wait where they can be shed. Hot: called for each call that runs on
    /// its shard.
    #[inline]
    pub fn is_too_much(&self, took: Duration, now: Instant) -> bool {
        took >= WORTH && self.is_on() && pause::is_saturated_by(took, now)
    }

    /// Whether calls wait. Cheap: called for each call that would have to wait.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.waiting.load(Relaxed) > 0
    }

    /// Whether the queue stands.
    #[inline]
    pub fn is_standing(&self) -> bool {
        self.standing.load(Relaxed)
    }

    /// The decisions so far.
    pub fn report(&self) -> BacklogReport {
        let [late, deadline, crowded] = [0, 1, 2].map(|k: usize| self.refused[k].load(Relaxed));
        BacklogReport {
            waiting: self.waiting.load(Relaxed),
            highest: self.highest.load(Relaxed),
            standing: self.is_standing(),
            late,
            deadline,
            crowded,
        }
    }

    /// The time since the backlog was created.
    fn time(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.began)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        polywire_base::lock(&self.state)
    }

    /// Refuses a request before its body is read, if waiting is pointless. `remaining`: the time until the
    /// caller's deadline; on a queue that stands, it has to suffice for half of the calls of the method. A
    /// queue that is full refuses before it stands: a call that came now would wait for too long, and
    /// refusing it later costs ten times as much. That of an overloaded server never runs out of calls: with
    /// a longer one it does no more, and its callers wait longer.
    ///
    /// # Errors
    /// ELIMIT, unprocessed.
    pub fn admit(
        &self,
        cost: &Cost,
        caller: u64,
        rank: Rank,
        remaining: Option<Duration>,
        now: Instant,
    ) -> Result<(), Status> {
        if !self.bounded.load(Relaxed) {
            return Ok(());
        }
        let median = cost.median();
        if self.is_standing()
            && remaining.is_some_and(|remaining| remaining < median)
            && !cost.may_try(self.time(now))
        {
            return Err(self.refuse_at_once(cost, Why::Deadline));
        }
        let caller = caller as usize % QUEUES;
        let mut state = self.lock();
        let queue = &mut state.queue;
        let (patience, is_hurried) = self.patience(cost, median, remaining);
        let is_full = if is_hurried && queue.is_overloaded_by_hurried(now) {
            let ahead = queue.hurried_ahead_of(rank, caller);
            self.is_full_for(ahead, (patience / 2).min(short(ahead.amount, cost)))
        } else {
            let patience = self.settings.options().patience(cost, self.workers);
            let ahead = queue.ahead_of(rank, caller);
            let cut = if queue.is_overloaded(now) { short(ahead.amount, cost) } else { patience };
            self.is_full_for(ahead, patience.min(cut))
        };
        if is_full {
            queue.note_refused(is_hurried, now);
            drop(state);
            return Err(self.refuse_at_once(cost, Why::Crowded));
        }
        Ok(())
    }

    /// Whether a call finds the queue full, whose calls may wait so long. A caller with less than its share
    /// may make the queue twice as long, so that one caller does not keep out all others.
    fn is_full_for(&self, ahead: Ahead, wait: Duration) -> bool {
        self.is_full(ahead.amount, wait) && (ahead.is_share() || self.is_full(ahead.amount, wait * 2))
    }

    /// Whether there is more to do than can be done before the last call has waited so long.
    fn is_full(&self, ahead: Amount, wait: Duration) -> bool {
        ahead.calls >= self.workers as usize && ahead.work >= wait * self.workers
    }

    /// Whether so much waits that a call has to go: more than even callers below their share may add to.
    fn is_overfull(&self, waiting: Amount, cost: &Cost) -> bool {
        self.is_full(waiting, self.settings.options().patience(cost, self.workers) * 2)
    }

    /// Refuses a call on the thread of its connection. The calls that wait keep the workers busy for the time
    /// of the short queue.
    #[cold]
    fn refuse_at_once(&self, cost: &Cost, why: Why) -> Status {
        let patience = self.settings.options().patience(cost, self.workers);
        pause::note_refused(patience.min(short(Amount::default(), cost)) / 2);
        self.refusal(why)
    }

    /// How long a call may wait while the queue stands: no longer than half of the time that its caller
    /// leaves for it. Otherwise a queue of calls that give up sooner would never stand: the oldest, whose
    /// time is nearly over, would always be next. A call that has hardly any time when it comes says nothing
    /// of that. Also: whether it is its caller's hurry that decides.
    fn patience(&self, cost: &Cost, median: Duration, remaining: Option<Duration>) -> (Duration, bool) {
        let patience = self.settings.options().patience(cost, self.workers);
        let wait = remaining.and_then(|remaining| remaining.checked_sub(median));
        match wait.filter(|wait| !median.is_zero() && *wait >= median).map(|wait| wait / 2) {
            Some(wait) if wait < patience => (wait, true),
            _ => (patience, false),
        }
    }

    fn refusal(&self, why: Why) -> Status {
        let (count, text) = match why {
            Why::Late => (0, "Waited too long for a worker"),
            Why::Deadline => (1, "Cannot be done before the deadline"),
            Why::Crowded => (2, "Too many calls wait for a worker"),
        };
        self.refused[count].fetch_add(1, Relaxed);
        brpc::status(brpc::ELIMIT, text).unprocessed()
    }

    /// Lets a call wait for a worker of `pool`.
    pub(crate) fn push(self: &Arc<Self>, claim: Claim, call: Parked, pool: &Handle) {
        let Claim { rank, caller, deadline, now } = claim;
        let cost = call.cost();
        let work = cost.mean().max(WORTH);
        let tried = deadline.is_some() && self.is_standing() && cost.tries(self.time(now));
        let median = if tried { Duration::ZERO } else { cost.median() };
        let remaining = deadline.map(|deadline| deadline.saturating_duration_since(now));
        let (patience, is_hurried) = self.patience(cost, median, remaining);
        let mut refused = Vec::new();
        let mut state = self.lock();
        let was_full = self.is_overfull(state.queue.amount(), cost);
        let waiting = Waiting { call, since: now, deadline, work, median, patience, is_hurried };
        state.queue.push(rank, caller as usize % QUEUES, waiting);
        state.queue.purge(now, |call, why| refused.push((call, why)));
        if was_full && state.queue.is_bounded(now) {
            refused.extend(state.queue.evict(now).map(|call| (call, Why::Crowded)));
        }
        let spawn = state.tasks < state.queue.len();
        state.tasks += usize::from(spawn);
        self.publish(&state.queue, now);
        drop(state);
        if spawn {
            let backlog = self.clone();
            pool.spawn(async move {
                if let Some(mut call) = backlog.take() {
                    if backlog.is_used() {
                        call.note_crowd();
                    }
                    call.await;
                }
            });
        }
        self.refuse(refused);
    }

    /// The call that a task of the pool runs. `None`: the waiting calls have been refused.
    fn take(&self) -> Option<Parked> {
        let now = clock::now();
        let mut refused = Vec::new();
        let mut state = self.lock();
        state.tasks -= 1;
        let next = loop {
            let Some(next) = state.queue.pop(now) else { break None };
            match state.queue.verdict(&next, now) {
                None => break Some(next.call),
                Some(why) => {
                    state.queue.note(&next, why, now);
                    refused.push((next.call, why));
                }
            }
        };
        state.queue.purge(now, |call, why| refused.push((call, why)));
        self.publish(&state.queue, now);
        drop(state);
        self.refuse(refused);
        next
    }

    /// Publishes the state for readers that do not take the lock. Called with the lock held.
    fn publish(&self, queue: &Queue<Parked>, now: Instant) {
        let len = queue.len() as u32;
        self.waiting.store(len, Relaxed);
        self.standing.store(queue.is_standing(now), Relaxed);
        self.bounded.store(queue.is_bounded(now), Relaxed);
        if len > self.highest.load(Relaxed) {
            self.highest.store(len, Relaxed);
        }
    }

    fn refuse(&self, refused: Vec<(Parked, Why)>) {
        for (call, why) in refused {
            let status = self.refusal(why);
            call.refuse(status);
        }
    }
}
