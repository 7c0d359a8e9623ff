//! The options of channels with several servers.

use crate::servers::{Filter, FleetOptions, Zone};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spec, Spill, Subset};
use polywire_call::ConfigError;
use polywire_naming::{Schemes, Source};
use std::sync::Arc;

/// The balancer of channels that name none.
const DEFAULT_BALANCER: &str = "p2c";

/// What a user may say of the servers of a channel, see [`Builder`](crate::Builder).
#[derive(Default)]
pub(crate) struct NamingOptions {
    /// In place of that of the address.
    pub source: Option<Arc<dyn Source>>,
    pub balancer: Option<String>,
    pub filter: Option<Filter>,
    pub subset: Option<Subset>,
    pub slow_start: Option<SlowStart>,
    pub outliers: Option<Outliers>,
    pub breaker: Option<BreakerSettings>,
    pub zone: Option<String>,
    pub spill: Option<Spill>,
    pub panic_threshold: Option<u32>,
}

impl NamingOptions {
    /// The options of a channel to this address. `None`: it has one server.
    ///
    /// # Errors
    /// The url or the balancer is wrong; or there are options for several servers where the address is that of one.
    pub fn fleet(self, schemes: &Schemes, address: &str) -> Result<Option<FleetOptions>, ConfigError> {
        let source = match self.source {
            Some(source) => source,
            None if schemes.knows(address) => Arc::from(schemes.open(address)?),
            None => return self.none_is_set(address).map(|()| None),
        };
        let balancer_text = self.balancer.unwrap_or_else(|| DEFAULT_BALANCER.to_owned());
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
            source,
            balancer,
            balancer_text,
            filter: self.filter,
            subset: self.subset,
            slow_start: self.slow_start,
            outliers: self.outliers,
            breaker: self.breaker,
            zone,
            panic_threshold: self.panic_threshold,
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
        ];
        let Some((option, _)) = set.into_iter().find(|(_, is_set)| *is_set) else { return Ok(()) };
        let text = format!(
            "{option} is for channels with several servers, and {address:?} is one: write a naming url, \
             such as list://{address}"
        );
        Err(ConfigError::new(option, text).with_value(address))
    }
}
