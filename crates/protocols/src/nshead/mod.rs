//! nshead: a head of 36 bytes and a body, one call at a time; and what travels in it.
//!
//! ```text
//!  0      2         4          8                24             28          32           36
//!  +------+---------+----------+----------------+--------------+-----------+------------+---- - - ---+
//!  | id   | version | log_id   | provider       | 0xfb709394   | reserved  | body_len   | body       |
//!  +------+---------+----------+----------------+--------------+-----------+------------+---- - - ---+
//!   u16    u16       u32        char[16]         u32            u32         u32           little-endian
//! ```
//!
//! [`Serial`] is the connection, for both roles. What heads and bodies mean, a [`Dialect`] says: `nshead` itself (here),
//! [`nova_pbrpc`], [`public_pbrpc`],
//! [`nshead_mcpack`], [`ubrpc`].
//!
//! | file | what it holds |
//! | --- | --- |
//! | `nova_pbrpc/`, `public_pbrpc/`, `nshead_mcpack/`, `ubrpc/` | the other members of the family |
//! | `frame.rs` | the head |
//! | `sniff.rs` | which of the family a first frame is of |
//! | `machine.rs` | the connection, whichever role it has |
//! | `server.rs`, `client.rs` | frames to calls, calls to frames |
//! | `dialect.rs` | what the family's members are asked |
//! | `raw.rs` | `nshead` itself: heads and bodies as they are |
//!
//! A server that has a service bound to `nshead` speaks `nshead` and nothing else of the family, as brpc has one
//! `nshead_service`. Without one a frame's shape says what it is; `protocols(..)` of the server narrows it down.
//!
//! Source:     docs/wire/nshead.md, docs/wire/common.md
//! Order:      serial. The next frame is read when the last one is answered, since nothing else tells replies apart.
//! Limits:     `Limits::max_message` bounds body_len and closes.
//! Errors:     those of the dialect; `nshead` has none and closes.
//! Deviations: brpc answers pipelined frames in any order, which their sender cannot tell apart. A handler of `nshead` is
//!             not asked about a frame that the server refuses: the connection closes. A server that asks for credentials
//!             is asked about an empty one at the first frame, since the protocol has no field for it.

mod client;
mod dialect;
mod frame;
mod machine;
pub mod nova_pbrpc;
#[cfg(feature = "mcpack")]
pub mod nshead_mcpack;
pub mod public_pbrpc;
mod raw;
mod server;
mod sniff;
#[cfg(feature = "mcpack")]
pub mod ubrpc;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use dialect::{Dialect, Place, Refused, Request, log_id, log_id_of, put_frame, put_reply};
pub use frame::Head;
pub(crate) use machine::Serial;
pub use raw::{METHOD, SERVICE};
pub(crate) use sniff::{PUBLIC_PROVIDER, Shape, is};

use polywire_wire::{Connections, Content, Protocol};

/// The registry's entry of a dialect, but for its `sniff`. A server that answers `nshead` itself takes all of them for that.
pub(crate) const fn protocol<D: Dialect>() -> Protocol {
    Protocol {
        name: D::NAME,
        shadowed_by: &[raw::Raw::NAME],
        connections: Connections::EXCLUSIVE,
        machine: Some(|setup| Box::new(Serial::<D>::new(setup))),
        fields: dialect::fields,
        any_service: false,
        ..Protocol::DEFAULT
    }
}

/// The registry's entry of heads and bodies as they are.
pub static PROTOCOL: Protocol = Protocol {
    sniff: sniff::any,
    shadowed_by: &[],
    needs_service: true,
    content: |parameter| parameter.is_empty().then_some(Content::RAW),
    ..protocol::<raw::Raw>()
};
