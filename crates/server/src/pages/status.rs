//! `/status`: services and methods with their statistics.

use super::{Asked, ServerFacts, is_page};
use crate::{stats::MethodStats, table::SharedMethod};
use polywire_call::Status;
use polywire_console::View;
use std::fmt::Write;

pub(super) fn view(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
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
    Ok(View::new("Methods").plain(text))
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
