//! Streams from the caller's side: credit both ways, ends, and streams offered inside calls.

use crate::common::*;
use polywire_call::{Code, brpc};
use polywire_client::{Pooling, Target};
use polywire_engine::Engine;
use polywire_exchange::Pipe;
use polywire_machine_testing::lab::{Frame, Kind};
use polywire_wire::{Connections, Limits};
use std::time::Duration;

const TALK: Target = Target::fixed("test.Service", "Talk");

#[test]
fn messages_go_both_ways_until_the_last_words() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let mut stream = channel.stream(TALK).await.expect("open");
        let answering = async {
            let mut peer = peers.recv().await.expect("a connection");
            let open = peer.frame().await;
            assert_eq!(open.called(), ("test.Service/Talk", &b""[..]));
            assert!(open.has(Frame::STREAMED) && !open.has(Frame::FINISHED));
            peer.send(Frame::new(Kind::Answer, open.id).with(200)).await;
            for _ in 0..3 {
                let said = peer.frame().await;
                peer.send(Frame::part(open.id, &said.body)).await;
            }
            assert_eq!(peer.frame().await, Frame::new(Kind::Part, open.id).flag(Frame::FINISHED));
            peer.send(Frame::reply(open.id, b"bye")).await;
        };
        let talking = async {
            for said in ["one", "two", "three"] {
                stream.send(said).await.expect("the peer reads");
                let heard = stream.next().await.expect("a message").expect("no reset");
                assert_eq!(heard.bytes.to_vec(), said.as_bytes());
            }
            assert_eq!(stream.answer().map(|answer| answer.status), Some(200));
            stream.finish();
            assert_eq!(stream.send("more").await.expect_err("over").code(), Code::FailedPrecondition);
            assert!(stream.next().await.is_none());
            assert_eq!(stream.outcome().expect("last words").body.to_vec(), b"bye");
        };
        tokio::join!(talking, answering);
    });
}

#[test]
fn what_was_sent_before_the_end_is_read_before_it() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let mut stream = channel.stream(TALK).message("list, please").await.expect("open");
        let mut peer = peers.recv().await.expect("a connection");
        let open = peer.frame().await;
        assert_eq!((open.called().1, open.has(Frame::FINISHED)), (&b"list, please"[..], true));
        for said in [b"one", b"two"] {
            peer.send(Frame::part(open.id, said)).await;
        }
        peer.send(Frame::failure(open.id, brpc::EINTERNAL)).await;
        for said in [b"one", b"two"] {
            assert_eq!(stream.next().await.expect("a message").expect("before the end").bytes.to_vec(), said);
        }
        let status = stream.next().await.expect("the bad end").expect_err("EINTERNAL");
        assert_eq!(brpc::number(&status), brpc::EINTERNAL);
        assert!(stream.next().await.is_none());
    });
}

#[test]
fn a_peer_that_grants_nothing_holds_back_the_sender() {
    run(async {
        let (builder, mut peers) = channel();
        let limits = Limits::default().ahead(5);
        let channel = builder.limits(limits).build().expect("a channel");
        let mut stream = channel.stream(TALK).await.expect("open");
        let mut peer = peers.recv().await.expect("a connection");
        let open = peer.frame().await;
        let mut queued = 0_u32;
        loop {
            match tokio::time::timeout(Duration::from_millis(30), stream.send(vec![queued as u8])).await {
                Ok(sent) => sent.expect("the peer is there"),
                Err(_) => break,
            }
            queued += 1;
        }
        let expected = 5 + Pipe::OUTWARD as u32; // by credit, and in the queue
        assert!((expected..=expected + 1).contains(&queued), "{queued}");
        for n in 0..5 {
            assert_eq!(peer.frame().await, Frame::part(open.id, &[n]));
        }
        for n in 5..10 {
            peer.send(Frame::grant(open.id, 1, 1)).await;
            assert_eq!(peer.frame().await, Frame::part(open.id, &[n]));
        }
        stream.send("there is room again").await.expect("the peer is there");
    });
}

