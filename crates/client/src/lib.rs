//! Channels: from a stub's call to a connection and back.
//!
//! ```text
//!  stub --> Call (lazy) --> Channel: which home is this thread? --> Link: inbox of a connection
//!                             |  none yet, or all taken: connect        |
//!                             `--- retry while it is safe <--- Line <---+--> Dispatch --> machine --> socket
//! ```
//!
//! A connection's *home* is the shard or the tokio runtime its callers run on; callers on plain threads drive their
//! connection themselves (leader and followers). So the common call crosses no thread.
//!
//! | file | what it is |
//! | --- | --- |
//! | `builder.rs`, `channel.rs` | options, checked once; what users hold |
//! | `call.rs`, `sent.rs`, `answer.rs` | a call with one message each way: what goes out, under way and tried again, its reply |
//! | `streaming/` | calls with streams |
//! | `service_config/`, `managed.rs` | what a service config says of each method, and calls that it has to do with |
//! | `shared.rs`, `near.rs`, `pool.rs` | how a call finds a connection: a thread's short way, and all there are |
//! | `overflow.rs` | further connections, when one is full |
//! | `lease.rs`, `backoff.rs`, `calm.rs` | a connection that is one call's alone; the pause after a failed connect; fewer PINGs |
//! | `link.rs`, `dispatch.rs` | a connection as its callers see it, and its pending calls |
//! | `plain.rs` | connections that plain threads drive themselves |
//! | `home.rs`, `connector.rs`, `tls.rs` | where a connection lives, and what it is made of |
//!
//! Not here: bytes of any protocol (crate `protocols`, handed in as a [`polywire_wire::Registry`]).

#![forbid(unsafe_code)]

mod address;
mod answer;
mod backoff;
mod builder;
mod call;
mod calm;
mod channel;
mod connector;
mod dispatch;
mod home;
mod lease;
mod link;
mod lock;
mod managed;
mod near;
mod overdue;
mod overflow;
mod placement;
mod plain;
mod pool;
mod sent;
mod service_config;
mod shared;
mod streaming;
#[cfg(feature = "__tls")]
mod tls;

pub use answer::{Answer, Raw};
pub use builder::Builder;
pub use call::{Call, CallFuture, Target};
pub use channel::{Channel, ChannelError, NoProtocols, Protocols};
pub use streaming::{Duplex, Shape, Stream, StreamingCall, Upload};
#[cfg(feature = "__tls")]
pub use tls::{TlsConnect, dangerous};
