//! The output of the cluster.

use super::{
    Event,
    callers::{Callers, Counts},
};
use crate::{table, terminal, units};
use serde_json::{Value, json};
use std::{collections::BTreeMap, time::Duration};

pub fn greeting(url: &str, servers: u16, page: &str, time: Duration) -> String {
    format!(
        "{servers} servers, named by {url}\nwhere calls go, and why: polywire why {page}\ncalls end after {time:?}, or what --seconds says\n\n"
    )
}

/// A line for something that happened.
pub fn event(Event { at, server, what }: &Event) -> String {
    format!("{:>5.1} s  server {server} {what}\n", at.as_secs_f64())
}

/// The live display: the server of each second's calls.
pub struct Live {
    next: Duration,
    before: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Live {
    pub fn new() -> Self {
        Live { next: EVERY, before: BTreeMap::new() }
    }

    /// A line for each balancer with the answers of each server since the previous lines, when they are due.
    pub fn lines(&mut self, passed: Duration, callers: &Callers) -> Option<String> {
        if passed < self.next {
            return None;
        }
        self.next += EVERY;
        let mut text = String::new();
        for (balancer, shares) in callers.shares() {
            let before = self.before.insert(balancer.to_owned(), shares.clone()).unwrap_or_default();
            let since = shares
                .iter()
                .map(|(server, answers)| (server, answers - before.get(server).copied().unwrap_or_default()));
            let since: Vec<_> = since.map(|(server, answers)| format!("{server}: {answers:<5}")).collect();
            text += &format!("{:>5.1} s  {balancer:<8} {}\n", passed.as_secs_f64(), since.join(" "));
        }
        Some(text)
    }
}

const EVERY: Duration = Duration::from_secs(1);

/// One row per balancer, and the errors.
pub fn table(servers: u16, all: &[Counts]) -> String {
    let mut table = table::new();
    let names: Vec<_> = (0..servers).map(|server| server.to_string()).collect();
    let head = ["balancer", "calls", "failed", "lost", "p50", "p99", "p99.9", "longest"].map(str::to_owned);
    table.set_header(head.into_iter().chain(names.iter().map(|name| format!("server {name}"))));
    for counts in all {
        let latency = &counts.tally.latency;
        let at = |percent| units::micros(percentile(counts, percent) as f64);
        let row = [
            counts.balancer.clone(),
            units::count(counts.begun),
            units::count(counts.tally.failures()),
            units::count(counts.lost()),
            at(50.0),
            at(99.0),
            at(99.9),
            units::micros(latency.max() as f64),
        ];
        let shares = names.iter().map(|name| counts.shares.get(name).copied().unwrap_or_default());
        table.add_row(row.into_iter().chain(shares.map(units::count)));
    }
    table::align_right(&mut table);
    let mut text = format!("\n{table}\n");
    for counts in all {
        for failed in counts.tally.errors.values() {
            text.push_str(&format!("{}: {}\n", counts.balancer, terminal::line(&failed.message)));
        }
    }
    text
}

fn percentile(counts: &Counts, percent: f64) -> u64 {
    let latency = &counts.tally.latency;
    if latency.is_empty() { 0 } else { latency.value_at_percentile(percent) }
}

/// The results as JSON.
pub fn json(
    servers: u16,
    time: Duration,
    protocol: &str,
    events: &[Event],
    all: &[Counts],
    good: bool,
) -> Value {
    let events = events.iter().map(|Event { at, server, what }| {
        json!({ "at_s": (at.as_secs_f64() * 1e3).round() / 1e3, "server": server, "what": what })
    });
    let balancers = all.iter().map(|counts| {
        let messages: Vec<_> = counts.tally.errors.values().map(|failed| failed.message.as_str()).collect();
        json!({
            "name": counts.balancer,
            "calls": counts.begun,
            "failed": counts.tally.failures(),
            "lost": counts.lost(),
            "p50_us": percentile(counts, 50.0),
            "p99_us": percentile(counts, 99.0),
            "p999_us": percentile(counts, 99.9),
            "longest_us": counts.tally.latency.max(),
            "shares": counts.shares,
            "messages": messages,
        })
    });
    json!({
        "ok": good,
        "servers": servers,
        "seconds": time.as_secs_f64(),
        "protocol": protocol,
        "events": events.collect::<Vec<_>>(),
        "balancers": balancers.collect::<Vec<_>>(),
    })
}
