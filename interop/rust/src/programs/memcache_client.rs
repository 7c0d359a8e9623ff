//! `memcache-client check PROTOCOL ADDRESS`: each operation of our client once; a line `ok NAME` or
//! `FAIL NAME: REASON` for each. `memcache-client write|read PROTOCOL ADDRESS`: values for a foreign client
//! to read, or those that it has written. `memcache-client login PROTOCOL ADDRESS CREDENTIAL`: one operation
//! with a credential. `memcache-client load PROTOCOL SERVERS SECONDS`: callers who write and read while
//! servers are killed; its last line has numbers. `memcache-client bench PROTOCOL ADDRESS CALLERS SECONDS`:
//! gets from one connection; its last line has numbers.
//!
//! interop/memcached/README.md has the lines.

use polywire::{
    Channel, ChannelBuilder, Resilience, Standard,
    memcache::{Answer, Client, Error, Item, KeyError, Recache},
};
use std::{
    fmt::Debug,
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

pub fn main() -> polywire::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["check", protocol, address] => runtime.block_on(check(protocol, client(protocol, address)?)),
        ["write", protocol, address] => runtime.block_on(write(client(protocol, address)?)),
        ["read", protocol, address] => runtime.block_on(read(client(protocol, address)?)),
        ["login", protocol, address, credential] => runtime.block_on(login(protocol, address, credential)),
        ["load", protocol, servers, seconds] => runtime.block_on(load(protocol, servers, seconds.parse()?)),
        ["bench", protocol, address, callers, seconds] => {
            runtime.block_on(bench(client(protocol, address)?, callers.parse()?, seconds.parse()?))
        }
        _ => Err("usage: memcache-client check|write|read|login|load|bench PROTOCOL ADDRESS ..".into()),
    }
}

fn client(protocol: &str, address: &str) -> polywire::Result<Client> {
    Ok(Client::new(builder(protocol, address).build()?))
}

fn builder(protocol: &str, address: &str) -> ChannelBuilder<Standard> {
    Channel::builder(address).protocol(protocol).timeout(Duration::from_secs(5))
}

/// Prints what became of a check.
async fn named<T>(name: &str, check: impl Future<Output = Result<T, String>>) {
    match check.await {
        Ok(_) => println!("ok {name}"),
        Err(reason) => println!("FAIL {name}: {reason}"),
    }
}

fn same<T: PartialEq + Debug>(expected: T, found: T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("expected {expected:?}, found {found:?}")) }
}

fn text(error: Error) -> String {
    format!("{error:?}")
}

