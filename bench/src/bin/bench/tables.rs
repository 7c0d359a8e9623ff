//! The results as Markdown: a table per group, then what they mean for the goals.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::figures::Figure;
use crate::gateway::added;
use crate::goals;

/// The page `tables.md`.
pub fn page(
    machine: &BTreeMap<String, String>,
    how: &str,
    of_programs: &[(String, String)],
    figures: &[Figure],
) -> String {
    let mut page = String::from(
        "# Results\n\nMade by `cargo xtask bench`; ratios matter, absolute figures do not carry to other machines.\n\n",
    );
    for (name, value) in machine {
        let _ = writeln!(page, "- {name}: {value}");
    }
    let _ = writeln!(page, "- {how}\n");
    for (heading, table) in of_programs {
        let _ = writeln!(page, "## {heading}\n\n{table}");
    }
    for group in groups(figures) {
        let _ = writeln!(page, "## {}\n\n{}", title(group), table(group, figures));
    }
    page.push_str(&added::table(figures));
    page.push_str(&goals::table(figures));
    page
}

/// Groups in the order in which they were measured.
pub fn groups(figures: &[Figure]) -> Vec<&str> {
    in_order(figures.iter().map(|f| f.group.as_str()))
}

/// Peers or loads without repetition, in order.
pub fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// What a group's figures are, for people.
pub fn title(group: &str) -> &str {
    match group {
        "limits" => "Raw limits of this machine (messages per second)",
        "single" => "One call in flight, each side on its own processor (calls per second)",
        "echo" => "Echo of 100 bytes (calls per second)",
        "sizes" => "One caller, echo of long messages (calls per second)",
        "connections" => "Many connections, one call under way on each, echo of 100 bytes (calls per second)",
        "protocols" => "Each of our protocols, echo by generated stubs on one connection (calls per second)",
        "shards" => {
            "Shards: 4 connections with 16 callers each for every shard, echo of 100 bytes (calls per second)"
        }
        "rest_rpc" => "rest_rpc's formats beside baidu_std, echo on one connection (calls per second)",
        "grpc" => "gRPC, echo of 100 bytes (calls per second); client -> server where they differ",
        "streams" => {
            "gRPC, streams of 100 bytes (messages per second, in ping-pong of both directions; CPU per message)"
        }
        "heavy" => "gRPC, greetings that compute, under ghz (calls per second; average; p50 / p95 / p99)",
        "light" => "gRPC, light calls (p99 in us)",
        "http" => "HTTP/1.1 JSON echo under wrk (requests per second)",
        "thrift" => "Thrift, echo of 100 bytes (calls per second); client -> server where they differ",
        "websocket" => {
            "WebSocket, echo of binary messages (messages per second); client -> server where they differ"
        }
        "redis" => "Redis under redis-benchmark (requests per second)",
        "redis_clients" => {
            "Clients of redis-server, values of 100 bytes, one connection (commands per second)"
        }
        "memcached" => "Clients of memcached, values of 100 bytes (operations per second)",
        "zmq" => "ZeroMQ, REQ/REP (calls per second); client -> server where they differ",
        "zmq-push" => "ZeroMQ, PUSH/PULL (messages per second; CPU per message); PULL -> PUSH",
        "zmq-pub" => "ZeroMQ, PUB/SUB (messages per second that came, all peers together); SUB -> PUB",
        "codecs" => "Writing and reading a message: 32 bytes of fields and a text (ns for both)",
        "flatbuffers" => {
            "The same message echoed: FlatBuffers over fb_rpc, protobuf over baidu_std (calls per second)"
        }
        "mcpack" => "Messages in mcpack and compack (MB/s of what they are in protobuf)",
        "mixed" => "One service, four protocols, 8 callers each (calls per second)",
        "neighbours" => "Slow neighbours: p99 of 2000 quick calls per second",
        "idle" => "Memory of idle connections",
        "gateway" => {
            "Through a proxy on one processor, our client and server on the other (calls or messages per second; CPU of client + proxy)"
        }
        "gateway-foreign" => "The same by h2load to grpc-go's server (calls per second)",
        "gateway-idle" => "Memory of a proxy for connections that have made one call",
        other => other,
    }
}

/// Loads down, peers across: median (least–most), then p50 / p99 and CPU per call at client and server.
fn table(group: &str, figures: &[Figure]) -> String {
    let rows: Vec<&Figure> = figures.iter().filter(|f| f.group == group).collect();
    let peers = in_order(rows.iter().map(|f| f.peer.as_str()));
    let mut text = format!("| load | {} |\n| --- |{}\n", peers.join(" | "), " --- |".repeat(peers.len()));
    for load in in_order(rows.iter().map(|f| f.load.as_str())) {
        let cells: Vec<String> = peers
            .iter()
            .map(|peer| {
                rows.iter().find(|f| f.load == load && f.peer == *peer).map_or_else(String::new, |f| cell(f))
            })
            .collect();
        let _ = writeln!(text, "| {load} | {} |", cells.join(" | "));
    }
    text
}

fn cell(figure: &Figure) -> String {
    let mut text = format!("**{}**", short(figure.median.value));
    if figure.rounds > 1 {
        let _ = write!(text, " ({}–{})", short(figure.least), short(figure.most));
    }
    if let Some(average) = figure.median.avg_us {
        let _ = write!(text, "; {}", short(average));
    }
    let latencies = [figure.median.p50_us, figure.median.p95_us, figure.median.p99_us];
    let latencies: Vec<String> = latencies.into_iter().flatten().map(short).collect();
    if !latencies.is_empty() {
        let _ = write!(text, "; {} us", latencies.join(" / "));
    }
    if let Some(bytes) = figure.median.bytes_per_s {
        let _ = write!(text, "; {:.0} MB/s", bytes / 1e6);
    }
    match (figure.median.client_cpu_us, figure.median.server_cpu_us) {
        (Some(client), Some(server)) => {
            let _ = write!(text, "; cpu {client:.1} + {server:.1} us");
        }
        (None, Some(server)) => {
            let _ = write!(text, "; server's cpu {server:.1} us");
        }
        (_, None) => {}
    }
    if figure.median.errors > 0 {
        let _ = write!(text, "; {} errors", figure.median.errors);
    }
    text
}

/// Three digits that matter: 1.23 M, 45.6 k, 789, 9.8.
pub fn short(value: f64) -> String {
    match value {
        v if v >= 999_500.0 => format!("{:.2} M", v / 1e6),
        v if v >= 9_995.0 => format!("{:.1} k", v / 1e3),
        v if v >= 99.5 => format!("{v:.0}"),
        v => format!("{v:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shortened_to_three_digits() {
        assert_eq!([1_234_567.0, 45_678.0, 789.4, 9.87].map(short), ["1.23 M", "45.7 k", "789", "9.9"]);
    }
}