#[test]
fn a_slow_reader_grants_as_it_reads() {
    run(async {
        let (builder, mut peers) = channel();
        let limits = Limits::default().ahead(8);
        let channel = builder.limits(limits).build().expect("a channel");
        let mut stream = channel.stream(TALK).message("").await.expect("open");
        let mut peer = peers.recv().await.expect("a connection");
        let open = peer.frame().await;
        for n in 0..8 {
            peer.send(Frame::part(open.id, &[n])).await;
        }
        for n in 0..4 {
            assert_eq!(stream.next().await.expect("a message").expect("no reset").bytes.to_vec(), [n]);
        }
        assert_eq!(peer.frame().await, Frame::grant(open.id, 4, 4), "half of what may be ahead");
    });
}

#[test]
fn a_dropped_stream_is_given_up() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let stream = channel.stream(TALK).await.expect("open");
        let mut peer = peers.recv().await.expect("a connection");
        let open = peer.frame().await;
        drop(stream);
        let reset = loop {
            let frame = peer.frame().await;
            if frame.kind != Kind::Part {
                break frame; // our half's end may leave before
            }
        };
        assert_eq!((reset.kind, reset.id), (Kind::Reset, open.id));
    });
}

#[test]
fn a_deadline_and_a_lost_connection_end_a_stream_for_both_of_its_ends() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let mut late = channel.stream(TALK).timeout(Duration::from_millis(20)).await.expect("open");
        let mut lost = channel.stream(TALK).await.expect("open");
        let mut peer = peers.recv().await.expect("a connection");
        let (one, two) = (peer.frame().await, peer.frame().await);
        assert_eq!(late.next().await.expect("its end").expect_err("late").code(), Code::DeadlineExceeded);
        assert_eq!(late.send("more").await.expect_err("over").code(), Code::Cancelled);
        let reset = peer.frame().await;
        assert_eq!((reset.kind, reset.id), (Kind::Reset, one.id));
        peer.send(Frame::part(two.id, b"last")).await;
        drop(peer);
        assert_eq!(lost.next().await.expect("a message").expect("came before").bytes.to_vec(), b"last");
        let status = lost.next().await.expect("its end").expect_err("lost");
        assert_eq!(status.code(), Code::Unavailable);
        assert_eq!(lost.send("more").await.expect_err("over").code(), Code::Cancelled);
    });
}

#[test]
fn a_sender_that_waits_hears_of_the_end() {
    run(async {
        let (builder, mut peers) = channel();
        let limits = Limits::default().ahead(1);
        let channel = builder.limits(limits).build().expect("a channel");
        let mut stream = channel.stream(TALK).await.expect("open");
        let mut peer = peers.recv().await.expect("a connection");
        let open = peer.frame().await;
        let sending = tokio::spawn(async move {
            loop {
                if let Err(status) = stream.send("more").await {
                    return status;
                }
            }
        });
        assert_eq!(peer.frame().await, Frame::part(open.id, b"more"));
        peer.send(Frame::new(Kind::Reset, open.id).with(brpc::ECANCELED as u32)).await;
        assert_eq!(sending.await.expect("no panic").code(), Code::Cancelled);
    });
}

#[test]
fn a_blocking_stream_that_comes_to_a_shard_does_not_wait_there() {
    let (builder, _peers) = channel();
    let channel = builder.build().expect("a channel");
    let stream = channel.stream(TALK).blocking().expect("opening waits for nothing");
    let mut stream = stream.wait_at_most(Duration::from_secs(5));
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let task = engine.shards()[0].spawn(async move { stream.recv().map(|received| received.map(drop)) });
    run(async {
        let refused = task.await.expect("no panic").expect("no end").expect_err("refused");
        assert_eq!(refused.code(), Code::FailedPrecondition, "{refused}");
    });
}

#[test]
fn a_protocol_that_cannot_stream_refuses() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.protocol("serial").build().expect("a channel");
        let mut stream = channel.stream(TALK).await.expect("open");
        let status = stream.next().await.expect("its end").expect_err("refused");
        assert_eq!(status.code(), Code::Unimplemented);
        let _peer = peers.recv().await;
    });
}

#[test]
fn a_pooled_connection_is_a_streams_alone_and_used_again_after_its_last_words() {
    run(async {
        let (builder, mut peers) = channel();
        let channel =
            builder.pooling(Pooling::default().kind(Connections::Pooled)).build().expect("a channel");
        let mut stream = channel.stream(TALK).message("").await.expect("open");
        let mut peer = peers.recv().await.expect("a connection");
        let open = peer.frame().await;
        peer.send(Frame::reply(open.id, b"")).await;
        assert!(stream.next().await.is_none());
        drop(stream);
        let answering = async {
            let call = peer.frame().await;
            peer.send(Frame::reply(call.id, b"again")).await;
        };
        let (reply, ()) = tokio::join!(echo(&channel, b""), answering);
        assert_eq!(body(reply), b"again");
        assert_eq!(channel.connections_made(), 1);
    });
}

