//! What is counted of the probes of a server.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// What is counted for a server.
#[derive(Default)]
pub(super) struct Probed {
    pub in_flight: AtomicU32,
    pub sent: AtomicU64,
    pub answered: AtomicU64,
    /// It is not asked before this time of the balancer, in nanoseconds.
    pub not_before: AtomicU64,
}
