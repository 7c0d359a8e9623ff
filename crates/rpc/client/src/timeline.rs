//! The time by which balancers and budgets go: nanoseconds since a zero of their own.

use polywire_balance::Time;
use polywire_engine::clock;
use std::time::{Duration, Instant};

/// Times that may be compared with each other. Copies have the same zero.
#[derive(Clone, Copy)]
pub(crate) struct Timeline {
    zero: Instant,
}

impl Timeline {
    /// Its zero is a second ago, so that no time is zero, which has a meaning of its own.
    pub fn new() -> Self {
        let now = clock::now();
        Timeline { zero: now.checked_sub(Duration::from_secs(1)).unwrap_or(now) }
    }

    #[inline]
    pub fn now(self) -> Time {
        self.at(clock::now())
    }

    #[inline]
    pub fn at(self, instant: Instant) -> Time {
        Time(instant.saturating_duration_since(self.zero).as_nanos() as u64)
    }
}
