//! What calls of a method cost, estimated from those that ran on the work pool.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Estimates of a method's calls. Written by the threads of the pool with relaxed stores: a lost update only delays an estimate.
#[derive(Default, Debug)]
pub struct Cost {
    /// Mean, and 99th percentile, of the time in which a call's handler is polled, in nanoseconds; 0: not known.
    mean: AtomicU64,
    p99: AtomicU64,
    /// Median of the time from its first poll to its end.
    median: AtomicU64,
}

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
        let step = median / 32 + 1;
        let median = if took > median { median + step } else { median.saturating_sub(step).max(1) };
        self.median.store(median, Relaxed);
    }

    /// Mean of the time in which a call is polled; zero: not known.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.mean.load(Relaxed))
    }

    /// 99th percentile of that.
    pub fn p99(&self) -> Duration {
        Duration::from_nanos(self.p99.load(Relaxed))
    }

    /// Median of the time from the first poll of a call to its end; zero: not known.
    pub fn median(&self) -> Duration {
        Duration::from_nanos(self.median.load(Relaxed))
    }
}

fn nanos(time: Duration) -> u64 {
    (time.as_nanos() as u64).max(1) // 584 years fit
}
