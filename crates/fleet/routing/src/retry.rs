//! Which failed attempts of a call are retried.

use polywire_call::Code;
use std::time::Duration;

/// Which failed attempts of a call are retried, and when: gRPC's retry policy (gRFC A6).
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// After attempts that end with one of these. Empty: after none that a server has looked at.
    pub codes: Vec<Code>,
    /// The first one included; 1 to 5, more are taken as 5.
    pub attempts: u32,
    /// The pause before the second attempt, 20 % more or less at random.
    pub first_pause: Duration,
    /// The most that a pause grows to.
    pub longest_pause: Duration,
    /// The factor from one pause to the next.
    pub multiplier: f64,
}

polywire_base::setters! {
    RetryPolicy {
        attempts: u32,
        first_pause: Duration,
        longest_pause: Duration,
        multiplier: f64,
    }
}

impl RetryPolicy {
    /// Retries once after an attempt that ends with one of these codes, 25 ms later.
    pub fn new(codes: impl IntoIterator<Item = Code>) -> Self {
        RetryPolicy {
            codes: codes.into_iter().collect(),
            attempts: 2,
            first_pause: Duration::from_millis(25),
            longest_pause: Duration::from_millis(250),
            multiplier: 2.0,
        }
    }
}
