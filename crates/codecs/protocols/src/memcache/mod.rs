//! memcached, client only: the binary protocol and the meta commands of the text protocol, each under a name
//! of its own.
//!
//! ```text
//! memcache        0x80 opcode key-length extras-length 0 vbucket | total | opaque | cas | extras key value      big-endian
//!                 0x81 opcode key-length extras-length 0 status  | total | opaque | cas | extras key value
//! memcache_meta   mg key v f c O7 CRLF                         VA 5 f0 c1 O7 CRLF value CRLF
//! ```
//!
//! Both forms share one machine: calls of one or more requests, replies in order. [`Form`](form::Form) has
//! the parts that depend on the form.
//!
//! | file | what it is |
//! | --- | --- |
//! | `form.rs` | what the machine asks a form: where requests and replies end, and what belongs together |
//! | `frame.rs` | the binary form: [`Header`], [`opcode`], [`status`] |
//! | `line.rs` | the form of the meta commands: where lines and their values end |
//! | `expected.rs` | the replies that a call still waits for |
//! | `client.rs` | the machine |
//!
//! Source: docs/wire/memcache.md, docs/wire/memcache_meta.md.
//!
//! # Calls
//! A call's body is one or more requests back to back; the outcome's body is their replies back to back.
//! Error replies are values, not failures. Quiet requests are answered only in the cases that memcached's
//! documentation names, therefore the last request of a call must not be quiet: its reply ends the call. A
//! credential is `user:password`; it is shown before the first request (SASL PLAIN; `set` of the text
//! protocol), and calls wait for the verdict.
//!
//! # Limits
//! 8192 calls that wait on a connection; 64 MiB of body of a binary reply; 4 KiB for a line;
//! `Limits::max_message` for the replies of a call, which are dropped as they arrive beyond it. No memory is
//! reserved by an announced length.
//!
//! # Errors
//! A reply of another form, to another request than the next one, or without a request closes the connection.

mod client;
mod expected;
mod form;
mod frame;
mod line;
#[cfg(test)]
mod tests;

use client::Client;
pub use frame::{HEADER_BYTES, Header, MAX_BODY, opcode, status};
pub use line::MAX_LINE;
use polywire_wire::{ClientSetup, Content, Machine, Protocol, Setup};

/// Longest key in bytes, as it is sent.
pub const MAX_KEY: usize = 250;

/// The entry in a protocol set for the binary protocol.
pub static PROTOCOL: Protocol = Protocol {
    name: "memcache",
    also_called: &["memcached", "couchbase"],
    machine: Some(|setup| machine(setup, Client::new(frame::Binary))),
    ..BOTH
};

/// The entry in a protocol set for the meta commands.
pub static META: Protocol = Protocol {
    name: "memcache_meta",
    also_called: &["memcached_meta", "memcache_text"],
    machine: Some(|setup| machine(setup, Client::new(line::Meta))),
    ..BOTH
};

const BOTH: Protocol = Protocol {
    client_only: true,
    any_service: false,
    content: |parameter| parameter.is_empty().then_some(Content::RAW),
    ..Protocol::DEFAULT
};

/// Servers do not recognise the protocol. A connection with this machine closes at its first byte.
fn machine<F: form::Form>(setup: &Setup<'_>, client: Client<F>) -> Box<dyn Machine> {
    Box::new(match setup {
        Setup::Client(setup) => client.with(setup),
        Setup::Server(setup) => client.with(&ClientSetup { limits: setup.limits, ..ClientSetup::default() }),
    })
}
