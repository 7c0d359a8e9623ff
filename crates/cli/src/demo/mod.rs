//! `polywire demo`: all services on one port, each protocol driven by its own client, one table.
//!
//! `cluster` is the demo of several servers; `drive` loads each protocol; `flows` drives patterns without one
//! reply per call; `mongo` has the commands of a scripted driver; `show` prints the output.

mod cluster;
mod drive;
mod flows;
mod mongo;
mod show;

use crate::{
    failure::Failure,
    serve::{EngineArguments, FlagArguments},
    services, stop, units,
};
use drive::Driven;
use polywire::{Engine, Pages};
use std::{
    io::Write,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering::*},
    time::Duration,
};

/// Starts all services on one port and calls them by every protocol
///
/// Server and clients run in this process. Afterwards the server stays up until Ctrl-C, for you to try; with
/// --cluster the servers, and the page that `polywire why` asks for.
#[derive(clap::Args)]
pub struct Arguments {
    /// Time for all calls together: 3, 500ms [default: 3s; with --cluster 10s]
    #[arg(long, short = 'd', alias = "seconds", value_name = "TIME", value_parser = units::duration)]
    duration: Option<Duration>,
    /// Ends after the table; exit code 1 if any call failed
    #[arg(long)]
    check: bool,
    /// The results as one JSON object
    #[arg(long)]
    json: bool,
    /// host:port (port 0: the system chooses) or unix:path
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: String,
    #[command(flatten)]
    cluster: cluster::ClusterArguments,
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    flags: FlagArguments,
    #[command(flatten)]
    services: services::ServiceArguments,
}

/// Shows everything once; then waits, unless `--check` is given.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(name) = &arguments.cluster.member {
        return cluster::member::run(name);
    }
    if let Some(servers) = arguments.cluster.cluster {
        let time = arguments.duration.unwrap_or(CLUSTER_TIME);
        let (listen, json, check) = (&arguments.listen, arguments.json, arguments.check);
        return cluster::run(&arguments.cluster, servers, listen, time, json, check);
    }
    let engine = arguments.engine.build()?;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let callers = Engine::builder().shards(cores.div_ceil(2)).workers(1).build()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let stop = stop::flag()?;
        let flags = polywire::flags::Flags::new();
        let server =
            services::server(&arguments.services).engine(&engine).pages(Pages::default().flags(&flags));
        let running = server.listen(&arguments.listen).start()?;
        arguments.flags.apply(&flags)?;
        let address = running.addresses()[0].to_string();
        if !arguments.json {
            print(&show::greeting(&address))?;
        }
        let each = arguments.duration.unwrap_or(TIME) / (drive::protocols() + flows::ROWS).max(1);
        let driven = drive::all(&address, &callers, each, &stop).await?;
        let flowed = flows::all(&address, &callers, each, &stop).await?;
        let good = !stop.load(Relaxed)
            && driven.iter().all(Driven::is_good)
            && flowed.iter().all(|(_, _, flowed)| flowed.messages > 0);
        if arguments.json {
            print(&format!("{}\n", show::json(&address, &driven, &flowed, good)))?;
        } else {
            print(&show::table(&driven))?;
            print(&show::flows(&flowed))?;
        }
        if !arguments.check {
            stay(&stop, arguments.json).await?;
        }
        running.stop().await;
        Ok(if good || !arguments.check { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    })
}

/// The default duration of the calls.
const TIME: Duration = Duration::from_secs(3);
const CLUSTER_TIME: Duration = Duration::from_secs(10);
/// The interval at which a flag that rarely changes is polled.
const POLL: Duration = Duration::from_millis(20);

/// Waits until the program is interrupted.
async fn stay(stop: &AtomicBool, json: bool) -> Result<(), Failure> {
    if !json && !stop.load(Relaxed) {
        print("\nserving until Ctrl-C\n")?;
    }
    while !stop.load(Relaxed) {
        tokio::time::sleep(POLL).await;
    }
    Ok(())
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
