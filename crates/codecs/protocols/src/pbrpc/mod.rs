//! The common parts of baidu_std, hulu_pbrpc, sofa_pbrpc and fb_rpc: a magic, lengths, a meta with the call's
//! id, and the payload.
//!
//! ```text
//!  0        4              HEADER_BYTES                                        the frame's end
//!  +--------+----- - - ----+------ - - ------+------ - - -----+----- - - -----+
//!  | magic  | lengths      | meta            | message        | attachment    |
//!  +--------+----- - - ----+------ - - ------+------ - - -----+----- - - -----+
//! ```
//!
//! [`Pbrpc`] is the connection, for both roles. A protocol defines its header and its metas by a [`Dialect`].
//! Everything is resolved at compile time, so no protocol pays for another one.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `baidu_std/`, `hulu_pbrpc/`, `sofa_pbrpc/`, `fb_rpc/` | the protocols |
//! | `streaming_rpc/` | streams beside the calls of baidu_std |
//! | `dialect.rs` | what a protocol of the family is asked |
//! | `frame.rs`, `front.rs` | what a header announces; whose bytes these are |
//! | `message.rs` | what a meta says of its payload |
//! | `machine.rs` | the connection, whichever role it has |
//! | `server.rs`, `client.rs` | frames to calls, calls to frames |
//! | `encode.rs` | what all writers need: header, lengths |
//! | `extension.rs` | what a protocol adds to the calls of a connection: streams |
//! | `ids.rs` | ids that metas have fields for, and their names in metadata |
//!
//! Source:     docs/wire/common.md, and the sheets of the four
//! Limits:     a frame whose body exceeds `Limits::max_message` closes the connection; metas are at most
//!             64 KiB; a payload that the route or the dispatcher refuses is skipped as it arrives; a server
//!             stops reading while its peer does not read, or while `Limits::calls` are under way.
//! Invariants: a plain call touches no table and allocates nothing; a payload is passed by reference.

pub mod baidu_std;
mod client;
mod dialect;
pub(crate) mod encode;
mod extension;
#[cfg(feature = "flatbuffers")]
pub mod fb_rpc;
mod frame;
mod front;
#[cfg(feature = "hulu_pbrpc")]
pub mod hulu_pbrpc;
pub(crate) mod ids;
mod machine;
mod message;
mod server;
#[cfg(feature = "sofa_pbrpc")]
pub mod sofa_pbrpc;
pub mod streaming_rpc;

pub(crate) use dialect::{Dialect, Extra, NAMED, Replied, TooLong, check_form};
pub(crate) use extension::{Extension, NoExtension};
pub(crate) use frame::{Frame, MAX_META_BYTES, SIZES_HEADER_BYTES, put_sizes};
pub(crate) use front::Front;
pub(crate) use machine::{Inward, Leaving, Pbrpc};
pub(crate) use message::{Check, Message, Unchecked};
pub(crate) use server::Found;
