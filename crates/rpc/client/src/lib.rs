//! Channels: from a stub's call to a connection and back.
//!
//! ```text
//!  stub ─► Call ─► Attempt ─► Pool: which connection? ─► Handle: the inbox of a connection
//!            ▲         │        │ none is open: connect        │
//!            │         ▼        ▼                              ▼
//!            └────── Retry    a new connection              Dispatch ─► machine ─► socket
//! ```
//!
//! A connection's *home* is the shard or the tokio runtime on which its callers run; callers on plain threads
//! drive their connection themselves. So the common call crosses no thread.
//!
//! | where | what it is |
//! | --- | --- |
//! | `builder.rs`, `channel.rs` | makes a channel from its options; what users hold |
//! | `call/` | calls: options, attempts, replies, streams |
//! | `combination/` | channels that are made of channels |
//! | `core.rs` | what the calls of a channel share |
//! | `interceptor.rs`, `tries/` | what the user runs before and after each call, and each try of it |
//! | `retry_policy.rs` | which failures are followed by another try |
//! | `hedging.rs`, `retry_budget.rs` | when a call is sent a second time; how many retries there may be in all |
//! | `timeline.rs` | the time by which balancers and budgets go |
//! | `health.rs` | what health checks ask, how often, and what follows |
//! | `options/` | the options of a channel, in groups |
//! | `servers/` | the servers of a channel, and which of them a call goes to |
//! | `recipe.rs` | the checked options of a channel |
//! | `pool/` | the connections to a server, and which of them a call takes |
//! | `connection/` | one connection: how it is made, who drives it, and the calls that are under way on it |
//! | `channels.rs` | the channels of the process |
//! | `further_requests.rs`, `metrics.rs` | how many retries and second requests there were; what channels have done, as variables |
//! | `channelz.rs` | the same for gRPC's channelz, with the feature `channelz` |
//! | `why.rs` | what a channel tells of its servers and its last calls |
//! | `service_config/` | what a service config says of each method |
//!
//! `call` uses `servers`, which uses `pool`, which uses `connection`; no import points the other way.
//!
//! Not here: bytes of any protocol (crate `protocols`, handed in as a [`polywire_wire::ProtocolSet`]).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod address;
pub mod below;
mod builder;
mod busiest;
mod call;
mod call_metrics;
mod channel;
pub mod channels;
#[cfg(feature = "channelz")]
pub mod channelz;
mod cluster_tls;
mod combination;
mod connection;
mod core;
mod further_requests;
mod health;
mod hedging;
mod interceptor;
mod metrics;
mod options;
mod pool;
mod recipe;
mod retry_budget;
mod retry_policy;
mod servers;
mod service_config;
#[doc(hidden)]
pub mod stub;
mod subchannel_metrics;
mod timeline;
mod tries;
pub mod why;

pub use builder::{Builder, ProtocolChoice};
pub use call::{
    future::CallFuture,
    handle::{CallHandle, Handle},
    reply::{Answer, Raw},
    streaming::{Blocking, Duplex, Shape, Stream, StreamingCall, Upload},
    target::Target,
    unary::Call,
};
pub use channel::{Channel, ChannelError, NoProtocols};
pub use cluster_tls::UseClusterTls;
pub use combination::{
    parallel::{Branch, Parallel},
    part::{Mapper, Mapping, Part},
    partitioned::Partitioned,
    reply::{BranchReply, Merger, Merging},
    selective::{Selection, Selective},
};
pub use connection::byte_streams::ByteStreams;
pub use connection::credentials::{Credentials, Token};
#[doc(hidden)]
pub use connection::home::{sleep, spawn};
pub use connection::server_options::ServerOptions;
#[cfg(feature = "__tls")]
pub use connection::tls::{ClientTls, dangerous};
pub use health::HealthCheck;
pub use hedging::Hedge;
pub use interceptor::{CallEnd, CallStart, Interceptor};
pub use options::{Balancer, Fleet, Pooling, Resilience};
pub use pool::shared::SharedConnections;
pub use retry_budget::Retries;
pub use retry_policy::{Backoff, FailedTry, RetryDecision, RetryPolicy};
#[cfg(feature = "channelz")]
pub use servers::Connectivity;
pub use tries::{Tally, TryEnd, TryInterceptor, TryKind, TryStart};
