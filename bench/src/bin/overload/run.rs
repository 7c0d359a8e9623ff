//! Starts each server and calls it at each load; prints a table, writes the points and draws the curves.

use std::path::PathBuf;
use std::time::Instant;

use polywire_bench::Args;
use serde::Serialize;

use crate::process::{Figures, Server, folder};
use crate::{Failure, compute, plot};

/// What one server did under one load.
#[derive(Serialize)]
pub struct Point {
    pub server: &'static str,
    pub handler_us: u64,
    /// Calls a second, closed loop of 16 callers.
    pub capacity: f64,
    /// In capacities.
    pub load: f64,
    /// Of the server after the load, in MB.
    pub resident_mb: f64,
    #[serde(flatten)]
    pub figures: Figures,
}

/// Name, program, its words, and the protocol by which it is called.
const SERVERS: [(&str, &str, &[&str], &str); 8] = [
    ("polywire baidu_std", "overload", &["serve", "--mode", "shed"], "baidu_std"),
    ("polywire gRPC", "overload", &["serve", "--mode", "shed"], "grpc"),
    ("polywire HTTP", "overload", &["serve", "--mode", "shed"], "http"),
    ("polywire gRPC, auto", "overload", &["serve", "--mode", "auto"], "grpc"),
    ("polywire gRPC, no shedding", "overload", &["serve", "--mode", "off"], "grpc"),
    ("tonic", "overload", &["tonic"], "grpc"),
    ("grpc-go", "grpc_go_echo", &["serve"], "grpc"),
    ("gRPC C++", "grpc_cpp_echo", &["serve"], "grpc"),
];
const LOADS: [f64; 7] = [0.5, 0.7, 0.9, 1.2, 2.0, 3.0, 5.0];

pub fn run(args: &Args) -> Result<(), Failure> {
    let seconds: f64 = args.get("seconds", 3.0);
    let out = PathBuf::from(args.get("out", "overload".to_owned()));
    let only: String = args.get("only", String::new());
    let only_us: u64 = args.get("handler", 0);
    std::fs::create_dir_all(&out)?;
    let rounds_per_us = calibrate();
    println!("{rounds_per_us:.0} rounds take a microsecond");
    println!(
        "| server | handler | load | offered/s | good/s | of capacity | refused/s | late/s | failed/s | unsent/s | p50 ms | p99 ms | MB |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut points = Vec::new();
    let handlers = if only_us == 0 { vec![1000, 100] } else { vec![only_us] };
    for handler_us in handlers {
        for (name, program, words, protocol) in SERVERS {
            if !name.contains(&only) {
                continue;
            }
            if !folder()?.join(program).is_file() {
                eprintln!("{name} is left out: {program} is not built");
                continue;
            }
            let rounds = (rounds_per_us * handler_us as f64) as u64;
            measure(
                name,
                handler_us,
                seconds,
                &Server::start(program, words, rounds, Some(0))?,
                protocol,
                &mut points,
            )?;
        }
        for chart in plot::charts(&points, handler_us) {
            std::fs::write(out.join(chart.name).with_extension("svg"), chart.svg())?;
        }
    }
    let text = serde_json::to_string(&points)?.replace("},{", "},\n{"); // a row per line: a change shows in a diff
    std::fs::write(out.join("points.json"), format!("{{\"seconds\":{seconds},\"points\":{text}}}\n"))?;
    Ok(())
}

fn measure(
    name: &'static str,
    handler_us: u64,
    seconds: f64,
    server: &Server,
    protocol: &str,
    points: &mut Vec<Point>,
) -> Result<(), Failure> {
    server.press(protocol, &[("callers", 16.0), ("duration", seconds / 3.0)])?; // warm
    let capacity = server.press(protocol, &[("callers", 16.0), ("duration", seconds)])?.good;
    for load in LOADS {
        let figures = server.press(protocol, &[("rate", capacity * load), ("duration", seconds)])?;
        let resident_mb = server.resident_mb();
        let Figures { offered, good, refused, late, failed, unsent, p50_us, p99_us } = figures;
        println!(
            "| {name} | {handler_us} µs | {load} | {offered:.0} | {good:.0} | {:.0} % | {refused:.0} | {late:.0} | {failed:.0} | {unsent:.0} | {:.1} | {:.1} | {resident_mb:.0} |",
            100.0 * good / capacity,
            p50_us as f64 / 1e3,
            p99_us as f64 / 1e3,
        );
        points.push(Point { server: name, handler_us, capacity, load, resident_mb, figures });
    }
    Ok(())
}

/// Rounds of [`compute`] that take a microsecond, when nothing else runs.
pub fn calibrate() -> f64 {
    let rounds = 200_000;
    let runs = (0..50).map(|_| {
        let began = Instant::now();
        std::hint::black_box(compute(std::hint::black_box(rounds)));
        began.elapsed()
    });
    rounds as f64 / runs.min().expect("some").as_secs_f64() / 1e6
}
