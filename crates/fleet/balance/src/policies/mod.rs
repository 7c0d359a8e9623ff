//! The policies, one file for each.

mod hash;
mod locality_aware;
mod power_of_choices;
mod prequal;
mod random;
mod round_robin;
mod weighted;
mod weighted_round_robin;

pub use hash::{ConsistentHash, RingKind};
pub use locality_aware::LocalityAware;
pub use power_of_choices::{Cost, PowerOfChoices};
pub use prequal::Prequal;
pub use random::Random;
pub use round_robin::RoundRobin;
pub use weighted::{Order, Weighted};
pub use weighted_round_robin::{WeightedRoundRobin, WeightedRoundRobinSettings};

use crate::{End, Endpoint, Members, NoEndpoint, Outcome, Query, Report, Time};
use std::{fmt::Debug, time::Duration};

/// Chooses a member. It is made for the members of one set and is used by many threads at once.
pub trait Policy: Send + Sync + Debug {
    /// The number of a member that is ready, preferably one where the call was not tried. There is at least
    /// one member.
    ///
    /// # Errors
    /// No member is ready, or the call lacks the key that the policy chooses by.
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint>;

    /// A call to `endpoint` has ended; `position`: its number, if it is a member still. The default keeps the
    /// average of latencies.
    fn ended(&self, endpoint: &Endpoint, position: Option<usize>, outcome: &Outcome) {
        let _ = position;
        observe(endpoint, outcome, TAU);
    }

    /// The members to probe for their load now, because a call was made. The default probes none.
    fn probes(&self, _members: &Members, _query: &mut Query<'_>) -> Vec<usize> {
        Vec::new()
    }

    /// A member has answered how loaded it is; `thread` as in [`Query::thread`].
    fn probed(&self, thread: usize, position: usize, report: Report, now: Time, random: &mut fastrand::Rng) {
        let _ = (thread, position, report, now, random);
    }
}

/// Default time constant of averages: brpc's `p2c_default_tau_ms`.
pub(crate) const TAU: Duration = Duration::from_secs(10);

/// The maximum that one failure adds: brpc's `p2c_max_punish_ms`.
const MOST_PENALTY: Duration = Duration::from_secs(30);

/// Adds the latency of a call to the average of its server. A failure counts as its time limit at least, and
/// as twice the average: a server that fails fast must not look fast.
pub(crate) fn observe(endpoint: &Endpoint, outcome: &Outcome, tau: Duration) {
    let load = endpoint.load();
    let latency = outcome.latency();
    match outcome.end {
        End::Answered => load.observe(outcome.now, latency, tau),
        End::Failed(failed) | End::Overloaded(failed) => {
            let average = load.latency().unwrap_or_default();
            let penalty = latency.max(failed.timeout).max(2 * average).min(MOST_PENALTY);
            load.observe(outcome.now, penalty, tau);
        }
        // The latency would have been at least as long.
        End::GivenUp if load.latency().is_none_or(|average| average < latency) => {
            load.observe(outcome.now, latency, tau);
        }
        End::GivenUp => {}
    }
}

#[cfg(test)]
mod tests;
