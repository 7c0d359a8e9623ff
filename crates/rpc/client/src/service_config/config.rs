//! What a service config says, by method.

use super::{attempts::Attempts, method::Method, throttle::Throttle};
use std::{collections::HashMap, sync::Arc};

/// A service config that was read and checked.
pub(crate) struct ServiceConfig {
    /// By service and method. The method is empty for all other methods of a service; both are empty for all
    /// others.
    pub(super) methods: HashMap<String, HashMap<String, Arc<Method>>>,
    /// For methods of which nothing is said; only where there is a throttle, which counts their calls, too.
    pub(super) other: Option<Arc<Method>>,
    pub(super) throttle: Option<Arc<Throttle>>,
}

impl ServiceConfig {
    /// The attempts of a call; `None` if nothing is said of its method. `field`: in which they are counted,
    /// see [`Protocol::attempts_field`](polywire_wire::Protocol::attempts_field).
    #[cold]
    pub fn attempts(&self, service: &str, method: &str, field: Option<&'static str>) -> Option<Attempts> {
        let method = self.method(service, method)?;
        Some(Attempts::new(method.clone(), self.throttle.clone(), field))
    }

    /// What is said of a method, by its most exact name.
    pub(super) fn method(&self, service: &str, method: &str) -> Option<&Arc<Method>> {
        let of = |service, method| self.methods.get(service)?.get(method);
        of(service, method).or_else(|| of(service, "")).or_else(|| of("", "")).or(self.other.as_ref())
    }
}
