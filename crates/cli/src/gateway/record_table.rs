//! What has become of requests that are written to files, on the page `/gateway` and in metrics.

use polywire::{
    DumpRecorder, DumpStats,
    console::{Column, Mark, Table},
    metrics::{Labels, Metric, Name, Passive, Reading, Registry},
};
use polywire_base::lock;
use std::sync::{Arc, Mutex};

/// Rows of the table.
const ROWS: usize = 100;

/// What is written, with whose requests they are. There are no more of them than the file has. Clones are the
/// same.
#[derive(Clone, Default)]
pub struct Records(Arc<Mutex<Vec<(String, Arc<DumpRecorder>)>>>);

impl Records {
    /// Those of another plan.
    pub fn set(&self, records: Vec<(String, Arc<DumpRecorder>)>) {
        *lock(&self.0) = records;
    }

    fn all(&self) -> Vec<(String, DumpStats)> {
        lock(&self.0).iter().map(|(of, recorder)| (of.clone(), recorder.stats())).collect()
    }

    /// Adds a metric of them.
    pub fn expose(&self, registry: &Registry) {
        let records = self.clone();
        let read = move || {
            let series = |(of, stats): (String, DumpStats)| {
                results(&stats).map(|(result, count)| (labels(&of, result), Reading::Count(count)))
            };
            Reading::Labelled(records.all().into_iter().flat_map(series).collect())
        };
        let metric = Metric::new("polywire_gateway_recorded", "Requests that were to be written to files.");
        let _ = registry.expose(Name::of_metric(metric.unit("{request}")), Passive::new(read));
    }

    /// `None`: nothing is written.
    pub fn table(&self) -> Option<Table> {
        let columns = [
            Column::new("requests").hint("of which listener or shadow; polywire_gateway_recorded_total"),
            Column::new("written"),
            Column::new("dropped").hint("too long, or there was no room in the queue"),
            Column::new("failed").hint("the file could not be written"),
        ];
        let all = self.all();
        let mut table = Table::new("records", columns);
        table.total = Some(all.len());
        for (of, stats) in all.into_iter().take(ROWS) {
            let mark = if stats.failed > 0 { Mark::Warn } else { Mark::Fine };
            let mut cells = vec![of.clone().into()];
            cells.extend(results(&stats).map(|(_, count)| count.into()));
            table.push(of, mark, cells);
        }
        (!table.rows.is_empty()).then_some(table)
    }
}

fn results(stats: &DumpStats) -> [(&'static str, u64); 3] {
    [("written", stats.written), ("dropped", stats.dropped), ("failed", stats.failed)]
}

fn labels(of: &str, result: &str) -> Labels {
    vec![("of".to_owned(), of.to_owned()), ("result".to_owned(), result.to_owned())]
}
