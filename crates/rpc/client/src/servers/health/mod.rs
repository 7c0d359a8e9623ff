//! Health checks: a task for each server asks it at intervals, and takes it out of the choice or brings it
//! back.
//!
//! ```text
//!  Fleet ─ new set ─► run: a task for each server ─► asking: one check ─► standing: what it decides ─► Endpoint::state
//!                                  ▲ it is connected again
//! ```
//!
//! | where | what it is |
//! | --- | --- |
//! | `mod.rs` | the tasks |
//! | `asking.rs` | one check, as the option says |
//! | `messages.rs` | the two messages of `grpc.health.v1` |
//! | `standing.rs` | what follows from the checks of a server; no I/O, no clock |
//! | `checked.rs` | what is kept of a server |
//!
//! The reasons against a server:
//!
//! | reason | from | until |
//! | --- | --- | --- |
//! | `Unchecked` | it joins, or its connection is lost, while another server can be chosen | its first check; or no other server can be chosen |
//! | `Unhealthy` | its checks fail | they succeed again |
//!
//! Limits: [`HealthCheck::at_once`] checks of a channel at a time. The first checks of many servers are
//!         spread over an interval, at most a thousand a second where that is long enough; later ones keep
//!         their distance by chance. All tasks end with the channel.

pub(super) mod asking;
pub(super) mod checked;
mod messages;
mod standing;

pub(crate) use asking::Asked;

use crate::{
    health::HealthCheck,
    servers::{
        pick::query,
        server::Server,
        watch::current::{Current, Newest},
    },
};
use asking::{Finding, Watching};
use polywire_balance::{Endpoint, Reason, Time};
use polywire_base::LineGate;
use standing::Change;
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Weak},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::{AbortHandle, JoinSet},
};

/// The number of first checks that begin per second while many servers wait for theirs.
const FIRST_PER_SECOND: u32 = 1000;
/// The pause before a server that has reported its health by itself is asked again when its reports end, as
/// possibly only its connection has ended.
const AFTER_REPORTS: Duration = Duration::from_millis(100);

/// Checks the servers of each set; `sets` announces a new one. Without `asked` it does nothing.
pub(super) async fn run(current: Weak<Current>, mut sets: watch::Receiver<()>, asked: Option<Arc<Asked>>) {
    let Some(asked) = asked else { return std::future::pending().await };
    let places = Arc::new(Semaphore::new(asked.check.at_once));
    let mut tasks = JoinSet::new();
    // By where the endpoints are, which they do not leave while they are known.
    let mut known: HashMap<usize, Known> = HashMap::new();
    let mut seen: Option<Arc<Newest>> = None;
    loop {
        {
            let Some(current) = current.upgrade() else { return };
            let newest = current.newest.load_full();
            if !seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, &newest)) {
                let members = newest.picker.members();
                let mut before = std::mem::take(&mut known);
                let joined = members.iter().filter(|one| !before.contains_key(&place(one))).count();
                for endpoint in members {
                    let at = place(endpoint);
                    let entry = before.remove(&at).unwrap_or_else(|| {
                        let task = Task {
                            current: Arc::downgrade(&current),
                            endpoint: Arc::downgrade(endpoint),
                            asked: asked.clone(),
                            places: places.clone(),
                        };
                        let pause = first_pause(&asked.check, joined);
                        Known { _endpoint: endpoint.clone(), task: tasks.spawn(task.run(pause)) }
                    });
                    known.insert(at, entry);
                }
                seen = Some(newest);
            }
        }
        while tasks.try_join_next().is_some() {}
        if sets.changed().await.is_err() {
            return;
        }
    }
}

/// Holds back new servers until their first check, while others can be chosen.
pub(super) fn hold_newcomers(before: &[Arc<Endpoint>], members: &[Arc<Endpoint>], now: Time) {
    let before: HashSet<usize> = before.iter().map(place).collect();
    let (old, new): (Vec<_>, Vec<_>) = members.iter().partition(|one| before.contains(&place(one)));
    if old.iter().any(|one| one.state().is_ready(now)) {
        new.iter().for_each(|one| one.state().hold(Reason::Unchecked));
    }
}

/// Called when no member can be chosen: makes those available that no check has found unhealthy. Returns
/// whether there are any.
pub(super) fn use_unchecked(members: &[Arc<Endpoint>], now: Time) -> bool {
    let mut found = false;
    for one in members.iter().filter(|one| one.state().holds(Reason::Unchecked)) {
        if !one.state().holds(Reason::Unconnected) {
            one.state().release(Reason::Unchecked, now);
            found = true;
        }
    }
    found
}

/// The endpoint's address in memory, which identifies it.
fn place(endpoint: &Arc<Endpoint>) -> usize {
    Arc::as_ptr(endpoint).addr()
}

/// A server that is checked.
struct Known {
    /// Held so that its address is not given to another endpoint.
    _endpoint: Arc<Endpoint>,
    task: AbortHandle,
}

