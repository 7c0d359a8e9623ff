//! Whether calls can reach a server, in gRPC's words.

use crate::{pool::Pool, servers::server::Server};
use polywire_balance::{Endpoint, Time};

/// Whether calls can reach a server, or the servers of a channel: as gRPC's connectivity states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Connectivity {
    /// There is no connection, and none is being made: the next call will make one.
    Idle,
    Connecting,
    Ready,
    /// Connecting has failed the last time; or the server gets no calls for another reason.
    TransientFailure,
}

impl Connectivity {
    /// The state of a channel with one server.
    pub(crate) fn of(pool: &Pool) -> Connectivity {
        match pool.spec().ledger.connections() {
            (1.., _) => Connectivity::Ready,
            _ if pool.spec().backoff.why().is_some() => Connectivity::TransientFailure,
            (0, 1..) => Connectivity::Connecting,
            (0, 0) => Connectivity::Idle,
        }
    }

    /// The state of one of several servers.
    pub(in crate::servers) fn of_endpoint(endpoint: &Endpoint, now: Time) -> Connectivity {
        match Connectivity::of(&Server::of(endpoint).pool) {
            Connectivity::Ready if !endpoint.state().is_ready(now) => Connectivity::TransientFailure,
            state => state,
        }
    }

    /// The state of a channel whose servers or parts have these states: the best of them.
    ///
    /// Source: gRPC's load balancing policies: READY if one is, else CONNECTING, else IDLE, else
    ///         TRANSIENT_FAILURE.
    pub(crate) fn of_all(states: impl IntoIterator<Item = Connectivity>) -> Connectivity {
        let rank = |state: &Connectivity| match state {
            Connectivity::Ready => 0,
            Connectivity::Connecting => 1,
            Connectivity::Idle => 2,
            Connectivity::TransientFailure => 3,
        };
        states.into_iter().min_by_key(rank).unwrap_or(Connectivity::TransientFailure)
    }
}
