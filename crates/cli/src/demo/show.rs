//! The output of the demo.

use super::{drive::Driven, flows::Row};
use crate::{
    protocols::{Sample, shown},
    table, units, websocket,
};
use serde_json::{Value, json};

/// The address, and commands to paste for each protocol.
pub fn greeting(address: &str) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "polywire".into());
    let mut text = format!("listening on {address}\n\n");
    let mut line = |what: &str, command: &str| text.push_str(&format!("  {what:<13} {command}\n"));
    // Other programs need a host and a port.
    let port = address.rsplit_once(':').filter(|_| !address.starts_with("unix:"));
    for Sample { protocol, method, request, commands, .. } in shown() {
        let request = request.lines().next().unwrap_or_default();
        // A request that is not JSON is a command, which contains its name.
        let is_json = request.starts_with(['{', '[']);
        let call = if is_json { format!("{method} -d '{request}'") } else { request.to_owned() };
        line(protocol, &format!("{program} call --server {address} -p {protocol} {call}"));
        for command in port.map_or(&[][..], |_| *commands) {
            let (host, port) = port.unwrap_or_default();
            let command = command.replace("{program}", &program).replace("{address}", address);
            line("", &command.replace("{host}", host).replace("{port}", port));
        }
    }
    let example = r#"{"message":"one"}{"message":"two"}"#;
    line(
        websocket::NAME,
        &format!("{program} call --server {address} -p websocket {} -d '{example}'", websocket::METHOD),
    );
    // There is no client of ours: its drivers are.
    if let Some((host, port)) = port {
        line(
            "mongo",
            &format!(
                r#"python3 -c 'import pymongo; c = pymongo.MongoClient("{host}", {port}).demo.tried; c.insert_one({{"n": 1}}); print(c.find_one())'"#
            ),
        );
    }
    line("load", &format!("{program} press --server {address} --protocol http --concurrency 10"));
    text.push('\n');
    text
}

fn rate(driven: &Driven) -> f64 {
    driven.run.tally.in_time as f64 / driven.run.elapsed.as_secs_f64().max(1e-9)
}

fn percentile(driven: &Driven, percent: f64) -> u64 {
    let latency = &driven.run.tally.latency;
    if latency.is_empty() { 0 } else { latency.value_at_percentile(percent) }
}

/// One row per protocol, and the errors.
pub fn table(all: &[Driven]) -> String {
    let mut table = table::new();
    table.set_header(["protocol", "callers", "connections", "calls/s", "p50", "p99", "p99.9", "errors"]);
    for driven in all {
        let at = |percent| units::micros(percentile(driven, percent) as f64);
        table.add_row([
            driven.protocol.to_owned(),
            driven.run.step.callers.to_string(),
            driven.run.connections.to_string(),
            units::count(rate(driven) as u64),
            at(50.0),
            at(99.0),
            at(99.9),
            units::count(driven.run.tally.failures()),
        ]);
    }
    table::align_right(&mut table);
    let mut text = format!("{table}\n");
    for driven in all {
        let wrong = driven.wrong.iter().cloned();
        let failed = driven.run.tally.errors.values().map(|failed| failed.message.clone());
        wrong.chain(failed).for_each(|what| text.push_str(&format!("{}: {what}\n", driven.protocol)));
    }
    text
}

/// The rows of the flows, below the protocols.
pub fn flows(all: &[Row]) -> String {
    let mut text = String::new();
    for (protocol, name, flowed) in all {
        text.push_str(&format!("{protocol}, {name}, {}: {}\n", flowed.sockets(), flowed.rate()));
    }
    text
}

/// The results as JSON.
pub fn json(address: &str, all: &[Driven], flowed: &[Row], ok: bool) -> Value {
    let protocols = all.iter().map(|driven| {
        let tally = &driven.run.tally;
        let wrong = driven.wrong.iter().map(String::as_str);
        let failed = tally.errors.values().map(|failed| failed.message.as_str());
        json!({
            "name": driven.protocol,
            "callers": driven.run.step.callers,
            "connections": driven.run.connections,
            "calls": tally.calls(),
            "errors": tally.failures(),
            "calls_per_s": rate(driven).round(),
            "p50_us": percentile(driven, 50.0),
            "p99_us": percentile(driven, 99.0),
            "p999_us": percentile(driven, 99.9),
            "messages": wrong.chain(failed).collect::<Vec<_>>(),
        })
    });
    let patterns: serde_json::Map<_, _> =
        flowed.iter().map(|(_, name, flowed)| ((*name).to_owned(), flowed.json())).collect();
    json!({ "ok": ok, "address": address, "protocols": protocols.collect::<Vec<_>>(), "patterns": patterns })
}
