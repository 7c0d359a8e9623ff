//! A channel to several servers keeps nothing of calls that are over, however they ended.
//!
//! 200 000 calls; `POLYWIRE_LEAK_CALLS=1000000` makes a million of them.

use crate::{
    MEMORY,
    talk::{Line, Talk, TalkClient},
};
use polywire::naming::source_fn;
use polywire::{Channel, Context, Reply, Running, Server, Status, Stream, Streaming, naming};
use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::{runtime::Handle, sync::watch};

const SERVERS: usize = 3;
const CALLERS: u64 = 32;
/// Calls before memory is looked at, so that what is kept once is there: events, closed connections, figures
/// of failures.
const WARM_UP: i64 = 50_000;
/// What may remain. Buffers that threads and connections keep for their next use come and go: 70 to 775 kB,
/// however many calls there were (50 000, 200 000, 600 000). A leak of 53 bytes in every tenth call is more
/// than this.
const SLACK: isize = 1 << 20;

/// Answers after so many milliseconds as it is told.
struct Echo;

impl Talk for Echo {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        if request.number > 0 {
            tokio::time::sleep(Duration::from_millis(request.number.into())).await;
        }
        Ok(request.into())
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Err::<Streaming<Line>, _>(Status::unimplemented("not here"))
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

/// The servers, which are named to the channel.
struct Fleet {
    running: Vec<Running>,
    named: watch::Sender<Vec<String>>,
}

impl Fleet {
    fn start() -> Fleet {
        let fleet = Fleet { running: (0..SERVERS).map(|_| serve()).collect(), named: Default::default() };
        fleet.publish();
        fleet
    }

    fn publish(&self) {
        let addresses = self.running.iter().map(|running| running.addresses()[0].to_string());
        self.named.send_replace(addresses.collect());
    }

    /// Ends a server with its connections, and starts one at another port in its place.
    fn replace(&mut self, server: usize) {
        self.running[server] = serve();
        self.publish();
    }

    fn channel(&self) -> Channel {
        let named = self.named.subscribe();
        let source = source_fn("servers", move |updates| {
            let mut named = named.clone();
            async move {
                loop {
                    let addresses = named.borrow_and_update().clone();
                    updates.set(addresses.into_iter().map(naming::Server::new).collect());
                    if named.changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        });
        Channel::builder("servers").servers(source).build().expect("the options are right")
    }
}

fn serve() -> Running {
    Server::new().service(Echo.into_service()).listen("127.0.0.1:0").start().expect("it starts")
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("Linux").count()
}

/// Makes so many calls, which end in all ways, while servers come and go; returns how many were answered.
async fn calls(client: &TalkClient, fleet: &mut Fleet, calls: i64) -> usize {
    let left = Arc::new(AtomicI64::new(calls));
    let callers = (0..CALLERS).map(|seed| tokio::spawn(caller(client.clone(), seed, left.clone())));
    let callers: Vec<_> = callers.collect();
    let mut replaced = 0;
    while left.load(Relaxed) > 0 {
        tokio::time::sleep(Duration::from_millis(1500)).await; // the channel takes one set a second
        replaced += 1;
        fleet.replace(replaced % SERVERS);
    }
    let mut answered = 0;
    for caller in callers {
        answered += caller.await.expect("it does not panic");
    }
    answered
}

async fn caller(client: TalkClient, seed: u64, left: Arc<AtomicI64>) -> usize {
    let (mut random, mut answered) = (fastrand::Rng::with_seed(seed), 0);
    while left.fetch_sub(1, Relaxed) > 0 {
        let slow = Line { number: random.u32(1..4), ..Line::default() };
        match random.u32(0..10) {
            0..6 => answered += usize::from(client.say(Line::default()).await.is_ok()),
            // time is over
            6 => drop(client.say(slow).timeout(Duration::from_millis(1)).await),
            // nobody waits any longer
            7 | 8 => {
                let patience = Duration::from_micros(random.u64(0..2000));
                let _ = tokio::time::timeout(patience, client.say(slow).into_future()).await;
            }
            // nobody waited at all
            _ => drop(client.say(slow).into_future()),
        }
    }
    answered
}

/// Waits until the memory in use has stayed the same for a second, for ten seconds at most; returns how much
/// it is.
async fn settled() -> isize {
    let (mut memory, mut changed, start) = (MEMORY.in_use(), Instant::now(), Instant::now());
    while changed.elapsed() < Duration::from_secs(1) && start.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(20)).await;
        if MEMORY.in_use() != memory {
            (memory, changed) = (MEMORY.in_use(), Instant::now());
        }
    }
    memory
}

#[test]
fn nothing_remains_of_calls_that_are_over() {
    let _alone = crate::alone();
    let count = std::env::var("POLYWIRE_LEAK_CALLS").ok().map(|count| count.parse().expect("a number"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut fleet = Fleet::start();
        let client = TalkClient::new(fleet.channel());
        calls(&client, &mut fleet, WARM_UP).await;
        let (memory, files) = (settled().await, descriptors());

        let count = count.unwrap_or(200_000);
        let answered = calls(&client, &mut fleet, count).await;
        assert!(answered as i64 > count / 3, "{answered} of {count} were answered");
        let grown = settled().await - memory;
        eprintln!(
            "{count} calls, {answered} answered: {grown} bytes more, {files} descriptors before and {} after",
            descriptors()
        );
        assert!(grown <= SLACK, "{grown} bytes more after {count} calls");
        assert!(descriptors() <= files + 8, "{} descriptors, {files} before", descriptors());

        drop((client, fleet));
        settled().await;
        assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
    });
}
