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

/// What a channel with several servers is told beside the options of all channels.
#[derive(Clone)]
pub(crate) struct FleetOptions {
    /// Says which clusters there are and which call goes to which. The rest then holds for each of the
    /// clusters that does not say otherwise.
    pub router: Option<Arc<dyn Router>>,
    pub source: Arc<dyn naming::Source>,
    /// How the source is watched.
    pub watch: naming::WatchOptions,
    pub balancer: Spec,
    /// As it was written.
    pub balancer_text: String,
    pub filter: Option<Filter>,
    pub subset: Option<Subset>,
    pub slow_start: Option<SlowStart>,
    pub outliers: Option<Outliers>,
    pub breaker: Option<BreakerSettings>,
    /// Where the channel stands; it prefers servers that stand there, too.
    pub zone: Option<Zone>,
    pub asked: Option<Arc<Asked>>,
    pub per_server: Option<PerServer>,
    pub shared: Option<SharedConnections>,
    /// How calls go over from servers of one priority to those of the next.
    pub priorities: Spill,
    /// Percent.
    pub panic_threshold: Option<u32>,
    /// Of channels with a router.
    pub cluster_tls: UseClusterTls,
    pub credentials_without_tls: bool,
    /// How servers are connected to, by the part of their cluster. Empty: as all of them.
    pub parts: Arc<HashMap<String, Arc<Connector>>>,
}

/// Whether a channel uses a server.
pub(crate) type Filter = Arc<dyn Fn(&naming::Server) -> bool + Send + Sync>;

/// What is particular to the connections to a server.
pub(crate) type PerServer = Arc<dyn Fn(&naming::Server) -> ServerOptions + Send + Sync>;

/// The zone of a channel, and how its calls spill over to others.
#[derive(Clone)]
pub(crate) struct Zone {
    pub own: String,
    pub spill: Spill,
}
