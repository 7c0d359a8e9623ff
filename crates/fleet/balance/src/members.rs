//! The servers of a set, and the policies for new servers and for few ready ones.

mod usable;

use crate::{Endpoint, NoEndpoint, Panic, Query, Recovery, SlowStart, Time};
use polywire_base::Sort;
use std::{ops::Deref, sync::Arc};
use usable::Usable;

/// The servers of a set, each once, in the order of their addresses and tags: every client has the same
/// order.
#[derive(Clone, Debug)]
pub struct Members {
    endpoints: Arc<[Arc<Endpoint>]>,
    slow_start: Option<SlowStart>,
    recovery: Option<Arc<Recovery>>,
    panic: Option<Arc<Panic>>,
    usable: Arc<Usable>,
}

impl Members {
    /// The members of a set. Of servers with the same address and tag one is kept.
    pub fn new(mut endpoints: Vec<Arc<Endpoint>>) -> Self {
        endpoints.order_by(|a, b| a.identity().cmp(&b.identity()));
        endpoints.dedup_by(|a, b| a.identity() == b.identity());
        let endpoints = endpoints.into();
        Members { endpoints, slow_start: None, recovery: None, panic: None, usable: Arc::default() }
    }

    /// Servers that join later get their full share only after a while: under the policies that take turns,
    /// draw at random or choose the best of a few.
    pub fn slow_start(self, slow_start: SlowStart) -> Self {
        Members { slow_start: Some(slow_start), ..self }
    }

    /// Adds a recovery: after a time in which no server was ready, calls are refused in proportion to the
    /// missing ones.
    pub fn recovery(self, recovery: Recovery) -> Self {
        Members { recovery: Some(Arc::new(recovery)), ..self }
    }

    /// Adds a panic threshold: when few servers are ready, those that were judged bad are used, too.
    pub fn panic(self, panic: Panic) -> Self {
        Members { panic: Some(Arc::new(panic)), ..self }
    }

    /// Sets whether servers of other sets take the calls that these cannot, so that panic does not apply.
    pub(crate) fn cover(&self, covered: bool) {
        if let Some(panic) = &self.panic {
            panic.cover(covered);
        }
    }

    /// The index of the member that is this server.
    pub(crate) fn find(&self, endpoint: &Endpoint) -> Option<usize> {
        self.endpoints.binary_search_by(|member| member.identity().cmp(&endpoint.identity())).ok()
    }

    /// The indexes of the members that were ready a moment ago.
    pub(crate) fn usable(&self, now: Time) -> impl Deref<Target = Arc<Vec<u32>>> {
        self.usable.numbers(&self.endpoints, now)
    }

    /// Whether this call may go to a server.
    ///
    /// # Errors
    /// [`NoEndpoint::Recovering`]: it is refused.
    #[inline]
    pub(crate) fn admit(&self, query: &mut Query<'_>) -> Result<(), NoEndpoint> {
        self.recovery.as_ref().map_or(Ok(()), |recovery| recovery.admit(&self.endpoints, query))
    }

    /// Starts a recovery because no server is ready, unless one of them is being connected to.
    #[cold]
    pub(crate) fn none_is_ready(&self) {
        if let Some(recovery) = &self.recovery
            && !self.iter().any(|member| member.state().is_connecting())
        {
            recovery.start();
        }
    }

    /// Takes over a recovery that is under way in the set before, if both have the same settings.
    pub(crate) fn continue_recovery(&mut self, before: &Members) {
        if let (Some(new), Some(old)) = (&self.recovery, &before.recovery)
            && new.is_like(old)
        {
            self.recovery = Some(old.clone());
        }
    }

    /// Whether a member that is not ready is used all the same.
    #[inline]
    pub(crate) fn uses_in_panic(&self, member: &Endpoint, now: Time) -> bool {
        self.panic.as_ref().is_some_and(|panic| panic.uses(member, &self.endpoints, now))
    }

    /// The share of its weight that a server gets while it is new or has just come back; `None`: the whole
    /// weight.
    #[inline]
    pub(crate) fn share(&self, i: usize, now: Time) -> Option<f32> {
        let slow_start = self.slow_start.as_ref()?;
        slow_start.share(self.endpoints[i].state().ready_since()?, now)
    }

    #[inline]
    pub(crate) fn all(&self) -> &[Arc<Endpoint>] {
        &self.endpoints
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.endpoints.is_empty()
    }

    pub fn len(&self) -> usize {
        self.endpoints.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Endpoint>> {
        self.endpoints.iter()
    }

    /// # Panics
    /// If there are fewer members.
    pub fn get(&self, i: usize) -> &Endpoint {
        &self.endpoints[i]
    }
}
