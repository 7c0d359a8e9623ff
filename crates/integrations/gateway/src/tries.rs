//! How long the calls of a route may take, and how often they are tried.

use crate::{calls::Calls, cluster::Cluster};
use polywire_call::Code;
use polywire_client::{Backoff, Call, Raw, RetryPolicy};
use std::time::Duration;

/// The pause before a further try after an answer: at first, and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(25), Duration::from_millis(250));

/// What a route says of this in place of the channel.
#[derive(Clone, Default)]
pub(crate) struct Tries {
    pub timeout: Option<Duration>,
    pub retries: Option<u32>,
    /// Methods that may be executed twice.
    pub idempotent: Vec<Calls>,
    /// Codes of answers after which those are tried again.
    pub retry_on: Vec<Code>,
}

impl Tries {
    /// Adds it to a call.
    pub fn of_call(&self, mut call: Call<Raw>, may_run_twice: bool) -> Call<Raw> {
        if let Some(timeout) = self.timeout {
            call = call.timeout(timeout);
        }
        if let Some(retries) = self.retries {
            call = call.retries(retries);
        }
        if may_run_twice && !self.retry_on.is_empty() {
            let backoff = || Backoff::exponential(PAUSE.0, PAUSE.1);
            let policy = RetryPolicy::new();
            call = call
                .retry_policy(self.retry_on.iter().fold(policy, |policy, code| policy.on(*code, backoff())));
        }
        call
    }

    /// Whether a call from gRPC to gRPC, which may stream for all that its protocol says, is known as one of
    /// one message each way, and better passed on as such: a stream that was sent is never tried again.
    pub fn takes_one_message(&self, called: (&str, &str), cluster: &Cluster) -> bool {
        let (service, method) = called;
        let is_known = || {
            cluster
                .known()
                .is_some_and(|known| known.knows(service, method) && !known.streams(service, method).any())
        };
        self.may_run_twice(called) || (self.retries.is_some_and(|retries| retries > 0) && is_known())
    }

    pub fn may_run_twice(&self, (service, method): (&str, &str)) -> bool {
        self.idempotent.iter().any(|calls| calls.have(service, method))
    }
}
