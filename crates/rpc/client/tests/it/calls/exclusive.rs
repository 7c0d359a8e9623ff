//! Connections that serve one call at a time, and the end of a channel.

use super::support::*;
use crate::common::*;
use polywire_call::{Code, brpc};
use polywire_client::{Pooling, Resilience};
use polywire_machine_testing::lab::{Frame, Kind};
use polywire_wire::Connections;

#[test]
fn pooled_connections_have_one_call_at_a_time_and_are_used_again() {
    run(async {
        let (builder, mut peers) = channel();
        let channel =
            builder.pooling(Pooling::default().kind(Connections::Pooled)).build().expect("a channel");
        let answering = async {
            let (mut a, mut b) = (peers.recv().await.expect("one"), peers.recv().await.expect("two"));
            let (first, second) = (a.frame().await, b.frame().await);
            a.send(Frame::reply(first.id, first.called().1)).await;
            b.send(Frame::failure(second.id, brpc::EINTERNAL)).await; // a reply too: the connection is clean
            (a, b)
        };
        let (one, two, (mut a, mut b)) =
            tokio::join!(echo(&channel, b"one"), echo(&channel, b"two"), answering);
        assert_eq!(body(one), b"one");
        assert_eq!(brpc::number(&two.expect_err("an error")), brpc::EINTERNAL);
        // The last returned is the first taken.
        let answering = async {
            let call = tokio::select! { call = a.frame() => Ok(call), call = b.frame() => Err(call) };
            match call {
                Ok(call) => a.send(Frame::reply(call.id, b"again")).await,
                Err(call) => b.send(Frame::reply(call.id, b"again")).await,
            }
        };
        let (three, ()) = tokio::join!(echo(&channel, b"three"), answering);
        assert_eq!(body(three), b"again");
        assert_eq!(channel.connections_made(), 2);
    });
}

#[test]
fn a_pooled_connection_that_may_still_get_a_reply_is_not_used_again() {
    run(async {
        let (builder, mut peers) = channel();
        let channel =
            builder.pooling(Pooling::default().kind(Connections::Pooled)).build().expect("a channel");
        let watching = async {
            let mut peer = peers.recv().await.expect("one");
            peer.frame().await;
            assert_eq!(peer.frame().await.kind, Kind::Reset);
            assert_eq!(peer.frame().await.kind, Kind::Close);
            peer.end().await;
        };
        let (reply, ()) = tokio::join!(echo(&channel, b"slow").timeout(ms(20)), watching);
        assert_eq!(reply.expect_err("nobody answers").code(), Code::DeadlineExceeded);
        let answering = async {
            let mut peer = peers.recv().await.expect("two");
            let call = peer.frame().await;
            peer.send(Frame::reply(call.id, b"")).await;
            peer
        };
        let (reply, _) = tokio::join!(echo(&channel, b"next"), answering);
        reply.expect("answered");
        assert_eq!(channel.connections_made(), 2);
    });
}

#[test]
fn an_idle_connection_that_the_peer_closed_is_replaced_without_a_try() {
    run(async {
        for kind in [Connections::Pooled, Connections::Single] {
            let (builder, mut peers) = channel();
            let channel = builder
                .pooling(Pooling::default().kind(kind))
                .resilience(Resilience::default().retries(0))
                .build()
                .expect("a channel");
            for n in 0..3 {
                let answering = async {
                    let mut peer = peers.recv().await.expect("a connection");
                    let call = peer.frame().await;
                    peer.send(Frame::reply(call.id, b"")).await;
                    peer
                };
                let (reply, mut peer) = tokio::join!(echo(&channel, b""), answering);
                reply.expect("answered");
                peer.half_close();
                peer.end().await; // it has closed too: no call will find it
                assert_eq!(channel.connections_made(), n + 1);
            }
        }
    });
}

#[test]
fn short_connections_serve_one_call() {
    run(async {
        let (builder, mut peers) = channel();
        let channel =
            builder.pooling(Pooling::default().kind(Connections::Short)).build().expect("a channel");
        for n in 0..3 {
            let answering = async {
                let mut peer = peers.recv().await.expect("a connection");
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, b"")).await;
                assert_eq!(peer.frame().await.kind, Kind::Close);
                peer.end().await;
            };
            let (reply, ()) = tokio::join!(echo(&channel, b""), answering);
            reply.expect("answered");
            assert_eq!(channel.connections_made(), n + 1);
        }
    });
}

#[test]
fn a_dropped_channel_ends_its_connections_once_their_calls_have() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let mut call = echo(&channel, b"").into_future();
        sent(&mut call).await;
        let mut peer = peers.recv().await.expect("a connection");
        let open = peer.frame().await;
        drop(channel);
        peer.send(Frame::reply(open.id, b"still")).await;
        assert_eq!(body(call.await), b"still");
        assert_eq!(peer.frame().await.kind, Kind::Close);
        peer.end().await;
    });
}
