//! What came of a run: as one JSON object, and as text.

use super::{
    load::Run,
    plan::Plan,
    tally::{Failed, Tally},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt::Write, time::Duration};

/// Figures of a run, ready to be shown.
pub struct Report<'p> {
    plan: &'p Plan,
    runs: Vec<Run>,
}

impl<'p> Report<'p> {
    pub fn new(plan: &'p Plan, runs: Vec<Run>) -> Self {
        Report { plan, runs }
    }

    /// One object: the figures of all steps together, and each step's own if there are several.
    pub fn json(&self) -> Value {
        let mut all = Tally::new();
        let (mut elapsed, mut cpu) = (Duration::ZERO, Duration::ZERO);
        for run in &self.runs {
            all.merge(&run.tally);
            elapsed += run.elapsed;
            cpu += run.cpu;
        }
        let mut object = figures(&all, elapsed, cpu);
        object.insert("server".into(), self.plan.peer.server.clone().into());
        object.insert("protocol".into(), self.plan.peer.protocol.clone().into());
        object.insert("method".into(), self.plan.method.clone().into());
        object.insert("attachment_bytes".into(), self.plan.attachment.len().into());
        if let Some(run) = self.runs.last() {
            shape(&mut object, run);
        }
        if self.runs.len() > 1 {
            let steps = self.runs.iter().map(|run| {
                let mut step = figures(&run.tally, run.elapsed, run.cpu);
                shape(&mut step, run);
                Value::Object(step)
            });
            object.insert("steps".into(), steps.collect());
        }
        Value::Object(object)
    }
}

type Object = serde_json::Map<String, Value>;

/// How the load was made.
fn shape(object: &mut Object, run: &Run) {
    object.insert("callers".into(), run.step.callers.into());
    object.insert("connections".into(), run.connections.into());
    object.insert("threads".into(), run.threads.into());
    object.insert("qps".into(), run.step.qps.map_or(Value::Null, Value::from));
    object.insert("unfinished".into(), run.unfinished.into());
}

fn figures(tally: &Tally, elapsed: Duration, cpu: Duration) -> Object {
    let latency = &tally.latency;
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let at = |percent: f64| if latency.is_empty() { 0 } else { latency.value_at_percentile(percent) };
    let mut status: BTreeMap<&str, u64> = BTreeMap::new();
    if tally.successes() > 0 {
        status.insert("OK", tally.successes());
    }
    status.extend(tally.errors.iter().map(|(code, failed)| (&**code, failed.calls)));
    let messages: BTreeMap<&str, &str> =
        tally.errors.iter().map(|(code, Failed { message, .. })| (&**code, &**message)).collect();
    let histogram: Vec<_> = rows(tally)
        .into_iter()
        .map(|row| json!({"from_us": row.from, "to_us": row.to, "calls": row.calls}))
        .collect();
    let object = json!({
        "duration_s": round(elapsed.as_secs_f64()),
        "calls": tally.calls(),
        "errors": tally.failures(),
        "calls_per_s": round(tally.in_time as f64 / seconds),
        "bytes_per_s": round(tally.bytes as f64 / seconds),
        "min_us": if latency.is_empty() { 0 } else { latency.min() },
        "avg_us": round(latency.mean()),
        "p50_us": at(50.0),
        "p90_us": at(90.0),
        "p99_us": at(99.0),
        "p999_us": at(99.9),
        "max_us": latency.max(),
        "cpu_us_per_call": round(cpu.as_secs_f64() * 1e6 / tally.calls().max(1) as f64),
        "late": tally.late,
        "unsent": tally.unsent,
        "status": status,
        "messages": messages,
        "histogram": histogram,
    });
    match object {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

/// Three decimals.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// A bar of the histogram: calls of `from..to` microseconds.
struct Row {
    from: u64,
    to: u64,
    calls: u64,
}

/// Ten bars a decade: bounds are rounded powers of 10^(1/10).
fn rows(tally: &Tally) -> Vec<Row> {
    let latency = &tally.latency;
    if latency.is_empty() {
        return Vec::new();
    }
    let (min, max) = (latency.min(), latency.max());
    let mut bounds: Vec<u64> = (0..=80).map(|k| 10f64.powf(f64::from(k) / 10.0).round() as u64).collect();
    bounds.dedup();
    let mut rows = Vec::new();
    for pair in bounds.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if to > min && from <= max {
            rows.push(Row { from, to, calls: 0 });
        }
    }
    for value in latency.iter_recorded() {
        let at = value.value_iterated_to().clamp(min, max);
        let row = rows.partition_point(|row| row.to <= at).min(rows.len() - 1);
        rows[row].calls += value.count_since_last_iteration();
    }
    rows
}

/// One line per second while it runs.
pub fn second(passed: Duration, tally: &Tally) -> String {
    let mut line = format!("{:>5.0} s {:>10} calls", passed.as_secs_f64(), tally.calls());
    if !tally.latency.is_empty() {
        let at = |percent| tally.latency.value_at_percentile(percent);
        let _ = write!(line, "   p50 {} us   p99 {} us   max {} us", at(50.0), at(99.0), tally.latency.max());
    }
    if tally.failures() > 0 {
        let _ = write!(line, "   {} errors", tally.failures());
    }
    line
}
