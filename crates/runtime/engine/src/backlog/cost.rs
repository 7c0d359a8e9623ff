//! The cost of a method's calls, estimated from the calls that ran on the work pool.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Estimates of a method's calls. Written by the threads of the pool with relaxed stores: a lost update only
/// delays an estimate.
#[derive(Default, Debug)]
pub struct Cost {
    /// Mean, and 99th percentile, of the time in which a call's handler is polled, in nanoseconds; 0:
    /// unknown.
    mean: AtomicU64,
    p99: AtomicU64,
    /// Median of the time from its first poll to its end.
    median: AtomicU64,
    /// When a call was last admitted regardless of the median, in nanoseconds of the backlog's time.
    trial: AtomicU64,
    /// Calls that were added since then.
    added: AtomicU64,
    /// Whether the next call that is added replaces the median.
    stale: AtomicBool,
}

/// The interval at which a call of a method is admitted although, by the median, it could not be done in
/// time. Without it, a median that is too high would have all calls refused, and would never be corrected.
pub(super) const TRIAL: Duration = Duration::from_secs(1);

impl Cost {
    /// Notes a call that was polled for `polled` and took `took` from its first poll to its end.
    pub fn add(&self, polled: Duration, took: Duration) {
        let (polled, took) = (nanos(polled), nanos(took));
        let (mean, p99, median) =
            (self.mean.load(Relaxed), self.p99.load(Relaxed), self.median.load(Relaxed));
        if mean == 0 {
            self.mean.store(polled, Relaxed);
            self.p99.store(polled, Relaxed);
            self.median.store(took, Relaxed);
            return;
        }
        self.mean.store(mean - mean / 32 + polled / 32, Relaxed);
        // Steps up and down that balance where 1 %, and half, of the values are above.
        let step = p99 / 512 + 1;
        self.p99.store(if polled > p99 { p99 + 99 * step } else { p99.saturating_sub(step).max(1) }, Relaxed);
        self.added.store(self.added.load(Relaxed).saturating_add(1), Relaxed);
        if self.stale.load(Relaxed) {
            self.stale.store(false, Relaxed);
            self.median.store(took, Relaxed);
            return;
        }
        let step = median / 32 + 1;
        let median = if took > median { median + step } else { median.saturating_sub(step).max(1) };
        self.median.store(median, Relaxed);
    }

    /// Whether a call may be let in at `now`, whatever the median is. `now`: since the backlog began.
    pub(super) fn may_try(&self, now: Duration) -> bool {
        nanos(now).saturating_sub(self.trial.load(Relaxed)) >= nanos(TRIAL)
    }

    /// Takes the place of the one call that may be let in at `now`. If at most one was added since the last
    /// one, the median follows the next call at once, not in steps.
    pub(super) fn tries(&self, now: Duration) -> bool {
        let last = self.trial.load(Relaxed);
        let taken =
            self.may_try(now) && self.trial.compare_exchange(last, nanos(now), Relaxed, Relaxed).is_ok();
        if taken {
            self.stale.store(self.added.swap(0, Relaxed) <= 1, Relaxed);
        }
        taken
    }

    /// Mean of the time in which a call is polled; zero: unknown.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.mean.load(Relaxed))
    }

    /// The 99th percentile of the same time.
    pub fn p99(&self) -> Duration {
        Duration::from_nanos(self.p99.load(Relaxed))
    }

    /// Median of the time from the first poll of a call to its end; zero: unknown.
    pub fn median(&self) -> Duration {
        Duration::from_nanos(self.median.load(Relaxed))
    }
}

fn nanos(time: Duration) -> u64 {
    (time.as_nanos() as u64).max(1) // 584 years fit
}
