//! Files of what a server has seen: requests in dump files of brpc, to be sent again, and spans of calls.
//!
//! ```text
//!  Open -> Rate (about 1000/s) -> Recorder: queue, bounded -> one thread: Files -> requests.20261123_120000_000000
//!                                                                                             |
//!                                             polywire replay, convert <- Record <- Reader <--'
//! ```
//!
//! A server takes [`DumpOptions`] and makes a [`Recorder`] of them. [`Folder`] and [`Reader`] read what it
//! has written, or what brpc has.
//!
//! [`SpanFiles`] writes the spans that a tracer keeps, see there.
//!
//! Source: docs/wire/rpc_dump.md.
//! Not here: which protocol has which form, which is in its [`Protocol`](polywire_wire::Protocol) entry;
//!           sending records.

#![forbid(unsafe_code)]

mod fields;
mod files;
mod meta;
mod options;
mod rate;
mod reader;
mod record;
mod recorder;
mod request;
mod spans;
mod stamped;

pub use files::Files;
pub use meta::{Meta, Own, compression_of, number_of};
pub use options::DumpOptions;
pub use reader::{Folder, Reader};
pub use record::{HEADER_BYTES, MAX_RECORD, Problem, Record};
pub use recorder::{DumpStats, Recorder};
pub use spans::{SpanFileOptions, SpanFileStats, SpanFiles};
