//! gRPC's service config: what a channel does by itself for each method, given as JSON.
//!
//! ```text
//!  { "methodConfig": [ { "name": [ { "service": "pkg.Echo", "method": "Say" } ],   one method
//!                                  { "service": "pkg.Echo" },                      all others of a service
//!                                  {} ],                                           all others
//!                        "timeout": "2s", "waitForReady": true,
//!                        "maxRequestMessageBytes": 65536, "maxResponseMessageBytes": 65536,
//!                        "retryPolicy": { "maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s",
//!                                         "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"] } } ],
//!    "retryThrottling": { "maxTokens": 10, "tokenRatio": 0.1 } }
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `json.rs` | reads and checks the text |
//! | `policy.rs` | what it says of a method |
//! | `throttle.rs` | the tokens that all calls of a channel share |
//! | `attempts.rs` | the attempts of one call: whether there is another one, and when |
//!
//! Source: grpc/grpc doc/service_config.md, grpc/grpc-proto grpc/service_config/service_config.proto; gRFC A6 (retries,
//! hedging, throttling, pushback).
//! Deviations: `hedgingPolicy` is read and checked, and its calls are made once, see docs/client.md. Load balancing and health
//! checking are left to those who do them: their fields are ignored like all unknown ones.

mod attempts;
mod json;
mod policy;
mod throttle;

pub(crate) use attempts::{Attempts, Verdict};
pub(crate) use policy::Method;

use std::{collections::HashMap, sync::Arc};
use throttle::Throttle;

/// What was said, checked.
pub(crate) struct ServiceConfig {
    /// By service and method; the method is empty for all others of a service, both are for all others.
    methods: HashMap<String, HashMap<String, Arc<Method>>>,
    /// For methods of which nothing is said: only where calls are counted.
    other: Option<Arc<Method>>,
    throttle: Option<Arc<Throttle>>,
}

impl ServiceConfig {
    /// # Errors
    /// The field that is wrong, and why.
    pub fn parse(text: &str) -> Result<Self, String> {
        json::parse(text)
    }

    /// The attempts of a call, if anything is said of its method.
    #[cold]
    pub fn attempts(&self, service: &str, method: &str) -> Option<Attempts> {
        let method = self.method(service, method)?;
        Some(Attempts::new(method.clone(), self.throttle.clone()))
    }

    /// What is said of a method, by its most exact name.
    fn method(&self, service: &str, method: &str) -> Option<&Arc<Method>> {
        let of = |service, method| self.methods.get(service)?.get(method);
        of(service, method).or_else(|| of(service, "")).or_else(|| of("", "")).or(self.other.as_ref())
    }
}
