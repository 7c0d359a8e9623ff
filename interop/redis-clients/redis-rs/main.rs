//! The crate `redis` against the server of the first argument, in both dialects; prints what `interop/run`
//! reads.

use redis::{
    AsyncCommands, Client, ErrorKind, RedisResult, ServerErrorKind,
    aio::{ConnectionManager, MultiplexedConnection},
    cmd, pipe,
};
use std::{collections::HashMap, fmt::Debug, process::ExitCode, time::Duration};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// How long a check may take.
const LONGEST: Duration = Duration::from_secs(20);

#[tokio::main]
async fn main() -> ExitCode {
    let address = std::env::args().nth(1).unwrap_or_default();
    let mut failed = false;
    for dialect in ["RESP2", "RESP3"] {
        let client = match Client::open(format!("redis://{address}/?protocol={}", dialect.to_lowercase())) {
            Ok(client) => client,
            Err(error) => {
                eprintln!("{address:?}: {error}");
                return ExitCode::from(2);
            }
        };
        for (name, check) in CHECKS {
            let ended = tokio::time::timeout(LONGEST, check(client.clone())).await;
            match ended.unwrap_or_else(|_| Err("it takes too long".into())) {
                Ok(()) => println!("pass redis-rs: {dialect}: {name}"),
                Err(error) => {
                    failed = true;
                    println!("FAIL redis-rs: {dialect}: {name}: {}", error.to_string().replace('\n', " "));
                }
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

type Check = fn(Client) -> std::pin::Pin<Box<dyn Future<Output = Outcome>>>;

const CHECKS: [(&str, Check); 10] = [
    ("connects by HELLO and SETINFO, and has the name that it sets", |c| Box::pin(connects(c))),
    ("strings, counters, bytes", |c| Box::pin(strings(c))),
    ("hashes, lists and sets", |c| Box::pin(collections(c))),
    ("a pipeline of 1000 commands, an error among them", |c| Box::pin(pipeline(c))),
    ("a transaction", |c| Box::pin(transaction(c))),
    ("WATCH stops a transaction when the key has changed", |c| Box::pin(watch(c))),
    ("20 callers of one connection get their own replies", |c| Box::pin(callers(c))),
    ("SCAN finds each key once", |c| Box::pin(scan(c))),
    ("errors have their kinds, subscriptions to a store without channels too", |c| Box::pin(errors(c))),
    ("its connection manager connects again after the server has closed", |c| Box::pin(manager(c))),
];

fn same<T: PartialEq<U> + Debug, U: Debug>(found: T, expected: U) -> Outcome {
    if found == expected { Ok(()) } else { Err(format!("expected {expected:?}, found {found:?}").into()) }
}

async fn connection(client: &Client) -> RedisResult<MultiplexedConnection> {
    client.get_multiplexed_async_connection().await
}

async fn connects(client: Client) -> Outcome {
    let mut redis = connection(&client).await?;
    same(redis.ping::<String>().await?, "PONG")?;
    same(redis.client_setname::<_, String>("interop").await?, "OK")?;
    same(redis.client_getname::<Option<String>>().await?.as_deref(), Some("interop"))
}

async fn strings(client: Client) -> Outcome {
    let mut redis = connection(&client).await?;
    same(redis.set_ex::<_, _, String>("rs:s", "v", 100).await?, "OK")?;
    same(redis.get::<_, String>("rs:s").await?, "v")?;
    same(redis.get::<_, Option<String>>("rs:none").await?, None)?;
    same(redis.ttl::<_, i64>("rs:s").await? > 90, true)?;
    redis.del::<_, i64>("rs:n").await?;
    same(redis.incr::<_, _, i64>("rs:n", 5).await?, 5)?;
    let every: Vec<u8> = (0..=255).collect();
    redis.set::<_, _, ()>("rs:b", &every).await?;
    same(redis.get::<_, Vec<u8>>("rs:b").await?, every)?;
    same(
        redis.mget::<_, (String, Option<i64>, i64)>(&["rs:s", "rs:none", "rs:n"]).await?,
        ("v".into(), None, 5),
    )
}

async fn collections(client: Client) -> Outcome {
    let mut redis = connection(&client).await?;
    redis.del::<_, i64>(&["rs:h", "rs:l", "rs:z"]).await?;
    redis.hset_multiple::<_, _, _, ()>("rs:h", &[("a", 1), ("b", 2)]).await?;
    let fields: HashMap<String, i64> = redis.hgetall("rs:h").await?;
    same(fields, HashMap::from([("a".into(), 1), ("b".into(), 2)]))?;
    same(redis.rpush::<_, _, i64>("rs:l", &["x", "y"]).await?, 2)?;
    same(redis.lrange::<_, Vec<String>>("rs:l", 0, -1).await?, ["x", "y"])?;
    same(redis.sadd::<_, _, i64>("rs:z", &["m", "m"]).await?, 1)?;
    same(redis.sismember::<_, _, bool>("rs:z", "m").await?, true)
}

async fn pipeline(client: Client) -> Outcome {
    let mut redis = connection(&client).await?;
    redis.set::<_, _, ()>("rs:s", "v").await?;
    let mut commands = pipe();
    for at in 0..999 {
        commands.set(format!("rs:p{at}"), at);
    }
    let replies: Vec<String> = commands.query_async(&mut redis).await?;
    same((replies.len(), replies.iter().all(|reply| reply == "OK")), (999, true))?;
    commands.lpush("rs:s", "x");
    let failed = commands.query_async::<Vec<String>>(&mut redis).await.err().ok_or("no error was told")?;
    same(failed.to_string().contains("WRONGTYPE"), true)?;
    // The replies behind the error are those of their commands.
    let (before, after): (i64, i64) = pipe().get("rs:p7").get("rs:p998").query_async(&mut redis).await?;
    same((before, after), (7, 998))
}

async fn transaction(client: Client) -> Outcome {
    let mut redis = connection(&client).await?;
    let (number,): (i64,) =
        pipe().atomic().set("rs:t", 1).ignore().incr("rs:t", 1).query_async(&mut redis).await?;
    same(number, 2)?;
    let mut wrong = pipe();
    wrong.atomic().incr("rs:t", 1).cmd("NOSUCH");
    let failed = wrong.query_async::<()>(&mut redis).await.err().ok_or("it was done")?;
    same(failed.to_string().to_lowercase().contains("unknown command"), true)?;
    same(redis.get::<_, i64>("rs:t").await?, 2)
}

async fn watch(client: Client) -> Outcome {
    let (mut redis, mut other) = (connection(&client).await?, connection(&client).await?);
    redis.set::<_, _, ()>("rs:w", 1).await?;
    cmd("WATCH").arg("rs:w").exec_async(&mut redis).await?;
    other.incr::<_, _, i64>("rs:w", 1).await?;
    let mut set = pipe();
    set.atomic().set("rs:w", 10);
    same(set.query_async::<Option<(String,)>>(&mut redis).await?, None)?;
    cmd("WATCH").arg("rs:w").exec_async(&mut redis).await?;
    same(set.query_async::<Option<(String,)>>(&mut redis).await?, Some(("OK".into(),)))?;
    same(other.get::<_, i64>("rs:w").await?, 10)
}

async fn callers(client: Client) -> Outcome {
    let redis = connection(&client).await?;
    let callers: Vec<_> = (0..20).map(|id| tokio::spawn(caller(redis.clone(), id))).collect();
    for caller in callers {
        caller.await??;
    }
    Ok(())
}

async fn caller(mut redis: MultiplexedConnection, id: i64) -> Result<(), String> {
    let key = format!("rs:caller{id}");
    for number in id * 1000..id * 1000 + 50 {
        let sent: RedisResult<(i64,)> =
            pipe().set(&key, number).ignore().get(&key).query_async(&mut redis).await;
        match sent {
            Ok((found,)) if found == number => {}
            other => return Err(format!("{key}: {other:?}, not {number}")),
        }
    }
    Ok(())
}

async fn scan(client: Client) -> Outcome {
    let mut redis = connection(&client).await?;
    let mut commands = pipe();
    for at in 0..100 {
        commands.set(format!("rs:scan{at}"), at).ignore();
    }
    commands.exec_async(&mut redis).await?;
    let mut found = Vec::new();
    let mut keys = redis.scan_match::<_, String>("rs:scan*").await?;
    while let Some(key) = keys.next_item().await {
        found.push(key?);
    }
    found.sort();
    found.dedup();
    same(found.len(), 100)
}

async fn errors(client: Client) -> Outcome {
    let mut redis = connection(&client).await?;
    for (words, says) in [(&["NOSUCH"][..], "unknown command"), (&["GET"], "wrong number of arguments")] {
        let failed = cmd(words[0]).exec_async(&mut redis).await.err().ok_or("no error")?;
        same(failed.kind(), ErrorKind::Server(ServerErrorKind::ResponseError))?;
        same(failed.to_string().to_lowercase().contains(says), true)?;
    }
    redis.set::<_, _, ()>("rs:s", "v").await?;
    let failed = redis.lpush::<_, _, i64>("rs:s", 1).await.err().ok_or("no error")?;
    same(failed.code(), Some("WRONGTYPE"))?;
    let mut subscriber = client.get_async_pubsub().await?;
    let failed = subscriber.subscribe("channel").await.err().ok_or("it was subscribed")?;
    same(failed.to_string().to_lowercase().contains("unknown command"), true)
}

async fn manager(client: Client) -> Outcome {
    let mut redis: ConnectionManager = client.get_connection_manager().await?;
    redis.set::<_, _, ()>("rs:m", 1).await?;
    let first: i64 = redis.client_id().await?;
    same(cmd("QUIT").query_async::<String>(&mut redis).await?, "OK")?;
    // The calls that notice the loss may fail; the manager connects meanwhile.
    let second = loop {
        match redis.client_id::<i64>().await {
            Ok(second) => break second,
            Err(error) if error.is_connection_dropped() || error.is_io_error() => {
                tokio::task::yield_now().await
            }
            Err(error) => return Err(error.into()),
        }
    };
    same(second != first, true)?;
    same(redis.get::<_, i64>("rs:m").await?, 1)
}
