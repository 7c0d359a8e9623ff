//! The servers of a channel with a router: several clusters, and which of them a call goes to.
//!
//! ```text
//!                         no way yet: PostError::decision ──► call: time limit, retries, delay; then it posts again
//!  call ─► Routed::post ─┤
//!                         its way was chosen: drops, limit of requests ──► Fleet of the cluster ─► ServerGuard
//!                 ▲
//!   router: tables┘ keeper: a fleet for each new cluster, then the table; fleets that no table names go with their last call
//! ```
//!
//! The route of a call is chosen once, before its first attempt, and holds for all of them. A call keeps its
//! cluster, and so may end there when newer tables no longer name it.
//!
//! | where | what it is |
//! | --- | --- |
//! | `mod.rs` | the channel's table and clusters, and the attempts of calls |
//! | `choose.rs` | which way a call goes |
//! | `cluster.rs` | one cluster: its servers, its limits, and what is counted |
//! | `secured.rs` | whose TLS its servers are connected to with |
//! | `keeper.rs` | the task that takes new tables from the router |

mod choose;
mod cluster;
mod keeper;
mod secured;
#[cfg(test)]
mod tests;

#[cfg(feature = "channelz")]
use crate::{connection::tally::Counts, pool::Pool, servers::server::connectivity::Connectivity};
use crate::{
    connection::{
        backoff::Patience,
        error::deadline_exceeded,
        spec::ConnectSpec,
        waiting::{self, Waiting, When},
    },
    pool::{Bounds, Post},
    servers::{
        attempt::{
            decision::{ClusterPermit, RouteChoice},
            in_flight::InFlightGuard,
            post_error::{PostError, Undelivered},
            search::Search,
        },
        options::FleetOptions,
        pick::query,
    },
    service_config::Method,
    why::{CallWhy, MOST_SERVERS, Why},
};
use arc_swap::ArcSwap;
use cluster::{Cluster, Making};
use polywire_base::{Sort, lock};
use polywire_call::Status;
use polywire_engine::clock;
use polywire_exchange::Request;
use polywire_routing::{RouteTable, Router, WatchedTable};
use polywire_wire::Connections;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{
            AtomicBool, AtomicU32, AtomicUsize,
            Ordering::{AcqRel, Acquire, Relaxed},
        },
    },
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// The clusters of a channel whose address names a router.
pub(crate) struct Routed {
    making: Making,
    router: Arc<dyn Router>,
    newest: ArcSwap<Newest>,
    /// Held while a new table is taken over.
    applying: Mutex<()>,
    /// Notified when there is a change that waiting calls should look at.
    changes: watch::Sender<()>,
    /// Whether there is a task that takes new tables.
    kept: AtomicBool,
    /// The number of connections made to clusters that have gone.
    made_before: AtomicUsize,
    /// A random number that identifies the channel to hash policies.
    number: u64,
    /// Calls that are delayed by faults.
    delayed: Arc<AtomicU32>,
}

/// The newest route table.
#[derive(Default)]
struct Newest {
    /// `None`: no table has arrived yet.
    table: Option<RouteTable>,
    /// The retry policy of each route.
    retries: Arc<Vec<Option<Arc<Method>>>>,
    clusters: Arc<HashMap<Arc<str>, Arc<Cluster>>>,
    /// The error of the router's last attempt, if it has not succeeded since.
    error: Option<String>,
}

impl Routed {
    /// # Panics
    /// If the options have no router.
    pub fn new(spec: ConnectSpec, kind: Connections, bounds: Bounds, options: FleetOptions) -> Arc<Self> {
        let router = options.router.clone().expect("channels with a router are made here");
        let routed = Arc::new(Routed {
            making: Making { spec: Arc::new(spec), kind, bounds, options, past: Arc::default() },
            router,
            newest: ArcSwap::default(),
            applying: Mutex::default(),
            changes: watch::Sender::new(()),
            kept: AtomicBool::new(true),
            made_before: AtomicUsize::new(0),
            number: query::random(|random| random.u64(..)),
            delayed: Arc::default(),
        });
        keeper::start(&routed);
        routed
    }

    /// The settings that connections to all servers share; the address in them is the channel's name.
    pub fn spec(&self) -> &Arc<ConnectSpec> {
        &self.making.spec
    }

    fn name(&self) -> &str {
        &self.making.spec.address
    }

    pub fn made(&self) -> usize {
        let now: usize = self.newest.load().clusters.values().map(|cluster| cluster.made()).sum();
        self.made_before.load(Relaxed) + now
    }

