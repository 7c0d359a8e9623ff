//! One server of a channel with several: its connections, and whether they can be made.
//!
//! | where | what it is |
//! | --- | --- |
//! | `revival.rs` | how it is connected to before calls go there |
//! | `dials.rs` | how many are connected to at a time, and which of them calls wait for |
//! | `outage.rs` | how soon that is tried while calls find no server |
//! | `connectivity.rs` | whether calls can reach it, with the feature `channelz` |
//! | `samples.rs`, `probed.rs` | the durations of its latest calls; its probes |

#[cfg(feature = "channelz")]
pub(super) mod connectivity;
pub(super) mod dials;
pub(super) mod outage;
pub(super) mod probed;
pub(super) mod revival;
pub(super) mod samples;

use crate::{
    connection::{
        connector::Connector,
        server_options::ServerOptions,
        spec::{ConnectSpec, Observer},
    },
    pool::{Bounds, Pool, shared::SharedConnections},
    servers::{
        health::{asking::Asked, checked::Checked},
        options::PerServer,
        server::{probed::Probed, samples::Samples},
        watch::current::Current,
    },
    why::ServerWhy,
};
use polywire_balance::{Breaker, BreakerSettings, Endpoint, Reason, Time};
use polywire_base::lock;
use polywire_call::bounded;
use polywire_naming as naming;
use polywire_wire::Connections;
use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, Mutex, Weak,
        atomic::{
            AtomicBool, AtomicU32, AtomicU64,
            Ordering::{Acquire, Relaxed},
        },
    },
    time::Duration,
};
use tokio::sync::Notify;

/// The metadata key of a server by which `ring_hash` places it, if naming has set it. gRFC A76.
const HASH_KEY: &str = "hash_key";

/// A server that ends a connection within this time is not connected to again at once.
const SHORT: Duration = Duration::from_secs(1);

/// The state that a channel attaches to each endpoint of its balancer.
pub(in crate::servers) struct Server {
    pub pool: Arc<Pool>,
    pub breaker: Option<Breaker>,
    /// The server's attributes from the latest naming answer. A server without a weight has 0.
    priority: AtomicU32,
    zone_weight: AtomicU32,
    /// The number of calls sent to the server, and of failed ones.
    pub calls: AtomicU64,
    pub failed: AtomicU64,
    /// The durations of sampled calls.
    pub samples: Samples,
    /// The error of the latest attempt to connect; `None` if it succeeded.
    error: Mutex<Option<String>>,
    /// Since when no connection could be made.
    lost: Mutex<Option<Time>>,
    /// Whether a task tries to connect, see [`revival`].
    pub reviving: AtomicBool,
    /// Notified when the server was reached, or an attempt failed.
    pub turned: Arc<Notify>,
    /// When the server was last reached, in nanoseconds of the balancer's clock.
    reached: AtomicU64,
    /// The number of calls that had been sent to the server at that time.
    calls_before: AtomicU64,
    pub probed: Probed,
    /// The connections for health checks by another protocol.
    pub check_pool: Option<Arc<Pool>>,
    pub checked: Checked,
    /// Whether there are health checks.
    is_checked: bool,
    /// The part of the cluster that it belongs to.
    part: Option<String>,
    /// Whether the server is in another zone than the channel, which prefers its own.
    is_afar: bool,
}

/// The settings from which the connections of all servers of a channel are made.
pub(in crate::servers) struct Template {
    pub spec: Arc<ConnectSpec>,
    pub kind: Connections,
    pub bounds: Bounds,
    pub breaker: Option<BreakerSettings>,
    pub asked: Option<Arc<Asked>>,
    pub per_server: Option<PerServer>,
    pub shared: Option<SharedConnections>,
    /// The connectors of servers that are connected to differently, by part of the cluster. Empty: all
    /// servers use the same one.
    pub parts: Arc<HashMap<String, Arc<Connector>>>,
    /// The channel's zone, if it uses servers of other zones only when those of its own cannot take all
    /// calls.
    pub zone: Option<String>,
}

impl Template {
    fn pool(&self, spec: ConnectSpec) -> Arc<Pool> {
        match &self.shared {
            Some(shared) => shared.pool(spec, self.kind, self.bounds),
            None => Pool::new(spec, self.kind, self.bounds),
        }
    }

    /// The options of the connections to one server.
    pub fn own(&self, named: &naming::Server) -> ServerOptions {
        self.per_server.as_ref().map_or_else(ServerOptions::default, |per_server| per_server(named))
    }

    /// Whether the endpoint's existing connections are as this server's new ones would be.
    pub fn is_as_before(&self, endpoint: &Endpoint, named: &naming::Server) -> bool {
        let server = Server::of(endpoint);
        (self.parts.is_empty() || server.part == named.part)
            && (self.per_server.is_none() || server.pool.spec().own == self.own(named))
    }

