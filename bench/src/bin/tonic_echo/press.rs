//! Closed loops of each kind of call over tonic's client.

use std::time::Instant;

use polywire_bench::{Kind, Load, Recorder, report::Began};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

use crate::example::echo_service_client::EchoServiceClient;
use crate::example::stream_service_client::StreamServiceClient;
use crate::example::{EchoRequest, Line, RepeatRequest};
use crate::{Failure, MAX_MESSAGE};

/// Presses until the load's time is over, then prints the report.
pub async fn run(load: Load) -> Result<(), Failure> {
    let mut channels = Vec::new();
    for _ in 0..load.connections {
        channels.push(connect(&load.server).await?);
    }
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let callers: Vec<_> = (0..load.callers)
        .map(|n| tokio::spawn(calls(channels[n % channels.len()].clone(), load.clone(), end)))
        .collect();
    let mut all = Recorder::default();
    for caller in callers {
        all.add(&caller.await?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}

/// One caller that connects anew for each call; the latency is that of both.
pub async fn fresh(load: Load) -> Result<(), Failure> {
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let message = "x".repeat(load.bytes);
    let mut recorder = Recorder::default();
    let mut sent = Instant::now();
    while sent < end {
        let called = match connect(&load.server).await {
            Ok(channel) => call(&channel, &load, &message).await.is_ok(),
            Err(_) => false,
        };
        if called {
            recorder.answered(sent.elapsed())
        } else {
            recorder.failed()
        }
        sent = Instant::now();
    }
    began.report(&recorder, load.bytes).print();
    Ok(())
}

/// `server`: an address, or as many as `list://a,b` has, which share the calls.
async fn connect(server: &str) -> Result<Channel, Failure> {
    if let Some(list) = server.strip_prefix("list://") {
        let servers: Result<Vec<_>, _> =
            list.split(',').map(|server| Endpoint::from_shared(format!("http://{server}"))).collect();
        return Ok(Channel::balance_list(servers?.into_iter()));
    }
    Ok(Endpoint::from_shared(format!("http://{server}"))?.connect().await?)
}

/// One caller: one call under way until `end`.
async fn calls(channel: Channel, load: Load, end: Instant) -> Recorder {
    let message = "x".repeat(load.bytes);
    let mut recorder = Recorder::default();
    let mut sent = Instant::now();
    while sent < end {
        match call(&channel, &load, &message).await {
            Ok(()) => recorder.answered(sent.elapsed()),
            Err(_) => recorder.failed(),
        }
        sent = Instant::now();
    }
    recorder
}

/// One call with all its messages.
async fn call(channel: &Channel, load: &Load, message: &str) -> Result<(), Status> {
    let (message, count) = (message.to_owned(), load.messages);
    if load.kind == Kind::Unary {
        let mut echo = EchoServiceClient::new(channel.clone())
            .max_decoding_message_size(MAX_MESSAGE)
            .max_encoding_message_size(MAX_MESSAGE);
        return echo.echo(EchoRequest { message }).await.map(drop);
    }
    let mut streams = StreamServiceClient::new(channel.clone());
    match load.kind {
        Kind::Unary => {}
        Kind::Repeat => {
            let mut lines =
                streams.repeat(RepeatRequest { message, count, interval_ms: 0 }).await?.into_inner();
            while lines.message().await?.is_some() {}
        }
        Kind::Collect => {
            let lines = (0..count).map(move |_| Line { message: message.clone() });
            let heard = streams.collect(tokio_stream::iter(lines)).await?.into_inner();
            if heard.messages != u64::from(count) {
                return Err(Status::data_loss("it heard less"));
            }
        }
        Kind::Chat => {
            let (said, lines) = mpsc::channel(1);
            let mut answers = streams.chat(ReceiverStream::new(lines)).await?.into_inner();
            for _ in 0..count {
                let line = Line { message: message.clone() };
                said.send(line).await.map_err(|_| Status::cancelled("nobody listens"))?;
                answers.message().await?.ok_or_else(|| Status::data_loss("it fell silent"))?;
            }
        }
    }
    Ok(())
}
