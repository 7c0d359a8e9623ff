//! sofa_pbrpc: protobuf calls by full method name.
//!
//! ```text
//!  0        4              8               16                 24            24+meta_size
//!  +--------+--------------+---------------+------------------+-------------+------ - - ------+
//!  | "SOFA" | meta_size u32| body_size u64 | message_size u64 | SofaRpcMeta | message         |
//!  +--------+--------------+---------------+------------------+-------------+------ - - ------+
//!                                            meta_size + body_size
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `dialect.rs` | what headers and metas mean |
//! | `meta.rs` | SofaRpcMeta: read by reference, written in place |
//!
//! The connection is [`pbrpc`](crate::pbrpc), which baidu_std and hulu_pbrpc share.
//!
//! Source:     docs/wire/sofa_pbrpc.md, docs/wire/common.md
//! Limits:     as `pbrpc`; `Limits::max_message` bounds each of meta_size and body_size.
//! Errors:     docs/wire/sofa_pbrpc.md, "Detection and bad input".
//! Deviations: a message_size that is not the sum of the other two closes the connection at once; brpc waits
//!             for four more bytes. Names that are not UTF-8 close it as well, because protobuf strings are
//!             UTF-8. If the server requires credentials, its authenticator is called with an empty one at
//!             the first frame, because the protocol has no field for it. An authenticator that needs a
//!             credential refuses it, which closes the connection without a reply; one that decides by the
//!             address of the peer may accept it.
//! Not here:   attachments: that of a reply is dropped, as brpc does, and a call with one fails at the
//!             client. Deadlines and ids are not sent; of fields of requests, only the number of relays that a call
//!             has passed ([`relays`]). `expected_response_compress_type` is neither written
//!             nor used.

mod dialect;
mod meta;

#[cfg(test)]
mod tests;

use crate::pbrpc::{Dialect, NAMED, Pbrpc};
use crate::relays;
use crate::sniff::magic;
use dialect::Sofa;
use polywire_wire::{DumpForm, Dumped, Protocol};

/// brpc's number of this protocol in dump files, docs/wire/rpc_dump.md.
const NUMBER: u32 = 5;

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    name: Sofa::NAME,
    sniff: |bytes| magic(Sofa::MAGIC, bytes),
    framed: true,
    compressions: NAMED,
    machine: Some(|setup| Box::new(Pbrpc::<Sofa>::new(setup))),
    counts_relays: true,
    fields: relays::visit,
    dumped: |_| Dumped::new(NUMBER, DumpForm::FullName),
    dump_number: Some(NUMBER),
    ..Protocol::DEFAULT
};
