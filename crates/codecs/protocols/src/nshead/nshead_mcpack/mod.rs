//! nshead_mcpack: one mcpack object over nshead, no method, no errors.
//!
//! The method is the first one of the first service of the server.
//!
//! Source:     docs/wire/nshead_mcpack.md, docs/wire/mcpack.md, docs/wire/nshead.md
//! Limits:     those of [`nshead`](crate::nshead).
//! Errors:     "Every failure closes the connection without reply."
//! Deviations: a client's head has the provider `polywire-relay-N` if its call has passed N relays.
//! Not here:   the message itself, which is delivered to handlers as the body of an object:
//!             [`Content::MCPACK`].

mod dialect;

#[cfg(test)]
mod tests;

use crate::nshead::{Shape, is, protocol};
use dialect::NsheadMcpack;
use polywire_wire::{Addressing, Content, Protocol};

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    sniff: |bytes| is(Shape::Mcpack, bytes),
    addressing: Addressing::Nothing,
    content: |parameter| parameter.is_empty().then_some(Content::MCPACK),
    ..protocol::<NsheadMcpack>()
};
