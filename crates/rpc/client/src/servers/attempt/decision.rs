//! The route of a call on a channel with a router, as `routed/` has chosen it; the attempts of the call carry
//! it along.

use crate::service_config::Method;
use polywire_call::Code;
use polywire_routing::InFlight;
use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

/// The steps that a call does before its first attempt.
#[derive(Debug)]
pub(crate) struct Decision {
    pub max_duration: Option<Duration>,
    /// The retries of the route, in place of the channel's.
    pub retry: Option<Arc<Method>>,
    /// The pause before the call is posted.
    pub delay: Option<Duration>,
}

/// The cluster and route of a call, for all its attempts.
#[derive(Clone)]
pub(crate) struct RouteChoice {
    /// The name of the cluster.
    pub name: Arc<str>,
    /// The cluster, which the call keeps. Only `routed/` knows its type: lower layers, such as traces, only
    /// use names.
    pub cluster: Arc<dyn Any + Send + Sync>,
    /// The name of the route.
    pub route: Arc<str>,
    /// The call is to fail so.
    pub abort: Option<Code>,
    /// While a fault delays the call.
    pub delayed: Option<Arc<Delayed>>,
}

/// A call that is counted among those that faults delay.
pub(crate) struct Delayed(Arc<AtomicU32>);

impl Delayed {
    pub fn new(counter: &Arc<AtomicU32>) -> Arc<Self> {
        counter.fetch_add(1, Relaxed);
        Arc::new(Delayed(counter.clone()))
    }
}

impl Drop for Delayed {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// An attempt's place among those that are under way on its cluster.
pub(crate) struct ClusterPermit(Arc<InFlight>);

impl ClusterPermit {
    /// `None`: as many as there may be are under way.
    pub fn take(attempts: &Arc<InFlight>, most: u32) -> Option<Self> {
        attempts.begin(most).then(|| ClusterPermit(attempts.clone()))
    }
}

impl Drop for ClusterPermit {
    fn drop(&mut self) {
        self.0.end();
    }
}
