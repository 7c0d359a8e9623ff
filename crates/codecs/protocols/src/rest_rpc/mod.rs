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
//! | `topics.rs` | topics in the form that a hub uses, and the frames for their subscribers |
//!
//! # Relays
//! A request says how many relays it has passed where peers read nothing: in A the bytes that pad its type
//! are `r3`, in B the number in order is `relays=3`. Both are zeros in requests of others.
//!
//! # Calls
//! A function is identified by [`function_id`]. At the server an `Open` carries that as
//! [`Target::Bound`](polywire_wire::Target::Bound). Its body holds the arguments in the form of the format
//! (`Content::MSGPACK`, `Content::STRUCT_PACK`); the outcome's body is the value, empty for none. At the
//! client a call names its function by `method`, or by the id as `index`. A streamed call without further
//! messages is a subscription to the topic `method`, with `body` as its token; its parts are the
//! publications, in the same form as values.
//!
//! A peer that subscribes is introduced as [`PEER`] to the server's reception, and its topics by
//! `Notice::Topic`.
//!
//! The client's parameter is the format: `rest_rpc:a`, `rest_rpc:b` (the default), `rest_rpc:cross` for B
//! with both ends in "cross ending". With `Limits::keepalive.every` a client of format A sends a heartbeat
//! after that long without sending; stock clients send one every 5 s, and stock servers close after 15 s of
//! silence.
//!
//! Source: docs/wire/rest_rpc.md
//!
//! In format B a server learns the byte order of its peer from the first frame with a body. Calls without
//! arguments that come before it are read as little-endian. With [`Settings::format`] the order is fixed.
//!
//! Replies of format A carry the id of their request and may come in any order. Those of format B have no id
//! and come in the order of the requests.
//!
//! Limits: bodies of format A are shorter than 10 MiB; `Limits::max_message` applies to both formats. A topic
//!         has at most 1 KiB. In format A, `Limits::calls` calls may be under way.
//! Errors: see `body.rs`. A frame that cannot be parsed closes the connection.
//!
//! This implementation differs from stock servers in two points. If the server requires credentials, its
//! authenticator is called with an empty one at the first frame, because the protocol has no field for it.
//! Errors that stock servers do not have (limits, deadlines) have texts of this implementation.

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

use crate::relays;
use polywire_formats::struct_pack::name_hash;
use polywire_wire::{Protocol, Setup, Stopping, Streams};

/// The entry in a protocol set, for both formats.
pub static PROTOCOL: Protocol = Protocol {
    name: "rest_rpc",
    sniff: frame::sniff,
    streams: Streams::None, // subscriptions are the connection's own
    content: |parameter| Some(Format::named(parameter)?.content()),
    machine: Some(|setup| match setup {
        Setup::Server(setup) => Box::new(server::Server::new(setup)),
        Setup::Client(setup) => Box::new(client::Client::new(setup)),
    }),
    stopping: Stopping::Serves,
    any_service: false,
    hash: Some(hash),
    counts_relays: true,
    fields: relays::visit_raw,
    ..Protocol::DEFAULT
};

/// The service that a client's calls have to name; the wire carries functions only. A server's functions are
/// bound to this protocol.
pub const SERVICE: &str = "rest_rpc";

/// The number of a function or topic: "MD5 of the name bytes; the first four digest bytes read as a
/// big-endian u32".
pub fn function_id(name: &str) -> u32 {
    name_hash(name.as_bytes())
}

/// The number of a function by the names of a service and a method: `shop::stock::get` is `shop.stock/get`.
/// What is in no namespace is of the service [`SERVICE`]; there a decimal number is the function of that id,
/// whose name is not known.
pub fn hash(service: &str, method: &str) -> u32 {
    if !matches!(service, "" | SERVICE) {
        return function_id(&format!("{}::{method}", service.replace('.', "::")));
    }
    let number = method.parse().ok().filter(|number: &u32| number.to_string() == method);
    number.unwrap_or_else(|| function_id(method))
}
