//! How many calls may be under way at once.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::*},
};

/// A constant bound, shared by all shards. A call over it is refused, never queued.
///
/// Counting costs an atomic addition per call on a line that all shards share; without a bound nothing is counted here.
#[derive(Debug)]
pub struct Limiter {
    most: u32,
    current: AtomicU32,
}

impl Limiter {
    /// `most` = 0 is no bound: `None`.
    pub fn new(most: u32) -> Option<Arc<Limiter>> {
        (most > 0).then(|| Arc::new(Limiter { most, current: AtomicU32::new(0) }))
    }

    pub fn most(&self) -> u32 {
        self.most
    }

    pub fn current(&self) -> u32 {
        self.current.load(Relaxed)
    }

    /// Whether a call could enter now; the strict answer is [`Limiter::enter`].
    pub(crate) fn is_full(&self) -> bool {
        self.current.load(Relaxed) >= self.most
    }

    /// Counts a call in, unless the bound is reached.
    #[must_use]
    pub(crate) fn enter(&self) -> bool {
        // Not an addition that a refusal takes back: under overload, calls about to be refused would fill the bound and
        // keep out those that have room.
        self.current.fetch_update(Relaxed, Relaxed, |n| (n < self.most).then(|| n + 1)).is_ok()
    }

    pub(crate) fn leave(&self) {
        self.current.fetch_sub(1, Relaxed);
    }
}
