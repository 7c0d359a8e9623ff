//! The counters of load probes to a server.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// The probe counters of one server.
#[derive(Default)]
pub(in crate::servers) struct Probed {
    pub in_flight: AtomicU32,
    pub sent: AtomicU64,
    pub answered: AtomicU64,
    /// No probe is sent before this time, in nanoseconds of the balancer's clock.
    pub not_before: AtomicU64,
}
