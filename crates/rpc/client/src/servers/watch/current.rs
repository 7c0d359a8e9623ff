//! The newest set of servers, which calls choose from while others replace it.

use crate::{
    servers::{
        attempt::trace::Record,
        pick::query,
        server::{Server, dials::Dials, outage::Outage, revival},
    },
    timeline::Timeline,
};
use arc_swap::ArcSwap;
use polywire_balance::{Endpoint, Picker, Reason, Time};
use polywire_base::lock;
use polywire_engine::clock;
use polywire_metrics::process::{EventKind, event};
use std::{
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::Ordering::{Acquire, Release},
    },
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// The state that all calls of a channel share.
pub(in crate::servers) struct Current {
    pub newest: ArcSwap<Newest>,
    /// The channel's address, for events.
    pub channel: Box<str>,
    /// The record of recent calls.
    pub record: Arc<Record>,
    /// The error of the source's last attempt, if it has not succeeded since.
    error: Mutex<Option<String>>,
    /// Notified when waiting calls may find a server.
    changes: watch::Sender<()>,
    /// Notified when there may be a new set of servers.
    sets: watch::Sender<()>,
    /// Calls that find no server.
    pub outage: Outage,
    /// Attempts to connect in the background.
    pub dials: Dials,
    /// Held while a breaker isolates a server.
    isolating: Mutex<()>,
    /// The clock that the balancer's times are read from.
    timeline: Timeline,
}

/// The newest set of servers.
pub(in crate::servers) struct Newest {
    pub picker: Picker,
    /// Whether a set has arrived.
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
            isolating: Mutex::default(),
            timeline: Timeline::new(),
        }
    }

    /// The current time of the balancer's clock.
    #[inline]
    pub fn now(&self) -> Time {
        self.timeline.now()
    }

    #[inline]
    pub fn at(&self, now: Instant) -> Time {
        self.timeline.at(now)
    }

    /// The error of the source's last attempt, if it has not succeeded since.
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

    /// Whether a breaker may isolate this server: afterwards at most this percentage of all servers is out,
    /// for whatever reason. What is returned is held until the server is isolated, so that two threads do
    /// not both take the last place.
    #[cold]
    pub fn may_isolate(&self, endpoint: &Endpoint, max_percent: u32) -> Option<MutexGuard<'_, ()>> {
        let isolating = lock(&self.isolating);
        let (newest, now) = (self.newest.load(), self.now());
        let all = newest.picker.members();
        let needed = all.len() - all.len() * max_percent.min(100) as usize / 100;
        let others = all.iter().filter(|other| !std::ptr::eq(&***other, endpoint));
        let ready = others.filter(|other| other.state().is_ready(now)).take(needed).count();
        (ready >= needed).then_some(isolating)
    }

    /// Notifies that a set from the source is now in use.
    pub fn applied(&self) {
        self.sets.send_replace(());
        self.look_again();
    }

    /// Lets waiting calls look again.
    pub fn look_again(&self) {
        self.changes.send_replace(());
    }

    /// Notifies that a reason against this server has gone: waiting calls look again, unless another reason
    /// remains.
    pub fn has_improved(&self, endpoint: &Endpoint) {
        if may_be_chosen(endpoint) {
            self.outage.is_over();
            self.look_again();
        }
    }

    /// Records that a call has found no server although some are known.
    #[cold]
    pub fn found_nobody(&self) {
        self.outage.found_nobody(self.now(), self.has_waiting_calls());
    }

    /// Connects to servers that have joined, once a call has needed one: to those of the first rank, and to
    /// those of every rank in which connections exist already.
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

    /// Handles a server's failure. If the server is of the last rank in use, servers of the next rank may get
    /// calls.
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

    /// Connects to servers of the next rank, which were held back until now. Returns whether there are any.
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

    /// Connects to these members in random order, so that clients do not all begin with the same server. If
    /// no member is ready yet, a call with a key waits for the key's own server, for at most the time limit
    /// of one attempt to connect.
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

    /// Converts the balancer's time `at` into an instant.
    pub fn instant(&self, at: Time) -> Instant {
        clock::now() + at.since(self.now())
    }

    /// A receiver that is notified when there may be a new set of servers.
    pub fn sets(&self) -> watch::Receiver<()> {
        self.sets.subscribe()
    }

    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }
}

/// Whether the endpoint is unavailable at most for a limited time. Servers that wait for their first check
/// count as available: they are chosen when there is no other one.
pub(in crate::servers) fn may_be_chosen(endpoint: &Endpoint) -> bool {
    endpoint.state().reasons().all(|reason| reason == Reason::Unchecked)
}
