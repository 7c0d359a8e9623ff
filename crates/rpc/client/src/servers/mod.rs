//! The room of a channel's servers: which of them a call goes to.
//!
//! ```text
//!                     ┌─ One:  the address of the channel ────────────────────────────┐
//!  call ─► Servers ───┤                                                               ├─► Pool ─► a connection
//!                     └─ Many: Fleet ─► picker: ready servers, by the balancer ─► ServerGuard ┘
//!                                 ▲            ▲                                    │
//!                     naming: sets┘            └── how the call ended: feedback ◄───┘
//! ```
//!
//! A channel with one address asks nothing and counts nothing here. A channel with a naming url has a
//! [`Fleet`]: the newest set, the connections to each of its servers, and what is known of them. A channel
//! with a router has a [`Fleet`] for each of its clusters.
//!
//! | where | what it is |
//! | --- | --- |
//! | `fleet.rs` | the servers of a name, and the attempts of calls on them |
//! | `options.rs` | the options of channels with several servers |
//! | `watch/` | the set of servers, and the task that keeps it up to date |
//! | `pick/` | the choice of a server |
//! | `attempt/` | one attempt at one server |
//! | `server/` | one server, and how it is connected to before calls go there |
//! | `health/` | health checks |
//! | `routed/` | the clusters of a channel with a router, and which of them a call goes to |
//! | `past.rs` | the counts of servers that have left |
//! | `listed.rs` | the connections to each server, with the feature `channelz` |

mod attempt;
mod fleet;
mod health;
#[cfg(feature = "channelz")]
mod listed;
mod options;
mod past;
pub(crate) mod pick;
mod routed;
mod server;
mod watch;

pub(crate) use attempt::decision::Decision;
pub(crate) use attempt::end::of as end_of;
pub(crate) use attempt::in_flight::InFlightGuard;
pub(crate) use attempt::post_error::{PostError, Undelivered};
pub(crate) use attempt::search::Search;
pub(crate) use fleet::Fleet;
pub(crate) use health::Asked;
pub(crate) use options::{Filter, FleetOptions, PerServer, Zone};
pub(crate) use pick::query::{ask, random, thread_number};
pub(crate) use routed::Routed;
#[cfg(feature = "channelz")]
pub use server::connectivity::Connectivity;
pub(crate) use watch::shared_source::SharedSource;

use crate::{
    connection::{backoff::Patience, spec::ConnectSpec, waiting::Waiting},
    pool::{Pool, Post},
    why::{ServerWhy, Why},
};
use polywire_exchange::{Caller, Draft};
use std::{sync::Arc, time::Instant};

/// The servers of a channel.
pub(crate) enum Servers {
    /// The channel has an address.
    One(Arc<Pool>),
    /// The channel has a name that stands for any number of servers.
    Many(Arc<Fleet>),
    /// The channel has a router, which chooses one of several clusters for each call.
    Routed(Arc<Routed>),
    /// The channel is a combination of other channels, which have servers: calls cannot be posted here.
    Combined(Arc<ConnectSpec>),
}

impl Servers {
    /// The settings that all connections share; the address is the channel's.
    pub fn spec(&self) -> &Arc<ConnectSpec> {
        match self {
            Servers::One(pool) => pool.spec(),
            Servers::Many(fleet) => fleet.spec(),
            Servers::Routed(routed) => routed.spec(),
            Servers::Combined(spec) => spec,
        }
    }

    /// The number of connections made so far for homes.
    pub fn made(&self) -> usize {
        match self {
            Servers::One(pool) => pool.made(),
            Servers::Many(fleet) => fleet.made(),
            Servers::Routed(routed) => routed.made(),
            Servers::Combined(_) => 0,
        }
    }

    /// Whether a call that is posted now may find a server.
    pub fn is_ready(&self) -> bool {
        match self {
            Servers::One(pool) => !pool.spec().backoff.is_pausing(),
            Servers::Many(fleet) => fleet.is_ready(),
            Servers::Routed(routed) => routed.is_ready(),
            Servers::Combined(_) => false,
        }
    }

    /// The state of the servers, and the latest recorded calls.
    pub fn why(&self) -> Why {
        let calls = match self {
            Servers::One(_) | Servers::Combined(_) => Vec::new(),
            Servers::Many(fleet) => fleet.last_calls(),
            Servers::Routed(routed) => routed.last_calls(),
        };
        Why { calls, ..self.state() }
    }

