//! Sockets that span connections: one hub, many peers.
//!
//! ```text
//!  user -- send, route, publish --> [ Hub: peer: outbox ----------]--> Seat -- runs --> machine --> socket
//!  user <-- take, in fair turns --- [      peer: queue <----------]--- Seat <- parts -- machine <-- socket
//!                                   [  subscriptions, names, ring ]
//! ```
//!
//! Messages are written straight into the outbox of the peer that gets them, back to back, and leave for its connection as
//! runs of many; so that a burst costs one wake-up and one gathered write. What a peer sends waits in a queue of its own,
//! and the queues are emptied in turns. Beyond its mark a peer's outbox takes nothing: the sender waits, goes on to the
//! next peer, or drops and counts. Beyond its mark a peer's queue is granted nothing: its connection is not read.
//!
//! Not here: what messages look like (crate `protocols`), sockets of the system (crate `engine`), ZeroMQ's rules about who
//! adds which frame (crate `zmq`).

#![forbid(unsafe_code)]

mod debug;
mod hub;
mod left;
mod options;
mod outbox;
mod peer;
mod queue;
mod run;
mod seat;
mod subscriptions;
#[cfg(test)]
mod tests;
mod waiters;

pub use hub::{Hub, SendError};
pub use options::Options;
pub use peer::PeerId;
pub use seat::{Reception, Seat, Welcome};
pub use subscriptions::{Change, Subscriptions};
