//! How bytes move: shards, sockets, timers, workers and the connection pump.
//!
//! ```text
//!  thread "shard 0"                                     work pool (threads at nice +10)
//!  +-----------------------------------------------+    +------------------------------+
//!  | tokio current_thread runtime                  |    | handlers that are not quick  |
//!  |  Connection: transport, machine, dispatcher   |--->| or block                     |
//!  |   read -> poll* -> handler -> finish -> write |<---| completions by Line + Inbox  |
//!  +-----------------------------------------------+    +------------------------------+
//! ```
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Engine`] | the shards, the work pool and the watchdog: an explicit value |
//! | [`Pump`] | the machines of a connection and its [`Dispatcher`], without a socket: bytes in, bytes out, time in |
//! | [`Connection`] | one socket and its pump: reads, pumps, flushes |
//! | [`Transport`] | TCP, Unix, in-memory byte streams |
//! | [`Line`] | where a call or a stream meets its connection, from whatever thread |
//! | [`inline`] | polling handlers where their request was parsed, as long as they are quick |
//!
//! Not here: what bytes mean (`protocols`), what a call is (`client`, `server`).
//!
//! Under `--cfg loom` only [`Line`] is built, for its model tests: the runtime beneath the rest has no such build.

#[cfg(not(loom))]
pub mod clock;
#[cfg(not(loom))]
mod connection;
#[cfg(not(loom))]
mod dispatcher;
#[cfg(not(loom))]
mod engine;
#[cfg(not(loom))]
mod faults;
#[cfg(not(loom))]
pub mod inline;
#[cfg(not(loom))]
mod input;
mod line;
#[cfg(all(test, loom))]
mod loom_line;
#[cfg(not(loom))]
mod machines;
#[cfg(not(loom))]
pub mod os;
#[cfg(not(loom))]
mod pump;
#[cfg(not(loom))]
mod shard;
mod spare;
mod sync;
#[cfg(not(loom))]
pub mod transport;
#[cfg(not(loom))]
mod vitals;
#[cfg(not(loom))]
mod watchdog;

#[cfg(not(loom))]
pub use connection::{Authenticate, Config, Connection};
#[cfg(not(loom))]
pub use dispatcher::{Dispatcher, Next, Turn, Wires};
#[cfg(not(loom))]
pub use engine::{Builder, Engine, Priority};
#[cfg(not(loom))]
pub use faults::{Fault, Faults};
#[cfg(not(loom))]
pub use input::Space;
pub use line::{Answerer, Caller, Desk, Draft, Line, Name, Pipe, Request, Sink, Source};
#[cfg(not(loom))]
pub use machines::Machines;
#[cfg(not(loom))]
pub use pump::{Pump, Pumped};
#[cfg(not(loom))]
pub use shard::{Attach, Shard, current as current_shard, current_id as current_shard_id, home, home_id};
#[cfg(not(loom))]
pub use transport::{Peer, Transport};
#[cfg(not(loom))]
pub use vitals::{Signal, Timeouts, Vitals};
#[cfg(not(loom))]
pub use watchdog::MethodName;
