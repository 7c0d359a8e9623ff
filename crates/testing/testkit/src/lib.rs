//! Servers and channels of one test on a network in memory, in virtual time: `polywire::testkit`.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Net`] | the network: servers by name, channels to them |
//! | [`Host`] | a program on the network that has channels and a name of its own |
//! | [`Served`] | a server of the network: can be stopped or crashed |
//! | [`Link`] | the link between two names: delay, jitter, bandwidth, faults |
//! | [`Event`], [`EventKind`] | a line of the network's log |
//! | [`conversation`] | what client and server have said, recorded and played again |
//!
//! Everything runs on the thread and the runtime of the test. All random choices follow from the seed of the
//! network, so a test does the same in each run.

#![forbid(unsafe_code)]

mod clock;
pub mod conversation;
mod half;
mod link;
mod log;
mod net;
mod rules;
mod served;
mod state;
mod stream;

pub use link::Link;
pub use log::{Event, EventKind};
pub use net::{Host, Net};
pub use served::Served;
pub use stream::NetStream;
