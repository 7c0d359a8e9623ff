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
//! | [`Connection`] | one socket, its machines and its [`Dispatcher`]: reads, pumps, flushes |
//! | [`Transport`] | TCP, Unix, in-memory byte streams |
//! | [`Line`] | where a call or a stream meets its connection, from whatever thread |
//! | [`inline`] | polling handlers where their request was parsed, as long as they are quick |
//!
//! Not here: what bytes mean (`protocols`), what a call is (`client`, `server`).

mod connection;
mod dispatcher;
mod engine;
mod faults;
pub mod inline;
mod line;
mod machines;
pub mod os;
mod shard;
mod sync;
pub mod transport;
mod vitals;
mod watchdog;

pub use connection::{Config, Connection};
pub use dispatcher::{Dispatcher, Next, Turn, Wires};
pub use engine::{Builder, Engine};
pub use faults::{Fault, Faults};
pub use line::{Answerer, Caller, Desk, Line, Name, Pipe, Request, Sink, Source};
pub use machines::Machines;
pub use shard::{Shard, current as current_shard, current_id as current_shard_id, home, home_id};
pub use transport::{Peer, Transport};
pub use vitals::{Signal, Timeouts, Vitals};
pub use watchdog::MethodName;
