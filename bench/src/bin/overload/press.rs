//! Calls at their times, whatever became of those before (`--rate`), or one after the other by each caller (`--callers`).

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use std::time::{Duration, Instant};

use polywire::{Channel, Code};
use polywire_bench::Args;

use crate::Failure;
use crate::example::{EchoClient, EchoRequest};

const CONNECTIONS: usize = 8;

#[derive(Default)]
struct Seen {
    good: AtomicU64,
    refused: AtomicU64,
    late: AtomicU64,
    failed: AtomicU64,
    /// Latencies of good calls from their planned times, in buckets of 1/16 of a power of two of microseconds.
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
        let channel = Channel::builder(server.as_str()).protocol(&*protocol).timeout(timeout).retries(0);
        clients.push(EchoClient::new(channel.build()?));
    }
    let seen = Arc::new(Seen { buckets: (0..512).map(|_| AtomicU64::new(0)).collect(), ..Seen::default() });
    let one = |k: usize, planned: Instant| {
        let (client, seen) = (clients[k % CONNECTIONS].clone(), seen.clone());
        async move {
            let ended = client.echo(EchoRequest { message: "x".repeat(100) }).await;
            let code = ended.map_or_else(|status| status.code(), |_| Code::Ok);
            seen.note(code, planned.elapsed(), timeout);
        }
    };
    let began = Instant::now();
    let mut offered = 0;
    if rate > 0.0 {
        let gap = Duration::from_secs_f64(1.0 / rate);
        let mut next = Duration::ZERO;
        while next < duration {
            let now = began.elapsed();
            while next <= now && next < duration {
                tokio::spawn(one(offered, began + next));
                (offered, next) = (offered + 1, gap * (offered as u32 + 1));
            }
            tokio::task::yield_now().await;
        }
        tokio::time::sleep(timeout * 3).await; // the last of them
    } else {
        let mut tasks = tokio::task::JoinSet::new();
        for k in 0..callers {
            let clients = clients.clone();
            let seen = seen.clone();
            tasks.spawn(async move {
                while began.elapsed() < duration {
                    let planned = Instant::now();
                    let ended = clients[k % CONNECTIONS].echo(EchoRequest { message: "x".repeat(100) }).await;
                    let code = ended.map_or_else(|status| status.code(), |_| Code::Ok);
                    seen.note(code, planned.elapsed(), timeout);
                }
            });
        }
        while tasks.join_next().await.is_some() {}
    }
    let count = |count: &AtomicU64| count.load(Relaxed) as f64 / duration.as_secs_f64();
    println!(
        "{{\"offered\":{:.0},\"good\":{:.0},\"refused\":{:.0},\"late\":{:.0},\"failed\":{:.0},\"p50_us\":{},\"p99_us\":{}}}",
        offered as f64 / duration.as_secs_f64(),
        count(&seen.good),
        count(&seen.refused),
        count(&seen.late),
        count(&seen.failed),
        seen.percentile(0.5),
        seen.percentile(0.99),
    );
    Ok(())
}
