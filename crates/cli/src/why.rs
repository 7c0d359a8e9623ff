//! `polywire why`: shows the page `/why` of a running program: the state of its channels' servers, and the
//! servers of their last calls.

use crate::{failure::Failure, terminal};
use polywire::{Channel, Code, Status, Target};
use std::{
    borrow::Cow,
    io::{IsTerminal, Write},
    process::ExitCode,
    time::Duration,
};

const TIME: Duration = Duration::from_secs(5);

/// Shows where the calls of a running program went, and why: of `demo --cluster`, or of a server that has the
/// page `/why`
#[derive(clap::Args)]
pub struct Arguments {
    /// The address that the demo says when it starts, or was given by its --listen; or that of another server
    #[arg(value_name = "ADDRESS")]
    address: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Requests the page; exit code 1 if there is none.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let channel = Channel::builder(&arguments.address).protocol("http").timeout(TIME).build()?;
    let path = if arguments.json { "/why?json=true" } else { "/why" };
    let call = channel.call(Target::fixed("", path), "").metadata(":method", "GET");
    let reply = call.blocking().map_err(|status| failed(&arguments.address, &status))?;
    let text = String::from_utf8(reply.into_message().body.to_vec());
    let text = text.map_err(|_| no_demo(&arguments.address))?;
    if arguments.json && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
        return Err(no_demo(&arguments.address));
    }
    let mut out = std::io::stdout().lock();
    let text = if out.is_terminal() { terminal::lines(&text) } else { Cow::Borrowed(&*text) };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn failed(address: &str, status: &Status) -> Failure {
    match status.code() {
        Code::Unimplemented | Code::NotFound => no_demo(address),
        _ => Failure::failed(format!("no answer of a page /why from {address}: {status}")),
    }
}

fn no_demo(address: &str) -> Failure {
    Failure::failed(format!(
        "{address} has no page /why: a program adds it by Pages::page(polywire::console::why()), `polywire demo --cluster` has it"
    ))
}
