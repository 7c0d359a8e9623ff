//! Counts the requests of a channel beyond the first of each call.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Further requests of the calls of a channel.
#[derive(Default)]
pub(crate) struct FurtherRequests {
    retries: AtomicU64,
    hedges: AtomicU64,
}

impl FurtherRequests {
    /// Counts a retry after a failed try.
    #[cold]
    pub fn retried(&self) {
        self.retries.fetch_add(1, Relaxed);
    }

    /// Counts a second request for a call under way.
    #[cold]
    pub fn hedged(&self) {
        self.hedges.fetch_add(1, Relaxed);
    }

    pub fn retries(&self) -> u64 {
        self.retries.load(Relaxed)
    }

    pub fn hedges(&self) -> u64 {
        self.hedges.load(Relaxed)
    }
}
