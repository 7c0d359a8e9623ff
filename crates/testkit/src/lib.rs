//! What tests of every layer share: nothing here is used by the product itself.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`hex`] | golden bytes from the hex text of a sheet |
//! | [`Side`] | one end of a connection: a machine with its buffers, a [`ScriptedHost`] and a clock moved by hand |
//! | [`Seen`] | owned mirror of what a machine reports, to compare and to print |
//! | [`Call`] | an owned call for a client machine to open |
//! | [`at_every_split`], [`at_every_truncation`], [`survives_noise`], [`survives`] | what every parser must stand |
//! | [`lab`] | a protocol that can do all that the contract allows, for tests of engine, client and server |
//! | [`Random`] | reproducible noise from a printed seed |
//!
//! Not here: sockets, threads, the real clock.

#![forbid(unsafe_code)]

mod call;
mod hex;
mod host;
pub mod lab;
mod noise;
mod random;
mod seen;
mod side;
mod split;
#[cfg(test)]
mod tests;

pub use call::Call;
pub use hex::{hex, hex_dump};
pub use host::{Asked, AskedReply, ScriptedHost};
pub use noise::{survives, survives_noise};
pub use random::Random;
pub use seen::{Octets, Seen, SeenHead, SeenOpen, SeenOutcome, SeenTarget};
pub use side::{Side, epoch, pass};
pub use split::{Rest, Run, at_every_split, at_every_split_reacting, at_every_truncation};
