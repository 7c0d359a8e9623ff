//! A service config, indexed by method.

use super::{attempts::Attempts, method::Method, throttle::Throttle};
use std::{collections::HashMap, sync::Arc};

/// A service config that was read and checked.
pub(crate) struct ServiceConfig {
    /// The settings by service and method. An empty method stands for all other methods of a service; an
    /// empty service and method for all other methods.
    pub(super) methods: HashMap<String, HashMap<String, Arc<Method>>>,
    /// The settings for all methods that the config does not mention; only present with a throttle, which
    /// counts their calls, too.
    pub(super) other: Option<Arc<Method>>,
    pub(super) throttle: Option<Arc<Throttle>>,
}

impl ServiceConfig {
    /// The attempts of a call; `None` if the config does not mention its method. `field`: where they are
    /// counted, see [`Protocol::attempts_field`](polywire_wire::Protocol::attempts_field).
    #[cold]
    pub fn attempts(&self, service: &str, method: &str, field: Option<&'static str>) -> Option<Attempts> {
        let method = self.method(service, method)?;
        Some(Attempts::new(method.clone(), self.throttle.clone(), field))
    }

    /// The settings of a method, by its most specific name.
    pub(super) fn method(&self, service: &str, method: &str) -> Option<&Arc<Method>> {
        let of = |service, method| self.methods.get(service)?.get(method);
        of(service, method).or_else(|| of(service, "")).or_else(|| of("", "")).or(self.other.as_ref())
    }
}
