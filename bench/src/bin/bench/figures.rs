//! Measurements: what is measured, what came out, and how rounds become one figure.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::fleet::Fleet;
use crate::options::Options;
use crate::{plot, tables};

/// One thing to measure, once per round.
pub struct Entry {
    /// The table it belongs to.
    pub group: &'static str,
    /// The row: which load.
    pub load: String,
    /// The column: who serves it.
    pub peer: String,
    measure: Box<dyn Fn(&Fleet) -> Result<Sample, String>>,
}

impl Entry {
    pub fn new(
        group: &'static str,
        load: impl Into<String>,
        peer: impl Into<String>,
        measure: impl Fn(&Fleet) -> Result<Sample, String> + 'static,
    ) -> Entry {
        Entry { group, load: load.into(), peer: peer.into(), measure: Box::new(measure) }
    }

    /// The same, with the sample changed afterwards.
    pub fn then(self, change: impl Fn(Sample) -> Sample + 'static) -> Entry {
        let measure = self.measure;
        Entry { measure: Box::new(move |fleet| measure(fleet).map(&change)), ..self }
    }

    pub fn title(&self) -> String {
        format!("{}: {}, {}", self.group, self.load, self.peer)
    }

    pub fn measure(&self, fleet: &Fleet) -> Result<Sample, String> {
        (self.measure)(fleet)
    }
}

/// The result of one measurement. `value` is calls per second unless the group defines it otherwise.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Sample {
    pub value: f64,
    pub errors: u64,
    /// Set together with [`Sample::p95_us`], only if a foreign client reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avg_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_cpu_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_cpu_us: Option<f64>,
    /// Bytes per second, for messages in one direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
}

impl Sample {
    pub fn of(value: f64) -> Sample {
        Sample { value, ..Sample::default() }
    }

    /// For calls with `messages` messages each: figures per message. Latencies are left out, because they are
    /// those of whole calls.
    pub fn per_message(self, messages: u32) -> Sample {
        let messages = f64::from(messages);
        Sample {
            value: self.value * messages,
            client_cpu_us: self.client_cpu_us.map(|us| us / messages),
            server_cpu_us: self.server_cpu_us.map(|us| us / messages),
            ..self.without_latency()
        }
    }

    /// For messages without replies.
    pub fn without_latency(self) -> Sample {
        Sample { avg_us: None, p50_us: None, p95_us: None, p99_us: None, ..self }
    }

    /// The p99 as the value.
    pub fn by_p99(self) -> Sample {
        Sample { value: self.p99_us.unwrap_or_default(), ..self }
    }
}

/// The median over the rounds, with its spread.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    pub group: String,
    pub load: String,
    pub peer: String,
    /// Each field's own median; errors are added up.
    pub median: Sample,
    pub least: f64,
    pub most: f64,
    pub rounds: usize,
    /// Each round's, with its number.
    pub samples: Vec<(usize, Sample)>,
}

/// Everything that was measured in one run of the driver.
pub struct Results {
    machine: BTreeMap<String, String>,
    time: Duration,
    /// Headings and tables of [`crate::programs`].
    tables: Vec<(String, String)>,
    /// In the order of the plan.
    keys: Vec<(String, String, String)>,
    samples: BTreeMap<(String, String, String), Vec<(usize, Sample)>>,
}

impl Results {
    /// For measurements of `time` each.
    pub fn new(machine: BTreeMap<String, String>, time: Duration) -> Results {
        Results { machine, time, tables: Vec::new(), keys: Vec::new(), samples: BTreeMap::new() }
    }

    pub fn add_table(&mut self, heading: String, table: String) {
        self.tables.push((heading, table));
    }

    fn how(&self) -> String {
        let rounds = self.samples.values().map(Vec::len).max().unwrap_or(0);
        format!("{rounds} round(s) of {:.1} s each, interleaved; medians", self.time.as_secs_f64())
    }

    pub fn add(&mut self, entry: &Entry, round: usize, sample: Sample) {
        let key = (entry.group.to_owned(), entry.load.clone(), entry.peer.clone());
        if !self.keys.contains(&key) {
            self.keys.push(key.clone());
        }
        self.samples.entry(key).or_default().push((round, sample));
    }

    /// Writes `results.json`, `tables.md` and one plot per group below the directory of the options.
    pub fn write(&self, options: &Options) -> Result<(), String> {
        let figures: Vec<Figure> = self.keys.iter().map(|key| figure(key, &self.samples[key])).collect();
        fs::create_dir_all(&options.out).map_err(|error| format!("{}: {error}", options.out.display()))?;
        put(&options.out, "results.json", &self.json(&figures).map_err(|error| error.to_string())?)?;
        let page = tables::page(&self.machine, &self.how(), &self.tables, &figures);
        put(&options.out, "tables.md", &page)?;
        if options.tables && !options.out.join("notes.md").exists() {
            put(&options.out, "notes.md", NOTES)?;
        }
        for (group, svg) in plot::all(&figures) {
            put(&options.out, &format!("{group}.svg"), &svg)?;
        }
        println!("{page}");
        eprintln!("written to {}", options.out.display());
        Ok(())
    }

    /// A line for each figure, so that a difference between two runs can be read.
    fn json(&self, figures: &[Figure]) -> serde_json::Result<String> {
        let (machine, how) = (serde_json::to_string(&self.machine)?, serde_json::to_string(&self.how())?);
        let figures = figures.iter().map(serde_json::to_string).collect::<serde_json::Result<Vec<_>>>()?;
        Ok(format!("{{\"machine\":{machine},\n\"how\":{how},\n\"figures\":[\n{}\n]}}\n", figures.join(",\n")))
    }
}

/// Of a new record, until somebody writes what has to be known to read it.
const NOTES: &str = "# Everything in one run\n\n`cargo xtask bench --tables`.\n";

fn put(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn figure((group, load, peer): &(String, String, String), rounds: &[(usize, Sample)]) -> Figure {
    let samples: Vec<Sample> = rounds.iter().map(|(_, sample)| *sample).collect();
    let values: Vec<f64> = samples.iter().map(|s| s.value).collect();
    let of = |field: fn(&Sample) -> Option<f64>| {
        let found: Vec<f64> = samples.iter().filter_map(field).collect();
        (!found.is_empty()).then(|| median(&found))
    };
    Figure {
        group: group.clone(),
        load: load.clone(),
        peer: peer.clone(),
        median: Sample {
            value: median(&values),
            errors: samples.iter().map(|s| s.errors).sum(),
            avg_us: of(|s| s.avg_us),
            p50_us: of(|s| s.p50_us),
            p95_us: of(|s| s.p95_us),
            p99_us: of(|s| s.p99_us),
            client_cpu_us: of(|s| s.client_cpu_us),
            server_cpu_us: of(|s| s.server_cpu_us),
            bytes_per_s: of(|s| s.bytes_per_s),
        },
        least: values.iter().copied().fold(f64::INFINITY, f64::min),
        most: values.iter().copied().fold(0.0, f64::max),
        rounds: samples.len(),
        samples: rounds.to_vec(),
    }
}

/// The middle value; of an even number of them, the mean of the two in the middle.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_of_odd_and_the_mean_of_even_numbers() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
