//! The queue of calls that wait for a worker: chooses the next one, and removes those that stop waiting. Time
//! goes in; no clock is read.

use super::{rank::Rank, shedding::Shedding};
use std::{
    collections::VecDeque,
    iter::Sum,
    ops::Add,
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

    fn include<T>(&mut self, waiting: &Waiting<T>) {
        self.calls += 1;
        self.work += waiting.work;
    }

    fn exclude<T>(&mut self, waiting: &Waiting<T>) {
        self.calls -= 1;
        self.work -= waiting.work;
    }
}

/// Calls that wait, all of them and by caller.
#[derive(Default)]
struct Amounts {
    all: Amount,
    /// Empty until a call waits.
    of: Vec<Amount>,
    /// A bit for each caller that has a call here.
    used: u64,
}

impl Amounts {
    fn include<T>(&mut self, caller: usize, waiting: &Waiting<T>) {
        if self.of.is_empty() {
            self.of.resize(QUEUES, Amount::default());
        }
        self.all.include(waiting);
        self.of[caller].include(waiting);
        self.used |= 1 << caller;
    }

    fn exclude<T>(&mut self, caller: usize, waiting: &Waiting<T>) {
        self.all.exclude(waiting);
        self.of[caller].exclude(waiting);
        if self.of[caller].calls == 0 {
            self.used &= !(1 << caller);
        }
    }

    /// The callers that have calls here.
    fn callers(&self) -> impl Iterator<Item = usize> + use<> {
        let used = self.used;
        (0..QUEUES).filter(move |k| used & (1 << k) != 0)
    }

    fn of(&self, caller: usize) -> Amount {
        self.of.get(caller).copied().unwrap_or_default()
    }
}

/// The calls that are ahead of one that comes: those as important as it is, or more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    pub amount: Amount,
    /// Those of its caller.
    pub of_caller: Amount,
    /// The number of their callers, with its own among them.
    pub callers: u32,
}

impl Ahead {
    /// Whether its caller has its share of them.
    pub fn is_share(&self) -> bool {
        self.of_caller.work * self.callers >= self.amount.work
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Amount {
        amounts.fold(Amount::default(), |all, one| all + one)
    }
}

impl Add for Amount {
    type Output = Amount;

    fn add(self, other: Amount) -> Amount {
        Amount { calls: self.calls + other.calls, work: self.work + other.work }
    }
}

/// Calls that wait, by rank and caller.
pub(super) struct Queue<T> {
    options: Shedding,
    ranks: [Callers<T>; Rank::ALL.len()],
    /// Those that are hurried, by rank.
    hurried: [Amounts; Rank::ALL.len()],
    /// When the queue was last known to be empty, except for times when it was empty because calls were
    /// refused.
    empty: Instant,
    /// When a call was last refused for the length of the queue, or for having waited too long.
    refused: Option<Instant>,
    share: Share,
    /// The share of hurried calls. A burst takes longer than they may wait, so they do not count elsewhere.
    hurried_share: Share,
    /// When the oldest calls are checked next.
    purge_at: Instant,
}

/// Calls of one rank.
struct Callers<T> {
    queues: Vec<VecDeque<Waiting<T>>>,
    /// The queue that was served last.
    turn: u32,
    amounts: Amounts,
}

impl<T> Callers<T> {
    fn new() -> Self {
        Callers { queues: Vec::new(), turn: 0, amounts: Amounts::default() }
    }

    fn push(&mut self, caller: usize, waiting: Waiting<T>) {
        if self.queues.is_empty() {
            self.queues.resize_with(QUEUES, VecDeque::new);
        }
        self.amounts.include(caller, &waiting);
        self.queues[caller].push_back(waiting);
    }

    fn is_empty(&self) -> bool {
        self.amounts.all.calls == 0
    }

    /// The calls that have waited for longest, one of each caller.
    fn fronts(&self) -> impl Iterator<Item = (usize, &Waiting<T>)> {
        self.amounts.callers().filter_map(|k| Some((k, self.queues[k].front()?)))
    }

    fn take(&mut self, caller: usize, newest: bool) -> Option<Waiting<T>> {
        let queue = self.queues.get_mut(caller)?;
        let taken = if newest { queue.pop_back() } else { queue.pop_front() };
        taken.iter().for_each(|taken| self.amounts.exclude(caller, taken));
        taken
    }

