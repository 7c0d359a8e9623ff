//! The queue of calls that wait for a worker: chooses the next one, and removes those that stop waiting. Time
//! goes in; no clock is read.

use super::{rank::Rank, shedding::Shedding};
use std::{
    collections::VecDeque,
    iter::Sum,
    time::{Duration, Instant},
};

/// The number of queues of each rank among which callers are spread.
pub(super) const QUEUES: usize = 64;

/// A call that waits.
pub(super) struct Waiting<T> {
    pub call: T,
    pub since: Instant,
    pub deadline: Option<Instant>,
    /// The mean of the time for which calls of its method keep a worker busy.
    pub work: Duration,
    /// The median of the time that calls of its method take, once they run.
    pub median: Duration,
    /// How long the call may wait while the queue stands.
    pub patience: Duration,
    /// Whether it would wait longer if its caller did.
    pub is_hurried: bool,
}

/// The reason why a call stops waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// The call has waited for longer than it may.
    Late,
    /// The call could not be done before its caller's deadline.
    Deadline,
    /// The queue is full, and the call's caller has the most calls in it.
    Crowded,
}

/// A number of calls that wait, and for how long they will keep a worker busy.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Amount {
    pub calls: usize,
    pub work: Duration,
}

impl Amount {
    /// For how long each of them will keep a worker busy.
    pub fn mean(self) -> Duration {
        self.work / (self.calls as u32).max(1)
    }

    fn add<T>(&mut self, waiting: &Waiting<T>) {
        self.calls += 1;
        self.work += waiting.work;
    }

    fn subtract<T>(&mut self, waiting: &Waiting<T>) {
        self.calls -= 1;
        self.work -= waiting.work;
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Amount {
        amounts.fold(Amount::default(), |all, one| Amount {
            calls: all.calls + one.calls,
            work: all.work + one.work,
        })
    }
}

/// Calls that wait, by rank and caller.
pub(super) struct Queue<T> {
    options: Shedding,
    ranks: [Callers<T>; Rank::ALL.len()],
    len: usize,
    /// Those that are hurried, by rank.
    hurried: [Amount; Rank::ALL.len()],
    /// When the queue was last known to be empty, except for times when it was empty because calls were
    /// refused.
    empty: Instant,
    /// When a call was last refused for the length of the queue, or for having waited too long.
    refused: Option<Instant>,
    share: Share,
    /// The share of hurried calls. A burst takes longer than they may wait, so they do not count elsewhere.
    hurried_share: Share,
    /// When the queue last became empty.
    idle_since: Instant,
    /// When the oldest calls are checked next.
    purge_at: Instant,
}

/// Calls of one rank.
struct Callers<T> {
    queues: Vec<VecDeque<Waiting<T>>>,
    /// A bit for each queue that is not empty.
    used: u64,
    /// The queue that was served last.
    turn: u32,
    amount: Amount,
}

impl<T> Callers<T> {
    fn new() -> Self {
        Callers { queues: Vec::new(), used: 0, turn: 0, amount: Amount::default() }
    }

    fn push(&mut self, caller: usize, waiting: Waiting<T>) {
        if self.queues.is_empty() {
            self.queues.resize_with(QUEUES, VecDeque::new);
        }
        self.amount.add(&waiting);
        self.queues[caller].push_back(waiting);
        self.used |= 1 << caller;
    }

    fn used(&self) -> impl Iterator<Item = usize> + use<T> {
        let used = self.used;
        (0..QUEUES).filter(move |k| used & (1 << k) != 0)
    }

    fn take(&mut self, caller: usize, newest: bool) -> Option<Waiting<T>> {
        let queue = self.queues.get_mut(caller)?;
        let taken = if newest { queue.pop_back() } else { queue.pop_front() };
        if queue.is_empty() {
            self.used &= !(1 << caller);
        }
        taken.iter().for_each(|taken| self.amount.subtract(taken));
        taken
    }

    /// The caller that is next in turn.
    fn next_in_turn(&mut self) -> Option<usize> {
        if self.used == 0 {
            return None;
        }
        let after = self.used.rotate_right(self.turn + 1).trailing_zeros();
        self.turn = (self.turn + 1 + after) % QUEUES as u32;
        Some(self.turn as usize)
    }

