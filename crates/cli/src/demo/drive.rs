//! What is called by each protocol, and how it fared.

use crate::{
    failure::Failure,
    peer::PeerArguments,
    press::{
        load::{self, Load, Run, Step},
        streams::Kind,
        tally::Tally,
    },
    request::{self, Subject, answer},
    schema::SchemaArguments,
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

/// One protocol's part of the demo.
struct Act {
    protocol: &'static str,
    callers: usize,
    /// `None`: redis, whose commands are the input.
    method: Option<&'static str>,
    input: &'static str,
    /// What the first request must be answered with.
    answer: &'static str,
}

impl Act {
    /// A call that answers with what it was given.
    const fn echoing(
        protocol: &'static str,
        callers: usize,
        method: &'static str,
        message: &'static str,
    ) -> Act {
        Act { protocol, callers, method: Some(method), input: message, answer: message }
    }

    /// The older Baidu protocols carry one call, the same in each.
    const fn echo(protocol: &'static str, callers: usize) -> Act {
        Act::echoing(protocol, callers, "example.EchoService/Echo", r#"{"message":"one service"}"#)
    }
}

/// Those of them are shown that the program was built with.
const ACTS: &[Act] = &[
    Act::echoing("baidu_std", 100, "example.EchoService/Echo", r#"{"message":"one port"}"#),
    // Each call is a stream of one message each way.
    Act::echoing("streaming_rpc", 100, "example.StreamService/Chat", r#"{"message":"both ways"}"#),
    Act::echo("sofa_pbrpc", 100),
    Act::echo("hulu_pbrpc", 100),
    Act::echoing("fb_rpc", 100, "flat.Echo/Echo", r#"{"message":"read where it lies"}"#),
    // A connection for each call.
    Act::echo("nova_pbrpc", 32),
    Act::echo("public_pbrpc", 32),
    Act::echo("nshead_mcpack", 32),
    Act::echo("ubrpc_mcpack2", 32),
    Act::echo("ubrpc_compack", 32),
    Act {
        protocol: "grpc",
        callers: 100,
        method: Some("helloworld.Greeter/SayHello"),
        input: r#"{"name":"grpcurl and ghz"}"#,
        answer: r#"{"message":"Hello grpcurl and ghz"}"#,
    },
    Act {
        protocol: "http",
        callers: 32,
        method: Some("helloworld.Greeter/SayHello"),
        input: r#"{"name":"every protocol"}"#,
        answer: r#"{"message":"Hello every protocol"}"#,
    },
    Act::echo("zmtp", 100),
    Act { protocol: "rest_rpc", callers: 100, method: Some("add"), input: "[40, 2]", answer: "42" },
    Act {
        protocol: "redis",
        callers: 100,
        method: None,
        input: "SET demo:key value\nGET demo:key\nINCR demo:count",
        answer: "OK",
    },
];

/// How a protocol fared.
pub struct Driven {
    pub protocol: &'static str,
    pub run: Run,
    /// The first answer was not what it should be.
    pub wrong: Option<String>,
}

impl Driven {
    /// Calls were made, none failed, and answers were right.
    pub fn is_good(&self) -> bool {
        self.wrong.is_none() && self.run.tally.calls() > 0 && self.run.tally.failures() == 0
    }
}

fn acts() -> impl Iterator<Item = &'static Act> {
    let registry = polywire_protocols::builtin();
    ACTS.iter()
        .filter(move |act| registry.find(act.protocol).is_some_and(|protocol| protocol.machine.is_some()))
}

/// How many there are.
pub fn protocols() -> u32 {
    acts().count() as u32
}

/// Drives one protocol after the other, `each` for this long.
pub async fn all(
    address: &str,
    engine: &Engine,
    each: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Driven>, Failure> {
    let bar = progress(each * protocols());
    let mut driven = Vec::new();
    for act in acts() {
        bar.set_message(act.protocol);
        driven.push(one(act, address, engine, each, stop).await?);
        if stop.load(Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(driven)
}

async fn one(
    act: &Act,
    address: &str,
    engine: &Engine,
    time: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<Driven, Failure> {
    let peer = PeerArguments::new(address.to_owned(), act.protocol);
    let channel = peer.channel()?;
    let subject = Subject::new(act.method, &channel, &SchemaArguments::default(), None)?;
    let requests = request::load(subject, Some(act.input), &channel)?;
    let kind = requests.subject.streaming().map(|method| Kind::of(method, 1));
    let (target, body) = (requests.subject.target(), requests.bodies[0]);
    let answered = match kind {
        None => channel.call(target, body).timeout(PATIENCE).await,
        Some(_) => first_of(channel.opening(target, None).timeout(PATIENCE), body).await,
    };
    let wrong = match answered.map_err(|status| status.to_string()) {
        Ok(reply) => match answer::text(&requests.subject, reply) {
            Ok(text) if text == act.answer => None,
            Ok(other) => Some(format!("answered {other}, not {}", act.answer)),
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
    let step = Step { callers: act.callers, qps: None };
    let run = load::run(&load, engine, step, stop, None, |_, _: &Tally| ()).await?;
    Ok(Driven { protocol: act.protocol, run, wrong })
}

/// So long a first answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a stream answers to its first message.
async fn first_of(call: StreamingCall<Duplex<Raw, Raw>>, body: &'static [u8]) -> Result<Reply<Raw>, Status> {
    let mut stream = call.await?;
    stream.send(Raw::new(body)).await?;
    match stream.next().await {
        Some(answer) => Ok(Reply::new(answer?)),
        None => Err(Status::internal("the stream ended without an answer")),
    }
}

/// A bar on standard error that moves with time; nothing if that is no terminal.
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
