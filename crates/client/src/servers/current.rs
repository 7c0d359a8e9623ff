//! The newest set of servers, which calls choose from while others replace it.

use crate::servers::trace::Record;
use arc_swap::ArcSwap;
use polywire_balance::{Picker, Time};
use polywire_engine::clock;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// What the calls of a channel share.
pub(super) struct Current {
    pub newest: ArcSwap<Newest>,
    /// Where some of the last calls went.
    pub record: Arc<Record>,
    /// Told when there may be a server for calls that wait.
    changes: watch::Sender<()>,
    /// The zero of the balancer's time.
    origin: Instant,
}

/// The newest set.
pub(super) struct Newest {
    pub picker: Picker,
    /// Whether a set has come.
    pub known: bool,
    /// Why the source failed the last time, if it has not answered since.
    pub error: Option<String>,
}

impl Current {
    pub fn new(newest: Newest) -> Self {
        Current {
            newest: ArcSwap::from_pointee(newest),
            record: Arc::default(),
            changes: watch::Sender::new(()),
            // A second ago, so that no time is zero, which has a meaning of its own.
            origin: clock::now().checked_sub(Duration::from_secs(1)).unwrap_or_else(clock::now),
        }
    }

    /// The time by which the balancer goes.
    #[inline]
    pub fn now(&self) -> Time {
        self.at(clock::now())
    }

    #[inline]
    pub fn at(&self, now: Instant) -> Time {
        Time(now.saturating_duration_since(self.origin).as_nanos() as u64)
    }

    /// There may be a server for calls that wait.
    pub fn changed(&self) {
        self.changes.send_replace(());
    }

    /// Ends when the channel is dropped.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }
}
