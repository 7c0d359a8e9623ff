//! Slow neighbours: the effect of slow calls on an open loop of quick calls to the same server.
//!
//! Quick: Echo, 2000 a second, latencies from the planned send time. Slow: SayHello, each of about 10 ms, as
//! many as fill a fifth of one processor, computing (`--heavy-computation-count`, found by trying) or
//! sleeping (`--sleep-ms`).

use std::process::{Command, Stdio};

use polywire_bench::Report;

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, output};
use crate::options::Options;
use crate::words;

const QUICK_PER_S: usize = 2000;
const SLOW_MS: u64 = 10;
/// A fifth of one processor.
const SLOW_PER_S: u64 = 200 / SLOW_MS;
const HELLO: &str = "helloworld.Greeter/SayHello";
/// Rounds of heavy computation to begin with; the figure is then scaled to [`SLOW_MS`].
const FIRST_TRY: u64 = 1_000_000;

/// Four runs: quick calls alone, with computing neighbours, with computing neighbours and a work pool at idle
/// priority, with sleeping neighbours.
pub fn group(_: &Options, _: &Fleet) -> Result<Vec<Entry>, String> {
    let entry =
        |load: &str, slow: Slow| Entry::new("neighbours", load, "polywire", move |fleet| slow.measure(fleet));
    Ok(vec![
        entry("p99 of quick calls alone (us)", Slow::None),
        entry("beside computing calls (us)", Slow::Computing),
        entry("beside computing calls at idle priority (us)", Slow::ComputingIdly),
        entry("beside sleeping calls (us)", Slow::Sleeping),
    ])
}

#[derive(Clone, Copy)]
enum Slow {
    None,
    Computing,
    ComputingIdly,
    Sleeping,
}

impl Slow {
    /// The value is the p99 of the quick calls in microseconds.
    fn measure(self, fleet: &Fleet) -> Result<Sample, String> {
        let options: Vec<String> = match self {
            Slow::None => Vec::new(),
            Slow::Computing => words!["--heavy-computation-count", rounds_for(fleet)?],
            Slow::ComputingIdly => {
                words!["--heavy-computation-count", rounds_for(fleet)?, "--work-priority", "idle"]
            }
            Slow::Sleeping => words!["--sleep-ms", SLOW_MS],
        };
        let command = [fleet.our_server(), options].concat();
        let server = fleet.server(&command, None)?;
        let seconds = fleet.time.as_secs_f64();
        let slow = words![
            fleet.ours(),
            "press",
            "--json",
            "--server",
            server.address,
            "--protocol",
            "baidu_std",
            "--method",
            HELLO,
            "--input",
            "{\"name\":\"x\"}",
            "--concurrency",
            10,
            "--connections",
            1,
            "--qps",
            SLOW_PER_S,
            "--duration",
            seconds + 1.0
        ];
        let mut beside = match self {
            Slow::None => None,
            Slow::Computing | Slow::ComputingIdly | Slow::Sleeping => {
                let started = Command::new(&slow[0])
                    .args(&slow[1..])
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn();
                Some(started.map_err(|error| error.to_string())?)
            }
        };
        let quick = words![
            fleet.ours(),
            "press",
            "--json",
            "--server",
            server.address,
            "--protocol",
            "baidu_std",
            "--method",
            "example.EchoService/Echo",
            "--input",
            "{\"message\":\"x\"}",
            "--concurrency",
            50,
            "--connections",
            1,
            "--qps",
            QUICK_PER_S,
            "--duration",
            seconds
        ];
        let found = fleet.press(&server, &quick, None);
        if let Some(child) = &mut beside {
            child.wait().map_err(|error| error.to_string())?;
        }
        Ok(found?.by_p99())
    }
}

/// How many rounds of computing take [`SLOW_MS`] on this machine.
fn rounds_for(fleet: &Fleet) -> Result<u64, String> {
    let command =
        words![fleet.ours(), "serve", "--listen", "127.0.0.1:0", "--heavy-computation-count", FIRST_TRY];
    let server = fleet.server(&command, None)?;
    let printed = output(
        &words![
            fleet.ours(),
            "press",
            "--json",
            "--server",
            server.address,
            "--protocol",
            "baidu_std",
            "--method",
            HELLO,
            "--input",
            "{\"name\":\"x\"}",
            "--concurrency",
            1,
            "--connections",
            1,
            "--count",
            200
        ],
        None,
    )?;
    let report: Report = serde_json::from_str(printed.trim()).map_err(|error| error.to_string())?;
    Ok((FIRST_TRY as f64 * SLOW_MS as f64 * 1e3 / report.min_us.max(1.0)) as u64)
}
