//! Exports spans of calls and metrics to OpenTelemetry collectors: OTLP over gRPC, over a polywire channel.
//!
//! ```text
//!  Tracer ─► Exporter (a Sink) ─► queue, bounded ─► batches ─► TraceService/Export ───► collector
//!                                    `─ full: dropped and counted    `─ fails: again after a pause, at last dropped
//!  Registry ─► families, at each interval ───────────────────► MetricsService/Export ─► collector
//!                                                                    `─ fails: the next one has it, since values count from the start
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `spans/`, `metrics/` | each with `encode.rs`, the messages of OTLP, and `exporter.rs`, what sends them; spans wait in `queue.rs` |
//! | `fields.rs` | the fields of these messages |
//! | `request.rs` | requests, cut by their bytes |
//! | `options.rs` | how they are sent |

#![forbid(unsafe_code)]

mod fields;
mod metrics;
mod options;
mod request;
mod spans;
#[cfg(test)]
mod testing;

pub use metrics::{MetricsExporter, MetricsFigures, metrics_exporter};
pub use options::Options;
pub use spans::{Exporter, Figures, exporter};
