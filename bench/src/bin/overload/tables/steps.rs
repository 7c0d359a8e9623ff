//! What is left of a processor while the load rises in steps: an echo that computes nothing.

use super::{SERVERS, start};
use crate::Failure;

/// Calls a second.
const STEPS: [f64; 6] = [500.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 40_000.0];

pub fn table(seconds: f64) -> Result<(), Failure> {
    println!("| calls/s | server | answered/s | idle of its processor | CPU per call | p50 | p99 |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (name, words) in SERVERS {
        let server = start(words, 0, Some(0))?;
        server.press("grpc", &[("rate", 1000.0), ("duration", 1.0)])?; // warm
        for rate in STEPS {
            let before = server.used();
            let found = server.press("grpc", &[("rate", rate), ("duration", seconds), ("lead", 0.0)])?;
            let used = (server.used() - before).as_secs_f64();
            println!(
                "| {rate} | {name} | {:.0} | {:.0} % | {:.1} µs | {} µs | {} µs |",
                found.good,
                100.0 - 100.0 * used / seconds,
                used * 1e6 / (found.good * seconds).max(1.0),
                found.p50_us,
                found.p99_us
            );
        }
    }
    Ok(())
}
