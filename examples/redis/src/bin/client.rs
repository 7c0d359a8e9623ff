//! The typed client: `redis-example-client [STORE [OWN]]`. The first address may also be that of a
//! redis-server.

use polywire::{
    Channel,
    redis::{Client, Command},
};
use std::{collections::BTreeMap, time::Duration};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let mut addresses = std::env::args().skip(1);
    let store = addresses.next().unwrap_or("127.0.0.1:6380".into());
    let own = addresses.next().unwrap_or("127.0.0.1:6381".into());

    // `redis` speaks RESP2, `redis:3` RESP3; replies are read alike.
    let redis = Client::new(Channel::builder(&store).protocol("redis:3").build()?);
    redis.del(["name", "hits", "queue", "tea"]).await?;

    redis.set("name", "Ada").await?;
    let name: Option<String> = redis.get("name").await?;
    let nobody: Option<String> = redis.get("nobody").await?;
    println!("get: {name:?}, {nobody:?}");

    // Commands that are sent together: one write, one wait.
    let (hits, name): (i64, String) = redis.pipeline().incr("hits").get("name").read().await?;
    println!("pipeline: {hits}, {name}");

    // All or nothing: MULTI before them and EXEC after them.
    let both: (i64, i64) = redis.pipeline().incr("hits").incrby("hits", 10).atomic().read().await?;
    println!("transaction: {both:?}");

    redis.rpush("queue", ["first", "second"]).await?;
    let queue: Vec<String> = redis.lrange("queue", 0, -1).await?;
    println!("list: {queue:?}");

    redis.hset("tea", [("green", 3), ("black", 5)]).await?;
    let tea: BTreeMap<String, i64> = redis.hgetall("tea").await?;
    println!("hash: {tea:?}");

    redis.pexpire("name", Duration::from_secs(60)).await?;
    println!("ends within a minute: {}", (1..=60_000).contains(&redis.pttl("name").await?));

    // An error reply is a status with the server's text.
    let status = redis.incr("name").await.expect_err("a name is no number");
    println!("error: {}", status.message());

    // Any command, from a plain thread without a runtime.
    let own = Client::new(Channel::builder(&own).protocol("redis").build()?);
    let called = std::thread::spawn(move || {
        let loud: String = own.call(&Command::new("SHOUT").arg("hello")).blocking()?;
        let sum: i64 = own.call(&Command::parse("SUM 1 2 3").expect("a whole line")).blocking()?;
        Ok::<_, polywire::Status>((loud, sum))
    });
    println!("own commands: {:?}", called.join().expect("it does not panic")?);
    Ok(())
}
