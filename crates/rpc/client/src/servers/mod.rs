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
//! | `probes.rs`, `probed.rs` | probes of the balancer prequal |
//! | `current.rs` | the newest set, which calls choose from while others replace it |
//! | `nearby.rs` | the picker of a set: over all servers, or over those of the own zone first |
//! | `keeper.rs` | the task that takes new sets from naming, and sweeps for outliers |
//! | `shared_source.rs` | a source that several channels watch together |
//! | `server.rs`, `revival.rs` | one server; how it is connected to before calls go there |
//! | `dials.rs` | how many are connected to at a time, and which of them calls wait for |
//! | `outage.rs` | how soon that is tried while calls find no server |
//! | `health/` | health checks |
//! | `attempt.rs` | one attempt at one server |
//! | `server_guard.rs`, `in_flight.rs`, `end.rs` | what a call holds of its server and of all, and what its end says of it |
//! | `query.rs`, `search.rs` | what the balancer gets to know of the thread and of the call |
//! | `decision.rs` | what was chosen for a call on a channel with a router |
//! | `routed/` | the clusters of a channel with a router, and which of them a call goes to |
//! | `trace.rs`, `samples.rs` | where some of the last calls went; how long some of a server's calls took |
//! | `connectivity.rs`, `listed.rs` | whether calls can reach a server, and its connections, with the feature `channelz` |
//! | `past.rs` | what is counted of servers that have left |
//! | `post_error.rs` | calls for which there is no server |

mod attempt;
#[cfg(feature = "channelz")]
mod connectivity;
mod current;
mod decision;
mod dials;
mod end;
mod fleet;
mod health;
mod in_flight;
mod keeper;
#[cfg(feature = "channelz")]
mod listed;
mod nearby;
mod options;
mod outage;
mod past;
mod post_error;
mod probed;
pub(crate) mod probes;
mod query;
mod revival;
mod routed;
mod samples;
mod search;
mod server;
mod server_guard;
mod shared_source;
mod trace;

#[cfg(feature = "channelz")]
pub use connectivity::Connectivity;
pub(crate) use decision::Decision;
pub(crate) use end::of as end_of;
pub(crate) use fleet::Fleet;
pub(crate) use health::Asked;
pub(crate) use in_flight::InFlightGuard;
pub(crate) use options::{Filter, FleetOptions, PerServer, Zone};
pub(crate) use post_error::{PostError, Undelivered};
pub(crate) use query::{ask, random, thread_number};
pub(crate) use routed::Routed;
pub(crate) use search::Search;
pub(crate) use shared_source::SharedSource;

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
                attempt::offer(pool, request, patience, patience, search).map_err(attempt::undelivered)
            }
            Servers::Many(fleet) => fleet.post(request, patience, search),
            Servers::Routed(routed) => routed.post(request, patience, search),
            Servers::Combined(spec) => Err(Undelivered { request, why: post_error::combined(spec) }),
        }
    }

    /// [`Servers::post`] for a call with one request and one reply. It is expanded in the crates of users: of
    /// the ways only that to one server, the others would be compiled again in each.
    ///
    /// # Errors
    /// There is no connection that takes it.
    #[inline]
    pub fn post_call(
        &self,
        draft: Draft,
        patience: Patience,
        search: &mut Search,
    ) -> Result<(Caller, InFlightGuard), Undelivered<Draft>> {
        match self {
            Servers::One(pool) => {
                attempt::offer(pool, draft, patience, patience, search).map_err(attempt::undelivered)
            }
            _ => self.post_call_to_any(draft, patience, search),
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
