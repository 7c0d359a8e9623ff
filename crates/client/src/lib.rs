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
//! Not here: bytes of any protocol (crate `protocols`, handed in as a [`polywire_wire::Registry`]).

#![forbid(unsafe_code)]

mod call;
mod channel;
mod connector;
mod dispatch;
mod home;
mod link;
mod plain;
mod stream;
mod streaming;
#[cfg(feature = "__tls")]
mod tls;

pub use call::{Answer, Call, CallFuture, Raw, Target};
pub use channel::{Builder, Channel, ChannelError, NoProtocols, Protocols};
pub use stream::{Stream, StreamCall};
pub use streaming::{Duplex, Shape, StreamingCall, Upload};
#[cfg(feature = "__tls")]
pub use tls::{TlsConnect, dangerous};
