//! Servers that cannot be reached, or only after a while.

use super::support::*;
use crate::common::*;
use polywire_call::{Code, Origin, brpc};
use polywire_client::{Channel, ChannelError, NoProtocols, Pooling};
use polywire_engine::transport;
use polywire_machine_testing::lab::{self, Frame};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::*},
    },
    time::Duration,
};

#[test]
fn connecting_has_a_limit_and_failures_a_pause() {
    run(async {
        let tries = Arc::new(AtomicUsize::new(0));
        let tried = tries.clone();
        let channel = Channel::<NoProtocols>::builder("nowhere")
            .protocol_set(lab::PROTOCOLS)
            .protocol("lab")
            .connect_timeout(ms(20))
            .connector(move |_| {
                tried.fetch_add(1, SeqCst);
                std::future::pending::<std::io::Result<transport::Memory>>()
            })
            .build()
            .expect("a channel");
        let status = echo(&channel, b"").retries(0).await.expect_err("nobody is there");
        assert_eq!((status.code(), brpc::number(&status)), (Code::Unavailable, brpc::ETIMEDOUT));
        assert!(status.is_unprocessed() && status.origin() == Origin::Transport, "{status:?}");
        assert_eq!(tries.load(SeqCst), 1);
        let status = echo(&channel, b"").await.expect_err("not tried yet");
        let text = "cannot connect to nowhere: no connection within 20ms (not tried again yet)";
        assert_eq!((status.code(), status.message()), (Code::Unavailable, text));
        assert_eq!(tries.load(SeqCst), 1);
        let status = echo(&channel, b"").timeout(ms(5)).wait_for_ready(true).await.expect_err("nobody came");
        assert_eq!(status.code(), Code::DeadlineExceeded, "its deadline runs during the pause");
    });
}

#[test]
fn while_nobody_can_be_reached_calls_fail_at_once_and_say_why() {
    run(async {
        tokio::time::pause();
        let began = tokio::time::Instant::now();
        let (channel, tried, _) = refusing(usize::MAX);
        let texts = ["cannot connect to lab: connection refused"; 3];
        for (n, text) in texts.into_iter().enumerate() {
            let status = echo(&channel, b"").await.expect_err("refused");
            assert_eq!(status.code(), Code::Unavailable);
            assert!(status.message().starts_with(text), "{status}");
            assert_eq!(status.message().contains("not tried again yet"), n > 0, "{status}");
        }
        assert_eq!((tried.load(SeqCst), began.elapsed()), (1, Duration::ZERO));
        tokio::time::advance(ms(10)).await; // the pause is over
        assert!(echo(&channel, b"").await.is_err(), "refused again");
        assert_eq!(tried.load(SeqCst), 2);
    });
}

#[test]
fn a_connection_that_cannot_be_made_is_nothing_to_calls_while_there_is_another() {
    run(async {
        let (connects, mut peers) = tokio::sync::mpsc::unbounded_channel();
        let made = Arc::new(AtomicUsize::new(0));
        let tries = made.clone();
        let builder = Channel::<NoProtocols>::builder("lab").protocol_set(lab::PROTOCOLS).protocol("lab");
        let builder = builder.pooling(Pooling::default().connections(2)).connector(move |_| {
            let (ours, theirs) = transport::duplex("lab", 1000);
            std::future::ready(if tries.fetch_add(1, SeqCst) == 0 {
                connects.send(Peer::new(theirs)).expect("the test listens");
                Ok(ours)
            } else {
                Err(std::io::ErrorKind::ConnectionRefused.into())
            })
        });
        let channel = builder.build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("the first connection");
            for _ in 0..10 {
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, b"back")).await;
            }
            peer
        };
        let calling = async {
            for _ in 0..10 {
                assert_eq!(body(echo(&channel, b"").await), b"back");
            }
        };
        tokio::join!(calling, answering);
        assert!(made.load(SeqCst) > 1, "another connection was tried");
    });
}

#[test]
fn a_refused_connection_is_said_and_the_next_one_may_succeed() {
    run(async {
        let refuse = Arc::new(AtomicUsize::new(1));
        let (refusals, (connects, mut peers)) = (refuse.clone(), tokio::sync::mpsc::unbounded_channel());
        let channel = Channel::<NoProtocols>::builder("lab")
            .protocol_set(lab::PROTOCOLS)
            .protocol("lab")
            .connector(move |_| {
                let refused = refusals.swap(0, SeqCst) > 0;
                let (ours, theirs) = transport::duplex("lab", 1000);
                if !refused {
                    connects.send(Peer::new(theirs)).expect("the test listens");
                }
                std::future::ready(if refused {
                    Err(std::io::ErrorKind::ConnectionRefused.into())
                } else {
                    Ok(ours)
                })
            })
            .build()
            .expect("a channel");
        let status = echo(&channel, b"").retries(0).await.expect_err("refused");
        assert_eq!(brpc::number(&status), brpc::ECONNREFUSED);
        let answering = async {
            let mut peer = peers.recv().await.expect("the second try");
            let call = peer.frame().await;
            peer.send(Frame::reply(call.id, b"back")).await;
            peer
        };
        // The pause after a failure is 10 ms: a call that does not wait for its end may fail, one that does
        // comes through.
        if let Err(status) = echo(&channel, b"").retries(0).timeout(ms(1)).await {
            assert!(status.is_unprocessed() || status.code() == Code::DeadlineExceeded, "{status:?}");
        }
        let asking = echo(&channel, b"").retries(0).wait_for_ready(true).into_future();
        let (reply, _) = tokio::join!(asking, answering);
        assert_eq!(body(reply), b"back");
        assert_eq!(channel.connections_made(), 2, "a refused one and a good one");
    });
}

#[test]
fn connect_says_whether_somebody_is_there() {
    run(async {
        struct Lab;
        impl polywire_naming::Naming for Lab {}
        impl polywire_routing::Routing for Lab {}
        impl polywire_wire::Protocols for Lab {
            fn protocol_set() -> polywire_wire::ProtocolSet {
                static ALL: [&polywire_wire::Protocol; 1] = [&lab::LAB];
                polywire_wire::ProtocolSet::new(&ALL).with_default(&lab::LAB)
            }
        }
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound").to_string();
        Channel::<Lab>::connect(&address).await.expect("somebody is there");
        drop(listener);
        let error = Channel::<Lab>::connect(&address).await.err().expect("nobody is there");
        assert!(matches!(&error, ChannelError::Connect(status) if status.is_unprocessed()), "{error}");
    });
}

#[test]
fn byte_streams_are_made_as_the_connections_of_a_channel() {
    run(async {
        let builder = || Channel::<NoProtocols>::builder("there").connect_timeout(ms(20));
        let streams = builder().connector(|address| {
            let (ours, _theirs) = transport::duplex(address, 16);
            std::future::ready(Ok(ours))
        });
        let streams = streams.byte_streams().expect("good options");
        let stream = streams.connect().await.expect("it is made");
        assert_eq!((streams.address(), stream.peer().to_string()), ("there", "memory:there".to_owned()));

        let never = builder().connector(|_| std::future::pending::<std::io::Result<transport::Memory>>());
        let never = never.byte_streams().expect("good options").connect().await;
        assert_eq!(never.err().expect("too late").kind(), std::io::ErrorKind::TimedOut);

        let wrong = builder().byte_streams().expect_err("no port").to_string();
        assert!(wrong.contains("has no host and port"), "{wrong}");
    });
}
