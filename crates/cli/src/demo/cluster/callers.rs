//! Calls over one channel for each balancer, and their counts.

use crate::{
    example::{EchoClient, EchoRequest},
    failure::Failure,
    press::tally::Tally,
};
use polywire::{Channel, Resilience, Status};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::*},
    },
    time::{Duration, Instant},
};
use tokio::task::JoinHandle;

/// Callers of each channel.
const CALLERS: usize = 4;
/// Between a caller's calls, so that the machine has time for the servers.
const PAUSE: Duration = Duration::from_millis(2);
/// The time limit of a call, tries included.
const LIMIT: Duration = Duration::from_secs(5);

/// The callers of all channels.
pub struct Callers {
    channels: Vec<Arc<Line>>,
    tasks: Vec<JoinHandle<()>>,
    over: Arc<AtomicBool>,
}

/// A channel and its counts.
struct Line {
    balancer: String,
    channel: Channel,
    client: EchoClient,
    begun: AtomicU64,
    counts: Mutex<(Tally, BTreeMap<String, u64>)>,
}

/// The counts of a channel's calls.
pub struct Counts {
    pub balancer: String,
    /// Calls that were made.
    pub begun: u64,
    /// The calls that have ended, with their errors.
    pub tally: Tally,
    /// Good answers of each server.
    pub shares: BTreeMap<String, u64>,
}

impl Counts {
    /// Calls that were made, and neither answered nor failed.
    pub fn lost(&self) -> u64 {
        self.begun - self.tally.calls()
    }

    /// Whether each call was answered.
    pub fn is_good(&self) -> bool {
        self.begun > 0 && self.lost() == 0 && self.tally.failures() == 0
    }
}

impl Callers {
    /// Makes a channel for each balancer. No call is made yet.
    pub fn new(url: &str, protocol: &str, balancers: &[String]) -> Result<Callers, Failure> {
        let line = |balancer: &String| {
            let channel = Channel::builder(url)
                .protocol(protocol)
                .resilience(Resilience::default().balancer(balancer).retries_after_loss(true))
                .timeout(LIMIT)
                .build()?;
            Ok(Arc::new(Line {
                balancer: balancer.clone(),
                client: EchoClient::new(channel.clone()),
                channel,
                begun: AtomicU64::new(0),
                counts: Mutex::new((Tally::new(), BTreeMap::new())),
            }))
        };
        let channels = balancers.iter().map(line).collect::<Result<_, Failure>>()?;
        Ok(Callers { channels, tasks: Vec::new(), over: Arc::default() })
    }

    /// The channels, in the order of their balancers.
    pub fn channels(&self) -> Vec<Channel> {
        self.channels.iter().map(|line| line.channel.clone()).collect()
    }

    /// Begins to call.
    pub fn start(&mut self) {
        for line in self.channels.iter().flat_map(|line| [line; CALLERS]) {
            self.tasks.push(tokio::spawn(line.clone().call(self.over.clone())));
        }
    }

    /// The balancer of each channel, and the good answers of each server so far.
    pub fn shares(&self) -> impl Iterator<Item = (&str, BTreeMap<String, u64>)> {
        self.channels.iter().map(|line| (&*line.balancer, line.counts().1.clone()))
    }

    /// Stops making calls, and waits for those under way.
    pub async fn finish(self) -> Vec<Counts> {
        self.over.store(true, Relaxed);
        for task in self.tasks {
            let _ = task.await; // the calls of one that panics are missing in the counts
        }
        let counts = self.channels.iter().map(|line| {
            let (tally, shares) = std::mem::replace(&mut *line.counts(), (Tally::new(), BTreeMap::new()));
            Counts { balancer: line.balancer.clone(), begun: line.begun.load(Relaxed), tally, shares }
        });
        counts.collect()
    }
}

impl Line {
    fn counts(&self) -> std::sync::MutexGuard<'_, (Tally, BTreeMap<String, u64>)> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn call(self: Arc<Self>, over: Arc<AtomicBool>) {
        while !over.load(Relaxed) {
            let number = self.begun.fetch_add(1, Relaxed).to_string();
            let start = Instant::now();
            let reply = self.client.echo(EchoRequest { message: number.clone() }).await;
            let took = start.elapsed();
            self.count(number, reply.map(|reply| reply.into_message().message), took);
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn count(&self, number: String, reply: Result<String, Status>, took: Duration) {
        let (tally, shares) = &mut *self.counts();
        match reply {
            Ok(text) => match text.split_once(' ') {
                Some((server, answered)) if answered == number => {
                    tally.succeeded(took, text.len());
                    *shares.entry(server.to_owned()).or_default() += 1;
                }
                _ => tally.failed("WRONG", format!("call {number} was answered {text:?}"), took),
            },
            Err(status) => tally.failed_with(&status, took),
        }
    }
}
