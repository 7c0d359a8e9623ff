//! `/status`: services and methods with their statistics; `/status/SERVICE/METHOD`: one of them.
//!
//! The text of `/status` is brpc's.

use crate::{
    asked::{Asked, Form},
    facts::ServerFacts,
    method,
};
use polywire_base::Sort;
use polywire_call::Status;
use polywire_console::{Column, Table, Value, View};
use polywire_server::facts::{CallRates, LiveServer, MethodStats, SharedMethod};
use std::{fmt::Write, time::Duration};

/// Methods of which the past is added up, those first that take most.
const MOST_PASTS: usize = 50;
/// The column behind which the share of time in calls to other servers stands: after p99.
const ELSEWHERE: usize = 8;

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let server = facts.server()?;
    if !asked.rest.is_empty() {
        return method::view(facts, &*server, &asked.rest);
    }
    if asked.form == Form::Text {
        return Ok(View::new("Methods").plain(text(facts, &*server)));
    }
    let connections = server.connections();
    let pending: u32 = connections.iter().map(|c| c.calls()).sum();
    Ok(View::new("Methods")
        .fact("in_flight", pending)
        .fact("refused", facts.stats.refused.total())
        .fact("connections", connections.len())
        .table(table(facts, &*server).0))
}

/// The text of brpc's page of this name.
fn text(facts: &ServerFacts, server: &dyn LiveServer) -> String {
    let connections = server.connections();
    let pending: u32 = connections.iter().map(|c| c.calls()).sum();
    let most = facts.limiter.most().map_or("unlimited".to_owned(), |most| most.to_string());
    let mut text = String::new();
    let mut line = |key: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "{key}: {value}"); // writing to a string does not fail
    };
    line("version", &facts.version);
    line("uptime_s", &facts.since.elapsed().as_secs());
    line("non_service_error", &facts.stats.refused.total());
    line("connection_count", &connections.len());
    line("max_concurrency", &most);
    line("concurrency", &pending);
    let mut service = "";
    for (method, stats) in server.methods().iter().zip(&facts.stats.methods) {
        if method.standard || method.is_page() {
            continue;
        }
        if method.service != service {
            service = method.service;
            let _ = writeln!(text, "\n[{service}]");
        }
        of_method(&mut text, method, stats);
    }
    text
}

fn of_method(text: &mut String, method: &SharedMethod, stats: &MethodStats) {
    let window = stats.latency.window();
    let us = |duration: Duration| duration.as_micros();
    let paths: String = method.method.paths().iter().map(|path| format!(" @{path}")).collect();
    let _ = writeln!(text, "\n{}{paths}", method.method.name());
    let rows: [(&str, u128); 12] = [
        ("count", stats.latency.count().into()),
        ("qps", window.per_second().round() as u128),
        ("error", stats.errors.total().into()),
        ("eps", stats.errors.rate().round() as u128),
        ("latency", us(window.mean())),
        ("latency_50", us(window.percentile(0.5))),
        ("latency_90", us(window.percentile(0.9))),
        ("latency_99", us(window.percentile(0.99))),
        ("latency_999", us(window.percentile(0.999))),
        ("latency_9999", us(window.percentile(0.9999))),
        ("max_latency", us(window.max())),
        ("concurrency", stats.concurrency.level().max(0) as u128),
    ];
    for (key, value) in rows {
        let _ = writeln!(text, "{key}: {value}");
    }
    if let Some(most) = method.limiter.most() {
        let _ = writeln!(text, "max_concurrency: {most}");
    }
}

/// What all methods do together.
#[derive(Default)]
pub(crate) struct Sum {
    pub rates: CallRates,
    /// How many methods were called.
    pub called: usize,
    /// Successful calls a second in each minute of the last hour, of the methods that take most.
    pub past: Vec<f64>,
}

