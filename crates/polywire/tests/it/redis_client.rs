//! The client of Redis against servers that lose connections and sentinels that lie; commands that run before
//! they are awaited.
#![cfg(all(feature = "redis", feature = "testkit"))]

use polywire::{
    Channel, Code, Connections, Resilience, Running, Server,
    redis::{self, Commands, Event, Value},
    testkit::Net,
};
use std::{
    io::Read,
    net::TcpListener,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn run(test: impl Future<Output = Tested>) -> Tested {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(test)
}

/// A server that takes commands and closes, as one that dies before it answers.
fn mute() -> Result<(String, Arc<Mutex<Vec<String>>>), std::io::Error> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let taken = seen.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut bytes = [0; 1024];
            let Ok(mut stream) = stream else { return };
            let Ok(n) = stream.read(&mut bytes) else { return };
            if n > 0 {
                // Before the stream is dropped: then the client goes on.
                taken.lock().expect("whole").push(String::from_utf8_lossy(&bytes[..n]).into_owned());
            }
        }
    });
    Ok((address, seen))
}

#[test]
fn only_what_changes_nothing_is_sent_again_after_its_connection_was_lost() -> Tested {
    let (address, seen) = mute()?;
    let times = || std::mem::take(&mut *seen.lock().expect("whole")).len();
    let channel =
        Channel::builder(address).protocol("redis").resilience(Resilience::default().retries(2)).build()?;
    run(async {
        let redis = redis::Client::new(channel);
        let lost = |failed: polywire::Status| assert_eq!(failed.code(), Code::Unavailable, "{failed}");
        lost(redis.incr("n").await.expect_err("lost"));
        assert_eq!(times(), 1, "a counter would count twice");
        lost(redis.get::<i64>("n").await.expect_err("lost"));
        assert_eq!(times(), 3);
        lost(redis.incr("n").repeatable().await.expect_err("lost"));
        assert_eq!(times(), 3);
        lost(redis.pipeline().get("n").incr("n").read::<(i64, i64)>().await.expect_err("lost"));
        assert_eq!(times(), 1);
        lost(redis.pipeline().get("n").get("m").read::<(i64, i64)>().await.expect_err("lost"));
        assert_eq!(times(), 3);
        lost(redis.call::<i64>(&redis::Command::new("BF.ADD").key("n").arg(1)).await.expect_err("lost"));
        assert_eq!(times(), 1, "nobody knows what it does");
        Ok(())
    })
}

/// A node of a cluster in memory, which tells `table` and answers GET by its own name. SET is never answered.
fn node(net: &Net, name: &'static str, table: &Arc<Mutex<Value>>, looks: &Arc<AtomicUsize>) {
    let (told, counted) = (table.clone(), looks.clone());
    let commands = Commands::new()
        .on("cluster", -2, move |_, args| {
            if args[1].eq_ignore_ascii_case(b"SHARDS") {
                return Value::error("ERR Unknown subcommand"); // as before 7.0
            }
            counted.fetch_add(1, Relaxed);
            told.lock().expect("whole").clone()
        })
        .on("get", 2, move |_, _| Value::from(name))
        .on_async("set", 3, |_, _| Box::pin(std::future::pending()));
    net.serve(&format!("{name}:1"), Server::new().service(redis::service(commands)));
}

/// A table by which the node of this name has all slots.
fn all_slots(name: &str) -> Value {
    let node = Value::Array(vec![name.into(), Value::Integer(1), "id".into()]);
    Value::Array(vec![Value::Array(vec![Value::Integer(0), Value::Integer(16383), node])])
}

