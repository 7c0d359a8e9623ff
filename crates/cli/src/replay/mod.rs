//! `polywire replay`: sends recorded requests to a server, or to two of them to compare their answers.
//!
//! | file | what it is |
//! | --- | --- |
//! | `arguments` | the arguments |
//! | `recorded` | reads dump files, and makes a call of each record |
//! | `http_text` | a request of HTTP that was recorded as text |
//! | `sender` | makes one call after another: what `press` runs in its loops |
//! | `compare` | the same requests to two servers, and how their answers differ |

mod arguments;
mod compare;
mod http_text;
mod recorded;
mod sender;

pub use arguments::Arguments;

use crate::{
    failure::Failure,
    press::{
        load::{self, Bounds, Run, Step},
        report::{self, About, Report},
    },
    serve::EngineArguments,
};
use polywire::{Engine, Priority};
use recorded::Recorded;
use sender::{Sender, Turn};
use std::{io::Write, process::ExitCode, sync::Arc};

/// Replays, and reports as `press` does; exit code 1 if no call succeeded, or if two servers differ.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let recorded = Recorded::load(arguments)?;
    recorded.notes.iter().for_each(|note| eprintln!("polywire: {note}"));
    if recorded.requests.is_empty() {
        return Err(Failure::failed("no record there can be replayed"));
    }
    if let Some(other) = &arguments.compare {
        return compare::run(arguments, recorded, other);
    }
    let engine = engine(arguments)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let about = About {
        method: format!("{} requests of {}", recorded.requests.len(), arguments.what()),
        server: arguments.server.clone(),
        protocol: recorded.protocols().join(", "),
        ..About::default()
    };
    let run = runtime.block_on(send(arguments, recorded, &engine))?;
    let failed = run.tally.successes() == 0;
    let report = Report::new(about, vec![run]);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", report.json())?;
    } else {
        write!(out, "{}", report.text())?;
    }
    out.flush()?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn engine(arguments: &Arguments) -> Result<Engine, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u16);
    let threads = arguments.threads.unwrap_or(cores);
    let settings = EngineArguments {
        shards: Some(threads),
        workers: Some(1),
        work_priority: Priority::Nice(10),
        cpus: Vec::new(),
        spin: 0,
    };
    Ok(settings.build()?)
}

async fn send(arguments: &Arguments, recorded: Recorded, engine: &Engine) -> Result<Run, Failure> {
    let stop = crate::stop::flag()?;
    let step = Step { callers: arguments.callers(), qps: arguments.qps };
    let total = recorded.requests.len() as u64 * u64::from(arguments.times);
    let threads = engine.shards().len().min(step.callers);
    let recorded = Arc::new(recorded);
    let turn = Arc::new(Turn::default());
    // Channels of a thread are used by its callers alone, so that its connections stay on it.
    let mut callers: Vec<Vec<Sender>> = Vec::new();
    let mut channels = Vec::new();
    for thread in 0..threads {
        let own = recorded.channels(&arguments.server, arguments)?;
        channels.extend(own.iter().cloned());
        let number = step.callers / threads + usize::from(thread < step.callers % threads);
        let sender = Sender::new(recorded.clone(), own, turn.clone(), arguments.timeout());
        callers.push(vec![sender; number]);
    }
    channels[0].probe().await?;
    let bounds = Bounds { duration: None, count: Some(total), timeout: arguments.timeout(), redis: false };
    let second = |passed, tally: &_| eprintln!("{}", report::second(passed, tally));
    let mut run = load::drive(&bounds, engine, step, callers, None, &stop, second).await?;
    run.connections = channels.iter().map(|channel| channel.connections_made()).sum();
    Ok(run)
}
