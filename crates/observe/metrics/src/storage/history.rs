//! The last seconds of a running total.

use super::cells::lock;
use std::{
    collections::VecDeque,
    sync::Mutex,
    time::{Duration, Instant},
};

/// Clamps a window to the shortest and the longest one, in seconds.
pub(crate) fn clamped(seconds: u32) -> usize {
    seconds.clamp(1, 3600) as usize
}

/// One total per second, over the length of a window.
pub(crate) struct Totals {
    samples: Mutex<VecDeque<(Instant, f64)>>,
    window: usize,
}

impl Totals {
    pub fn new(seconds: u32) -> Self {
        Totals { samples: Mutex::default(), window: clamped(seconds) }
    }

    pub fn push(&self, now: Instant, total: f64) {
        let mut samples = lock(&self.samples);
        samples.push_back((now, total));
        // After a pause the samples before it are too old; one of them stays until there are two newer ones.
        let longest = Duration::from_secs(self.window as u64 + 1);
        let too_old = |at: Instant| now.saturating_duration_since(at) > longest;
        while samples.len() > self.window + 1 || (samples.len() > 2 && too_old(samples[0].0)) {
            samples.pop_front();
        }
    }

    /// Makes the samples count as younger by `time`.
    pub fn skip(&self, time: Duration) {
        lock(&self.samples).iter_mut().for_each(|(at, _)| *at += time);
    }

    /// The increase from the oldest total to the newest, and the increase per second. The time between them
    /// is measured, so that a late sample does not look like a peak.
    pub fn increase(&self) -> (f64, f64) {
        let samples = lock(&self.samples);
        let (Some(&(from, low)), Some(&(to, high))) = (samples.front(), samples.back()) else {
            return (0.0, 0.0);
        };
        let elapsed = to.saturating_duration_since(from).as_secs_f64();
        let increase = high - low;
        (increase, if elapsed > 0.0 { increase / elapsed } else { 0.0 })
    }
}
