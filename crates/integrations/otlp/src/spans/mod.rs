//! Spans of calls, as a tracer keeps them.

mod encode;
mod exporter;
mod queue;
#[cfg(test)]
mod tests;

pub use exporter::{Exporter, exporter};
pub use queue::Figures;
