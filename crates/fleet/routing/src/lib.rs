//! Routing: a table, which may change, of the cluster of servers for each call.
//!
//! ```text
//!  Router::watch ── TableUpdates::table ──► RouteTable ── routes ── matcher: path, headers, a share by chance
//!                                               │            └───── action: clusters by weight, or an error
//!        call: path, metadata ──► find ─────────┤                   time limit, retries, keys, faults
//!                                               └─ clusters ─────── servers (a naming source), balancer, limits, drops
//! ```
//!
//! A channel with a naming source has one set of servers, and every call goes to one of them. A channel with
//! a [`Router`] has any number of clusters, each with a naming source of its own, and the first route that a
//! call matches decides which of them it goes to. The client uses the newest table; it opens a cluster's
//! source when a table names the cluster first, and closes it once no table names it and no call is under way
//! there.
//!
//! | where | what it is |
//! | --- | --- |
//! | `table.rs`, `table/` | routes and clusters, checked; where a call goes |
//! | `route.rs` | one route |
//! | `matcher/`, `pattern.rs`, `fraction.rs` | which calls a route is for: path, headers, a share by chance |
//! | `retry.rs`, `hash.rs`, `fault.rs` | what else a route says of its calls |
//! | `cluster.rs`, `tls.rs` | one cluster, and how its servers are connected to |
//! | `router.rs`, `watch.rs` | the trait of all routers, and what runs one |
//! | `schemes.rs` | the routers by the scheme of their urls |
//!
//! Nothing here does I/O, and only `watch.rs` reads a clock: random numbers are passed in with each query.
//!
//! Not here: the calls themselves (crate `client`), the sources of tables.

#![forbid(unsafe_code)]

mod cluster;
mod fault;
mod fraction;
mod hash;
mod matcher;
mod pattern;
mod retry;
mod route;
mod router;
mod schemes;
mod table;
mod tls;
mod watch;

pub use cluster::{Cluster, DropShare, InFlight, watch_at_once};
pub use fault::{Abort, AbortWith, Delay, DelayLength, Fault, Injected};
pub use fraction::Fraction;
pub use hash::{HashOf, HashPolicy, key};
pub use matcher::{Head, HeaderMatch, HeaderTest, Matcher, PathMatch};
pub use pattern::{Pattern, Rewrite};
pub use retry::RetryPolicy;
pub use route::{Action, Route, Target};
pub use router::{Router, TableUpdates, router_fn};
pub use schemes::{RouterScheme, RouterSchemes, Routing};
pub use table::{Found, NotFound, RouteTable};
pub use tls::{CertificateNames, ClusterTls, NameKind, NameMatch, NameTest};
pub use watch::{WatchedTable, watch_router};
