//! Calls with one message each way: what goes out, how they end, when they are tried again.

mod ages;
mod connecting;
mod deadlines;
mod exclusive;
mod options;
mod retries;
mod room;
mod support;

use crate::common::*;
use polywire_call::Code;
use polywire_client::Resilience;
use polywire_engine::{Fault, memory::Memory};
use polywire_machine_testing::lab::{Frame, Kind};
use polywire_wire::Limits;
use std::sync::Arc;
use support::*;

#[test]
fn replies_find_their_calls_in_any_order() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("one connection");
            let (first, second) = (peer.frame().await, peer.frame().await);
            assert_eq!(first.called(), ("test.Service/Echo", &b"one"[..]));
            assert_eq!(second.called(), ("test.Service/Echo", &b"two"[..]));
            peer.send(Frame::reply(second.id, b"TWO")).await;
            peer.send(Frame::reply(first.id, b"ONE")).await;
            peer
        };
        let (one, two, _) = tokio::join!(echo(&channel, b"one"), echo(&channel, b"two"), answering);
        assert_eq!((body(one), body(two)), (b"ONE".to_vec(), b"TWO".to_vec()));
        assert_eq!(channel.connections_made(), 1);
    });
}

#[test]
fn a_call_that_is_not_awaited_sends_nothing() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        drop(echo(&channel, b"never"));
        drop(echo(&channel, b"never").into_future());
        assert_eq!(channel.connections_made(), 0);
        drop(channel);
        assert!(peers.recv().await.is_none());
    });
}

#[test]
fn a_dropped_call_is_reset_and_its_late_reply_finds_nobody() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let mut call = echo(&channel, b"one").into_future();
        sent(&mut call).await;
        let mut peer = peers.recv().await.expect("one connection");
        let dropped = peer.frame().await;
        drop(call);
        let reset = peer.frame().await;
        assert_eq!((reset.kind, reset.id), (Kind::Reset, dropped.id));
        let answering = async {
            let next = peer.frame().await;
            assert_ne!(next.id, dropped.id, "the slot is used again, under another id");
            peer.send(Frame::reply(dropped.id, b"late")).await;
            peer.send(Frame::reply(next.id, b"right")).await;
        };
        let (reply, ()) = tokio::join!(echo(&channel, b"two"), answering);
        assert_eq!(body(reply), b"right");
    });
}

#[test]
fn a_peer_that_breaks_the_protocol_fails_the_calls_and_is_counted() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.resilience(Resilience::default().retries(0)).build().expect("a channel");
        for bytes in [&b"????"[..], b"K0000000000000000000000000", b"L?000000000000000000000000"] {
            let breaking = async {
                let mut peer = peers.recv().await.expect("a connection");
                peer.frame().await;
                peer.send_bytes(bytes).await;
                while peer.read().await > 0 {}
            };
            let (reply, ()) = tokio::join!(echo(&channel, b""), breaking);
            let status = reply.expect_err("broken");
            assert!(status.message().starts_with("lab (lab): the peer broke the protocol"), "{status}");
        }
        assert_eq!(channel.faults().count(Fault::Malformed), 3);
    });
}

#[test]
fn a_peer_that_speaks_something_else_is_named_with_what_it_said() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("it connected");
            peer.frame().await;
            peer.send_bytes(b"HTTP/1.1 400 Bad Request\r\nServer: some\r\n\r\n").await;
            peer
        };
        let (reply, _peer) = tokio::join!(echo(&channel, b"").retries(0).into_future(), answering);
        let text = "lab (lab): the peer broke the protocol: bytes of another protocol, \
                    beginning \"HTTP/1.1 400 Bad Request\\r\\nServer\"";
        assert_eq!(reply.expect_err("no lab").message(), text);
    });
}

#[test]
fn a_reply_that_is_too_large_is_refused_and_the_connection_lives() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.limits(Limits::default().max_message(100)).build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("a connection");
            for n in [101, 100] {
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, &vec![0; n])).await;
            }
            peer
        };
        let asking = async {
            let status = echo(&channel, b"").await.expect_err("too large");
            assert_eq!(status.code(), Code::ResourceExhausted);
            assert_eq!(body(echo(&channel, b"").await).len(), 100);
        };
        tokio::join!(asking, answering);
    });
}

#[test]
fn replies_beyond_the_budget_of_memory_fail_their_calls_and_the_connection_lives() {
    run(async {
        let (builder, mut peers) = channel();
        let memory = Arc::new(Memory::new(25_000, usize::MAX));
        let channel = builder.memory(memory.clone()).build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("a connection");
            for n in [20_000, 30_000, 20_000] {
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, &vec![7; n])).await;
            }
            peer
        };
        let asking = async {
            assert_eq!(body(echo(&channel, b"").await), [7; 20_000]);
            assert_eq!((memory.report().used, memory.report().highest), (0, 20_000));
            let status = echo(&channel, b"").await.expect_err("no room");
            assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
            assert_eq!(status.message(), "the reply has no room in the budget of memory");
            memory.recharge(0, 10_000); // of somebody else
            let status = echo(&channel, b"").await.expect_err("no room");
            assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
            assert_eq!((memory.report().used, memory.report().refused), (10_000, 2));
        };
        tokio::join!(asking, answering);
    });
}

#[test]
fn the_credential_goes_out_once_per_connection() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.credential("sesame").build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("a connection");
            let auth = peer.frame().await;
            assert_eq!((auth.kind, &auth.body[..]), (Kind::Auth, &b"sesame"[..]));
            for _ in 0..2 {
                let call = peer.frame().await;
                assert_eq!(call.kind, Kind::Open);
                peer.send(Frame::reply(call.id, b"")).await;
            }
            peer
        };
        let (one, two, _) = tokio::join!(echo(&channel, b""), echo(&channel, b""), answering);
        one.expect("in");
        two.expect("in");
    });
}
