//! The room of a channel's servers: which of them a call goes to.
//!
//! ```text
//!                     ┌─ One:  the address of the channel ────────────────────────────┐
//!  call ─► Servers ───┤                                                               ├─► Pool ─► a connection
//!                     └─ Many: Fleet ─► picker: ready servers, by the balancer ─► Picked ┘
//!                                 ▲            ▲                                    │
//!                     naming: sets┘            └── how the call ended: feedback ◄───┘
//! ```
//!
//! A channel with one address asks nothing and counts nothing here. A channel with a naming url has a [`Fleet`]: the newest set, the
//! connections to each of its servers, and what is known of them.
//!
//! | where | what it is |
//! | --- | --- |
//! | `fleet.rs` | the servers of a name, and the attempts of calls on them |
//! | `options.rs` | the options of channels with several servers |
//! | `probes.rs`, `probed.rs` | probes of the balancer prequal |
//! | `current.rs` | the newest set, which calls choose from while others replace it |
//! | `nearby.rs` | the picker of a set: over all servers, or over those of the own zone first |
//! | `keeper.rs` | the task that takes new sets from naming, and sweeps for outliers |
//! | `server.rs`, `revival.rs` | one server; how it comes back that could not be reached |
//! | `picked.rs`, `lease.rs`, `end.rs` | what a call holds of its server, and what its end says of it |
//! | `probes.rs` | what the balancer `prequal` asks the servers |
//! | `query.rs`, `route.rs` | what the balancer is told of the thread and of the call |
//! | `trace.rs` | where some of the last calls went |
//! | `unposted.rs` | calls for which there is no server |

mod current;
mod end;
mod fleet;
mod keeper;
mod lease;
mod nearby;
mod options;
mod picked;
mod probed;
pub(crate) mod probes;
mod query;
mod revival;
mod route;
mod server;
mod trace;
mod unposted;

pub(crate) use end::of as end_of;
pub(crate) use fleet::Fleet;
pub(crate) use lease::Lease;
pub(crate) use options::{Filter, FleetOptions, Zone};
pub(crate) use query::{ask, random, thread_number};
pub(crate) use route::Route;
pub(crate) use unposted::{NotPosted, Unposted, Waiting};

use crate::{
    connection::{backoff::Patience, spec::ConnectSpec},
    pool::{Attempted, Pool},
    why::{ServerWhy, Why},
};
use polywire_exchange::{Caller, Draft, Request, Sink, Source};
use std::{sync::Arc, time::Instant};

/// The servers of a channel.
pub(crate) enum Servers {
    /// The channel has an address.
    One(Arc<Pool>),
    /// The channel has a name, which stands for any number of servers.
    Many(Arc<Fleet>),
    /// The channel is a combination of others, which have servers: nothing can be posted here.
    Combined(Arc<ConnectSpec>),
}

impl Servers {
    /// What all connections have in common; the address is that of the channel.
    pub fn spec(&self) -> &Arc<ConnectSpec> {
        match self {
            Servers::One(pool) => pool.spec(),
            Servers::Many(fleet) => fleet.spec(),
            Servers::Combined(spec) => spec,
        }
    }

    /// The number of connections made so far on homes.
    pub fn made(&self) -> usize {
        match self {
            Servers::One(pool) => pool.made(),
            Servers::Many(fleet) => fleet.made(),
            Servers::Combined(_) => 0,
        }
    }

    /// Whether a call that is posted now may find a server.
    pub fn is_ready(&self) -> bool {
        match self {
            Servers::One(pool) => !pool.spec().backoff.is_pausing(),
            Servers::Many(fleet) => fleet.is_ready(),
            Servers::Combined(_) => false,
        }
    }