/// The methods: those first that need somebody, then those that take most, calls a second times mean latency.
pub(crate) fn table(facts: &ServerFacts, server: &dyn LiveServer) -> (Table, Sum) {
    let columns = [
        Column::new("method").to("status/"),
        Column::new("calls").hint("successful calls per second, over 10 s"),
        Column::new("trend")
            .hint("successful calls per second in the last hour, or in the last minute of a young process")
            .wide(),
        Column::new("failed").hint("share of calls that failed by the server's fault, over 10 s"),
        Column::new("by_callers").hint("calls per second that failed by their callers' fault").wide(),
        Column::new("refused").hint("calls per second that a limit refused").wide(),
        Column::new("p50").hint("over 10 s; rpc_server_call_duration_seconds").wide(),
        Column::new("p99").hint("over 10 s; rpc_server_call_duration_seconds"),
        Column::new("max").hint("over 10 s").wide(),
        Column::new("mean_in_flight")
            .hint("calls per second times mean latency: how many are under way")
            .wide(),
        Column::new("in_flight").hint("calls whose handler did not answer in its first poll").wide(),
        Column::new("since_start").hint("successful calls since the server started").wide(),
    ];
    let mut table = Table::new("methods", columns).empty("No services yet: Server::service(..).");
    let registry = facts.stats.shown();
    let marks = facts.watch.marks();
    let methods = server.methods().iter().zip(&facts.stats.methods);
    let own = methods.filter(|(method, _)| !method.standard && !method.is_page());
    let mut sum = Sum::default();
    let mut rows: Vec<_> = own
        .map(|(method, stats)| {
            let name = format!("{}/{}", method.service, method.method.name());
            let mark = marks.get(&name).copied().unwrap_or_default();
            let (since, level) = (stats.latency.count(), stats.concurrency.level().max(0) as u64);
            if stats.is_quiet() {
                let mut cells = vec![Value::Blank; 12];
                (cells[0], cells[1]) = (name.clone().into(), Value::PerSecond(0.0));
                (cells[10], cells[11]) = (level.into(), since.into());
                return (mark, 0.0, name, stats, cells);
            }
            let window = stats.latency.window();
            let rates = stats.rates(&window);
            let load = rates.succeeded * window.mean().as_secs_f64();
            sum.rates.add(&rates);
            sum.called += usize::from(rates.ended() > 0.0);
            let time = |time: Duration| if rates.succeeded > 0.0 { time.into() } else { Value::Blank };
            let cells = vec![
                name.clone().into(),
                Value::PerSecond(rates.succeeded),
                Value::Blank,
                Value::Ratio(rates.failed_share()),
                Value::PerSecond(rates.by_callers()),
                Value::PerSecond(rates.refused),
                time(window.percentile(0.5)),
                time(window.percentile(0.99)),
                time(window.max()),
                Value::Number(load),
                Value::Count(level),
                Value::Count(since),
            ];
            (mark, load, name, stats, cells)
        })
        .collect();
    rows.order_by(|one, other| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)));
    let up = facts.since.elapsed();
    for (.., stats, cells) in rows.iter_mut().take(MOST_PASTS) {
        let trend = stats.name.get().and_then(|name| registry.trend(&format!("{name}_qps")));
        let Some(trend) = trend else { continue };
        let (_, past) = trend.lately(up);
        sum.past.resize(past.len(), 0.0);
        sum.past.iter_mut().zip(&past).for_each(|(sum, one)| *sum += one);
        cells[2] =
            Value::Trend(past.chunks(2).map(|two| two.iter().sum::<f64>() / two.len() as f64).collect());
    }
    // Where a page knows it: the share of its time that a method spends in calls to other servers.
    if facts.watch.knows_elsewhere() {
        let hint = "the share of its time in calls to other servers, over 10 s or a minute; the page of the method says which";
        table.columns.insert(ELSEWHERE, Column::new("in_calls").hint(hint));
        for (_, load, name, _, cells) in &mut rows {
            let busy = (*load > 0.0).then(|| facts.watch.elsewhere(name).next()).flatten();
            let share = busy.map_or(Value::Blank, |busy| Value::Ratio((busy.in_flight / *load).min(1.0)));
            cells.insert(ELSEWHERE, share);
        }
    }
    rows.into_iter().for_each(|(mark, _, name, _, cells)| table.push(name, mark, cells));
    (table, sum)
}
