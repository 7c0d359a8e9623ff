//! Limits the number of requests per second.
//!
//! The next request that may be taken has a time, and each request that is taken moves it by the interval
//! between two. That time lags behind the clock by at most a tenth of a second, so that a burst after a pause
//! is taken as a whole. Under load this takes requests evenly over the second, whereas a count that begins
//! again each second would take the first ones.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// Bursts: how far the schedule may lag behind, in nanoseconds.
const LAG: u64 = 100_000_000;

/// A limit that all threads share.
pub(crate) struct Rate {
    begun: Instant,
    /// Nanoseconds between two requests; `None`: none is taken.
    interval: Option<u64>,
    /// The time from which on the next request may be taken, in nanoseconds since [`Rate::begun`]. All
    /// threads write it.
    next: AtomicU64,
}

impl Rate {
    pub fn new(per_second: u32, now: Instant) -> Rate {
        let interval = 1_000_000_000u64.checked_div(per_second.into());
        Rate { begun: now, interval, next: AtomicU64::new(0) }
    }

    /// Takes a request, if one may be taken now.
    #[inline]
    pub fn take(&self, now: Instant) -> bool {
        let Some(interval) = self.interval else { return false };
        let now = Duration::as_nanos(&now.saturating_duration_since(self.begun)) as u64 + 1;
        let take = |next: u64| (next <= now).then(|| next.max(now.saturating_sub(LAG)) + interval);
        self.next.fetch_update(Relaxed, Relaxed, take).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(rate: &Rate, start: Instant, calls_per_ms: u32, ms: u64) -> usize {
        let times = (0..ms).flat_map(|at| (0..calls_per_ms).map(move |_| start + Duration::from_millis(at)));
        times.filter(|&now| rate.take(now)).count()
    }

    #[test]
    fn no_more_than_the_rate_and_one_burst_is_taken() {
        let start = Instant::now();
        let rate = Rate::new(1000, start);
        let first = taken(&rate, start, 100, 1000);
        assert!((999..=1001).contains(&first), "{first}");
        // a pause earns a burst of a tenth of a second, no more
        let second = taken(&rate, start + Duration::from_secs(60), 100, 1000);
        assert!((1098..=1102).contains(&second), "{second}");
    }

    #[test]
    fn what_is_below_the_rate_is_taken_as_a_whole_and_none_at_0() {
        let start = Instant::now();
        assert_eq!(taken(&Rate::new(1001, start), start, 1, 500), 500);
        assert_eq!(taken(&Rate::new(0, start), start, 1, 500), 0);
    }
}
