//! What one sees of the demo.

use super::drive::Driven;
use crate::{flow::Flowed, table, units};
use serde_json::{Value, json};

/// The address, and a line to paste for each protocol.
pub fn greeting(address: &str) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "polywire".into());
    let echo = "example.EchoService/Echo";
    let mut text = format!("listening on {address}\n\n");
    let mut line = |what: &str, command: String| text.push_str(&format!("  {what:<13} {command}\n"));
    line("baidu_std", format!("{program} call --server {address} {echo} -d '{{\"message\":\"hi\"}}'"));
    let chat = "example.StreamService/Chat";
    line(
        "streaming_rpc",
        format!("{program} call --server {address} -p streaming_rpc {chat} -d '{{\"message\":\"hi\"}}'"),
    );
    for older in [
        "sofa_pbrpc",
        "hulu_pbrpc",
        "nova_pbrpc",
        "public_pbrpc",
        "nshead_mcpack",
        "ubrpc_mcpack2",
        "ubrpc_compack",
    ] {
        line(
            older,
            format!("{program} call --server {address} -p {older} {echo} -d '{{\"message\":\"hi\"}}'"),
        );
    }
    line(
        "fb_rpc",
        format!("{program} call --server {address} -p fb_rpc flat.Echo/Echo -d '{{\"message\":\"hi\"}}'"),
    );
    if let Some((host, port)) = address.rsplit_once(':').filter(|_| !address.starts_with("unix:")) {
        line("http", format!("curl -d '{{\"message\":\"hi\"}}' http://{address}/{echo}"));
        let greet = "helloworld.Greeter.SayHello";
        let data = "-d '{\"name\":\"world\"}'";
        line("grpc", format!("grpcurl -plaintext {data} {address} {greet}"));
        line("", format!("ghz --insecure --call {greet} {data} -n 100000 -c 10 {address}"));
        line("streams", format!("{program} call --server {address} -p grpc {chat} -d -"));
        line("zmtp", format!("{program} call --server {address} -p zmtp {echo} -d '{{\"message\":\"hi\"}}'"));
        line("", format!("{program} press --server {address} -p zmtp -m SUB, and beside it -m PUSH"));
        line("rest_rpc", format!("{program} call --server {address} -p rest_rpc add -d '[40, 2]'"));
        line("redis", format!("redis-cli -h {host} -p {port} SET key value"));
        line("pages", format!("curl http://{address}/status"));
    }
    line("load", format!("{program} press --server {address} --protocol http --concurrency 10"));
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

/// A row per protocol, and what went wrong.
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

/// A row per pattern, below the protocols.
pub fn flows(all: &[(&str, Flowed)]) -> String {
    let mut text = String::new();
    for (name, flowed) in all {
        text.push_str(&format!("zmtp, {name}, {}: {}\n", flowed.sockets(), flowed.rate()));
    }
    text
}

/// The same for programs.
pub fn json(address: &str, all: &[Driven], flowed: &[(&str, Flowed)], ok: bool) -> Value {
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
        flowed.iter().map(|(name, flowed)| ((*name).to_owned(), flowed.json())).collect();
    json!({ "ok": ok, "address": address, "protocols": protocols.collect::<Vec<_>>(), "patterns": patterns })
}
