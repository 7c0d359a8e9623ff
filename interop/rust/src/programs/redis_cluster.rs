//! `redis-cluster SEEDS CALLERS [TIMEOUT_MS]`: writes to a cluster and reads from it, until its standard
//! input ends. Each caller has keys of its own, and writes growing numbers to them, one command at a time,
//! four at a time in a pipeline, and two in a transaction. Then it reads all keys once more, and prints one
//! line of JSON:
//!
//! | field | what it counts |
//! | --- | --- |
//! | `acknowledged`, `failed`, `reads` | writes that were answered, writes that failed, reads that were answered |
//! | `wrong` | numbers read that nobody can have written to this key |
//! | `lost` | numbers read that are older than one which was acknowledged or read before |
//! | `longest_ms` | the longest time between two acknowledged writes of one caller |
//!
//! On standard output it says `ready` after the first writes, and the last failure on standard error.

use polywire::redis::{Client, Cluster};
use std::{
    io::Read,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

#[derive(Default)]
struct Counts {
    acknowledged: AtomicU64,
    failed: AtomicU64,
    reads: AtomicU64,
    wrong: AtomicU64,
    lost: AtomicU64,
    longest_ms: AtomicU64,
    last_failure: Mutex<String>,
}

/// A key, the newest number that it is known to have had, and the newest that was sent.
struct Key {
    name: String,
    least: u64,
    most: u64,
}

impl Key {
    fn read(&mut self, found: Option<u64>, counts: &Counts) {
        counts.reads.fetch_add(1, Relaxed);
        let found = found.unwrap_or(0);
        if found > self.most {
            counts.wrong.fetch_add(1, Relaxed);
            eprintln!("{}: {found}, though {} is the newest", self.name, self.most);
        } else if found < self.least {
            counts.lost.fetch_add(1, Relaxed);
            eprintln!("{}: {found} after {}", self.name, self.least);
        }
        self.least = found.min(self.most);
    }
}

pub fn main() -> polywire::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seeds, callers, rest @ ..] = &arguments[..] else {
        return Err("usage: redis-cluster SEEDS CALLERS [TIMEOUT_MS]".into());
    };
    let timeout = rest.first().map_or(Ok(5000), |text| text.parse())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let cluster = Cluster::builder(seeds.split(',')).timeout(Duration::from_millis(timeout)).build()?;
    let (counts, stop) = (Arc::new(Counts::default()), Arc::new(AtomicBool::new(false)));
    let begun = Instant::now();
    let tasks: Vec<_> = (0..callers.parse::<usize>()?)
        .map(|id| runtime.spawn(caller(cluster.client(), id, counts.clone(), stop.clone())))
        .collect();
    while counts.acknowledged.load(Relaxed) < 10 && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    println!("ready");
    std::io::stdin().read_to_end(&mut Vec::new())?;
    stop.store(true, Relaxed);
    runtime.block_on(async {
        for task in tasks {
            drop(task.await);
        }
    });
    let of = |counter: &AtomicU64| counter.load(Relaxed);
    eprintln!("last failure: {}", counts.last_failure.lock().expect("nobody panics"));
    println!(
        "{{\"acknowledged\": {}, \"failed\": {}, \"reads\": {}, \"wrong\": {}, \"lost\": {}, \"longest_ms\": {}}}",
        of(&counts.acknowledged),
        of(&counts.failed),
        of(&counts.reads),
        of(&counts.wrong),
        of(&counts.lost),
        of(&counts.longest_ms),
    );
    Ok(())
}

async fn caller(redis: Client, id: usize, counts: Arc<Counts>, stop: Arc<AtomicBool>) {
    let key = |name: String| Key { name, least: 0, most: 0 };
    // The last two are of one slot, for transactions.
    let mut keys: Vec<_> = (0..4).map(|at| key(format!("caller{id}-{at}"))).collect();
    keys.extend((0..2).map(|at| key(format!("{{caller{id}}}-{at}"))));
    let (mut number, mut last) = (0, Instant::now());
    while !stop.load(Relaxed) {
        number += 1;
        let touched = match number % 4 {
            0 => 0..4,
            1 => 4..6,
            _ => (number as usize % 4)..(number as usize % 4 + 1),
        };
        let touched = &mut keys[touched];
        touched.iter_mut().for_each(|key| key.most = number);
        let written = if let [key] = touched {
            redis.set(&key.name, number).await
        } else {
            let pipeline =
                touched.iter().fold(redis.pipeline(), |pipeline, key| pipeline.set(&key.name, number));
            let pipeline = if number % 4 == 1 { pipeline.atomic() } else { pipeline };
            pipeline.read::<Vec<()>>().await.map(drop)
        };
        match written {
            Ok(()) => {
                counts.acknowledged.fetch_add(1, Relaxed);
                counts.longest_ms.fetch_max(last.elapsed().as_millis() as u64, Relaxed);
                last = Instant::now();
                touched.iter_mut().for_each(|key| key.least = number);
            }
            Err(status) => {
                counts.failed.fetch_add(1, Relaxed);
                *counts.last_failure.lock().expect("nobody panics") = status.to_string();
            }
        }
        for key in touched {
            if let Ok(found) = redis.get::<Option<u64>>(&key.name).await {
                key.read(found, &counts);
            }
        }
    }
    for key in &mut keys {
        match redis.get::<Option<u64>>(&key.name).timeout(Duration::from_secs(20)).await {
            Ok(found) => key.read(found, &counts),
            Err(status) => eprintln!("{}: {status}", key.name),
        }
    }
}
