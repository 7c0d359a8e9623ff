//! xDS as gRPC speaks it: a channel's servers, routes and policies from a control plane.
//!
//! ```text
//!  "xds:///echo" ──► Xds::open ──► Router ── TableUpdates ──► the channel's RouteTable
//!                                    │
//!   bootstrap ──► Core: Ads, one per control plane ──► depend: listener, routes, clusters, endpoints ──► Snapshot ──► table
//! ```
//!
//! Only `client/` uses sockets: in all other modules responses and time go in, requests and snapshots come
//! out.
//!
//! | where | what it is |
//! | --- | --- |
//! | `bootstrap/` | which control planes there are, and who we are |
//! | `ads/` | the stream to one control plane: requests, acceptance and refusal, what is missing |
//! | `resources/` | resources, checked and turned into plain types |
//! | `depend.rs`, `core/` | which resources a target needs, and the snapshot that they come to |
//! | `table.rs`, `servers.rs` | a snapshot as a table of routes with sources of servers |
//! | `client/` | streams, names and time: runs the core |
//! | `csds.rs` | what the clients of a process know, as a service of a server |
//! | `messages.rs`, `generated/` | output of `polywire-build` for `proto/`; `xtask/tests/standard.rs` checks that it is current |
//!
//! docs/xds.md lists what is supported, ignored and refused. Not here: the routing of calls (crates `routing`
//! and `client`).

#![forbid(unsafe_code)]

mod ads;
mod bootstrap;
mod client;
mod core;
pub mod csds;
mod depend;
#[cfg(feature = "__internals")]
#[doc(hidden)]
pub mod internals;
mod json;
mod messages;
mod resources;
mod servers;
mod table;

pub use bootstrap::Bootstrap;
pub use client::{SCHEME, Xds};

// Names by which generated code refers to its runtime.
mod generated {
    pub use polywire_formats::generated::*;
}
use polywire_formats::{EnumValue, Map, MessageField, wkt};
