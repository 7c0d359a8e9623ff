//! Two servers that are slow now and then, and channels that do not wait for them.

#![forbid(unsafe_code)]

use polywire::{
    Channel, Context, Hedge, Reply, Resilience, Running, Server, Status, TryInterceptor, TryKind, TryStart,
};
use quote::{Price, Quotes, QuotesClient, Symbol};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

polywire::include!("quote"); // mod quote { Symbol, Price, Quotes, QuotesClient }

const CALLS: usize = 1000;
/// One call in so many is slow.
const SLOW_EVERY: u64 = 40;
const SLOW: Duration = Duration::from_millis(200);

struct Desk(Arc<AtomicU64>);

impl Quotes for Desk {
    async fn ask(&self, _: &Context, _: Symbol) -> Result<Reply<Price>, Status> {
        let number = self.0.fetch_add(1, Relaxed) + 1;
        let takes = match number % SLOW_EVERY {
            0 => SLOW, // a collection of garbage, a lock, a disk
            usual => Duration::from_millis(usual / 2),
        };
        tokio::time::sleep(takes).await;
        Ok(Price { cents: number }.into())
    }
}

/// Counts requests that were sent beside another one of the same call.
struct Hedges(Arc<AtomicU64>);

impl TryInterceptor for Hedges {
    fn before(&self, attempt: &mut TryStart<'_>) -> Result<(), Status> {
        if attempt.kind() == TryKind::Hedge {
            self.0.fetch_add(1, Relaxed);
        }
        Ok(())
    }
}

fn serve(calls: &Arc<AtomicU64>) -> Running {
    let server = Server::new().service(Desk(calls.clone()).into_service());
    server.listen("127.0.0.1:0").start().expect("a free port")
}

/// Makes 500 calls in a second, and tells the percentiles of the second half: in the first one the self-tuned
/// delay is learnt.
async fn measure(what: &str, hedge: Option<Hedge>) -> polywire::Result<String> {
    let (calls, hedges) = (Arc::default(), Arc::new(AtomicU64::new(0)));
    let servers = [serve(&calls), serve(&calls)];
    let addresses = servers.each_ref().map(|server| server.addresses()[0].to_string()).join(",");
    let channel = Channel::builder(format!("list://{addresses}")).try_interceptor(Hedges(hedges.clone()));
    let channel = channel.resilience(Resilience::default().hedge(hedge));
    let client = Arc::new(QuotesClient::new(channel.build()?));

    let mut ticks = tokio::time::interval(Duration::from_millis(2));
    let mut under_way = JoinSet::new();
    for number in 0..2 * CALLS {
        ticks.tick().await;
        if number == CALLS {
            under_way.join_all().await;
            under_way = JoinSet::new();
            hedges.store(0, Relaxed);
        }
        let client = client.clone();
        under_way.spawn(async move {
            let began = Instant::now();
            client.ask(Symbol { name: "RUST".into() }).await.map(|_| began.elapsed())
        });
    }
    let mut took = under_way.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
    took.sort();
    let percentile = |percent: usize| took[CALLS * percent / 100].as_secs_f64() * 1e3;
    let (half, most) = (percentile(50), percentile(99));
    Ok(format!("{what}: p50 {half:.1} ms, p99 {most:.1} ms, {} of {CALLS} sent twice", hedges.load(Relaxed)))
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let (none, fixed, tuned) = tokio::try_join!(
        measure("no hedge", None),
        // For at most 20 % of the calls.
        measure("after 40 ms", Some(Hedge::after(Duration::from_millis(40)))),
        // After what 95 % of the method's calls stay below, for at most 5 % of them, and not while all
        // servers are slow.
        measure("self-tuned", Some(Hedge::auto())),
    )?;
    println!("{none}\n{fixed}\n{tuned}");
    Ok(())
}
