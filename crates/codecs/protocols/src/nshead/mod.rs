//! nshead: frames of a head of 36 bytes and a body, with one call at a time; and the protocols that use these
//! frames.
//!
//! ```text
//!  0      2         4          8                24             28          32           36
//!  +------+---------+----------+----------------+--------------+-----------+------------+---- - - ---+
//!  | id   | version | log_id   | provider       | 0xfb709394   | reserved  | body_len   | body       |
//!  +------+---------+----------+----------------+--------------+-----------+------------+---- - - ---+
//!   u16    u16       u32        char[16]         u32            u32         u32           little-endian
//! ```
//!
//! [`Serial`] is the connection, for both roles. A [`Dialect`] defines the meaning of heads and bodies:
//! `nshead` itself (here), [`nova_pbrpc`], [`public_pbrpc`], [`nshead_mcpack`], [`ubrpc`].
//!
//! | file | what it holds |
//! | --- | --- |
//! | `nova_pbrpc/`, `public_pbrpc/`, `nshead_mcpack/`, `ubrpc/` | the other members of the family |
//! | `frame.rs` | the head |
//! | `fields.rs` | the fields of a request |
//! | `sniff.rs` | decides which protocol of the family a first frame belongs to |
//! | `machine.rs` | the connection, whichever role it has |
//! | `server.rs`, `client.rs` | frames to calls, calls to frames |
//! | `dialect.rs` | the interface that the protocols of the family implement |
//! | `raw.rs` | `nshead` itself: heads and bodies as they are |
//! | `adaptor.rs` | a dialect of a user's own, in front of the services of a server |
//!
//! A server that has a service bound to `nshead`, or [`Adaptors`], speaks `nshead` and nothing else of the
//! family, as brpc has one `nshead_service`. Without such a service the form of the first frame decides;
//! `protocols(..)` of the server reduces the choice.
//!
//! Source:     docs/wire/nshead.md, docs/wire/common.md
//! Order:      requests are handled one after the other: the next frame is read when the last one has been
//!             answered, because replies carry nothing that identifies their request.
//! Stopping:   where a failure closes the connection there is no refusal: requests of which a byte had
//!             arrived are served, then the connection closes.
//! Limits:     a frame whose body_len exceeds `Limits::max_message` closes the connection.
//! Errors:     those of the dialect; `nshead` itself has none, so a failure closes the connection.
//! Deviations: brpc answers pipelined frames in any order, although their sender cannot match the replies. A
//!             handler of `nshead` is not called for a frame that the server refuses: the connection closes;
//!             an adaptor is asked. If the server requires credentials, its authenticator is called with an
//!             empty one at the first frame, because the protocol has no field for it.

mod adaptor;
mod client;
mod dialect;
mod fields;
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

pub use adaptor::{Adaptor, Adaptors, Call, MAX_NAME, Reply, Returned};
pub(crate) use dialect::{Dialect, Place, Refused, Request, put_frame, put_reply};
#[cfg(feature = "mcpack")]
pub(crate) use fields::{REQUEST_NAME, put_name};
pub(crate) use fields::{log_id, log_id_of, provider, put_relays};
pub use frame::Head;
pub(crate) use machine::Serial;
pub use raw::{METHOD, SERVICE};
pub(crate) use sniff::{PUBLIC_PROVIDER, Shape, is};

use polywire_wire::{Connections, Content, DumpForm, Dumped, Machine, Protocol, Role, Setup};

/// brpc's number of the whole family in dump files, docs/wire/rpc_dump.md.
const NUMBER: u32 = 13;

/// The entry of a dialect in a protocol set, without its `sniff`. A server with a service for `nshead`
/// itself takes all frames for that service.
pub(crate) const fn protocol<D: Dialect + Default>() -> Protocol {
    Protocol {
        name: D::NAME,
        shadowed_by: &[raw::Raw::NAME],
        connections: Connections::EXCLUSIVE,
        machine: Some(|setup| Box::new(Serial::new(setup, D::default()))),
        counts_relays: D::COUNTS_RELAYS,
        compressions: D::ACCEPTS,
        fields: fields::visit,
        dumped: |_| Dumped::new(NUMBER, DumpForm::HeadAndBody),
        stopping: D::STOPPING,
        any_service: false,
        ..Protocol::DEFAULT
    }
}

/// The entry of plain nshead in a protocol set. Heads and bodies are passed on unchanged, or given to an
/// [`Adaptor`].
pub static PROTOCOL: Protocol = Protocol {
    sniff: sniff::any,
    shadowed_by: &[],
    needs_service: true,
    dump_number: Some(NUMBER),
    content: |parameter| parameter.is_empty().then_some(Content::RAW),
    machine: Some(machine),
    ..protocol::<raw::Raw>()
};

fn machine(setup: &Setup<'_>) -> Box<dyn Machine> {
    let adaptors = setup.extensions().and_then(|all| all.get_ref::<Adaptors>());
    match adaptors.filter(|_| setup.role() == Role::Server) {
        Some(adaptors) => Box::new(Serial::new(setup, adaptors.dialect())),
        None => Box::new(Serial::new(setup, raw::Raw)),
    }
}
