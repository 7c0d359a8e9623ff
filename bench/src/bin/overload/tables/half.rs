//! The same fixed loads with both processors and with one of them.

use super::{SERVERS, start};
use crate::{Failure, run::calibrate};

/// Calls a second, and how long each computes.
const LOADS: [(f64, f64); 3] = [(5000.0, 0.0), (20_000.0, 0.0), (3000.0, 100.0)];

pub fn table(seconds: f64) -> Result<(), Failure> {
    let rounds_per_us = calibrate();
    println!("| calls/s | handler | server | processors | answered/s | CPU per call | p50 | p99 |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (rate, us) in LOADS {
        for (name, words) in SERVERS {
            for (processors, processor) in [(2, None), (1, Some(0))] {
                let server = start(words, (us * rounds_per_us) as u64, processor)?;
                server.press("grpc", &[("rate", rate), ("duration", 1.0)])?; // warm
                let before = server.used();
                let found = server.press("grpc", &[("rate", rate), ("duration", seconds), ("lead", 0.0)])?;
                let used = (server.used() - before).as_secs_f64();
                println!(
                    "| {rate} | {us} µs | {name} | {processors} | {:.0} | {:.1} µs | {} µs | {} µs |",
                    found.good,
                    used * 1e6 / (found.good * seconds).max(1.0),
                    found.p50_us,
                    found.p99_us
                );
            }
        }
    }
    Ok(())
}
