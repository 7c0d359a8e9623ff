//! Resolves a target from its listener to its endpoints: the resources that it needs, and the result.
//!
//! ```text
//!  listener ── routes ── virtual host of the target ── clusters ──┬─ EDS: endpoints
//!                                                                 ├─ LOGICAL_DNS: a name
//!                                                                 └─ aggregate: clusters, in their order
//! ```
//!
//! [`resolve`] is a function of the known resources. It returns the resources that are needed, and once each
//! of them is either found or known to be missing, the result for calls. Until then the previous snapshot
//! stays in use. Source: gRFC A74, A37.

use crate::{
    ads::Found,
    resources::{
        Cluster, Endpoints, Kind, Listener, Resource, Routes,
        cluster::Discovery,
        listener::{Api, RoutesOf},
        route::VirtualHost,
        shortened,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::Arc,
};

/// Maximum nesting of aggregates; it also detects cycles.
const DEEPEST: usize = 16;
/// Maximum number of clusters of a target, those within aggregates included.
const MOST_CLUSTERS: usize = 10_000;
/// The number of endpoints and localities of all clusters of a target. A cluster that several aggregates name
/// counts for each of them, since each has servers of its own. They are counted before any of them is copied.
pub(crate) const MOST_ENDPOINTS: usize = 200_000;

/// The resources that are known at present.
pub(crate) trait View {
    fn found(&self, kind: Kind, name: &str) -> Found<'_>;
    /// The addresses of `host:port`. `None`: the look-up has not finished.
    fn addresses(&self, name: &str) -> Option<Result<&[SocketAddr], &str>>;
}

/// The resources that a target needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs {
    /// The names of resources by [`Kind`].
    pub names: [BTreeSet<String>; 4],
    /// Host names to look up, as `host:port`.
    pub dns: BTreeSet<String>,
}

/// The result of resolving a target.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Outcome {
    /// Something is waited for.
    Waiting,
    /// All calls fail with this error.
    Failed(String),
    Ready(Snapshot),
}

/// Everything that calls of a target need. It never changes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Snapshot {
    pub api: Api,
    pub host: Arc<VirtualHost>,
    /// The clusters that routes name. `Err`: the error with which their calls fail.
    pub clusters: BTreeMap<String, Result<Ready, String>>,
}

/// A cluster with its endpoints.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ready {
    pub cluster: Arc<Cluster>,
    /// The cluster itself, or the members of an aggregate, the preferred one first. Not empty.
    pub leaves: Vec<Leaf>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Leaf {
    pub cluster: Arc<Cluster>,
    pub endpoints: At,
    /// The reason why there are no endpoints, if it is known.
    pub note: Option<String>,
}

/// The source of a leaf's endpoints.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum At {
    Assigned(Arc<Endpoints>),
    /// Addresses of one priority and one locality.
    Resolved(Vec<SocketAddr>),
}

/// `listener`: the name of the resource. `domain`: the host that calls are addressed to.
pub(crate) fn resolve(listener: &str, domain: &str, view: &impl View) -> (Needs, Outcome) {
    let mut needs = Needs::default();
    let outcome = Walk { view, needs: &mut needs, clusters: 0, endpoints: 0 }.target(listener, domain);
    let outcome = match outcome {
        Ok(snapshot) => Outcome::Ready(snapshot),
        Err(Stop::Waiting) => Outcome::Waiting,
        Err(Stop::Failed(why)) => Outcome::Failed(why),
    };
    (needs, outcome)
}

enum Stop {
    Waiting,
    Failed(String),
}

struct Walk<'v, V> {
    view: &'v V,
    needs: &'v mut Needs,
    /// The number of clusters that were looked at.
    clusters: usize,
    /// The total number of endpoints of the clusters.
    endpoints: usize,
}

