//! The variables of a server, for exporters.

use crate::stats::Stats;
use polywire_metrics::Family;
use std::sync::Arc;

/// The variables that `/metrics` of a server shows: the server's own, the application's, and those of the
/// process. Clones share them.
///
/// ```no_run
/// # use polywire_server::Running;
/// # fn example(running: &Running) {
/// let metrics = running.metrics();
/// let calls: usize = metrics.families().iter().map(|family| family.series.len()).sum();
/// # }
/// ```
#[derive(Clone)]
pub struct Metrics(Arc<Stats>);

impl Metrics {
    pub(crate) fn new(stats: Arc<Stats>) -> Self {
        Metrics(stats)
    }

    /// All numeric variables with their present values, by name.
    pub fn families(&self) -> Vec<Family> {
        self.0.shown().families()
    }

    /// Prometheus' text format, version 0.0.4.
    pub fn prometheus(&self) -> String {
        self.0.shown().prometheus()
    }

    /// OpenMetrics 1.0, with exemplars.
    pub fn openmetrics(&self) -> String {
        self.0.shown().openmetrics()
    }
}
