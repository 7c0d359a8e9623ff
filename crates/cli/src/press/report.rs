//! The result of a run, as one JSON object and as text.

use super::{
    histogram::{self, rows},
    load::Run,
    plan::Plan,
    tally::{Failed, Tally},
};
use crate::{terminal, units};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt::Write, time::Duration};

/// The method and the server of a run.
#[derive(Clone, Default)]
pub struct About {
    pub method: String,
    pub server: String,
    pub protocol: String,
    pub balancer: Option<String>,
    pub hedge: Option<String>,
    pub attachment_bytes: usize,
}

impl About {
    pub fn new(plan: &Plan) -> Self {
        let peer = &plan.load.peer;
        About {
            method: plan.load.requests.subject.name(),
            server: peer.server.clone(),
            protocol: peer.protocol.clone(),
            balancer: peer.balancer.clone(),
            hedge: peer.hedge.map(|hedge| hedge.to_string()),
            attachment_bytes: plan.attachment_bytes,
        }
    }
}

/// Figures of a run, ready to be shown.
pub struct Report {
    about: About,
    runs: Vec<Run>,
}

impl Report {
    pub fn new(about: About, runs: Vec<Run>) -> Self {
        Report { about, runs }
    }

    /// The run as one JSON object: the figures of all steps together, and those of each step if there are
    /// several.
    pub fn json(&self) -> Value {
        let mut all = Tally::new();
        let (mut elapsed, mut cpu) = (Duration::ZERO, Duration::ZERO);
        for run in &self.runs {
            all.merge(&run.tally);
            elapsed += run.elapsed;
            cpu += run.cpu;
        }
        let mut object = figures(&all, elapsed, cpu);
        let About { method, server, protocol, balancer, hedge, attachment_bytes } = self.about.clone();
        object.insert("server".into(), server.into());
        object.insert("protocol".into(), protocol.into());
        object.insert("method".into(), method.into());
        if let Some(balancer) = balancer {
            object.insert("balancer".into(), balancer.into());
        }
        if let Some(hedge) = hedge {
            object.insert("hedge".into(), hedge.into());
        }
        object.insert("attachment_bytes".into(), attachment_bytes.into());
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

/// Adds the settings of the load.
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
        "duration_s": elapsed.as_secs_f64(),
        "calls": tally.calls(),
        "errors": tally.failures(),
        "calls_per_s": round(tally.in_time as f64 / seconds),
        "bytes_per_s": round(tally.bytes as f64 / seconds),
        "stream_messages": tally.messages,
        "stream_messages_per_s": round(tally.messages as f64 / seconds),
        "min_us": if latency.is_empty() { 0 } else { latency.min() },
        "avg_us": round(latency.mean()),
        "p50_us": at(50.0),
        "p90_us": at(90.0),
        "p99_us": at(99.0),
        "p999_us": at(99.9),
        "max_us": latency.max(),
        "longest_failure_us": tally.longest_failure().as_micros() as u64,
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

/// Rounds to three decimals.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The line that is printed each second during the run.
pub fn second(passed: Duration, tally: &Tally) -> String {
    let mut line = format!("{:>4.0} s {:>11} calls", passed.as_secs_f64(), units::count(tally.calls()));
    if !tally.latency.is_empty() {
        let at = |percent| units::micros(tally.latency.value_at_percentile(percent) as f64);
        let max = units::micros(tally.latency.max() as f64);
        let _ = write!(line, "   p50 {:>7}   p99 {:>7}   max {max:>7}", at(50.0), at(99.0)); // does not fail
    }
    if tally.failures() > 0 {
        let _ = write!(line, "   {} errors", units::count(tally.failures())); // does not fail
    }
    line
}

impl Report {
    /// Text output: figures and histogram of one run, or a row for each of several.
    pub fn text(&self) -> String {
        let About { method, server, protocol, .. } = &self.about;
        let mut text = format!("{method} at {server} over {protocol}");
        match &*self.runs {
            [run] => one(&mut text, run),
            runs => {
                text.push('\n');
                text.push_str(&table(runs));
                text.push('\n');
                runs.iter().for_each(|run| troubles(&mut text, run));
            }
        }
        text
    }
}

fn one(text: &mut String, run: &Run) {
    let (tally, step) = (&run.tally, run.step);
    let seconds = run.elapsed.as_secs_f64().max(1e-9);
    let load = match step.qps {
        Some(qps) => format!("{qps} planned calls/s, at most {} at once", units::count(step.callers as u64)),
        None => many(step.callers, "caller"),
    };
    let latency = &tally.latency;
    let at = |percent| units::micros(latency.value_at_percentile(percent) as f64);
    let rate = units::count((tally.in_time as f64 / seconds) as u64);
    let cpu = run.cpu.as_secs_f64() * 1e6 / tally.calls().max(1) as f64;
    let messages = match tally.messages {
        0 => String::new(),
        n => format!("\nmessages    {}/s, both directions", units::count((n as f64 / seconds) as u64)),
    };
    let lines = [
        format!(": {load}, {}, {}", many(run.connections, "connection"), many(run.threads, "thread")),
        String::new(),
        format!("calls       {} in {seconds:.2} s", units::count(tally.calls())),
        format!(
            "rate        {rate} calls/s, {}{messages}",
            units::bytes_per_second(tally.bytes as f64 / seconds)
        ),
        format!("errors      {}", units::count(tally.failures())),
        format!("CPU here    {cpu:.2} us per call"),
    ];
    text.push_str(&lines.join("\n"));
    text.push('\n');
    if !latency.is_empty() {
        let (min, max) = (units::micros(latency.min() as f64), units::micros(latency.max() as f64));
        let lines = [
            String::new(),
            format!("latency     min {min}   avg {}   max {max}", units::micros(latency.mean())),
            format!(
                "            p50 {}   p90 {}   p99 {}   p99.9 {}",
                at(50.0),
                at(90.0),
                at(99.0),
                at(99.9)
            ),
            String::new(),
            histogram::text(tally),
        ];
        text.push_str(&lines.join("\n"));
    }
    troubles(text, run);
}

/// `1 caller`, `2 callers`.
fn many(n: usize, what: &str) -> String {
    format!("{} {what}{}", units::count(n as u64), if n == 1 { "" } else { "s" })
}

/// Adds errors and warnings, if there are any.
fn troubles(text: &mut String, run: &Run) {
    let tally = &run.tally;
    let mut say = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for (code, failed) in &tally.errors {
        say(format!("{} x {code}, first: {}", units::count(failed.calls), terminal::line(&failed.message)));
    }
    if tally.late > 0 {
        let share = 100.0 * tally.late as f64 / tally.calls().max(1) as f64;
        say(format!("{} calls ({share:.1} %) were sent more than 1 ms late", units::count(tally.late)));
    }
    if tally.unsent > 0 {
        let unsent = units::count(tally.unsent);
        say(format!(
            "{unsent} planned calls were never sent: the server is too slow; the latencies leave them out"
        ));
    }
    if run.unfinished {
        say("some calls had not ended when the run was aborted; they are not counted".into());
    }
}

/// One row per step.
fn table(runs: &[Run]) -> String {
    let mut table = crate::table::new();
    let first = if runs.iter().any(|run| run.step.qps.is_some()) { "planned/s" } else { "callers" };
    table.set_header([first, "calls/s", "p50", "p90", "p99", "p99.9", "max", "errors", "CPU/call"]);
    for run in runs {
        let (tally, seconds) = (&run.tally, run.elapsed.as_secs_f64().max(1e-9));
        let at = |percent| units::micros(tally.latency.value_at_percentile(percent) as f64);
        table.add_row([
            run.step.qps.map_or_else(|| run.step.callers.to_string(), |qps| qps.to_string()),
            units::count((tally.in_time as f64 / seconds) as u64),
            at(50.0),
            at(90.0),
            at(99.0),
            at(99.9),
            units::micros(tally.latency.max() as f64),
            units::count(tally.failures()),
            format!("{:.2} us", run.cpu.as_secs_f64() * 1e6 / tally.calls().max(1) as f64),
        ]);
    }
    crate::table::align_right(&mut table);
    table.to_string()
}
