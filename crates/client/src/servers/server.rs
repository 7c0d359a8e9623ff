//! One server of a channel with several: its connections, and whether they can be made.

use crate::{
    connection::spec::{ConnectSpec, Observer},
    pool::{Bounds, Pool},
    servers::{current::Current, probed::Probed, revival},
    why::ServerWhy,
};
use polywire_balance::{Breaker, BreakerSettings, Endpoint, Reason, Time};
use polywire_base::lock;
use polywire_naming as naming;
use polywire_wire::Connections;
use std::{
    io,
    sync::{
        Arc, Mutex, Weak,
        atomic::{
            AtomicBool, AtomicU64,
            Ordering::{AcqRel, Relaxed},
        },
    },
};

/// What a channel keeps with each endpoint of its balancer.
pub(super) struct Server {
    pub pool: Arc<Pool>,
    pub breaker: Option<Breaker>,
    /// Calls that were sent there, and those of them that failed.
    pub calls: AtomicU64,
    pub failed: AtomicU64,
    /// Why the newest attempt to connect failed, if it did.
    error: Mutex<Option<String>>,
    /// Whether a task tries to connect, see [`revival`].
    pub reviving: AtomicBool,
    pub probed: Probed,
}

/// How the connections of all servers of a channel are made.
pub(super) struct Template {
    pub spec: Arc<ConnectSpec>,
    pub kind: Connections,
    pub bounds: Bounds,
    pub breaker: Option<BreakerSettings>,
}

impl Server {
    /// The endpoint of a server that naming has told of.
    pub fn endpoint(named: &naming::Server, template: &Template, current: &Arc<Current>) -> Arc<Endpoint> {
        Arc::new_cyclic(|endpoint| {
            let observer = Connectivity { current: Arc::downgrade(current), endpoint: endpoint.clone() };
            let spec = template.spec.to(named.address.as_str().into(), Box::new(observer));
            let server = Server {
                pool: Pool::new(spec, template.kind, template.bounds),
                breaker: template.breaker.map(Breaker::new),
                calls: AtomicU64::new(0),
                failed: AtomicU64::new(0),
                error: Mutex::default(),
                reviving: AtomicBool::new(false),
                probed: Probed::default(),
            };
            let zone = named.zone.as_deref().unwrap_or_default();
            let endpoint = Endpoint::new(&named.address, &named.tag).zoned(zone).attach(server);
            match named.weight {
                Some(weight) => endpoint.weighted(weight),
                None => endpoint,
            }
        })
    }

    /// The weight that the endpoint of such a server has.
    pub fn weight(named: &naming::Server) -> Option<u32> {
        named.weight.map(|weight| weight.max(1)).or_else(|| Endpoint::weight_in(&named.tag))
    }

    /// # Panics
    /// If the endpoint was not made by [`Server::endpoint`].
    #[inline]
    pub fn of(endpoint: &Endpoint) -> &Server {
        endpoint.attachment().expect("endpoints of a channel are made with it")
    }

    /// Why the newest attempt to connect failed, if it did.
    pub fn error(&self) -> Option<String> {
        lock(&self.error).clone()
    }
}

impl Server {
    /// What is known of a server.
    pub fn why(endpoint: &Endpoint, now: Time) -> ServerWhy {
        let server = Server::of(endpoint);
        ServerWhy {
            address: endpoint.address().to_owned(),
            tag: endpoint.tag().to_owned(),
            weight: endpoint.weight(),
            is_ready: endpoint.state().is_ready(now),
            state: state(endpoint, now),
            last_error: server.error(),
            in_flight: endpoint.load().in_flight(),
            latency: endpoint.load().latency(),
            calls: server.calls.load(Relaxed),
            failed: server.failed.load(Relaxed),
            breaks: server.breaker.as_ref().map_or(0, Breaker::times),
            connections: server.pool.made(),
            probes: server.probed.sent.load(Relaxed),
            probes_answered: server.probed.answered.load(Relaxed),
        }
    }
}

/// Whether a server can be chosen, or why not, in words.
pub(super) fn state(endpoint: &Endpoint, now: Time) -> String {
    let reasons: Vec<_> =
        endpoint.state().reasons().map(|reason| format!("{reason:?}").to_lowercase()).collect();
    match reasons.is_empty() {
        false => reasons.join(", "),
        true if endpoint.state().is_ready(now) => "ready".to_owned(),
        true => "isolated for a while".to_owned(),
    }
}

/// Takes a server out of the choice while no connection to it can be made.
struct Connectivity {
    current: Weak<Current>,
    endpoint: Weak<Endpoint>,
}

impl Observer for Connectivity {
    fn connected(&self) {
        let (Some(current), Some(endpoint)) = (self.current.upgrade(), self.endpoint.upgrade()) else {
            return;
        };
        *lock(&Server::of(&endpoint).error) = None;
        if endpoint.state().holds(Reason::Unconnected) {
            endpoint.state().release(Reason::Unconnected, current.now());
            current.changed();
        }
    }

    fn failed(&self, why: &io::Error) {
        let (Some(current), Some(endpoint)) = (self.current.upgrade(), self.endpoint.upgrade()) else {
            return;
        };
        let server = Server::of(&endpoint);
        *lock(&server.error) = Some(why.to_string());
        endpoint.state().hold(Reason::Unconnected);
        if !server.reviving.swap(true, AcqRel) {
            revival::start(&current, endpoint);
        }
    }
}
