//! The variables of a registry, at intervals.

mod encode;
mod exporter;
#[cfg(test)]
mod tests;

pub use exporter::{MetricsExporter, MetricsFigures, metrics_exporter};
