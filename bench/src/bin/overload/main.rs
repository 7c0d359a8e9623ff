//! More calls than a server can do: what becomes of them, for our server over three protocols, tonic, grpc-go
//! and gRPC C++; and what quick calls feel of a rising load, of less CPU and of bad neighbours, beside tonic.
//!
//! The generator is an open loop on the second processor, the server is on the first. docs/design/overload.md
//! has the results.

mod plot;
mod press;
mod process;
mod run;
mod serve;
mod tables;

use polywire_bench::{Args, args::wrong_use};

polywire::include!();

mod made {
    include!(concat!(env!("OUT_DIR"), "/tonic/example.rs"));
}

const USAGE: &str = "usage: overload run [--seconds S] [--out FOLDER] [--only NAME] [--handler US]
       overload tables [--only steps|half|neighbours|migration] [--seconds S]
       overload serve [--rounds N] [--mode default|off|shed|auto|limit] [--redis ADDR]
       overload tonic [--rounds N]
       overload press --server ADDR [--protocol NAME] [--rate R | --callers N] [--duration S] [--timeout MS] [--bytes B]
                     [--lead S] [--block 1]";

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let args = Args::from_env(USAGE);
    match args.verb.as_str() {
        "run" => run::run(&args),
        "tables" => tables::run(&args),
        "serve" => serve::ours(&args),
        "tonic" => serve::tonic(&args),
        "press" => press::run(&args),
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

/// Arithmetic that takes as long on each machine as it has rounds: all servers do the same.
fn compute(rounds: u64) -> u64 {
    let mut value = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..rounds {
        value = std::hint::black_box(value.wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(17) ^ round);
    }
    value
}

/// Whether a handler is asked to block its thread, as no handler should.
fn blocks(message: &str) {
    if message.starts_with(BLOCK) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// How messages begin whose handler blocks its thread.
const BLOCK: char = 'b';