    /// The state of the servers.
    pub fn state(&self) -> Why {
        let spec = self.spec();
        let named = || Why {
            channel: spec.address.to_string(),
            protocol: spec.protocol.name,
            is_known: true,
            ..Why::default()
        };
        match self {
            Servers::One(pool) => {
                let (last_error, counts) = (spec.backoff.why(), spec.ledger.counts());
                let server = ServerWhy {
                    address: spec.address.to_string(),
                    is_ready: last_error.is_none(),
                    state: if last_error.is_none() { "ready" } else { "unconnected" }.to_owned(),
                    last_error,
                    calls: counts.started,
                    failed: counts.failed,
                    in_flight: counts.in_flight().try_into().unwrap_or(u32::MAX),
                    connections: pool.made(),
                    ..ServerWhy::default()
                };
                Why { servers: vec![server], server_count: 1, ..named() }
            }
            Servers::Many(fleet) => fleet.state(),
            Servers::Routed(routed) => routed.state(),
            Servers::Combined(_) => named(),
        }
    }

    /// For each key a number that stands for the server to which calls with it go now, where that is known.
    pub fn of_keys(&self, keys: &[u64]) -> Vec<Option<usize>> {
        match self {
            Servers::One(_) => vec![Some(0); keys.len()],
            Servers::Many(fleet) => fleet.of_keys(keys),
            Servers::Routed(_) | Servers::Combined(_) => vec![None; keys.len()],
        }
    }

    /// Whether another attempt may go to another server.
    #[inline]
    pub fn are_many(&self) -> bool {
        matches!(self, Servers::Many(_) | Servers::Routed(_))
    }

    /// Posts a request to a connection for the calling thread. Hot: once per call.
    ///
    /// # Errors
    /// There is no connection that takes it.
    #[inline]
    pub fn post<P: Post>(
        &self,
        request: P,
        patience: Patience,
        search: &mut Search,
    ) -> Result<(P::Posted, InFlightGuard), Undelivered<P>> {
        match self {
            Servers::One(pool) => {
                attempt::offer(pool, request, patience, patience, search, |posted, guard| (posted, guard))
                    .map_err(attempt::undelivered)
            }
            Servers::Many(fleet) => fleet.post(request, patience, search),
            Servers::Routed(routed) => routed.post(request, patience, search),
            Servers::Combined(spec) => Err(Undelivered { request, why: attempt::post_error::combined(spec) }),
        }
    }

    /// [`Servers::post`] for a call with one request and one reply, whose parts are passed to `then`. It is
    /// expanded in the crates of users: of the ways only that to one server, the others would be compiled
    /// again in each.
    ///
    /// # Errors
    /// There is no connection that takes it.
    #[inline]
    pub fn post_call(
        &self,
        draft: Draft,
        patience: Patience,
        search: &mut Search,
        then: impl FnOnce(Caller, InFlightGuard),
    ) -> Result<(), Undelivered<Draft>> {
        match self {
            Servers::One(pool) => {
                attempt::offer(pool, draft, patience, patience, search, then).map_err(attempt::undelivered)
            }
            _ => self.post_call_to_any(draft, patience, search).map(|(caller, guard)| then(caller, guard)),
        }
    }

    fn post_call_to_any(
        &self,
        draft: Draft,
        patience: Patience,
        search: &mut Search,
    ) -> Result<(Caller, InFlightGuard), Undelivered<Draft>> {
        self.post(draft, patience, search)
    }

    /// Waits until a call that was not posted for lack of a server or of a token may find one; at most until
    /// `deadline`.
    pub fn ready(&self, deadline: Option<Instant>, search: &Search) -> Waiting {
        let spec = self.spec();
        if let Some(credentials) = &spec.credentials
            && let Some(waiting) = credentials.renewal().wait(deadline, &spec.address)
        {
            return waiting;
        }
        match self {
            Servers::One(_) | Servers::Combined(_) => Box::pin(std::future::ready(None)),
            Servers::Many(fleet) => fleet.ready(deadline, search),
            Servers::Routed(routed) => routed.ready(deadline, search),
        }
    }
}
