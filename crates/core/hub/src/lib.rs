//! Sockets that span connections: one hub, many peers.
//!
//! ```text
//!  user -- send, route, publish --> [ Hub: peer: outbox ----------]--> Seat -- runs --> machine --> socket
//!  user <-- take, in fair turns --- [      peer: queue <----------]--- Seat <- parts -- machine <-- socket
//!                                   [  subscriptions, names, ring ]
//! ```
//!
//! A message is written directly into the outbox of its peer, after the previous one. The peer's connection
//! takes messages in runs of many, so that a burst costs one wake-up and one gathered write. The messages
//! that a peer sends wait in a queue of its own, and the queues are emptied in turns.
//!
//! An outbox that has reached its high-water mark takes no more: the sender waits, tries the next peer, or
//! drops and counts the message. A queue that has reached its mark gets no more credit: its connection is not
//! read.
//!
//! Not here: the encoding of messages (crate `protocols`), sockets of the system (crate `engine`), and
//! ZeroMQ's rules for adding frames (crate `zmq`).

#![forbid(unsafe_code)]

mod debug;
mod hub;
mod left;
#[cfg(hub_measure)]
mod measure;
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
#[cfg(hub_measure)]
#[doc(hidden)]
pub use measure::lock_figures;
pub use options::Options;
pub use peer::PeerId;
pub use seat::{Decision, Reception, Seat};
pub use subscriptions::{Change, Subscriptions};
