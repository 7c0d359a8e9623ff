//! Redis: services, a key-value store, a client.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`RedisService`], [`service`] | the trait of services that answer commands, and how a server gets one |
//! | `Store` | a key-value store in memory with the everyday commands; it needs the feature `redis-store` |
//! | [`Value`], [`FromValue`] | replies as trees, and as Rust types |
//! | [`Commands`] | a handler for each command, as in brpc's `RedisService` |
//! | [`Client`] | a client: a method for each everyday command, pipelines, transactions that are sent as a whole |
//! | [`Cluster`] | a cluster of servers, whose client sends each command to the node that has its keys |
//! | [`Session`] | a connection of one's own, for WATCH and for commands that block |
//! | [`Subscriber`] | subscriptions, which survive their connections |
//! | [`Sentinel`] | the master of a name, as a source of servers for a channel |
//! | [`Script`] | a script that is sent once and called by its digest |
//! | [`commands!`], [`Execute`] | commands of one's own, with methods like those of the built-in ones |
//! | [`Command`] | a command, built argument by argument |
//!
//! Not here: bytes on the wire (crate `protocols`).

#![forbid(unsafe_code)]

mod backend;
mod client;
mod cluster;
mod conversation;
mod execute;
mod handlers;
mod pipeline;
mod query;
mod sentinel;
mod service;
mod session;
#[cfg(feature = "redis-store")]
pub mod store;
mod subscriber;
mod target;
mod typed;

pub use client::Client;
#[doc(hidden)]
pub use cluster::read_topology;
pub use cluster::{Builder as ClusterBuilder, Cluster, MAX_NODES, ReadFrom, Slot};
#[doc(hidden)]
pub use execute::{__Add, __words};
pub use execute::{Arguments, Execute};
pub use handlers::{Answer, Commands, Transaction};
pub use pipeline::Pipeline;
pub use polywire_protocols::redis::{
    Args, Argument, Attributed, COMPATIBLE_WITH, Command, FromValue, KeyPlaces, Pairs, ParseError, ReplyBuf,
    Value, Verbatim, Version, Writer, cut_text, double_text, line_status, status_line, unknown_command,
    wrong_arguments,
};
pub use query::{Query, QueryFuture};
pub use sentinel::Sentinel;
pub use service::{Execution, RedisService, service};
pub use session::{Session, SessionQuery};
#[cfg(feature = "redis-store")]
pub use store::Store;
pub use subscriber::{Event, Kind, MAX_SUBSCRIPTION_BYTES, MAX_SUBSCRIPTIONS, Message, Subscriber};
pub use typed::{Expiry, Script, SetOptions, When};
