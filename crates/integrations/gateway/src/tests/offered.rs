//! Streams of brpc that one side breaks off, never reads, or opens without end.

use super::{Chain, Lab, SERVICE, chain, method, ms, ok};
use crate::{Cluster, Relay};
use polywire_call::Code;
use polywire_client::Target;
use polywire_server::{Call, Limiter, Method, Server, Service};
use polywire_testkit::Net;
use polywire_wire::Outcome;
use tokio::sync::mpsc;

const PLACE: Target = Target::fixed(SERVICE, "Place");

/// Accepts the streams of a call, and does with each what the message says. Answers calls without one.
fn does(tell: mpsc::UnboundedSender<String>) -> Method {
    method("Place", move |call: Call| {
        let tell = tell.clone();
        async move {
            let what = String::from_utf8_lossy(&call.body.to_vec()).into_owned();
            let streams = call.cx.accept_streams();
            let accept = !streams.is_empty();
            for mut stream in streams {
                let (tell, what) = (tell.clone(), what.clone());
                tokio::spawn(async move {
                    let end = match &*what {
                        "read" => loop {
                            match stream.next().await {
                                Some(Ok(_)) => {}
                                Some(Err(status)) => break status.code().to_string(),
                                None => break "over".to_owned(),
                            }
                        },
                        "pour" => loop {
                            if stream.send(vec![0; 64 << 10]).await.is_err() {
                                break "poured".to_owned();
                            }
                        },
                        _ => return std::future::pending().await,
                    };
                    let _ = tell.send(end);
                });
            }
            Ok(Outcome { accept, ..ok("") })
        }
    })
}

fn offered() -> (Chain, mpsc::UnboundedReceiver<String>) {
    let (tell, told) = mpsc::unbounded_channel();
    (chain("baidu_std", "baidu_std", does(tell)), told)
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_is_gone_has_not_ended_its_stream() {
    let (chain, mut told) = offered();
    let (_, mut stream) = chain.channel.call(PLACE, "read").with_stream().await.expect("a stream");
    stream.send("the first").await.expect("room");
    chain.net.link("relay:1").reset();
    let end = told.recv().await.expect("an end");
    assert_ne!(end, "over", "what is cut off is not whole");

    let (_, mut stream) = chain.channel.call(PLACE, "hold").with_stream().await.expect("a stream");
    chain.behind.crash();
    let end = stream.next().await.expect("a failure").expect_err("a failure");
    assert_eq!(end.code(), Code::Unavailable, "{end}");
}

/// The server does not read what the relay still has for it.
#[tokio::test(start_paused = true)]
async fn a_server_that_pours_and_never_reads_is_told_that_its_caller_is_gone() {
    const LONG: usize = 64 << 10;
    // More than the window of the server; and in the end more than the relay takes.
    for (messages, closes) in [(56, true), (1000, false)] {
        let (chain, mut told) = offered();
        let (_, stream) = chain.channel.call(PLACE, "pour").with_stream().await.expect("a stream");
        let (mut to, from) = stream.split();
        let sent = to.send_batch(vec![vec![0; LONG]; messages]);
        assert_eq!(tokio::time::timeout(ms(10_000), sent).await.is_ok(), closes);
        if closes {
            drop((to, from));
        } else {
            chain.net.link("relay:1").reset();
        }
        assert_eq!(told.recv().await.as_deref(), Some("poured"), "{closes}");
    }
}

#[tokio::test(start_paused = true)]
async fn callers_that_never_read_their_streams_do_not_stop_others() {
    let (chain, _told) = offered();
    let mut all = Vec::new();
    for k in 0..100 {
        // A connection each, so that it is not their own that stands still.
        let host = chain.net.host(&format!("host{k}"));
        let channel = host.builder("relay:1").protocol("baidu_std").build().expect("a channel");
        let stream = channel.call(PLACE, "pour").timeout(ms(1000)).with_stream().await;
        all.push((channel, stream));
    }
    tokio::time::sleep(ms(1000)).await;
    let other = chain.net.host("other").builder("relay:1").protocol("baidu_std").build().expect("a channel");
    other.call(PLACE, "").timeout(ms(30_000)).await.expect("a reply");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_room_for_its_streams_is_refused_and_stops_no_other() {
    let (chain, _told) = offered();
    let mut all = Vec::new();
    let hosts: Vec<_> = (0..3)
        .map(|k| {
            chain.net.host(&format!("host{k}")).builder("relay:1").protocol("baidu_std").build().unwrap()
        })
        .collect();
    for host in &hosts {
        for _ in 0..100 {
            match host.call(PLACE, "hold").timeout(ms(1000)).with_streams(8).await {
                Ok(streams) => all.push(streams),
                Err(_) => break,
            }
        }
    }
    assert!(all.len() > 100, "{}", all.len());
    let stuck = hosts[2].call(PLACE, "hold").timeout(ms(60_000)).with_streams(8);
    let (stuck, plain) = tokio::join!(stuck, hosts[2].call(PLACE, "").timeout(ms(10_000)));
    assert_eq!(stuck.map(drop).expect_err("no room").code(), Code::ResourceExhausted);
    plain.expect("a reply");
}

#[tokio::test(start_paused = true)]
async fn a_call_is_under_way_for_as_long_as_its_streams() {
    let net = Net::<Lab>::seeded(1);
    let (tell, _told) = mpsc::unbounded_channel();
    net.serve("behind:1", Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(does(tell))));
    let below = net.host("relay").builder("behind:1").protocol("baidu_std").build().expect("a channel");
    let limit = Limiter::new(1);
    let relay = Relay::to(Cluster::new(&below).limited(&limit));
    net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
    let channel = net.builder("relay:1").protocol("baidu_std").build().expect("a channel");
    let (_, streams) = channel.call(PLACE, "read").with_streams(2).await.expect("streams");
    assert_eq!(limit.current(), 1);
    let refused = channel.call(PLACE, "").await.expect_err("one is under way");
    assert_eq!(refused.code(), Code::ResourceExhausted, "{refused}");
    drop(streams);
    while limit.current() > 0 {
        tokio::time::sleep(ms(1)).await;
    }
    channel.call(PLACE, "").await.expect("a reply");
}
