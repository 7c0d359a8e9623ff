//! `xds-client TARGET`: runs of calls through a channel to an xDS target, such as `xds:///echo`. It takes the
//! lines that interop/go/xds/client.go takes, and answers them in the same way.

use crate::grpc::testing::{SimpleRequest, TestClient};
use polywire::Channel;
use std::{
    collections::BTreeMap,
    io::{BufRead, Write},
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

pub fn main() -> polywire::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let target = std::env::args().nth(1).ok_or("usage: xds-client TARGET")?;
    runtime.block_on(async {
        let channel = Channel::builder(target).protocol("grpc").build()?;
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            let answer = tokio::spawn(run(channel.clone(), Run::read(&line))).await?;
            let mut out = std::io::stdout().lock();
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
        Ok(())
    })
}

/// What a line asks for.
struct Run {
    calls: i64,
    time: Duration,
    parallel: usize,
    timeout: Duration,
    wait: bool,
    fields: Vec<(String, String)>,
}

impl Run {
    fn read(line: &str) -> Run {
        let mut run = Run {
            calls: 0,
            time: Duration::ZERO,
            parallel: 4,
            timeout: Duration::from_secs(5),
            wait: false,
            fields: Vec::new(),
        };
        for (name, value) in line.split_whitespace().filter_map(|word| word.split_once('=')) {
            let number = || value.parse::<u64>().unwrap_or_default();
            match name {
                "calls" => run.calls = number() as i64,
                "seconds" => run.time = Duration::from_secs(number()),
                "parallel" => run.parallel = number() as usize,
                "timeout" => run.timeout = Duration::from_millis(number()),
                "wait" => run.wait = number() == 1,
                _ => run.fields.push((name.to_owned(), value.to_owned())),
            }
        }
        run
    }
}

#[derive(Default)]
struct Results {
    hosts: BTreeMap<String, u64>,
    codes: BTreeMap<String, u64>,
    text: String,
}

async fn run(channel: Channel, run: Run) -> String {
    let (left, end) = (AtomicI64::new(run.calls), Instant::now() + run.time);
    let shared = Arc::new((run, left, Mutex::new(Results::default())));
    let callers: Vec<_> =
        (0..shared.0.parallel).map(|_| tokio::spawn(caller(channel.clone(), shared.clone(), end))).collect();
    for caller in callers {
        caller.await.expect("callers do not panic");
    }
    let results = shared.2.lock().expect("callers do not panic");
    let object = |counts: &BTreeMap<String, u64>| {
        let pairs: Vec<_> = counts.iter().map(|(name, count)| format!("{name:?}:{count}")).collect();
        pairs.join(",")
    };
    format!(
        "{{\"hosts\":{{{}}},\"codes\":{{{}}},\"text\":{:?}}}",
        object(&results.hosts),
        object(&results.codes),
        results.text
    )
}

async fn caller(channel: Channel, shared: Arc<(Run, AtomicI64, Mutex<Results>)>, end: Instant) {
    let (run, left, results) = &*shared;
    let client = TestClient::new(channel);
    while left.fetch_sub(1, Relaxed) > 0 || (!run.time.is_zero() && Instant::now() < end) {
        let mut call =
            client.unary_call(SimpleRequest::default()).timeout(run.timeout).wait_for_ready(run.wait);
        for (name, value) in &run.fields {
            call = call.metadata(name, value);
        }
        let ended = call.await;
        let mut results = results.lock().expect("callers do not panic");
        match ended {
            Ok(reply) => {
                *results.hosts.entry(reply.hostname.clone()).or_default() += 1;
                *results.codes.entry("OK".to_owned()).or_default() += 1;
            }
            Err(status) => {
                *results.codes.entry(status.code().to_string()).or_default() += 1;
                results.text = status.message().to_owned();
            }
        }
    }
}
