//! The figures of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::Failure;

/// A good call that takes longer than this is slow: fifty times what a healthy server takes.
const SLOW: Duration = Duration::from_millis(100);
/// The first calls of a client connect.
const WARM: Duration = Duration::from_millis(500);
/// The last ones before the fault may meet it: they are under way, and the driver's clock begins a little
/// after the client's.
const MARGIN: Duration = Duration::from_millis(50);

/// When the fault began and when it was mended, from the beginning of the run, and the time whose calls count
/// as those of the fault.
pub struct Times {
    pub begins: Duration,
    pub mended: Duration,
    pub window: Duration,
}

#[derive(Serialize)]
pub struct Figures {
    pub fault: &'static str,
    pub client: &'static str,
    pub calls: usize,
    pub ok: usize,
    /// Good, but slow.
    pub slow: usize,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub p999_ms: f64,
    /// The longest that a call took, failed ones too.
    pub longest_ms: f64,
    /// p99.9 of the calls before the fault.
    pub healthy_p999_ms: f64,
    /// By gRPC's code.
    pub errors: BTreeMap<i32, usize>,
    /// From the beginning of the fault to the end of the last call of its time that failed or was slow.
    pub trouble_s: f64,
    /// From when it was mended to the start of the last call that failed or was slow.
    pub recovery_s: f64,
    /// Calls that failed after it was mended.
    pub failed_after: usize,
}

struct Ended {
    at: Duration,
    took: Duration,
    code: i32,
}

impl Ended {
    fn parse(line: &str) -> Option<Ended> {
        let mut words = line.split(' ');
        let mut time = || Some(Duration::from_micros(words.next()?.parse().ok()?));
        Some(Ended { at: time()?, took: time()?, code: words.next()?.parse().ok()? })
    }

    fn troubled(&self) -> bool {
        self.code != 0 || self.took > SLOW
    }
}

impl Figures {
    /// Of what a client printed.
    pub fn of(
        fault: &'static str,
        client: &'static str,
        printed: &[String],
        times: &Times,
    ) -> Result<Figures, Failure> {
        let calls = printed.iter().map(|line| Ended::parse(line).ok_or_else(|| line.clone().into()));
        let calls = calls.collect::<Result<Vec<_>, Failure>>()?;
        let within =
            |from: Duration, to: Duration| calls.iter().filter(move |call| (from..to).contains(&call.at));
        let during = || within(times.begins, times.begins + times.window);
        let took = good(during());
        let mut errors = BTreeMap::new();
        during().filter(|call| call.code != 0).for_each(|call| *errors.entry(call.code).or_default() += 1);
        let trouble = during().filter(|call| call.troubled()).map(|call| call.at + call.took).max();
        let after = || within(times.mended, Duration::MAX);
        let last = after().filter(|call| call.troubled()).map(|call| call.at).max();
        Ok(Figures {
            fault,
            client,
            calls: during().count(),
            ok: took.len(),
            slow: took.iter().filter(|took| **took > SLOW).count(),
            p50_ms: at(&took, 0.5),
            p99_ms: at(&took, 0.99),
            p999_ms: at(&took, 0.999),
            longest_ms: during().map(|call| call.took).max().map_or(0.0, |took| took.as_secs_f64() * 1e3),
            healthy_p999_ms: at(&good(within(WARM, times.begins - MARGIN)), 0.999),
            errors,
            trouble_s: trouble.map_or(0.0, |end| end.saturating_sub(times.begins).as_secs_f64()),
            recovery_s: last.map_or(0.0, |at| at.saturating_sub(times.mended).as_secs_f64()),
            failed_after: after().filter(|call| call.code != 0).count(),
        })
    }

    /// A row of the table.
    pub fn row(&self) -> String {
        let errors: Vec<_> =
            self.errors.iter().map(|(code, many)| format!("{many} {}", name(*code))).collect();
        let seconds = |s: f64| if s == 0.0 { "none".to_owned() } else { format!("{s:.2} s") };
        let cells = [
            self.fault.to_owned(),
            self.client.to_owned(),
            self.calls.to_string(),
            format!("{:.2} %", 100.0 * self.ok as f64 / self.calls.max(1) as f64),
            errors.join(", "),
            self.slow.to_string(),
            format!("{:.1}", self.p50_ms),
            format!("{:.1}", self.p99_ms),
            format!("{:.1}", self.p999_ms),
            format!("{:.1}", self.longest_ms),
            format!("{:.1}", self.healthy_p999_ms),
            seconds(self.trouble_s),
            seconds(self.recovery_s),
            self.failed_after.to_string(),
        ];
        format!("| {} |", cells.join(" | "))
    }
}

pub const HEAD: &str = "\
| fault | client | calls | good | failed | slow | p50 ms | p99 ms | p99.9 ms | longest ms | p99.9 before | trouble until | trouble after the end | failed after the end |
| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

fn name(code: i32) -> String {
    let name = match code {
        1 => "CANCELLED",
        2 => "UNKNOWN",
        4 => "DEADLINE_EXCEEDED",
        8 => "RESOURCE_EXHAUSTED",
        13 => "INTERNAL",
        14 => "UNAVAILABLE",
        other => return other.to_string(),
    };
    name.to_owned()
}

/// How long the good ones took, in order.
fn good<'a>(calls: impl Iterator<Item = &'a Ended>) -> Vec<Duration> {
    let mut took: Vec<_> = calls.filter(|call| call.code == 0).map(|call| call.took).collect();
    took.sort();
    took
}

/// Milliseconds that this share took at most.
fn at(took: &[Duration], share: f64) -> f64 {
    let rank = (share * took.len() as f64).ceil() as usize;
    took.get(rank.saturating_sub(1)).map_or(0.0, |took| took.as_secs_f64() * 1e3)
}
