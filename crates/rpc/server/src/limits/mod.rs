//! Limits on the calls that a server admits at once, and reports of their decisions.
//!
//! ```text
//!  Concurrency (a setting: none, constant, auto, timeout)
//!       `--> Limiter (shared by all shards: counts, asks, samples; a Permit for each call) --> Gradient, Average (pure: samples and time in, limit out)
//!                 `--> LimiterReport (what it has decided)
//! ```
//!
//! A call beyond a limit is refused before its body is read, with a status that marks it as not begun. See
//! docs/overload.md.
//!
//! How often a caller may call is another limit, [`Rates`] over `buckets.rs`, which a server asks as an
//! [`Admission`](crate::Admission).

mod auto;
mod buckets;
mod client;
mod concurrency;
mod limiter;
mod permit;
mod rates;
mod report;
mod shed;
#[cfg(test)]
mod tests;
mod timeout;

pub use auto::Auto;
pub(crate) use client::client_of;
pub use concurrency::Concurrency;
pub use limiter::Limiter;
pub(crate) use limiter::Sample;
pub use permit::Permit;
pub use rates::{RateBy, Rates, RatesReport};
pub use report::{ConnectionsReport, LimiterReport, MethodLimits, OverloadReport};
pub(crate) use shed::Shed;
pub use timeout::Timeout;
