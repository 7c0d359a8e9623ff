//! The limit of calls in flight.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::*},
};

/// A constant limit, shared by all shards. A call above it is refused, never queued.
///
/// Counting costs an atomic addition per call on a cache line that all shards share; without a limit nothing
/// is counted.
#[derive(Debug)]
pub struct Limiter {
    most: u32,
    current: AtomicU32,
}

impl Limiter {
    /// A limiter for `most` calls; `None` if `most` is 0, which means no limit.
    pub fn new(most: u32) -> Option<Arc<Limiter>> {
        (most > 0).then(|| Arc::new(Limiter { most, current: AtomicU32::new(0) }))
    }

    pub fn most(&self) -> u32 {
        self.most
    }

    pub fn current(&self) -> u32 {
        self.current.load(Relaxed)
    }

    /// Whether a call would be refused now. Only [`Limiter::enter`] decides.
    pub(crate) fn is_full(&self) -> bool {
        self.current.load(Relaxed) >= self.most
    }

    /// Counts a call in, unless the limit is reached.
    #[must_use]
    pub(crate) fn enter(&self) -> bool {
        // This is not an addition that is undone on refusal: under overload, calls about to be refused would
        // fill the limit and keep out others for which there is room.
        self.current.fetch_update(Relaxed, Relaxed, |n| (n < self.most).then(|| n + 1)).is_ok()
    }

    pub(crate) fn leave(&self) {
        self.current.fetch_sub(1, Relaxed);
    }
}
