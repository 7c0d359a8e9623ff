//! The program `polywire`: `serve`, `demo`, `call`, `press`, `replay`, `convert`, `view`, `parallel-http`,
//! `why`, `gateway`. All logic is here; the binary only calls [`main`].

#![forbid(unsafe_code)]

mod call;
mod convert;
mod demo;
mod esp;
mod failure;
mod flat;
mod flow;
mod gateway;
mod generated;
mod memcache;
mod parallel_http;
mod peer;
mod press;
mod protobufs;
pub mod protocols;
mod redis;
mod reflection;
mod replay;
mod request;
mod rest_rpc;
mod schema;
mod serve;
pub mod services;
mod stop;
mod table;
mod terminal;
mod thrift;
mod tls;
mod units;
mod view;
mod websocket;
mod why;

use clap::{Parser, Subcommand};
use failure::Failure;

pub use generated::{cluster, example, helloworld, test};

/// One port, every wire protocol.
#[derive(Parser)]
#[command(name = "polywire", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the demo services until SIGTERM or Ctrl-C
    Serve(Box<serve::Arguments>),
    Demo(Box<demo::Arguments>),
    Call(Box<call::Arguments>),
    Press(Box<press::Arguments>),
    Why(why::Arguments),
    Replay(Box<replay::Arguments>),
    Convert(convert::Arguments),
    View(view::Arguments),
    ParallelHttp(parallel_http::Arguments),
    Gateway(Box<gateway::Arguments>),
}

/// Writes events of the libraries to standard error: warnings and errors, or the level in `POLYWIRE_LOG`.
fn log_to_stderr() {
    let level = std::env::var("POLYWIRE_LOG").ok().and_then(|level| level.parse().ok());
    let _ = tracing_subscriber::fmt() // fails in tests, where there already is one
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_max_level(level.unwrap_or(tracing_subscriber::filter::LevelFilter::WARN))
        .try_init();
}

/// Runs the program; `main` returns the exit code to the system.
pub fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    log_to_stderr();
    let ran = match arguments.command {
        Command::Serve(arguments) => serve::run(*arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Call(arguments) => call::run(&arguments),
        Command::Press(arguments) => press::run(&arguments),
        Command::Why(arguments) => why::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::View(arguments) => view::run(&arguments),
        Command::ParallelHttp(arguments) => parallel_http::run(&arguments),
        Command::Gateway(arguments) => gateway::run(*arguments),
    };
    ran.unwrap_or_else(|failure| {
        if !matches!(failure, Failure::Closed) {
            // usage messages have several lines
            eprintln!("polywire: {}", terminal::lines(&failure.to_string()));
        }
        failure.exit_code()
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn options_fit_together() {
        super::Arguments::command().debug_assert();
    }
}
