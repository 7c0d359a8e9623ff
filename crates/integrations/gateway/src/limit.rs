//! How many calls may be under way at the same time: by their route, and with their cluster.

use crate::{cluster::Cluster, failure, routes::Route};
use polywire_call::Status;
use polywire_server::{Context, Limiter, Permit};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The places of a call, where their number is limited: until this is dropped.
#[derive(Default)]
pub(crate) struct UnderWay {
    route: Option<Permit>,
    cluster: Option<Permit>,
}

impl UnderWay {
    /// A call begins.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED: there are as many as may be.
    pub fn begin(cx: &Context, route: &Route, cluster: &Cluster) -> Result<UnderWay, Status> {
        match (&route.limit, &cluster.limit) {
            (None, None) => Ok(UnderWay::default()),
            limits => UnderWay::within(cx, route, limits),
        }
    }

    #[cold]
    fn within(
        cx: &Context,
        route: &Route,
        (of_route, of_cluster): (&Option<Arc<Limiter>>, &Option<Arc<Limiter>>),
    ) -> Result<UnderWay, Status> {
        let own = route.tries.as_ref().and_then(|tries| tries.timeout);
        let waits = cx.remaining().into_iter().chain(own).min();
        let enter = |limit: &Option<Arc<Limiter>>, text| match limit {
            Some(limit) => limit.try_acquire(waits).map(Some).ok_or_else(|| failure::too_many(text)),
            None => Ok(None),
        };
        Ok(UnderWay {
            route: enter(of_route, "the relay has as many calls under way as this route may")?,
            cluster: enter(of_cluster, "the relay has as many calls under way as its servers may get")?,
        })
    }

    pub fn is_counted(&self) -> bool {
        self.route.is_some() || self.cluster.is_some()
    }

    /// A call has ended that was with a server for a part of this time: limits that measure take it into
    /// account.
    pub fn end(self, now: Instant, took: Duration, ok: bool) {
        [self.route, self.cluster].into_iter().flatten().for_each(|permit| permit.end(now, took, ok));
    }
}
