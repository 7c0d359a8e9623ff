//! Streaming calls, and streams offered inside calls: credit in both directions, ends, and what is dropped
//! when.

use crate::common::*;
use polywire_base::IoBuf;
use polywire_call::brpc;
use polywire_exchange::{Pipe, Sink, Source};
use polywire_machine_testing::lab::{Frame, Kind};
use polywire_server::{Call, Method};
use polywire_wire::{Delivery, Limits, Outcome, Part};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::*},
};
use tokio::sync::{Notify, mpsc, oneshot};

fn message(bytes: impl Into<IoBuf>) -> Part {
    Part { bytes: bytes.into(), end_of_message: true, ..Part::default() }
}

fn streaming<F, H>(name: &'static str, handler: F) -> Method
where
    F: Fn(Call, Source, Sink) -> H + Send + Sync + 'static,
    H: Future<Output = Outcome> + Send + 'static,
{
    method(name, move |mut call: Call| {
        let (source, sink) = call.stream.take().expect("a streaming method gets both ends");
        handler(call, source, sink)
    })
    .streaming(Delivery::Messages, true)
}

/// Sends each message back.
async fn echo(_: Call, mut source: Source, mut sink: Sink) -> Outcome {
    while let Some(part) = source.next().await {
        let part = part.expect("the peer does not reset");
        if !part.bytes.is_empty() {
            sink.send(message(part.bytes)).await.expect("the peer reads");
        }
    }
    Outcome::default()
}

fn open(id: u64, name: &str) -> Frame {
    Frame::open(id, name, &[], b"").flag(Frame::STREAMED)
}

#[test]
fn messages_go_both_ways_until_both_halves_end() {
    run(async {
        let running = serve(service().with(streaming("Echo", echo)));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Echo")).await;
        peer.send(Frame::part(1, b"one")).await;
        assert_eq!(peer.frame().await.kind, Kind::Answer, "the head of the answer comes first, and once");
        assert_eq!(peer.frame().await, Frame::part(1, b"one"));
        peer.send(Frame::part(1, b"two")).await;
        assert_eq!(peer.frame().await, Frame::part(1, b"two"));
        peer.send(Frame::part(1, b"last").flag(Frame::FINISHED)).await;
        assert_eq!(peer.frame().await, Frame::part(1, b"last"));
        assert_eq!(peer.finish(1).await, Frame::new(Kind::Finish, 1));
    });
}

#[test]
fn a_half_that_ended_with_its_request_is_over_for_the_handler() {
    run(async {
        let one = method("One", |mut call: Call| async move {
            let (mut source, mut sink) = call.stream.take().expect("both ends");
            assert!(source.next().await.is_none(), "the request was the only message");
            let detached = call.body.segments().all(bytes::Bytes::is_unique);
            assert!(detached, "a request that waits for its stream keeps no read buffer");
            sink.send(message(call.body)).await.expect("the peer reads");
            Outcome::default()
        })
        .streaming(Delivery::Whole, true);
        let running = serve(service().with(one).with(streaming("Echo", echo)));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/One", b"request").flag(Frame::STREAMED)).await;
        assert_eq!(peer.frame().await.kind, Kind::Answer);
        assert_eq!(peer.frame().await, Frame::part(1, b"request"));
        peer.finish(1).await;
        peer.send(open(2, "test.Service/Echo").flag(Frame::FINISHED)).await;
        assert_eq!(peer.finish(2).await, Frame::new(Kind::Finish, 2));
    });
}

#[test]
fn a_peer_that_takes_nothing_holds_back_the_handler() {
    holds_back(4, 2048);
    holds_back(1 << 10, 256);
    holds_back(4 << 10, 64);
    holds_back(20 << 10, 16);
}

/// With messages of `size` bytes, `queued` of them wait in the queue in addition to those for which there is
/// credit.
fn holds_back(size: usize, queued: usize) {
    let total = 2 * queued as u32 + 50;
    let numbered = move |n: u32| {
        let mut bytes = vec![0; size];
        bytes[..4].copy_from_slice(&n.to_le_bytes());
        bytes
    };
    run(async move {
        let sent = Arc::new(AtomicUsize::new(0));
        let counted = sent.clone();
        let (waits, mut waiting) = mpsc::unbounded_channel();
        let flood = streaming("Flood", move |_, _source, mut sink| {
            let (counted, waits) = (counted.clone(), waits.clone());
            async move {
                for n in 0..total {
                    let mut part = Some(message(numbered(n)));
                    let mut told = false;
                    std::future::poll_fn(|cx| {
                        let polled = sink.poll_send(&mut part, cx);
                        if polled.is_pending() && !std::mem::replace(&mut told, true) {
                            waits.send(n).expect("the test listens");
                        }
                        polled
                    })
                    .await
                    .expect("the peer stays");
                    counted.fetch_add(1, SeqCst);
                }
                Outcome::default()
            }
        });
        let limits = Limits::default().ahead(10);
        let running = start(server(service().with(flood)).limits(limits));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Flood")).await;
        // Ten messages of credit are sent; then the queue fills; then the handler waits.
        let full = 10 + queued;
        let mut stopped = 0;
        while stopped < full {
            stopped = waiting.recv().await.expect("the handler waits") as usize;
        }
        assert_eq!((stopped, sent.load(SeqCst)), (full, full));
        assert_eq!(peer.frame().await.kind, Kind::Answer);
        for n in 0..10u32 {
            assert_eq!(peer.frame().await, Frame::part(1, &numbered(n)));
        }
        for n in 10..total {
            peer.send(Frame::grant(1, size as u32, 1)).await;
            assert_eq!(peer.frame().await, Frame::part(1, &numbered(n)));
        }
        assert_eq!(peer.finish(1).await, Frame::new(Kind::Finish, 1));
    });
}

#[test]
fn a_handler_that_reads_slowly_is_granted_in_batches_and_never_overrun() {
    run(async {
        let gate = Arc::new(Notify::new());
        let step = gate.clone();
        let count = streaming("Count", move |_, mut source, _sink| {
            let step = step.clone();
            async move {
                step.notified().await;
                let (mut n, mut bytes) = (0u32, 0u64);
                while let Some(part) = source.next().await {
                    let part = part.expect("no reset");
                    n += u32::from(part.end_of_message);
                    bytes += part.bytes.len() as u64;
                }
                ok(format!("{n} {bytes}").into_bytes())
            }
        });
        let limits = Limits::default().ahead(8).window(1 << 20);
        let running = start(server(service().with(count)).limits(limits));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Count")).await;
        for _ in 0..8 {
            peer.send(Frame::part(1, b"12345")).await; // as much as the peer may send unasked
        }
        gate.notify_one();
        let (mut granted, mut grants) = (8, 0);
        for sent in 8..100 {
            while granted <= sent {
                let (bytes, messages) = peer.frame().await.granted();
                assert_eq!(bytes, 5 * messages);
                assert!(messages >= 4, "half of what may be ahead, not one by one: {messages}");
                (granted, grants) = (granted + messages, grants + 1);
            }
            peer.send(Frame::part(1, b"12345")).await;
        }
        peer.send(Frame::new(Kind::Part, 1).flag(Frame::FINISHED)).await;
        let mut last = peer.frame().await;
        while last.kind == Kind::Grant {
            last = peer.frame().await;
        }
        assert_eq!(last, Frame::reply(1, b"100 500"));
        assert!(grants <= 25, "{grants} grants for 100 messages");
    });
}

#[test]
fn messages_that_came_before_a_reset_are_read_before_it() {
    run(async {
        let (told, heard) = oneshot::channel();
        let told = std::sync::Mutex::new(Some(told));
        let (gate, begun) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (step, begins) = (gate.clone(), begun.clone());
        let read = streaming("Read", move |_, mut source, mut sink| {
            let told = told.lock().expect("not poisoned").take().expect("called once");
            let (step, begins) = (step.clone(), begins.clone());
            async move {
                begins.notify_one();
                // A spawned task outlives the call, and so sees its end.
                tokio::spawn(async move {
                    step.notified().await;
                    let mut seen = Vec::new();
                    while let Some(next) = source.next().await {
                        seen.push(
                            next.map(|part| part.bytes.to_vec())
                                .map_err(|status| status.message().to_owned()),
                        );
                    }
                    seen.push(
                        sink.send(message("late"))
                            .await
                            .map(|()| Vec::new())
                            .map_err(|s| s.message().to_owned()),
                    );
                    told.send(seen).expect("the test listens");
                });
                std::future::pending().await
            }
        });
        let running = serve(service().with(read));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Read")).await;
        begun.notified().await;
        peer.send(Frame::part(1, b"one")).await;
        peer.send(Frame::part(1, b"two")).await;
        let reset = Frame { body: b"enough".to_vec(), ..Frame::new(Kind::Reset, 1) };
        peer.send(reset.with(brpc::ECANCELED as u32)).await;
        peer.send(Frame::call(2, "test.Service/None", b"")).await;
        peer.finish(2).await; // the reset was seen
        gate.notify_one();
        let seen = heard.await.expect("the reader ends");
        assert_eq!(
            seen,
            [
                Ok(b"one".to_vec()),
                Ok(b"two".to_vec()),
                Err("enough".into()),
                Err("the stream is over".into())
            ]
        );
    });
}

#[test]
fn a_handler_that_drops_its_source_may_go_on_sending() {
    run(async {
        let deaf = streaming("Deaf", |_, source, mut sink| async move {
            drop(source);
            for _ in 0..3 {
                sink.send(message("still here")).await.expect("the sink is open");
            }
            Outcome::default()
        });
        let limits = Limits::default().ahead(4);
        let running = start(server(service().with(deaf)).limits(limits));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Deaf")).await;
        assert_eq!(peer.frame().await.kind, Kind::Answer);
        for _ in 0..3 {
            assert_eq!(peer.frame().await, Frame::part(1, b"still here"));
        }
        peer.finish(1).await;
    });
}

#[test]
fn what_comes_for_a_dropped_source_is_thrown_away_and_granted() {
    run(async {
        let gate = Arc::new(Notify::new());
        let step = gate.clone();
        let deaf = streaming("Deaf", move |_, source, sink| {
            let step = step.clone();
            async move {
                drop(source);
                step.notified().await;
                drop(sink);
                Outcome::default()
            }
        });
        let limits = Limits::default().ahead(4);
        let running = start(server(service().with(deaf)).limits(limits));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Deaf")).await;
        let mut granted = 4;
        for sent in 0..100 {
            while granted <= sent {
                granted += peer.frame().await.granted().1;
            }
            peer.send(Frame::part(1, b"nobody reads this")).await;
        }
        gate.notify_one();
        while peer.frame().await.kind == Kind::Grant {}
    });
}

#[test]
fn a_handler_may_answer_before_its_queued_parts_have_left() {
    run(async {
        let quick = streaming("Quick", |_, _source, mut sink| async move {
            for n in 0..12u8 {
                sink.send(message(vec![n])).await.expect("the queue takes sixteen");
            }
            ok("the end")
        });
        let limits = Limits::default().ahead(2);
        let running = start(server(service().with(quick)).limits(limits));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Quick")).await;
        assert_eq!(peer.frame().await.kind, Kind::Answer);
        for n in 0..12u8 {
            if n >= 2 {
                peer.send(Frame::grant(1, 1, 1)).await;
            }
            assert_eq!(peer.frame().await, Frame::part(1, &[n]));
        }
        assert_eq!(peer.finish(1).await, Frame::reply(1, b"the end"));
    });
}

#[test]
fn a_deadline_ends_a_stream_for_its_handler_and_its_peer() {
    run(async {
        let (told, dropped) = oneshot::channel::<()>();
        let told = std::sync::Mutex::new(Some(told));
        let stuck = streaming("Stuck", move |_, source, sink| {
            let told = told.lock().expect("not poisoned").take();
            async move {
                let _held = (source, sink, told);
                std::future::pending().await
            }
        });
        let running = serve(service().with(stuck));
        let mut peer = connect(&running);
        peer.send(open(1, "test.Service/Stuck").with(20)).await;
        assert_eq!(peer.finish(1).await.a, brpc::ERPCTIMEDOUT as u32);
        dropped.await.expect_err("the handler and what it held were dropped");
    });
}

#[test]
fn a_slow_peer_bounds_what_is_owed_to_it() {
    run(async {
        let flood = streaming("Flood", |_, _source, mut sink| async move {
            while sink.send(message(vec![7; 10_000])).await.is_ok() {}
            Outcome::default()
        });
        let limits = Limits::default().ahead(u32::MAX >> 4).window(u32::MAX >> 4);
        let limits = limits.ahead(1 << 10);
        let running = start(server(service().with(flood)).limits(limits));
        let mut peer = connect_with(&running, 4096);
        peer.send(open(1, "test.Service/Flood")).await;
        peer.send(Frame::grant(1, u32::MAX >> 4, 1_000_000)).await;
        // The peer grants unlimited credit and reads a little at a time.
        let mut most = 0;
        for _ in 0..1000 {
            peer.read().await;
            let owed = running.connections()[0].owed.load(SeqCst);
            most = most.max(owed);
        }
        assert!(
            most <= (256 << 10) + Pipe::outward(10_000) as u64 * 10_100,
            "room, and one queue of messages at most: {most}"
        );
        assert!(most >= 100_000, "{most}");
    });
}

#[test]
fn offered_streams_live_on_after_their_call_if_it_accepts() {
    run(async {
        let take = method("Take", |call: Call| async move {
            for stream in call.cx.accept_streams() {
                tokio::spawn(async move {
                    let mut stream = stream;
                    while let Some(Ok(message)) = stream.next().await {
                        if !message.is_empty() {
                            stream.send(message).await.expect("the peer reads");
                        }
                    }
                });
            }
            Outcome { accept: true, ..ok("taken") }
        });
        let running = serve(service().with(take));
        let mut peer = connect(&running);
        peer.send(Frame::open(1, "test.Service/Take", &[100, 101], b"").flag(Frame::FINISHED)).await;
        assert_eq!(peer.finish(1).await, Frame::reply(1, b"taken").flag(Frame::ACCEPT));
        for id in [101, 100] {
            peer.send(Frame::part(id, b"hello")).await;
            assert_eq!(peer.frame().await, Frame::part(id, b"hello"));
        }
        // One is ended by the peer, the other by the handler, which closes its sink.
        peer.send(Frame::new(Kind::Finish, 100)).await;
        peer.send(Frame::part(101, b"bye").flag(Frame::FINISHED)).await;
        assert_eq!(peer.frame().await, Frame::part(101, b"bye"));
        assert_eq!(peer.finish(101).await, Frame::new(Kind::Finish, 101));
    });
}

#[test]
fn offered_streams_that_are_not_accepted_end_with_their_call() {
    run(async {
        let (told, mut heard) = mpsc::unbounded_channel();
        let leave = method("Leave", move |call: Call| {
            let told = told.clone();
            async move {
                let mut stream = call.cx.accept_stream().expect("one offer");
                tokio::spawn(async move {
                    let end = stream.next().await;
                    told.send(end.map(|end| end.map_err(|s| s.message().to_owned()).map(drop)))
                        .expect("heard");
                    drop(stream);
                });
                ok("no, thanks")
            }
        });
        let running = serve(service().with(leave));
        let mut peer = connect(&running);
        peer.send(Frame::open(1, "test.Service/Leave", &[100], b"").flag(Frame::FINISHED)).await;
        assert_eq!(peer.finish(1).await, Frame::reply(1, b"no, thanks"));
        assert_eq!(heard.recv().await, Some(Some(Err("not accepted".to_owned()))));
        peer.send(Frame::call(2, "test.Service/Leave", b"")).await; // nothing offered: its handler panics
        assert_eq!(peer.finish(2).await.a, brpc::EINTERNAL as u32);
    });
}

#[test]
fn a_streaming_method_is_refused_over_a_protocol_that_cannot_stream() {
    run(async {
        let running = serve(service().with(streaming("Echo", echo)));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Echo", b"").magic(b'S')).await;
        let refused = peer.finish(1).await;
        assert_eq!(refused.a, brpc::ENOMETHOD as u32);
        let text = String::from_utf8_lossy(&refused.body).into_owned();
        assert_eq!(text, "serial cannot carry the streaming method test.Service/Echo");
    });
}
