//! Calls that wait for room on a connection, and peers that take nothing.

use super::support::*;
use crate::common::*;
use polywire_call::{Code, brpc};
use polywire_client::{Pooling, Resilience};
use polywire_engine::Fault;
use polywire_machine_testing::lab::{Frame, Kind};
use polywire_wire::Limits;
use std::time::Duration;

#[test]
fn calls_beyond_the_peers_limit_wait_in_their_order() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.limits(Limits::default().exchanges(2)).build().expect("a channel");
        let bodies: [&[u8]; 6] = [b"0", b"1", b"2", b"3", b"4", b"5"];
        let mut calls: Vec<_> = bodies.iter().map(|body| Some(echo(&channel, body).into_future())).collect();
        for call in calls.iter_mut().flatten() {
            sent(call).await;
        }
        let mut peer = peers.recv().await.expect("one connection");
        let (zero, one) = (peer.frame().await, peer.frame().await);
        assert_eq!((zero.called().1, one.called().1), (&b"0"[..], &b"1"[..]));
        // A reply makes room,
        peer.send(Frame::reply(one.id, b"")).await;
        assert_eq!(peer.frame().await.called().1, b"2");
        // a call that is given up makes room, and one that waits leaves its place,
        calls[3] = None;
        calls[0] = None;
        assert_eq!(peer.frame().await.kind, Kind::Reset);
        assert_eq!(peer.frame().await.called().1, b"4");
        // and the peer may make room.
        peer.send(Frame::new(Kind::Limit, 0).with(3)).await;
        assert_eq!(peer.frame().await.called().1, b"5");
    });
}

#[test]
fn a_peer_that_never_reads_is_owed_no_more_than_the_limit() {
    run(async {
        let (builder, mut peers) = channel_with(1000);
        let channel = builder
            .pooling(Pooling::default().max_unsent(100_000))
            .resilience(Resilience::default().retries(0))
            .build()
            .expect("a channel");
        let big = || channel.call(ECHO, bytes::Bytes::from(vec![0; 40_000])).into_future();
        let mut waiting = [big(), big(), big()];
        for call in &mut waiting {
            sent(call).await;
        }
        let _peer = peers.recv().await.expect("one connection");
        let status = big().await.expect_err("too much is unsent");
        assert_eq!(brpc::number(&status), brpc::EOVERCROWDED);
        assert!(status.is_unprocessed());
        assert_eq!(channel.faults().count(Fault::Overcrowded), 1);
    });
}

#[test]
fn a_peer_that_takes_nothing_for_too_long_is_given_up() {
    run(async {
        let (builder, mut peers) = channel_with(1000);
        let channel = builder
            .pooling(Pooling::default().write_stall(ms(30)))
            .resilience(Resilience::default().retries(0))
            .build()
            .expect("a channel");
        let big = channel.call(ECHO, bytes::Bytes::from(vec![0; 40_000]));
        let (reply, _peer) = tokio::join!(big.into_future(), peers.recv());
        let status = reply.expect_err("nobody reads");
        assert_eq!(status.message(), "lab (lab): the peer reads nothing");
        assert!(status.is_retryable() && !status.is_unprocessed());
        assert_eq!(channel.faults().count(Fault::WriteStall), 1);
    });
}

#[test]
fn a_limit_beyond_what_the_clock_can_tell_is_none() {
    run(async {
        let (builder, mut peers) = channel_with(1000);
        let channel = builder
            .pooling(Pooling::default().write_stall(Duration::MAX))
            .resilience(Resilience::default().retries(0))
            .build()
            .expect("a channel");
        let big = channel.call(ECHO, bytes::Bytes::from(vec![0; 40_000])).timeout(ms(30));
        let (reply, _peer) = tokio::join!(big.into_future(), peers.recv());
        assert_eq!(reply.expect_err("nobody reads").code(), Code::DeadlineExceeded);
    });
}