    /// What is known of the servers, and where the last calls went.
    pub fn why(&self) -> Why {
        let spec = self.spec();
        let named = || Why {
            channel: spec.address.to_string(),
            protocol: spec.protocol.name,
            is_known: true,
            ..Why::default()
        };
        match self {
            Servers::One(pool) => {
                let last_error = spec.backoff.why();
                let server = ServerWhy {
                    address: spec.address.to_string(),
                    is_ready: last_error.is_none(),
                    state: if last_error.is_none() { "ready" } else { "unconnected" }.to_owned(),
                    last_error,
                    connections: pool.made(),
                    ..ServerWhy::default()
                };
                Why { servers: vec![server], server_count: 1, ..named() }
            }
            Servers::Many(fleet) => fleet.why(),
            Servers::Combined(_) => named(),
        }
    }

    /// Whether another attempt may go to another server.
    #[inline]
    pub fn are_many(&self) -> bool {
        matches!(self, Servers::Many(_))
    }

    /// Posts a call to a connection for the calling thread. Hot: once per call.
    #[inline]
    pub fn post(
        &self,
        draft: Draft,
        patience: Patience,
        route: &mut Route,
    ) -> Result<(Caller, Lease), NotPosted> {
        match self {
            Servers::One(pool) => match pool.post(draft, patience) {
                Ok((caller, exclusive)) => Ok((caller, exclusive.into())),
                Err(not_posted) => Err(not_posted.into()),
            },
            Servers::Many(fleet) => fleet.post(draft, patience, route),
            Servers::Combined(spec) => Err(NotPosted { draft, why: unposted::combined(spec) }),
        }
    }

    /// Posts a call with streams.
    ///
    /// # Errors
    /// There is no connection that takes it.
    pub fn post_stream(
        &self,
        request: &Request,
        patience: Patience,
        route: &mut Route,
    ) -> Result<(Source, Sink, Lease), Unposted> {
        match self {
            Servers::One(pool) => match pool.post_stream(request, patience) {
                Ok((source, sink, exclusive)) => Ok((source, sink, exclusive.into())),
                Err(status) => Err(Unposted::failed(status)),
            },
            Servers::Many(fleet) => fleet.post_stream(request, patience, route),
            Servers::Combined(spec) => Err(unposted::combined(spec)),
        }
    }

    /// Posts a call that offers so many streams; returns our ends of them, too.
    ///
    /// # Errors
    /// There is no connection that takes it.
    pub fn post_offering(
        &self,
        draft: Draft,
        streams: usize,
        patience: Patience,
        route: &mut Route,
    ) -> Result<(Caller, Lease, Vec<(Source, Sink)>), NotPosted> {
        match self {
            Servers::One(pool) => match pool.post_offering(draft, streams, patience) {
                Ok(((caller, exclusive), ends)) => Ok((caller, exclusive.into(), ends)),
                Err(not_posted) => Err(not_posted.into()),
            },
            Servers::Many(fleet) => fleet.post_offering(draft, streams, patience, route),
            Servers::Combined(spec) => Err(NotPosted { draft, why: unposted::combined(spec) }),
        }
    }

    /// Makes one attempt of a call on the calling thread, which waits for its end.
    ///
    /// # Errors
    /// There is no connection that takes it.
    pub fn call_blocking(
        &self,
        draft: Draft,
        patience: Patience,
        route: &mut Route,
    ) -> Result<Attempted, NotPosted> {
        match self {
            Servers::One(pool) => Ok(pool.call_blocking(draft, patience)?),
            Servers::Many(fleet) => fleet.call_blocking(draft, patience, route),
            Servers::Combined(spec) => Err(NotPosted { draft, why: unposted::combined(spec) }),
        }
    }

    /// Waits until a call may find a server that was not posted because there was none; not past `deadline`.
    pub fn ready(&self, deadline: Option<Instant>) -> Waiting {
        match self {
            Servers::One(_) | Servers::Combined(_) => Box::pin(std::future::ready(None)),
            Servers::Many(fleet) => fleet.ready(deadline),
        }
    }
}