/// A cluster of the nodes `a` and `b`, of which `a` has all slots; and how often a table was read.
fn cluster(interval: Option<Duration>) -> (Net, redis::Cluster, Arc<Mutex<Value>>, Arc<AtomicUsize>) {
    let net = Net::seeded(7);
    let (table, looks) = (Arc::new(Mutex::new(all_slots("a"))), Arc::new(AtomicUsize::new(0)));
    node(&net, "a", &table, &looks);
    node(&net, "b", &table, &looks);
    let host = net.host("client");
    let cluster = redis::Cluster::builder(["a:1"]).refresh_interval(interval);
    let cluster = cluster.channel(move |builder| host.connecting(builder)).build().expect("valid options");
    (net, cluster, table, looks)
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn an_old_table_is_read_once_beside_the_calls_that_find_it_old() -> Tested {
    let (_net, cluster, table, looks) = cluster(Some(60 * SECOND));
    let redis = cluster.client();
    assert_eq!(redis.get::<String>("k").await?, "a");
    *table.lock().expect("whole") = all_slots("b"); // and `a` goes on as if it knew nothing of it
    for _ in 0..53 {
        tokio::time::sleep(SECOND).await;
        assert_eq!((redis.get::<String>("k").await?, looks.load(Relaxed)), ("a".to_owned(), 1));
    }
    tokio::time::sleep(14 * SECOND).await; // 67 s: a tenth more at most
    let callers: Vec<_> = (0..200)
        .map(|_| {
            let redis = redis.clone();
            tokio::spawn(async move { redis.get::<String>("k").await })
        })
        .collect();
    for caller in callers {
        assert_eq!(caller.await??, "a", "nobody waits for the new table");
    }
    tokio::time::sleep(SECOND).await;
    assert_eq!((redis.get::<String>("k").await?, looks.load(Relaxed)), ("b".to_owned(), 2));
    tokio::time::sleep(3600 * SECOND).await;
    assert_eq!(looks.load(Relaxed), 2, "nobody calls");
    Ok(())
}

#[tokio::test]
async fn without_an_interval_a_table_that_serves_is_never_read_again() -> Tested {
    let (_net, cluster, _, looks) = cluster(None);
    let redis = cluster.client();
    for _ in 0..48 {
        assert_eq!(redis.get::<String>("k").await?, "a");
        tokio::time::sleep(3600 * SECOND).await;
    }
    assert_eq!(looks.load(Relaxed), 1);
    Ok(())
}

#[tokio::test]
async fn after_a_lost_connection_the_table_is_read_though_the_command_is_not_sent_again() -> Tested {
    let (net, cluster, table, looks) = cluster(None);
    let redis = cluster.client();
    assert_eq!(redis.get::<String>("k").await?, "a");
    let writes: Vec<_> = (0..100).map(|at| redis.set("k", at).start()).collect();
    tokio::time::sleep(SECOND / 2).await;
    *table.lock().expect("whole") = all_slots("b");
    net.link("a:1").reset();
    for write in writes {
        assert_eq!(write.await.expect_err("its connection was lost").code(), Code::Unavailable);
    }
    tokio::time::sleep(SECOND).await;
    assert_eq!(looks.load(Relaxed), 2, "once for all of them");
    assert_eq!(redis.get::<String>("k").await?, "b");
    Ok(())
}

#[test]
fn commands_are_sent_before_they_are_awaited_and_dropping_one_leaves_the_others() -> Tested {
    run(async {
        let store = Server::new().service(redis::service(redis::Store::default())).listen("127.0.0.1:0");
        let store = store.start()?;
        let channel = Channel::builder(store.addresses()[0].to_string()).protocol("redis").build()?;
        let redis = redis::Client::new(channel);
        let (one, two) = (redis.incr("n").start(), redis.incr("n").start());
        let both = redis.pipeline().incr("n").incr("n").read::<(i64, i64)>().start();
        assert_eq!(redis.get::<i64>("n").await?, 4, "those before it were sent before it");
        assert_eq!((one.await?, two.await?, both.await?), (1, 2, (3, 4)));
        drop(redis.incr("n").start());
        let wrong = redis.lpush("n", [1]).start();
        assert_eq!(redis.incr("other").start().await?, 1, "not the reply of another command");
        assert_eq!(wrong.await.expect_err("it is a number").code(), Code::FailedPrecondition);
        let refused = redis::Cluster::builder(["a:1"]).build()?.client();
        let refused = refused.mget::<Vec<i64>>(["foo", "bar"]).start();
        assert!(refused.is_finished(), "it cannot be sent");
        assert_eq!(refused.await.expect_err("two slots").code(), Code::InvalidArgument);
        Ok(())
    })
}

#[test]
fn a_plain_thread_has_commands_under_way() -> Tested {
    let store =
        Server::new().service(redis::service(redis::Store::default())).listen("127.0.0.1:0").start()?;
    let channel = Channel::builder(store.addresses()[0].to_string()).protocol("redis").build()?;
    let redis = redis::Client::new(channel);
    let started: Result<Vec<_>, _> = (0..10).map(|_| redis.incr("n").start_blocking()).collect();
    let mut found = Vec::new();
    for mut one in started? {
        found.push(one.wait()?);
    }
    found.sort_unstable();
    assert_eq!(found, (1..=10).collect::<Vec<i64>>());
    Ok(())
}

/// A sentinel that names this host and port, or answers something else.
fn sentinel(answer: Value) -> Running {
    let commands = Commands::new().on("sentinel", -2, move |_, _| answer.clone());
    Server::new().service(redis::service(commands)).listen("127.0.0.1:0").start().expect("a port is free")
}

/// A server with this role, whose name is what GET answers.
fn server(role: Value, name: &'static str) -> Running {
    let commands =
        Commands::new().on("role", 1, move |_, _| role.clone()).on("get", 2, move |_, _| Value::from(name));
    Server::new().service(redis::service(commands)).listen("127.0.0.1:0").start().expect("a port is free")
}

fn named(running: &Running) -> Value {
    let address = running.addresses()[0].to_string();
    let (host, port) = address.rsplit_once(':').expect("a port");
    Value::Array(vec![host.into(), port.into()])
}

#[test]
fn a_sentinel_that_lies_is_passed_over() -> Tested {
    let role = |name: &str| Value::Array(vec![name.into(), Value::Integer(0), Value::Array(Vec::new())]);
    let (master, replica) = (server(role("master"), "master"), server(role("slave"), "replica"));
    let endless = Value::Array(vec!["h".repeat(2 << 20).into(), "1".into()]);
    let pair = |host: &str, port: &str| Value::Array(vec![host.into(), port.into()]);
    for lie in [
        named(&replica),
        endless,
        Value::Null,
        Value::OK,
        Value::Integer(1),
        Value::error("ERR unknown command"),
        Value::Array(Vec::new()),
        Value::Array((0..1000).map(Value::Integer).collect()),
        pair("127.0.0.1", "0"),
        pair("127.0.0.1", "65536"),
        pair("127.0.0.1", "-1"),
        pair("not an address", "1"),
        pair("/tmp/socket", "1"),
        pair("", "1"),
        pair("a,b", "1"),
    ] {
        let said = format!("{lie:?}").chars().take(100).collect::<String>();
        let (liar, honest) = (sentinel(lie), sentinel(named(&master)));
        run(async {
            let addresses = [&liar, &honest].map(|one| one.addresses()[0].to_string());
            let source = redis::Sentinel::new("orders", addresses)?;
            let channel = Channel::builder("orders").servers(source).protocol("redis");
            let channel = channel.wait_for_ready(true).timeout(20 * SECOND).build()?;
            assert_eq!(redis::Client::new(channel).get::<String>("k").await?, "master", "{said}");
            Ok(())
        })?;
    }
    Ok(())
}

/// A server in memory that takes itself for a master, and answers GET by its own name.
fn master(net: &Net, name: &'static str) {
    let commands = Commands::new()
        .on("role", 1, |_, _| Value::Array(vec!["master".into(), Value::Integer(0)]))
        .on("get", 2, move |_, _| Value::from(name))
        .on("subscribe", 2, |_, args| {
            Value::Array(vec!["subscribe".into(), Value::bulk(args[1]), Value::Integer(1)])
        });
    net.serve(&format!("{name}:1"), Server::new().service(redis::service(commands)));
}

#[tokio::test]
async fn nobody_stays_with_a_master_that_goes_on_after_it_was_replaced() -> Tested {
    let net = Net::seeded(7);
    master(&net, "a");
    master(&net, "b");
    let named: Arc<Mutex<&str>> = Arc::new(Mutex::new("a"));
    let told = named.clone();
    let commands = Commands::new().on("sentinel", 3, move |_, _| {
        Value::Array(vec![Value::from(*told.lock().expect("whole")), "1".into()])
    });
    net.serve("sentinel:1", Server::new().service(redis::service(commands)));
    let host = net.host("client");
    let client = |kind| -> Result<redis::Client, Box<dyn std::error::Error>> {
        let (here, there) = (host.clone(), host.clone());
        let source = redis::Sentinel::new("orders", ["sentinel:1"])?.channel(move |one| here.connecting(one));
        let source = source.sentinel_channel(move |one| there.connecting(one))?;
        let channel = host.connecting(Channel::builder("orders").servers(source));
        Ok(redis::Client::new(channel.protocol("redis").kind(kind).wait_for_ready(true).build()?))
    };
    let (calls, own) = (client(Connections::Single)?, client(Connections::Short)?);
    assert_eq!(calls.get::<String>("k").await?, "a");
    let (mut session, mut news) = (own.session("k").await?, own.subscriber());
    assert_eq!(session.get::<String>("k").await?, "a");
    news.subscribe(["news"]).await?;
    assert!(matches!(news.next().await, Event::Subscribed(..)));
    tokio::time::sleep(3 * SECOND).await;
    assert_eq!(session.get::<String>("k").await?, "a", "it is asked again and again, and nothing changes");

    *named.lock().expect("whole") = "b";
    let begun = tokio::time::Instant::now();
    let Event::Lost(why) = news.next().await else { panic!("it has lost its master") };
    assert!(why.message().contains("no more") && begun.elapsed() <= 3 * SECOND, "{why}");
    assert!(matches!(news.next().await, Event::Subscribed(..)));
    let ended = session.get::<String>("k").await.expect_err("it has lost its master");
    assert_eq!((ended.code(), ended.is_unprocessed()), (Code::Unavailable, true));
    assert_eq!(own.session("k").await?.get::<String>("k").await?, "b");
    tokio::time::sleep(2 * SECOND).await; // the other channel asks by itself, a second later at most
    assert_eq!(calls.get::<String>("k").await?, "b");
    Ok(())
}

#[tokio::test]
async fn calls_follow_a_new_master_as_soon_as_the_sentinel_publishes_it() -> Tested {
    let net = Net::seeded(7);
    master(&net, "a");
    master(&net, "b");
    let named: Arc<Mutex<&str>> = Arc::new(Mutex::new("a"));
    let (told, switched) = (named.clone(), Arc::new(tokio::sync::Notify::new()));
    let published = switched.clone();
    let commands = Commands::new()
        .on("sentinel", 3, move |_, _| {
            Value::Array(vec![Value::from(*told.lock().expect("whole")), "1".into()])
        })
        // Its reply is the message, when there is one.
        .on_async("subscribe", 2, move |_, args| {
            assert_eq!(args[1], b"+switch-master");
            let published = published.clone();
            Box::pin(async move {
                published.notified().await;
                Value::Array(vec!["message".into(), "+switch-master".into(), "orders a 1 b 1".into()]).into()
            })
        });
    net.serve("sentinel:1", Server::new().service(redis::service(commands)));
    let host = net.host("client");
    let (here, there) = (host.clone(), host.clone());
    let source = redis::Sentinel::new("orders", ["sentinel:1"])?.channel(move |one| here.connecting(one));
    let source = source.sentinel_channel(move |one| there.connecting(one))?;
    let channel = host.connecting(Channel::builder("orders").servers(source)).protocol("redis");
    let redis = redis::Client::new(channel.wait_for_ready(true).build()?);
    // Else it is asked once a second: by chance it may be asked just then, but not each time.
    for name in ["a", "b", "a", "b", "a"] {
        *named.lock().expect("whole") = name;
        switched.notify_waiters();
        tokio::time::sleep(SECOND / 10).await;
        assert_eq!(redis.get::<String>("k").await?, name);
        net.link("sentinel:1").reset(); // it subscribes again, to the next message
        tokio::time::sleep(SECOND * 37 / 10).await;
    }
    Ok(())
}
