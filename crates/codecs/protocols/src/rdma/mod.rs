//! The hello of brpc's clients that would like to leave TCP, and the answer that keeps them there: servers
//! only.
//!
//! ```text
//!  v2    0      4         6                                    msg_len
//!        +------+---------+------------------------------------+
//!        | RDMA | msg_len | versions, sizes, queue pair, ...   |     u16, 40..=4096, of the whole hello
//!        +------+---------+------------------------------------+
//!
//!  v3    0      4         8                             8 + pb_size
//!        +------+---------+-----------------------------+
//!        | RDM3 | pb_size | RdmaHello (protobuf)        |            u32, 1..=8192
//!        +------+---------+-----------------------------+
//!
//!  UB    0      4                                       64
//!        +------+---------------------------------------+
//!        | UB64 | versions, length, name of shared memory|           shared memory (UBRing)
//!        +------+---------------------------------------+
//!
//!  acknowledgement: u32, bit 0: what was offered is in use                             all big-endian
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `hello.rs` | [`Hello`]: the three forms, and what refuses each |
//! | `server.rs` | the machine |
//!
//! Source:     docs/wire/rdma_hello.md
//! Order:      hello, our refusal, the acknowledgement; what follows is recognised like first bytes. A second
//!             hello is not answered.
//! Limits:     a hello has at most 8200 bytes; hello and acknowledgement have the time of a first message.
//! Errors:     lengths out of bounds close the connection as soon as they are read, and so does an
//!             acknowledgement of something that was refused: its client believes that TCP is not used.
//! Deviations: a message of v3 is not looked at, as in brpc without RDMA.
//!
//! Not here: RDMA, shared memory.

mod hello;
mod server;
#[cfg(test)]
mod tests;

use hello::Hello;
use polywire_wire::{Connections, Protocol};
use server::Server;

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    name: "rdma_handshake",
    server_only: true,
    any_service: false,
    framed: true,
    sniff: Hello::sniff,
    connections: Connections::SINGLE,
    machine: Some(|_| Box::new(Server::default())),
    ..Protocol::DEFAULT
};