    /// The server's own connector, if it has one.
    fn connector(&self, named: &naming::Server) -> Option<Arc<Connector>> {
        if self.parts.is_empty() {
            return None;
        }
        let part = named.part.as_deref().unwrap_or_default();
        let known = self.parts.get(part).cloned();
        Some(known.unwrap_or_else(|| {
            Arc::new(Connector::refusing(&format!(
                "its cluster has no part {:?} that says how to connect to it",
                bounded(part, 200)
            )))
        }))
    }
}

impl Server {
    /// The endpoint for a server from naming.
    pub fn endpoint(named: &naming::Server, template: &Template, current: &Arc<Current>) -> Arc<Endpoint> {
        Arc::new_cyclic(|endpoint| {
            let observer = Connectivity { current: Arc::downgrade(current), endpoint: endpoint.clone() };
            let own = template.own(named);
            let mut spec = template.spec.to(named.address.as_str().into(), own, Box::new(observer));
            if let Some(connector) = template.connector(named) {
                spec.connector = connector;
            }
            let asked = template.asked.as_ref();
            let check_pool = asked.and_then(|asked| asked.pool(&spec, template.bounds));
            let zone = named.zone.as_deref().unwrap_or_default();
            let server = Server {
                pool: template.pool(spec),
                breaker: template.breaker.map(Breaker::new),
                priority: AtomicU32::new(named.priority),
                zone_weight: AtomicU32::new(named.zone_weight.unwrap_or(0)),
                calls: AtomicU64::new(0),
                failed: AtomicU64::new(0),
                samples: Samples::default(),
                error: Mutex::default(),
                lost: Mutex::default(),
                reviving: AtomicBool::new(false),
                turned: Arc::default(),
                reached: AtomicU64::new(0),
                calls_before: AtomicU64::new(0),
                probed: Probed::default(),
                check_pool,
                checked: Checked::default(),
                is_checked: asked.is_some(),
                part: named.part.clone(),
                is_afar: template.zone.as_ref().is_some_and(|own| *own != zone),
            };
            let endpoint = Endpoint::new(&named.address, &named.tag).zoned(zone).attach(server);
            endpoint.set_hash_key(named.metadata.get(HASH_KEY).map(String::as_str));
            endpoint.state().hold(Reason::Connecting);
            match named.weight {
                Some(weight) => endpoint.weighted(weight),
                None => endpoint,
            }
        })
    }

    /// The order in which servers are connected to: lower ranks first.
    pub fn rank(endpoint: &Endpoint) -> (u32, bool) {
        let server = Server::of(endpoint);
        (server.priority(), server.is_afar)
    }

    /// The endpoint's weight for this server.
    pub fn weight(named: &naming::Server) -> Option<u32> {
        named.weight.map(|weight| weight.max(1)).or_else(|| Endpoint::weight_in(&named.tag))
    }

    /// Applies the latest attributes from naming to the server of an endpoint.
    pub fn told(endpoint: &Endpoint, named: &naming::Server) {
        let server = Server::of(endpoint);
        server.priority.store(named.priority, Relaxed);
        server.zone_weight.store(named.zone_weight.unwrap_or(0), Relaxed);
        endpoint.set_weight(Server::weight(named));
        endpoint.set_hash_key(named.metadata.get(HASH_KEY).map(String::as_str));
    }

    pub fn priority(&self) -> u32 {
        self.priority.load(Relaxed)
    }

    /// `None`: zones get no shares.
    pub fn zone_weight(&self) -> Option<u32> {
        Some(self.zone_weight.load(Relaxed)).filter(|weight| *weight > 0)
    }

    /// # Panics
    /// If the endpoint was not made by [`Server::endpoint`].
    #[inline]
    pub fn of(endpoint: &Endpoint) -> &Server {
        endpoint.attachment().expect("endpoints of a channel are made with it")
    }

    /// Whether no connection has been attempted yet, since no call has needed the server.
    pub fn is_undialled(endpoint: &Endpoint) -> bool {
        endpoint.state().holds(Reason::Connecting) && !Server::of(endpoint).reviving.load(Acquire)
    }

    /// Whether this is the only reason against the server.
    fn is_only_undialled(endpoint: &Endpoint) -> bool {
        Server::is_undialled(endpoint) && endpoint.state().is_connecting()
    }

    /// The error of the latest attempt to connect; `None` if it succeeded.
    pub fn error(&self) -> Option<String> {
        lock(&self.error).clone()
    }

    /// Removes the reasons against a server after a successful connection.
    pub fn is_back(endpoint: &Endpoint, current: &Current) {
        let state = endpoint.state();
        let was_out = state.holds(Reason::Unconnected);
        if was_out || state.holds(Reason::Connecting) {
            state.release(Reason::Connecting, current.now());
            state.release(Reason::Unconnected, current.now());
            current.has_improved(endpoint);
        }
        let server = Server::of(endpoint);
        let lost = lock(&server.lost).take();
        if was_out {
            let long =
                lost.map_or_else(String::new, |since| format!(" after {:.1?}", current.now().since(since)));
            current.tell(format_args!("{} is connected again{long}", endpoint.address()));
            server.checked.is_back();
        }
    }
}

