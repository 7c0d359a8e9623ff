//! Latencies, and the report that every `press` prints: the fields that `polywire press --json` has as well.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use crate::cpu;

/// Longest latency that is distinguished: one minute.
const LONGEST_NS: u64 = 60_000_000_000;

/// Counts the calls of one caller; [`Recorder::add`] merges callers.
pub struct Recorder {
    latencies_ns: Histogram<u64>,
    errors: u64,
}

impl Default for Recorder {
    fn default() -> Self {
        let latencies_ns = Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("bounds are sound");
        Recorder { latencies_ns, errors: 0 }
    }
}

impl Recorder {
    pub fn answered(&mut self, latency: Duration) {
        self.latencies_ns.saturating_record(u64::try_from(latency.as_nanos()).unwrap_or(LONGEST_NS));
    }

    pub fn failed(&mut self) {
        self.errors += 1;
    }

    pub fn add(&mut self, other: &Recorder) {
        self.latencies_ns.add(&other.latencies_ns).expect("the bounds are the same");
        self.errors += other.errors;
    }
}

/// When a measurement began: wall clock and CPU time.
pub struct Began {
    at: Instant,
    cpu: Duration,
}

impl Began {
    pub fn now() -> Began {
        Began { at: Instant::now(), cpu: cpu::used() }
    }

    /// The report of everything since then.
    pub fn report(&self, recorded: &Recorder, bytes: usize) -> Report {
        let h = &recorded.latencies_ns;
        let calls = h.len();
        let us = |ns: u64| ns as f64 / 1e3;
        Report {
            calls: calls + recorded.errors,
            errors: recorded.errors,
            min_us: us(h.min()),
            avg_us: h.mean() / 1e3,
            p50_us: us(h.value_at_quantile(0.5)),
            p90_us: us(h.value_at_quantile(0.9)),
            p99_us: us(h.value_at_quantile(0.99)),
            p999_us: us(h.value_at_quantile(0.999)),
            max_us: us(h.max()),
            ..self.report_count(calls, bytes)
        }
    }

    /// The report for messages without replies: there are no latencies.
    pub fn report_count(&self, calls: u64, bytes: usize) -> Report {
        let seconds = self.at.elapsed().as_secs_f64();
        let cpu_us = (cpu::used() - self.cpu).as_secs_f64() * 1e6;
        Report {
            calls,
            calls_per_s: calls as f64 / seconds,
            bytes_per_s: (calls as f64) * (bytes as f64) / seconds,
            cpu_us_per_call: if calls == 0 { 0.0 } else { cpu_us / calls as f64 },
            ..Report::default()
        }
    }
}

/// What a load saw. Times in microseconds; `cpu_us_per_call` is the client's.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    pub calls: u64,
    pub errors: u64,
    pub calls_per_s: f64,
    #[serde(default)]
    pub bytes_per_s: f64,
    pub min_us: f64,
    pub avg_us: f64,
    pub p50_us: f64,
    pub p90_us: f64,
    pub p99_us: f64,
    pub p999_us: f64,
    pub max_us: f64,
    pub cpu_us_per_call: f64,
}

impl Report {
    /// Prints the one JSON object.
    pub fn print(&self) {
        println!("{}", serde_json::to_string(self).expect("numbers are JSON"));
    }
}
