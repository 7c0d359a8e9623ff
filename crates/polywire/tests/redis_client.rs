//! The client of Redis against servers that lose connections and sentinels that lie; commands that run before they are awaited.
#![cfg(feature = "redis")]

use polywire::{Channel, Code, redis};
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
