//! Spans of calls: their contents, which calls are recorded, and the store of recorded spans.
//!
//! ```text
//!  call ─► Tracer::begin ─► Span: phases, annotations, calls within it ─► Span::end ─► Store, bounded ─► pages
//!            │                 `─► TraceContext ─► fields of the requests that it makes      `─► Sink
//!            `─ Lane, Sampler: at most so many a second; failed and slowest ones are kept besides
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `ids.rs` | ids of traces and spans |
//! | `context.rs` | what travels with a call, and how a protocol's requests carry it |
//! | `w3c.rs` | `traceparent` and `tracestate` |
//! | `sampler.rs` | which calls are recorded |
//! | `span.rs` | a span that is under way |
//! | `record.rs` | one that has ended |
//! | `store.rs` | those that are kept |
//! | `tracer.rs` | all of it together |
//! | `page.rs` | the page `/rpcz` |
//! | `rpcz.rs` | spans as text, in the form that Apache brpc's page `/rpcz` has |
//! | `otel.rs` | what a span is called in OpenTelemetry |
//! | `tree.rs` | the spans of a trace as a tree, in text and JSON |
//!
//! There is no clock and no socket here: time goes in, spans come out.

#![forbid(unsafe_code)]

mod context;
mod ids;
pub mod otel;
pub mod page;
mod record;
pub mod rpcz;
mod sampler;
mod span;
mod store;
mod tracer;
pub mod tree;
mod w3c;

pub use context::{Carrier, Incoming, TraceContext, W3c, is_trace_field, may_be_id};
pub use ids::{SpanId, TraceId};
pub use record::{Annotation, Class, End, Kept, Phase, Record, Side, bounded};
pub use sampler::Lane;
pub use span::{Chosen, MOST_ANNOTATIONS, MOST_CALLS, Span, Start, Try, Within};
pub use store::{Held, NEWEST, Query};
pub use tracer::{Options, Sink, Slowest, Tracer, TracerStats};