impl Drop for Known {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The pause before the first check of one of `servers` servers.
fn first_pause(check: &HealthCheck, servers: usize) -> Duration {
    let all = Duration::from_secs(1) * u32::try_from(servers).unwrap_or(u32::MAX) / FIRST_PER_SECOND;
    all.min(check.interval).mul_f64(query::random(|random| random.f64()))
}

/// The task that checks one server.
struct Task {
    current: Weak<Current>,
    endpoint: Weak<Endpoint>,
    asked: Arc<Asked>,
    places: Arc<Semaphore>,
}

impl Task {
    async fn run(self, first: Duration) {
        self.pause(first).await;
        loop {
            let Some(endpoint) = self.endpoint.upgrade() else { return };
            let is_out_of_reach = endpoint.state().holds(Reason::Unconnected);
            drop(endpoint);
            let has_reported = !is_out_of_reach && self.check().await;
            let check = &self.asked.check;
            let pause = if has_reported { check.interval.min(AFTER_REPORTS) } else { check.interval };
            let spread = query::random(|random| 1.0 - check.jitter + 2.0 * check.jitter * random.f64());
            self.pause(pause.mul_f64(spread)).await;
        }
    }

    /// Waits for `pause`, or until the server is connected again.
    async fn pause(&self, pause: Duration) {
        let back = self.endpoint.upgrade().map(|endpoint| Server::of(&endpoint).checked.back().clone());
        let Some(back) = back else { return };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = back.notified() => {}
        }
    }

    /// Checks the server once, or takes its own reports for as long as it sends them. Returns whether it sent
    /// any.
    async fn check(&self) -> bool {
        let Some(endpoint) = self.endpoint.upgrade() else { return false };
        let Ok(place) = self.places.clone().acquire_owned().await else { return false };
        if self.asked.watches() {
            return self.watch(endpoint, place).await;
        }
        let server = Server::of(&endpoint);
        let finding = self.asked.once(&server.pool, server.check_pool.as_ref()).await;
        drop(place);
        self.found(&endpoint, finding);
        false
    }

    /// Reads the server's own reports; returns whether there were any. `place` is held until the first
    /// report.
    async fn watch(&self, endpoint: Arc<Endpoint>, place: OwnedSemaphorePermit) -> bool {
        let mut reports = match self.asked.watch(&Server::of(&endpoint).pool) {
            Ok(reports) => reports,
            Err(finding) => {
                self.found(&endpoint, finding);
                return false;
            }
        };
        let back = Server::of(&endpoint).checked.back().clone();
        drop(endpoint); // the stream may last for months
        let first = reports.first(self.asked.check.timeout).await;
        drop(place);
        let (mut report, mut reported) = (first, false);
        loop {
            let Some(endpoint) = self.endpoint.upgrade() else { return reported };
            match report {
                Watching::Says(finding) => self.found(&endpoint, finding),
                Watching::Ended(finding) => {
                    self.found(&endpoint, finding);
                    return reported;
                }
                // It is well until it has been out of reach.
                Watching::IsUnknown => {
                    self.found(&endpoint, Finding::Good);
                    drop(endpoint);
                    back.notified().await;
                    return true;
                }
            }
            drop(endpoint);
            reported = true;
            report = reports.next().await;
        }
    }

    /// Removes the server from the choice or brings it back, if a finding requires it.
    fn found(&self, endpoint: &Arc<Endpoint>, finding: Finding) {
        let Some(current) = self.current.upgrade() else { return };
        let state = endpoint.state();
        let decides = !state.holds(Reason::Unconnected); // else it is out already, and is checked anew once it is back
        let change = Server::of(endpoint).checked.found(&finding, &self.asked, decides);
        let address = endpoint.address();
        match change {
            Some(Change::Well) => {
                static GATE: LineGate = LineGate::new(10, 1);
                if tracing::enabled!(tracing::Level::DEBUG)
                    && let Some(left_out) = GATE.pass()
                {
                    tracing::debug!(address, left_out, "a server passes its health checks");
                }
                if state.holds(Reason::Unhealthy) {
                    current.tell(format_args!("{address} passes its health checks again"));
                }
                state.release(Reason::Unhealthy, current.now());
                state.release(Reason::Unchecked, current.now());
                Server::is_back(endpoint, &current);
                current.has_improved(endpoint);
            }
            Some(Change::Ill) => {
                static GATE: LineGate = LineGate::new(10, 10);
                if let Some(left_out) = GATE.pass() {
                    let why = finding.why();
                    tracing::info!(
                        address,
                        why,
                        left_out,
                        "a server fails its health checks: it gets no calls"
                    );
                }
                if !state.holds(Reason::Unhealthy) {
                    let why = finding.why();
                    current.tell(format_args!("{address} fails its health checks and gets no calls: {why}"));
                }
                state.hold(Reason::Unhealthy);
                state.release(Reason::Unchecked, current.now());
                current.spill();
            }
            None => {}
        }
    }
}