#[test]
fn offered_streams_live_on_if_the_peer_accepts() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("a connection");
            let call = peer.frame().await;
            let offered = call.offered();
            assert_eq!((offered.len(), call.called().1), (2, &b"take these"[..]));
            peer.send(Frame::reply(call.id, b"taken").flag(Frame::ACCEPT)).await;
            peer.send(Frame::part(offered[1], b"hello")).await;
            (peer, offered)
        };
        let (both, (mut peer, offered)) =
            tokio::join!(echo(&channel, b"take these").with_streams(2), answering);
        let (reply, mut streams) = both.expect("accepted");
        assert_eq!((reply.into_message().body.to_vec(), streams.len()), (b"taken".to_vec(), 2));
        assert_eq!(streams[1].next().await.expect("a message").expect("no reset").to_vec(), b"hello");
        streams[0].send("hi").await.expect("connected");
        assert_eq!(peer.frame().await, Frame::part(offered[0], b"hi"));
        // One ends by us, the other by the peer.
        drop(streams.remove(0));
        assert_eq!(peer.finish(offered[0]).await, Frame::new(Kind::Finish, offered[0]));
        peer.send(Frame::new(Kind::Finish, offered[1])).await;
        assert!(streams[0].next().await.is_none());
        drop(streams);
        drop(channel);
        assert_eq!(peer.frame().await.kind, Kind::Close, "nothing is left of them");
        peer.end().await;
    });
}

#[test]
fn offered_streams_that_are_not_accepted_leave_nothing() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.build().expect("a channel");
        let answering = async {
            let mut peer = peers.recv().await.expect("a connection");
            let call = peer.frame().await;
            peer.send(Frame::reply(call.id, b"no, thanks")).await;
            let call = peer.frame().await;
            peer.send(Frame::failure(call.id, brpc::ELIMIT)).await;
            assert_eq!(peer.frame().await.offered().len(), 1);
            let reset = peer.frame().await;
            assert_eq!(reset.kind, Kind::Reset);
            peer
        };
        let asking = async {
            let (_, streams) = echo(&channel, b"").with_streams(1).await.expect("a good reply");
            assert!(streams.is_empty());
            let refused =
                echo(&channel, b"").with_streams(3).await.err().expect("refused, and not tried again");
            assert_eq!(brpc::number(&refused), brpc::ELIMIT);
            let late = echo(&channel, b"").timeout(Duration::from_millis(20)).with_streams(1).await;
            assert_eq!(late.err().expect("late").code(), Code::DeadlineExceeded);
        };
        let ((), mut peer) = tokio::join!(asking, answering);
        drop(channel);
        assert_eq!(peer.frame().await.kind, Kind::Close, "no slot is kept");
        peer.end().await;
    });
}

#[test]
fn offers_of_a_call_that_never_left_end_with_it() {
    run(async {
        let (builder, mut peers) = channel();
        let limits = Limits::default().exchanges(1);
        let channel = builder.limits(limits).build().expect("a channel");
        let first = echo(&channel, b"first");
        let waits = echo(&channel, b"waits").timeout(Duration::from_millis(20)).with_streams(2);
        let answering = async {
            let mut peer = peers.recv().await.expect("a connection");
            let call = peer.frame().await;
            (peer, call)
        };
        let (gave_up, hears) = tokio::sync::oneshot::channel();
        let asking = async {
            let (first, late) = tokio::join!(first, async {
                let late = waits.await.err().expect("late").code();
                gave_up.send(()).expect("the peer waits for it");
                late
            });
            (body(first), late)
        };
        let answering = async {
            let (mut peer, call) = answering.await;
            hears.await.expect("the second call ends first");
            peer.send(Frame::reply(call.id, b"first")).await;
            peer
        };
        let ((first, late), mut peer) = tokio::join!(asking, answering);
        assert_eq!((&first[..], late), (&b"first"[..], Code::DeadlineExceeded));
        drop(channel);
        assert_eq!(peer.frame().await.kind, Kind::Close);
        peer.end().await;
    });
}
