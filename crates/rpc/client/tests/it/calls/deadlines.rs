//! Deadlines of calls, and what the error says of them.

use super::support::*;
use crate::common::*;
use polywire_call::{Code, Origin, brpc};
use polywire_client::{Channel, NoProtocols, Pooling};
use polywire_engine::{Transport, transport};
use polywire_machine_testing::lab::{self, Frame, Kind};
use polywire_wire::Limits;
use std::{pin::pin, task::Poll, time::Instant};

#[test]
fn a_deadline_ends_the_call_and_tells_the_peer() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let watching = async {
            let mut peer = peers.recv().await.expect("one connection");
            let call = peer.frame().await;
            assert!(call.a > 0 && call.a <= 20, "it says how long it waits: {}", call.a);
            let reset = peer.frame().await;
            assert_eq!((reset.kind, reset.id), (Kind::Reset, call.id));
            peer.send(Frame::reply(call.id, b"late")).await;
            peer
        };
        let (reply, _peer) = tokio::join!(echo(&channel, b"slow").timeout(ms(20)), watching);
        let status = reply.expect_err("nobody answered");
        assert_eq!((status.code(), status.origin()), (Code::DeadlineExceeded, Origin::Local));
        assert_eq!(brpc::number(&status), brpc::ERPCTIMEDOUT);
    });
}

#[test]
fn a_server_is_told_no_more_than_the_timeout() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.pooling(Pooling::default().homes(1)).build().expect("a channel");
        let serving = async {
            let mut peer = peers.recv().await.expect("one connection");
            let call = peer.frame().await;
            peer.send(Frame::reply(call.id, b"")).await;
            peer
        };
        let (reply, mut peer) = tokio::join!(echo(&channel, b"here"), serving);
        reply.expect("a reply");
        let later = tokio::task::spawn_blocking(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
            runtime.expect("a runtime").block_on(async {
                tokio::time::advance(ms(700)).await;
                echo(&channel, b"by a clock that is ahead").timeout(ms(2000)).await
            })
        });
        let call = peer.frame().await;
        assert!(call.a > 1000 && call.a <= 2000, "{} ms", call.a);
        peer.send(Frame::reply(call.id, b"")).await;
        later.await.expect("no panic").expect("a reply");
    });
}

#[test]
fn a_deadline_that_has_passed_sends_nothing() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let past = Instant::now();
        let status = echo(&channel, b"").deadline(Some(past)).await.expect_err("too late");
        assert_eq!(status.code(), Code::DeadlineExceeded);
        let mut peer = peers.recv().await.expect("it connected");
        drop(channel);
        assert_eq!(peer.frame().await.kind, Kind::Close);
    });
}

#[test]
fn a_deadline_runs_while_the_connection_is_made() {
    run(async {
        let builder = Channel::<NoProtocols>::builder("nowhere").protocol_set(lab::PROTOCOLS).protocol("lab");
        let channel = builder
            .connect_timeout(NEVER)
            .connector(|_| std::future::pending::<std::io::Result<transport::Memory>>())
            .build()
            .expect("a channel");
        let status = echo(&channel, b"").timeout(ms(20)).await.expect_err("nobody is there");
        assert_eq!(status.code(), Code::DeadlineExceeded);
    });
}

#[test]
fn a_deadline_that_has_passed_says_what_was_missing() {
    run(async {
        tokio::time::pause();
        let (channel, _, _) = refusing(usize::MAX);
        let call = || echo(&channel, b"").timeout(ms(200));
        let status = call().wait_for_ready(true).await.expect_err("nobody came");
        // Tried after 0, 10, 30, 70 and 150 ms.
        let text = "deadline exceeded after 200 ms: 5 tries, lab (cannot connect: connection refused)";
        assert_eq!((status.code(), status.message()), (Code::DeadlineExceeded, text));
        let (channel, _, _peers) = refusing(0);
        let call = || echo(&channel, b"").timeout(ms(200));
        let status = call().await.expect_err("it does not answer");
        assert_eq!(status.message(), "deadline exceeded after 200 ms: 1 try, lab (no reply)");
        let status = call().deadline(Some(polywire_engine::clock::now())).await.expect_err("too late");
        let text = "deadline exceeded after 0 ms: 1 try, lab (it had passed before the call was sent)";
        assert_eq!(status.message(), text);
        let mut stream = channel.stream(ECHO).timeout(ms(50)).await.expect("open");
        let status = stream.next().await.expect("its end").expect_err("it does not answer");
        assert_eq!(status.message(), "deadline exceeded: lab (the stream has not ended)");
    });
}

#[test]
fn a_deadline_makes_room_for_calls_that_wait() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.limits(Limits::default().exchanges(1)).build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("one connection");
            let slow = peer.frame().await;
            assert_eq!(peer.frame().await.kind, Kind::Reset);
            let next = peer.frame().await;
            assert_eq!((slow.called().1, next.called().1), (&b"slow"[..], &b"next"[..]));
            peer.send(Frame::reply(next.id, b"")).await;
            peer
        };
        let (slow, next, _) =
            tokio::join!(echo(&channel, b"slow").timeout(ms(20)), echo(&channel, b"next"), answering);
        assert_eq!(slow.expect_err("slow").code(), Code::DeadlineExceeded);
        next.expect("there was room");
    });
}

/// A transport that takes nothing and says nothing still lets calls end.
#[test]
fn a_silent_transport_hangs_nobody() {
    struct Silent(polywire_engine::Peer);
    impl Transport for Silent {
        fn poll_read(
            &mut self,
            _: &mut std::task::Context<'_>,
            _: &mut bytes::BytesMut,
            _: usize,
        ) -> Poll<std::io::Result<usize>> {
            Poll::Pending
        }
        fn poll_write(
            &mut self,
            _: &mut std::task::Context<'_>,
            _: &[std::io::IoSlice<'_>],
        ) -> Poll<std::io::Result<usize>> {
            Poll::Pending
        }
        fn shutdown(&mut self) {}
        fn peer(&self) -> &polywire_engine::Peer {
            &self.0
        }
        fn local(&self) -> &polywire_engine::Peer {
            &self.0
        }
    }
    run(async {
        let channel = Channel::<NoProtocols>::builder("silent")
            .protocol_set(lab::PROTOCOLS)
            .protocol("lab")
            .connector(|_| std::future::ready(Ok(Silent(polywire_engine::Peer::Memory("silent".into())))))
            .build()
            .expect("a channel");
        let calls: Vec<_> =
            (0..10).map(|n| tokio::spawn(echo(&channel, b"").timeout(ms(10 + n)).into_future())).collect();
        for call in calls {
            let status = call.await.expect("no panic").expect_err("silence");
            assert_eq!(status.code(), Code::DeadlineExceeded);
        }
        let mut late = pin!(echo(&channel, b"").timeout(ms(10)).into_future());
        let status = late.as_mut().await.expect_err("silence");
        assert_eq!(status.code(), Code::DeadlineExceeded);
    });
}
