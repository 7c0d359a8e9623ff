//! MongoDB's wire protocol: commands as documents, at a server.
//!
//! ```text
//!  0         4           8            12        16
//!  +---------+-----------+------------+---------+--- - -
//!  | length  | requestID | responseTo | opCode  | body           length: with these 16 bytes; all i32, little-endian
//!  +---------+-----------+------------+---------+--- - -
//!
//!  OP_MSG 2013     0       4                         n      n+4
//!                  +-------+---------+---------+-----+-------+
//!                  | flags | section | section |     | crc   |    crc: CRC-32C of all before it, if flag bit 0 is set
//!                  +-------+---------+---------+-----+-------+
//!  section         00, document: once
//!                  01, size (i32, with itself), name (to a NUL), documents
//!
//!  OP_QUERY 2004   flags (i32), collection (to a NUL), skip (i32), return (i32), document
//!  OP_REPLY 1      flags (i32), cursor (i64), from (i32), number (i32), document
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `sniff.rs` | the first 16 bytes |
//! | `frame.rs` | the head |
//! | `message.rs` | the sections of a message |
//! | `server.rs` | messages to calls, outcomes to messages |
//! | `error.rs` | failures as documents |
//!
//! # Calls
//! An `Open` is one command: [`Target::Command`](polywire_wire::Target::Command) with the command's name,
//! which is the name of the document's first element; its body is the [`sections`](Sections), its content
//! [`Content::BSON`]. `maxTimeMS` of the command is its time limit, and its database is the field
//! [`DATABASE_FIELD`]. The outcome's body is one document. A call that fails is answered by a document with
//! `ok: 0`, see [`error_document`].
//!
//! Source: docs/wire/mongo.md; MongoDB's specification of OP_MSG
//! Order:  commands are handled one after the other, as mongod does: a write that is not acknowledged is
//!         followed by reads on its connection.
//! Limits: a message whose length exceeds `Limits::max_message` closes the connection; [`MAX_SECTIONS`]
//!         sections. Documents are checked no further here than to the elements of the command.
//! Errors: a message whose parts contradict each other, a wrong checksum, a flag that has to be known and is
//!         not, and op codes other than OP_MSG and OP_QUERY close the connection, OP_COMPRESSED among them,
//!         since no server of ours offers it. OP_QUERY has the handshakes only.
//!
//! This implementation differs from brpc's: that passes every op code of the versions before 3.6 to one
//! method and knows no OP_MSG.

mod error;
mod frame;
mod message;
mod server;
mod sniff;
#[cfg(test)]
mod tests;

pub use error::{ErrorCode, error_document};
pub use message::{MAX_ELEMENTS, MAX_SECTIONS, Section, Sections};

use polywire_wire::{Connections, Content, Protocol, Setup};

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    name: "mongo",
    also_called: &["mongodb"],
    sniff: sniff::sniff,
    needs_service: true,
    server_only: true,
    connections: Connections::EXCLUSIVE,
    content: |parameter| parameter.is_empty().then_some(Content::BSON),
    machine: Some(|setup| match setup {
        Setup::Server(setup) => Box::new(server::Server::new(setup)),
        Setup::Client(_) => Box::new(server::Server::new(&Default::default())), // it refuses every call
    }),
    any_service: false,
    fields: |raw, visit| {
        if !raw.is_empty() {
            visit(DATABASE_FIELD, raw);
        }
    },
    ..Protocol::DEFAULT
};

/// The field of a request that has the name of its database.
pub const DATABASE_FIELD: &str = "database";

/// Longest message that MongoDB's clients send and read, in bytes.
pub const MAX_MESSAGE: u32 = 48_000_000;
