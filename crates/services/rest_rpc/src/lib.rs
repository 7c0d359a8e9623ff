//! rest_rpc: functions by name, topics; C++'s msgpack (v0.12, v0.20: format A) and struct_pack (v0.21: format
//! B) as Rust types, through serde.
//!
//! ```no_run
//! # async fn example() -> polywire::Result<()> {
//! use polywire::{Channel, Server, rest_rpc};
//!
//! let news = rest_rpc::Publisher::new();
//! let functions = rest_rpc::Functions::new()
//!     .function("add", |a: i32, b: i32| a + b)
//!     .function("echo", |text: String| async move { text })
//!     .publisher(&news);
//! let running = Server::new().service(functions).listen("0.0.0.0:9000").start()?;
//! news.publish("weather", &"rain")?;
//!
//! let channel = Channel::builder("127.0.0.1:9000").protocol("rest_rpc:a").build()?; // :b for v0.21, which is the default
//! let client = rest_rpc::Client::new(channel);
//! let sum: i32 = client.call("add", (1, 2)).await?;
//! let mut weather = client.subscribe::<String>("weather").await?;
//! while let Some(next) = weather.next().await {
//!     println!("{}", next?);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Functions`], [`Function`] | the functions of a server, for clients of both formats |
//! | [`Publisher`] | topics of a server |
//! | [`Client`], [`RemoteFunction`], [`Subscription`] | the client's side |
//! | [`ByteString`], [`Set`] | C++ types without a counterpart in Rust |
//!
//! `polywire_formats::struct_pack` has a table of Rust types for C++ types; in msgpack the same types are
//! used, and structs are arrays, as with `MSGPACK_DEFINE`.
//!
//! Not here: bytes on the wire (crate `protocols`).

#![forbid(unsafe_code)]

mod bytes;
mod client;
mod function;
mod plain;
mod publisher;
mod service;
mod subscription;
#[cfg(test)]
mod tests;
mod values;

pub use bytes::ByteString;
pub use client::{Client, Query, QueryFuture, RemoteFunction};
pub use function::{Function, Returns, Value};
pub use polywire_formats::struct_pack::Set;
pub use polywire_protocols::rest_rpc::{Format, SERVICE, function_id};
pub use publisher::{Publisher, PublisherOptions};
pub use service::Functions;
pub use subscription::Subscription;