impl Server {
    /// The state of a server.
    pub fn why(endpoint: &Endpoint, now: Time) -> ServerWhy {
        let server = Server::of(endpoint);
        let (checks, checks_failed, last_check) = server.checked.why();
        let times = server.samples.percentiles(now, [0.5, 0.99]);
        ServerWhy {
            cluster: String::new(),
            address: endpoint.address().to_owned(),
            tag: endpoint.tag().to_owned(),
            weight: endpoint.weight(),
            is_ready: endpoint.state().is_ready(now) || Server::is_only_undialled(endpoint),
            state: state(endpoint, now),
            last_error: server.error(),
            in_flight: endpoint.load().in_flight(),
            penalty: endpoint.load().latency(),
            p50: times.map(|[p50, _]| p50),
            p99: times.map(|[_, p99]| p99),
            unconnected_for: lock(&server.lost).map(|since| now.since(since)),
            calls: server.calls.load(Relaxed),
            failed: server.failed.load(Relaxed),
            breaks: server.breaker.as_ref().map_or(0, Breaker::times),
            connections: server.pool.made(),
            probes: server.probed.sent.load(Relaxed),
            probes_answered: server.probed.answered.load(Relaxed),
            checks,
            checks_failed,
            last_check,
        }
    }
}

/// Whether a server can be chosen, or why not, in words.
pub(in crate::servers) fn state(endpoint: &Endpoint, now: Time) -> String {
    let last_check = || Server::of(endpoint).checked.why().2.unwrap_or_default();
    let reason = |reason| match reason {
        Reason::Unhealthy => format!("unhealthy: {}", last_check()),
        reason => format!("{reason:?}").to_lowercase(),
    };
    let reasons: Vec<_> = endpoint.state().reasons().map(reason).collect();
    match reasons.is_empty() {
        false if Server::is_only_undialled(endpoint) => "not connected yet".to_owned(),
        false => reasons.join(", "),
        true if endpoint.state().is_ready(now) => "ready".to_owned(),
        true => "isolated for a while".to_owned(),
    }
}

/// Removes a server from the choice while no connection to it can be made.
struct Connectivity {
    current: Weak<Current>,
    endpoint: Weak<Endpoint>,
}

impl Observer for Connectivity {
    fn is_wanted(&self) -> bool {
        self.endpoint.strong_count() > 0
    }

    fn connected(&self) {
        let (Some(current), Some(endpoint)) = (self.current.upgrade(), self.endpoint.upgrade()) else {
            return;
        };
        let server = Server::of(&endpoint);
        *lock(&server.error) = None;
        server.reached.store(current.now().0, Relaxed);
        server.calls_before.store(server.calls.load(Relaxed), Relaxed);
        Server::is_back(&endpoint, &current);
        server.turned.notify_waiters();
    }

    fn failed(&self, why: &io::Error) {
        let (Some(current), Some(endpoint)) = (self.current.upgrade(), self.endpoint.upgrade()) else {
            return;
        };
        let server = Server::of(&endpoint);
        *lock(&server.error) = Some(why.to_string());
        lock(&server.lost).get_or_insert_with(|| current.now());
        if !endpoint.state().holds(Reason::Unconnected) {
            current.tell(format_args!("{} is lost: {why}", endpoint.address()));
        }
        let was_awaited = endpoint.state().awaited_until(current.now()).is_some();
        endpoint.state().hold(Reason::Unconnected);
        endpoint.state().release(Reason::Connecting, current.now());
        server.turned.notify_waiters();
        if was_awaited {
            current.look_again();
        }
        if server.is_checked {
            server.checked.lost();
            endpoint.state().hold(Reason::Unchecked);
            endpoint.state().release(Reason::Unhealthy, current.now());
        }
        revival::start(&current, &endpoint);
        current.spill();
    }

    fn lost(&self, why: &io::Error, has_served: bool) {
        let (Some(current), Some(endpoint)) = (self.current.upgrade(), self.endpoint.upgrade()) else {
            return;
        };
        let server = Server::of(&endpoint);
        if !server.pool.shares() {
            return; // connections of which each serves one call come and go
        }
        let now = current.now();
        if now.since(Time(server.reached.load(Relaxed))) < SHORT {
            // The call that a connection is made for is sent to the server before that is reached.
            if !has_served && server.calls.load(Relaxed) == server.calls_before.load(Relaxed) {
                self.failed(why); // it takes connections and ends them
            }
            return; // else the calls tell
        }
        let newest = current.newest.load();
        let mut others = newest.picker.members().iter().filter(|one| !Arc::ptr_eq(one, &endpoint));
        if others.any(|one| one.state().is_ready(now)) {
            endpoint.state().hold(Reason::Connecting);
            revival::start_at_once(&current, &endpoint);
        }
    }
}
