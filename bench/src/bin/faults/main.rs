//! What becomes of calls while servers fail, in real processes: our balancers beside tonic's balanced channel
//! and grpc-go. `faults run` prints a table of those that docs/design/faults.md is about; `serve` and `press`
//! are the processes that it starts.

mod clients;
mod dead;
mod fault;
mod figures;
mod press;
mod processes;
mod run;
mod serve;

use polywire_bench::{Args, args::wrong_use};

mod tonic_made {
    include!(concat!(env!("OUT_DIR"), "/tonic/example.rs"));
}
polywire::include!();

const USAGE: &str = "usage: faults run [--fault NAME] [--client NAME] [--seconds S] [--rate R] [--json 0|1]
       faults serve [--port P] [--delay MS] [--fail 0|1]   until its stdin ends, which may say `delay MS` and `fail 0|1`
       faults press --client polywire|tonic --servers A,B,.. [--balancer NAME] [--retries N] [--outliers 0|1]
                    [--rate R] [--duration S] [--timeout MS]   prints `begun`, then `AT_US TOOK_US CODE` for each call;
                    a line A,B,.. of its stdin names other servers";

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let args = Args::from_env(USAGE);
    match args.verb.as_str() {
        "serve" => serve::run(&args),
        "press" => press::run(&args),
        "run" => run::run(&args),
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

/// Ends this process when the one that started it ends, however that happens.
fn end_with_parent() -> Result<(), Failure> {
    Ok(rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?)
}
