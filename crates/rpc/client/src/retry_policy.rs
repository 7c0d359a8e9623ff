//! Retry policies: which failures are retried, and after which pause, by code or by a function.

use crate::service_config::Backoff as Steps;
use polywire_call::{Code, Metadata, Status};
use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

/// Which failed tries are retried. A failure that the policy does not mention is handled as without a policy:
/// a try that no server has executed is repeated at once.
///
/// [`Resilience::retries`](crate::Resilience::retries) limits the tries of one call, and
/// [`Resilience::retry_budget`](crate::Resilience::retry_budget) the retries of the whole channel. A server
/// may have executed a call that it answers with an error: use a policy only for methods that may be executed
/// twice.
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_client::*}; }
/// use polywire::{Backoff, Code, RetryPolicy};
/// use std::time::Duration;
///
/// let policy = RetryPolicy::new()
///     .on(Code::Unavailable, Backoff::exponential(Duration::from_millis(10), Duration::from_secs(1)))
///     .on(Code::ResourceExhausted, Backoff::fixed(Duration::from_millis(100)).jitter(0.5))
///     .never_on(Code::Unknown);
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct RetryPolicy {
    rules: Vec<(Code, Option<Backoff>)>,
    decide: Option<Decide>,
}

type Decide = Arc<dyn Fn(&FailedTry<'_>) -> RetryDecision + Send + Sync>;

/// The pause before another try.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Backoff {
    steps: Steps,
    jitter: f64,
}

/// The decision of a function of a [`RetryPolicy`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RetryDecision {
    /// Decides by the codes of the policy; if they do not match, as without a policy.
    Default,
    /// The call ends with this failure.
    End,
    /// Another try after this pause, if the number of retries allows it.
    After(Duration),
}

/// A try that has failed, as a function of a [`RetryPolicy`] sees it.
pub struct FailedTry<'f> {
    pub(crate) status: &'f Status,
    pub(crate) trailers: Option<&'f Metadata>,
    pub(crate) number: u32,
    pub(crate) left: Option<Duration>,
}

impl FailedTry<'_> {
    pub fn status(&self) -> &Status {
        self.status
    }
    /// The trailer fields of its reply: the value of the first field with this name.
    pub fn trailer(&self, name: &str) -> Option<&[u8]> {
        self.trailers?.get(name)
    }
    /// Counts the tries of the call, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }
    /// The time until the deadline of the call.
    pub fn time_left(&self) -> Option<Duration> {
        self.left
    }
}

impl RetryPolicy {
    /// An empty policy, which behaves as no policy does.
    pub fn new() -> Self {
        RetryPolicy::default()
    }

    /// Failures with this code are followed by another try after a pause.
    pub fn on(mut self, code: Code, backoff: Backoff) -> Self {
        self.rules.retain(|(known, _)| *known != code);
        self.rules.push((code, Some(backoff)));
        self
    }

    /// Failures with this code are never retried, even if the try was lost with its connection.
    pub fn never_on(mut self, code: Code) -> Self {
        self.rules.retain(|(known, _)| *known != code);
        self.rules.push((code, None));
        self
    }

    /// A function that decides before the codes do, as brpc's `RetryPolicy`. It runs on the caller's thread
    /// and must be quick.
    pub fn decide(
        mut self,
        decide: impl Fn(&FailedTry<'_>) -> RetryDecision + Send + Sync + 'static,
    ) -> Self {
        self.decide = Some(Arc::new(decide));
        self
    }

    /// The next step after a failed try. `pauses`: how many pauses the call has made. `random`: from 0 up to
    /// 1. `None`: decided as without a policy.
    pub(crate) fn after(&self, failed: &FailedTry<'_>, random: f64) -> Option<RetryDecision> {
        let decided = self.decide.as_ref().map(|decide| decide(failed));
        if let Some(decision @ (RetryDecision::End | RetryDecision::After(_))) = decided {
            return Some(decision);
        }
        let (_, backoff) = self.rules.iter().find(|(code, _)| *code == failed.status.code())?;
        let pause = |backoff: &Backoff| backoff.pause(failed.number.saturating_sub(1), random);
        Some(backoff.as_ref().map(pause).map_or(RetryDecision::End, RetryDecision::After))
    }
}

impl fmt::Debug for RetryPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryPolicy")
            .field("rules", &self.rules)
            .field("decides", &self.decide.is_some())
            .finish()
    }
}

