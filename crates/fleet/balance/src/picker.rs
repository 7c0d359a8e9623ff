//! Members and the policy that chooses among them.

use crate::{End, Endpoint, Members, NoEndpoint, Outcome, Query, Recovery, Report, policies::Policy};
use std::sync::Arc;

/// Chooses among the members of one set. It is immutable: a new set makes a new picker.
///
/// Every successful [`Picker::pick`] is followed by exactly one [`Picker::ended`], of this picker or of a
/// later one by the same policy: calls in flight are counted between the two. An endpoint is used by one
/// picker at a time, the newest: the statistics of servers are stored in the endpoints.
#[derive(Debug)]
pub struct Picker {
    members: Members,
    policy: Box<dyn Policy>,
}

impl Picker {
    /// A picker with a policy of the user. [`Spec::picker`](crate::Spec::picker) makes one by name.
    pub fn new(members: Members, policy: Box<dyn Policy>) -> Self {
        for (i, member) in members.all().iter().enumerate() {
            member.set_position(i);
        }
        Picker { members, policy }
    }

    pub(crate) fn recovering(self, recovery: Recovery) -> Self {
        Picker { members: self.members.recovery(recovery), ..self }
    }

    /// The members, in the order of their addresses and tags.
    pub fn members(&self) -> &[Arc<Endpoint>] {
        self.members.all()
    }

    /// Chooses a server, and counts one more call in flight for it.
    ///
    /// # Errors
    /// No server can be chosen, or the call lacks the key that the policy needs.
    #[inline]
    pub fn pick(&self, query: &mut Query<'_>) -> Result<&Arc<Endpoint>, NoEndpoint> {
        if self.members.is_empty() {
            return Err(NoEndpoint::Empty);
        }
        self.members.admit(query)?;
        let chosen = match self.policy.choose(&self.members, query) {
            Ok(chosen) => &self.members.all()[chosen],
            Err(why) => {
                if why == NoEndpoint::NoneReady {
                    self.members.none_is_ready();
                }
                return Err(why);
            }
        };
        chosen.load().begin();
        Ok(chosen)
    }

    /// The index of the member that such a call would go to, without counting it as a call: for callers that
    /// collect the keys of a server.
    ///
    /// # Errors
    /// The errors of [`Picker::pick`], without the recovery of few servers.
    pub fn place(&self, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        if self.members.is_empty() {
            return Err(NoEndpoint::Empty);
        }
        self.policy.choose(&self.members, query)
    }

    /// Takes over the state of the picker of the previous set: a recovery that was under way continues, if
    /// both have the same settings. Load and state of servers are stored in the endpoints and need not be
    /// taken over.
    pub fn continuing(mut self, before: &Picker) -> Self {
        self.members.continue_recovery(&before.members);
        self
    }

    /// The servers to probe for their load after a call was picked; the call does not wait for the answers.
    /// Only `prequal` returns any.
    pub fn probes(&self, query: &mut Query<'_>) -> Vec<Arc<Endpoint>> {
        if self.members.is_empty() {
            return Vec::new();
        }
        let targets = self.policy.probes(&self.members, query);
        targets.into_iter().map(|i| self.members.all()[i].clone()).collect()
    }

    /// Stores the answer of `endpoint` to a probe. The query must belong to the thread that will use the
    /// answer for its choices.
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
        let member = self.members.all().get(position)?;
        std::ptr::eq(&**member, endpoint).then_some(position)
    }
}
