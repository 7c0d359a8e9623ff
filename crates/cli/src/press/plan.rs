//! What a press does: the arguments, checked.

use crate::{
    failure::Failure,
    peer::PeerArguments,
    request::{self, InputArguments},
    serve::EngineArguments,
};
use bytes::Bytes;
use polywire::{Compression, Target};
use std::{path::PathBuf, time::Duration};

/// Loads a server and reports how it fared
///
/// Without --qps in a closed loop: each caller makes its next call when the last one is answered. With --qps in an open
/// loop: calls are sent at planned times, and latencies count from those, however late a call went out.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub peer: PeerArguments,
    #[command(flatten)]
    pub input: InputArguments,
    /// package.Service.Method or package.Service/Method; for redis a command may stand here
    #[arg(long, short = 'm', value_name = "METHOD", default_value = "example.EchoService/Echo")]
    pub method: String,
    /// Calls under way at once [default: 1; with --qps the most that may be under way, 1000]
    #[arg(long, short = 'c', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub concurrency: Option<u32>,
    /// Connections in all, used by the callers in turn [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub connections: u32,
    /// Calls per second in all: open loop
    #[arg(long, short = 'q', value_name = "N")]
    pub qps: Option<f64>,
    /// Seconds; 0: until Ctrl-C [default: 10, or no limit with --count]
    #[arg(long, short = 'd', value_name = "SECONDS")]
    pub duration: Option<f64>,
    /// Ends after this many calls
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// One run per value, of --qps if that is given, else of --concurrency: 1,10,100
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub steps: Vec<f64>,
    /// Random bytes beside each request
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub attachment_size: usize,
    /// Further tries of a failed call; they count as one call
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Load threads [default: one per core, at most one per connection]
    #[arg(long, short = 't', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Processors for the load threads, in turn: 0,1
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub cpus: Vec<usize>,
    /// Poll this long before sleeping: lower latency, one busy core per thread
    #[arg(long, value_name = "MICROSECONDS", default_value_t = 0)]
    pub spin: u64,
    /// A plain thread per caller, through the blocking interface
    #[arg(long, conflicts_with_all = ["qps", "threads", "spin"])]
    pub blocking: bool,
    /// Writes replies to this file, one JSON text per line
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The summary as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What a press does.
pub struct Plan {
    pub peer: PeerArguments,
    pub target: Target,
    pub method: String,
    pub requests: request::Requests,
    pub connections: usize,
    pub steps: Vec<Step>,
    pub duration: Option<Duration>,
    pub count: Option<u64>,
    pub attachment: Bytes,
    pub compression: Compression,
    pub retries: u32,
    pub blocking: bool,
    pub engine: EngineArguments,
    pub threads: usize,
    pub output: Option<PathBuf>,
}

/// One run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub callers: usize,
    /// Calls per second: open loop.
    pub qps: Option<f64>,
}

/// Callers of an open loop, when nothing else is said.
const OPEN_CALLERS: u32 = 1000;
/// Seconds, when nothing else is said.
const DURATION: f64 = 10.0;
/// Longest attachment, bytes: frames carry no more.
const LONGEST_ATTACHMENT: usize = 2 << 30;

impl Plan {
    /// Checks the arguments and encodes the requests.
    pub fn new(arguments: &Arguments) -> Result<Plan, Failure> {
        let steps = steps(arguments)?;
        let most = steps.iter().map(|step| step.callers).max().unwrap_or(1);
        let connections = arguments.connections as usize;
        if connections > most {
            return Err(Failure::usage(format!(
                "--connections {connections}: there are only {most} callers (--concurrency)"
            )));
        }
        if arguments.attachment_size > LONGEST_ATTACHMENT {
            return Err(Failure::usage(format!(
                "--attachment-size {}: at most {LONGEST_ATTACHMENT}",
                arguments.attachment_size
            )));
        }
        let channel = arguments.peer.channel(arguments.retries)?;
        let requests = request::load(&arguments.input, &arguments.method, &channel)?;
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let threads = arguments.threads.map_or(cores, usize::from).min(connections);
        let seconds = match (arguments.duration, arguments.count) {
            (Some(seconds), _) => seconds,
            (None, Some(_)) => 0.0,
            (None, None) => DURATION,
        };
        let duration = Duration::try_from_secs_f64(seconds)
            .map_err(|_| Failure::usage(format!("--duration {seconds}: not a number of seconds")))?;
        Ok(Plan {
            peer: arguments.peer.clone(),
            target: requests.target(),
            method: requests.method.clone(),
            requests,
            connections,
            steps,
            duration: (!duration.is_zero()).then_some(duration),
            count: arguments.count,
            attachment: noise(arguments.attachment_size),
            compression: arguments.input.compression(),
            retries: arguments.retries,
            blocking: arguments.blocking,
            engine: EngineArguments {
                shards: Some(threads as u16),
                workers: Some(1),
                cpus: arguments.cpus.clone(),
                spin: arguments.spin,
            },
            threads,
            output: arguments.output.clone(),
        })
    }
}

fn steps(arguments: &Arguments) -> Result<Vec<Step>, Failure> {
    let open = arguments.qps.is_some();
    let callers = arguments.concurrency.unwrap_or(if open { OPEN_CALLERS } else { 1 }) as usize;
    let rate = |qps: f64, option: &str| {
        let fits = qps.is_finite() && qps > 0.0 && qps <= 1e9;
        fits.then_some(qps).ok_or_else(|| {
            Failure::usage(format!("{option} {qps}: calls per second are more than 0, at most 1e9"))
        })
    };
    if arguments.steps.is_empty() {
        let qps = arguments.qps.map(|qps| rate(qps, "--qps")).transpose()?;
        return Ok(vec![Step { callers, qps }]);
    }
    arguments
        .steps
        .iter()
        .map(|&value| {
            if open {
                return Ok(Step { callers, qps: Some(rate(value, "--steps")?) });
            }
            if value.fract() != 0.0 || !(1.0..=1e6).contains(&value) {
                return Err(Failure::usage(format!("--steps {value}: not a number of callers")));
            }
            Ok(Step { callers: value as usize, qps: None })
        })
        .collect()
}

/// Bytes that do not compress: a xorshift generator of fixed seed, so that runs can be compared.
fn noise(len: usize) -> Bytes {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(len);
    bytes.into()
}
