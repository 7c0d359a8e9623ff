//! The options of channels with several servers.

use crate::{
    cluster_tls::UseClusterTls,
    connection::{connector::Connector, server_options::ServerOptions},
    pool::shared::SharedConnections,
    servers::health::asking::Asked,
};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spec, Spill, Subset};
use polywire_naming as naming;
use polywire_routing::Router;
use std::{collections::HashMap, sync::Arc};

/// The options that only channels with several servers have.
#[derive(Clone)]
pub(crate) struct FleetOptions {
    /// The router, which names the clusters and chooses one for each call. The other options then apply to
    /// each cluster that does not set its own.
    pub router: Option<Arc<dyn Router>>,
    pub source: Arc<dyn naming::Source>,
    /// The options of watching the naming source.
    pub watch: naming::WatchOptions,
    pub balancer: Spec,
    /// The balancer's specification as it was written.
    pub balancer_text: String,
    pub filter: Option<Filter>,
    pub subset: Option<Subset>,
    pub slow_start: Option<SlowStart>,
    pub outliers: Option<Outliers>,
    pub breaker: Option<BreakerSettings>,
    /// The channel's zone; servers of the same zone are preferred.
    pub zone: Option<Zone>,
    pub asked: Option<Arc<Asked>>,
    pub per_server: Option<PerServer>,
    pub shared: Option<SharedConnections>,
    /// How calls spill over from servers of one priority to those of the next.
    pub priorities: Spill,
    /// The panic threshold in percent.
    pub panic_threshold: Option<u32>,
    /// How a channel with a router uses the TLS of clusters.
    pub cluster_tls: UseClusterTls,
    pub credentials_without_tls: bool,
    /// Connectors by the part of the cluster that a server belongs to. Empty: all servers use the same one.
    pub parts: Arc<HashMap<String, Arc<Connector>>>,
}

/// Whether a channel uses a server.
pub(crate) type Filter = Arc<dyn Fn(&naming::Server) -> bool + Send + Sync>;

/// A function that returns the connection options of one server.
pub(crate) type PerServer = Arc<dyn Fn(&naming::Server) -> ServerOptions + Send + Sync>;

/// The zone of a channel, and how its calls spill over to others.
#[derive(Clone)]
pub(crate) struct Zone {
    pub own: String,
    pub spill: Spill,
}
