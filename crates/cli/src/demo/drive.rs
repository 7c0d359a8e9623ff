//! The calls of each protocol, and their results.

use crate::{
    failure::Failure,
    peer::PeerArguments,
    press::{
        load::{self, Load, Run, Step},
        streams::Kind,
        tally::Tally,
    },
    protocols::{self, Sample, shown},
    request::{self, FormArguments},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use polywire::{Connections, Duplex, Engine, Raw, Reply, Status, StreamingCall};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
    },
    time::{Duration, Instant},
};

/// The result of a protocol.
pub struct Driven {
    pub protocol: &'static str,
    pub run: Run,
    /// The error if the first reply was not the expected one.
    pub wrong: Option<String>,
}

impl Driven {
    /// Whether calls were made, none failed, and replies were right.
    pub fn is_good(&self) -> bool {
        self.wrong.is_none() && self.run.tally.calls() > 0 && self.run.tally.failures() == 0
    }
}

/// The number of protocols.
pub fn protocols() -> u32 {
    shown().count() as u32
}

/// Calls one protocol after the other, `each` for this long.
pub async fn all(
    address: &str,
    engine: &Engine,
    each: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Driven>, Failure> {
    let bar = progress(each * protocols());
    let mut driven = Vec::new();
    for sample in shown() {
        bar.set_message(sample.protocol);
        driven.push(one(sample, address, engine, each, stop).await?);
        if stop.load(Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(driven)
}

async fn one(
    sample: &Sample,
    address: &str,
    engine: &Engine,
    time: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<Driven, Failure> {
    let peer = PeerArguments::new(address.to_owned(), sample.protocol);
    let channel = peer.channel()?;
    let subject = protocols::subject(Some(sample.method), &channel, &FormArguments::default(), None)?;
    let requests = request::load(subject, Some(sample.request), &channel)?;
    let kind = requests.subject.streaming().map(|method| Kind::of(method, 1));
    let (target, body) = (requests.subject.target(), requests.bodies[0]);
    let answered = match kind {
        None => channel.call(target, body).timeout(TIME_LIMIT).await,
        Some(_) => first_of(channel.typed_stream(target, None).timeout(TIME_LIMIT), body).await,
    };
    let wrong = match answered.map_err(|status| status.to_string()) {
        Ok(reply) => match requests.subject.reply(reply.into_message()) {
            Ok(text) if text == sample.reply => None,
            Ok(other) => Some(format!("answered {other}, not {}", sample.reply)),
            Err(error) => Some(error),
        },
        Err(error) => Some(error),
    };
    let connections = (peer.kind() == Connections::Single).then_some(1);
    let load = Load {
        peer,
        requests,
        extras: None,
        connections,
        duration: Some(time),
        count: None,
        blocking: false,
        kind,
    };
    let step = Step { callers: sample.callers, qps: None };
    let run = load::run(&load, engine, step, stop, None, |_, _: &Tally| ()).await?;
    Ok(Driven { protocol: sample.protocol, run, wrong })
}

/// Time limit of the first reply.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The first reply of a stream to its first message.
async fn first_of(call: StreamingCall<Duplex<Raw, Raw>>, body: &'static [u8]) -> Result<Reply<Raw>, Status> {
    let mut stream = call.await?;
    stream.send(Raw::new(body)).await?;
    match stream.next().await {
        Some(answer) => Ok(Reply::new(answer?)),
        None => Err(Status::internal("the stream ended without an answer")),
    }
}

/// A progress bar on standard error that follows the time; nothing if that is not a terminal.
fn progress(time: Duration) -> ProgressBar {
    let steps = time.as_millis() as u64;
    let bar = ProgressBar::with_draw_target(Some(steps.max(1)), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{msg:>13} {bar:40} {elapsed}").expect("a constant that parses");
    bar.set_style(style);
    let (moving, start) = (bar.clone(), Instant::now());
    tokio::spawn(async move {
        while !moving.is_finished() {
            moving.set_position(start.elapsed().as_millis() as u64);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    bar
}
