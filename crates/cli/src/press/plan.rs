//! The plan of a press: its arguments, checked.

use super::{
    load::{Load, Step},
    streams::Kind,
};
use crate::{
    failure::Failure,
    peer::PeerArguments,
    protocols,
    request::{self, Extras, FormArguments},
    serve::EngineArguments,
    units,
};
use bytes::Bytes;
use polywire::{Connections, Priority};
use std::{path::PathBuf, sync::Arc, time::Duration};

/// Loads a server and reports how it fared
///
/// Without --qps in a closed loop: each caller makes its next call when the last one is answered. With --qps
/// in an open loop: calls are sent at planned times, and latencies count from those, however late a call went
/// out.
///
/// Requests are encoded once, before the run, and replies are not decoded, so that the figures are those of
/// the server and the connection. A program with generated stubs also spends the time of encoding and
/// decoding in every call.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub peer: PeerArguments,
    /// package.Service.Method or package.Service/Method; for http also a path, GET /health; for redis a
    /// command; for rest_rpc a function's name; for zmtp also PUSH, which sends --input again and again, and
    /// SUB, which counts what is published and begins with it; for websocket a method that answers each
    /// message of a stream [default: example.EchoService/Echo, for redis PING, for rest_rpc echo, for
    /// websocket example.StreamService/Chat]
    #[arg(long, short = 'm', value_name = "METHOD")]
    pub method: Option<String>,
    /// The request as JSON, several one after another and taken in turn, or a file with them (- is standard
    /// input); for redis commands, one a line [default: something that fits the demo services]
    #[arg(long, short = 'i', value_name = "JSON-OR-FILE")]
    pub input: Option<String>,
    #[command(flatten)]
    pub form: FormArguments,
    /// Calls under way at once [default: 1; with --qps the most that may be under way, 1000]
    #[arg(long, short = 'c', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub concurrency: Option<u32>,
    /// Connections in all, used by the callers in turn [default: 1; where connections are not shared one per
    /// caller]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub connections: Option<u32>,
    /// Calls per second in all: open loop
    #[arg(long, short = 'q', value_name = "N")]
    pub qps: Option<f64>,
    /// How long: 10, 500ms, 2m; 0: until Ctrl-C [default: 10s; with --count no limit]
    #[arg(long, short = 'd', alias = "seconds", value_name = "TIME", value_parser = units::duration)]
    pub duration: Option<Duration>,
    /// Ends after this many calls
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// One run per value, of --qps if that is given, else of --concurrency: 1,10,100
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub steps: Vec<f64>,
    /// Requests that each call of a method that takes a stream sends; if it answers with one, too, each is
    /// answered before the next
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub messages: u32,
    /// Bytes of random attachment sent with each request
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub attachment_size: usize,
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

impl Arguments {
    /// Time limit of the run; `None` for no limit.
    pub fn time(&self) -> Option<Duration> {
        match (self.duration, self.count) {
            (Some(duration), _) => Some(duration).filter(|duration| !duration.is_zero()),
            (None, Some(_)) => None,
            (None, None) => Some(DURATION),
        }
    }

    /// Number of load threads for this many connections.
    pub fn threads_for(&self, connections: usize) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        self.threads.map_or(cores, usize::from).min(connections)
    }
}

/// The checked plan of a press.
pub struct Plan {
    pub load: Load,
    pub steps: Vec<Step>,
    pub attachment_bytes: usize,
    pub engine: EngineArguments,
    pub output: Option<PathBuf>,
}

/// Default number of callers of an open loop.
const OPEN_CALLERS: u32 = 1000;
/// Default duration.
const DURATION: Duration = Duration::from_secs(10);
/// Longest attachment in bytes: the limit of our protocols' frames.
const LONGEST_ATTACHMENT: usize = 1 << 30;

impl Plan {
    /// Checks the arguments and encodes the requests.
    pub fn new(arguments: &Arguments) -> Result<Plan, Failure> {
        let steps = steps(arguments)?;
        let fewest = steps.iter().map(|step| step.callers).min().unwrap_or(1);
        if arguments.attachment_size > LONGEST_ATTACHMENT {
            return Err(Failure::usage(format!(
                "--attachment-size {}: at most {LONGEST_ATTACHMENT}",
                arguments.attachment_size
            )));
        }
        let channel = arguments.peer.channel()?;
        let connections = match (arguments.connections, arguments.peer.kind()) {
            (None, Connections::Single) => Some(1),
            (None, _) => None,
            (Some(n), Connections::Single) if n as usize <= fewest => Some(n as usize),
            (Some(n), Connections::Single) => {
                let text = format!("--connections {n}: more than the {fewest} callers (--concurrency)");
                return Err(Failure::usage(text));
            }
            (Some(n), _) if steps.iter().all(|step| step.callers == n as usize) => None,
            (Some(n), _) => {
                return Err(Failure::usage(format!(
                    "--connections {n}: each caller has a connection to itself here; say --concurrency {n}"
                )));
            }
        };
        let subject = protocols::subject(
            arguments.method.as_deref(),
            &channel,
            &arguments.form,
            Some(&arguments.peer),
        )?;
        let kind = subject.streaming().map(|method| Kind::of(method, arguments.messages));
        if kind.is_some() && (arguments.blocking || arguments.attachment_size > 0) {
            let text = "methods that stream have no blocking interface and no place for attachments";
            return Err(Failure::usage(format!("{}: {text}", subject.name())));
        }
        if kind.is_some() && arguments.peer.hedge.is_some() {
            let text = "methods that stream are called once";
            return Err(Failure::usage(format!("--hedge: {}: {text}", subject.name())));
        }
        let requests = request::load(subject, arguments.input.as_deref(), &channel)?;
        let extras = Extras::new(&arguments.form, &*requests.subject, noise(arguments.attachment_size));
        let most = steps.iter().map(|step| connections.unwrap_or(step.callers)).max().unwrap_or(1);
        Ok(Plan {
            load: Load {
                peer: arguments.peer.clone(),
                requests,
                extras: extras.map(Arc::new),
                connections,
                duration: arguments.time(),
                count: arguments.count,
                blocking: arguments.blocking,
                kind,
            },
            steps,
            attachment_bytes: arguments.attachment_size,
            engine: EngineArguments {
                shards: Some(arguments.threads_for(most) as u16),
                workers: Some(1),
                cpus: arguments.cpus.clone(),
                work_priority: Priority::Nice(10), // callers do not use the work pool
                spin: arguments.spin,
            },
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
