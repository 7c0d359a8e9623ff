//! The newest set of servers, which calls choose from while others replace it.

use crate::{
    servers::{outage::Outage, trace::Record},
    timeline::Timeline,
};
use arc_swap::ArcSwap;
use polywire_balance::{Endpoint, Picker, Reason, Time};
use polywire_base::lock;
use polywire_engine::clock;
use polywire_metrics::process::{EventKind, event};
use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// What the calls of a channel share.
pub(super) struct Current {
    pub newest: ArcSwap<Newest>,
    /// Where some of the last calls went.
    pub record: Arc<Record>,
    /// Why the source failed the last time, if it has not answered since.
    error: Mutex<Option<String>>,
    /// Told when there may be a server for calls that wait.
    changes: watch::Sender<()>,
    /// Told when there may be a new set.
    sets: watch::Sender<()>,
    /// Calls that find no server.
    pub outage: Outage,
    /// The time by which the balancer goes.
    timeline: Timeline,
}

/// The newest set.
pub(super) struct Newest {
    pub picker: Picker,
    /// Whether a set has come.
    pub known: bool,
}

impl Current {
    pub fn new(newest: Newest) -> Self {
        Current {
            newest: ArcSwap::from_pointee(newest),
            record: Arc::default(),
            error: Mutex::default(),
            changes: watch::Sender::new(()),
            sets: watch::Sender::new(()),
            outage: Outage::default(),
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

    /// Why the source of the servers failed the last time, if it has not answered since.
    pub fn source_error(&self) -> Option<String> {
        lock(&self.error).clone()
    }

    pub fn set_source_error(&self, error: Option<String>) {
        let before = std::mem::replace(&mut *lock(&self.error), error.clone());
        match (before, error) {
            (None, Some(error)) => event(EventKind::Naming, format!("a source of servers fails: {error}")),
            (Some(_), None) => event(EventKind::Naming, "a source of servers answers again"),
            _ => {}
        }
    }

    /// What the source says was taken over.
    pub fn applied(&self) {
        self.sets.send_replace(());
        self.look_again();
    }

    /// Calls that wait are to look again.
    pub fn look_again(&self) {
        self.changes.send_replace(());
    }

    /// A reason against this server is gone: calls that wait look again if there is no other one.
    pub fn has_improved(&self, endpoint: &Endpoint) {
        if may_be_chosen(endpoint) {
            self.outage.is_over();
            self.look_again();
        }
    }

    /// A call has found no server although some are known.
    #[cold]
    pub fn found_nobody(&self) {
        self.outage.found_nobody(self.now(), self.has_waiting_calls());
    }

    /// Whether a call waits for a server.
    fn has_waiting_calls(&self) -> bool {
        self.changes.receiver_count() > 0
    }

    /// The pause after an attempt to connect at `tried`, if calls have found no server since then or wait for one.
    pub fn hurried_pause(&self, tried: Time) -> Option<Duration> {
        let servers = self.newest.load().picker.members().len();
        self.outage.pause(tried, self.now(), self.has_waiting_calls(), servers)
    }

    /// The time by which calls go, if it is this one by the balancer's.
    pub fn instant(&self, at: Time) -> Instant {
        clock::now() + at.since(self.now())
    }

    /// Told when there may be a new set.
    pub fn sets(&self) -> watch::Receiver<()> {
        self.sets.subscribe()
    }

    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }
}

/// Whether only time may be against a server: those that wait for their first check are chosen when there is no other one.
pub(super) fn may_be_chosen(endpoint: &Endpoint) -> bool {
    endpoint.state().reasons().all(|reason| reason == Reason::Unchecked)
}
