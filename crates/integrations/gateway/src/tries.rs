//! How long the calls of a route may take, and how often they are tried.

use crate::calls::Calls;
use polywire_call::Code;
use polywire_client::{Backoff, Call, Raw, RetryPolicy, Stream, StreamingCall};
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

    /// Adds it to a call that may stream.
    pub fn of_stream(&self, mut call: StreamingCall<Stream>) -> StreamingCall<Stream> {
        if let Some(timeout) = self.timeout {
            call = call.timeout(timeout);
        }
        if let Some(retries) = self.retries {
            call = call.retries(retries);
        }
        call
    }

    pub fn may_run_twice(&self, (service, method): (&str, &str)) -> bool {
        self.idempotent.iter().any(|calls| calls.have(service, method))
    }
}
