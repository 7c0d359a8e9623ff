//! Clients of Redis and memcached in Rust under the loads of our own (`cache_ours` of `bench`): each with its
//! defaults, on the runtime that `#[tokio::main]` makes.

use std::time::Instant;

use fred::prelude::*;
use polywire_bench::{Args, Load, Recorder, args::wrong_use, report::Began};
use redis::AsyncCommands;
use std::sync::Arc;
use tokio::sync::Mutex;

const USAGE: &str =
    "usage: cache_clients press --client redis|fred|async-memcached --server ADDR [--command get|set]
       [--callers N] [--connections C] [--bytes B] [--duration S]";
const KEY: &str = "bench";

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
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
    let mut connections = Vec::new();
    for _ in 0..load.connections {
        connections.push(Connection::open(&args.get("client", String::new()), &load.server).await?);
    }
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
async fn calls(mut connection: Connection, set: bool, value: String, end: Instant) -> Recorder {
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
    Redis(redis::aio::MultiplexedConnection),
    Fred(fred::clients::Client),
    /// It takes one call at a time.
    Memcached(Arc<Mutex<async_memcached::Client>>),
}

impl Connection {
    async fn open(client: &str, server: &str) -> Result<Connection, Failure> {
        Ok(match client {
            "redis" => {
                let client = redis::Client::open(format!("redis://{server}"))?;
                Connection::Redis(client.get_multiplexed_async_connection().await?)
            }
            "fred" => {
                let config = Config::from_url(&format!("redis://{server}"))?;
                let client = Builder::from_config(config).build()?;
                client.init().await?;
                Connection::Fred(client)
            }
            "async-memcached" => {
                let client = async_memcached::Client::new(format!("tcp://{server}")).await?;
                Connection::Memcached(Arc::new(Mutex::new(client)))
            }
            other => wrong_use(&format!("no client {other:?}"), USAGE),
        })
    }

    /// One get or set; whether a get found as much as was set.
    async fn call(&mut self, set: bool, value: &str) -> Result<bool, Failure> {
        let found = match self {
            Connection::Redis(redis) if set => {
                let () = redis.set(KEY, value).await?;
                return Ok(true);
            }
            Connection::Redis(redis) => redis.get::<_, Option<String>>(KEY).await?.map(|found| found.len()),
            Connection::Fred(redis) if set => {
                let () = redis.set(KEY, value, None, None, false).await?;
                return Ok(true);
            }
            Connection::Fred(redis) => redis.get::<Option<String>, _>(KEY).await?.map(|found| found.len()),
            Connection::Memcached(cache) => memcached(&mut *cache.lock().await, set, value).await?,
        };
        Ok(found == Some(value.len()))
    }
}

/// Length of what was found or set.
async fn memcached(
    cache: &mut async_memcached::Client,
    set: bool,
    value: &str,
) -> Result<Option<usize>, Failure> {
    use async_memcached::AsciiProtocol;
    if set {
        cache.set(KEY, value, None, None).await?;
        return Ok(Some(value.len()));
    }
    Ok(cache.get(KEY).await?.and_then(|found| found.data).map(|data| data.len()))
}
