//! permessage-deflate: messages that are compressed.
//!
//! ```text
//!  message ──► raw DEFLATE, flushed ──► without its last four bytes, 00 00 ff ff ──► frames; RSV1 is set in the first
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `negotiation.rs` | the parameters in the fields of the handshake |
//! | `deflater.rs` | messages out |
//! | `inflater.rs` | messages in |
//!
//! Source: RFC 7692; RFC 1951.
//! Limits: a message is inflated to [`Limits::message`](super::Limits) bytes and no further, whatever is sent
//!         for it. A socket whose sides have agreed on no context takeover holds no window between messages.

mod deflater;
mod inflater;
mod negotiation;

pub use deflater::Deflater;
pub(super) use inflater::Inflater;
pub use negotiation::{Agreed, accept, offer, read_answer};

/// The bytes that end a flush. A message leaves them out, and the reader appends them. RFC 7692 7.2.1
const TAIL: [u8; 4] = [0x00, 0x00, 0xff, 0xff];

#[cfg(test)]
mod tests;
