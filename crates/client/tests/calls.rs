//! Calls with one message each way: what goes out, how they end, when they are tried again.

mod common;

use common::*;
use polywire_call::{Code, Origin, brpc};
use polywire_client::{Builder, Channel, ChannelError, NoProtocols};
use polywire_engine::{Fault, Transport, transport};
use polywire_testkit::lab::{self, Frame, Kind};
use polywire_wire::{Connections, Limits};
use std::{
    future::{Future, IntoFuture, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::*},
    },
    task::Poll,
    time::{Duration, Instant},
};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Polls a call once, so that it is sent.
async fn sent<F: Future + Unpin>(call: &mut F) {
    poll_fn(|cx| {
        assert!(std::pin::Pin::new(&mut *call).poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

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
        let builder = Channel::<NoProtocols>::builder("nowhere").registry(lab::REGISTRY).protocol("lab");
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
fn connecting_has_a_limit_and_failures_a_pause() {
    run(async {
        let tries = Arc::new(AtomicUsize::new(0));
        let tried = tries.clone();
        let channel = Channel::<NoProtocols>::builder("nowhere")
            .registry(lab::REGISTRY)
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

/// A channel whose first `refusals` connections are refused, and how many were tried.
fn refusing(
    refusals: usize,
) -> (Channel<NoProtocols>, Arc<AtomicUsize>, tokio::sync::mpsc::UnboundedReceiver<Peer>) {
    let (builder, tried, peers) = refusing_builder(refusals);
    (builder.build().expect("a channel"), tried, peers)
}

fn refusing_builder(
    refusals: usize,
) -> (Builder<NoProtocols>, Arc<AtomicUsize>, tokio::sync::mpsc::UnboundedReceiver<Peer>) {
    let tried = Arc::new(AtomicUsize::new(0));
    let (tries, (connects, peers)) = (tried.clone(), tokio::sync::mpsc::unbounded_channel());
    let builder = Channel::<NoProtocols>::builder("lab").registry(lab::REGISTRY).protocol("lab");
    let builder = builder.connector(move |_| {
        let (ours, theirs) = transport::duplex("lab", 1000);
        std::future::ready(if tries.fetch_add(1, SeqCst) < refusals {
            Err(std::io::ErrorKind::ConnectionRefused.into())
        } else {
            connects.send(Peer::new(theirs)).expect("the test listens");
            Ok(ours)
        })
    });
    (builder, tried, peers)
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
fn options_with_which_nothing_would_work_are_refused() {
    let builder = || Channel::<NoProtocols>::builder("host:1").registry(lab::REGISTRY).protocol("lab");
    for (builder, said) in [
        (
            builder().timeout(Duration::ZERO),
            "timeout is zero: no_timeout() lets calls take as long as they do",
        ),
        (builder().connect_timeout(Duration::ZERO), "connect_timeout is zero"),
        (builder().write_stall(Duration::ZERO), "write_stall is zero"),
        (builder().connections(0), "connections is zero: one is the least"),
        (builder().max_homes(0), "max_homes is zero: one is the least"),
        (
            builder().limits(Limits { max_message: 0, ..Limits::default() }),
            "limits: max_message is zero: no reply would be taken",
        ),
    ] {
        let Err(ChannelError::Config(what)) = builder.build() else { panic!("{said} was taken") };
        assert_eq!(what, said);
    }
}

#[test]
fn a_connection_that_cannot_be_made_is_nothing_to_calls_while_there_is_another() {
    run(async {
        let (connects, mut peers) = tokio::sync::mpsc::unbounded_channel();
        let made = Arc::new(AtomicUsize::new(0));
        let tries = made.clone();
        let builder = Channel::<NoProtocols>::builder("lab").registry(lab::REGISTRY).protocol("lab");
        let builder = builder.connections(2).connector(move |_| {
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
            .registry(lab::REGISTRY)
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
        // The pause after a failure is 10 ms: a call that does not wait for its end may fail, one that does comes through.
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
        let channel = builder.retries(0).build().expect("a channel");
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
fn calls_beyond_the_peers_limit_wait_in_their_order() {
    run(async {
        let (builder, mut peers) = channel();
        let channel =
            builder.limits(Limits { exchanges: 2, ..Limits::default() }).build().expect("a channel");
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
fn a_deadline_makes_room_for_calls_that_wait() {
    run(async {
        let (builder, mut peers) = channel();
        let channel =
            builder.limits(Limits { exchanges: 1, ..Limits::default() }).build().expect("a channel");
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

#[test]
fn a_peer_that_never_reads_is_owed_no_more_than_the_limit() {
    run(async {
        let (builder, mut peers) = channel_with(1000);
        let channel = builder.max_unsent_bytes(100_000).retries(0).build().expect("a channel");
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
        let channel = builder.write_stall(ms(30)).retries(0).build().expect("a channel");
        let big = channel.call(ECHO, bytes::Bytes::from(vec![0; 40_000]));
        let (reply, _peer) = tokio::join!(big.into_future(), peers.recv());
        let status = reply.expect_err("nobody reads");
        assert_eq!(status.message(), "lab (lab): the peer reads nothing");
        assert!(status.is_retryable() && !status.is_unprocessed());
        assert_eq!(channel.faults().count(Fault::WriteStall), 1);
    });
}

#[test]
fn a_peer_that_breaks_the_protocol_fails_the_calls_and_is_counted() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.retries(0).build().expect("a channel");
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
fn a_reply_that_is_too_large_is_refused_and_the_connection_lives() {
    run(async {
        let (builder, mut peers) = channel();
        let channel =
            builder.limits(Limits { max_message: 100, ..Limits::default() }).build().expect("a channel");
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
fn pooled_connections_have_one_call_at_a_time_and_are_used_again() {
    run(async {
        let (builder, mut peers) = channel();
        let channel = builder.kind(Connections::Pooled).build().expect("a channel");
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
        let channel = builder.kind(Connections::Pooled).build().expect("a channel");
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
            let channel = builder.kind(kind).retries(0).build().expect("a channel");
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
        let channel = builder.kind(Connections::Short).build().expect("a channel");
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

#[test]
fn options_that_are_wrong_are_named() {
    let lab = || Channel::<NoProtocols>::builder("localhost:1").registry(lab::REGISTRY);
    let wrong = |result: Result<Channel, ChannelError>| result.err().expect("wrong").to_string();
    assert_eq!(
        wrong(lab().protocol("nope").build()),
        "unknown protocol \"nope\"; known are lab, also, serial"
    );
    let address = Channel::<NoProtocols>::builder("nowhere").registry(lab::REGISTRY).protocol("lab").build();
    assert!(wrong(address).starts_with("address \"nowhere\" has no host and port: write host:port"));
}

#[test]
fn connect_says_whether_somebody_is_there() {
    run(async {
        struct Lab;
        impl polywire_client::Protocols for Lab {
            fn registry() -> polywire_wire::Registry {
                static ALL: [&polywire_wire::Protocol; 1] = [&lab::LAB];
                polywire_wire::Registry::new(&ALL).with_default(&lab::LAB)
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
            .registry(lab::REGISTRY)
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
