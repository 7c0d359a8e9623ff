//! A relay: calls of services that a server does not have go to the servers of a channel, or of several.
//!
//! ```text
//!  caller ─► Server, which has no such method ─► Relay ─► Channel ─► servers of that service
//!                     catch_all                    │ names, message, fields, deadline go on
//!                                                  `─ the frame around them is that of the channel's protocol
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `relay.rs` | [`Relay`], and which of the two ways a call takes |
//! | `routes.rs` | [`Routes`]: which channel a call goes to |
//! | `split.rs` | [`Split`]: several channels for the same calls, by weights |
//! | `tries.rs` | how long the calls of a route may take, and how often they are tried |
//! | `calls.rs` | [`Calls`], which a route is for, by names and fields |
//! | `passage.rs` | [`Passage`]: whether streams and attachments go on |
//! | `unary.rs` | calls of one message each way |
//! | `offered.rs` | streams that are offered in a call of one message |
//! | `streams.rs` | calls that may stream: both directions at once, each as fast as its reader |
//! | `fields.rs` | which fields of a request and of a reply go on |
//! | `changes.rs` | [`FieldChanges`]: what a route changes of them |
//! | `hops.rs` | which relays a call has passed: it ends if it comes back |
//! | `cluster.rs` | [`Cluster`]: a channel, what is known of its servers, and what is said when they cannot be reached |
//! | `fault.rs` | faults that a route injects into some of its calls |
//! | `first.rs` | two futures at once |
//! | `idl.rs` | what methods call their parameter and their return value, for ubrpc |
//! | `limit.rs` | how many calls may be under way |
//! | `schemas.rs` | [`Schemas`]: the messages of methods, which can be replaced while calls are made |
//! | `order.rs` | the order of a service's methods, where a protocol says a number in place of a name |
//! | `translation.rs` | whether the messages of a call go on unread, or between JSON, mcpack and protobuf |
//! | `writing.rs` | where messages are written anew, and what they are charged for |
//! | `rules.rs`, `bound.rs` | requests of plain HTTP by rules of `google.api.http`: which method they are for, and their message |
//! | `shadow/` | [`Shadow`]: copies of calls to other servers, whose answers are compared |
//! | `difference/` | how two answers differ, by their fields |
//! | `figures/` | [`Figures`]: what is counted of calls, by route and cluster |
//! | `passing.rs` | one call from its arrival to its end, for what counts it and for the access log |
//! | `failure.rs` | whether a relay or the server behind it has failed |
//!
//! Not here: who may call; the file of `polywire gateway` (crate `cli`).

#![forbid(unsafe_code)]

mod bound;
mod calls;
mod changes;
mod cluster;
mod decompression;
#[doc(hidden)]
pub mod difference;
mod failure;
mod fault;
mod fields;
mod figures;
mod first;
mod hops;
mod idl;
mod limit;
mod offered;
mod order;
mod passage;
mod passing;
mod pump;
mod queued;
mod recoding;
mod relay;
mod routes;
mod rules;
mod schemas;
mod shadow;
mod split;
mod streams;
#[cfg(test)]
mod tests;
mod translation;
mod tries;
mod unary;
mod writing;

pub use calls::{Calls, Mismatch};
pub use changes::FieldChanges;
pub use cluster::Cluster;
pub use figures::{Figures, RouteFigures, Side, Way};
pub use passage::Passage;
#[doc(inline)]
pub use polywire_server::{are_plain_names, called_by_path};
pub use relay::Relay;
pub use routes::Routes;
pub use schemas::Schemas;
pub use shadow::{Fate, PlaceFigures, Shadow, ShadowFigures};
pub use split::Split;
