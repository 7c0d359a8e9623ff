//! The options of channels with several servers.

use crate::servers::{Filter, FleetOptions};
use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spec, Subset};
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
        Ok(Some(FleetOptions {
            source,
            balancer,
            balancer_text,
            filter: self.filter,
            subset: self.subset,
            slow_start: self.slow_start,
            outliers: self.outliers,
            breaker: self.breaker,
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
        ];
        let Some((option, _)) = set.into_iter().find(|(_, is_set)| *is_set) else { return Ok(()) };
        let text = format!(
            "{option} is for channels with several servers, and {address:?} is one: write a naming url, \
             such as list://{address}"
        );
        Err(ConfigError::new(option, text).with_value(address))
    }
}
