//! The number of times that a server was ejected as an outlier.

use crate::Time;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The ejections of a server. Only the sweeps of [`Outliers`](crate::Outliers) change it, one at a time.
#[derive(Debug, Default)]
pub(crate) struct Ejection {
    began: AtomicU64,
    times: AtomicU32,
}

impl Ejection {
    pub fn begin(&self, now: Time) {
        self.began.store(now.0, Relaxed);
        self.times.fetch_add(1, Relaxed);
    }

    /// A good interval makes up for one ejection.
    pub fn forgive(&self) {
        let _ = self.times.fetch_update(Relaxed, Relaxed, |times| times.checked_sub(1));
    }

    pub fn began(&self) -> Time {
        Time(self.began.load(Relaxed))
    }

    /// Number of ejections that were not forgiven.
    pub fn times(&self) -> u32 {
        self.times.load(Relaxed)
    }
}
