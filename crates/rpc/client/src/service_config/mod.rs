//! gRPC's service config: per-method settings of a channel, given as JSON.
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
//! | `config.rs` | what was said, by method |
//! | `json.rs` | reads and checks the text |
//! | `method.rs` | what it says of a method |
//! | `throttle.rs` | the tokens that all calls of a channel share |
//! | `attempts.rs` | the attempts of one call: whether there is another one, and when |
//!
//! Source: grpc/grpc doc/service_config.md, grpc/grpc-proto grpc/service_config/service_config.proto; gRFC A6
//!         (retries, hedging, throttling, pushback). Deviations: `hedgingPolicy` is for calls with one
//!         message each way; calls with streams are made once. Load balancing and health checking are not
//!         done here: their fields are ignored like all unknown ones.

mod attempts;
mod config;
mod json;
mod method;
mod throttle;

pub(crate) use attempts::{Attempts, HedgeVerdict, Verdict};
pub(crate) use config::ServiceConfig;
pub(crate) use method::{Backoff, Codes, HedgingPolicy, Method, Retry};
