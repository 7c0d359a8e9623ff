//! The checked options of a channel, of which channels are made: one, or one for each partition.

use crate::{
    connection::spec::ConnectSpec,
    core::{Core, Defaults},
    hedging::{Hedge, Hedging},
    interceptor::Interceptors,
    pool::{Bounds, Pool},
    retry_budget::{Retries, RetryBudget},
    servers::{Fleet, FleetOptions, Servers},
    service_config::ServiceConfig,
};
use polywire_wire::{Connections, Content};
use std::sync::Arc;

/// The checked options of a channel.
pub(crate) struct Recipe {
    pub spec: ConnectSpec,
    pub kind: Connections,
    pub bounds: Bounds,
    pub content: Content,
    pub defaults: Defaults,
    pub max_message: usize,
    pub service_config: Option<Arc<ServiceConfig>>,
    pub hedge: Option<Hedge>,
    pub retry_budget: Option<Retries>,
    pub interceptors: Interceptors,
}

impl Recipe {
    /// A channel with these options; without a fleet it has one server.
    pub fn core(&self, fleet: Option<FleetOptions>) -> Core {
        self.named(&self.spec.address, fleet)
    }

    /// The same under another name.
    pub fn named(&self, name: &str, fleet: Option<FleetOptions>) -> Core {
        let spec = self.spec.named(name.into());
        let servers = match fleet {
            Some(fleet) => Servers::Many(Fleet::new(spec, self.kind, self.bounds, fleet)),
            None => Servers::One(Pool::new(spec, self.kind, self.bounds)),
        };
        let retries = self.retry_budget.or(servers.are_many().then(Retries::default));
        Core {
            servers,
            combination: None,
            hedging: self.hedge.clone().map(Hedging::new),
            retry_budget: retries.map(RetryBudget::new),
            content: self.content,
            defaults: self.defaults.clone(),
            max_message: self.max_message,
            service_config: self.service_config.clone(),
            interceptors: self.interceptors.clone(),
        }
    }
}
