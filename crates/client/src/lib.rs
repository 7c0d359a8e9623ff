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
//! | where | what it is |
//! | --- | --- |
//! | `builder.rs`, `channel.rs` | options, checked once; what users hold |
//! | `call/` | calls: options, attempts, replies, streams |
//! | `pool/` | the connections of a channel, and which of them a call takes |
//! | `connection/` | one connection: how it is made, who drives it, its pending calls |
//! | `service_config/` | what a service config says of each method |
//! | `core.rs` | what a channel and its calls share |
//!
//! Not here: bytes of any protocol (crate `protocols`, handed in as a [`polywire_wire::Registry`]).

#![forbid(unsafe_code)]

mod address;
mod builder;
mod call;
mod channel;
mod connection;
mod core;
mod lock;
mod pool;
mod service_config;

pub use builder::Builder;
pub use call::{
    reply::{Answer, Raw},
    streaming::{Duplex, Shape, Stream, StreamingCall, Upload},
    unary::{Call, CallFuture, Target},
};
pub use channel::{Channel, ChannelError, NoProtocols, Protocols};
#[cfg(feature = "__tls")]
pub use connection::tls::{TlsConnect, dangerous};
