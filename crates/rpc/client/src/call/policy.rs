//! The part of a service config that applies to one call: limits of its messages, and attempts with pauses
//! between them.
//!
//! Calls of methods that no service config mentions have no policy.

use crate::service_config::{Attempts, HedgeVerdict, HedgingPolicy, Method, Verdict};
use polywire_call::{Metadata, Status};
use polywire_wire::{Longest, Outcome};
use std::time::{Duration, Instant};

/// The part of a service config that applies to one call, and the number of attempts that were made.
pub(crate) struct Policy {
    attempts: Attempts,
    deadline: Option<Instant>,
    /// The maximum length of a reply.
    max_response: Longest,
}

impl Policy {
    /// `deadline`: when the call ends. `longest`: the longest reply that the channel allows.
    pub fn new(attempts: Attempts, deadline: Option<Instant>, longest: Longest) -> Self {
        let configured = attempts.method().max_response.unwrap_or(u32::MAX) as usize;
        let max_response = Longest { message: configured.min(longest.message), ..longest };
        Policy { attempts, deadline, max_response }
    }

    /// Whether attempts that fail may be followed by others.
    pub fn may_repeat(&self) -> bool {
        self.attempts.may_repeat()
    }

    /// The hedging policy of the method.
    pub fn hedging(&self) -> Option<HedgingPolicy> {
        self.attempts.method().hedging
    }

    /// The attempts that the policy counts.
    pub fn attempts(&self) -> &Attempts {
        &self.attempts
    }

    /// A copy of the call has failed.
    pub fn hedge_failed(&mut self, failed: &Outcome, now: Instant) -> HedgeVerdict {
        if self.deadline.is_some_and(|at| at <= now) {
            return HedgeVerdict::Fatal;
        }
        self.attempts.hedge_failed(&failed.status, failed.trailers.as_deref())
    }

    /// The maximum length of a reply.
    pub fn max_response(&self) -> Longest {
        self.max_response
    }

    /// The call ends by then.
    pub fn ends_by(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Adds the number of earlier attempts to the request's metadata.
    pub fn announce(&self, metadata: &mut Metadata) {
        self.attempts.announce(metadata);
    }

    /// The pause before the next try, after one that failed; `None`: there is no further try. A call that
    /// would only wait for its deadline ends at once. `random`: from 0 up to 1.
    pub fn pause_after(&mut self, failed: &Outcome, now: Instant, random: f64) -> Option<Duration> {
        match self.attempts.ended(&failed.status, failed.trailers.as_deref(), random) {
            Verdict::Over => None,
            Verdict::Again(pause) => {
                let left = self.deadline.map(|at| at.saturating_duration_since(now));
                left.is_none_or(|left| pause < left).then_some(pause)
            }
        }
    }

    /// Records that the call has succeeded, or has progressed so far that it is not retried.
    pub fn succeeded(&mut self) {
        self.attempts.ended(&Status::OK, None, 0.0);
    }

    /// Replaces a reply that is longer than the config allows by an error.
    pub fn check_reply(&self, outcome: &mut Outcome) {
        let (bytes, most) = (outcome.body.len(), self.max_response.message);
        if bytes > most {
            let text = format!("reply of {bytes} bytes, the service config allows {most}");
            *outcome = Status::resource_exhausted(text).into();
        }
    }
}

/// # Errors
/// RESOURCE_EXHAUSTED: the service config does not allow a request of this size.
pub(crate) fn check_request(method: &Method, bytes: usize) -> Result<(), Status> {
    match method.max_request {
        Some(most) if bytes > most as usize => Err(Status::resource_exhausted(format!(
            "request of {bytes} bytes, the service config allows {most}"
        ))),
        _ => Ok(()),
    }
}
