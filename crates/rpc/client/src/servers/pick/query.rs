//! The query of a balancer, with facts about the calling thread.

use crate::{below::ONE_IN, servers::attempt::search::Search};
use polywire_balance::{Query, Time};
use std::{
    cell::RefCell,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

struct Thread {
    number: usize,
    random: fastrand::Rng,
    /// Picks until one is recorded, and how many were.
    picks: u32,
    recorded: u32,
}

thread_local! {
    static THREAD: RefCell<Thread> = RefCell::new(Thread::new());
}

impl Thread {
    fn new() -> Self {
        static NUMBERS: AtomicUsize = AtomicUsize::new(0);
        Thread { number: NUMBERS.fetch_add(1, Relaxed), random: fastrand::Rng::new(), picks: 0, recorded: 0 }
    }
}

/// Queries the policy with the random numbers of the calling thread.
#[inline]
pub(crate) fn ask<T>(now: Time, search: &Search, ask: impl FnOnce(&mut Query<'_>) -> T) -> T {
    THREAD.with_borrow_mut(|Thread { number, random, .. }| {
        ask(&mut Query { now, random, key: search.key, tried: search.tried(), thread: *number })
    })
}

/// Queries the policy on behalf of the thread with this number.
pub(in crate::servers) fn ask_for<T>(now: Time, thread: usize, ask: impl FnOnce(&mut Query<'_>) -> T) -> T {
    random(|random| ask(&mut Query { now, random, key: None, tried: &[], thread }))
}

/// Whether the call that this thread makes now is sampled, i.e. recorded from its start.
#[inline]
pub(in crate::servers) fn is_sampled() -> bool {
    THREAD.with_borrow_mut(|thread| {
        match thread.picks.checked_sub(1) {
            Some(left) => thread.picks = left,
            None => {
                // From 0 to twice as many as are left out in the mean, spread evenly. Every 64th would always
                // be for the same server of two that get calls in turn.
                thread.recorded = thread.recorded.wrapping_add(1);
                thread.picks = (thread.recorded.wrapping_mul(0x9e37_79b9) >> 8) % (2 * ONE_IN - 1);
                return true;
            }
        }
        false
    })
}

/// The number of the calling thread.
pub(crate) fn thread_number() -> usize {
    THREAD.with_borrow(|thread| thread.number)
}

/// The random numbers of the calling thread.
pub(crate) fn random<T>(draw: impl FnOnce(&mut fastrand::Rng) -> T) -> T {
    THREAD.with_borrow_mut(|thread| draw(&mut thread.random))
}
