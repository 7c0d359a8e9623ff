//! Options that select among several servers, and options that differ from server to server.

use crate::{
    cluster_tls::UseClusterTls,
    connection::server_options::ServerOptions,
    servers::{Filter, PerServer},
};
use polywire_balance::{Spill, Subset};
use polywire_naming::Server;
use std::sync::Arc;

/// Options for channels with several servers: which of them are used, and which options differ from server to
/// server. See docs/fleet.md.
///
/// ```
/// # mod polywire { pub use polywire_client::*; }
/// use polywire::Fleet;
///
/// let fleet = Fleet::default().zone("eu-1").filter(|server| server.metadata.get("canary").is_none());
/// // Channel::builder("list://..").fleet(fleet)
/// # let _ = fleet;
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Fleet {
    pub(super) zone: Option<String>,
    pub(super) spill: Option<Spill>,
    pub(super) subset: Option<Subset>,
    pub(super) filter: Option<Filter>,
    pub(super) per_server: Option<PerServer>,
    pub(super) cluster_tls: Option<UseClusterTls>,
    pub(super) credentials_without_tls: bool,
}

impl Fleet {
    /// The zone of this client, by the naming source's name for it. Calls go to servers of this zone while
    /// these have the capacity: if more than 28 % of them are out, the missing share goes to the servers of
    /// all other zones in proportion, and returns with them. Default: zones are ignored.
    pub fn zone(mut self, own: impl Into<String>) -> Self {
        self.zone = Some(own.into());
        self
    }

    /// How calls spill over from the zone of [`Fleet::zone`] to others. Default: [`Spill::default`].
    pub fn spill(mut self, spill: Spill) -> Self {
        self.spill = Some(spill);
        self
    }

    /// Uses only some of very many servers: a subset of each priority that naming gives them. Default: all.
    pub fn subset(mut self, subset: impl Into<Option<Subset>>) -> Self {
        self.subset = subset.into();
        self
    }

    /// Uses only the servers for which this function returns true. It is applied to each set of servers when
    /// that arrives.
    pub fn filter(mut self, filter: impl Fn(&Server) -> bool + Send + Sync + 'static) -> Self {
        self.filter = Some(Arc::new(filter));
        self
    }

    /// The options of connections that differ by server: its name in TLS, its authority, its credential. The
    /// function receives the server's entry in the naming source, including metadata. When that entry
    /// changes, new connections are made. Default: no such options.
    ///
    /// Anyone who can write to the naming source could then decide which servers the channel trusts.
    /// Therefore names are taken from metadata only if a function of yours does so.
    ///
    /// ```
    /// # use polywire_client::{Fleet, ServerOptions};
    /// let fleet = Fleet::default().per_server(|server| {
    ///     match server.metadata.get("tls_name").filter(|name| name.ends_with(".echo.internal")) {
    ///         Some(name) => ServerOptions::default().server_name(name),
    ///         None => ServerOptions::default().server_name("echo.internal"),
    ///     }
    /// });
    /// # let _ = fleet;
    /// ```
    pub fn per_server(mut self, options: impl Fn(&Server) -> ServerOptions + Send + Sync + 'static) -> Self {
        self.per_server = Some(Arc::new(options));
        self
    }

    /// Whether connections to the servers of clusters use the TLS settings of the router. For channels with a
    /// router. Default: yes, if the channel has no TLS of its own.
    pub fn cluster_tls(mut self, used: UseClusterTls) -> Self {
        self.cluster_tls = Some(used);
        self
    }

    /// Whether [`Builder::credential`](crate::Builder::credential) and
    /// [`Builder::credentials`](crate::Builder::credentials) are sent to servers of a router's clusters
    /// without TLS. Default false: the router chooses the servers, so a channel with a credential does not
    /// connect to a cluster without TLS. Channels without a router send their credential to their address or
    /// naming source, over TLS if they have it.
    pub fn credentials_without_tls(mut self, allowed: bool) -> Self {
        self.credentials_without_tls = allowed;
        self
    }

    /// The first option that is for several servers, if one is set.
    pub(super) fn for_several(&self) -> Option<&'static str> {
        let set = [
            ("fleet.filter", self.filter.is_some()),
            ("fleet.subset", self.subset.is_some()),
            ("fleet.zone", self.zone.is_some()),
            ("fleet.spill", self.spill.is_some()),
            ("fleet.per_server", self.per_server.is_some()),
        ];
        set.into_iter().find_map(|(option, is_set)| is_set.then_some(option))
    }
}
