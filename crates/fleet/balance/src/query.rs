//! What a policy is asked, and what it is told afterwards.

use crate::{Endpoint, Time};
use std::{sync::Arc, time::Duration};

/// A call that needs a server.
#[derive(Debug)]
pub struct Query<'a> {
    pub now: Time,
    /// The caller's own generator: of its thread in production, of the whole run in a simulation.
    pub random: &'a mut fastrand::Rng,
    /// Calls of equal keys go to the same server, under policies that hash. The policies of brpc use its low 32 bits.
    pub key: Option<u64>,
    /// Where earlier tries of this call went. They are chosen again only if no other server is ready.
    pub tried: &'a [Arc<Endpoint>],
    /// A number of the calling thread. Threads with different numbers (modulo 16) do not write the same memory to take
    /// turns.
    pub thread: usize,
}

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
    /// The server has refused the call, since it has too much to do. Policies count it as a failure; it takes no server out of
    /// the choice, because the others would have to take its calls, too.
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
