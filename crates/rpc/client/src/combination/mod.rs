//! Channels that are made of channels. Each is a [`Channel`](crate::Channel), so that it can be used wherever
//! one can: by stubs, for calls with raw bytes, and in another combination.
//!
//! ```text
//!  call ─► Core::combination ─► Parallel ─┬─► part 0 ─► channel ─► reply ─┐
//!                                         ├─► part 1 ─► channel ─► reply ─┼─► merged
//!                                         └─► part 2 ─► channel ─► error  ┘
//! ```
//!
//! | where | what it is |
//! | --- | --- |
//! | `parallel.rs` | every call goes to all channels, and their replies become one |
//! | `selective.rs`, `chosen.rs` | every call goes to one of the channels, and to another if that fails |
//! | `partitioned.rs`, `partitions.rs`, `dynamic.rs` | the servers of a name by partitions: a parallel channel of one channel for each |
//! | `part.rs`, `reply.rs` | what a channel of a parallel one is sent, and what it answers; mappers and mergers |
//! | `verdict.rs` | when a call to several channels is over, and with which error |
//! | `fan_out.rs` | polls many calls, each only when it has something to say |
//! | `core.rs` | makes a channel from a combination |
//!
//! A call on a plain thread runs on the default engine while the thread waits.
//!
//! A call has one deadline, which all its parts share. Dropping the call drops its parts, so servers are
//! notified as of any cancelled call.

pub(crate) mod chosen;
pub(crate) mod core;
pub(crate) mod dynamic;
pub(crate) mod fan_out;
pub(crate) mod parallel;
pub(crate) mod part;
pub(crate) mod partitioned;
pub(crate) mod partitions;
pub(crate) mod reply;
pub(crate) mod selective;
pub(crate) mod verdict;
