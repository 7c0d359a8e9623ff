//! Budgets: the number of requests that retries or hedging may add to those of callers.
//!
//! The problem: when servers fail because of overload, each retry adds load. A limit of tries per call does
//! not help: three tries of every call are three times the load. A budget limits the sum: extra requests are
//! a percentage of the calls of the last seconds, and a minimum per second, so that a client with few calls
//! can retry, too.
//!
//! ```text
//!  window, 10 slots      calls   │12│ 9│14│11│ …│ 3│     allowed = calls x percent + least per second x window
//!                        taken   │ 1│ 0│ 2│ 0│ …│ 1│     one more if taken < allowed
//!                                 oldest ──► newest: a slot is used anew when its time comes round
//! ```
//!
//! Source: Finagle's and tower's retry budgets, whose numbers `Budget::retries` has.

use crate::Time;
use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// A budget of additional requests, as a fraction of callers' requests. Threads use it at the same time
/// without locks; threads whose numbers are equal modulo 16 share a counter.
#[derive(Debug)]
pub struct Budget {
    percent: u32,
    least_per_second: u32,
    /// Length of a slot in nanoseconds.
    slot: u64,
    calls: Box<[Slots; COUNTERS]>,
    taken: Box<Slots>,
}

/// Number of counters, so that threads rarely share one.
const COUNTERS: usize = 16;
/// Number of slots of the window.
const SLOTS: usize = 10;

/// Counts by time slot, alone on their cache lines. The high half of a word is the number of the slot since
/// the origin of time, in its low 32 bits; the low half is the count.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Slots([AtomicU64; SLOTS]);

impl Budget {
    /// `percent`: the percentage of the calls in the last `window`. `least_per_second`: the average number
    /// allowed even if there are few calls; the allowance of a window may be spent at once. A longer window
    /// reacts later to a drop in calls, a shorter one allows fewer at once.
    pub fn new(percent: u32, least_per_second: u32, window: Duration) -> Self {
        let slot = u64::try_from(window.as_nanos() / SLOTS as u128).unwrap_or(u64::MAX).max(1);
        let calls = Box::new(std::array::from_fn(|_| Slots::default()));
        Budget { percent, least_per_second, slot, calls, taken: Box::default() }
    }

    /// A budget for retries: 20 % of the calls of 10 s, and 10 per second.
    pub fn retries() -> Self {
        Budget::new(20, 10, Duration::from_secs(10))
    }

    /// A budget for hedges: 5 % of the calls of 10 s.
    pub fn hedges() -> Self {
        Budget::new(5, 0, Duration::from_secs(10))
    }

    /// Counts a call of a caller. Its retries and hedges are not reported here.
    #[inline]
    pub fn called(&self, now: Time, thread: usize) {
        self.calls[thread % COUNTERS].add(self.number(now));
    }

    /// Whether one more request is allowed now; if so, it is counted.
    pub fn take(&self, now: Time) -> bool {
        let number = self.number(now);
        let allowed = self.allowed(number);
        let slot = &self.taken.0[number as usize % SLOTS];
        loop {
            let old = slot.load(Relaxed);
            if self.taken.sum(number) >= allowed {
                return false;
            }
            // Two threads that take the last request compete for this word.
            if slot.compare_exchange_weak(old, added(old, number), Relaxed, Relaxed).is_ok() {
                return true;
            }
        }
    }

    /// The number of additional requests allowed now.
    pub fn left(&self, now: Time) -> u64 {
        let number = self.number(now);
        self.allowed(number).saturating_sub(self.taken.sum(number))
    }

    /// The number of calls, and of additional requests, in the window that ends now.
    pub fn counts(&self, now: Time) -> (u64, u64) {
        let number = self.number(now);
        (self.calls(number), self.taken.sum(number))
    }

    fn calls(&self, number: u64) -> u64 {
        self.calls.iter().map(|slots| slots.sum(number)).sum()
    }

    fn allowed(&self, number: u64) -> u64 {
        let window = u128::from(self.slot) * SLOTS as u128;
        let least = u128::from(self.least_per_second) * window / 1_000_000_000;
        let share = self.calls(number).saturating_mul(self.percent.into()) / 100;
        share.saturating_add(u64::try_from(least).unwrap_or(u64::MAX))
    }

    /// The number of the slot that this time falls into.
    fn number(&self, now: Time) -> u64 {
        now.0 / self.slot
    }
}

impl Slots {
    #[inline]
    fn add(&self, number: u64) {
        let slot = &self.0[number as usize % SLOTS];
        let old = slot.load(Relaxed);
        if old >> 32 == number & u64::from(u32::MAX) {
            slot.fetch_add(1, Relaxed);
        } else {
            self.renew(slot, number);
        }
    }

