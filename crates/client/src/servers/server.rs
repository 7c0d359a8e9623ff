//! One server of a channel with several: its connections, and whether they can be made.

use crate::{
    connection::spec::{ConnectSpec, Observer},
    pool::{Bounds, Pool},
    servers::{current::Current, revival},
};
use polywire_balance::{Breaker, BreakerSettings, Endpoint, Reason};
use polywire_base::lock;
use polywire_naming as naming;
use polywire_wire::Connections;
use std::{
    io,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering::AcqRel},
    },
};

/// What a channel keeps with each endpoint of its balancer.
pub(super) struct Server {
    pub pool: Arc<Pool>,
    pub breaker: Option<Breaker>,
    /// Why the newest attempt to connect failed, if it did.
    error: Mutex<Option<String>>,
    /// Whether a task tries to connect, see [`revival`].
    pub reviving: AtomicBool,
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
                error: Mutex::default(),
                reviving: AtomicBool::new(false),
            };
            let endpoint = Endpoint::new(&named.address, &named.tag).attach(server);
            match named.weight {
                Some(weight) => endpoint.weighted(weight),
                None => endpoint,
            }
        })
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
