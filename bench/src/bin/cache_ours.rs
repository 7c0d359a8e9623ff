//! Our clients of Redis and memcached under the loads of others (`cache_clients` of `rivals`), on the runtime
//! that `#[tokio::main]` makes.

use std::time::Instant;

use polywire::{Channel, memcache, redis};
use polywire_bench::{Args, Load, Recorder, args::wrong_use, report::Began};

const USAGE: &str = "usage: cache_ours press --protocol redis|redis:3|memcache|memcache_meta --server ADDR [--command get|set]
       [--callers N] [--connections C] [--bytes B] [--duration S]";
const KEY: &str = "bench";

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let args = Args::from_env(USAGE);
    if args.verb != "press" {
        wrong_use(&format!("`{}` is no verb", args.verb), USAGE);
    }
    let load = Load::from_args(&args);
    let set = match &*args.get("command", "get".to_owned()) {
        "get" => false,
        "set" => true,
        other => wrong_use(&format!("no command {other}"), USAGE),
    };
    let protocol = args.get("protocol", String::new());
    let connect = |_| {
        let channel = Channel::builder(&*load.server).protocol(&*protocol).build()?;
        Ok(match protocol.starts_with("redis") {
            true => Connection::Redis(redis::Client::new(channel)),
            false => Connection::Memcached(memcache::Client::new(channel)),
        })
    };
    let connections = (0..load.connections).map(connect).collect::<polywire::Result<Vec<_>>>()?;
    let value = "x".repeat(load.bytes);
    connections[0].call(true, &value).await?;
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let callers: Vec<_> = (0..load.callers)
        .map(|n| tokio::spawn(calls(connections[n % connections.len()].clone(), set, value.clone(), end)))
        .collect();
    let mut all = Recorder::default();
    for caller in callers {
        all.add(&caller.await?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}

/// One caller: one command under way until `end`.
async fn calls(connection: Connection, set: bool, value: String, end: Instant) -> Recorder {
    let mut recorder = Recorder::default();
    let mut sent = Instant::now();
    while sent < end {
        let same = connection.call(set, &value).await.is_ok_and(|same| same);
        let now = Instant::now();
        match same {
            true => recorder.answered(now - sent),
            false => recorder.failed(),
        }
        sent = now;
    }
    recorder
}

#[derive(Clone)]
enum Connection {
    Redis(redis::Client),
    Memcached(memcache::Client),
}

impl Connection {
    /// One get or set; whether a get found as much as was set.
    async fn call(&self, set: bool, value: &str) -> polywire::Result<bool> {
        let found = match self {
            Connection::Redis(redis) if set => {
                redis.set(KEY, value).await?;
                return Ok(true);
            }
            Connection::Redis(redis) => redis.get::<Option<String>>(KEY).await?.map(|found| found.len()),
            Connection::Memcached(cache) if set => {
                cache.set(KEY, value.to_owned()).await?;
                return Ok(true);
            }
            Connection::Memcached(cache) => cache.get(KEY).await?.map(|item| item.value.len()),
        };
        Ok(found == Some(value.len()))
    }
}
