//! `/memory`: who holds how much, beside the budgets and what the system counts.

use crate::{asked::Asked, asking, facts::ServerFacts, limits, page::Making};
use polywire_base::Sort;
use polywire_console::{Column, Fact, Mark, Section, Table, Value, View};
use polywire_engine::{
    ConnectionStats, HeldBytes, clock,
    memory::{CONNECTION_BYTES, limit_of_group},
};
use polywire_metrics::{Trend, process::Usage};
use polywire_server::facts::PATIENCE;
use std::{
    cmp::Reverse,
    sync::{Arc, Mutex, atomic::Ordering::Relaxed},
};
use tokio::sync::mpsc;

/// Connections that are asked.
const MOST: usize = 10_000;
/// Bytes of a trend, by the measure of crate `metrics`.
const TREND: usize = 1536;
/// What nobody counts may be that part of all, before it needs somebody.
const UNCOUNTED: f64 = 0.25;

pub(crate) fn view(facts: &ServerFacts, _: &Asked) -> Making {
    let (server, askers) = (facts.server(), facts.askers.clone());
    let spans = facts.tracer.stats(clock::now()).held;
    let trends = facts.stats.registry.trends_held().0;
    let slope = facts.stats.registry.trend("process_memory_resident").and_then(|trend| slope(&trend));
    Box::pin(async move {
        let server = server?;
        let _place = askers.place("the connections").await?;
        let connections = server.connections();
        let open = connections.len();
        let (held, silent) = ask(connections).await;
        let (usage, report) = (Usage::lately(), server.overload());
        let counts_requests =
            report.memory.is_some() || report.methods.iter().any(|one| one.memory.is_some());
        let requests = match counts_requests {
            true => Value::Bytes(held.requests as u64),
            false => Value::Unknown,
        };
        let own = Value::Bytes((open * CONNECTION_BYTES) as u64);
        let rows = [
            (
                "received",
                Value::Bytes(held.input as u64),
                "bytes that were read, and not taken by a protocol",
            ),
            ("assembled", Value::Bytes(held.assembled as u64), "parts of messages in the protocols"),
            ("requests", requests, "of calls in flight; counted where memory has a budget"),
            (
                "inflated",
                Value::Bytes(held.inflated as u64),
                "compressed messages of calls in flight, once inflated, and what a relay passes on",
            ),
            ("unsent", Value::Bytes(held.unsent as u64), "bytes that wait for peers to read"),
            ("connections", own, "8 KiB for each that is open: an estimate"),
            ("spans", Value::Bytes(spans.bytes as u64), "recorded calls, see /rpcz"),
            ("trends", Value::Bytes((trends * TREND) as u64), "the past of variables, see /vars"),
            (
                "code",
                usage.memory_text.map_or(Value::Unknown, Value::Bytes),
                "of the program, as far as it is mapped",
            ),
        ];
        Ok(page(rows, &usage, slope, silent).table(limits::memory(&report)))
    })
}

/// The owners, and what is left over.
fn page(
    rows: [(&'static str, Value, &'static str); 9],
    usage: &Usage,
    slope: Option<f64>,
    silent: usize,
) -> View {
    let resident = usage.memory_resident;
    let counted: f64 = rows.iter().filter_map(|(_, value, _)| value.number()).sum();
    let rest = resident.map(|resident| (resident as f64 - counted).max(0.0));
    let share = |bytes: f64| match resident {
        Some(resident @ 1..) => Value::Ratio(bytes / resident as f64),
        _ => Value::Unknown,
    };
    let columns = [
        Column::new("owner"),
        Column::new("bytes"),
        Column::new("share").hint("of the memory that the system counts as the process' own"),
        Column::new("what").wide(),
    ];
    let mut table = Table::new("owners", columns);
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.order_by_key(|(_, value, _)| Reverse(value.number().map(|bytes| bytes as u64)));
    for (owner, value, what) in rows {
        let part = value.number().map_or(Value::Unknown, share);
        table.push(owner, Mark::Fine, [owner.into(), value, part, what.into()]);
    }
    let is_much = rest.zip(resident).is_some_and(|(rest, all)| rest > all as f64 * UNCOUNTED);
    let cells = [
        "unattributed".into(),
        rest.map_or(Value::Unknown, |rest| Value::Bytes(rest as u64)),
        rest.map_or(Value::Unknown, share),
        "the application, the allocator's spare memory, stacks, TLS, channels, hubs, dumps: the heap profile tells".into(),
    ];
    table.push("unattributed", Mark::Fine, cells);
    let bytes = |value: Option<u64>| value.map_or(Value::Unknown, Value::Bytes);
    let mut facts = vec![
        Fact::new("resident", bytes(resident)).note("physical memory, as the system counts it"),
        Fact::new("slope", slope.map_or(Value::Unknown, Value::Number))
            .note("bytes an hour by which it grew in the last hour; unknown before ten minutes"),
    ];
    if let Some(limit) = limit_of_group() {
        let is_near = resident.is_some_and(|resident| resident as f64 > limit as f64 * 0.8);
        let mark = if is_near { Mark::Warn } else { Mark::Fine };
        facts.push(Fact::new("limit", Value::Bytes(limit)).note("of the control group").mark(mark));
    }
    facts.extend(asking::silent(silent));
    let view = View::new("Memory").section(Section::Facts("memory", facts)).table(table);
    match is_much {
        true => view.note("More than a quarter of it is counted by nobody here."),
        false => view,
    }
}

/// Asks the connections, those first that hold most as far as is known from outside. Returns the sum, and how
/// many have not answered.
async fn ask(mut connections: Vec<Arc<ConnectionStats>>) -> (HeldBytes, usize) {
    connections.order_by_cached_key(|one| Reverse((one.owed.load(Relaxed), one.calls())));
    connections.truncate(MOST);
    let asked = connections.len();
    let sum = Arc::new(Mutex::new((HeldBytes::default(), 0)));
    let (done, mut all_done) = mpsc::channel::<()>(1);
    for one in connections {
        let (sum, done) = (sum.clone(), done.clone());
        one.ask_held(move |held| {
            let mut sum = polywire_base::lock(&sum);
            sum.0 += held;
            sum.1 += 1;
            drop(done);
        });
    }
    drop(done);
    let _ = tokio::time::timeout(PATIENCE, all_done.recv()).await; // ends when the last of them is dropped
    let (held, answered) = *polywire_base::lock(&sum);
    (held, asked - answered)
}

/// Bytes an hour, by the first and last minutes that were measured.
fn slope(trend: &Trend) -> Option<f64> {
    // Minutes before the start are zero.
    let minutes: Vec<f64> = trend.minutes().filter(|value| *value > 0.0).collect();
    let (first, last) = (minutes.first()?, minutes.last()?);
    (minutes.len() >= 10).then(|| (last - first) / (minutes.len() - 1) as f64 * 60.0)
}