    /// Empties a slot that is used for a new time.
    #[cold]
    fn renew(&self, slot: &AtomicU64, number: u64) {
        let _ = slot.fetch_update(Relaxed, Relaxed, |old| Some(added(old, number)));
    }

    /// The count of the window whose newest slot is `number`.
    fn sum(&self, number: u64) -> u64 {
        let is_in_window = |word: &u64| (number as u32).wrapping_sub((word >> 32) as u32) < SLOTS as u32;
        self.0.iter().map(|slot| slot.load(Relaxed)).filter(is_in_window).map(|word| word & 0xFFFF_FFFF).sum()
    }
}

/// A slot's word with one more in the slot of time `number`. The count of a slot stops at its largest value.
fn added(word: u64, number: u64) -> u64 {
    let number = number & u64::from(u32::MAX);
    if word >> 32 != number {
        number << 32 | 1
    } else if word as u32 == u32::MAX {
        word
    } else {
        word + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Time {
        Time(5_000_000_000_000 + millis * 1_000_000)
    }

    /// The number of requests that can be taken at once.
    fn taken(budget: &Budget, now: Time) -> usize {
        (0..100_000).take_while(|_| budget.take(now)).count()
    }

    #[test]
    fn a_part_of_the_calls_may_be_made_again() {
        let budget = Budget::new(20, 0, Duration::from_secs(10));
        assert_eq!(taken(&budget, at(0)), 0, "no call, no retry");
        (0..1000).for_each(|i| budget.called(at(i), i as usize));
        assert_eq!(budget.left(at(999)), 200);
        assert_eq!(taken(&budget, at(999)), 200);
        assert_eq!(budget.left(at(999)), 0);
        (0..5).for_each(|_| budget.called(at(999), 0));
        assert_eq!(taken(&budget, at(999)), 1);
        assert_eq!(budget.counts(at(999)), (1005, 201));
    }

    #[test]
    fn some_may_be_made_again_however_few_calls_there_are() {
        let budget = Budget::retries();
        assert_eq!(taken(&budget, at(0)), 100, "10 per second, of 10 s");
        assert_eq!(taken(&budget, at(8999)), 0);
        assert_eq!(taken(&budget, at(10_000)), 100);
    }

    #[test]
    fn old_calls_and_old_retries_are_forgotten() {
        let budget = Budget::new(10, 0, Duration::from_secs(10));
        (0..500).for_each(|_| budget.called(at(0), 0));
        assert_eq!(taken(&budget, at(100)), 50);
        (0..500).for_each(|_| budget.called(at(5000), 0));
        assert_eq!(taken(&budget, at(9000)), 50);
        assert_eq!(budget.counts(at(9999)), (1000, 100));
        assert_eq!(budget.counts(at(10_000)), (500, 50), "the slot of the first second has gone");
        assert_eq!(budget.counts(at(60_000_000)), (0, 0));
    }

    /// However many calls and tries there are, no window has more retries than its calls allow, where calls
    /// arrive at an even rate.
    #[test]
    fn with_all_calls_failing_the_load_grows_by_the_percentage_and_no_more() {
        let budget = Budget::new(20, 0, Duration::from_secs(10));
        let (mut calls, mut retries) = (0_u64, 0_u64);
        for millis in 0..60_000 {
            budget.called(at(millis), 3);
            calls += 1;
            retries += (0..3).filter(|_| budget.take(at(millis))).count() as u64;
        }
        assert!(retries <= calls / 5 && retries >= calls / 6, "{retries} of {calls}");
    }

    #[test]
    fn threads_together_take_no_more_than_is_allowed() {
        let budget = Budget::new(20, 0, Duration::from_secs(10));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let budget = &budget;
                scope.spawn(move || (0..10_000).for_each(|_| budget.called(at(0), thread)));
            }
        });
        let sum: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| taken(&budget, at(1)))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(sum, 8000);
    }

    #[test]
    fn the_number_of_a_slot_may_wrap_and_no_window_is_too_long_or_short() {
        let budget = Budget::new(100, 0, Duration::from_nanos(10));
        let wraps = Time(1 << 32);
        for now in [Time(0), Time(wraps.0 - 20), wraps, Time(u64::MAX - 20), Time(u64::MAX)] {
            budget.called(now, 0);
            assert!(budget.take(now) && !budget.take(now), "{now:?}");
        }
        for window in [Duration::ZERO, Duration::MAX] {
            let budget = Budget::new(u32::MAX, u32::MAX, window);
            budget.called(Time(u64::MAX), usize::MAX);
            assert!(budget.take(Time(u64::MAX)));
        }
    }

    #[test]
    fn a_full_count_stays_full() {
        assert_eq!(added(7 << 32 | u64::from(u32::MAX), 7), 7 << 32 | u64::from(u32::MAX));
        assert_eq!(added(7 << 32 | u64::from(u32::MAX), 8), 8 << 32 | 1);
    }
}
