//! `call -p websocket`: JSON values in, JSON lines out, as `polywire.js` has it.

use super::Arguments;
use crate::{
    failure::Failure,
    request::{self, input, json},
    schema::Schemas,
    terminal, units, websocket,
};
use polywire_formats::schema::MethodSchema;
use std::{io::Write, process::ExitCode, time::Instant};
use tokio::sync::mpsc;

/// Makes the calls; exit code 1 if any call failed.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let without = [
        ("--attachment", arguments.attachment.is_some() || arguments.attachment_size > 0),
        ("--hedge", arguments.peer.hedge.is_some()),
        ("--compress", arguments.form.compress.is_some()),
        ("--key", arguments.form.key.is_some()),
    ];
    if let Some((option, _)) = without.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!("{option}: not over WebSocket")));
    }
    let method = arguments.words.join(" ");
    let schema = Schemas::load(&arguments.form.schema)?.method(&method).ok();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut failed = false;
    for turn in 0..arguments.repeat {
        if turn > 0 {
            std::thread::sleep(arguments.interval);
        }
        let requests = requests(arguments.data.as_deref(), schema)?;
        let start = Instant::now();
        let called = runtime.block_on(async {
            let call = call(arguments, &method, requests);
            match arguments.peer.stream_timeout() {
                None => call.await,
                Some(limit) => tokio::time::timeout(limit, call)
                    .await
                    .unwrap_or_else(|_| Err(Failure::failed("DEADLINE_EXCEEDED: the time limit is over"))),
            }
        });
        let took = units::micros(start.elapsed().as_secs_f64() * 1e6);
        match called {
            Ok(()) if arguments.verbose => eprintln!("polywire: {} in {took}", terminal::line(&method)),
            Ok(()) => {}
            Err(Failure::Failed(why)) => {
                failed = true;
                eprintln!("polywire: {}: after {took}: {why}", terminal::line(&method));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Sends and prints at the same time. The call ends with its answers, even if requests are left.
async fn call(
    arguments: &Arguments,
    method: &str,
    mut requests: mpsc::Receiver<Result<String, Failure>>,
) -> Result<(), Failure> {
    let (mut sending, mut answers) =
        websocket::open(&arguments.peer, method, &arguments.form.metadata).await?;
    let sends = async {
        while let Some(request) = requests.recv().await {
            if !sending.send(&request?).await {
                break;
            }
        }
        sending.end().await;
        Ok::<(), Failure>(())
    };
    let prints = async {
        while let Some(answer) = answers.next().await? {
            let mut out = std::io::stdout().lock();
            writeln!(out, "{}", terminal::line(&answer))?;
            out.flush()?;
        }
        Ok(())
    };
    let mut prints = std::pin::pin!(prints);
    tokio::select! {
        ended = &mut prints => return ended,
        sent = sends => sent?,
    }
    prints.await
}

/// The values of the input, those of standard input while the call is under way; without an input one empty
/// message. Prints notes about the values if the method's schema is known.
fn requests(
    data: Option<&str>,
    schema: Option<MethodSchema<'static>>,
) -> Result<mpsc::Receiver<Result<String, Failure>>, Failure> {
    let notes = move |value: &str| schema.map_or_else(Vec::new, |method| json::notes(method, value));
    if data == Some("-") {
        let (sender, requests) = mpsc::channel(1);
        std::thread::spawn(move || {
            for value in input::values(std::io::stdin().lock()) {
                if let Ok(value) = &value {
                    request::print_notes(notes(value));
                }
                if sender.blocking_send(value).is_err() {
                    return; // the call has ended
                }
            }
        });
        return Ok(requests);
    }
    let text = data.map_or_else(|| Ok("{}".to_owned()), input::json_or_file)?;
    let values = input::split(&text)?;
    request::print_notes(values.iter().flat_map(|(_, value)| notes(value)).collect());
    let (sender, requests) = mpsc::channel(values.len().max(1));
    for (_, value) in values {
        let _ = sender.try_send(Ok(value.trim().to_owned())); // there is room for all of them
    }
    Ok(requests)
}
