//! Calls that compute, under ghz, and their effect on light calls: ours, tonic and grpc C++, with the same
//! arithmetic.
//!
//! Ours and grpc C++ run the handler directly; tonic does so too, and in a second run with its arithmetic on
//! tokio's pool for blocking work, as its documentation recommends. ghz's whole summaries are kept with the
//! tables.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, Server, output};
use crate::options::Options;
use crate::peers::{On, Peer};
use crate::{ghz, words};

/// Rounds of a heavy call: about 15 ms.
const ROUNDS: u64 = 10_000_000;
/// Light calls per second, planned: an open loop.
const LIGHT_PER_S: usize = 500;

/// A server, and how it is started.
struct Contender {
    peer: Peer,
    name: &'static str,
    options: Vec<String>,
}

impl Contender {
    /// Its command line with `rounds` of computing; `None` if it is not there.
    fn serve(&self, rounds: u64, fleet: &Fleet) -> Option<Vec<String>> {
        let command = self.peer.serve(fleet)?;
        Some([command, words!["--heavy-computation-count", rounds], self.options.clone()].concat())
    }
}

pub fn group(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    Command::new(ghz::program())
        .arg("--version")
        .output()
        .map_err(|_| "ghz is not installed (interop/install installs it)")?;
    let reports = options.out.join("ghz");
    // Those of a run before would be taken for this one's.
    let _ = fs::remove_dir_all(&reports);
    fs::create_dir_all(&reports).map_err(|error| format!("{}: {error}", reports.display()))?;
    let contenders = [
        Contender { peer: Peer::Grpc(On::Multi), name: "polywire", options: Vec::new() },
        Contender { peer: Peer::Tonic, name: "tonic", options: Vec::new() },
        Contender {
            peer: Peer::Tonic,
            name: "tonic, spawn_blocking",
            options: words!["--spawn-blocking", true],
        },
        Contender { peer: Peer::Cpp, name: "grpc C++", options: Vec::new() },
    ];
    let (quick_calls, heavy_calls) = if options.quick { (20_000, 200) } else { (100_000, 1000) };
    let mut entries = Vec::new();
    for (load, rounds, calls) in [("0 rounds", 0, quick_calls), ("10 000 000 rounds", ROUNDS, heavy_calls)] {
        for contender in contenders.iter().filter(|one| rounds > 0 || one.options.is_empty()) {
            let Some(serve) = contender.serve(rounds, fleet) else { continue };
            let report = reports.join(format!("{rounds}-{}.txt", contender.name.replace([',', ' '], "")));
            entries.push(Entry::new("heavy", load, contender.name, move |fleet| {
                greet(&*fleet.server(&serve, None)?, calls, &report)
            }));
        }
    }
    for contender in &contenders {
        let Some(serve) = contender.serve(ROUNDS, fleet) else { continue };
        for (load, beside) in [("Echo, 500 a second, alone", false), ("Echo beside heavy calls", true)] {
            let serve = serve.clone();
            entries.push(Entry::new("light", load, contender.name, move |fleet| {
                light(&*fleet.server(&serve, None)?, beside, fleet)
            }));
        }
    }
    for contender in contenders.iter().filter(|one| one.options.is_empty()) {
        let (Some(serve), Some(tonic)) = (contender.peer.serve(fleet), fleet.rival("tonic_echo")) else {
            continue;
        };
        let load = "first call on a fresh connection, tonic's client";
        entries.push(Entry::new("light", load, contender.name, move |fleet| {
            let server = fleet.server(&serve, None)?;
            let time = fleet.time.as_secs_f64();
            let command = words![tonic, "fresh", "--server", server.address, "--duration", time];
            Ok(fleet.press(&server, &command, None)?.by_p99())
        }));
    }
    Ok(entries)
}

/// So many greetings from ghz; its summary goes to the end of `report`.
fn greet(server: &Server, calls: usize, report: &Path) -> Result<Sample, String> {
    server.load(|| {
        let summary = output(&ghz::greetings(&server.address, ["-n".into(), calls.to_string()]), None)?;
        let file = OpenOptions::new().create(true).append(true).open(report);
        file.and_then(|mut file| file.write_all(summary.as_bytes()))
            .map_err(|error| format!("{}: {error}", report.display()))?;
        ghz::read(&summary).ok_or(format!("ghz said {summary}"))
    })
}

/// Light calls in open loop, alone or while ten callers make heavy ones; the value is their p99.
fn light(server: &Server, beside: bool, fleet: &Fleet) -> Result<Sample, String> {
    let seconds = fleet.time.as_secs_f64();
    let mut heavy = None;
    if beside {
        let command = ghz::greetings(&server.address, ["-z".into(), format!("{}s", seconds.ceil() + 2.0)]);
        let started =
            Command::new(&command[0]).args(&command[1..]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        heavy = Some(started.map_err(|error| error.to_string())?);
        // Until all its connections are there and its calls compute.
        sleep(Duration::from_millis(500));
    }
    let press = words![
        fleet.ours(),
        "press",
        "--json",
        "--server",
        server.address,
        "--protocol",
        "grpc",
        "--method",
        "example.EchoService/Echo",
        "--input",
        "{\"message\":\"x\"}",
        "--concurrency",
        100,
        "--connections",
        1,
        "--timeout-ms",
        0,
        "--qps",
        LIGHT_PER_S,
        "--duration",
        seconds
    ];
    let found = fleet.press(server, &press, None);
    if let Some(mut ghz) = heavy {
        // It has more time than it needs.
        let _ = ghz.kill();
        let _ = ghz.wait();
    }
    // The server's CPU is that of the heavy calls as well.
    Ok(Sample { server_cpu_us: None, ..found?.by_p99() })
}
