//! Members and the policy that chooses among them.

use crate::{
    End, Endpoint, Outcome, Panic, Query, Recovery, Report, SlowStart, Time, parts::Usable, policies::Policy,
};
use polywire_base::Sort;
use std::{fmt, sync::Arc};

/// Chooses among the members of one set. It is immutable: a new set makes a new picker.
///
/// Every successful [`Picker::pick`] is followed by exactly one [`Picker::ended`], of this picker or of one that came
/// after it by the same policy: calls in flight are counted between the two. An endpoint is used by one picker at a time, the
/// newest: what is known of servers is stored in the endpoints.
#[derive(Debug)]
pub struct Picker {
    members: Members,
    policy: Box<dyn Policy>,
}

/// The servers of a set, each once, in the order of their addresses and tags: every client has the same order.
#[derive(Clone, Debug)]
pub struct Members {
    endpoints: Arc<[Arc<Endpoint>]>,
    slow_start: Option<SlowStart>,
    recovery: Option<Arc<Recovery>>,
    panic: Option<Arc<Panic>>,
    usable: Arc<Usable>,
}

/// Why no server was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoEndpoint {
    /// The set has no members.
    Empty,
    /// None of the members is ready.
    NoneReady,
    /// No server was ready a short time ago, and too few have recovered to take all calls, so this call is refused.
    /// Retrying it at once makes the overload worse.
    Recovering,
    /// The policy hashes, and the call has no key.
    NoKey,
    /// The policy hashes, and the server of the key is being connected to: the call waits for it, until this time at most. See
    /// [`State::await_until`](crate::State::await_until).
    Awaited(Time),
}

impl Picker {
    /// A picker with a policy of the user. [`Spec::picker`](crate::Spec::picker) makes one by name.
    pub fn new(members: Members, policy: Box<dyn Policy>) -> Self {
        for (i, member) in members.endpoints.iter().enumerate() {
            member.set_position(i);
        }
        Picker { members, policy }
    }

    pub(crate) fn recovering(self, recovery: Recovery) -> Self {
        Picker { members: self.members.recovery(recovery), ..self }
    }

    /// In the order of their addresses and tags.
    pub fn members(&self) -> &[Arc<Endpoint>] {
        &self.members.endpoints
    }

    /// Chooses a server, and counts one more call in flight for it.
    ///
    /// # Errors
    /// No server can be chosen, or the call lacks the key that the policy needs.
    #[inline]
    pub fn pick(&self, query: &mut Query<'_>) -> Result<&Arc<Endpoint>, NoEndpoint> {
        if self.members.endpoints.is_empty() {
            return Err(NoEndpoint::Empty);
        }
        if let Some(recovery) = &self.members.recovery {
            recovery.admit(&self.members.endpoints, query)?;
        }
        let chosen = match self.policy.choose(&self.members, query) {
            Ok(chosen) => &self.members.endpoints[chosen],
            Err(why) => return Err(self.none(why)),
        };
        chosen.load().begin();
        Ok(chosen)
    }

    /// The number of the member that such a call would go to, without counting it as one: for callers who collect the keys of a server.
    ///
    /// # Errors
    /// As [`Picker::pick`], without the recovery of few servers.
    pub fn place(&self, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        if self.members.endpoints.is_empty() {
            return Err(NoEndpoint::Empty);
        }
        self.policy.choose(&self.members, query)
    }

    #[cold]
    fn none(&self, why: NoEndpoint) -> NoEndpoint {
        if let (NoEndpoint::NoneReady, Some(recovery)) = (why, &self.members.recovery)
            && !self.members.iter().any(|member| member.state().is_connecting())
        {
            recovery.start();
        }
        why
    }

    /// Takes over the state of the picker of the previous set: a recovery that was under way continues, if both have
    /// the same settings. Load and state of servers are stored in the endpoints and need not be taken over.
    pub fn continuing(mut self, before: &Picker) -> Self {
        if let (Some(new), Some(old)) = (&self.members.recovery, &before.members.recovery)
            && new.is_like(old)
        {
            self.members.recovery = Some(old.clone());
        }
        self
    }

