//! gRPC in closed loop: ours, tonic, grpc C++ and grpc-go, with themselves and mixed; unary calls and
//! streams.

use polywire_bench::Kind;

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, Server, output};
use crate::foreign::installed;
use crate::options::Options;
use crate::peers::{On, Peer, SMALL, Shape};
use crate::words;

const OURS: Peer = Peer::Grpc(On::Multi);
const PEERS: [Peer; 6] =
    [OURS, Peer::Grpc(On::Current), Peer::Grpc(On::Shard), Peer::Tonic, Peer::Cpp, Peer::Go];

/// Callers on one connection: each with itself; then one side of ours with tonic on the other, and both
/// servers under h2load, which show what a side costs by itself.
pub fn unary(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    let h2load = installed("h2load", "--version").map_err(|error| eprintln!("bench: grpc: {error}")).is_ok();
    for callers in [1, 5, 10, 100] {
        let load = match callers {
            1 => "1 caller".to_owned(),
            n => format!("{n} callers, 1 connection"),
        };
        let shape = Shape::echo(callers, 1, SMALL);
        entries.extend(PEERS.into_iter().filter_map(|peer| peer.entry("grpc", &load, shape, fleet)));
        entries.extend(Peer::Tonic.calls(OURS, "grpc", &load, shape, fleet));
        entries.extend(OURS.calls(Peer::Tonic, "grpc", &load, shape, fleet));
        for server in [OURS, Peer::Tonic] {
            let Some(command) = server.serve(fleet).filter(|_| h2load) else { continue };
            entries.push(Entry::new("grpc", &load, format!("h2load -> {}", server.name()), move |fleet| {
                self::h2load(&*fleet.server(&command, None)?, fleet, 1, callers, None)
            }));
        }
    }
    Ok(entries)
}

/// h2load with so many calls under way at once over each connection. It saturates first: what counts is the
/// server's CPU per call.
pub fn h2load(
    server: &Server,
    fleet: &Fleet,
    connections: usize,
    calls: usize,
    processor: Option<usize>,
) -> Result<Sample, String> {
    // EchoRequest with field 1 of that length behind gRPC's five bytes; all of it happens to be text.
    let length = char::from(u8::try_from(SMALL).expect("it is small"));
    let whole = char::from(u8::try_from(SMALL + 2).expect("it is small"));
    let body = fleet.file("echo.grpc", format!("\0\0\0\0{whole}\n{length}{}", "x".repeat(SMALL)))?;
    let command = words![
        "h2load",
        "-t",
        1,
        "-c",
        connections,
        "-m",
        calls,
        "-D",
        // It counts whole seconds only.
        fleet.time.as_secs_f64().ceil(),
        "-d",
        body,
        "-H",
        "content-type: application/grpc",
        "-H",
        "te: trailers",
        format!("http://{}/example.EchoService/Echo", server.address)
    ];
    server.load(|| {
        let printed = output(&command, processor)?;
        h2load_sample(&printed).ok_or(format!("h2load said {printed}"))
    })
}

/// From `finished in 1.00s, 12345.00 req/s, 1.2MB/s` and
/// `requests: 12345 total, …, 12345 succeeded, 0 failed, …`.
fn h2load_sample(printed: &str) -> Option<(Sample, u64)> {
    let rate = printed.lines().find_map(|line| line.strip_prefix("finished in "))?;
    let value: f64 = rate.split(", ").find_map(|part| part.strip_suffix(" req/s"))?.parse().ok()?;
    let requests = printed.lines().find_map(|line| line.strip_prefix("requests: "))?;
    let count = |what: &str| requests.split(", ").find_map(|part| part.strip_suffix(what))?.parse().ok();
    let (good, errors): (u64, u64) = (count(" succeeded")?, count(" failed")?);
    Some((Sample { errors, ..Sample::of(value) }, good))
}

/// Messages of a ping-pong, and of a stream in one direction.
const TURNS: u32 = 200;
const ONE_WAY: u32 = 1000;

/// Ping-pong and one-way streams of each direction, on one connection: gRPC, and streaming_rpc beside it.
pub fn streams(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let loads = [
        ("ping-pong, 1 stream", 1, Kind::Chat, TURNS),
        ("ping-pong, 100 streams", 100, Kind::Chat, TURNS),
        ("client to server, 1 stream", 1, Kind::Collect, ONE_WAY),
        ("client to server, 10 streams", 10, Kind::Collect, ONE_WAY),
        ("server to client, 1 stream", 1, Kind::Repeat, ONE_WAY),
        ("server to client, 10 streams", 10, Kind::Repeat, ONE_WAY),
    ];
    let mut entries = Vec::new();
    for (load, callers, kind, messages) in loads {
        let shape = Shape::streams(callers, kind, messages);
        let passed = if kind == Kind::Chat { 2 * messages } else { messages };
        let peers = PEERS.into_iter().chain([Peer::Streaming]);
        let of_load = peers.filter_map(|peer| peer.entry("streams", load, shape, fleet));
        entries.extend(of_load.map(|entry| entry.then(move |sample| sample.per_message(passed))));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_h2load_prints_is_read() {
        let printed = "progress: 100% done\n\nfinished in 1.00s, 1250.50 req/s, 1.19MB/s\nrequests: 1260 total, 1351 \
                       started, 1251 done, 1249 succeeded, 2 failed, 2 errored, 0 timeout\n";
        let (sample, good) = h2load_sample(printed).unwrap();
        assert_eq!((sample.value, sample.errors, good), (1250.5, 2, 1249));
    }
}
