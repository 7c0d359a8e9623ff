//! `/status`: services and methods with their statistics.

use super::{Asked, Form, Methods, ServerFacts, is_page};
use crate::{stats::MethodStats, table::SharedMethod};
use polywire_call::Status;
use polywire_console::{Column, Mark, Table, Value, View};
use std::fmt::Write;

pub(super) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let Some(server) = facts.methods.upgrade() else {
        return Err(Status::unavailable("the server is stopping"));
    };
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
        if method.standard || is_page(method) {
            continue;
        }
        if method.service != service {
            service = method.service;
            let _ = writeln!(text, "\n[{service}]");
        }
        of_method(&mut text, method, stats);
    }
    let mut view = View::new("Methods")
        .fact("in_flight", pending)
        .fact("refused", facts.stats.refused.total())
        .fact("connections", connections.len())
        .table(table(facts, &*server));
    if asked.form == Form::Text {
        view = view.plain(text);
    }
    Ok(view)
}

fn of_method(text: &mut String, method: &SharedMethod, stats: &MethodStats) {
    let window = stats.latency.window();
    let us = |duration: std::time::Duration| duration.as_micros();
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

/// The methods, those first that take most: calls a second times mean latency.
fn table(facts: &ServerFacts, server: &dyn Methods) -> Table {
    let columns = [
        Column::new("method"),
        Column::new("calls").hint("successful calls per second, over 10 s"),
        Column::new("failed").hint("failed calls per second; polywire_server_call_errors_total"),
        Column::new("p50").hint("over 10 s; polywire_server_call_duration_seconds").wide(),
        Column::new("p99").hint("over 10 s; polywire_server_call_duration_seconds"),
        Column::new("max").hint("over 10 s").wide(),
        Column::new("load").hint("calls per second times mean latency: how many are under way").wide(),
        Column::new("in_flight").hint("calls whose handler did not answer in its first poll").wide(),
        Column::new("since_start").hint("successful calls since the server started").wide(),
    ];
    let mut table = Table::new("methods", columns).empty("No services yet: Server::service(..).");
    let methods = server.methods().iter().zip(&facts.stats.methods);
    let own = methods.filter(|(method, _)| !method.standard && !is_page(method));
    let mut rows: Vec<_> = own
        .map(|(method, stats)| {
            let (window, failed) = (stats.latency.window(), stats.errors.rate());
            let (calls, load) = (window.per_second(), window.per_second() * window.mean().as_secs_f64());
            // "method fails: >= 1 %, >= 10 in 10 s"; "0.1 %, >= 5 in 10 s".
            let share = failed / (failed + calls).max(f64::MIN_POSITIVE);
            let mark = match () {
                () if failed >= 1.0 && share >= 0.01 => Mark::Bad,
                () if failed >= 0.5 && share >= 0.001 => Mark::Warn,
                () => Mark::Fine,
            };
            let name = format!("{}/{}", method.service, method.method.name());
            let time = |time: std::time::Duration| if calls > 0.0 { time.into() } else { Value::Blank };
            let cells = [
                name.clone().into(),
                Value::PerSecond(calls),
                Value::PerSecond(failed),
                time(window.percentile(0.5)),
                time(window.percentile(0.99)),
                time(window.max()),
                Value::Number(load),
                Value::Count(stats.concurrency.level().max(0) as u64),
                Value::Count(stats.latency.count()),
            ];
            (mark, load, name, cells)
        })
        .collect();
    rows.sort_by(|one, other| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)));
    rows.into_iter().for_each(|(mark, _, name, cells)| table.push(name, mark, cells));
    table
}
