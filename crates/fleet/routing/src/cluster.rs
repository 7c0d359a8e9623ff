//! One cluster: its servers, and how calls are distributed to them.

use crate::{ClusterTls, Fraction};
use polywire_balance::{Outliers, Spill};
use polywire_naming::{Server, Source, Updates, WatchOptions, Watching};
use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use twox_hash::XxHash64;

/// Servers that calls are shared out to, and how.
///
/// A cluster of the same name in the next table is the same cluster: its servers keep their connections, as
/// long as its source ([`Cluster::is_served_like`]), its balancer, its outlier detection, its authority and
/// its TLS stay the same. Limits and drops may change with each table.
#[derive(Clone)]
#[non_exhaustive]
pub struct Cluster {
    /// The source of the cluster's servers. Servers have a priority: those of the next one get the calls that
    /// those of the first one cannot take ([`Cluster::spill`]). Within a priority calls are distributed to
    /// the zones whose servers have a [weight of their zone](Server::zone_weight).
    pub servers: Arc<dyn Source>,
    /// The options of watching the source.
    pub watch: WatchOptions,
    /// A balancer of [`polywire_balance::Spec`]. `None`: the channel's, or `rr` if the channel names none.
    pub balancer: Option<String>,
    /// How calls spill over to the next priority. Default: only once no server of a priority is ready, as in
    /// gRPC.
    pub spill: Spill,
    /// Outlier detection; `None`: the channel's.
    pub outliers: Option<Outliers>,
    /// The maximum number of attempts under way at the same time; further ones fail as UNAVAILABLE, and are
    /// not tried again. `None`: no limit.
    pub max_requests: Option<u32>,
    /// The counter of attempts for `max_requests`. `None`: this channel has its own. If it is given, the
    /// limit holds for all users of the counter.
    pub counter: Option<Arc<InFlight>>,
    /// Shares of the attempts that are failed as UNAVAILABLE on purpose, before they reach a server, and are
    /// not tried again.
    pub drops: Vec<DropShare>,
    /// The host that requests name, in place of the server's address.
    pub authority: Option<String>,
    /// TLS of the connections to the cluster's servers, if it has its own; the channel decides whether to use
    /// it.
    pub tls: Option<ClusterTls>,
    /// The TLS of each [part](Server::part) of the servers, in place of `tls`. Servers of a part that is not
    /// listed are not connected to. Empty: parts make no difference.
    pub parts: BTreeMap<String, Option<ClusterTls>>,
    /// The reason why every call to the cluster fails as UNAVAILABLE, if it is unusable.
    pub failure: Option<String>,
}

/// A share of the attempts that fail on purpose, so that a cluster has less to do.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DropShare {
    /// The category under which drops are counted.
    pub category: String,
    pub share: Fraction,
}

/// Attempts that are under way at the same time.
#[derive(Debug, Default)]
pub struct InFlight {
    attempts: AtomicU32,
    refused: AtomicU64,
}

impl Cluster {
    pub fn new(servers: impl Source) -> Self {
        Cluster::served_by(Arc::new(servers))
    }

    /// The servers of this source, which other tables may name, too.
    pub fn served_by(servers: Arc<dyn Source>) -> Self {
        Cluster {
            servers,
            watch: WatchOptions::default(),
            balancer: None,
            spill: Spill::default().factor(f64::INFINITY),
            outliers: None,
            max_requests: None,
            counter: None,
            drops: Vec::new(),
            authority: None,
            tls: None,
            parts: BTreeMap::new(),
            failure: None,
        }
    }

    /// A cluster of these servers, which do not change.
    pub fn of(servers: impl IntoIterator<Item = Server>) -> Self {
        Cluster::new(Fixed::new(servers.into_iter().collect()))
    }

    /// A cluster for which every call fails as UNAVAILABLE with this text.
    pub fn failing(why: impl Into<String>) -> Self {
        Cluster { failure: Some(why.into()), ..Cluster::of([]) }
    }

    #[must_use]
    pub fn watch(mut self, options: WatchOptions) -> Self {
        self.watch = options;
        self
    }

    #[must_use]
    pub fn balancer(mut self, spec: impl Into<String>) -> Self {
        self.balancer = Some(spec.into());
        self
    }

