//! Services on listeners: dispatch, limits, deadlines, graceful stop.
//!
//! ```text
//!  Server --start--> per shard: Table (methods, their gauges) --> per connection: Router (Host) + Dispatch
//!                                        ^                                 |
//!  Service, Unary, *Streaming - instance per shard            Open -> handler -> Finish
//! ```
//!
//! Not here: bytes of any protocol (crate `protocols`, handed in as a [`polywire_wire::ProtocolSet`]), how
//!           bytes move (crate `engine`).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod about;
mod access_log;
mod admission;
mod auth;
mod binding;
mod call_metrics;
mod catch_all;
mod certificates;
mod checks;
mod common;
mod context;
mod dispatch;
mod door;
mod ends;
mod error;
pub mod facts;
mod features;
mod flags;
mod forwarded;
mod group;
mod handover;
mod health;
mod ledger;
mod limits;
mod metric_files;
mod metrics;
mod middleware;
mod networks;
mod options;
mod pages;
mod passed_on;
mod paths;
mod registration;
mod router;
mod running;
mod sampling;
mod schemas;
mod scope;
mod servable;
mod server;
mod service;
mod spans;
mod start;
mod stats;
mod streaming;
pub mod systemd;
mod table;
mod tasks;
mod testing;
mod timeout;
#[cfg(feature = "__tls")]
mod tls;
#[cfg(feature = "tower")]
pub mod tower;
mod trouble;
mod verbs;

pub use about::{About, AboutService, Calls};
pub use access_log::{AccessLog, AccessLogBuilder, LogFormat};
pub use admission::{Admission, Arrival};
pub use auth::{Authenticator, Caller, Identity};
pub use catch_all::{ByPath, CatchAll, Directions, are_plain_names, called_by_path, came_whole};
pub use context::{Context, Kept};
pub use error::ServerError;
pub use forwarded::{Charge, Forwarded, Inflater, Room};
pub use group::Group;
pub use handover::HandOver;
pub use health::{Health, HealthWatch, Serving};
pub use limits::{
    Auto, Concurrency, ConnectionsReport, Limiter, LimiterReport, MethodLimits, OverloadReport, Permit,
    RateBy, Rates, RatesReport, Timeout,
};
pub use metrics::Metrics;
pub use middleware::{Ended, Middleware, Next};
pub use networks::Networks;
pub use options::{Bounds, Lifecycle, Recording};
pub use pages::{MadePages, ServerPages, ShowsServer};
pub use passed_on::{PassedOn, Trail};
pub use polywire_call::ConfigError;
pub use polywire_dump::{
    CallRecord, DumpOptions, DumpStats, Recorder, SpanFileOptions, SpanFileStats, SpanFiles,
};
pub use polywire_engine::{
    backlog::{BacklogReport, Rank, Shedding},
    memory::MemoryReport,
};
pub use polywire_formats::json::Json;
pub use polywire_naming::Registration;
pub use polywire_wire::Origins;
pub use running::{AbortedConnection, Running, stop_signal};
pub use servable::Servable;
pub use server::{Preset, Server};
pub use service::{Call, Handler, Method, Service, Started, Unary};
pub use streaming::{BidiStreaming, ClientStreaming, ServerStreaming, has_frames, lines_of};
pub use testing::TestContext;
#[cfg(feature = "__tls")]
pub use tls::{ClientCertificates, ServerTls};
