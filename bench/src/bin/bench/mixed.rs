//! Several protocols at once on one server.

use std::process::{Child, Command, Stdio};

use polywire_bench::Report;

use crate::figures::{Entry, Sample};
use crate::fleet::Fleet;
use crate::options::Options;
use crate::words;

/// Protocols that meet on one port, and how many callers each has.
const MIXED: &[&str] = &["baidu_std", "ubrpc_mcpack2", "sofa_pbrpc", "grpc"];
const CALLERS: usize = 8;

/// One protobuf service under all of them at once: as many clients, each a process. Each protocol's figures
/// are from the same seconds; beside them the same load by that protocol alone.
pub fn group(_: &Options, _: &Fleet) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    for &protocol in MIXED {
        for (load, all) in [("alone", false), ("beside the three others", true)] {
            entries.push(Entry::new("mixed", load, protocol, move |fleet| {
                let server = fleet.server(&fleet.our_server(), None)?;
                let others = if all { MIXED } else { &[] };
                let others = others.iter().filter(|other| **other != protocol);
                let others: Result<Vec<Background>, String> =
                    others.map(|other| Background::start(&press(fleet, &server.address, other))).collect();
                let sample = fleet.press(&server, &press(fleet, &server.address, protocol), None);
                // CPU of the server cannot be told apart.
                let others = others?.into_iter().try_for_each(Background::finish);
                others.and(sample).map(|sample| Sample { server_cpu_us: None, client_cpu_us: None, ..sample })
            }));
        }
    }
    Ok(entries)
}

fn press(fleet: &Fleet, server: &str, protocol: &str) -> Vec<String> {
    let message = format!("{{\"message\":\"{}\"}}", "x".repeat(100));
    let mut command = words![fleet.ours(), "press", "--json", "--server", server, "--protocol", protocol];
    command.extend(words!["--method", "example.EchoService/Echo", "--input", message]);
    command.extend(words!["--concurrency", CALLERS, "--duration", fleet.time.as_secs_f64()]);
    command
}

/// A client that presses meanwhile.
struct Background(Child);

impl Background {
    fn start(command: &[String]) -> Result<Background, String> {
        let mut starting = Command::new(&command[0]);
        starting.args(&command[1..]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        starting.spawn().map(Background).map_err(|error| format!("cannot start {}: {error}", command[0]))
    }

    /// Waits for its end, which must be without errors.
    fn finish(self) -> Result<(), String> {
        let ran = self.0.wait_with_output().map_err(|error| error.to_string())?;
        let report: Report =
            serde_json::from_slice(&ran.stdout).map_err(|error| format!("it printed no report: {error}"))?;
        if report.errors > 0 {
            Err(format!("{} calls of another client failed", report.errors))
        } else {
            Ok(())
        }
    }
}
