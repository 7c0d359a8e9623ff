//! How a call ended.

use crate::Time;
use std::time::Duration;

/// How a call went, for [`Picker::ended`](crate::Picker::ended).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// When the server was chosen.
    pub picked: Time,
    pub now: Time,
    pub end: End,
}

/// What ended a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum End {
    /// The server's answer, also one that says the caller did something wrong.
    Answered,
    /// The server failed: it could not be reached, or it did not answer within the time limit.
    Failed(Failed),
    /// The server has refused the call, since it has too much to do. Policies count it as a failure; it takes
    /// no server out of the choice, because the others would have to take its calls, too.
    Overloaded(Failed),
    /// The caller gave up. The call would have taken longer than this.
    GivenUp,
}

/// What policies use of a failed call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed {
    /// The time limit of the call.
    pub timeout: Duration,
    /// Number of tries before this one.
    pub tries_before: u32,
    /// Number of tries that the call had left.
    pub tries_left: u32,
}

impl Outcome {
    /// The time from the choice to the end.
    pub fn latency(&self) -> Duration {
        self.now.since(self.picked)
    }
}
