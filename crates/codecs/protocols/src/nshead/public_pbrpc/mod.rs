//! public_pbrpc: a protobuf envelope over nshead; methods by their place, errors, ids.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `dialect.rs` | what they mean |
//! | `envelope.rs` | PublicPbrpcRequest and PublicPbrpcResponse, read by reference, written around a message |
//!
//! Source:     docs/wire/public_pbrpc.md, docs/wire/nshead.md
//! Limits:     those of [`nshead`](crate::nshead).
//! Errors:     docs/wire/public_pbrpc.md, "Server" and "Client".
//! Deviations: the reply to a failed request has the id and version of that request: "A new server should
//!             echo the id". `from_host` and `create_time` are not written: no known peer reads them, and
//!             this code has neither an address nor a clock.

mod dialect;
mod envelope;

#[cfg(test)]
mod tests;

use crate::nshead::{Shape, is, protocol};
use dialect::Public;
use polywire_wire::{Addressing, Protocol};

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    sniff: |bytes| is(Shape::Public, bytes),
    addressing: Addressing::Position,
    any_service: true,
    ..protocol::<Public>()
};