impl Backoff {
    /// No pause: the retry follows at once.
    pub fn none() -> Self {
        Backoff::fixed(Duration::ZERO)
    }

    /// Always this long, each 20 % more or less.
    pub fn fixed(pause: Duration) -> Self {
        Backoff { steps: Steps { initial: pause, most: pause, multiplier: 1.0 }, jitter: 0.2 }
    }

    /// Pauses that begin with this length before the second try and double before each further one, up to
    /// `most`, each 20 % more or less.
    pub fn exponential(first: Duration, most: Duration) -> Self {
        Backoff { steps: Steps { initial: first, most, multiplier: 2.0 }, jitter: 0.2 }
    }

    /// The factor from each pause to the next. Default 2; less than 1 counts as 1.
    pub fn multiplier(mut self, multiplier: f64) -> Self {
        self.steps.multiplier = multiplier.max(1.0);
        self
    }

    /// The jitter: the fraction, from 0 to 1, by which pauses are made longer or shorter at random, so that
    /// calls that failed together are not retried together. Default 0.2.
    pub fn jitter(mut self, part: f64) -> Self {
        self.jitter = part.clamp(0.0, 1.0);
        self
    }

    /// The pause after the `n`th try, from 0. `random`: from 0 up to 1.
    fn pause(&self, n: u32, random: f64) -> Duration {
        self.steps.spread(n, self.jitter, random)
    }
}

/// The policy of one call.
pub(crate) struct CallPolicy {
    pub policy: Arc<RetryPolicy>,
    pub deadline: Option<Instant>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn after(policy: &RetryPolicy, code: Code, number: u32, random: f64) -> Option<RetryDecision> {
        let status = Status::new(code, "x");
        policy.after(&FailedTry { status: &status, trailers: None, number, left: None }, random)
    }

    #[test]
    fn each_code_has_its_own_pauses() {
        let policy = RetryPolicy::new()
            .on(Code::Unavailable, Backoff::exponential(10 * MS, 30 * MS))
            .on(Code::Aborted, Backoff::fixed(5 * MS).jitter(1.0))
            .never_on(Code::Unknown);
        let pauses = [1, 2, 3, 4].map(|number| after(&policy, Code::Unavailable, number, 0.5));
        assert_eq!(pauses, [10, 20, 30, 30].map(|ms| Some(RetryDecision::After(ms * MS))));
        assert_eq!(after(&policy, Code::Aborted, 1, 0.0), Some(RetryDecision::After(Duration::ZERO)));
        assert_eq!(after(&policy, Code::Unavailable, 1, 1.0), Some(RetryDecision::After(12 * MS)));
        assert_eq!(after(&policy, Code::Unknown, 1, 0.5), Some(RetryDecision::End));
        assert_eq!(after(&policy, Code::Internal, 1, 0.5), None);
        let changed = policy.never_on(Code::Unavailable);
        assert_eq!(after(&changed, Code::Unavailable, 1, 0.5), Some(RetryDecision::End));
    }

    #[test]
    fn a_function_is_asked_first_and_may_leave_it_to_the_codes() {
        let policy = RetryPolicy::new().on(Code::Aborted, Backoff::none()).decide(|failed| {
            match (failed.status().code(), failed.number()) {
                (Code::NotFound, 1) => RetryDecision::After(7 * MS),
                (Code::NotFound, _) => RetryDecision::End,
                _ => RetryDecision::Default,
            }
        });
        assert_eq!(after(&policy, Code::NotFound, 1, 0.5), Some(RetryDecision::After(7 * MS)));
        assert_eq!(after(&policy, Code::NotFound, 2, 0.5), Some(RetryDecision::End));
        assert_eq!(after(&policy, Code::Aborted, 9, 0.5), Some(RetryDecision::After(Duration::ZERO)));
        assert_eq!(after(&policy, Code::Internal, 1, 0.5), None);
    }

    #[test]
    fn pauses_without_end_are_no_panic() {
        let long = Backoff::exponential(Duration::MAX, Duration::MAX).multiplier(f64::MAX).jitter(9.0);
        assert!(long.pause(u32::MAX, 1.0) > Duration::from_secs(1 << 40));
        assert_eq!(Backoff::none().multiplier(f64::NAN).pause(3, 0.5), Duration::ZERO);
    }
}
