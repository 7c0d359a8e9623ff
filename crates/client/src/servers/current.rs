//! The newest set of servers, which calls choose from while others replace it.

use crate::{servers::trace::Record, timeline::Timeline};
use arc_swap::ArcSwap;
use polywire_balance::{Picker, Time};
use std::{sync::Arc, time::Instant};
use tokio::sync::watch;

/// What the calls of a channel share.
pub(super) struct Current {
    pub newest: ArcSwap<Newest>,
    /// Where some of the last calls went.
    pub record: Arc<Record>,
    /// Told when there may be a server for calls that wait.
    changes: watch::Sender<()>,
    /// The time by which the balancer goes.
    timeline: Timeline,
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
            timeline: Timeline::new(),
        }
    }

    /// The time by which the balancer goes.
    #[inline]
    pub fn now(&self) -> Time {
        self.timeline.now()
    }

    #[inline]
    pub fn at(&self, now: Instant) -> Time {
        self.timeline.at(now)
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
