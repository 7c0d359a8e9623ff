//! Moves bytes: shards, sockets, timers, workers and the connection pump.
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
//! | [`inline`] | polling handlers where their request was parsed, as long as they are quick |
//!
//! Not here: the meaning of bytes (`protocols`), the way of calls from other threads to a connection
//! (`exchange`), calls themselves (`client`, `server`).

#![cfg_attr(docsrs, feature(doc_cfg))]
pub mod backlog;
pub mod clock;
mod closed;
mod config;
mod connection;
mod connection_stats;
mod dispatcher;
mod engine;
mod faults;
pub mod inline;
mod input;
mod machines;
pub mod memory;
pub mod os;
mod pump;
mod reused_box;
mod shard;
mod shard_report;
mod slow_polls;
mod spare;
mod task;
mod tracer;
pub mod transport;
mod watch;
mod watchdog;

pub use closed::{ClosedConnection, ClosedConnections, MOST_CLOSED};
pub use config::{Authenticate, Config};
pub use connection::{Connection, NEW};
pub use connection_stats::{
    Callers, ConnectionStats, End, MOST_QUESTIONS, OnEnd, Question, Signal, Timeouts,
};
pub use dispatcher::{Dispatcher, Next, Turn, Wires};
pub use engine::{Builder, Engine, Priority, sleep};
pub use faults::{Fault, Faults};
pub use input::Space;
pub use machines::Machines;
pub use memory::HeldBytes;
pub use pump::{Pump, Pumped};
pub use shard::{
    Attach, Shard, current as current_shard, current_id as current_shard_id, home, home_id, until_active,
};
pub use shard_report::ShardReport;
pub use slow_polls::{SLOW_POLLS, SlowPoll};
pub use task::{spawn_blocking, spawn_on};
pub use tracer::{keep_calendar, tracer};
pub use transport::{Peer, Transport};
pub use watch::MethodName;