    /// Sets how calls spill over to the next priority.
    #[must_use]
    pub fn spill(mut self, spill: Spill) -> Self {
        self.spill = spill;
        self
    }

    #[must_use]
    pub fn outlier_detection(mut self, outliers: impl Into<Option<Outliers>>) -> Self {
        self.outliers = outliers.into();
        self
    }

    /// Sets the maximum number of attempts under way at the same time; further ones fail.
    #[must_use]
    pub fn max_requests(mut self, most: impl Into<Option<u32>>) -> Self {
        self.max_requests = most.into();
        self
    }

    /// Counts attempts together with others who count there.
    #[must_use]
    pub fn counter(mut self, counter: Arc<InFlight>) -> Self {
        self.counter = Some(counter);
        self
    }

    /// A share of the attempts more that fails on purpose.
    #[must_use]
    pub fn drop_share(mut self, category: impl Into<String>, share: Fraction) -> Self {
        self.drops.push(DropShare { category: category.into(), share });
        self
    }

    /// The host that requests name.
    #[must_use]
    pub fn authority(mut self, host: impl Into<String>) -> Self {
        self.authority = Some(host.into());
        self
    }

    /// Sets TLS of the connections to the cluster's servers.
    #[must_use]
    pub fn tls(mut self, tls: impl Into<Option<ClusterTls>>) -> Self {
        self.tls = tls.into();
        self
    }

    /// Number of regular expressions in the tests of names.
    pub(crate) fn patterns(&self) -> usize {
        self.tls.iter().chain(self.parts.values().flatten()).map(ClusterTls::patterns).sum()
    }

    /// Sets TLS of the connections to the servers of one [part](Server::part); `None`: the part has none of
    /// its own.
    #[must_use]
    pub fn part(mut self, name: impl Into<String>, tls: impl Into<Option<ClusterTls>>) -> Self {
        self.parts.insert(name.into(), tls.into());
        self
    }

    /// Whether the servers of both clusters come from the same source: the same object, or one of the same
    /// name. Sources of [`Cluster::of`] are named by their servers.
    pub fn is_served_like(&self, other: &Cluster) -> bool {
        Arc::ptr_eq(&self.servers, &other.servers) || self.servers.name() == other.servers.name()
    }

    /// Whether the servers of `self` can be used further for `other`: all settings but limits, drops and
    /// failure are the same.
    pub fn continues(&self, other: &Cluster) -> bool {
        self.is_served_like(other)
            && self.watch == other.watch
            && self.balancer == other.balancer
            && self.spill == other.spill
            && self.outliers == other.outliers
            && self.authority == other.authority
            && self.tls == other.tls
            && self.parts == other.parts
    }
}

impl InFlight {
    /// Begins an attempt, if fewer than `most` are under way; [`InFlight::end`] ends it.
    pub fn begin(&self, most: u32) -> bool {
        let begun =
            self.attempts.fetch_update(Relaxed, Relaxed, |now| (now < most).then_some(now + 1)).is_ok();
        if !begun {
            self.refused.fetch_add(1, Relaxed);
        }
        begun
    }

    /// Ends an attempt that had begun.
    pub fn end(&self) {
        self.attempts.fetch_sub(1, Relaxed);
    }

    /// Attempts that are under way.
    pub fn now(&self) -> u32 {
        self.attempts.load(Relaxed)
    }

    /// The number of attempts that were refused so far.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }
}

/// Servers that do not change.
struct Fixed {
    servers: Vec<Server>,
    name: String,
}

impl Fixed {
    fn new(servers: Vec<Server>) -> Self {
        let hash = XxHash64::oneshot(0, format!("{servers:?}").as_bytes());
        Fixed { name: format!("{} fixed servers ({hash:016x})", servers.len()), servers }
    }
}

impl Source for Fixed {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        updates.set(self.servers.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("servers", &self.servers.name())
            .field("balancer", &self.balancer)
            .field("max_requests", &self.max_requests)
            .field("drops", &self.drops)
            .field("failure", &self.failure)
            .finish_non_exhaustive()
    }
}

/// Options of a source whose sets are used as they come, empty ones as well: for routers whose answers are
/// authoritative.
pub fn watch_at_once() -> WatchOptions {
    WatchOptions::default().empty_after(Duration::ZERO).set_interval(Duration::ZERO)
}
