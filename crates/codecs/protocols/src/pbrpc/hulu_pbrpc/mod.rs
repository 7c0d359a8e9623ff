//! hulu_pbrpc: protobuf calls by short service name and the method's place in its service.
//!
//! ```text
//!  0        4               8               12         12+meta_size             12+body_size
//!  +--------+---------------+---------------+----------+-----------+----- - - -----+
//!  | "HULU" | body_size u32 | meta_size u32 | meta     | message   | attachment    |
//!  +--------+---------------+---------------+----------+-----------+----- - - -----+
//!            little-endian                   `------------ body_size -------------'
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `dialect.rs` | what headers and metas mean |
//! | `meta/` | the two metas: read by reference, written in place |
//! | `fields.rs` | metadata of a call and its places in the metas |
//!
//! The connection is [`pbrpc`](crate::pbrpc), which baidu_std and sofa_pbrpc share.
//!
//! Source:     docs/wire/hulu_pbrpc.md, docs/wire/common.md
//! Limits:     as `pbrpc`.
//! Errors:     docs/wire/hulu_pbrpc.md, "Detection and bad input". A refused credential is answered with a
//!             complete reply of 1004 ("A new server should"); then the connection closes.
//! Deviations: meta_size > body_size closes the connection; brpc handles that case only by accident. Names
//!             that are not UTF-8 close it as well, because protobuf strings are UTF-8. A service may also be
//!             named by its full name.
//! Not here:   deadlines, and metadata other than that of `fields.rs`, for which the protocol has no fields;
//!             fields that docs/wire/hulu_pbrpc.md calls unused.

mod dialect;
mod fields;
mod meta;

#[cfg(test)]
mod tests;

pub use fields::{SOURCE_ADDRESS, USER_DATA};

use crate::pbrpc::{Dialect, NAMED, Pbrpc};
use crate::sniff::magic;
use dialect::Hulu;
use polywire_wire::{Addressing, Carrier, DumpForm, Dumped, Protocol};

/// brpc's number of this protocol in dump files, docs/wire/rpc_dump.md.
const NUMBER: u32 = 4;

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    name: Hulu::NAME,
    sniff: |bytes| magic(Hulu::MAGIC, bytes),
    framed: true,
    compressions: NAMED,
    attachments: true,
    machine: Some(|setup| Box::new(Pbrpc::<Hulu>::new(setup))),
    trace: Carrier::IDS,
    addressing: Addressing::Position,
    counts_relays: true,
    fields: fields::fields,
    dumped: |_| Dumped::new(NUMBER, DumpForm::Position { user_data: USER_DATA }),
    dump_number: Some(NUMBER),
    ..Protocol::DEFAULT
};
