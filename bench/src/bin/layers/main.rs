//! What each layer costs by itself, without sockets: buffers, protocols, formats, dispatch,
//! balancers.
//!
//! ```text
//! layers run                        a table
//! layers run --json 1               one JSON object, name -> nanoseconds per operation
//! layers run --only baidu_std       those whose name contains this
//! ```
//!
//! Each figure is the least of [`ROUNDS`] rounds of about [`ROUND`] each: what disturbs a round makes it
//! longer, never shorter. The spread says how much the rounds differ.

mod buffers;
mod dispatch;
mod formats;
mod h2;
mod machines;
mod picks;
mod variables;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use polywire_bench::{Args, args::wrong_use};

const USAGE: &str = "usage: layers run [--only NAME] [--json 1]";
const ROUNDS: usize = 15;
const ROUND: Duration = Duration::from_millis(40);

/// Names and times what it is given.
pub struct Bench {
    only: String,
    json: bool,
    found: BTreeMap<String, f64>,
}

impl Bench {
    /// Whether a figure of this name is asked for.
    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.only)
    }

    /// Times `batch`, which does `operations` operations, and reports nanoseconds for one; `bytes` per
    /// operation give a rate as well.
    pub fn time<T>(&mut self, name: &str, operations: u64, bytes: usize, mut batch: impl FnMut() -> T) {
        self.time_prepared(name, operations, bytes, || (), |()| batch());
    }

    /// As [`Bench::time`], for batches that use something up: `prepare` makes it, outside the time.
    pub fn time_prepared<I, T>(
        &mut self,
        name: &str,
        operations: u64,
        bytes: usize,
        mut prepare: impl FnMut() -> I,
        mut batch: impl FnMut(I) -> T,
    ) {
        if !self.wants(name) {
            return;
        }
        let mut round = |batches: u64| {
            let mut spent = Duration::ZERO;
            for _ in 0..batches {
                let input = prepare();
                let began = Instant::now();
                black_box(batch(black_box(input)));
                spent += began.elapsed();
            }
            spent
        };
        let once = round(3) / 3;
        let batches = (ROUND.as_nanos() / once.as_nanos().max(1)).clamp(1, 1_000_000) as u64;
        let rounds: Vec<f64> =
            (0..ROUNDS).map(|_| round(batches).as_nanos() as f64 / (batches * operations) as f64).collect();
        let least = rounds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = rounds.iter().copied().fold(0.0, f64::max);
        if !self.json {
            let rate =
                if bytes == 0 { String::new() } else { format!("{:9.0} MB/s", bytes as f64 / least * 1e3) };
            println!("{name:44} {least:10.1} ns   spread {:4.1} % {rate}", (most / least - 1.0) * 100.0);
        }
        self.found.insert(name.to_owned(), least);
    }
}

fn main() {
    let args = Args::from_env(USAGE);
    if args.verb != "run" {
        wrong_use(&format!("`{}` is no verb", args.verb), USAGE);
    }
    let mut bench = Bench {
        only: args.get("only", String::new()),
        json: args.get("json", 0) == 1,
        found: BTreeMap::new(),
    };
    buffers::all(&mut bench);
    formats::all(&mut bench);
    machines::all(&mut bench);
    h2::all(&mut bench);
    dispatch::all(&mut bench);
    picks::all(&mut bench);
    variables::all(&mut bench);
    if bench.json {
        println!("{}", serde_json::to_string_pretty(&bench.found).expect("numbers are JSON"));
    }
}
