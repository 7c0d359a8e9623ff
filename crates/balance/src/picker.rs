//! Members and the policy that chooses among them.

use crate::{Endpoint, Outcome, Query, policies::Policy};
use std::{fmt, sync::Arc};

/// Chooses among the members of one set. It never changes: a new set makes a new picker.
///
/// Every successful [`Picker::pick`] is followed by exactly one [`Picker::ended`], of this picker or of one that came
/// after it: calls in flight are counted between the two.
#[derive(Debug)]
pub struct Picker {
    members: Members,
    policy: Box<dyn Policy>,
}

/// The servers of a set, each once, in the order of their addresses and tags: every client has the same order.
#[derive(Clone, Debug)]
pub struct Members(Arc<[Arc<Endpoint>]>);

/// Why no server was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoEndpoint {
    /// The set has no members.
    Empty,
    /// None of the members is ready.
    NoneReady,
    /// The policy hashes, and the call has no key.
    NoKey,
}

impl Picker {
    /// With a policy of one's own. For those by name there is [`Spec::picker`](crate::Spec::picker).
    pub fn new(members: Members, policy: Box<dyn Policy>) -> Self {
        for (i, member) in members.0.iter().enumerate() {
            member.set_position(i);
        }
        Picker { members, policy }
    }

    /// In the order of their addresses and tags.
    pub fn members(&self) -> &[Arc<Endpoint>] {
        &self.members.0
    }

    /// Chooses a server, which then has a call more in flight.
    ///
    /// # Errors
    /// There is none to choose, or the policy lacks what it chooses by.
    #[inline]
    pub fn pick(&self, query: &mut Query<'_>) -> Result<&Arc<Endpoint>, NoEndpoint> {
        if self.members.0.is_empty() {
            return Err(NoEndpoint::Empty);
        }
        let chosen = &self.members.0[self.policy.choose(&self.members, query)?];
        chosen.load().begin();
        Ok(chosen)
    }

    /// The call to `endpoint` has ended.
    pub fn ended(&self, endpoint: &Endpoint, outcome: &Outcome) {
        endpoint.load().end();
        let position = endpoint.position();
        let is_member = self.members.0.get(position).is_some_and(|member| std::ptr::eq(&**member, endpoint));
        self.policy.ended(endpoint, is_member.then_some(position), outcome);
    }
}

impl Members {
    /// Of servers with the same address and tag one is kept.
    pub fn new(mut endpoints: Vec<Arc<Endpoint>>) -> Self {
        endpoints.sort_by(|a, b| (a.address(), a.tag()).cmp(&(b.address(), b.tag())));
        endpoints.dedup_by(|a, b| a.address() == b.address() && a.tag() == b.tag());
        Members(endpoints.into())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Endpoint>> {
        self.0.iter()
    }

    /// # Panics
    /// If there are not so many.
    pub fn get(&self, i: usize) -> &Endpoint {
        &self.0[i]
    }
}

impl fmt::Display for NoEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoEndpoint::Empty => "no server is known",
            NoEndpoint::NoneReady => "no server is ready",
            NoEndpoint::NoKey => "the call has no key to choose a server by",
        })
    }
}
impl std::error::Error for NoEndpoint {}
