//! The checked options of a channel. A channel is built from them, or one channel for each partition.

use crate::{
    connection::spec::ConnectSpec,
    core::{Core, Defaults, Tracing},
    hedging::{Hedge, Hedging},
    interceptor::Interceptors,
    pool::{Bounds, Pool, new_id, shared::SharedConnections},
    retry_budget::{Retries, RetryBudget},
    retry_policy::RetryPolicy,
    servers::{Fleet, FleetOptions, Routed, Servers},
    service_config::ServiceConfig,
    tries::TryInterceptors,
};
use polywire_engine::clock;
use polywire_trace::Tracer;
use polywire_wire::{Connections, Content, Longest};
use std::sync::Arc;

/// The checked options of a channel.
pub(crate) struct Recipe {
    pub spec: ConnectSpec,
    pub kind: Connections,
    pub bounds: Bounds,
    pub content: Content,
    pub defaults: Defaults,
    pub longest: Longest,
    pub service_config: Option<Arc<ServiceConfig>>,
    pub hedge: Option<Hedge>,
    pub retry_policy: Option<Arc<RetryPolicy>>,
    pub retry_budget: Option<Retries>,
    pub interceptors: Interceptors,
    pub try_interceptors: TryInterceptors,
    pub tracer: Option<Tracer>,
    pub shared: Option<SharedConnections>,
}

impl Recipe {
    /// A channel with these options; without a fleet it has one server.
    pub fn core(&self, fleet: Option<FleetOptions>) -> Core {
        self.named(&self.spec.address, fleet)
    }

    /// Builds a channel with the same options under another name.
    pub fn named(&self, name: &str, fleet: Option<FleetOptions>) -> Core {
        let spec = self.spec.named(name.into());
        let servers = match fleet {
            Some(fleet) if fleet.router.is_some() => {
                Servers::Routed(Routed::new(spec, self.kind, self.bounds, fleet))
            }
            Some(fleet) => Servers::Many(Fleet::new(spec, self.kind, self.bounds, fleet)),
            None => Servers::One(match &self.shared {
                Some(shared) => shared.pool(spec, self.kind, self.bounds),
                None => Pool::new(spec, self.kind, self.bounds),
            }),
        };
        let retries = self.retry_budget.or(servers.are_many().then(Retries::default));
        Core {
            id: new_id(),
            since: clock::now(),
            kind: self.kind,
            watches_tries: !self.try_interceptors.is_empty() || servers.spec().credentials.is_some(),
            servers,
            combination: None,
            hedging: self.hedge.clone().map(Hedging::new),
            retry_policy: self.retry_policy.clone(),
            retry_budget: retries.map(RetryBudget::new),
            content: self.content,
            defaults: self.defaults.clone(),
            longest: self.longest,
            service_config: self.service_config.clone(),
            further: Default::default(),
            interceptors: self.interceptors.clone(),
            try_interceptors: self.try_interceptors.clone(),
            tracing: self.tracer.clone().map(Tracing::new),
        }
    }
}
