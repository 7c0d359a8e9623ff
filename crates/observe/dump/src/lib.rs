//! Files of a server's traffic: requests in brpc's dump files, for replay, and spans of calls.
//!
//! ```text
//!  Open -> Rate (about 1000/s) -> Recorder: queue, bounded -> one thread: Files -> requests.20261123_120000_000000
//!                                                                                             |
//!                                             polywire replay, convert <- Record <- Reader <--'
//! ```
//!
//! A server makes a [`Recorder`] from [`DumpOptions`]. [`Folder`] and [`Reader`] read its files, or brpc's.
//!
//! A client's call is recorded by a [`CallRecord`], which is made before it is known whether it is wanted.
//!
//! [`SpanFiles`] writes the spans that a tracer keeps, see there.
//!
//! Source: docs/wire/rpc_dump.md.
//! Not here: which protocol has which form, which is in its [`Protocol`](polywire_wire::Protocol) entry;
//!           sending records.

#![forbid(unsafe_code)]

mod call;
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

pub use call::CallRecord;
pub use files::{Files, Settled};
pub use meta::{Meta, Own, compression_of, number_of};
pub use options::DumpOptions;
pub use reader::{Folder, Reader};
pub use record::{HEADER_BYTES, MAX_RECORD, Problem, Record};
pub use recorder::{DumpStats, Recorder};
pub use spans::{SpanFileOptions, SpanFileStats, SpanFiles};