    /// The connections to each server of each cluster, and whether calls may go there.
    #[cfg(feature = "channelz")]
    pub fn pools(&self) -> Vec<(Arc<Pool>, Connectivity)> {
        let newest = self.newest.load();
        let mut clusters: Vec<_> = newest.clusters.values().collect();
        clusters.order_by(|a, b| a.name.cmp(&b.name));
        clusters.into_iter().flat_map(|cluster| cluster.fleet.pools()).collect()
    }

    /// The counts of all tries so far.
    #[cfg(feature = "channelz")]
    pub fn counts(&self) -> Counts {
        let newest = self.newest.load();
        let ledgers: Vec<_> = newest.clusters.values().flat_map(|cluster| cluster.fleet.ledgers()).collect();
        self.making.past.counts_with(&ledgers)
    }

    /// Whether a call that is made now may find a server: one of the clusters has one.
    pub fn is_ready(&self) -> bool {
        self.newest.load().clusters.values().any(|cluster| cluster.is_ready())
    }

    /// Applies the router's newest table. An existing cluster stays; a new one exists before the first call
    /// is sent by the new table.
    fn apply(&self, watched: &WatchedTable) {
        let _applying = lock(&self.applying);
        let old = self.newest.load_full();
        let error = watched.error().map(|error| error.to_string());
        let Some(table) = watched.table() else {
            // An older table, of a runtime that has ended, stays in use.
            if old.table.is_none() {
                self.newest.store(Arc::new(Newest { error, ..Newest::default() }));
                self.changes.send_replace(());
            }
            return;
        };
        if old.table.as_ref().is_some_and(|old| old.is_same(&table)) {
            // All that is new is whether the router fails.
            if old.error != error {
                let (retries, clusters) = (old.retries.clone(), old.clusters.clone());
                self.newest.store(Arc::new(Newest { table: Some(table), retries, clusters, error }));
                self.changes.send_replace(());
            }
            return;
        }
        let told = table.clusters();
        let clusters: HashMap<_, _> = told
            .map(|(name, told)| (name.clone(), self.making.cluster(name, told, old.clusters.get(name))))
            .collect();
        let retries: Vec<_> = table.routes().map(|route| route.retry.as_ref().map(choose::method)).collect();
        let is_gone = |(name, old): &(&Arc<str>, &Arc<Cluster>)| {
            clusters.get(*name).is_none_or(|new| !new.shares_servers_with(old))
        };
        let made: usize = old.clusters.iter().filter(is_gone).map(|(_, cluster)| cluster.made()).sum();
        self.made_before.fetch_add(made, Relaxed);
        let (retries, clusters) = (Arc::new(retries), Arc::new(clusters));
        self.newest.store(Arc::new(Newest { table: Some(table), retries, clusters, error }));
        self.changes.send_replace(());
    }

    /// The cluster of an attempt, and the attempt's place there.
    ///
    /// # Errors
    /// The route has just been chosen, or the call has no target.
    fn admit(
        self: &Arc<Self>,
        request: &Request,
        patience: Patience,
        search: &mut Search,
    ) -> Result<(Arc<Cluster>, Option<ClusterPermit>), PostError> {
        if !self.kept.load(Acquire) && !self.kept.swap(true, AcqRel) {
            keeper::start(self);
        }
        let newest = self.newest.load();
        if search.chosen.is_none() {
            // A wait for the first table or a delay may lie between its begin and its first attempt.
            let _ = search.take_begun();
        }
        let Some(chosen) = &mut search.chosen else {
            return Err(choose::way(self, &newest, request, patience, search));
        };
        if chosen.delayed.is_some() {
            if request.deadline.is_some_and(|at| at <= clock::now()) {
                let status = deadline_exceeded(self.name(), "delayed by a fault that its route injects");
                return Err(PostError::refused(status));
            }
            chosen.delayed = None;
        }
        if let Some(code) = chosen.abort {
            let text = format!("{}: the call is terminated by a fault that its route injects", self.name());
            return Err(PostError::refused(Status::new(code, text)));
        }
        let cluster = newest.cluster(chosen);
        drop(newest);
        let slot = cluster.admit(patience)?;
        Ok((cluster, slot))
    }

    /// Posts a request to a server of the cluster to which its route leads.
    ///
    /// # Errors
    /// The route has just been chosen, or no server has taken the call; it is returned.
    pub fn post<P: Post>(
        self: &Arc<Self>,
        request: P,
        patience: Patience,
        search: &mut Search,
    ) -> Result<(P::Posted, InFlightGuard), Undelivered<P>> {
        match self.admit(&request, patience, search) {
            Err(why) => Err(Undelivered { request, why }),
            Ok((cluster, slot)) => {
                let (posted, lease) = cluster.fleet.post(request, patience, search)?;
                Ok((posted, lease.with(slot)))
            }
        }
    }

