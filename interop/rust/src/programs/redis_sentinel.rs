//! `redis-sentinel NAME SENTINELS CALLERS [TIMEOUT_MS]`: uses the master that sentinels know by this name,
//! until its standard input ends. Then it prints one line of JSON:
//!
//! | field | what it counts |
//! | --- | --- |
//! | `acknowledged`, `failed` | INCRs of the callers that were answered, and that failed; each caller has a key of its own |
//! | `wrong` | INCRs that returned more than there can have been: something was done twice |
//! | `lost` | acknowledged INCRs that a later one did not find |
//! | `longest_ms` | the longest time between two acknowledged INCRs of one caller |
//! | `swaps`, `conflicts`, `unknown` | increments of one key by WATCH, GET and EXEC in two sessions: done, refused, of unknown outcome |
//! | `stock` | what that key is in the end |
//! | `pushed`, `popped`, `left` | items pushed to a list, items that BLPOP in a session has given, and the length of the list in the end |
//! | `disorder` | items that came twice, or before an older one |
//! | `messages`, `gaps` | messages that a subscriber has received, and times it has shown that some may be missing |
//! | `unexplained` | published messages that are missing without a gap being shown, or that came twice |
//!
//! On standard output it says `ready` after the first INCRs, and the last failure on standard error.

use polywire::{
    Channel, Connections, Pooling,
    redis::{Client, Command, Event, Sentinel, Session, Subscriber},
};
use std::{
    collections::BTreeSet,
    io::Read,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::time::sleep;

#[derive(Default)]
struct Counts {
    acknowledged: AtomicU64,
    failed: AtomicU64,
    wrong: AtomicU64,
    lost: AtomicU64,
    longest_ms: AtomicU64,
    swaps: AtomicU64,
    conflicts: AtomicU64,
    unknown: AtomicU64,
    pushed: AtomicU64,
    popped: AtomicU64,
    disorder: AtomicU64,
    messages: AtomicU64,
    gaps: AtomicU64,
    unexplained: AtomicU64,
    /// Numbers whose PUBLISH was acknowledged.
    published: Mutex<BTreeSet<u64>>,
    last_failure: Mutex<String>,
}

impl Counts {
    fn add(counter: &AtomicU64, more: u64) {
        counter.fetch_add(more, Relaxed);
    }

    fn say(&self, what: &str, failure: impl std::fmt::Display) {
        *self.last_failure.lock().expect("nobody panics") = format!("{what}: {failure}");
    }
}

/// What all tasks have.
#[derive(Clone)]
struct Run {
    /// Shares one connection.
    redis: Client,
    /// Has connections of one's own.
    own: Client,
    counts: Arc<Counts>,
    stop: Arc<AtomicBool>,
}

impl Run {
    fn goes_on(&self) -> bool {
        !self.stop.load(Relaxed)
    }
}

pub fn main() -> polywire::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, sentinels, callers, rest @ ..] = &arguments[..] else {
        return Err("usage: redis-sentinel NAME SENTINELS CALLERS [TIMEOUT_MS]".into());
    };
    let timeout = Duration::from_millis(rest.first().map_or(Ok(5000), |text| text.parse())?);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let channel = |kind| -> polywire::Result<Client> {
        let builder = Channel::builder(name).servers(Sentinel::new(name, sentinels.split(','))?);
        let builder = builder
            .protocol("redis")
            .pooling(Pooling::default().kind(kind))
            .timeout(timeout)
            .wait_for_ready(true);
        Ok(Client::new(builder.build()?))
    };
    let (redis, own) = (channel(Connections::Single)?, channel(Connections::Short)?);
    let run = Run { redis, own, counts: Arc::default(), stop: Arc::default() };
    let begun = Instant::now();
    let mut tasks: Vec<_> =
        (0..callers.parse::<usize>()?).map(|id| runtime.spawn(caller(run.clone(), id))).collect();
    tasks.extend((0..2).map(|_| runtime.spawn(swapper(run.clone()))));
    tasks.push(runtime.spawn(pusher(run.clone())));
    tasks.push(runtime.spawn(popper(run.clone())));
    tasks.push(runtime.spawn(publisher(run.clone())));
    let subscriber = runtime.spawn(subscriber(run.clone()));
    while run.counts.acknowledged.load(Relaxed) < 10 && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    println!("ready");
    std::io::stdin().read_to_end(&mut Vec::new())?;
    run.stop.store(true, Relaxed);
    let (stock, left) = runtime.block_on(async {
        for task in tasks {
            drop(task.await);
        }
        subscriber.abort();
        (run.redis.get::<Option<u64>>("stock").await, run.redis.llen("queue").await)
    });
    let counts = &run.counts;
    let of = |counter: &AtomicU64| counter.load(Relaxed);
    eprintln!("last failure: {}", counts.last_failure.lock().expect("nobody panics"));
    let fields = [
        ("acknowledged", of(&counts.acknowledged)),
        ("failed", of(&counts.failed)),
        ("wrong", of(&counts.wrong)),
        ("lost", of(&counts.lost)),
        ("longest_ms", of(&counts.longest_ms)),
        ("swaps", of(&counts.swaps)),
        ("conflicts", of(&counts.conflicts)),
        ("unknown", of(&counts.unknown)),
        ("stock", stock?.unwrap_or(0)),
        ("pushed", of(&counts.pushed)),
        ("popped", of(&counts.popped)),
        ("left", left? as u64),
        ("disorder", of(&counts.disorder)),
        ("messages", of(&counts.messages)),
        ("gaps", of(&counts.gaps)),
        ("unexplained", of(&counts.unexplained)),
    ];
    let fields: Vec<_> = fields.map(|(name, number)| format!("\"{name}\": {number}")).into();
    println!("{{{}}}", fields.join(", "));
    Ok(())
}

