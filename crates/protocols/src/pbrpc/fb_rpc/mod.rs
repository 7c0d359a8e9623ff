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
//!
//! The connection is [`pbrpc`](crate::pbrpc), which baidu_std and its relatives share. A service travels as a hash of its full
//! name, a method as the number that its schema gives it; [`method_id`] makes one number of both, the target of a request.
//!
//! Source:     docs/wire/flatbuffers_rpc.md, variant V2
//! Limits:     as `pbrpc`.
//! Errors:     docs/wire/flatbuffers_rpc.md, "Receiving rules". An error has only a number; a client makes the text
//!             from it.
//! Deviations: a peer that is refused gets 1004, and the reason among the fields after the meta, which brpc skips;
//!             then the connection closes. The authenticator is called at the first frame, although the protocol has
//!             no field for a credential, because it may accept a peer by its address. A client that has a credential
//!             makes no calls.
//! Not here:   deadlines, metadata and compression, for which the protocol has no fields; verification of messages,
//!             which belongs to the format; the variants V0 and V1.

mod dialect;
mod meta;

#[cfg(test)]
mod tests;

use crate::pbrpc::{Dialect, Pbrpc};
use crate::sniff::magic;
use dialect::Flat;
use polywire_base::murmur3_32;
use polywire_wire::{Content, Protocol};

/// The entry of the registry.
pub static PROTOCOL: Protocol = Protocol {
    name: Flat::NAME,
    sniff: |bytes| magic(Flat::MAGIC, bytes),
    framed: true,
    content: |parameter| parameter.is_empty().then_some(Content::FLATBUFFERS),
    machine: Some(|setup| Box::new(Pbrpc::<Flat>::new(setup))),
    any_service: false,
    ..Protocol::DEFAULT
};

/// The number of a method: a hash of its service's full name in the upper half, its own number in the lower.
pub const fn method_id(service: &str, method: u32) -> u64 {
    joined(service_id(service), method)
}

/// "service id = MurmurHash3_x86_32(full name bytes, seed 1)"
const fn service_id(service: &str) -> u32 {
    murmur3_32(service.as_bytes(), 1)
}

const fn joined(service: u32, method: u32) -> u64 {
    (service as u64) << 32 | method as u64
}
