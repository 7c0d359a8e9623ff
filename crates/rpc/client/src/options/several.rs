//! The checked options of a channel with several servers, made from its groups of options.

use super::{Fleet, Resilience};
use crate::{
    pool::shared::SharedConnections,
    servers::{FleetOptions, SharedSource, Zone},
};
use polywire_balance::Spill;
use polywire_call::ConfigError;
use polywire_naming::{Schemes, Source, Updates, WatchOptions, Watching};
use polywire_routing::{Router, RouterSchemes};
use std::sync::Arc;

/// The balancer of channels that set none, and that of clusters if neither they nor the channel set one, as
/// in gRPC.
const DEFAULT_BALANCER: &str = "p2c";
const BALANCER_OF_CLUSTERS: &str = "rr";

/// The source of a channel's servers.
pub(crate) struct Place<'a> {
    pub address: &'a str,
    /// A naming source that replaces the address's.
    pub source: Option<Arc<dyn Source>>,
    pub router: Option<Arc<dyn Router>>,
    pub schemes: &'a Schemes,
    pub routers: &'a RouterSchemes,
    pub share: Option<&'a SharedConnections>,
}

impl Place<'_> {
    /// The options of a channel to this place. `None`: it has one server. `check_address` refuses an invalid
    /// address of one server.
    ///
    /// # Errors
    /// The URL, the address or the balancer is invalid; or options for several servers are set for an address
    /// of one server.
    pub fn options(
        self,
        fleet: Fleet,
        resilience: &Resilience,
        check_address: impl FnOnce(&str) -> Result<(), ConfigError>,
    ) -> Result<Option<FleetOptions>, ConfigError> {
        let Place { address, source, mut router, schemes, routers, share } = self;
        if source.is_some() && router.is_some() {
            let text = "a channel has a router or a source of servers: say .router(..) or .servers(..)";
            return Err(ConfigError::new("router", text));
        }
        if source.is_none() && router.is_none() {
            router = routers.open(address)?.map(Arc::from);
        }
        if fleet.cluster_tls.is_some() && router.is_none() {
            let text = format!("fleet.cluster_tls is for channels with a router, and {address:?} is none");
            return Err(ConfigError::new("fleet.cluster_tls", text).with_value(address));
        }
        let mut watch = WatchOptions::default();
        let source: Arc<dyn Source> = match source {
            _ if router.is_some() => Arc::new(OfClusters),
            Some(source) => source,
            None if schemes.knows(address) => match share {
                Some(shared) => {
                    // Its work is taken up by the first of the channels that watch it, and by another one
                    // when that ends.
                    let (watched, _work) = shared.watches().watch(schemes, address, watch)?;
                    watch = SharedSource::options();
                    Arc::new(SharedSource::new(watched))
                }
                None => Arc::from(schemes.open(address)?),
            },
            None => {
                check_address(address)?; // first: a misspelt url is not the address of one server
                return match resilience.for_several().or(fleet.for_several()) {
                    Some(option) => Err(for_several(option, address)),
                    None => Ok(None),
                };
            }
        };
        let default = if router.is_some() { BALANCER_OF_CLUSTERS } else { DEFAULT_BALANCER };
        let balancer = resilience.balancer.clone().unwrap_or_else(|| default.into());
        let balancer_text = balancer.text.clone();
        let balancer = balancer.spec().map_err(|wrong| {
            ConfigError::new("resilience.balancer", wrong.to_string()).with_value(&balancer_text)
        })?;
        if let Some(percent @ 101..) = resilience.panic_threshold {
            let text = format!("resilience.panic_threshold is a percentage: from 0 to 100, not {percent}");
            return Err(ConfigError::new("resilience.panic_threshold", text).with_value(percent.to_string()));
        }
        let zone = match (fleet.zone, fleet.spill) {
            (Some(own), spill) if !own.is_empty() => Some(Zone { own, spill: spill.unwrap_or_default() }),
            (Some(_), _) => return Err(ConfigError::new("fleet.zone", "the name of a zone is not empty")),
            (None, Some(_)) => {
                let text = "fleet.spill is for channels with a zone: say fleet.zone(..)";
                return Err(ConfigError::new("fleet.spill", text));
            }
            (None, None) => None,
        };
        Ok(Some(FleetOptions {
            router,
            source,
            watch,
            balancer,
            balancer_text,
            filter: fleet.filter,
            subset: fleet.subset,
            slow_start: resilience.slow_start,
            outliers: resilience.outliers.clone(),
            breaker: resilience.breaker,
            zone,
            asked: None,
            per_server: fleet.per_server,
            shared: share.cloned(),
            priorities: Spill::default(),
            panic_threshold: resilience.panic_threshold,
            cluster_tls: fleet.cluster_tls.unwrap_or_default(),
            credentials_without_tls: fleet.credentials_without_tls,
            parts: Arc::default(),
        }))
    }
}

fn for_several(option: &'static str, address: &str) -> ConfigError {
    let text = format!(
        "{option} is for channels with several servers, and {address:?} is one: write a naming url, \
         such as list://{address}"
    );
    ConfigError::new(option, text).with_value(address)
}

/// Takes the place of the source of a channel with a router, whose clusters have sources of their own.
struct OfClusters;

impl Source for OfClusters {
    fn name(&self) -> String {
        "the sources of the clusters".to_owned()
    }

    fn watch<'a>(&'a self, _: &'a Updates) -> Watching<'a> {
        Box::pin(std::future::ready(Ok(())))
    }
}
