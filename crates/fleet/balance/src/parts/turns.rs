//! Turns that many threads take without writing the same memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of counters. Threads whose numbers are equal modulo this share one.
const COUNTERS: usize = 16;

/// Counters of turns. Each starts at a random number, so that threads and clients do not all choose the same
/// server at the same time.
#[derive(Debug)]
pub(crate) struct Turns(Box<[Counter; COUNTERS]>);

/// A counter alone on its cache lines, of which processors fetch two at a time.
#[derive(Debug)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Turns {
    pub fn new(random: &mut fastrand::Rng) -> Self {
        Turns(Box::new(std::array::from_fn(|_| Counter(AtomicU64::new(random.u64(..) >> 1)))))
    }

    /// The number of the next turn of this thread.
    #[inline]
    pub fn next(&self, thread: usize) -> u64 {
        self.0[thread % COUNTERS].0.fetch_add(1, Relaxed)
    }
}
