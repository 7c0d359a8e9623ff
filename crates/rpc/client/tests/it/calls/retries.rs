//! Which attempts are followed by another one.

use super::support::*;
use crate::common::*;
use polywire_call::{Code, Origin, brpc};
use polywire_client::Resilience;
use polywire_machine_testing::lab::{Frame, Kind};
use std::sync::atomic::Ordering::*;

#[test]
fn what_the_peer_did_not_process_is_tried_on_another_connection() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let answering = async {
            let mut first = peers.recv().await.expect("the first connection");
            let (one, two) = (first.frame().await, first.frame().await);
            first.send(Frame::new(Kind::Drain, 0)).await;
            first
                .send(Frame::new(Kind::Reset, two.id).with(brpc::ELOGOFF as u32).flag(Frame::UNPROCESSED))
                .await;
            let mut second = peers.recv().await.expect("another connection");
            let again = second.frame().await;
            assert_eq!(again.called(), ("test.Service/Echo", &b"two"[..]));
            second.send(Frame::reply(again.id, b"from the second")).await;
            first.send(Frame::reply(one.id, b"from the first")).await;
            assert_eq!(first.frame().await.kind, Kind::Close, "it ends once its calls have");
            first.end().await;
            second
        };
        let (one, two, _second) = tokio::join!(echo(&channel, b"one"), echo(&channel, b"two"), answering);
        assert_eq!((body(one), body(two)), (b"from the first".to_vec(), b"from the second".to_vec()));
    });
}

#[test]
fn only_what_may_be_tried_again_is_and_no_more_often_than_asked() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        for (number, retries, tries) in [
            (brpc::ELIMIT, 2, 3),
            (brpc::ELOGOFF, 1, 2),
            (brpc::ELIMIT, 0, 1),
            (brpc::EINTERNAL, 3, 1),
            (brpc::EREQUEST, 3, 1),
            (12345, 3, 1),
        ] {
            static PEER: tokio::sync::Mutex<Option<Peer>> = tokio::sync::Mutex::const_new(None);
            let answering = async {
                let mut peer = PEER.lock().await;
                if peer.is_none() {
                    *peer = peers.recv().await;
                }
                let peer = peer.as_mut().expect("one connection");
                for _ in 0..tries {
                    let call = peer.frame().await;
                    assert_eq!(call.called().1, b"again");
                    peer.send(Frame::failure(call.id, number)).await;
                }
            };
            let (reply, ()) = tokio::join!(echo(&channel, b"again").retries(retries), answering);
            assert_eq!(brpc::number(&reply.expect_err("refused each time")), number);
        }
        assert_eq!(channel.connections_made(), 1);
    });
}

#[test]
fn a_lost_connection_fails_its_calls_as_retryable_and_the_next_call_connects_anew() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.resilience(Resilience::default().retries(0)).build().expect("a channel");
        let losing = async {
            let mut peer = peers.recv().await.expect("the first connection");
            peer.frame().await;
            peer.frame().await;
        };
        let (one, two, ()) = tokio::join!(echo(&channel, b"one"), echo(&channel, b"two"), losing);
        for status in [one, two].map(|reply| reply.expect_err("lost")) {
            assert_eq!((brpc::number(&status), status.origin()), (brpc::EEOF, Origin::Transport));
            assert!(status.is_retryable() && !status.is_unprocessed(), "{status:?}");
        }
        let answering = async {
            let mut peer = peers.recv().await.expect("another connection");
            let call = peer.frame().await;
            peer.send(Frame::reply(call.id, b"alive")).await;
            peer
        };
        let (reply, _) = tokio::join!(echo(&channel, b"three"), answering);
        assert_eq!(body(reply), b"alive");
    });
}

#[test]
fn a_call_that_waits_for_its_server_counts_no_tries() {
    run(async {
        let (builder, tried, mut peers) = refusing_builder(4);
        let channel = builder.wait_for_ready(true).build().expect("a channel");
        let status = echo(&channel, b"").wait_for_ready(false).await.expect_err("it would rather not");
        assert_eq!(status.code(), Code::Unavailable);
        let answering = async {
            let mut peer = peers.recv().await.expect("the fifth attempt");
            for _ in 0..2 {
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, b"back")).await;
            }
            peer
        };
        let call = echo(&channel, b"").retries(0);
        let other = echo(&channel, b"").retries(0).wait_for_ready(true);
        let (reply, other, _peer) = tokio::join!(call, other, answering);
        assert_eq!((body(reply), body(other)), (b"back".to_vec(), b"back".to_vec()));
        assert_eq!(tried.load(SeqCst), 5);
    });
}
