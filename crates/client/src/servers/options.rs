//! The options of channels with several servers.

use polywire_balance::{BreakerSettings, Outliers, SlowStart, Spec, Spill, Subset};
use polywire_naming as naming;
use std::sync::Arc;

/// What a channel with several servers is told beside the options of all channels.
#[derive(Clone)]
pub(crate) struct FleetOptions {
    pub source: Arc<dyn naming::Source>,
    pub balancer: Spec,
    /// As it was written.
    pub balancer_text: String,
    pub filter: Option<Filter>,
    pub subset: Option<Subset>,
    pub slow_start: Option<SlowStart>,
    pub outliers: Option<Outliers>,
    pub breaker: Option<BreakerSettings>,
    /// Where the channel stands; it prefers servers that stand there, too.
    pub zone: Option<Zone>,
    /// Percent.
    pub panic_threshold: Option<u32>,
}

/// Whether a channel uses a server.
pub(crate) type Filter = Arc<dyn Fn(&naming::Server) -> bool + Send + Sync>;

/// The zone of a channel, and how its calls spill over to others.
#[derive(Clone)]
pub(crate) struct Zone {
    pub own: String,
    pub spill: Spill,
}
