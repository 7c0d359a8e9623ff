//! Calls that stream over gRPC.

use super::*;
use polywire_call::{Code, Metadata};
use polywire_client::{Stream, Target};
use polywire_wire::{Answer, Part};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::sync::mpsc;

const TALK: Target = Target::fixed(SERVICE, "Talk");

async fn heard(stream: &mut Stream) -> Option<Vec<u8>> {
    stream.next().await.map(|part| part.expect("no failure").bytes.to_vec())
}

#[tokio::test(start_paused = true)]
async fn a_server_may_speak_first_and_messages_go_both_ways_by_turns() {
    for (front, back) in [("grpc", "grpc"), ("connect:h2", "grpc"), ("connect:h2", "connect:h2")] {
        talks_by_turns(front, back).await;
    }
}

async fn talks_by_turns(front: &'static str, back: &'static str) {
    let talk = streaming("Talk", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        let metadata = Some(Box::new(Metadata::from_iter([("x-head", b"1")])));
        sink.answer(Answer { metadata, ..Answer::default() });
        sink.send(Part::message("who is there?".into())).await?;
        while let Some(part) = source.next().await.transpose()? {
            sink.send(part).await?;
        }
        let trailers = Some(Box::new(Metadata::from_iter([("x-tail", b"1")])));
        Ok(Outcome { trailers, ..Outcome::default() })
    });
    let chain = chain(front, back, talk);
    let mut stream = chain.channel.stream(TALK).await.expect("a stream");
    let head = stream.opened().await.expect("a head").metadata.expect("its fields");
    assert_eq!(head.get_str("x-head"), Some("1"));
    assert_eq!(heard(&mut stream).await.as_deref(), Some(&b"who is there?"[..]));
    for message in ["one", "", "three"] {
        stream.send(message).await.expect("room");
        assert_eq!(heard(&mut stream).await.as_deref(), Some(message.as_bytes()));
    }
    stream.finish();
    assert_eq!(heard(&mut stream).await, None);
    let outcome = stream.outcome().expect("an outcome");
    assert!(outcome.status.is_ok(), "{}", outcome.status);
    assert_eq!(outcome.trailers.expect("trailers").get_str("x-tail"), Some("1"));
}

#[tokio::test(start_paused = true)]
async fn the_head_of_an_answer_does_not_wait_for_a_message() {
    let talk = streaming("Talk", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        sink.answer(Answer::default());
        source.next().await.transpose()?; // the caller sends it when it has the head
        Ok(Outcome::default())
    });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(TALK).await.expect("a stream");
    assert!(tokio::time::timeout(ms(1000), stream.opened()).await.expect("in time").is_some());
    stream.send("thanks").await.expect("room");
    assert_eq!(heard(&mut stream).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_failure_after_messages_comes_after_them() {
    let talk = streaming("Talk", |mut call: Call| async move {
        let (_source, mut sink) = call.stream.take().expect("a stream");
        sink.send(Part::message("one".into())).await?;
        Err(Status::resource_exhausted("no more lamps").with_metadata("x-shelf", "7"))
    });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(TALK).message("").await.expect("a stream");
    assert_eq!(heard(&mut stream).await.as_deref(), Some(&b"one"[..]));
    let status = stream.next().await.expect("a failure").unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, "no more lamps"));
    let trailers = stream.outcome().expect("an outcome").trailers.expect("trailers");
    assert_eq!(trailers.get_str("x-shelf"), Some("7"));
}

/// The bytes that may be under way between two ends that do not read: windows and queues of two connections.
const UNDER_WAY: usize = 8 << 20;
const LONG: usize = 64 << 10;

#[tokio::test(start_paused = true)]
async fn a_caller_that_does_not_read_stops_the_server() {
    let sent = Arc::new(AtomicUsize::new(0));
    let talk = streaming("Talk", {
        let sent = sent.clone();
        move |mut call: Call| {
            let sent = sent.clone();
            async move {
                let (_source, mut sink) = call.stream.take().expect("a stream");
                for _ in 0..1000 {
                    sink.send(Part::message(vec![0; LONG].into())).await?;
                    sent.fetch_add(LONG, Relaxed);
                }
                Ok(Outcome::default())
            }
        }
    });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(TALK).message("").await.expect("a stream");
    tokio::time::sleep(ms(60_000)).await;
    let ahead = sent.load(Relaxed);
    assert!((LONG..UNDER_WAY).contains(&ahead), "{ahead} bytes");
    let mut messages = 0;
    while heard(&mut stream).await.is_some() {
        messages += 1;
    }
    assert_eq!(messages, 1000);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_read_stops_the_caller() {
    let (open, gate) = tokio::sync::watch::channel(false);
    let talk = streaming("Talk", move |mut call: Call| {
        let mut gate = gate.clone();
        async move {
            let (mut source, _sink) = call.stream.take().expect("a stream");
            let _ = gate.wait_for(|open| *open).await;
            let mut bytes = 0;
            while let Some(part) = source.next().await.transpose()? {
                bytes += part.bytes.len();
            }
            Err(Status::aborted(bytes.to_string()))
        }
    });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(TALK).await.expect("a stream");
    let mut sent = 0;
    while let Ok(room) = tokio::time::timeout(ms(10_000), stream.send(vec![0; LONG])).await {
        room.expect("the call goes on");
        sent += LONG;
        assert!(sent < UNDER_WAY, "nothing holds the caller up");
    }
    open.send_replace(true);
    stream.finish();
    let status = stream.next().await.expect("an end").unwrap_err();
    let read: usize = status.message().parse().expect("a number");
    assert!(read == sent || read == sent + LONG, "{read} of {sent}"); // the last may have been queued or dropped
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_early_ends_the_call() {
    let talk = streaming("Talk", |_call: Call| async { Err(Status::permission_denied("not you")) });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(TALK).await.expect("a stream");
    let status = stream.next().await.expect("an end").unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::PermissionDenied, "not you"));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_dropped_ends_the_call_behind() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let talk = streaming("Talk", move |call: Call| {
        let (mut call, over) = (call, AtEnd(tell.clone()));
        async move {
            let (_source, mut sink) = call.stream.take().expect("a stream");
            let _held = (call, over);
            sink.answer(Answer::default());
            std::future::pending().await
        }
    });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(TALK).await.expect("a stream");
    stream.opened().await.expect("a head");
    assert!(told.try_recv().is_err(), "the call goes on");
    drop(stream);
    assert_eq!(tokio::time::timeout(ms(1000), told.recv()).await, Ok(Some("over")));
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_behind_ends_the_stream() {
    let talk = streaming("Talk", |mut call: Call| async move {
        let (_source, mut sink) = call.stream.take().expect("a stream");
        sink.answer(Answer::default());
        std::future::pending().await
    });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(TALK).await.expect("a stream");
    stream.opened().await.expect("a head");
    chain.behind.crash();
    assert_eq!(stream.next().await.expect("an end").unwrap_err().code(), Code::Unavailable);
}
