//! The number of bytes of received messages that all streams of a connection together hold beyond their
//! windows.
//!
//! Each stream updates its share whenever it changes, and returns it at its end.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// One stream's share of a sum over all streams.
#[derive(Default)]
pub(super) struct Budget {
    /// Written and read by the connection's machine only; atomic because machines move between threads.
    sum: Arc<AtomicUsize>,
    mine: usize,
}

impl Budget {
    /// The share of another stream in the same sum.
    pub fn another(&self) -> Budget {
        Budget { sum: self.sum.clone(), mine: 0 }
    }

    /// The shares of all streams of the connection, in bytes.
    pub fn of_all(&self) -> usize {
        self.sum.load(Relaxed)
    }

    /// This share.
    pub fn of_this(&self) -> usize {
        self.mine
    }

    #[inline]
    pub fn set(&mut self, bytes: usize) {
        if bytes != self.mine {
            self.sum.store(self.of_all() - self.mine + bytes, Relaxed);
            self.mine = bytes;
        }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        self.set(0);
    }
}
