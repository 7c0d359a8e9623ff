//! What one message costs in one form, in a process of its own.
//!
//! ```text
//! codec write --message benchmark --form flatbuffers --bytes 1024              one JSON object: ns, MB/s, bytes
//! codec read --message benchmark --form flatbuffers --bytes 1024 --count 1000  exactly so many times: for callgrind
//! ```
//!
//! *Write* is from a text and numbers to what a socket is given; *read* from what a socket gave to a value of
//! every field. What instructions a message takes is the difference of two runs under
//! `valgrind --tool=callgrind` with different counts, divided by the difference of the counts.

mod messages;

use std::hint::black_box;
use std::time::{Duration, Instant};

use messages::{Subject, subject};
use polywire_bench::{Args, args::wrong_use};
use serde_json::json;

const USAGE: &str =
    "usage: codec write|read --message benchmark|echo|order --form FORM [--bytes N] [--count N]
FORM: protobuf, mcpack, compack, or flatbuffers (benchmark only)";
const ROUNDS: usize = 15;
const ROUND: Duration = Duration::from_millis(30);

fn main() {
    let args = Args::from_env(USAGE);
    let (message, form) = (args.get("message", String::new()), args.get("form", String::new()));
    let Some(subject) = subject(&message, &form, args.get("bytes", 100)) else {
        wrong_use(&format!("no message {message:?} in the form {form:?}"), USAGE)
    };
    let Subject { wire_bytes, protobuf_bytes, write, read } = subject;
    let mut work = match args.verb.as_str() {
        "write" => write,
        "read" => read,
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    };
    let count: u64 = args.get("count", 0);
    if count > 0 {
        return (0..count).for_each(|_| work());
    }
    let ns = least(&mut work);
    // Of the bytes that protobuf has for it, whatever the form: rates of forms can be compared.
    let mb_per_s = protobuf_bytes as f64 / ns * 1e3;
    println!("{}", json!({ "ns": ns, "mb_per_s": mb_per_s, "wire_bytes": wire_bytes }));
}

/// Nanoseconds of one run of `work`, in the best of the rounds.
fn least(work: &mut dyn FnMut()) -> f64 {
    let mut round = |runs: u64| {
        let began = Instant::now();
        (0..runs).for_each(|_| black_box(&mut *work)());
        began.elapsed()
    };
    let once = round(100) / 100;
    let runs = (ROUND.as_nanos() / once.as_nanos().max(1)).clamp(1, 10_000_000) as u64;
    (0..ROUNDS).map(|_| round(runs).as_nanos() as f64 / runs as f64).fold(f64::INFINITY, f64::min)
}
