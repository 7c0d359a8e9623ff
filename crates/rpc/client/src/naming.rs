//! The options of channels with several servers.

use crate::{
    cluster_tls::UseClusterTls,
    health::HealthCheck,
    pool::shared::SharedConnections,
    servers::{Filter, FleetOptions, PerServer, SharedSource, Zone},
};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spec, Spill, Subset};
use polywire_call::ConfigError;
use polywire_naming::{Schemes, Source, Updates, WatchOptions, Watching};
use polywire_routing::{Router, RouterSchemes};
use std::sync::Arc;

/// The balancer of channels that name none, and that of clusters if neither they nor the channel name one, as with gRPC.
const DEFAULT_BALANCER: &str = "p2c";
const BALANCER_OF_CLUSTERS: &str = "rr";

/// What a user may say of the servers of a channel, see [`Builder`](crate::Builder).
#[derive(Default)]
pub(crate) struct NamingOptions {
    /// In place of that of the address.
    pub source: Option<Arc<dyn Source>>,
    pub router: Option<Arc<dyn Router>>,
    pub balancer: Option<String>,
    pub filter: Option<Filter>,
    pub subset: Option<Subset>,
    pub slow_start: Option<SlowStart>,
    pub outliers: Option<Outliers>,
    pub breaker: Option<BreakerSettings>,
    pub zone: Option<String>,
    pub spill: Option<Spill>,
    pub panic_threshold: Option<u32>,
    pub health_check: Option<HealthCheck>,
    pub per_server: Option<PerServer>,
    pub shared: Option<SharedConnections>,
    pub cluster_tls: Option<UseClusterTls>,
    pub credentials_without_tls: bool,
}

impl NamingOptions {
    /// The options of a channel to this address. `None`: it has one server. `check_address` refuses what is no address of
    /// one server.
    ///
    /// # Errors
    /// The url, the address or the balancer is wrong; or there are options for several servers where the address is that of one.
    pub fn fleet(
        mut self,
        schemes: &Schemes,
        routers: &RouterSchemes,
        address: &str,
        check_address: impl FnOnce(&str) -> Result<(), ConfigError>,
    ) -> Result<Option<FleetOptions>, ConfigError> {
        if self.source.is_some() && self.router.is_some() {
            let text = "a channel has a router or a source of servers: say .router(..) or .servers(..)";
            return Err(ConfigError::new("router", text));
        }
        if self.source.is_none() && self.router.is_none() {
            self.router = routers.open(address)?.map(Arc::from);
        }
        let router = self.router.take();
        if self.cluster_tls.is_some() && router.is_none() {
            let text = format!("cluster_tls is for channels with a router, and {address:?} is none");
            return Err(ConfigError::new("cluster_tls", text).with_value(address));
        }
        let mut watch = WatchOptions::default();
        let source: Arc<dyn Source> = match self.source.take() {
            _ if router.is_some() => Arc::new(OfClusters),
            Some(source) => source,
            None if schemes.knows(address) => match &self.shared {
                Some(shared) => {
                    // Its work is taken up by the first of the channels that watch it, and by another one when that ends.
                    let (watched, _work) = shared.watches().watch(schemes, address, watch)?;
                    watch = SharedSource::options();
                    Arc::new(SharedSource::new(watched))
                }
                None => Arc::from(schemes.open(address)?),
            },
            None => {
                check_address(address)?; // first: a misspelt url is not the address of one server
                return self.none_is_set(address).map(|()| None);
            }
        };
        let default = if router.is_some() { BALANCER_OF_CLUSTERS } else { DEFAULT_BALANCER };
        let balancer_text = self.balancer.unwrap_or_else(|| default.to_owned());
        let balancer: Spec = balancer_text.parse().map_err(|wrong: polywire_balance::SpecError| {
            ConfigError::new("balancer", wrong.to_string()).with_value(&balancer_text)
        })?;
        if let Some(percent @ 101..) = self.panic_threshold {
            let text = format!("panic_threshold is a percentage: from 0 to 100, not {percent}");
            return Err(ConfigError::new("panic_threshold", text).with_value(percent.to_string()));
        }
        let zone = match (self.zone, self.spill) {
            (Some(own), spill) if !own.is_empty() => Some(Zone { own, spill: spill.unwrap_or_default() }),
            (Some(_), _) => return Err(ConfigError::new("zone", "the name of a zone is not empty")),
            (None, Some(_)) => {
                return Err(ConfigError::new("spill", "spill is for channels with a zone: say .zone(..)"));
            }
            (None, None) => None,
        };
        Ok(Some(FleetOptions {
            router,
            source,
            watch,
            balancer,
            balancer_text,
            filter: self.filter,
            subset: self.subset,
            slow_start: self.slow_start,
            outliers: self.outliers,
            breaker: self.breaker,
            zone,
            asked: None,
            per_server: self.per_server,
            shared: self.shared,
            priorities: Spill::default(),
            panic_threshold: self.panic_threshold,
            cluster_tls: self.cluster_tls.unwrap_or_default(),
            credentials_without_tls: self.credentials_without_tls,
            parts: Arc::default(),
        }))
    }

    fn none_is_set(&self, address: &str) -> Result<(), ConfigError> {
        let set = [
            ("balancer", self.balancer.is_some()),
            ("filter", self.filter.is_some()),
            ("subset", self.subset.is_some()),
            ("slow_start", self.slow_start.is_some()),
            ("outlier_detection", self.outliers.is_some()),
            ("circuit_breaker", self.breaker.is_some()),
            ("zone", self.zone.is_some()),
            ("spill", self.spill.is_some()),
            ("panic_threshold", self.panic_threshold.is_some()),
            ("health_check", self.health_check.is_some()),
            ("per_server", self.per_server.is_some()),
        ];
        let Some((option, _)) = set.into_iter().find(|(_, is_set)| *is_set) else { return Ok(()) };
        let text = format!(
            "{option} is for channels with several servers, and {address:?} is one: write a naming url, \
             such as list://{address}"
        );
        Err(ConfigError::new(option, text).with_value(address))
    }
}

/// In place of the source of a channel with a router, whose clusters have sources of their own.
struct OfClusters;

impl Source for OfClusters {
    fn name(&self) -> String {
        "the sources of the clusters".to_owned()
    }

    fn watch<'a>(&'a self, _: &'a Updates) -> Watching<'a> {
        Box::pin(std::future::ready(Ok(())))
    }
}
