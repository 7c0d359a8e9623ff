//! esp, client only: frames of a head of 32 bytes and a body, with one call at a time.
//!
//! ```text
//!  once, before the first request:  00 'E' 'S' 'P' 01 02, port: u16 (always 0)
//!
//!  0          8          16         20             28             32
//!  +----------+----------+----------+--------------+--------------+---- - - ---+
//!  | from     | to       | msg      | msg_id       | body_len     | body       |
//!  +----------+----------+----------+--------------+--------------+---- - - ---+
//!   address    address    u32        u64            u32            little-endian
//!
//!  address: stub: u16, port: u16, ip: u32
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `frame.rs` | [`Head`], [`Address`] |
//! | `client.rs` | the machine |
//!
//! # Calls
//! Body of a call and of its outcome are whole frames, 32 bytes and the rest; the length in the head is
//! written here. In a reply `msg` is 0 for success. Any other fails the call with ENOENT; its outcome has the
//! frame all the same, which is given to who reads outcomes.
//!
//! Source:     docs/wire/esp.md
//! Credential: replaces the eight bytes before the first request, and is sent as it is. Nothing answers it.
//! Order:      one call at a time: `msg_id` is the user's, and replies carry nothing else that identifies
//!             their request. The reply of a call that was given up could not be told from the next one, so
//!             the connection ends with it.
//! Limits:     a reply whose body_len exceeds `Limits::max_message` closes the connection.
//! Errors:     a reply without a call closes the connection. There is no magic: bytes of another protocol are
//!             a head.
//! Deviations: brpc's clients try again after a reply whose `msg` is not 0. Here such a call has ended: its
//!             server has answered, and may have done what it was asked for.

mod client;
mod frame;
#[cfg(test)]
mod tests;

use client::Client;
pub use frame::{Address, Head};
use polywire_wire::{ClientSetup, Connections, Content, Protocol, Setup};

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    name: "esp",
    client_only: true,
    any_service: false,
    connections: Connections::EXCLUSIVE,
    content: |parameter| parameter.is_empty().then_some(Content::RAW),
    machine: Some(|setup| {
        Box::new(match setup {
            Setup::Client(setup) => Client::new(setup),
            // No server recognises it. One that had this machine all the same would close with the first
            // byte.
            Setup::Server(setup) => {
                Client::new(&ClientSetup { limits: setup.limits, ..ClientSetup::default() })
            }
        })
    }),
    ..Protocol::DEFAULT
};
