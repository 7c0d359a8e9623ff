//! `polywire demo --cluster N`: server processes that are killed, stopped, slowed and revived while they are
//! called.
//!
//! | file | what it is |
//! | --- | --- |
//! | `member` | a server process: this program with the hidden option `--member` |
//! | `fleet` | the processes, and the file that names them |
//! | `script` | what happens to them, and when |
//! | `callers` | calls over one channel for each balancer, and their counts |
//! | `show` | the output |
//! | `why` | the page that `polywire why` asks for |

mod callers;
mod fleet;
pub mod member;
mod script;
mod show;
mod why;

use crate::{failure::Failure, stop};
use callers::{Callers, Counts};
use fleet::Fleet;
use std::{
    process::ExitCode,
    sync::{atomic::Ordering::*, mpsc},
    time::{Duration, Instant},
};

/// The options of `--cluster`.
#[derive(clap::Args)]
#[command(next_help_heading = "Cluster")]
pub struct ClusterArguments {
    /// Starts so many servers, each a process of its own, named by a file; kills, stops, slows and revives
    /// some of them while they are called, and shows where the calls went. With --check the exit code is 1 if
    /// a call failed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=100))]
    pub cluster: Option<u16>,
    /// The balancers that choose the servers of --cluster, each in a channel of its own
    #[arg(
        long,
        value_name = "SPECS",
        value_delimiter = ',',
        default_value = "rr,la,p2c",
        requires = "cluster"
    )]
    balancers: Vec<String>,
    /// The protocol of the calls of --cluster
    #[arg(long, short = 'p', value_name = "NAME", default_value = "baidu_std", requires = "cluster")]
    protocol: String,
    /// One of the servers: reads commands from standard input, and ends with it
    #[arg(long, hide = true, value_name = "NAME")]
    pub member: Option<String>,
}

/// Runs the script in this time; then waits, unless `check` is given.
pub fn run(
    arguments: &ClusterArguments,
    servers: u16,
    listen: &str,
    time: Duration,
    json: bool,
    check: bool,
) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let stop = stop::flag()?;
        let fleet = Fleet::start(servers.into())?;
        let url = fleet.url();
        let mut callers = Callers::new(&url, &arguments.protocol, &arguments.balancers)?;
        let page = why::serve(listen, callers.channels())?;
        if !json {
            super::print(&show::greeting(&url, servers, &page.addresses()[0].to_string(), time))?;
        }
        let begun = Instant::now();
        callers.start();
        let (tell, happened) = mpsc::channel();
        let halt = stop.clone();
        let acting = tokio::task::spawn_blocking(move || script::run(fleet, begun, time, &halt, &tell));
        let (mut events, mut live) = (Vec::new(), show::Live::new());
        while !acting.is_finished() {
            tokio::time::sleep(super::POLL).await;
            for event in happened.try_iter() {
                if !json {
                    super::print(&show::event(&event))?;
                }
                events.push(event);
            }
            if !json && let Some(lines) = live.lines(begun.elapsed(), &callers) {
                super::print(&lines)?;
            }
        }
        // The servers run until the last call has ended, and with the page until Ctrl-C.
        let fleet = acting.await.map_err(|error| Failure::failed(error.to_string()))??;
        let counts = callers.finish().await;
        events.extend(happened.try_iter());
        let good = !stop.load(Relaxed) && counts.iter().all(Counts::is_good);
        if json {
            let shown = show::json(servers, time, &arguments.protocol, &events, &counts, good);
            super::print(&format!("{shown}\n"))?;
        } else {
            super::print(&show::table(servers, &counts))?;
        }
        if !check {
            super::stay(&stop, json).await?;
        }
        page.stop().await;
        drop(fleet);
        Ok(if good || !check { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    })
}

/// Something that happened to a server.
pub struct Event {
    pub at: Duration,
    pub server: usize,
    pub what: &'static str,
}
