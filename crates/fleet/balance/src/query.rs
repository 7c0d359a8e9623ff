//! The query to a policy, and the reasons why it may find no server.

use crate::{Endpoint, Time};
use std::{fmt, sync::Arc};

/// A call that needs a server.
#[derive(Debug)]
pub struct Query<'a> {
    pub now: Time,
    /// The caller's own generator: of its thread in production, of the whole run in a simulation.
    pub random: &'a mut fastrand::Rng,
    /// Calls of equal keys go to the same server, under policies that hash. The policies of brpc use its low
    /// 32 bits.
    pub key: Option<u64>,
    /// The servers of earlier tries of this call. They are chosen again only if no other server is ready.
    pub tried: &'a [Arc<Endpoint>],
    /// A number of the calling thread. Threads with different numbers (modulo 16) do not write the same
    /// memory to take turns.
    pub thread: usize,
}

/// The reason why no server was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoEndpoint {
    /// The set has no members.
    Empty,
    /// None of the members is ready.
    NoneReady,
    /// No server was ready a short time ago, and too few have recovered to take all calls, so this call is
    /// refused. Retrying it at once makes the overload worse.
    Recovering,
    /// The policy hashes, and the call has no key.
    NoKey,
    /// The policy hashes, and the server of the key is being connected to: the call waits for it, at most
    /// until this time. See [`State::await_until`](crate::State::await_until).
    Awaited(Time),
}

impl fmt::Display for NoEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoEndpoint::Empty => "no server is known",
            NoEndpoint::NoneReady => "no server is ready",
            NoEndpoint::Recovering => "too few servers are ready again to take all calls",
            NoEndpoint::NoKey => "the call has no key to choose a server by",
            NoEndpoint::Awaited(_) => "the server of the key is being connected to",
        })
    }
}
impl std::error::Error for NoEndpoint {}