    fn oldest(&self) -> Option<(usize, Instant)> {
        let fronts = self.used().filter_map(|k| Some((k, self.queues[k].front()?.since)));
        fronts.min_by_key(|(_, since)| *since)
    }
}

/// Time between two searches for calls that stop waiting; the next call is checked in any case.
const PURGE: Duration = Duration::from_micros(200);

/// The share of the calls that are refused.
struct Share {
    /// The length of a counting period.
    time: Duration,
    /// The share is large if more than one is refused for this many that are taken. A call that is refused
    /// after it has waited counts as both.
    taken_for_each: u32,
    /// The end of the counting period.
    until: Instant,
    taken: u32,
    refused: u32,
    /// How long the queue was empty.
    idle: Duration,
    /// Whether the share was large in the previous period, although the queue was hardly ever empty.
    is_large: bool,
}

impl Share {
    fn new(time: Duration, taken_for_each: u32, now: Instant) -> Share {
        Share {
            time,
            taken_for_each,
            until: now + time,
            taken: 0,
            refused: 0,
            idle: Duration::ZERO,
            is_large: false,
        }
    }

    fn note(&mut self, now: Instant, refused: bool) {
        if now >= self.until {
            let is_large = self.refused > self.taken / self.taken_for_each && self.idle < self.time / 4;
            *self = Share { is_large, ..Share::new(self.time, self.taken_for_each, now) };
        }
        self.refused += u32::from(refused);
        self.taken += u32::from(!refused);
    }
}

impl<T> Queue<T> {
    pub fn new(options: Shedding, now: Instant) -> Self {
        Queue {
            options,
            ranks: [(); 4].map(|()| Callers::new()),
            len: 0,
            hurried: [Amount::default(); Rank::ALL.len()],
            empty: now,
            refused: None,
            share: Share::new(Duration::from_millis(50), 8, now),
            hurried_share: Share::new(Duration::from_millis(200), 3, now),
            idle_since: now,
            purge_at: now,
        }
    }

