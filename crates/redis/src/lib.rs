//! Redis: services, a key-value store, a client.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`RedisService`], [`service`] | the trait of services that answer commands, and how a server gets one |
//! | [`Store`] | a key-value store in memory with the everyday commands |
//! | [`Value`], [`FromValue`] | replies as trees, and as Rust types |
//! | [`Commands`] | a handler for each command, as in brpc's `RedisService` |
//! | [`Client`] | a client: a method for each everyday command, pipelines, transactions that are sent as a whole |
//! | [`Command`] | a command, built argument by argument |
//!
//! Not here: bytes on the wire (crate `protocols`), redirections of a cluster.

#![forbid(unsafe_code)]

mod client;
mod handlers;
mod service;
pub mod store;

pub use client::{Client, Pipeline, Query, QueryFuture};
pub use handlers::{Answer, Commands, Transaction};
pub use polywire_protocols::redis::{
    Args, Argument, Attributed, COMPATIBLE_WITH, Command, FromValue, ParseError, ReplyBuf, Value, Verbatim,
    Version, Writer, cut_text, double_text, line_status, status_line, unknown_command, wrong_arguments,
};
pub use service::{Execution, RedisService, service};
pub use store::Store;
