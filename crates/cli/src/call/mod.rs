//! `polywire call`: one or several calls, with their replies as text. `streaming` handles methods that
//! stream, `socket` all methods over WebSocket.

mod socket;
mod streaming;

use crate::{
    failure::{self, Failure},
    peer::PeerArguments,
    protocols, redis,
    request::{self, Extras, FormArguments, Requests, Subject},
    terminal, units, websocket,
};
use bytes::Bytes;
use polywire::{Channel, Origin, Raw, Reply, Status};
use std::{
    borrow::Cow,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

/// Calls a method and prints the reply
///
/// The reply goes to standard output as canonical JSON, for redis as redis-cli prints it. A call that fails
/// is one line on standard error and exit code 1. A method that streams takes all requests of the input as
/// one stream, from standard input as they come, and prints each answer as it comes.
#[derive(clap::Args)]
pub struct Arguments {
    /// package.Service.Method or package.Service/Method, without the package if the server has one service of
    /// that name; for http also a path, "GET /health"; for redis a
    /// command, as one word or several; for rest_rpc a function's name
    #[arg(value_name = "METHOD", required = true, num_args = 1.., allow_negative_numbers = true)]
    words: Vec<String>,
    #[command(flatten)]
    peer: PeerArguments,
    /// The request as JSON, for rest_rpc an array of arguments, or a file with it (- is standard input);
    /// several are sent one after another
    #[arg(long, short = 'd', value_name = "JSON-OR-FILE")]
    data: Option<String>,
    #[command(flatten)]
    form: FormArguments,
    /// File to send as the attachment of the request
    #[arg(long, value_name = "FILE", conflicts_with = "attachment_size")]
    attachment: Option<PathBuf>,
    /// Sends an attachment of this many zero bytes
    #[arg(long, value_name = "BYTES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1 << 30))]
    attachment_size: u32,
    /// Writes the attachment of the reply to this file
    #[arg(long, value_name = "FILE")]
    attachment_output: Option<PathBuf>,
    /// Calls so many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Pause between calls: 2, 500ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    interval: Duration,
    /// Says on standard error how long each call took, and the fields and attachment of the reply
    #[arg(long, short = 'v')]
    verbose: bool,
}

/// Makes the calls; exit code 1 if any call failed.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if websocket::carrier(&arguments.peer.protocol).is_some() {
        return socket::run(arguments);
    }
    let channel = arguments.peer.channel()?;
    let subject = subject(arguments, &channel)?;
    if let Some(method) = subject.streaming() {
        return streaming::run(arguments, &channel, method);
    }
    let requests = if subject.is_redis() && arguments.words.len() > 1 {
        let body = &*redis::words(&arguments.words).leak();
        Requests { subject, bodies: vec![body].leak(), keys: &[] }
    } else {
        request::load(subject, arguments.data.as_deref(), &channel)?
    };
    let attachment = match &arguments.attachment {
        Some(file) => read(file)?,
        None => Bytes::from(vec![0; arguments.attachment_size as usize]),
    };
    let extras = Extras::new(&arguments.form, &*requests.subject, attachment).unwrap_or_default();
    let target = requests.subject.target();
    let mut failed = false;
    let calls = (0..arguments.repeat).flat_map(|_| requests.bodies.iter().enumerate());
    for (index, (number, body)) in calls.enumerate() {
        if index > 0 {
            std::thread::sleep(arguments.interval);
        }
        let start = Instant::now();
        let mut call = channel.call(target.clone(), *body);
        if let Some(key) = requests.keys.get(number) {
            call = call.key(*key);
        }
        let call = extras.add_to(call);
        let call = call.deadline(arguments.peer.timeout().map(|timeout| start + timeout));
        match call.blocking() {
            Ok(reply) => failed |= !show(arguments, &*requests.subject, reply, start.elapsed())?,
            Err(status) => {
                failed = true;
                eprintln!(
                    "polywire: {}",
                    explain(&*requests.subject, &arguments.peer, &status, start.elapsed())
                );
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn subject(arguments: &Arguments, channel: &Channel) -> Result<Arc<dyn Subject>, Failure> {
    // Several words are a redis command, or the quotes were forgotten: polywire call -p http GET /health
    let line = arguments.words.join(" ");
    protocols::subject(Some(&line), channel, &arguments.form, Some(&arguments.peer))
}

fn read(file: &Path) -> Result<Bytes, Failure> {
    let bytes = std::fs::read(file);
    bytes
        .map(Bytes::from)
        .map_err(|error| Failure::usage(format!("--attachment {}: {error}", file.display())))
}

/// Prints a reply; false if it reports that the call failed.
fn show(
    arguments: &Arguments,
    subject: &dyn Subject,
    reply: Reply<Raw>,
    took: Duration,
) -> Result<bool, Failure> {
    if arguments.verbose {
        eprintln!("polywire: {} in {}", subject.name(), units::micros(took.as_secs_f64() * 1e6));
        for (name, value) in reply.metadata().iter() {
            eprintln!("polywire: {}: {}", terminal::line(name), value.escape_ascii());
        }
        if !reply.attachment().is_empty() {
            eprintln!("polywire: {} bytes of attachment", reply.attachment().len());
        }
    }
    if let Some(file) = &arguments.attachment_output {
        std::fs::write(file, reply.attachment().to_vec())
            .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
    }
    let good = !(subject.is_redis() && redis::is_error(&reply));
    let text = match subject.reply(reply.into_message()) {
        Ok(text) => text,
        Err(why) => {
            eprintln!("polywire: {}: {}", terminal::line(&subject.name()), terminal::line(&why));
            return Ok(false);
        }
    };
    let mut out = std::io::stdout().lock();
    // In a file or a pipe it is data; a terminal would interpret it.
    let text = if out.is_terminal() { terminal::lines(&text) } else { Cow::Borrowed(&*text) };
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(good)
}

/// One line that helps a user: the failed call, the place where the failure arose, and the time.
fn explain(subject: &dyn Subject, peer: &PeerArguments, status: &Status, took: Duration) -> String {
    let whose = match status.origin() {
        Origin::Remote => format!("{} answered", peer.server),
        Origin::Transport => format!("no answer from {}", peer.server),
        _ => format!("no answer from {} taken", peer.server),
    };
    format!(
        "{}: {whose} after {}: {}",
        subject.name(),
        units::micros(took.as_secs_f64() * 1e6),
        terminal::line(&failure::of_call(status))
    )
}