    /// The caller that is next in turn.
    fn next_in_turn(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let after = self.amounts.used.rotate_right(self.turn + 1).trailing_zeros();
        self.turn = (self.turn + 1 + after) % QUEUES as u32;
        Some(self.turn as usize)
    }

    fn oldest(&self) -> Option<(usize, Instant)> {
        self.fronts().map(|(k, front)| (k, front.since)).min_by_key(|(_, since)| *since)
    }
}

/// Time between two searches for calls that stop waiting; the next call is checked in any case.
const PURGE: Duration = Duration::from_micros(200);

/// The share of the calls that are refused.
struct Share {
    /// The least length of a counting period. It lasts until there are [`Share::LEAST`] calls, too.
    time: Duration,
    /// The share is large if more than one is refused for this many that are taken. A call that is refused
    /// after it has waited counts as both.
    taken_for_each: u32,
    /// The beginning of the counting period.
    since: Instant,
    taken: u32,
    refused: u32,
    /// How long none waited in this period, and since when none waits.
    idle: Duration,
    idle_since: Option<Instant>,
    /// Whether the share was large in the previous period, although calls were waiting for most of it.
    is_large: bool,
}

impl Share {
    /// Of fewer calls, one that is refused would be a large share.
    const LEAST: u32 = 32;

    fn new(time: Duration, taken_for_each: u32, now: Instant) -> Share {
        Share {
            time,
            taken_for_each,
            since: now,
            taken: 0,
            refused: 0,
            idle: Duration::ZERO,
            idle_since: Some(now),
            is_large: false,
        }
    }

    fn note(&mut self, now: Instant, refused: bool) {
        let took = now.saturating_duration_since(self.since);
        if took >= self.time && self.taken.saturating_add(self.refused) >= Share::LEAST {
            let idle_since = self.idle_since.map(|_| now);
            self.begins(now);
            let is_large =
                self.refused.saturating_mul(self.taken_for_each) > self.taken && self.idle < took / 4;
            *self = Share { is_large, idle_since, ..Share::new(self.time, self.taken_for_each, now) };
        }
        self.refused = self.refused.saturating_add(u32::from(refused));
        self.taken = self.taken.saturating_add(u32::from(!refused));
    }

    /// Notes that calls wait from `now` on.
    fn begins(&mut self, now: Instant) {
        let idle_since = self.idle_since.take();
        self.idle +=
            idle_since.map_or(Duration::ZERO, |at| now.saturating_duration_since(at.max(self.since)));
    }

    /// Notes that no call waits from `now` on.
    fn ends(&mut self, now: Instant) {
        self.idle_since = Some(now);
    }
}

impl<T> Queue<T> {
    pub fn new(options: Shedding, now: Instant) -> Self {
        Queue {
            options,
            ranks: [(); 4].map(|()| Callers::new()),
            hurried: Default::default(),
            empty: now,
            refused: None,
            share: Share::new(Duration::from_millis(50), 8, now),
            hurried_share: Share::new(Duration::from_millis(200), 3, now),
            purge_at: now,
        }
    }

    pub fn set(&mut self, options: Shedding) {
        self.options = options;
    }

    pub fn len(&self) -> usize {
        self.amount().calls
    }

    /// Whether the queue has not been empty for longer than a burst lasts, and its oldest call has waited for
    /// seven eighths of its patience. The second condition keeps a busy server that is not overloaded from
    /// serving the newest first, which would make old calls wait longer and longer.
    pub fn is_standing(&self, now: Instant) -> bool {
        self.is_bounded(now) && self.has_waited(now)
    }

    /// Whether the queue has not been empty for longer than a burst lasts.
    pub fn is_bounded(&self, now: Instant) -> bool {
        self.len() > 0 && now.saturating_duration_since(self.empty) > self.options.burst
    }

    fn has_waited(&self, now: Instant) -> bool {
        let mut fronts = self.ranks.iter().flat_map(Callers::fronts);
        fronts.any(|(_, front)| now.saturating_duration_since(front.since) > front.patience * 7 / 8)
    }

    /// The calls that are ahead of one of this rank and caller.
    pub fn ahead_of(&self, rank: Rank, caller: usize) -> Ahead {
        ahead(self.ranks[..=rank as usize].iter().map(|callers| &callers.amounts), caller)
    }

