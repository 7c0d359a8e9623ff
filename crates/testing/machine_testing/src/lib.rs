//! Tools for tests of every layer: nothing here is used by the product itself.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`hex`] | golden bytes from the hex text of a sheet |
//! | [`Side`] | one end of a connection: a machine with its buffers, a [`ScriptedHost`] and a clock set by hand |
//! | [`Seen`] | owned mirror of what a machine reports, to compare and to print |
//! | [`Call`] | an owned call for a client machine to open |
//! | [`at_every_split`], [`at_every_truncation`], [`survives_noise`], [`survives`] | tests that every parser must pass |
//! | [`MachinePair`] | two machines on a simulated network, in virtual time |
//! | [`FaultPlan`], [`Pipe`] | faults of a byte stream: pieces, delay, end, reset, silence |
//! | [`Script`] | a scripted peer: what it sends, and what it expects |
//! | `Faulty`, `Gate`, `block_on` (feature `net`) | the same faults on the engine's transports |
//! | [`lab`] | a protocol that uses everything that the contract allows, for tests of engine, client and server |
//! | [`Random`] | reproducible noise from a printed seed |
//! | [`until`] | a bounded wait for a condition without a notification |
//! | [`Log`] | what code under test has done, in order |
//! | [`Written`] | a writer whose text is kept |
//! | [`Counting`] | an allocator that counts the bytes in use |
//!
//! Not here: threads, the real clock (except for the limit of [`until`]). Only `Script::play` may be given a
//! socket.
//!
//! Feature `net` (off by default) adds the engine and with it a runtime, which tests of protocols do not
//! need.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Not `forbid`: `counting` is an allocator.
#![deny(unsafe_code)]

mod call;
mod counting;
mod fault;
#[cfg(feature = "net")]
mod faulty;
mod hex;
mod host;
pub mod lab;
mod log;
mod noise;
mod pair;
mod pipe;
mod random;
mod script;
mod seen;
mod side;
mod split;
#[cfg(test)]
mod tests;
mod until;
mod written;

pub use call::Call;
pub use counting::Counting;
pub use fault::{Fate, FaultPlan};
#[cfg(feature = "net")]
pub use faulty::{Faulty, Gate, block_on};
pub use hex::{hex, hex_dump};
pub use host::{Asked, AskedReply, ScriptedHost};
pub use log::Log;
pub use noise::{survives, survives_noise};
pub use pair::{End, MachinePair};
pub use pipe::{Arrival, Pipe};
pub use random::Random;
pub use script::{Deviation, Script, Stream};
pub use seen::{Octets, Seen, SeenClaim, SeenHead, SeenOpen, SeenOutcome, SeenTarget};
pub use side::{Side, epoch, pass};
pub use split::{Rest, Run, at_every_split, at_every_split_reacting, at_every_truncation};
pub use until::until;
pub use written::Written;