    /// Waits until there may be a table, or a server of the call's cluster.
    pub fn ready(self: &Arc<Self>, deadline: Option<Instant>, search: &Search) -> Waiting {
        let mut changes = self.changes.subscribe();
        let newest = self.newest.load();
        let mut failing = None;
        if let Some(chosen) = &search.chosen {
            let cluster = newest.cluster(chosen);
            match cluster.failure() {
                None => {
                    let ready = cluster.fleet.ready(deadline, search);
                    // A new table may have another cluster of this name.
                    return Box::pin(async move {
                        tokio::select! {
                            over = ready => over,
                            _ = changes.changed() => None,
                        }
                    });
                }
                Some(why) => failing = Some(format!("cluster {}: {why}", chosen.name)),
            }
        }
        let (routed, before) = (self.clone(), newest.clone());
        let (name, known) = (self.spec().address.clone(), newest.clone());
        let late = move || deadline_exceeded(&name, &failing.unwrap_or_else(|| known.why_none()));
        let is_newer = move || !Arc::ptr_eq(&routed.newest.load(), &before) || !routed.kept.load(Acquire);
        waiting::wait(changes, deadline, move || if is_newer() { When::Now } else { When::AfterChange }, late)
    }

    /// A connector to one of the servers of the first cluster that has any; waits for the first table and the
    /// first set.
    ///
    /// # Errors
    /// No server becomes ready within the limit.
    pub async fn any(self: &Arc<Self>, limit: Option<Duration>) -> Result<Arc<ConnectSpec>, Status> {
        let deadline = limit.and_then(|limit| clock::now().checked_add(limit));
        loop {
            let newest = self.newest.load_full();
            if newest.table.is_none() && newest.error.is_none() {
                if let Some(over) = self.ready(deadline, &Search::default()).await {
                    return Err(over);
                }
                continue;
            }
            let mut names: Vec<_> = newest.clusters.keys().collect();
            names.order();
            let mut failed = None;
            for name in names {
                let left = deadline.map(|deadline| deadline.saturating_duration_since(clock::now()));
                match newest.clusters[name].fleet.any(left).await {
                    Ok(spec) => return Ok(spec),
                    Err(status) => failed = Some(status),
                }
            }
            let none = || Status::unavailable(format!("{}: {}", self.name(), newest.why_none()));
            return Err(failed.unwrap_or_else(none));
        }
    }

    /// Some of the last calls, the newest last.
    pub fn last_calls(&self) -> Vec<CallWhy> {
        let newest = self.newest.load();
        let mut clusters: Vec<_> = newest.clusters.values().collect();
        clusters.order_by(|a, b| a.name.cmp(&b.name));
        let mut calls: Vec<_> = clusters.into_iter().flat_map(|cluster| cluster.last_calls()).collect();
        calls.order_by_key(|call| std::cmp::Reverse(call.age));
        calls
    }

    /// The state of the clusters and their servers.
    pub fn state(&self) -> Why {
        let newest = self.newest.load();
        let mut why = Why {
            channel: self.name().to_owned(),
            protocol: self.spec().protocol.name,
            is_known: newest.table.is_some(),
            source_error: newest.error.clone(),
            route_count: newest.table.as_ref().map_or(0, |table| table.routes().len()),
            ..Why::default()
        };
        let mut clusters: Vec<_> = newest.clusters.values().collect();
        clusters.order_by(|a, b| a.name.cmp(&b.name));
        for cluster in clusters {
            let (about, of_fleet) = cluster.state();
            why.clusters.push(about);
            why.server_count += of_fleet.server_count;
            why.servers.extend(of_fleet.servers);
            why.servers.truncate(MOST_SERVERS);
        }
        why
    }
}

impl Newest {
    /// The cluster that a call goes to: the newest one of that name, which may have other limits, or the one
    /// that the call has kept.
    fn cluster(&self, chosen: &RouteChoice) -> Arc<Cluster> {
        match self.clusters.get(&chosen.name) {
            Some(cluster) => cluster.clone(),
            None => chosen.cluster.clone().downcast().expect("clusters are of this type"),
        }
    }

    /// The reason why there is no table.
    fn why_none(&self) -> String {
        match (&self.table, &self.error) {
            (None, Some(error)) => format!("no routes are known: {error}"),
            (None, None) => "no routes are known yet".to_owned(),
            (Some(_), _) => "the routes lead to no server".to_owned(),
        }
    }
}
