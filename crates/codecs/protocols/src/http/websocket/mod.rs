//! WebSocket: messages in both directions, on a connection or a stream that began as an HTTP request.
//!
//! ```text
//!  HTTP/1   GET, `upgrade: websocket`          ─► 101 ─► frames until the connection ends
//!  HTTP/2   CONNECT, `:protocol: websocket`    ─► 200 ─► frames in DATA until END_STREAM
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `handshake.rs` | the fields of the request and of its answer |
//! | `frame.rs` | headers of frames, masking |
//! | `parse.rs` | frames in as messages: fragments, control frames, limits |
//! | `encode.rs` | messages out as frames |
//! | `utf8.rs` | text that comes in pieces |
//! | `close.rs`, `error.rs` | why a connection closes; what a peer did wrong |
//! | `calls.rs` | calls of services: one message of a method in one message of WebSocket |
//! | `served.rs` | which requests a server serves |
//! | `deflate/` | messages that are compressed: permessage-deflate |
//!
//! Source: RFC 6455; RFC 7692; RFC 8441; docs/wire/websocket.md.
//! Limits: [`Limits`] for what is received; 125 bytes for control frames; bytes of a message are kept as they
//!         arrive, never ahead of that.
//! Not here: other extensions, compressed messages of calls, HTTP (`semantics/`), waiting and timers.

pub(crate) mod calls;
mod close;
pub mod deflate;
mod encode;
mod error;
mod frame;
pub mod handshake;
mod parse;
mod served;
mod utf8;

pub use calls::{Calls, JSON, PROTO};
pub use close::{Close, code};
pub use encode::{close, compressed, control, frame};
pub use error::Fault;
pub use frame::{Header, MAX_HEADER, apply_mask, opcode};
pub use parse::{Item, Limits, Reader};
pub(crate) use served::{Served, is_served};

#[cfg(test)]
mod tests;