/// That an operation fails as it should.
fn fails<T: Debug>(found: Result<T, Error>, is: impl Fn(&Error) -> bool) -> Result<(), String> {
    match found {
        Err(error) if is(&error) => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

async fn value(client: &Client, key: &str) -> Result<Option<(Vec<u8>, u32)>, String> {
    let item = client.get(key).await.map_err(text)?;
    Ok(item.map(|item| (item.value.to_vec(), item.flags)))
}

async fn check(protocol: &str, c: Client) -> polywire::Result<()> {
    let c = &c;
    named("a key that is not there is None", async { same(None, value(c, "none").await?) }).await;
    named("set with flags and expiry, get", async {
        let cas =
            c.set("k", "value").flags(0xdead_beef).expires(Duration::from_secs(60)).await.map_err(text)?;
        same(Some((b"value".to_vec(), 0xdead_beef)), value(c, "k").await?)?;
        same(Some(cas), c.get("k").await.map_err(text)?.map(|item| item.cas))
    })
    .await;
    named("an empty value, one with line ends, one of a megabyte less 300 bytes", async {
        let long = vec![b'x'; (1 << 20) - 300];
        for set in [&b""[..], b"a\r\nEN\r\n\x81\x80", &long] {
            c.set("v", set.to_vec()).await.map_err(text)?;
            let Some((got, 0)) = value(c, "v").await? else { return Err("it is gone".into()) };
            if got != set {
                return Err(format!("{} bytes have become {}", set.len(), got.len()));
            }
        }
        Ok(())
    })
    .await;
    named("a value that is too large is refused, and the connection goes on", async {
        fails(c.set("big", vec![0; 2 << 20]).await, |error| matches!(error, Error::TooLarge))?;
        same(None, value(c, "big").await?)
    })
    .await;
    named("add, replace, append, prepend on their conditions", async {
        c.delete("w").await.map_err(text)?;
        let not_stored = |error: &Error| matches!(error, Error::NotStored);
        fails(c.replace("w", "x").await, not_stored)?;
        fails(c.append("w", "x").await, not_stored)?;
        fails(c.prepend("w", "x").await, not_stored)?;
        c.add("w", "b").flags(7).await.map_err(text)?;
        fails(c.add("w", "x").await, not_stored)?;
        c.append("w", "c").await.map_err(text)?;
        c.prepend("w", "a").await.map_err(text)?;
        same(Some((b"abc".to_vec(), 7)), value(c, "w").await?)?;
        c.replace("w", "new").await.map_err(text)?;
        same(Some((b"new".to_vec(), 0)), value(c, "w").await?)
    })
    .await;
    named("compare and swap", async {
        let cas = c.set("cas", "1").await.map_err(text)?;
        let second = c.set("cas", "2").cas(cas).await.map_err(text)?;
        fails(c.set("cas", "3").cas(cas).await, |error| matches!(error, Error::Exists))?;
        fails(c.set("gone", "3").cas(cas).await, |error| matches!(error, Error::Missing))?;
        same(Some((b"2".to_vec(), 0)), value(c, "cas").await?)?;
        fails(c.delete("cas").cas(cas).await, |error| matches!(error, Error::Exists))?;
        same(true, c.delete("cas").cas(second).await.map_err(text)?)
    })
    .await;
    named("counters", async {
        c.delete("n").await.map_err(text)?;
        same(None, c.incr("n", 1).await.map_err(text)?)?;
        same(Some(5), c.incr("n", 1).or_begin_at(5).await.map_err(text)?)?;
        same(Some(15), c.incr("n", 10).or_begin_at(5).await.map_err(text)?)?;
        same(Some(12), c.decr("n", 3).await.map_err(text)?)?;
        same(Some(0), c.decr("n", 100).await.map_err(text)?)?;
        same(Some(u64::MAX), c.incr("n", u64::MAX).await.map_err(text)?)?;
        same(Some(0), c.incr("n", 1).await.map_err(text)?)?;
        c.set("word", "abc").await.map_err(text)?;
        fails(c.incr("word", 1).await, |error| matches!(error, Error::NonNumeric))
    })
    .await;
    named("delete and touch say whether there was a key", async {
        c.set("t", "x").await.map_err(text)?;
        same(true, c.touch("t", Duration::from_secs(60)).await.map_err(text)?)?;
        same(true, c.delete("t").await.map_err(text)?)?;
        same(false, c.delete("t").await.map_err(text)?)?;
        same(false, c.touch("t", Duration::from_secs(60)).await.map_err(text)?)
    })
    .await;
    named("values expire: after a second, by touch, by get; not after 31 days", async {
        let short = Duration::from_secs(1);
        c.set("e1", "x").expires(short).await.map_err(text)?;
        for key in ["e2", "e3", "e4"] {
            c.set(key, "x").expires(Duration::from_secs(31 * 86400)).await.map_err(text)?;
        }
        c.touch("e2", short).await.map_err(text)?;
        let item = c.get("e3").expires(short).await.map_err(text)?;
        same(Some(&b"x"[..]), item.as_ref().map(|item| &item.value[..]))?;
        tokio::time::sleep(Duration::from_millis(2500)).await;
        for key in ["e1", "e2", "e3"] {
            same(None, value(c, key).await?)?;
        }
        same(Some((b"x".to_vec(), 0)), value(c, "e4").await?)
    })
    .await;
    named("keys of 250 bytes; none that is longer or has a space leaves", async {
        let long = "k".repeat(250);
        c.set(&long, "x").await.map_err(text)?;
        same(Some((b"x".to_vec(), 0)), value(c, &long).await?)?;
        fails(c.get("k".repeat(251)).await, |error| matches!(error, Error::Key(KeyError::TooLong)))?;
        fails(c.get("").await, |error| matches!(error, Error::Key(KeyError::Empty)))?;
        fails(c.get("a b").await, |error| matches!(error, Error::Key(KeyError::NotText)))?;
        fails(c.set("a\r\nset", "x").await, |error| matches!(error, Error::Key(KeyError::NotText)))
    })
    .await;
    named("keys of any bytes, where they are allowed", async {
        let c = c.clone().binary_keys();
        for key in [&b"a b"[..], b"\0\xff\r\n", &[0xfe; 187]] {
            c.set(key, "binary").await.map_err(text)?;
            same(Some("binary".into()), c.get(key).await.map_err(text)?.map(|item| item.value))?;
            same(1, c.get_many([key]).await.map_err(text)?.into_iter().flatten().count())?;
        }
        Ok(())
    })
    .await;
    named("a thousand keys in one request, half of them missing", async {
        let keys: Vec<String> = (0..1000).map(|i| format!("many{i}")).collect();
        let mut batch = c.batch().quiet();
        for key in keys.iter().step_by(2) {
            batch = batch.with(c.set(key, key.clone()).flags(9));
        }
        let answers = batch.await.map_err(text)?;
        same(500, answers.into_iter().filter(|answer| matches!(answer, Answer::Done { .. })).count())?;
        let items = c.get_many(&keys).await.map_err(text)?;
        same(1000, items.len())?;
        for (i, item) in items.into_iter().enumerate() {
            same((i % 2 == 0).then(|| keys[i].clone().into()), item.map(|item: Item| item.value))?;
        }
        Ok(())
    })
    .await;
    named("a batch of different operations", async {
        let batch =
            c.batch().with(c.set("b", "1")).with(c.incr("b", 1)).with(c.add("b", "x")).with(c.get("b"));
        let batch = batch.with(c.get("a b")).with(c.delete("nothing")).with(c.version());
        let answers = batch.await.map_err(text)?;
        let [set, incr, add, get, wrong, delete, version] =
            <[Answer; 7]>::try_from(answers).map_err(|all| format!("{all:?}"))?;
        set.stored().map_err(text)?;
        same(Some(2), incr.number().map_err(text)?)?;
        fails(add.stored(), |error| matches!(error, Error::NotStored))?;
        same(Some("2".into()), get.item().map_err(text)?.map(|item| item.value))?;
        fails(wrong.item(), |error| matches!(error, Error::Key(_)))?;
        same(false, delete.found().map_err(text)?)?;
        same(true, version.text().map_err(text)?.starts_with("1."))
    })
    .await;
    named("a quiet batch says only what did not work", async {
        c.set("q1", "x").await.map_err(text)?;
        let batch = c
            .batch()
            .quiet()
            .with(c.add("q1", "y"))
            .with(c.set("q2", "z"))
            .with(c.get("q2"))
            .with(c.get("q3"));
        let answers = batch.await.map_err(text)?;
        let [add, set, hit, miss] = <[Answer; 4]>::try_from(answers).map_err(|all| format!("{all:?}"))?;
        fails(add.stored(), |error| matches!(error, Error::NotStored))?;
        set.stored().map_err(text)?;
        same(Some("z".into()), hit.item().map_err(text)?.map(|item| item.value))?;
        same(None, miss.item().map_err(text)?)
    })
    .await;
    named("a hundred callers share a connection", async {
        let callers = (0..100).map(|n| {
            let c = c.clone();
            tokio::spawn(async move {
                for i in 0..50 {
                    let key = format!("caller{n}");
                    c.set(&key, format!("{n} {i}")).await.map_err(text)?;
                    same(Some((format!("{n} {i}").into_bytes(), 0)), value(&c, &key).await?)?;
                }
                Ok::<_, String>(())
            })
        });
        for caller in callers.collect::<Vec<_>>() {
            caller.await.map_err(|error| error.to_string())??;
        }
        Ok(())
    })
    .await;
    let other = c.clone();
    let blocking = tokio::task::spawn_blocking(move || {
        other.set("blocking", "x").blocking().map_err(text)?;
        let items = other.get_many(["none", "blocking"]).blocking().map_err(text)?;
        same(
            vec![None, Some("x".into())],
            items.into_iter().map(|item| item.map(|item| item.value)).collect(),
        )
    });
    named("without a runtime", async { blocking.await.map_err(|error| error.to_string())? }).await;
    if protocol == "memcache_meta" {
        renewal(c).await;
    } else {
        named("what only the meta commands have is refused before it is sent", async {
            let unsupported = |error: &Error| matches!(error, Error::Unsupported(_));
            fails(c.invalidate("k", Duration::from_secs(5)).await, unsupported)?;
            fails(c.get("k").vivify(Duration::from_secs(5)).await, unsupported)
        })
        .await;
    }
    named("flush", async {
        c.flush().await.map_err(text)?;
        same(None, value(c, "k").await?)
    })
    .await;
    Ok(())
}

async fn renewal(c: &Client) {
    let seconds = Duration::from_secs;
    named("one of several readers fills a key that is not there", async {
        let first = c.get("lease").vivify(seconds(30)).await.map_err(text)?;
        same(Some(Recache::Won { stale: false }), first.map(|item| item.recache))?;
        let second = c.get("lease").vivify(seconds(30)).await.map_err(text)?;
        same(Some(Recache::Lost { stale: false }), second.map(|item| item.recache))?;
        c.set("lease", "full").await.map_err(text)?;
        let third = c.get("lease").vivify(seconds(30)).await.map_err(text)?;
        same(Some(("full".into(), Recache::No)), third.map(|item| (item.value, item.recache)))
    })
    .await;
    named("one of several readers renews a value that was invalidated, or expires soon", async {
        c.set("stale", "old").await.map_err(text)?;
        same(true, c.invalidate("stale", seconds(30)).await.map_err(text)?)?;
        same(false, c.invalidate("gone", seconds(30)).await.map_err(text)?)?;
        for expected in [Recache::Won { stale: true }, Recache::Lost { stale: true }] {
            let item = c.get("stale").await.map_err(text)?;
            same(Some(("old".into(), expected)), item.map(|item| (item.value, item.recache)))?;
        }
        c.set("soon", "x").expires(seconds(20)).await.map_err(text)?;
        for (expected, below) in
            [(Recache::No, 5), (Recache::Won { stale: false }, 60), (Recache::Lost { stale: false }, 60)]
        {
            let item = c.get("soon").renew_below(seconds(below)).await.map_err(text)?;
            same(Some(expected), item.map(|item| item.recache))?;
        }
        Ok(())
    })
    .await;
}

async fn write(c: Client) -> polywire::Result<()> {
    c.set("ours:text", "written by polywire").flags(5).await?;
    c.set("ours:empty", "").await?;
    c.set("ours:number", "41").await?;
    c.incr("ours:number", 1).await?;
    c.set("ours:bytes", (0..=255_u8).collect::<Vec<u8>>()).await?;
    Ok(())
}

async fn read(c: Client) -> polywire::Result<()> {
    for item in c.get_many(["theirs:text", "theirs:number", "theirs:bytes"]).await? {
        match item {
            Some(item) => println!("{} {}", item.flags, item.value.escape_ascii()),
            None => println!("none"),
        }
    }
    Ok(())
}

async fn login(protocol: &str, address: &str, credential: &str) -> polywire::Result<()> {
    let channel = builder(protocol, address).credential(credential).build()?;
    match Client::new(channel).set("login", "x").await {
        Ok(_) => println!("ok"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}

/// Writers and readers of keys of their own over all servers, and one counter each, until the time is over.
async fn load(protocol: &str, servers: &str, seconds: u64) -> polywire::Result<()> {
    let channel = builder(protocol, servers)
        .resilience(Resilience::default().balancer("c_ketama"))
        .timeout(Duration::from_secs(1))
        .build()?;
    let client = Client::new(channel);
    let [calls, failed, wrong, misses, twice] = std::array::from_fn(|_| Arc::new(AtomicU64::new(0)));
    let until = Instant::now() + Duration::from_secs(seconds);
    let callers: Vec<_> = (0..16)
        .map(|n| {
            let client = client.clone();
            let [calls, failed, wrong, misses, twice] =
                [&calls, &failed, &wrong, &misses, &twice].map(Arc::clone);
            tokio::spawn(async move {
                let mut round = 0_u64;
                let mut counted = 0_u64;
                while Instant::now() < until {
                    round += 1;
                    let keys: Vec<String> =
                        (0..8).map(|i| format!("load:{n}:{}", (round + i) % 64)).collect();
                    let key = &keys[0];
                    calls.fetch_add(3, Relaxed);
                    if client.set(key, format!("{key} {round}")).await.is_err() {
                        failed.fetch_add(1, Relaxed);
                    }
                    match client.get_many(&keys).await {
                        Err(_) => drop(failed.fetch_add(1, Relaxed)),
                        Ok(items) => {
                            for (key, item) in keys.iter().zip(items) {
                                match item {
                                    None => drop(misses.fetch_add(1, Relaxed)),
                                    Some(item) if item.value.starts_with(format!("{key} ").as_bytes()) => {}
                                    Some(_) => drop(wrong.fetch_add(1, Relaxed)),
                                }
                            }
                        }
                    }
                    // A counter never counts more than it was asked to.
                    counted += 1;
                    match client.incr(format!("counter:{n}"), 1).or_begin_at(1).await {
                        Ok(Some(sum)) if sum > counted => drop(twice.fetch_add(1, Relaxed)),
                        Ok(_) => {}
                        Err(_) => drop(failed.fetch_add(1, Relaxed)),
                    }
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await?;
    }
    let [calls, failed, wrong, misses, twice] =
        [calls, failed, wrong, misses, twice].map(|n| n.load(Relaxed));
    println!(
        "{{\"calls\": {calls}, \"failed\": {failed}, \"wrong\": {wrong}, \"misses\": {misses}, \"twice\": {twice}}}"
    );
    Ok(())
}

async fn bench(client: Client, callers: usize, seconds: f64) -> polywire::Result<()> {
    client.set("bench", vec![b'x'; 100]).await?;
    let (stop, gets) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let tasks: Vec<_> = (0..callers)
        .map(|_| {
            let (client, stop, gets) = (client.clone(), stop.clone(), gets.clone());
            tokio::spawn(async move {
                while !stop.load(Relaxed) {
                    let item = client.get("bench").await.expect("a reply").expect("a value");
                    assert_eq!(item.value.len(), 100);
                    gets.fetch_add(1, Relaxed);
                }
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (before, begun) = (gets.load(Relaxed), Instant::now());
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
    let rate = (gets.load(Relaxed) - before) as f64 / begun.elapsed().as_secs_f64();
    stop.store(true, Relaxed);
    for task in tasks {
        task.await?;
    }
    println!("{{\"callers\": {callers}, \"gets_per_second\": {rate:.0}}}");
    Ok(())
}
