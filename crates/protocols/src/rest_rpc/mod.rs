//! rest_rpc: calls of functions by name, and topics; both of its formats, server and client.
//!
//! ```text
//!  A, v0.12 and v0.20, little-endian, 20 bytes                        B, v0.21, 32 bytes
//!  0     1     2      4           8          16         20            0     1        3     4           8       16          24       32
//!  +-----+-----+------+-----------+----------+----------+--- - -      +-----+--------+-----+-----------+-------+-----------+--------+--- - -
//!  | 27h | 0/1 | any  | body_len  | req_id   | func_id  | msgpack     | 27h | 0 0    | 0/1 | func_id   | 0     | body_len  | 0      | body
//!  +-----+-----+------+-----------+----------+----------+--- - -      +-----+--------+-----+-----------+-------+-----------+--------+--- - -
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `frame.rs` | the formats: heads, lengths, and which of them the first bytes are of |
//! | `settings.rs` | settings of a server |
//! | `server.rs` | requests to calls, subscriptions, pushes |
//! | `client.rs` | calls to requests, replies matched by id (A) or order (B), deliveries |
//! | `body.rs` | what bodies have around the values: result codes, names |
//! | `topics.rs` | topics as a hub knows them, and what is delivered to their subscribers |
//!
//! # Calls
//! A function is known by [`function_id`]. At the server an `Open` has it as [`Target::Bound`](polywire_wire::Target::Bound);
//! its body is the arguments, in the form that the format has (`Content::MSGPACK`, `Content::STRUCT_PACK`); the
//! outcome's body is the value, empty for none. At the client a call names its function by `method`, or brings the id as
//! `index`. A streamed call without further messages is a subscription: of the topic `method`, with `body` as its
//! token; its parts are what is published, in the same form as values.
//!
//! A peer that subscribes is introduced as [`PEER`] to the server's reception, and its topics by `Notice::Topic`.
//!
//! The client's parameter is the format: `rest_rpc:a`, `rest_rpc:b` (the default), `rest_rpc:cross` for B with both ends
//! in "cross ending". `Limits::keepalive.every` makes a client of format A send a heartbeat after so long without a
//! word; stock clients send one every 5 s, and stock servers close after 15 s.
//!
//! Source:     docs/wire/rest_rpc.md
//! Guess:      which order of bytes a peer of format B has, its first frame with a body tells; calls without arguments that
//!             come before are taken for little-endian. [`Settings::format`] leaves nothing to guess.
//! Order:      A: any. B: serial; replies have no number.
//! Limits:     bodies of A are shorter than 10 MiB; `Limits::max_message` holds for both. A topic has at most 1 KiB.
//!             A: `Limits::calls` under way.
//! Errors:     `body.rs`. Whatever cannot be read closes.
//! Deviations: a server that asks for credentials is asked about an empty one at the first frame, since the protocol has
//!             no field for it. Words for what the stock server does not have (limits, deadlines) are ours.

mod body;
mod client;
mod frame;
mod server;
mod settings;
#[cfg(test)]
mod tests;
mod topics;

pub use frame::Format;
pub use settings::Settings;
pub use topics::{PEER, Publication};

use polywire_formats::struct_pack::name_hash;
use polywire_wire::{Protocol, Setup, Streams};

/// The entry of the registry, for both formats.
pub static PROTOCOL: Protocol = Protocol {
    name: "rest_rpc",
    sniff: frame::sniff,
    streams: Streams::None, // subscriptions are the connection's own
    content: |parameter| Some(Format::named(parameter)?.content()),
    machine: Some(|setup| match setup {
        Setup::Server(setup) => Box::new(server::Server::new(setup)),
        Setup::Client(setup) => Box::new(client::Client::new(setup)),
    }),
    any_service: false,
    ..Protocol::DEFAULT
};

/// What a client's calls name as their service; the wire carries functions only. A server's functions are bound to
/// this protocol.
pub const SERVICE: &str = "rest_rpc";

/// The number of a function or topic: "MD5 of the name bytes; the first four digest bytes read as a big-endian u32".
pub fn function_id(name: &str) -> u32 {
    name_hash(name.as_bytes())
}
