//! Calls at their times, whatever became of those before (`--rate`), or one after the other by each caller
//! (`--callers`).

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use std::time::{Duration, Instant};

use polywire::{Channel, Code, Resilience};
use polywire_bench::Args;
use tokio::sync::Semaphore;

use crate::example::{EchoClient, EchoRequest};
use crate::{BLOCK, Failure};

const CONNECTIONS: usize = 8;
/// Protocols in which each call takes a connection, and the calls that may be under way then: a client that
/// has so many makes no further one, and says so.
const ALONE: [&str; 2] = ["http", "ubrpc_mcpack2"];
const ALONE_CALLS: usize = 64;

#[derive(Default)]
struct Seen {
    good: AtomicU64,
    refused: AtomicU64,
    late: AtomicU64,
    failed: AtomicU64,
    /// Calls for which no connection was free.
    unsent: AtomicU64,
    /// Latencies of good calls from their planned times, in buckets of 1/16 of a power of two of
    /// microseconds.
    buckets: Vec<AtomicU64>,
}

fn bucket(us: u64) -> usize {
    let us = us.max(1);
    let power = us.ilog2() as usize;
    power * 16 + (((us << 4) >> power) & 15) as usize
}

fn value(bucket: usize) -> u64 {
    let (power, part) = (bucket / 16, bucket as u64 % 16);
    ((16 + part) << power) >> 4
}

impl Seen {
    fn note(&self, code: Code, took: Duration, timeout: Duration) {
        let count = match code {
            Code::Ok if took <= timeout => {
                self.buckets[bucket(took.as_micros() as u64).min(511)].fetch_add(1, Relaxed);
                &self.good
            }
            Code::Ok | Code::DeadlineExceeded => &self.late,
            Code::ResourceExhausted => &self.refused,
            _ => &self.failed,
        };
        count.fetch_add(1, Relaxed);
    }

    fn percentile(&self, share: f64) -> u64 {
        let all: u64 = self.buckets.iter().map(|count| count.load(Relaxed)).sum();
        let mut left = (all as f64 * share).ceil() as u64;
        for (k, count) in self.buckets.iter().enumerate() {
            let count = count.load(Relaxed);
            if count >= left {
                return value(k);
            }
            left -= count;
        }
        0
    }
}

#[tokio::main(flavor = "current_thread")]
pub async fn run(args: &Args) -> Result<(), Failure> {
    let timeout = Duration::from_millis(args.get("timeout", 100));
    let duration = Duration::from_secs_f64(args.get("duration", 3.0));
    let (rate, callers): (f64, usize) = (args.get("rate", 0.0), args.get("callers", 16));
    let (server, protocol): (String, String) =
        (args.get("server", String::new()), args.get("protocol", "grpc".to_owned()));
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        let channel = Channel::builder(server.as_str())
            .protocol(&*protocol)
            .timeout(timeout)
            .resilience(Resilience::default().retries(0));
        clients.push(EchoClient::new(channel.build()?));
    }
    let first = if args.get("block", 0) > 0 { BLOCK } else { 'x' };
    let message = first.to_string() + &"x".repeat(args.get("bytes", 100_usize).saturating_sub(1));
    let message = message.as_str();
    let request = || EchoRequest { message: message.to_owned() };
    let seen = Arc::new(Seen { buckets: (0..512).map(|_| AtomicU64::new(0)).collect(), ..Seen::default() });
    // What a server does in the first half second of a load is not counted: it has to find out that it is
    // overloaded.
    let lead = Duration::from_secs_f64(args.get("lead", 0.5));
    let places = Arc::new(Semaphore::new(if ALONE.contains(&&*protocol) {
        ALONE_CALLS
    } else {
        Semaphore::MAX_PERMITS
    }));
    let began = Instant::now();
    let one = |k: usize, planned: Instant| {
        let place = places.clone().try_acquire_owned();
        let (client, seen, request) = (clients[k % CONNECTIONS].clone(), seen.clone(), request());
        async move {
            let Ok(_place) = place else {
                seen.unsent.fetch_add(u64::from(planned >= began + lead), Relaxed);
                return;
            };
            let ended = client.echo(request).await;
            let code = ended.map_or_else(|status| status.code(), |_| Code::Ok);
            if planned >= began + lead {
                seen.note(code, planned.elapsed(), timeout);
            }
        }
    };
    let (mut offered, mut counted) = (0, 0);
    if rate > 0.0 {
        let gap = Duration::from_secs_f64(1.0 / rate);
        let mut next = Duration::ZERO;
        while next < lead + duration {
            let now = began.elapsed();
            while next <= now && next < lead + duration {
                tokio::spawn(one(offered, began + next));
                counted += usize::from(next >= lead);
                (offered, next) = (offered + 1, gap * (offered as u32 + 1));
            }
            tokio::task::yield_now().await;
        }
        tokio::time::sleep(timeout * 3).await; // the last of them
    } else {
        let mut tasks = tokio::task::JoinSet::new();
        for k in 0..callers {
            let clients = clients.clone();
            let (seen, message) = (seen.clone(), message.to_owned());
            tasks.spawn(async move {
                while began.elapsed() < duration {
                    let planned = Instant::now();
                    let request = EchoRequest { message: message.clone() };
                    let ended = clients[k % CONNECTIONS].echo(request).await;
                    let code = ended.map_or_else(|status| status.code(), |_| Code::Ok);
                    seen.note(code, planned.elapsed(), timeout);
                }
            });
        }
        while tasks.join_next().await.is_some() {}
    }
    let count = |count: &AtomicU64| count.load(Relaxed) as f64 / duration.as_secs_f64();
    println!(
        "{{\"offered\":{:.0},\"good\":{:.0},\"refused\":{:.0},\"late\":{:.0},\"failed\":{:.0},\"unsent\":{:.0},\"p50_us\":{},\"p99_us\":{}}}",
        counted as f64 / duration.as_secs_f64(),
        count(&seen.good),
        count(&seen.refused),
        count(&seen.late),
        count(&seen.failed),
        count(&seen.unsent),
        seen.percentile(0.5),
        seen.percentile(0.99),
    );
    Ok(())
}
