//! Spans of calls for OpenTelemetry collectors: OTLP over gRPC, by a channel of ours.
//!
//! ```text
//!  Tracer ─► Exporter (a Sink) ─► queue, bounded ─► batches ─► TraceService/Export ─► collector
//!                                    `─ full: dropped and counted    `─ fails: again after a pause, at last dropped
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `encode.rs` | spans in the protobuf messages of OTLP |
//! | `queue.rs` | spans that wait, and the figures |
//! | `exporter.rs` | what sends them |

#![forbid(unsafe_code)]

mod encode;
mod exporter;
mod queue;
#[cfg(test)]
mod tests;

pub use exporter::{Exporter, Options, exporter};
pub use queue::Figures;
