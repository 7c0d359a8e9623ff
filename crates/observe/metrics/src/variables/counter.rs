//! Counters, which only grow.

use crate::{
    sampler::Sampled,
    storage::{
        cells::{Cells, Owned},
        history::Totals,
    },
    variables::{Reading, Variable},
};
use std::{
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

/// A count of events since the start. Cloning shares it.
///
/// ```
/// # use polywire_metrics::Counter;
/// let errors = Counter::new();
/// let mine = errors.local(); // one per shard or task: the cheap way
/// mine.add(2);
/// errors.add(1); // from anywhere
/// drop(mine); // what it counted stays
/// assert_eq!(errors.total(), 3);
/// ```
#[derive(Clone)]
pub struct Counter(Arc<Inner>);

struct Inner {
    cells: Arc<Cells>,
    totals: Totals,
}

impl Counter {
    /// A counter with a window of ten seconds.
    pub fn new() -> Self {
        Counter::with_window(10)
    }

    /// A counter; [`Counter::rate`] covers a window of `seconds`, 1 to 3600.
    pub fn with_window(seconds: u32) -> Self {
        Counter(Arc::new(Inner { cells: Cells::new(), totals: Totals::new(seconds) }))
    }

    /// A cell with one owner, who writes it without locking or sharing.
    pub fn local(&self) -> LocalCounter {
        LocalCounter(Owned::new(&self.0.cells))
    }

    /// Adds to the count; any thread may call it. For rare events; for frequent ones use a
    /// [`Counter::local`].
    #[inline]
    pub fn add(&self, n: u64) {
        self.0.cells.write(n);
    }

    pub fn total(&self) -> u64 {
        self.0.cells.get()
    }

    /// Events in the window, and per second of it. 0 until two samples were taken.
    pub fn window(&self) -> (u64, f64) {
        let (increase, rate) = self.0.totals.increase();
        (increase as u64, rate)
    }

    /// Events per second over the window.
    pub fn rate(&self) -> f64 {
        self.window().1
    }
}

impl Default for Counter {
    fn default() -> Self {
        Counter::new()
    }
}

impl Sampled for Inner {
    fn sample(&self, now: Instant) {
        self.totals.push(now, self.cells.get() as f64);
    }
    fn skip(&self, time: Duration) {
        self.totals.skip(time);
    }
}

impl Variable for Counter {
    fn read(&self) -> Reading {
        Reading::Count(self.total())
    }
    fn changes(&self) -> Option<u64> {
        Some(self.total())
    }
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        let weak: Weak<Inner> = Arc::downgrade(&self.0);
        Some(weak)
    }
}

/// One owner's part of a [`Counter`]. It may move to another thread, but has one owner at a time.
pub struct LocalCounter(Owned);

impl LocalCounter {
    /// Adds to the count. Hot path: a load and a store.
    #[inline]
    pub fn add(&self, n: u64) {
        self.0.write(n);
    }

    /// The events that this owner has counted.
    pub fn get(&self) -> u64 {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn nothing_is_lost_whoever_counts_and_goes() {
        let counter = Counter::new();
        thread::scope(|scope| {
            for i in 0..4 {
                let counter = &counter;
                scope.spawn(move || {
                    let local = counter.local();
                    for _ in 0..10_000 {
                        if i % 2 == 0 { local.add(1) } else { counter.add(1) }
                    }
                });
            }
            for _ in 0..100 {
                assert!(counter.total() <= 40_000);
            }
        });
        assert_eq!(counter.total(), 40_000);
    }

    #[test]
    fn the_rate_divides_by_the_time_that_really_passed() {
        let (counter, start) = (Counter::with_window(10), Instant::now());
        let sampled = counter.sampled().and_then(|s| s.upgrade()).expect("alive");
        assert_eq!(counter.window(), (0, 0.0));
        sampled.sample(start);
        counter.add(30);
        assert_eq!(counter.window(), (0, 0.0), "one sample is no window");
        sampled.sample(start + Duration::from_secs(3));
        assert_eq!(counter.window(), (30, 10.0));
        for second in 4..=20 {
            sampled.sample(start + Duration::from_secs(second));
        }
        assert_eq!((counter.window(), counter.total()), ((0, 0.0), 30), "what is past has left the window");
    }
}
