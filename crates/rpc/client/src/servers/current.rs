//! The newest set of servers, which calls choose from while others replace it.

use crate::{
    servers::{dials::Dials, outage::Outage, query, revival, server::Server, trace::Record},
    timeline::Timeline,
};
use arc_swap::ArcSwap;
use polywire_balance::{Endpoint, Picker, Reason, Time};
use polywire_base::lock;
use polywire_engine::clock;
use polywire_metrics::process::{EventKind, event};
use std::{
    sync::{
        Arc, Mutex,
        atomic::Ordering::{Acquire, Release},
    },
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// What the calls of a channel share.
pub(super) struct Current {
    pub newest: ArcSwap<Newest>,
    /// The channel's address, for events.
    pub channel: Box<str>,
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
    /// Attempts to connect in the background.
    pub dials: Dials,
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
    pub fn new(newest: Newest, channel: &str) -> Self {
        Current {
            channel: channel.into(),
            newest: ArcSwap::from_pointee(newest),
            record: Arc::default(),
            error: Mutex::default(),
            changes: watch::Sender::new(()),
            sets: watch::Sender::new(()),
            outage: Outage::default(),
            dials: Dials::default(),
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
            (None, Some(error)) => {
                event(EventKind::Naming, format!("{}: its source of servers fails: {error}", self.channel));
            }
            (Some(_), None) => {
                event(EventKind::Naming, format!("{}: its source of servers answers again", self.channel));
            }
            _ => {}
        }
    }

    /// Records what happened to a server of the channel.
    #[cold]
    pub fn tell(&self, what: impl std::fmt::Display) {
        event(EventKind::Endpoint, format!("{}: {what}", self.channel));
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

    /// Connects to servers that have joined, once a call has needed one: to those of the first rank, and of
    /// the ranks that others are connected to already.
    #[cold]
    pub fn dial_joined(self: &Arc<Self>) {
        let newest = self.newest.load();
        let members = newest.picker.members();
        let in_use =
            members.iter().filter(|one| !Server::is_undialled(one)).map(|one| Server::rank(one)).max();
        let Some(least) = in_use.or_else(|| members.iter().map(|one| Server::rank(one)).min()) else {
            return;
        };
        self.dial(members, |rank| rank <= least);
        let holds_back = members.iter().any(|one| Server::is_undialled(one));
        self.dials.holds_back.store(holds_back, Release);
    }

    /// A server has failed. If it is of the last rank that is in use, those of the next one may get calls.
    #[cold]
    pub fn spill(self: &Arc<Self>) {
        if !self.dials.holds_back.load(Acquire) {
            return;
        }
        let (newest, now) = (self.newest.load(), self.now());
        let in_use = || newest.picker.members().iter().filter(|one| !Server::is_undialled(one));
        let last = in_use().map(|one| Server::rank(one)).max();
        let can_be_chosen = |one: &Endpoint| one.state().is_ready(now) || one.state().is_connecting();
        if in_use().any(|one| Some(Server::rank(one)) == last && !can_be_chosen(one)) {
            self.dial_further();
        }
    }

    /// Connects to servers of the next rank, which were held back so far. Returns whether there are any.
    #[cold]
    pub fn dial_further(self: &Arc<Self>) -> bool {
        let newest = self.newest.load();
        let members = newest.picker.members();
        let next = members.iter().filter(|one| Server::is_undialled(one)).map(|one| Server::rank(one)).min();
        next.is_some_and(|next| {
            self.dial(members, |rank| rank == next);
            true
        })
    }

    /// In a random order, so that clients do not all come to the same ones first. While no member is ready,
    /// none has got the calls of those keys that hashing gives to others: so these calls wait for their own
    /// server, for no longer than a connection may take.
    fn dial(self: &Arc<Self>, members: &[Arc<Endpoint>], takes: impl Fn((u32, bool)) -> bool) {
        let Some(caller) = self.dials.caller() else { return };
        let now = self.now();
        let mut taken: Vec<_> =
            members.iter().filter(|one| Server::is_undialled(one) && takes(Server::rank(one))).collect();
        if !members.iter().any(|one| one.state().is_ready(now)) {
            let limit = |one: &Endpoint| Server::of(one).pool.spec().connect_timeout;
            taken.iter().for_each(|one| one.state().await_until(now + limit(one)));
        }
        query::random(|random| random.shuffle(&mut taken));
        taken.iter().for_each(|one| revival::join(self, one, &caller));
    }

    /// Whether a call waits for a server.
    fn has_waiting_calls(&self) -> bool {
        self.changes.receiver_count() > 0
    }

    /// The pause after an attempt to connect at `tried`, if calls have found no server since then or wait for
    /// one.
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

/// Whether only time may be against a server: those that wait for their first check are chosen when there is
/// no other one.
pub(super) fn may_be_chosen(endpoint: &Endpoint) -> bool {
    endpoint.state().reasons().all(|reason| reason == Reason::Unchecked)
}