    /// The servers to probe for their load after a call was picked; the call does not wait for the answers. Only
    /// `prequal` asks for any.
    pub fn probes(&self, query: &mut Query<'_>) -> Vec<Arc<Endpoint>> {
        if self.members.endpoints.is_empty() {
            return Vec::new();
        }
        let targets = self.policy.probes(&self.members, query);
        targets.into_iter().map(|i| self.members.endpoints[i].clone()).collect()
    }

    /// Stores the answer of `endpoint` to a probe. The query must be that of the thread that will use it for its
    /// choices.
    pub fn probed(&self, endpoint: &Endpoint, report: Report, query: &mut Query<'_>) {
        if let Some(position) = self.position(endpoint) {
            self.policy.probed(query.thread, position, report, query.now, query.random);
        }
    }

    /// Reports that a call to `endpoint` has ended.
    pub fn ended(&self, endpoint: &Endpoint, outcome: &Outcome) {
        endpoint.load().end();
        match outcome.end {
            End::Answered => {
                endpoint.load().count(true);
                endpoint.load().settle(true);
            }
            End::Failed(_) => {
                endpoint.load().count(false);
                endpoint.load().settle(false);
            }
            End::Overloaded(_) => endpoint.load().settle(true),
            End::GivenUp => {}
        }
        self.policy.ended(endpoint, self.position(endpoint), outcome);
    }

    /// The number of `endpoint`, if it is a member of this picker.
    fn position(&self, endpoint: &Endpoint) -> Option<usize> {
        let position = endpoint.position();
        let member = self.members.endpoints.get(position)?;
        std::ptr::eq(&**member, endpoint).then_some(position)
    }
}

impl Members {
    /// Of servers with the same address and tag one is kept.
    pub fn new(mut endpoints: Vec<Arc<Endpoint>>) -> Self {
        endpoints.order_by(|a, b| a.identity().cmp(&b.identity()));
        endpoints.dedup_by(|a, b| a.identity() == b.identity());
        let endpoints = endpoints.into();
        Members { endpoints, slow_start: None, recovery: None, panic: None, usable: Arc::default() }
    }

    /// Servers that join later get their full share only after a while: under the policies that take turns, draw at random
    /// or choose the best of a few.
    pub fn slow_start(self, slow_start: SlowStart) -> Self {
        Members { slow_start: Some(slow_start), ..self }
    }

    /// After a time in which no server was ready, calls are refused in proportion to those that are missing.
    pub fn recovery(self, recovery: Recovery) -> Self {
        Members { recovery: Some(Arc::new(recovery)), ..self }
    }

    /// When few servers are ready, those that were judged bad are used, too.
    pub fn panic(self, panic: Panic) -> Self {
        Members { panic: Some(Arc::new(panic)), ..self }
    }

    /// Whether servers of other sets take the calls that these ones cannot, so that panic is not called for.
    pub(crate) fn cover(&self, covered: bool) {
        if let Some(panic) = &self.panic {
            panic.cover(covered);
        }
    }

    /// The index of the member that is this server.
    pub(crate) fn find(&self, endpoint: &Endpoint) -> Option<usize> {
        self.endpoints.binary_search_by(|member| member.identity().cmp(&endpoint.identity())).ok()
    }

    /// Those that were ready a moment ago.
    pub(crate) fn usable(&self) -> &Usable {
        &self.usable
    }

    /// Whether a member that is not ready is used all the same.
    #[inline]
    pub(crate) fn uses_in_panic(&self, member: &Endpoint, now: Time) -> bool {
        self.panic.as_ref().is_some_and(|panic| panic.uses(member, &self.endpoints, now))
    }

    /// The share of its weight that a server has, which joined the set or came back a while ago; `None`: the whole.
    #[inline]
    pub(crate) fn share(&self, i: usize, now: Time) -> Option<f32> {
        let slow_start = self.slow_start.as_ref()?;
        slow_start.share(self.endpoints[i].state().ready_since()?, now)
    }

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

impl fmt::Display for NoEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoEndpoint::Empty => "no server is known",
            NoEndpoint::NoneReady => "no server is ready",
            NoEndpoint::Recovering => "too few servers are ready again to take all calls",
            NoEndpoint::NoKey => "the call has no key to choose a server by",
            NoEndpoint::Awaited(_) => "the server of the key is being connected to",
        })
    }
}
impl std::error::Error for NoEndpoint {}
