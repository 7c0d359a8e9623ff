//! The mean of integers: sizes of messages, lengths of queues.

use crate::{
    sampler::Sampled,
    storage::{
        cells::{Cells, Owned},
        history::Totals,
    },
    variables::{Reading, Variable, window::InWindow},
};
use std::{
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

/// Mean, sum and number of integers since the start, and their mean in a window. Cloning shares it. Sums are
/// modulo 2^64.
///
/// ```
/// # use polywire_metrics::AverageRecorder;
/// let sizes = AverageRecorder::new();
/// let mine = sizes.local(); // one per shard or task: the cheap way
/// mine.record(100);
/// sizes.record(300); // from anywhere
/// assert_eq!((sizes.mean(), sizes.count(), sizes.sum()), (200.0, 2, 400));
/// ```
#[derive(Clone)]
pub struct AverageRecorder(Arc<Inner>);

struct Inner {
    sum: Arc<Cells>,
    count: Arc<Cells>,
    sums: Totals,
    counts: Totals,
}

impl AverageRecorder {
    /// A recorder with a window of ten seconds.
    pub fn new() -> Self {
        AverageRecorder::with_window(10)
    }

    /// A recorder with a window of `seconds`, 1 to 3600.
    pub fn with_window(seconds: u32) -> Self {
        let (sums, counts) = (Totals::new(seconds), Totals::new(seconds));
        AverageRecorder(Arc::new(Inner { sum: Cells::new(), count: Cells::new(), sums, counts }))
    }

    /// A part with one owner, who records without locking or sharing.
    pub fn local(&self) -> LocalAverage {
        LocalAverage { sum: Owned::new(&self.0.sum), count: Owned::new(&self.0.count) }
    }

    /// Records an integer; any thread may call it. For frequent values use an [`AverageRecorder::local`].
    #[inline]
    pub fn record(&self, n: i64) {
        self.0.sum.write(n as u64);
        self.0.count.write(1);
    }

    pub fn sum(&self) -> i64 {
        self.0.sum.get() as i64
    }

    pub fn count(&self) -> u64 {
        self.0.count.get()
    }

    /// The mean since the start. Zero if there are none.
    pub fn mean(&self) -> f64 {
        mean(self.sum() as f64, self.count() as f64)
    }

    /// The mean in the window. Zero if there are none, and until two samples were taken.
    pub fn window(&self) -> f64 {
        mean(self.0.sums.increase().0, self.0.counts.increase().0)
    }
}

fn mean(sum: f64, count: f64) -> f64 {
    if count > 0.0 { sum / count } else { 0.0 }
}

impl Default for AverageRecorder {
    fn default() -> Self {
        AverageRecorder::new()
    }
}

impl Sampled for Inner {
    fn sample(&self, now: Instant) {
        self.sums.push(now, self.sum.get() as i64 as f64);
        self.counts.push(now, self.count.get() as f64);
    }
    fn skip(&self, time: Duration) {
        self.sums.skip(time);
        self.counts.skip(time);
    }
}

impl Variable for AverageRecorder {
    fn read(&self) -> Reading {
        Reading::Average { sum: self.sum(), count: self.count() }
    }
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        let weak: Weak<Inner> = Arc::downgrade(&self.0);
        Some(weak)
    }
}

impl InWindow for AverageRecorder {
    fn in_window(&self) -> Reading {
        Reading::Real(self.window())
    }
}

/// One owner's part of an [`AverageRecorder`]. It may move to another thread, but has one owner at a time.
pub struct LocalAverage {
    sum: Owned,
    count: Owned,
}

impl LocalAverage {
    /// Records an integer. Hot path: two loads and two stores.
    #[inline]
    pub fn record(&self, n: i64) {
        self.sum.write(n as u64);
        self.count.write(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_all_owners_and_may_be_negative() {
        let (average, start) = (AverageRecorder::new(), Instant::now());
        assert_eq!((average.mean(), average.window()), (0.0, 0.0));
        let sampled = average.sampled().and_then(|s| s.upgrade()).expect("alive");
        let local = average.local();
        local.record(1_000); // before the first sample: in no window
        sampled.sample(start);
        local.record(-30);
        drop(local);
        average.record(10);
        sampled.sample(start + Duration::from_secs(1));
        assert_eq!((average.window(), average.sum(), average.count()), (-10.0, 980, 3));
        for second in 2..=13 {
            sampled.sample(start + Duration::from_secs(second));
        }
        assert_eq!((average.window(), average.count()), (0.0, 3), "the window is over");
    }
}
