//! A client of memcached.
//!
//! ```no_run
//! # async fn example() -> Result<(), polywire::memcache::Error> {
//! use polywire::{Channel, memcache};
//! use std::time::Duration;
//!
//! let channel = Channel::builder("127.0.0.1:11211").protocol("memcache").build().expect("an address");
//! let cache = memcache::Client::new(channel);
//! cache.set("greeting", "hello").expires(Duration::from_secs(60)).await?;
//! if let Some(item) = cache.get("greeting").await? {
//!     println!("{:?}, flags {}, cas {}", item.value, item.flags, item.cas);
//! }
//! let hits = cache.incr("hits", 1).or_begin_at(1).await?;
//! # let _ = hits;
//! # Ok(())
//! # }
//! ```
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Client`] | a server, or several, behind a channel whose protocol is `memcache` (binary) or `memcache_meta` |
//! | [`Operation`] | what is asked of a server, with its options; awaiting it sends it |
//! | [`Batch`] | operations that are sent in one write, to each server, and awaited together |
//! | [`Answer`] | what became of one operation of a batch |
//! | [`CommandLine`] | an operation that was typed, for programs with a command line |
//! | [`Item`], [`Error`] | a value with its flags and CAS; what an operation can fail with |
//!
//! Not here: bytes on the wire (crate `protocols`, `memcache/`), servers and their choice (crates `client`,
//!           `balance`).

#![forbid(unsafe_code)]

mod answer;
mod batch;
mod binary;
mod client;
mod error;
mod form;
mod key;
mod meta;
mod operation;
mod request;
mod text;

pub use answer::{Answer, Item, Recache};
pub use batch::{Batch, BatchFuture};
pub use client::Client;
pub use error::{Error, KeyError};
pub use operation::{Operation, OperationFuture};
pub use text::CommandLine;
