//! One cluster: its servers, its limits, and its counters.

use crate::{
    connection::{backoff::Patience, spec::ConnectSpec},
    pool::Bounds,
    servers::{
        attempt::{decision::ClusterPermit, post_error::PostError},
        fleet::Fleet,
        options::FleetOptions,
        past::Past,
        pick::{probes, query},
    },
    why::{CallWhy, ClusterWhy, Why},
};
use polywire_balance::Spec;
use polywire_call::{Status, bounded};
use polywire_routing::{self as routing, InFlight};
use polywire_wire::Connections;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// The maximum length of the name of a cluster or category in errors, in bytes.
const LONGEST_NAME: usize = 200;

/// One cluster of a table. The same cluster in a later table shares what has not changed.
pub(crate) struct Cluster {
    pub name: Arc<str>,
    pub fleet: Arc<Fleet>,
    told: routing::Cluster,
    /// The error with which every call fails, if the cluster is unusable.
    failure: Option<String>,
    attempts: Arc<InFlight>,
    /// The number of attempts that each drop category of the table has failed.
    dropped: Vec<Arc<AtomicU64>>,
    needs_key: bool,
}

/// The settings from which the clusters of a channel are made.
pub(super) struct Making {
    pub spec: Arc<ConnectSpec>,
    pub kind: Connections,
    pub bounds: Bounds,
    /// The options of clusters that set none of their own.
    pub options: FleetOptions,
    /// The counts of servers that have left, over all clusters.
    pub past: Arc<Past>,
}

impl Making {
    /// Makes a cluster of a table. `old`: the cluster of the same name in the previous table.
    pub fn cluster(
        &self,
        name: &Arc<str>,
        told: &routing::Cluster,
        old: Option<&Arc<Cluster>>,
    ) -> Arc<Cluster> {
        let going_on = old.filter(|old| old.told.continues(told));
        let (balancer, text) = self.balancer(told);
        let fleet = match going_on {
            Some(old) => old.fleet.clone(),
            None => self.fleet(name, told, balancer.clone(), text),
        };
        let attempts = match (&told.counter, old) {
            (Some(shared), _) => shared.clone(),
            (None, Some(old)) if old.told.counter.is_none() => old.attempts.clone(),
            (None, _) => Arc::default(),
        };
        let counter = |drop: &routing::DropShare| {
            old.and_then(|old| old.counter_of(&drop.category)).unwrap_or_default()
        };
        let asks_in_vain = balancer.asks_for_probes() && !probes::are_carried_by(self.spec.protocol);
        let in_vain = || {
            format!(
                "its balancer asks servers how loaded they are, which {} does not carry",
                self.spec.protocol.name
            )
        };
        Arc::new(Cluster {
            name: name.clone(),
            fleet,
            failure: told.failure.clone().or_else(|| asks_in_vain.then(in_vain)),
            attempts,
            dropped: told.drops.iter().map(counter).collect(),
            needs_key: balancer.needs_key(),
            told: told.clone(),
        })
    }

    /// The balancer of a cluster; its text was checked with the table.
    fn balancer(&self, told: &routing::Cluster) -> (Spec, String) {
        let own = told.balancer.as_ref().and_then(|text| Some((text.parse().ok()?, text.clone())));
        own.unwrap_or_else(|| (self.options.balancer.clone(), self.options.balancer_text.clone()))
    }

    fn fleet(&self, name: &str, told: &routing::Cluster, balancer: Spec, text: String) -> Arc<Fleet> {
        let mut spec =
            self.spec.named(format!("{} cluster {}", self.spec.address, bounded(name, LONGEST_NAME)).into());
        spec.authority = told.authority.as_deref().map(Arc::from);
        let secured = self.secured(told);
        spec.connector = secured.all;
        let options = FleetOptions {
            router: None,
            source: told.servers.clone(),
            watch: told.watch.clone(),
            balancer,
            balancer_text: text,
            outliers: told.outliers.clone().or_else(|| self.options.outliers.clone()),
            priorities: told.spill,
            parts: Arc::new(secured.parts),
            ..self.options.clone()
        };
        Fleet::with_past(spec, self.kind, self.bounds, options, self.past.clone())
    }
}

impl Cluster {
    /// Lets an attempt go to a server, and counts it if attempts are limited.
    ///
    /// # Errors
    /// The call has to fail.
    pub fn admit(&self, patience: Patience) -> Result<Option<ClusterPermit>, PostError> {
        if let Some(why) = &self.failure {
            let waits = patience == Patience::Pause;
            return Err(PostError { waits, ..PostError::failed(self.unavailable(why)) });
        }
        // What fails by itself is not dropped: calls that wait for a server are to go on waiting.
        if !self.told.drops.is_empty() && self.fleet.is_ready() {
            for (drop, dropped) in self.told.drops.iter().zip(&self.dropped) {
                if query::random(|random| drop.share.hits(random)) {
                    dropped.fetch_add(1, Relaxed);
                    let text =
                        format!("the call is dropped, as {:?} says", bounded(&drop.category, LONGEST_NAME));
                    return Err(PostError::refused(self.unavailable(&text)));
                }
            }
        }
        let Some(most) = self.told.max_requests else { return Ok(None) };
        if let Some(slot) = ClusterPermit::take(&self.attempts, most) {
            return Ok(Some(slot));
        }
        let text = format!("its limit of {most} requests at a time is reached");
        Err(PostError::refused(self.unavailable(&text)))
    }

    #[cold]
    fn unavailable(&self, why: &str) -> Status {
        Status::unavailable(format!("{}: {why}", self.fleet.spec().address)).unprocessed()
    }

    /// The error with which every call fails, if the cluster is unusable.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    pub fn is_ready(&self) -> bool {
        self.failure.is_none() && self.fleet.is_ready()
    }

    /// Whether the cluster's balancer finds no server for a call without a key.
    pub fn needs_key(&self) -> bool {
        self.needs_key
    }

    pub fn made(&self) -> usize {
        self.fleet.made()
    }

    pub fn shares_servers_with(&self, other: &Cluster) -> bool {
        Arc::ptr_eq(&self.fleet, &other.fleet)
    }

    fn counter_of(&self, category: &str) -> Option<Arc<AtomicU64>> {
        let mut counted = self.told.drops.iter().zip(&self.dropped);
        counted.find(|(drop, _)| drop.category == category).map(|(_, counter)| counter.clone())
    }

    /// Some of the cluster's last calls.
    pub fn last_calls(&self) -> impl Iterator<Item = CallWhy> {
        let calls = self.fleet.last_calls().into_iter();
        calls.map(|call| CallWhy { cluster: self.name.to_string(), ..call })
    }

    /// The state of the cluster and of its servers.
    pub fn state(&self) -> (ClusterWhy, Why) {
        let mut fleet = self.fleet.state();
        fleet.servers.iter_mut().for_each(|server| server.cluster = self.name.to_string());
        let counted = self.told.drops.iter().zip(&self.dropped);
        let why = ClusterWhy {
            name: self.name.to_string(),
            balancer: fleet.balancer.clone(),
            error: self.failure.clone().or_else(|| fleet.source_error.clone()),
            server_count: fleet.server_count,
            in_flight: self.attempts.now(),
            max_requests: self.told.max_requests,
            refused: self.attempts.refused(),
            dropped: counted.map(|(drop, calls)| (drop.category.clone(), calls.load(Relaxed))).collect(),
        };
        (why, fleet)
    }
}
