//! Redis, server and client: RESP2 and RESP3.
//!
//! ```text
//! request   *2 CRLF  $3 CRLF GET CRLF  $3 CRLF key CRLF        or a line:  GET key CRLF
//! reply     $5 CRLF value CRLF       one per request, in order; >n ... (push) may come between
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `sniff.rs` | whether first bytes are Redis |
//! | `request.rs`, `inline.rs` | where a command ends |
//! | `reply.rs` | where a reply ends |
//! | `cursor.rs` | received bytes, read without moving them |
//! | `args.rs`, `command.rs` | [`Args`], the arguments of a command that came; [`Command`], a command to send |
//! | `value.rs`, `convert.rs` | [`Value`], a reply as a tree; [`FromValue`], a reply as a Rust type |
//! | `parse.rs`, `encode.rs`, `reply_buf.rs` | replies to trees; [`Writer`] and [`ReplyBuf`], which write replies |
//! | `server.rs`, `greeting.rs` | commands in, replies out; HELLO, AUTH, CLIENT, RESET, QUIT |
//! | `client.rs`, `handshake.rs` | calls of one or more commands, replies matched by order |
//! | `conversation.rs` | a call that has a connection for itself |
//!
//! Source: docs/wire/redis.md; redis.io, "Redis serialization protocol specification".
//!
//! # Calls
//! At the server an `Open` is one command: `Target::Command` holds the name as it was sent, and the body is
//! the command in wire form as one segment, to be read with [`Args`]. The content is [`Content::RESP2`] or
//! [`Content::RESP3`], whichever version the connection uses now. The outcome's body is the reply in that
//! version, or empty with `reply` set if a later reply answers this command too. A failed outcome without a
//! reply becomes an error line. Commands are delivered one at a time.
//!
//! At the client a call's body is one or more commands back to back; the outcome's body is as many replies.
//! Error replies are values, not failures. The protocol's parameter, what follows the colon in
//! `redis:3,db=5`, is a list of `2` or `3` (the version; default 2), `db=N`, and `readonly`, which sends
//! READONLY to a replica of a cluster. A streamed call has its connection for itself: its messages are
//! commands, and its parts are the replies and pushes.
//!
//! Not here: what commands do; redirections of a cluster.

use polywire_wire::{Content, Dumped, Head, Protocol, Setup, Stopping, Target};

mod args;
mod client;
mod command;
mod conversation;
mod convert;
mod cursor;
mod encode;
mod error;
mod greeting;
mod handshake;
mod inline;
mod parse;
mod reply;
mod reply_buf;
mod request;
mod server;
mod sniff;
#[cfg(test)]
mod tests;
mod value;

pub use args::Args;
pub use command::{Argument, Command, KeyPlaces};
pub use convert::{FromValue, Pairs};
pub use encode::{Writer, double_text};
pub use error::{cut_text, line_status, status_line, unknown_command, wrong_arguments};
pub use parse::{MAX_BYTES, MAX_DEPTH, ParseError};
pub use reply_buf::ReplyBuf;
pub use value::{Attributed, Value, Verbatim};

/// The entry in a protocol set, for RESP2 and RESP3.
pub static PROTOCOL: Protocol = Protocol {
    name: "redis",
    also_called: &["resp"],
    sniff: sniff::sniff,
    framed: false, // any line is an inline command
    needs_service: true,
    content: |parameter| handshake::Parameters::parse(parameter).is_ok().then_some(Content::RESP2),
    machine: Some(|setup| match setup {
        Setup::Server(setup) => Box::new(server::Server::new(setup)),
        Setup::Client(setup) => Box::new(client::Client::new(setup)),
    }),
    stopping: Stopping::Serves,
    any_service: false,
    dumped,
    ..Protocol::DEFAULT
};

/// Commands that carry a password are not recorded.
fn dumped(head: &Head<'_>) -> Dumped {
    const SECRET: [&[u8]; 4] = [b"AUTH", b"HELLO", b"ACL", b"MIGRATE"];
    match head.target {
        Target::Command { name, .. } if SECRET.iter().any(|secret| name.eq_ignore_ascii_case(secret)) => {
            Dumped::NEVER
        }
        _ => Dumped::OWN,
    }
}

/// The version of redis-server whose commands and texts are followed; clients choose features by it.
pub const COMPATIBLE_WITH: &str = "7.0.15";

/// The version of RESP on a connection. It begins with RESP2; `HELLO 3` changes that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Version {
    #[default]
    Resp2,
    Resp3,
}

impl Version {
    /// The content type of bodies in this version.
    pub const fn content(self) -> Content {
        match self {
            Version::Resp2 => Content::RESP2,
            Version::Resp3 => Content::RESP3,
        }
    }

    /// The version of a body's form; anything but RESP3 counts as RESP2.
    pub fn of(content: Content) -> Self {
        if content == Content::RESP3 { Version::Resp3 } else { Version::Resp2 }
    }

    /// The version as a number, 2 or 3.
    pub const fn number(self) -> i64 {
        match self {
            Version::Resp2 => 2,
            Version::Resp3 => 3,
        }
    }
}
