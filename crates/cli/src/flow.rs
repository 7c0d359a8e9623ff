//! Messages outside of calls with one reply: load by ZeroMQ's PUSH and SUB, and by streams over WebSocket.

use crate::{failure::Failure, peer::PeerArguments, units, websocket};
use bytes::Bytes;
use polywire::{
    Engine,
    zmq::{self, Push, Sub},
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
    },
    time::{Duration, Instant},
};

/// Settings of a flow.
#[derive(Clone)]
pub struct Flow {
    pub pattern: Pattern,
    /// Of ZeroMQ's patterns only the address counts: host:port or unix:path.
    pub peer: PeerArguments,
    pub sockets: usize,
    /// PUSH: the message that is sent repeatedly. SUB: the prefix of publications. A method: a message in
    /// JSON.
    pub message: Bytes,
    /// `None`: until it is stopped.
    pub duration: Option<Duration>,
}

#[derive(Clone, PartialEq, Eq)]
pub enum Pattern {
    /// Sends as fast as the server takes.
    Push,
    /// Receives published messages.
    Sub,
    /// One call of this method over each WebSocket; each message is sent when the previous one is answered.
    Stream(String),
}

impl Pattern {
    /// The pattern that this protocol has for the method.
    pub fn of(protocol: &str, method: Option<&str>) -> Option<Pattern> {
        if websocket::carrier(protocol).is_some() {
            return Some(Pattern::Stream(method.unwrap_or(websocket::METHOD).to_owned()));
        }
        let zmtp = protocol == polywire_protocols::zmtp::PROTOCOL.name;
        let mut patterns = [Pattern::Push, Pattern::Sub].into_iter().filter(|_| zmtp);
        patterns.find(|pattern| Some(pattern.name()) == method)
    }

    pub fn name(&self) -> &str {
        match self {
            Pattern::Push => "PUSH",
            Pattern::Sub => "SUB",
            Pattern::Stream(method) => method,
        }
    }
}

/// The result of a flow.
pub struct Flowed {
    pub sockets: usize,
    pub messages: u64,
    pub bytes: u64,
    pub elapsed: Duration,
    /// CPU time of the whole process.
    pub cpu: Duration,
}

/// The interval at which a flow checks whether it is over.
const POLL: Duration = Duration::from_millis(20);

/// Runs the flow on the engine's shards until its time is over or `stop` is set.
///
/// # Errors
/// The error that ended a socket early.
pub async fn run(flow: &Flow, engine: &Engine, stop: &Arc<AtomicBool>) -> Result<Flowed, Failure> {
    let (start, cpu) = (Instant::now(), polywire_engine::os::process_cpu_time());
    let until = flow.duration.map(|duration| start + duration);
    let shards = engine.shards().iter().cycle();
    let sockets: Vec<_> =
        shards.take(flow.sockets).map(|shard| shard.spawn(one(flow.clone(), until, stop.clone()))).collect();
    Flowed::of(sockets, start, cpu, "a load thread panicked").await
}

impl Flowed {
    /// The result of these sockets from their ends, each of which returns its messages and their bytes.
    /// `start`, `cpu`: when they began, and the CPU time of the process then. `panicked`: the error for one
    /// that panicked.
    pub async fn of<S, E>(
        sockets: Vec<S>,
        start: Instant,
        cpu: Duration,
        panicked: &str,
    ) -> Result<Flowed, Failure>
    where
        S: Future<Output = Result<Result<(u64, u64), Failure>, E>>,
    {
        let (count, mut messages, mut bytes) = (sockets.len(), 0, 0);
        for socket in sockets {
            let (more, longer) = socket.await.map_err(|_| Failure::failed(panicked))??;
            messages += more;
            bytes += longer;
        }
        let cpu = polywire_engine::os::process_cpu_time().saturating_sub(cpu);
        Ok(Flowed { sockets: count, messages, bytes, elapsed: start.elapsed(), cpu })
    }
}

/// Runs one socket; returns its messages and their bytes.
async fn one(flow: Flow, until: Option<Instant>, stop: Arc<AtomicBool>) -> Result<(u64, u64), Failure> {
    let (mut messages, mut bytes) = (0, 0);
    let address = match flow.peer.server.strip_prefix("unix:") {
        Some(path) => format!("ipc://{path}"),
        None => format!("tcp://{}", flow.peer.server),
    };
    let flowing = async {
        match &flow.pattern {
            Pattern::Stream(method) => {
                let (mut sending, mut answers) = websocket::open(&flow.peer, method, &[]).await?;
                let message = String::from_utf8_lossy(&flow.message);
                loop {
                    sending.send(&message).await; // if it cannot be sent, the answers have the reason
                    let Some(answer) = answers.next().await? else { break };
                    messages += 1;
                    bytes += answer.len() as u64;
                }
                Err(Failure::failed(format!("{method} has ended after {messages} messages")))
            }
            Pattern::Push => {
                let push = Push::new();
                push.connect(&address).map_err(of_zmq)?;
                loop {
                    push.send(flow.message.clone()).await.map_err(of_zmq)?;
                    messages += 1;
                    bytes += flow.message.len() as u64;
                }
            }
            Pattern::Sub => {
                let sub = Sub::new();
                sub.subscribe(&flow.message);
                sub.connect(&address).map_err(of_zmq)?;
                loop {
                    let message = sub.recv().await.map_err(of_zmq)?;
                    messages += 1;
                    bytes += message.frames().map(Bytes::len).sum::<usize>() as u64;
                }
            }
        }
    };
    let ended = tokio::select! {
        ended = flowing => ended,
        () = over(until, &stop) => Ok(()),
    };
    ended.map(|()| (messages, bytes))
}

fn of_zmq(error: zmq::Error) -> Failure {
    Failure::failed(error.to_string())
}

async fn over(until: Option<Instant>, stop: &AtomicBool) {
    while !stop.load(Relaxed) && until.is_none_or(|until| Instant::now() < until) {
        tokio::time::sleep(POLL).await;
    }
}

impl Flowed {
    fn per_second(&self, n: u64) -> f64 {
        n as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// `1 socket`, `10 sockets`.
    pub fn sockets(&self) -> String {
        if self.sockets == 1 { "1 socket".into() } else { format!("{} sockets", self.sockets) }
    }

    /// `1.20 M messages/s, 120 MB/s`.
    pub fn rate(&self) -> String {
        let messages = units::count(self.per_second(self.messages) as u64);
        format!("{messages} messages/s, {}", units::bytes_per_second(self.per_second(self.bytes)))
    }

    pub fn json(&self) -> Value {
        json!({
            "sockets": self.sockets,
            "duration_s": self.elapsed.as_secs_f64(),
            "messages": self.messages,
            "messages_per_s": self.per_second(self.messages).round(),
            "bytes_per_s": self.per_second(self.bytes).round(),
            "cpu_us_per_message": self.cpu.as_secs_f64() * 1e6 / self.messages.max(1) as f64,
        })
    }
}
