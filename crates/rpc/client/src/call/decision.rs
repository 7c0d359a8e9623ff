//! The steps of a call after its route was chosen, on a channel with a router.

use crate::{
    call::{policy::Policy, retry::Retry, timeout},
    core::Core,
    servers::Decision,
};
use polywire_engine::clock;
use polywire_exchange::Request;
use std::time::Duration;

/// Applies the call's route: its time limit and its retry policy. Returns the pause before its first attempt,
/// if a fault delays it.
#[cold]
pub(super) fn follow(
    decision: Decision,
    core: &Core,
    request: &mut Request,
    retry: &mut Retry,
) -> Option<Duration> {
    if let Some(limit) = decision.max_duration {
        let timeout = timeout::begin(Some(limit), request);
        retry.limit(timeout.map(|(timeout, _)| timeout), request.deadline);
    }
    if let Some(method) = decision.retry {
        let attempts = core.routed_attempts(&request.service, &request.method, method);
        retry.set_policy(Policy::new(attempts, request.deadline, core.longest));
    }
    let left = || request.deadline.map(|at| at.saturating_duration_since(clock::now()));
    decision.delay.map(|delay| left().map_or(delay, |left| delay.min(left)))
}
