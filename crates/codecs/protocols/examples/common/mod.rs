//! What the `cost` programs share: a host that admits everything, and a stopwatch.

use polywire_call::Status;
use polywire_wire::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

const RUN: Duration = Duration::from_millis(100);

pub struct Admitting;

impl Host for Admitting {
    fn admit(&mut self, head: &Head<'_>, announced: Option<usize>) -> Result<Route, Status> {
        black_box((head.target, announced));
        Ok(Route { method: 1, max_message: 1 << 20, delivery: Delivery::Whole, ..Route::default() })
    }
    fn admit_reply(&mut self, exchange: Exchange, announced: usize) -> bool {
        black_box((exchange, announced));
        true
    }
}

/// Best of ten runs: nanoseconds per call of `batch`, which makes `calls` of them. The first argument of the
/// program, if there is one, names the only row to measure.
pub fn measure(name: &str, calls: usize, mut batch: impl FnMut()) {
    if std::env::args().nth(1).is_some_and(|only| only != name) {
        return;
    }
    let mut best = f64::MAX;
    for _ in 0..10 {
        let (start, mut made) = (Instant::now(), 0);
        while start.elapsed() < RUN {
            for _ in 0..256_usize.div_ceil(calls) {
                batch();
                made += calls;
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64 / made as f64);
    }
    println!("{name:<36} {best:6.1} ns");
}
