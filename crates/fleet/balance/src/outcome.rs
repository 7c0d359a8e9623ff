//! The result of a call.

use crate::Time;
use std::time::Duration;

/// The result of a call, for [`Picker::ended`](crate::Picker::ended).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// When the server was picked.
    pub picked: Time,
    pub now: Time,
    pub end: End,
}

/// The way in which a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum End {
    /// The server has answered, possibly with an error of the caller.
    Answered,
    /// The server failed: it could not be reached, or it did not answer within the time limit.
    Failed(Failed),
    /// The server has refused the call, since it has too much to do. Policies count it as a failure; it takes
    /// no server out of the choice, because the others would have to take its calls, too.
    Overloaded(Failed),
    /// The caller gave up. The call would have taken longer than this.
    GivenUp,
}

/// The parts of a failed call that policies use.
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
