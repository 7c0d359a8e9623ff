//! Calls of methods that stream: JSON values in, JSON lines out.

use super::{Arguments, explain};
use crate::{
    failure::Failure,
    request::{self, Extras, Method, Subject, json},
    terminal, units,
};
use bytes::Bytes;
use polywire::{Channel, Duplex, Metadata, Raw, Status, Streaming, StreamingCall, Upload};
use polywire_formats::schema::MethodSchema;
use std::{io::Write, process::ExitCode, time::Instant};
use tokio::sync::mpsc;

/// A stream of requests, read so far.
type Requests = mpsc::Receiver<Result<Raw, Failure>>;

/// Makes the calls; exit code 1 if any call failed.
pub fn run(
    arguments: &Arguments,
    channel: &Channel,
    method: MethodSchema<'static>,
) -> Result<ExitCode, Failure> {
    if arguments.attachment.is_some() || arguments.attachment_size > 0 {
        return Err(Failure::usage("--attachment: a stream cannot carry one"));
    }
    if arguments.peer.hedge.is_some() {
        return Err(Failure::usage("--hedge: methods that stream are called once"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let show = Show { arguments, channel, method };
    let mut failed = false;
    for turn in 0..arguments.repeat {
        if turn > 0 {
            std::thread::sleep(arguments.interval);
        }
        let requests = request::stream(method, arguments.data.as_deref(), channel)?;
        let start = Instant::now();
        if let Err(status) = runtime.block_on(show.call(requests))? {
            failed = true;
            let subject = Method(method);
            eprintln!("polywire: {}", explain(&subject, &arguments.peer, &status, start.elapsed()));
        }
        show.print_summary(start);
    }
    // The thread that reads standard input may wait for more: it does not keep the program running.
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

struct Show<'a> {
    arguments: &'a Arguments,
    channel: &'a Channel,
    method: MethodSchema<'static>,
}

impl Show<'_> {
    /// Makes one call, or, for a method that takes one message, one call per request. Returns how the call
    /// ended; `Err` is a failure of the program.
    async fn call(&self, mut requests: Requests) -> Result<Result<(), Status>, Failure> {
        match (self.method.client_streaming, self.method.server_streaming) {
            (true, true) => self.chat(requests).await,
            (true, false) => self.upload(requests).await,
            (false, _) => {
                while let Some(request) = requests.recv().await {
                    let ended = self.answers(request?).await?;
                    if ended.is_err() {
                        return Ok(ended);
                    }
                }
                Ok(Ok(()))
            }
        }
    }

    fn open<S>(&self, request: Option<Raw>) -> StreamingCall<S> {
        let subject = Method(self.method);
        let call = self.channel.typed_stream(subject.target(), request.map(|request| Ok(request.body)));
        let call = match self.arguments.peer.stream_timeout() {
            Some(timeout) => call.timeout(timeout),
            None => call,
        };
        match Extras::new(&self.arguments.form, &subject, Bytes::new()) {
            Some(extras) => extras.add_to_stream(call),
            None => call,
        }
    }

    async fn answers(&self, request: Raw) -> Result<Result<(), Status>, Failure> {
        match self.open::<Streaming<Raw>>(Some(request)).await {
            Ok(answers) => self.print_all(answers).await,
            Err(status) => Ok(Err(status)),
        }
    }

    async fn upload(&self, mut requests: Requests) -> Result<Result<(), Status>, Failure> {
        let mut upload: Upload<Raw, Raw> = match self.open(None).await {
            Ok(upload) => upload,
            Err(status) => return Ok(Err(status)),
        };
        while let Some(request) = requests.recv().await {
            if upload.send(request?).await.is_err() {
                break; // `finish` returns the reason
            }
        }
        match upload.finish().await {
            Err(status) => Ok(Err(status)),
            Ok(reply) => {
                self.fields(reply.metadata());
                self.print(reply.into_message()).map(Ok)
            }
        }
    }

    /// Prints replies while it sends. The call ends with its replies, even if requests are left.
    async fn chat(&self, mut requests: Requests) -> Result<Result<(), Status>, Failure> {
        let (mut outgoing, answers) = match self.open::<Duplex<Raw, Raw>>(None).await {
            Ok(call) => call.split(),
            Err(status) => return Ok(Err(status)),
        };
        let sending = async {
            while let Some(request) = requests.recv().await {
                if outgoing.send(request?).await.is_err() {
                    break; // the replies have the reason
                }
            }
            outgoing.finish();
            Ok::<(), Failure>(())
        };
        let mut printing = std::pin::pin!(self.print_all(answers));
        tokio::select! {
            ended = &mut printing => return ended,
            sent = sending => sent?,
        }
        printing.await
    }

    async fn print_all(&self, mut answers: Streaming<Raw>) -> Result<Result<(), Status>, Failure> {
        let mut headed = false;
        loop {
            let next = answers.next().await;
            if !std::mem::replace(&mut headed, true) {
                self.fields(answers.metadata());
            }
            match next {
                Some(Ok(answer)) => self.print(answer)?,
                ended => {
                    self.fields(answers.trailers());
                    return Ok(ended.transpose().map(drop));
                }
            }
        }
    }

    fn print(&self, answer: Raw) -> Result<(), Failure> {
        let text = json::reply(self.method, answer);
        let text = text.map_err(|error| Failure::failed(format!("the reply: {error}")))?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}")?;
        Ok(out.flush()?)
    }

    fn fields(&self, fields: &Metadata) {
        if self.arguments.verbose {
            fields.iter().for_each(|(name, value)| {
                eprintln!("polywire: {}: {}", terminal::line(name), value.escape_ascii())
            });
        }
    }

    fn print_summary(&self, start: Instant) {
        if self.arguments.verbose {
            let took = units::micros(start.elapsed().as_secs_f64() * 1e6);
            eprintln!("polywire: {} in {took}", crate::schema::full_name(self.method));
        }
    }
}