    pub fn set(&mut self, options: Shedding) {
        self.options = options;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Hurried calls that are as important as `rank`, or more.
    pub fn hurried_ahead_of(&self, rank: Rank) -> Amount {
        self.hurried[..=rank as usize].iter().copied().sum()
    }

    /// Whether the queue has not been empty for longer than a burst lasts, and its oldest call has waited for
    /// seven eighths of its patience. The second condition keeps a busy server that is not overloaded from
    /// serving the newest first, which would make old calls wait longer and longer.
    pub fn is_standing(&self, now: Instant) -> bool {
        self.is_bounded(now) && self.has_waited(now)
    }

    /// Whether the queue has not been empty for longer than a burst lasts.
    pub fn is_bounded(&self, now: Instant) -> bool {
        self.len > 0 && now.saturating_duration_since(self.empty) > self.options.burst
    }

    fn has_waited(&self, now: Instant) -> bool {
        let callers = self.ranks.iter().filter(|callers| callers.used != 0);
        let mut fronts = callers.flat_map(|c| c.used().filter_map(|k| c.queues[k].front()));
        fronts.any(|front| now.saturating_duration_since(front.since) > front.patience * 7 / 8)
    }

    /// Calls that are as important as `rank`, or more.
    pub fn ahead_of(&self, rank: Rank) -> Amount {
        self.ranks[..=rank as usize].iter().map(|callers| callers.amount).sum()
    }

    /// All calls.
    pub fn amount(&self) -> Amount {
        self.ahead_of(Rank::Sheddable)
    }

    /// The number of callers that have calls waiting, with `caller` among them.
    pub fn callers_with(&self, caller: usize) -> usize {
        let used = self.ranks.iter().fold(1 << caller, |used, callers| used | callers.used);
        u64::count_ones(used) as usize
    }

    /// Calls of one caller.
    pub fn of(&self, caller: usize) -> usize {
        self.ranks.iter().map(|callers| callers.queues.get(caller).map_or(0, VecDeque::len)).sum()
    }

    pub fn push(&mut self, rank: Rank, caller: usize, waiting: Waiting<T>) {
        if self.len == 0 {
            self.rest(waiting.since);
            let idle = waiting.since.saturating_duration_since(self.idle_since);
            self.hurried_share.idle += idle.min(self.hurried_share.time);
        }
        self.len += 1;
        self.share.note(waiting.since, false);
        if waiting.is_hurried {
            self.hurried[rank as usize].add(&waiting);
            self.hurried_share.note(waiting.since, false);
        }
        self.ranks[rank as usize].push(caller, waiting);
    }

    /// The next call to run. In a burst the oldest; while the queue stands the most important, with callers
    /// in turn, and the newest of each caller, since that call's client still waits for it.
    pub fn pop(&mut self, now: Instant) -> Option<Waiting<T>> {
        let (rank, taken) = if self.is_standing(now) {
            let rank = self.ranks.iter().position(|callers| callers.used != 0)?;
            let caller = self.ranks[rank].next_in_turn()?;
            (rank, self.ranks[rank].take(caller, self.options.newest_first))
        } else {
            let oldest =
                self.ranks.iter().enumerate().filter_map(|(k, callers)| Some((k, callers.oldest()?)));
            let (rank, (caller, _)) = oldest.min_by_key(|(_, (_, since))| *since)?;
            (rank, self.ranks[rank].take(caller, false))
        };
        self.taken(rank, taken.as_ref(), now);
        taken
    }

    fn taken(&mut self, rank: usize, taken: Option<&Waiting<T>>, now: Instant) {
        let Some(taken) = taken else { return };
        self.len -= 1;
        if taken.is_hurried {
            self.hurried[rank].subtract(taken);
        }
        if self.len == 0 {
            self.rest(now);
            self.idle_since = now;
        }
    }

    /// Records that the queue is empty at `now`. A queue that has just refused calls does not begin a new
    /// burst, during which it would have no limit.
    fn rest(&mut self, now: Instant) {
        if !self.refuses(now) {
            self.empty = now;
        }
    }

    /// Whether the queue has just refused a call.
    fn refuses(&self, now: Instant) -> bool {
        self.refused.is_some_and(|at| now.saturating_duration_since(at) < self.options.burst)
    }

    /// Whether so many calls are refused that the server is overloaded, and not only busy for a moment.
    pub fn is_overloaded(&self, now: Instant) -> bool {
        self.refuses(now) && self.share.is_large
    }

    /// Whether so many hurried calls are refused that it has too much to do for them. They are half of what
    /// waits then: if it is others that keep them waiting, a shorter queue of theirs would change nothing.
    pub fn is_overloaded_by_hurried(&self, now: Instant) -> bool {
        self.refuses(now)
            && self.hurried_share.is_large
            && 2 * self.hurried_ahead_of(Rank::Sheddable).calls >= self.len
    }

    /// Notes that a call is refused since too many wait, or have waited for too long.
    pub fn note_refused(&mut self, is_hurried: bool, now: Instant) {
        self.refused = Some(now);
        let share = if is_hurried { &mut self.hurried_share } else { &mut self.share };
        share.note(now, true);
    }

    /// Notes that a call is refused which waits. A deadline that comes too soon does not say how much there
    /// is to do.
    pub fn note(&mut self, waiting: &Waiting<T>, why: Why, now: Instant) {
        if why != Why::Deadline {
            self.note_refused(waiting.is_hurried, now);
        }
    }

    /// Whether this call, which is next, should not be run.
    pub fn verdict(&self, waiting: &Waiting<T>, now: Instant) -> Option<Why> {
        self.why(waiting, now, self.is_standing(now))
    }

    fn why(&self, waiting: &Waiting<T>, now: Instant, standing: bool) -> Option<Why> {
        let left = waiting.deadline.map(|deadline| deadline.saturating_duration_since(now));
        // While the queue does not stand there is time for calls that will be too late, and what they take
        // corrects the median.
        if left.is_some_and(|left| (standing && left < waiting.median) || left.is_zero()) {
            return Some(Why::Deadline);
        }
        let patience = if standing { waiting.patience } else { self.options.burst.max(waiting.patience) };
        (now.saturating_duration_since(waiting.since) > patience).then_some(Why::Late)
    }

    /// Removes calls that stop waiting, from the old ends, and passes each with the reason to `refuse`.
    pub fn purge(&mut self, now: Instant, mut refuse: impl FnMut(T, Why)) {
        if self.len == 0 || now < self.purge_at {
            return;
        }
        self.purge_at = now + PURGE;
        let standing = self.is_standing(now);
        for rank in 0..self.ranks.len() {
            for caller in self.ranks[rank].used() {
                while let Some(front) = self.ranks[rank].queues[caller].front()
                    && let Some(why) = self.why(front, now, standing)
                {
                    let taken = self.ranks[rank].take(caller, false);
                    taken.iter().for_each(|taken| self.note(taken, why, now));
                    self.taken(rank, taken.as_ref(), now);
                    taken.into_iter().for_each(|taken| refuse(taken.call, why));
                }
            }
        }
    }

    /// Takes out a call of the least important rank: the oldest call of the caller that has the most there.
    pub fn evict(&mut self, now: Instant) -> Option<T> {
        let rank = self.ranks.iter().rposition(|callers| callers.used != 0)?;
        let callers = &mut self.ranks[rank];
        let longest = callers.used().max_by_key(|k| callers.queues[*k].len())?;
        let taken = callers.take(longest, false);
        taken.iter().for_each(|taken| self.note(taken, Why::Crowded, now));
        self.taken(rank, taken.as_ref(), now);
        taken.map(|waiting| waiting.call)
    }
}
