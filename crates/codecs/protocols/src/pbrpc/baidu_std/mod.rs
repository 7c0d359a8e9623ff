//! baidu_std: the default protocol of Apache brpc, protobuf messages with a small meta in front.
//!
//! ```text
//!  0        4               8               12        12+meta_size                    12+body_size
//!  +--------+---------------+---------------+---------+-------------+------ - - -----+
//!  | "PRPC" | body_size u32 | meta_size u32 | RpcMeta | message     | attachment     |
//!  +--------+---------------+---------------+---------+-------------+------ - - -----+
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `dialect.rs` | header, and what the metas of frames mean |
//! | `meta.rs` | RpcMeta, read by reference |
//! | `encode.rs` | requests and replies, written into the output |
//! | `fields.rs` | metadata of a call and its places in RpcMeta |
//! | `checksum.rs` | CRC32C over message and attachment |
//! | `names.rs` | service and method of the last request |
//!
//! The connection itself is [`pbrpc`](crate::pbrpc), which hulu_pbrpc and sofa_pbrpc share.
//!
//! Source:     docs/wire/baidu_std.md, docs/wire/common.md
//! Invariants: a plain call touches no table and allocates nothing; a payload is passed by reference.
//! Limits:     a frame whose body_size exceeds `Limits::max_message` closes the connection; metas are at most
//!             64 KiB; a payload that the route or the dispatcher refuses is skipped as it arrives; a server
//!             whose peer does not read stops reading.
//! Errors:     see the tables in docs/wire/baidu_std.md, "Server behaviour on bad input" and "Client
//!             behaviour".
//! Deviations: meta_size > body_size closes the connection; brpc handles that case only by accident. Names
//!             that are not UTF-8 close it as well, because protobuf strings are UTF-8. A body with a wrong
//!             size, attachment or checksum is refused in the order of admission here: the attachment is
//!             checked first, because that check costs nothing.
//! Not here:   streams. [`streaming_rpc`](crate::pbrpc::streaming_rpc) is part of this machine. It has a
//!             magic and a meta of its own, and `stream_settings` in the meta of this protocol; its frames
//!             alternate with these on one connection.

mod checksum;
mod dialect;
pub(crate) mod encode;
mod fields;
mod meta;
mod names;

#[cfg(test)]
mod tests;

pub use fields::CHECKSUM;

use crate::pbrpc::streaming_rpc::MAGIC as STREAM_MAGIC;
use crate::pbrpc::{Dialect, NAMED, Pbrpc};
use crate::sniff::magic;
pub(crate) use dialect::Prpc;
use polywire_wire::{Carrier, DumpForm, Dumped, Protocol, Sniff, Streams};

/// brpc's number of this protocol in dump files, docs/wire/rpc_dump.md.
const NUMBER: u32 = 2;

/// The entry in a protocol set.
pub static PROTOCOL: Protocol = Protocol {
    name: Prpc::NAME,
    also_called: &["brpc", "baidu"],
    sniff,
    framed: true,
    compressions: NAMED,
    attachments: true,
    streams: Streams::Messages,
    machine: Some(|setup| Box::new(Pbrpc::<Prpc>::new(setup))),
    trace: Carrier::IDS_AND_FIELDS,
    fields: fields::fields,
    dumped: |_| Dumped::new(NUMBER, DumpForm::Names),
    dump_number: Some(NUMBER),
    ..Protocol::DEFAULT
};

/// A call, or a frame of a stream: this machine reads both.
fn sniff(bytes: &[u8]) -> Sniff {
    match magic(Prpc::MAGIC, bytes) {
        Sniff::NotMine => magic(STREAM_MAGIC, bytes),
        found => found,
    }
}
