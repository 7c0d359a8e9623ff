//! nova_pbrpc: protobuf over nshead, the method by its place, no errors.
//!
//! ```text
//!  nshead: version, bit 0: the body is snappy | reserved: place of the method | body: message
//! ```
//!
//! The service is the first one of the server.
//!
//! Source:     docs/wire/nova_pbrpc.md, docs/wire/nshead.md
//! Limits:     those of [`nshead`](crate::nshead).
//! Errors:     "Any failure closes the connection without reply."
//! Deviations: bit 0 of a reply states whether that reply is compressed; brpc repeats the bit of the request.

mod dialect;

#[cfg(test)]
mod tests;

use crate::nshead::{Shape, is, protocol};
use dialect::Nova;
use polywire_wire::{Addressing, Protocol};

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    sniff: |bytes| is(Shape::Nova, bytes),
    addressing: Addressing::PositionAlone,
    ..protocol::<Nova>()
};
