//! fb_rpc: FlatBuffers over brpc connections, by number of service and method.
//!
//! ```text
//!  0        4               8               12         12+meta_size             12+body_size
//!  +--------+---------------+---------------+----------+-----------+----- - - -----+
//!  | "FRPC" | body_size u32 | meta_size u32 | meta     | message   | attachment    |
//!  +--------+---------------+---------------+----------+-----------+----- - - -----+
//!            big-endian                      `------------ body_size -------------'
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `dialect.rs` | what headers and metas mean |
//! | `meta.rs` | the two metas: numbers at fixed places |
//! | `variant.rs` | V2, and the drafts V1 and V0 |
//!
//! The connection is [`pbrpc`](crate::pbrpc), which baidu_std and its relatives share. A service travels as a
//! hash of its full name, a method as the number that its schema gives it; [`method_id`] makes one number of
//! both, the target of a request.
//!
//! The drafts differ in the number of a service, in a method's number, which is its position, and V0 in the
//! magic. A server answers them where its methods have the numbers of [`draft_method_id`] as well; requests
//! of others are unknown methods. If its settings have [`Drafts`], it sends nothing behind the numbers of a
//! meta, to clients of V2 neither: frames of V1 and V2 are alike, and clients of V1 may not skip it. A client
//! speaks V1 by the parameter `v1`.
//!
//! Source:     docs/wire/flatbuffers_rpc.md, variants V2, V1 and V0
//! Limits:     as `pbrpc`.
//! Errors:     docs/wire/flatbuffers_rpc.md, "Receiving rules". An error has only a number; a client makes
//!             the text from it.
//! Deviations: a peer that is refused gets 1004, and the reason among the fields after the meta, which brpc
//!             skips; then the connection closes. The authenticator is called at the first frame, although
//!             the protocol has no field for a credential, because it may accept a peer by its address. A
//!             client that has a credential makes no calls.
//! Not here:   deadlines, metadata and compression, for which the protocol has no fields; verification of
//!             messages, which belongs to the format.

mod dialect;
mod meta;
mod variant;

#[cfg(test)]
mod tests;

use crate::pbrpc::{Dialect, Pbrpc};
use crate::sniff::magic;
use dialect::Flat;
use polywire_wire::{Content, Machine, Protocol, Setup};
use variant::{V0, V1, V2, draft_service_id, service_id};

/// The entry in a protocol set: V2, and V1.
pub static PROTOCOL: Protocol = Protocol {
    name: Flat::<V2>::NAME,
    sniff: |bytes| magic(Flat::<V2>::MAGIC, bytes),
    framed: true,
    attachments: true,
    content: |parameter| matches!(parameter, "" | V1_PARAMETER).then_some(Content::FLATBUFFERS),
    machine: Some(machine),
    any_service: false,
    ..Protocol::DEFAULT
};

/// The entry of V0.
pub static V0_PROTOCOL: Protocol = Protocol {
    name: Flat::<V0>::NAME,
    sniff: |bytes| magic(Flat::<V0>::MAGIC, bytes),
    attachments: true,
    content: |parameter| parameter.is_empty().then_some(Content::FLATBUFFERS),
    machine: Some(|setup| Box::new(Pbrpc::<Flat<V0>>::new(setup))),
    ..PROTOCOL
};

/// The parameter of a client that speaks V1: `fb_rpc:v1`.
const V1_PARAMETER: &str = "v1";

/// A setting of a server: clients of V1 may be among its peers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drafts;

fn machine(setup: &Setup<'_>) -> Box<dyn Machine> {
    let draft = match setup {
        Setup::Client(client) => client.parameter == V1_PARAMETER,
        Setup::Server(_) => setup.extensions().is_some_and(|settings| settings.get_ref::<Drafts>().is_some()),
    };
    match draft {
        false => Box::new(Pbrpc::<Flat<V2>>::new(setup)),
        true => Box::new(Pbrpc::<Flat<V1>>::new(setup)),
    }
}

/// The number of a method: a hash of its service's full name in the upper half, its own number in the lower.
pub const fn method_id(service: &str, method: u32) -> u64 {
    joined(service_id(service), method)
}

/// The method id of V1 and V0, where a method's own number is its position in the service.
pub fn draft_method_id(service: &str, position: u32) -> u64 {
    joined(draft_service_id(service), position)
}

const fn joined(service: u32, method: u32) -> u64 {
    (service as u64) << 32 | method as u64
}
