//! Foreign load tools on ours and on the rival that the tool was made for: wrk, redis-benchmark.

use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, Server, output};
use crate::options::Options;
use crate::peers::SMALL;
use crate::words;

/// wrk's threads: it shares the machine with the server.
const WRK_THREADS: usize = 1;

/// POST of a message, as wrk wants to be told.
fn wrk_script(bytes: usize) -> String {
    format!("bytes = {bytes}\n{WRK_SCRIPT}")
}

const WRK_SCRIPT: &str = r#"wrk.method = "POST"
wrk.body = '{"message":"' .. string.rep("x", bytes) .. '"}'
wrk.headers["Content-Type"] = "application/json"
done = function(summary, latency)
  io.write(string.format("FOUND %d %f %f %d\n", summary.requests / summary.duration * 1e6, latency:percentile(50),
    latency:percentile(99), summary.errors.status + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
"#;

/// JSON echo under wrk, ours and axum's; libevent's server, which sends the bytes back unread; and what wrk
/// finds at a server that reads and writes and does nothing else.
pub fn http(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    installed("wrk", "--version")?;
    let axum = words![fleet.rival("axum_echo").ok_or("axum_echo is not built")?, "serve"];
    let raw = words![fleet.rival("raw_echo").ok_or("raw_echo is not built")?, "serve", "--http", 114];
    let ours = fleet.our_server();
    let connections: &[usize] = if options.quick { &[100] } else { &[1, 5, 10, 100] };
    let of_connections = connections.iter().map(|&n| (format!("wrk, {n} connections"), n, SMALL));
    let sizes: &[(&str, usize)] = if options.quick {
        &[]
    } else {
        &[("10 B", 10), ("1 KB", 1000), ("10 KB", 10_000), ("100 KB", 100_000)]
    };
    let of_sizes = sizes.iter().map(|&(name, bytes)| (format!("wrk, 1 connection, {name}"), 1, bytes));
    let mut entries = Vec::new();
    for (load, connections, bytes) in of_connections.chain(of_sizes) {
        let script = fleet.file(&format!("echo-{bytes}.lua"), wrk_script(bytes))?;
        let mut peers = vec![("polywire", ours.clone()), ("axum", axum.clone())];
        peers.extend(fleet.rival("libevent_echo").map(|program| ("libevent", words![program])));
        // Its reply is always as long.
        peers.extend((bytes == SMALL).then(|| ("raw epoll", raw.clone())));
        for (peer, command) in peers {
            let script = script.clone();
            entries.push(Entry::new("http", &*load, peer, move |fleet| {
                let server = fleet.server(&command, None)?;
                wrk(&server, connections, fleet.time.as_secs_f64(), &script)
            }));
        }
    }
    Ok(entries)
}

fn wrk(server: &Server, connections: usize, seconds: f64, script: &str) -> Result<Sample, String> {
    let url = format!("http://{}/example.EchoService/Echo", server.address);
    // wrk counts whole seconds only.
    let duration = format!("{}s", seconds.ceil());
    let printed = output(
        &words!["wrk", "-t", WRK_THREADS, "-c", connections, "-d", duration, "-s", script, url],
        None,
    )?;
    let found = printed.lines().find_map(|line| line.strip_prefix("FOUND ")).ok_or("wrk said nothing")?;
    let numbers: Vec<f64> = found.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [value, p50_us, p99_us, errors] = numbers[..] else { return Err(format!("wrk said {found}")) };
    Ok(Sample {
        value,
        errors: errors as u64,
        p50_us: Some(p50_us),
        p99_us: Some(p99_us),
        ..Sample::default()
    })
}

/// redis-benchmark, without and with pipelining, ours and redis-server: as it is started, and with one thread
/// for the connections, as redis-server has.
pub fn redis(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    installed("redis-benchmark", "--version")?;
    let redis_server =
        ["redis-server", "--bind", "127.0.0.1", "--port", "{port}", "--save", "", "--appendonly", "no"];
    let theirs = Rc::new(Server::start_on_port(&redis_server)?);
    let ours = fleet.our_server();
    let one_shard = [ours.clone(), words!["--shards", 1]].concat();
    let mut entries = Vec::new();
    for depth in [1, 16] {
        for test in ["GET", "SET", "INCR", "LPUSH"] {
            let load = format!("{test}, -P {depth}");
            for (name, command) in [("polywire", &ours), ("polywire, one shard", &one_shard)] {
                let command = command.clone();
                entries.push(Entry::new("redis", &load, name, move |fleet| {
                    benchmark(&*fleet.server(&command, None)?, test, depth, fleet.time)
                }));
            }
            let theirs = Rc::clone(&theirs);
            entries.push(Entry::new("redis", &load, "redis-server", move |fleet| {
                benchmark(&theirs, test, depth, fleet.time)
            }));
        }
    }
    Ok(entries)
}

fn benchmark(server: &Server, test: &str, depth: usize, time: Duration) -> Result<Sample, String> {
    // Enough for about that time on a small machine.
    let requests = (time.as_secs_f64() * 100_000.0 * if depth == 1 { 1.0 } else { 5.0 }) as usize;
    let printed = output(
        &words![
            "redis-benchmark",
            "-p",
            server.port(),
            "-t",
            test.to_lowercase(),
            "-n",
            requests,
            "-c",
            50,
            "-P",
            depth,
            "--csv"
        ],
        None,
    )?;
    // "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"
    let line = printed
        .lines()
        .find(|line| line.starts_with(&format!("\"{test}\"")))
        .ok_or(format!("it said {printed}"))?;
    let fields: Vec<f64> = line.split(',').filter_map(|field| field.trim_matches('"').parse().ok()).collect();
    let [value, _, _, p50_ms, _, p99_ms, _] = fields[..] else { return Err(format!("it said {line}")) };
    Ok(Sample { value, p50_us: Some(p50_ms * 1e3), p99_us: Some(p99_ms * 1e3), ..Sample::default() })
}

/// Whether `program` can be started.
pub fn installed(program: &str, harmless: &str) -> Result<(), String> {
    Command::new(program).arg(harmless).output().map(drop).map_err(|_| format!("{program} is not installed"))
}