impl<'v, V: View> Walk<'v, V> {
    fn target(&mut self, listener: &str, domain: &str) -> Result<Snapshot, Stop> {
        let about = |what: &str, name: &str, why: &str| {
            Stop::Failed(format!("xDS {what} {:?}: {why}", shortened(name)))
        };
        let found: Arc<Listener> = match self.find(Kind::Listener, listener) {
            Found::Good(Resource::Listener(found)) => found.clone(),
            Found::None(why) => return Err(about("listener", listener, &why)),
            _ => return Err(Stop::Waiting),
        };
        let Some(api) = &found.api else {
            return Err(about("listener", listener, "it is one for servers: it has no api_listener"));
        };
        let (routes, of): (Arc<Routes>, &str) = match &api.routes {
            RoutesOf::Inline(routes) => (routes.clone(), listener),
            RoutesOf::Named(name) => match self.find(Kind::Routes, name) {
                Found::Good(Resource::Routes(found)) => (found.clone(), name),
                Found::None(why) => return Err(about("route configuration", name, &why)),
                _ => return Err(Stop::Waiting),
            },
        };
        let host = routes.host(domain).cloned();
        let host =
            host.ok_or_else(|| about("routes of", of, &format!("no virtual host is for {domain:?}")))?;
        let mut clusters = BTreeMap::new();
        let mut waiting = false;
        let names: BTreeSet<&str> = host.routes.iter().flat_map(|route| route.clusters()).collect();
        for name in names {
            match self.cluster(name) {
                Ok(ready) => _ = clusters.insert(name.to_owned(), Ok(ready)),
                Err(Stop::Failed(why)) => _ = clusters.insert(name.to_owned(), Err(why)),
                // The others are asked for meanwhile.
                Err(Stop::Waiting) => waiting = true,
            }
            if self.clusters > MOST_CLUSTERS {
                return Err(about("routes of", of, &format!("more than {MOST_CLUSTERS} clusters")));
            }
        }
        match waiting {
            true => Err(Stop::Waiting),
            false => Ok(Snapshot { api: api.clone(), host, clusters }),
        }
    }

    fn cluster(&mut self, name: &str) -> Result<Ready, Stop> {
        let before = self.endpoints;
        let mut leaves = Vec::new();
        let cluster = self
            .leaves(name, 0, &mut BTreeSet::new(), &mut leaves)
            .inspect_err(|_| self.endpoints = before)?;
        match leaves.is_empty() {
            true => Err(failed(name, "its aggregate has no clusters")),
            false => Ok(Ready { cluster, leaves }),
        }
    }

    /// Counts endpoints of a leaf.
    fn count(&mut self, name: &str, endpoints: usize) -> Result<(), Stop> {
        self.endpoints += endpoints;
        match self.endpoints <= MOST_ENDPOINTS {
            true => Ok(()),
            false => Err(failed(
                name,
                &format!("with it the clusters of the target have more than {MOST_ENDPOINTS} endpoints"),
            )),
        }
    }

    /// The leaves below a cluster, each at its first place.
    fn leaves(
        &mut self,
        name: &str,
        depth: usize,
        seen: &mut BTreeSet<String>,
        leaves: &mut Vec<Leaf>,
    ) -> Result<Arc<Cluster>, Stop> {
        if depth >= DEEPEST {
            return Err(failed(name, &format!("aggregates are nested deeper than {DEEPEST}")));
        }
        self.clusters += 1;
        let cluster: Arc<Cluster> = match self.find(Kind::Cluster, name) {
            Found::Good(Resource::Cluster(found)) => found.clone(),
            Found::None(why) => return Err(failed(name, &why)),
            _ => return Err(Stop::Waiting),
        };
        match &cluster.discovery {
            Discovery::Aggregate(children) => {
                let mut waiting = false;
                for child in children {
                    if self.clusters > MOST_CLUSTERS {
                        break;
                    }
                    match self.leaves(child, depth + 1, seen, leaves) {
                        Ok(_) => {}
                        Err(Stop::Waiting) => waiting = true,
                        Err(failed) => return Err(failed),
                    }
                }
                if waiting {
                    return Err(Stop::Waiting);
                }
            }
            _ if !seen.insert(name.to_owned()) => {}
            Discovery::Eds(service) => {
                let (endpoints, note) = match self.find(Kind::Endpoints, service) {
                    Found::Good(Resource::Endpoints(found)) => (found.clone(), None),
                    Found::None(why) => {
                        let note = format!("the endpoints {:?} are missing: {why}", shortened(service));
                        (Arc::default(), Some(note))
                    }
                    _ => return Err(Stop::Waiting),
                };
                self.count(name, endpoints.entries)?;
                leaves.push(Leaf { cluster: cluster.clone(), endpoints: At::Assigned(endpoints), note });
            }
            Discovery::Dns(host) => {
                self.needs.dns.insert(host.clone());
                let (addresses, note) = match self.view.addresses(host) {
                    Some(Ok(addresses)) => {
                        self.count(name, addresses.len())?;
                        (addresses.to_vec(), None)
                    }
                    Some(Err(why)) => {
                        (Vec::new(), Some(format!("{:?} cannot be resolved: {why}", shortened(host))))
                    }
                    None => return Err(Stop::Waiting),
                };
                leaves.push(Leaf { cluster: cluster.clone(), endpoints: At::Resolved(addresses), note });
            }
        }
        Ok(cluster)
    }

    fn find(&mut self, kind: Kind, name: &str) -> Found<'v> {
        // A long name may be looked for ten thousand times.
        let names = &mut self.needs.names[kind as usize];
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
        self.view.found(kind, name)
    }
}

fn failed(cluster: &str, why: &str) -> Stop {
    Stop::Failed(format!("xDS cluster {:?}: {why}", shortened(cluster)))
}
