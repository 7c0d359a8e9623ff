//! `polywire press`: load for any server, and a report of the results.
//!
//! | file | what it is |
//! | --- | --- |
//! | `plan` | the arguments, and the checked plan they become |
//! | `load` | one run: callers spread over load threads, their counts added up |
//! | `caller` | one call after another: closed loop, open loop, on a plain thread |
//! | `streams` | a call of a method that streams |
//! | `flow` | messages without replies, and messages of streams over WebSocket |
//! | `open` | planned send times, and the thread that wakes callers at these times |
//! | `recorder` | one load thread's counts, shared by its callers without a lock |
//! | `tally` | the counters |
//! | `report`, `histogram` | the output |
//! | `output` | replies to a file |

pub mod caller;
mod flow;
mod histogram;
pub mod load;
mod open;
mod output;
mod plan;
pub mod recorder;
pub mod report;
pub mod streams;
pub mod tally;

pub use plan::Arguments;

use crate::failure::Failure;
use load::Run;
use output::Output;
use plan::Plan;
use polywire::{Engine, Raw, Reply};
use report::{About, Report};
use std::{io::Write, process::ExitCode, sync::atomic::Ordering::*};
use tokio::sync::mpsc;

/// Runs all steps, or those until Ctrl-C, and reports.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(pattern) = flow::pattern(arguments) {
        return flow::run(arguments, pattern);
    }
    let plan = Plan::new(arguments)?;
    let engine = plan.engine.build()?;
    let output =
        plan.output.as_deref().map(|file| Output::create(file, &plan.load.requests.subject)).transpose()?;
    let replies = output.as_ref().map(|output| output.replies.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let runs = runtime.block_on(steps(&plan, &engine, replies))?;
    if let Some(output) = output {
        output.finish()?;
    }
    let failed = runs.iter().all(|run| run.tally.successes() == 0);
    let report = Report::new(About::new(&plan), runs);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", report.json())?;
    } else {
        write!(out, "{}", report.text())?;
    }
    out.flush()?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn steps(
    plan: &Plan,
    engine: &Engine,
    replies: Option<mpsc::Sender<Reply<Raw>>>,
) -> Result<Vec<Run>, Failure> {
    plan.load.peer.probe().await?;
    let stop = crate::stop::flag()?;
    let mut runs = Vec::new();
    for &step in &plan.steps {
        let second = |passed, tally: &_| eprintln!("{}", report::second(passed, tally));
        runs.push(load::run(&plan.load, engine, step, &stop, replies.clone(), second).await?);
        if stop.load(Relaxed) {
            break;
        }
    }
    Ok(runs)
}
