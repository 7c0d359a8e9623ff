//! Starts each server and calls it at each load; prints a table and draws the curves.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use polywire_bench::{Args, cpu};
use serde::Deserialize;

use crate::{Failure, compute, plot};

#[derive(Deserialize, Clone, Copy)]
pub struct Figures {
    pub offered: f64,
    pub good: f64,
    pub refused: f64,
    pub late: f64,
    pub failed: f64,
    pub p50_us: u64,
    pub p99_us: u64,
}

/// What one server did under one load.
pub struct Point {
    pub server: &'static str,
    pub handler_us: u64,
    /// Calls a second, closed loop.
    pub capacity: f64,
    /// In capacities.
    pub load: f64,
    pub figures: Figures,
}

/// Name, program, its words, and the protocol by which it is called.
const SERVERS: [(&str, &str, &[&str], &str); 10] = [
    ("polywire baidu_std", "overload", &["serve", "--mode", "off"], "baidu_std"),
    ("polywire baidu_std, shedding", "overload", &["serve", "--mode", "shed"], "baidu_std"),
    ("polywire baidu_std, auto", "overload", &["serve", "--mode", "auto"], "baidu_std"),
    ("polywire gRPC", "overload", &["serve", "--mode", "off"], "grpc"),
    ("polywire gRPC, shedding", "overload", &["serve", "--mode", "shed"], "grpc"),
    ("polywire gRPC, auto", "overload", &["serve", "--mode", "auto"], "grpc"),
    ("polywire HTTP, shedding", "overload", &["serve", "--mode", "shed"], "http"),
    ("polywire HTTP", "overload", &["serve", "--mode", "off"], "http"),
    ("tonic", "overload", &["tonic"], "grpc"),
    ("grpc-go", "grpc_go_echo", &["serve"], "grpc"),
];
const LOADS: [f64; 6] = [0.5, 0.9, 1.2, 2.0, 3.0, 5.0];

struct Stops(Child);
impl Drop for Stops {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended
        let _ = self.0.wait();
    }
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let seconds: f64 = args.get("seconds", 3.0);
    let out = PathBuf::from(args.get("out", "overload".to_owned()));
    let only: String = args.get("only", String::new());
    std::fs::create_dir_all(&out)?;
    let rounds_per_us = calibrate();
    println!("{rounds_per_us:.0} rounds take a microsecond");
    println!(
        "| server | handler | load | offered/s | good/s | of capacity | refused/s | late/s | failed/s | p50 ms | p99 ms | MB |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let beside = std::env::current_exe()?.parent().expect("a folder").to_owned();
    let mut points = Vec::new();
    for handler_us in [1000, 100] {
        for (name, program, words, protocol) in SERVERS {
            let path = beside.join(program);
            if !path.is_file() || !name.contains(&only) {
                continue;
            }
            let rounds = (rounds_per_us * handler_us as f64) as u64;
            let mut command = Command::new(path);
            command.args(words).args(["--rounds", &rounds.to_string()]);
            command.stdout(Stdio::piped()).stderr(Stdio::null());
            let mut server = Stops(cpu::pinned(Some(0), || command.spawn())??);
            let mut lines = BufReader::new(server.0.stdout.take().expect("piped")).lines();
            let line = lines.next().ok_or("no line")??;
            let address = line.rsplit(' ').next().ok_or("no address")?.to_owned();
            let press = |more: &[String]| -> Result<Figures, Failure> {
                let mut command = Command::new(std::env::current_exe()?);
                command.args(["press", "--server", &address, "--protocol", protocol]).args(more);
                let output = cpu::pinned(Some(1), || command.output())??;
                Ok(serde_json::from_slice(&output.stdout)?)
            };
            let closed = ["--callers", "16", "--duration", &seconds.to_string()].map(str::to_owned);
            press(&closed)?; // warm
            let capacity = press(&closed)?.good;
            for load in LOADS {
                let rate = (capacity * load).to_string();
                let figures =
                    press(&["--rate", &rate, "--duration", &seconds.to_string()].map(str::to_owned))?;
                let resident = cpu::resident(server.0.id()).unwrap_or(0);
                let Figures { offered, good, refused, late, failed, p50_us, p99_us } = figures;
                println!(
                    "| {name} | {handler_us} µs | {load} | {offered:.0} | {good:.0} | {:.0} % | {refused:.0} | {late:.0} | {failed:.0} | {:.1} | {:.1} | {:.0} |",
                    100.0 * good / capacity,
                    p50_us as f64 / 1e3,
                    p99_us as f64 / 1e3,
                    resident as f64 / 1e6
                );
                points.push(Point { server: name, handler_us, capacity, load, figures });
            }
        }
        std::fs::write(out.join(format!("goodput-{handler_us}us.svg")), plot::goodput(&points, handler_us))?;
        std::fs::write(out.join(format!("p99-{handler_us}us.svg")), plot::p99(&points, handler_us))?;
    }
    Ok(())
}

/// Rounds of [`compute`] that take a microsecond, when nothing else runs.
fn calibrate() -> f64 {
    let rounds = 200_000;
    let runs = (0..50).map(|_| {
        let began = Instant::now();
        std::hint::black_box(compute(std::hint::black_box(rounds)));
        began.elapsed()
    });
    rounds as f64 / runs.min().expect("some").as_secs_f64() / 1e6
}
