//! The client of Redis against servers that lose connections and sentinels that lie; commands that run before they are awaited.
#![cfg(feature = "redis")]

use polywire::{Channel, Code, Server, redis};
use std::{
    io::Read,
    net::TcpListener,
    sync::{Arc, Mutex},
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
            let Ok(n) = stream.and_then(|mut stream| stream.read(&mut bytes)) else { return };
            if n > 0 {
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
    let channel = Channel::builder(address).protocol("redis").retries(2).build()?;
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
