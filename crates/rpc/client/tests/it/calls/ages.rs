//! Connections that are replaced because they are old.

use super::support::*;
use crate::common::*;
use polywire_client::Pooling;
use polywire_machine_testing::lab::{Frame, Kind};
use polywire_wire::Connections;
use std::time::Duration;

const AGE: Duration = Duration::from_secs(100);

/// The connection ends after a goodbye.
async fn ends(peer: &mut Peer) {
    assert_eq!(peer.frame().await.kind, Kind::Close);
    peer.end().await;
}

#[test]
fn calls_go_to_a_new_connection_and_the_old_one_ends_with_those_that_it_has() {
    run_paused(async {
        let (builder, mut peers) = channel();
        let channel = builder.pooling(Pooling::default().age(AGE)).timeout(None).build().expect("a channel");
        let mut first = echo(&channel, b"first").into_future();
        sent(&mut first).await;
        let mut old = peers.recv().await.expect("a connection");
        let first_id = old.frame().await.id;
        tokio::time::sleep(AGE * 8 / 10).await;
        let mut second = echo(&channel, b"second").into_future();
        sent(&mut second).await;
        let second_id = old.frame().await.id;
        tokio::time::sleep(AGE * 4 / 10).await;
        let mut third = echo(&channel, b"third").into_future();
        sent(&mut third).await;
        let mut new = peers.recv().await.expect("another connection");
        let third_id = new.frame().await.id;
        tokio::time::sleep(AGE / 100 * 5).await;
        for (id, call) in [(first_id, first), (second_id, second)] {
            old.send(Frame::reply(id, b"x")).await;
            assert_eq!(body(call.await), b"x");
        }
        ends(&mut old).await;
        new.send(Frame::reply(third_id, b"y")).await;
        assert_eq!(body(third.await), b"y");
        assert_eq!(channel.connections_made(), 2);
    });
}

#[test]
fn a_stream_outlives_the_age_of_its_connection() {
    run_paused(async {
        let (builder, mut peers) = channel();
        let channel = builder.pooling(Pooling::default().age(AGE)).build().expect("a channel");
        let mut stream = channel.stream(ECHO).await.expect("a stream");
        let mut old = peers.recv().await.expect("a connection");
        let id = old.frame().await.id;
        for _ in 0..5 {
            tokio::time::sleep(AGE).await;
            stream.send(&b"ping"[..]).await.expect("it is sent");
            old.frame().await;
            old.send(Frame::part(id, b"pong")).await;
            assert_eq!(stream.next().await.expect("a part").expect("a good one").bytes.to_vec(), b"pong");
        }
        drop(stream);
        old.frame().await;
        ends(&mut old).await;
    });
}

/// A thread may have chosen the connection just before.
#[test]
fn an_idle_connection_stays_for_a_second_after_its_age() {
    run_paused(async {
        let (builder, mut peers) = channel();
        let channel = builder.pooling(Pooling::default().age(AGE)).build().expect("a channel");
        let mut call = echo(&channel, b"").into_future();
        sent(&mut call).await;
        let mut old = peers.recv().await.expect("a connection");
        let begun = tokio::time::Instant::now();
        let id = old.frame().await.id;
        old.send(Frame::reply(id, b"")).await;
        body(call.await);
        ends(&mut old).await;
        let age = begun.elapsed();
        assert!(age >= AGE * 9 / 10 + Duration::from_secs(1), "{age:?}");
        assert!(age <= AGE * 11 / 10 + Duration::from_millis(1010), "{age:?}");
    });
}

#[test]
fn a_connection_without_calls_is_closed_after_a_while_and_one_with_a_call_is_not() {
    for kind in [Connections::Single, Connections::Pooled] {
        run_paused(async {
            let idle = Duration::from_secs(10);
            let (builder, mut peers) = channel();
            let channel = builder
                .pooling(Pooling::default().idle(idle).kind(kind))
                .timeout(None)
                .build()
                .expect("a channel");
            let mut call = echo(&channel, b"").into_future();
            sent(&mut call).await;
            let mut peer = peers.recv().await.expect("a connection");
            let id = peer.frame().await.id;
            tokio::time::sleep(idle * 10).await;
            peer.send(Frame::reply(id, b"x")).await;
            assert_eq!(body(call.await), b"x", "a slow call is no idle connection");
            for _ in 0..10 {
                tokio::time::sleep(idle * 9 / 10).await;
                let mut call = echo(&channel, b"").into_future();
                sent(&mut call).await;
                let id = peer.frame().await.id;
                peer.send(Frame::reply(id, b"y")).await;
                assert_eq!(body(call.await), b"y");
            }
            let begun = tokio::time::Instant::now();
            ends(&mut peer).await;
            assert!(begun.elapsed() >= idle && begun.elapsed() <= idle * 2 + Duration::from_secs(2));
            let mut call = echo(&channel, b"").into_future();
            sent(&mut call).await;
            let mut peer = peers.recv().await.expect("a new connection");
            let id = peer.frame().await.id;
            peer.send(Frame::reply(id, b"z")).await;
            assert_eq!(body(call.await), b"z");
        });
    }
}