    /// The hurried ones of them.
    pub fn hurried_ahead_of(&self, rank: Rank, caller: usize) -> Ahead {
        ahead(self.hurried[..=rank as usize].iter(), caller)
    }

    /// The calls that wait and what they hold, of all ranks.
    pub fn amount(&self) -> Amount {
        self.ranks.iter().map(|callers| callers.amounts.all).sum()
    }

    /// The part of [`Self::amount`] that is hurried, of all ranks.
    fn hurried(&self) -> Amount {
        self.hurried.iter().map(|amounts| amounts.all).sum()
    }

    pub fn push(&mut self, rank: Rank, caller: usize, waiting: Waiting<T>) {
        if self.len() == 0 && !self.refuses(waiting.since) {
            self.empty = waiting.since;
        }
        self.share.begins(waiting.since);
        self.share.note(waiting.since, false);
        if waiting.is_hurried {
            self.hurried_share.begins(waiting.since);
            self.hurried_share.note(waiting.since, false);
            self.hurried[rank as usize].include(caller, &waiting);
        }
        self.ranks[rank as usize].push(caller, waiting);
    }

    /// The next call to run. In a burst the oldest. While the queue stands, or the server is overloaded, the
    /// most important, with callers in turn; while it stands the newest of each caller, since that call's
    /// client still waits for it.
    pub fn pop(&mut self, now: Instant) -> Option<Waiting<T>> {
        let is_standing = self.is_standing(now);
        let (rank, caller) = if is_standing || self.is_overloaded(now) || self.is_overloaded_by_hurried(now) {
            let rank = self.ranks.iter().position(|callers| !callers.is_empty())?;
            (rank, self.ranks[rank].next_in_turn()?)
        } else {
            let oldest =
                self.ranks.iter().enumerate().filter_map(|(k, callers)| Some((k, callers.oldest()?)));
            let (rank, (caller, _)) = oldest.min_by_key(|(_, (_, since))| *since)?;
            (rank, caller)
        };
        self.take(rank, caller, is_standing && self.options.newest_first, now)
    }

    fn take(&mut self, rank: usize, caller: usize, newest: bool, now: Instant) -> Option<Waiting<T>> {
        let taken = self.ranks[rank].take(caller, newest)?;
        if taken.is_hurried {
            self.hurried[rank].exclude(caller, &taken);
            if self.hurried().calls == 0 {
                self.hurried_share.ends(now);
            }
        }
        if self.len() == 0 {
            self.share.ends(now);
        }
        Some(taken)
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
    /// there is to do then: if it is others that keep them waiting, a shorter queue of theirs would change
    /// nothing.
    pub fn is_overloaded_by_hurried(&self, now: Instant) -> bool {
        self.refuses(now) && self.hurried_share.is_large && 2 * self.hurried().work >= self.amount().work
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
        if self.len() == 0 || now < self.purge_at {
            return;
        }
        self.purge_at = now + PURGE;
        let standing = self.is_standing(now);
        for rank in 0..self.ranks.len() {
            for caller in self.ranks[rank].amounts.callers() {
                while let Some(front) = self.ranks[rank].queues[caller].front()
                    && let Some(why) = self.why(front, now, standing)
                    && let Some(taken) = self.take(rank, caller, false, now)
                {
                    self.note(&taken, why, now);
                    refuse(taken.call, why);
                }
            }
        }
    }

    /// Takes out a call of the least important rank: the oldest call of the caller that has the most to do
    /// there.
    pub fn evict(&mut self, now: Instant) -> Option<T> {
        let rank = self.ranks.iter().rposition(|callers| !callers.is_empty())?;
        let amounts = &self.ranks[rank].amounts;
        let most = amounts.callers().max_by_key(|k| amounts.of(*k).work)?;
        let taken = self.take(rank, most, false, now)?;
        self.note(&taken, Why::Crowded, now);
        Some(taken.call)
    }
}

/// What is ahead of a call of `caller`, by rank.
fn ahead<'a>(ranks: impl Iterator<Item = &'a Amounts>, caller: usize) -> Ahead {
    let (mut amount, mut of_caller, mut callers) = (Amount::default(), Amount::default(), 1u64 << caller);
    for rank in ranks {
        amount = amount + rank.all;
        of_caller = of_caller + rank.of(caller);
        callers |= rank.used;
    }
    Ahead { amount, of_caller, callers: callers.count_ones() }
}
