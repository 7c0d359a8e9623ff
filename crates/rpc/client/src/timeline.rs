//! The clock of balancers and budgets: nanoseconds since a zero of its own.

use polywire_balance::Time;
use polywire_engine::clock;
use std::time::{Duration, Instant};

/// Times that may be compared with each other. Copies have the same zero.
#[derive(Clone, Copy)]
pub(crate) struct Timeline {
    zero: Instant,
}

impl Timeline {
    /// A clock whose zero lies one second in the past, so that no reading is 0, which means "never".
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
