//! ZMTP, the protocol of ZeroMQ: sockets of eleven kinds, messages of several frames, three security
//! mechanisms.
//!
//! ```text
//!  0          10       12         32         33       64
//!  +----------+--------+-----------+-----------+--------+---------+-------- - -
//!  | FF .. 7F | 3 | 1  | mechanism | as-server | zeros  | command | frame ...      each way
//!  +----------+--------+-----------+-----------+--------+---------+-------- - -
//!  0       1          2 or 9
//!  +-------+----------+------ - -
//!  | flags | length   | body           flags: 1 MORE, 2 LONG, 4 COMMAND
//!  +-------+----------+------ - -
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `settings.rs`, `kind.rs` | settings of a connection; kinds of sockets |
//! | `greeting.rs`, `frame.rs`, `command.rs` | bytes |
//! | `security/` | NULL, PLAIN and CURVE |
//! | `keys.rs` | keys as text |
//! | `assembly.rs`, `unsent.rs` | frames to messages; what is left when a connection ends |
//! | `heartbeat.rs` | PING and PONG |
//! | `calls.rs` | requests as calls |
//! | `machine.rs` | the connection |
//!
//! # Messages
//! A connection of a socket is one peer: [`polywire_wire::Notice::Peer`] once the handshake is over, then
//! parts on [`polywire_wire::Exchange::CONNECTION`]. Each part is one whole message in wire form (frames back
//! to back), or up to `Settings::burst` of them, to be read with [`Frames`] or [`cut_frame`]. What is sent
//! there is one or more whole messages, written with [`write_message`]. Subscriptions are sent as messages
//! `01 topic` and `00 topic`, whatever form the peer's version requires, and arrive as
//! [`polywire_wire::Notice::Topic`]. Reading stops after `Limits::high_water` messages or `Limits::window`
//! bytes that are not granted.
//!
//! # Calls
//! A REP socket at the server and a DEALER socket at the client may carry calls instead; see `calls.rs` and
//! [`Delivery`]. Without settings, servers and clients carry calls.
//!
//! Source:     docs/wire/zmtp.md; ZeroMQ RFC 23, 24, 26, 28 to 31, 37
//! Invariants: a message is delivered whole or not at all; each of its frames lies in one segment.
//! Limits:     `Limits::max_message` bounds each frame and each message; so do `Settings::max_frames`,
//!             `max_topic` and `handshake`. `Limits::head` bounds a command of the handshake,
//!             `Limits::exchanges` the calls under way.
//! Errors:     see `error.rs`: each of them closes the connection.
//! Deviations: reserved flags, and a READY without a socket type, close the connection; libzmq accepts them.
//!             ZMTP 1.0 and 2.0 are not spoken.
//! Not here:   how sockets serve many peers (crates `hub` and `zmq`); ZAP; JOIN and LEAVE (draft sockets).

mod assembly;
mod calls;
mod command;
mod error;
mod frame;
mod greeting;
mod heartbeat;
#[cfg(feature = "curve")]
mod keys;
mod kind;
mod machine;
mod security;
mod settings;

#[cfg(test)]
mod tests;
mod unsent;

pub use command::properties;
pub use frame::{Frames, cut_frame, write_message};
#[cfg(feature = "curve")]
pub use keys::{NotAKey, PublicKey, SecretKey};
pub use kind::Kind;
pub use settings::{Delivery, Security, Settings, Socket};
pub use unsent::unsent;

use crate::{relays, sniff::magic};
use polywire_wire::{Protocol, Setup, Target};
use std::sync::Arc;

/// The entry in a protocol set. "FF alone is enough to exclude every other protocol of ours ..., so claim at
/// 1 byte", because libzmq sends ten bytes and nothing more until it has received our signature.
pub static PROTOCOL: Protocol = Protocol {
    name: "zmtp",
    also_called: &["zmq", "zeromq"],
    sniff: |bytes| magic(b"\xff", bytes),
    machine: Some(|setup| Box::new(machine::Zmtp::new(setup, settings(setup)))),
    any_service: false,
    counts_relays: true,
    fields: relays::visit_raw,
    ..Protocol::DEFAULT
};

/// The method that receives requests unchanged ([`Delivery::Handler`]). It is bound to this protocol, so that
/// no method name reaches it.
pub const HANDLER: Target<'static> = Target::Bound { protocol: PROTOCOL.name, number: 0 };

/// The socket of a server without settings: it serves its services to REQ and DEALER peers.
pub const SERVICES: Socket = Socket { kind: Kind::Rep, delivery: Delivery::Calls };

fn settings(setup: &Setup<'_>) -> Arc<Settings> {
    setup.extensions().and_then(|extensions| extensions.get()).unwrap_or_else(|| {
        Arc::new(Settings::new([match setup {
            Setup::Server(_) => SERVICES,
            Setup::Client(_) => Socket { kind: Kind::Dealer, delivery: Delivery::Calls },
        }]))
    })
}