async fn caller(run: Run, id: usize) {
    let (key, counts) = (format!("caller{id}"), &*run.counts);
    // The number that the key is known to have had, and INCRs since then of which nobody knows whether they
    // were done.
    let (mut known, mut open, mut last) = (0u64, 0u64, Instant::now());
    while run.goes_on() {
        match run.redis.incr(&key).await {
            Ok(found) => {
                let found = found as u64;
                if found > known + 1 + open {
                    Counts::add(&counts.wrong, 1);
                    eprintln!("{key}: {found} after {known}, with {open} of unknown outcome");
                }
                Counts::add(&counts.lost, (known + 1).saturating_sub(found));
                open = open.saturating_sub(found.saturating_sub(known + 1));
                known = found;
                Counts::add(&counts.acknowledged, 1);
                counts.longest_ms.fetch_max(last.elapsed().as_millis() as u64, Relaxed);
                last = Instant::now();
            }
            Err(status) => {
                open += 1;
                Counts::add(&counts.failed, 1);
                counts.say(&key, status);
                sleep(Duration::from_millis(5)).await;
            }
        }
    }
}

/// Increments one key like others do at the same time.
async fn swapper(run: Run) {
    let counts = &*run.counts;
    while run.goes_on() {
        let mut session = match run.own.session("stock").await {
            Ok(session) => session,
            Err(status) => {
                counts.say("session", status);
                sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        while run.goes_on() {
            if let Err(status) = swap(&run, &mut session).await {
                counts.say("session", status);
                break;
            }
        }
    }
}

async fn swap(run: &Run, session: &mut Session) -> polywire::Result<()> {
    session.watch(["stock"]).await?;
    let found: Option<u64> = session.get("stock").await?;
    match session.exec::<((),)>(run.redis.pipeline().set("stock", found.unwrap_or(0) + 1)).await {
        Ok(Some(_)) => Counts::add(&run.counts.swaps, 1),
        Ok(None) => Counts::add(&run.counts.conflicts, 1),
        Err(status) => {
            Counts::add(&run.counts.unknown, 1);
            return Err(status.into());
        }
    }
    Ok(())
}

async fn pusher(run: Run) {
    let mut number = 0u64;
    while run.goes_on() {
        number += 1;
        match run.redis.rpush("queue", [number]).await {
            Ok(_) => Counts::add(&run.counts.pushed, 1),
            Err(status) => run.counts.say("RPUSH", status),
        }
        sleep(Duration::from_millis(2)).await;
    }
}

/// Takes items by a command that blocks, and finds that one which can get nothing gives up.
async fn popper(run: Run) {
    let (counts, mut newest) = (&*run.counts, 0u64);
    let pop = |key: &str| Command::new("BLPOP").key(key).arg("0.1");
    while run.goes_on() {
        let Ok(mut session) = run.own.session("queue").await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        while run.goes_on() {
            let popped = match session.call::<Option<(String, u64)>>(&pop("queue")).await {
                Ok(popped) => popped,
                Err(status) => {
                    counts.say("BLPOP", status);
                    break;
                }
            };
            let Some((_, number)) = popped else {
                match session.call::<Option<(String, u64)>>(&pop("nothing")).await {
                    Ok(None) => continue,
                    _ => break,
                }
            };
            Counts::add(&counts.popped, 1);
            Counts::add(&counts.disorder, u64::from(number <= newest));
            newest = newest.max(number);
        }
    }
}

async fn publisher(run: Run) {
    let mut number = 0u64;
    while run.goes_on() {
        number += 1;
        match run.redis.publish("news", number).await {
            Ok(_) => drop(run.counts.published.lock().expect("nobody panics").insert(number)),
            Err(status) => run.counts.say("PUBLISH", status),
        }
        sleep(Duration::from_millis(2)).await;
    }
}

async fn subscriber(run: Run) {
    let counts = &*run.counts;
    let mut news: Subscriber = run.own.subscriber();
    news.set_ping_after(Duration::from_millis(500));
    if let Err(status) = news.subscribe(["news"]).await {
        return counts.say("SUBSCRIBE", status);
    }
    let (mut newest, mut is_gap) = (0u64, true);
    loop {
        match news.next().await {
            Event::Message(message) => {
                Counts::add(&counts.messages, 1);
                let text = String::from_utf8_lossy(&message.payload).into_owned();
                let number = text.parse().unwrap_or(0);
                let missing = {
                    // What was published by now is there: the PUBLISH of a message is answered after it was
                    // sent on.
                    let published = counts.published.lock().expect("nobody panics");
                    number > newest && published.range(newest + 1..number).next().is_some()
                };
                if (missing && !is_gap) || number <= newest {
                    Counts::add(&counts.unexplained, 1);
                    eprintln!("news: {text} after {newest}");
                }
                (newest, is_gap) = (number, false);
            }
            Event::Lost(why) => {
                Counts::add(&counts.gaps, 1);
                eprintln!("news: {why}");
                is_gap = true;
            }
            _ => {}
        }
    }
}
