//! What messages take that wait in the relay, or become there, and the memory budget of its server.

use super::{translation::known, *};
use crate::Cluster;
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata};
use polywire_client::Target;
use polywire_formats::compression::compress;
use polywire_server::Bounds;
use polywire_wire::{Answer, Compression, Inflated, Limits, Part};
use tokio::task::JoinHandle;

const TALK: Target = Target::fixed(SERVICE, "Talk");
const BUDGET: usize = 16 << 20;
/// Bytes of a message, of which three do not fit.
const LONG: usize = 5 << 20;
/// The most that is charged when nothing is under way: connections.
const IDLE: usize = 64 << 10;

/// It compresses well, but no better than a server takes.
fn long(bytes: usize) -> Vec<u8> {
    let mut random = 1_u32;
    let mut next = |at: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if at % (64 << 10) < 1 << 10 { b'a' + (random >> 24) as u8 % 26 } else { b'x' }
    };
    (0..bytes).map(&mut next).collect()
}

struct Bounded {
    chain: Chain,
    relay: Served,
}

fn bounded(protocols: (&'static str, &'static str), budget: usize, method: Method) -> Bounded {
    bounded_by(protocols, Server::<Lab>::new().bounds(Bounds::default().memory(budget)), method)
}

fn bounded_by((front, back): (&'static str, &'static str), server: Server<Lab>, method: Method) -> Bounded {
    let net = Net::seeded(1);
    let service = Service::new(SERVICE, &[]).with(method);
    let behind = net.serve("behind:1", Server::<Lab>::new().service(service));
    let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
    let relay = Relay::to(Cluster::new(&below).schemas(&known()));
    let relay = net.serve("relay:1", server.catch_all(relay));
    let channel = net.builder("relay:1").protocol(front).build().expect("a channel");
    Bounded { chain: Chain { net, behind, channel }, relay }
}

impl Bounded {
    fn used(&self) -> usize {
        self.relay.memory().expect("a budget").used
    }

    /// Waits until this much is charged.
    async fn has(&self, what: impl Fn(usize) -> bool) -> usize {
        for _ in 0..2000 {
            if what(self.used()) {
                return self.used();
            }
            tokio::time::sleep(ms(1)).await;
        }
        panic!("{} bytes are charged", self.used());
    }

    fn call(&self, message: impl Into<IoBuf>, compression: Compression) -> JoinHandle<Status> {
        let (channel, message) = (self.chain.channel.clone(), message.into());
        tokio::spawn(async move {
            let call = channel.call(TALK, message).compressed(compression).timeout(Duration::MAX);
            call.await.map_or_else(|status| status, |_| Status::OK)
        })
    }
}

/// A method that takes no message and gives no answer.
fn deaf() -> Method {
    streaming("Talk", |mut call: Call| async move {
        let _stream = call.stream.take();
        std::future::pending().await
    })
}

fn refused(status: &Status, trailers: &Metadata) -> bool {
    let mark = trailers.get_str("polywire-gateway");
    (status.code(), mark) == (Code::ResourceExhausted, Some("limit"))
}

#[tokio::test(start_paused = true)]
async fn what_requests_become_is_charged_until_the_server_has_taken_it() {
    let bounded = bounded(("grpc", "grpc"), BUDGET, deaf());
    let small = compress(Compression::GZIP, long(LONG).into()).expect("gzip");
    let mut calls = Vec::new();
    for n in 1..=2 {
        calls.push(bounded.call(small.clone(), Compression::GZIP));
        bounded.has(|used| (n * LONG..n * LONG + IDLE + (1 << 20)).contains(&used)).await;
    }
    let status = bounded.call(small, Compression::GZIP).await.expect("an end");
    assert!(refused(&status, status.metadata()), "{status}");
    assert!(calls.iter().all(|call| !call.is_finished()), "the others go on");
    let memory = bounded.relay.memory().expect("a budget");
    assert!(memory.highest <= BUDGET + IDLE, "{memory:?}");
    calls.iter().for_each(JoinHandle::abort);
    bounded.has(|used| used < IDLE).await;
}

#[tokio::test(start_paused = true)]
async fn requests_as_they_came_are_charged_until_the_server_has_taken_them() {
    let bounded = bounded(("grpc", "grpc"), BUDGET, deaf());
    let mut calls = Vec::new();
    for n in 1..=2 {
        calls.push(bounded.call(long(LONG), Compression::NONE));
        bounded.has(|used| used >= n * LONG).await;
    }
    assert!(calls.iter().all(|call| !call.is_finished()));
    calls.iter().for_each(JoinHandle::abort);
    bounded.has(|used| used < IDLE).await;
}

#[tokio::test(start_paused = true)]
async fn requests_that_wait_behind_others_are_charged_too() {
    let bounded = bounded(("grpc", "grpc"), 8 * BUDGET, deaf());
    let mut stream = bounded.chain.channel.stream(TALK).await.expect("a stream");
    let mut sent = 0;
    while let Ok(room) = tokio::time::timeout(ms(100), stream.send(long(LONG))).await {
        room.expect("the call goes on");
        sent += 1;
    }
    // Three are still with the caller, and one is with the server behind.
    bounded.has(|used| used >= (sent - 4) * LONG).await;
    assert!(sent > 6, "{sent}");
}

#[tokio::test(start_paused = true)]
async fn short_requests_are_charged_together() {
    let bounded = bounded(("grpc", "grpc"), BUDGET, deaf());
    let mut stream = bounded.chain.channel.stream(TALK).await.expect("a stream");
    let mut sent = 0;
    while let Ok(room) = tokio::time::timeout(ms(100), stream.send(vec![0; 1000])).await {
        room.expect("the call goes on");
        sent += 1000;
    }
    // The relay has as many for the connection to the server as have arrived and are not taken.
    bounded.has(|used| used >= 500_000).await;
    assert!(sent > 500_000);
    drop(stream);
    bounded.has(|used| used < IDLE).await;
}

#[tokio::test(start_paused = true)]
async fn one_message_may_have_most_of_the_budget() {
    let echo = streaming("Talk", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        let part = source.next().await.transpose()?.expect("a message");
        sink.send(Part::message(part.bytes)).await?;
        Ok(Outcome::default())
    });
    let bounded = bounded(("grpc", "grpc"), BUDGET, echo);
    let status = bounded.call(long(10 << 20), Compression::NONE).await.expect("an end");
    assert!(status.is_ok(), "{status}");
    bounded.has(|used| used < IDLE).await;
}

#[tokio::test(start_paused = true)]
async fn a_long_message_needs_room_for_what_it_is_translated_to() {
    const BYTES: usize = 1 << 20;
    let place = Target::fixed(SERVICE, "Place");
    let json = format!(r#"{{"b":"{}"}}"#, "x".repeat(BYTES));
    for back in ["grpc", "baidu_std"] {
        // The message, twice that while it is translated, and twice that again for the reply in JSON.
        for (budget, fits) in [(2 * BYTES + BYTES / 2, false), (12 * BYTES, true)] {
            let echo = method("Place", |call: Call| async move { Ok(ok(call.body)) });
            let bounded = bounded(("connect:json", back), budget, echo);
            let reply = bounded.chain.channel.call(place.clone(), json.clone()).await;
            match reply {
                Ok(reply) => assert_eq!((reply.body.len(), fits), (json.len(), true)),
                Err(status) => assert!(!fits && refused(&status, status.metadata()), "{back}: {status}"),
            }
            bounded.has(|used| used < IDLE).await;
        }
        let deaf = method("Place", |_| std::future::pending());
        let bounded = bounded(("connect:json", back), 5 * BYTES, deaf);
        let (channel, place, json) = (bounded.chain.channel.clone(), place.clone(), json.clone());
        let call = tokio::spawn(async move { channel.call(place, json).timeout(Duration::MAX).await });
        bounded.has(|used| (BYTES..3 * BYTES).contains(&used)).await;
        call.abort();
        bounded.has(|used| used < IDLE).await;
    }
}

/// An enum's number of one byte is a name of 58 in JSON.
#[tokio::test(start_paused = true)]
async fn what_becomes_much_longer_finds_room_before_it_is_written_or_fails() {
    const NUMBERS: usize = 200 << 10;
    const WRITTEN: usize = 58 * NUMBERS;
    let colours = [&[0x3a, 0x80, 0xc0, 0x0c][..], &[0; NUMBERS]].concat();
    for (name, front) in [("Place", "connect:json"), ("Watch", "grpc:json")] {
        for (budget, fits) in [(WRITTEN / 2, false), (8 * WRITTEN, true)] {
            let colours = colours.clone();
            let server = match name {
                "Watch" => answers(Compression::NONE, colours, 1),
                _ => method(name, move |_| std::future::ready(Ok(ok(colours.clone())))),
            };
            let bounded = bounded((front, "grpc"), budget, server);
            let stream = bounded.chain.channel.stream(Target::fixed(SERVICE, name)).message("{}");
            let status = match name {
                "Place" => {
                    let reply = bounded.chain.channel.call(Target::fixed(SERVICE, name), "{}").await;
                    reply.map(|reply| reply.body.len()).map_err(|status| (status.metadata().clone(), status))
                }
                _ => {
                    let mut stream = stream.await.expect("a stream");
                    stream.finish();
                    let part = stream.next().await.expect("a reply or an end");
                    let mut trailers = || stream.outcome().and_then(|end| end.trailers).unwrap_or_default();
                    part.map(|part| part.bytes.len()).map_err(|status| (*trailers(), status))
                }
            };
            match status {
                Ok(written) => assert!(fits && written > WRITTEN, "{name}: {written}"),
                Err((trailers, status)) => assert!(!fits && refused(&status, &trailers), "{name}: {status}"),
            }
            let highest = bounded.relay.memory().expect("a budget").highest;
            assert!(highest <= budget + IDLE, "{name}: {highest} of {budget}");
            bounded.has(|used| used < IDLE).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn requests_that_their_callers_give_up_are_charged_while_their_connection_has_them() {
    const BYTES: usize = 1 << 20;
    let net = Net::<Lab>::seeded(1);
    let _behind =
        net.serve("behind:1", Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(deaf())));
    net.link("behind:1").to_server().bandwidth(1); // it reads nothing
    let below = net.host("relay").builder("behind:1").protocol("baidu_std").build().expect("a channel");
    let server = Server::<Lab>::new().bounds(Bounds::default().memory(BUDGET));
    let relay = net.serve("relay:1", server.catch_all(Relay::to(below)));
    let channel = net.builder("relay:1").protocol("baidu_std").build().expect("a channel");
    for n in 0..8 {
        let call = channel.call(TALK, long(BYTES)).timeout(ms(100)).await;
        assert_eq!(call.unwrap_err().code(), Code::DeadlineExceeded, "{n}");
    }
    let used = relay.memory().expect("a budget").used;
    assert!(used >= 6 * BYTES, "{used} are charged");
}

/// A method that answers with this message again and again.
fn answers(compression: Compression, message: Vec<u8>, replies: usize) -> Method {
    let message = compress(compression, message.into()).expect("a compression that is there");
    streaming("Watch", move |mut call: Call| {
        let message = message.clone();
        async move {
            let (_source, mut sink) = call.stream.take().expect("a stream");
            sink.answer(Answer { compression, ..Answer::default() });
            for _ in 0..replies {
                sink.send(Part { compression, ..Part::message(message.clone()) }).await?;
            }
            Ok(Outcome::default())
        }
    })
}

const REPLIES: usize = 10;

/// As they are, and to be decompressed and translated.
const WAYS: [(&str, Compression); 2] = [("grpc", Compression::NONE), ("grpc:json", Compression::GZIP)];

fn watched(
    (front, compression): (&'static str, Compression),
    (bytes, replies): (usize, usize),
    budget: usize,
) -> Bounded {
    // Its second field is text.
    let mut order = vec![0x12];
    let mut rest = bytes;
    while rest >= 0x80 {
        order.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    order.push(rest as u8);
    order.extend(long(bytes));
    bounded((front, "grpc"), budget, answers(compression, order, replies))
}

#[tokio::test(start_paused = true)]
async fn replies_for_which_there_is_no_memory_end_their_calls() {
    for way @ (front, _) in WAYS {
        let bounded = watched(way, (LONG, 1), LONG / 2);
        let stream = bounded.chain.channel.stream(Target::fixed(SERVICE, "Watch")).message("{}");
        let mut stream = stream.await.expect("a stream");
        stream.finish();
        let status = stream.next().await.expect("an end").unwrap_err();
        let trailers = stream.outcome().expect("an outcome").trailers.expect("trailers");
        assert!(refused(&status, &trailers), "{front}: {status}");
        bounded.has(|used| used < IDLE).await;
    }
}

#[tokio::test(start_paused = true)]
async fn replies_are_charged_once_until_the_caller_has_taken_them() {
    const BYTES: usize = 1 << 20;
    for way @ (front, _) in WAYS {
        let bounded = watched(way, (BYTES, REPLIES), BUDGET);
        let stream = bounded.chain.channel.stream(Target::fixed(SERVICE, "Watch")).message("{}");
        let mut stream = stream.await.expect("a stream");
        stream.finish();
        bounded.has(|used| used >= 4 * BYTES).await;
        tokio::time::sleep(ms(100)).await;
        // One is in hand, two wait for the connection, and that has two.
        let used = bounded.used();
        assert!((4 * BYTES..5 * BYTES + IDLE).contains(&used), "{front}: {used}");
        let mut replies = 0;
        while let Some(part) = stream.next().await {
            replies += usize::from(part.expect("no failure").bytes.len() >= BYTES);
        }
        assert_eq!(replies, REPLIES, "{front}");
        bounded.has(|used| used < IDLE).await;
    }
}

#[tokio::test(start_paused = true)]
async fn replies_of_a_call_that_has_ended_are_charged_until_the_caller_has_taken_them() {
    const BYTES: usize = 1 << 20;
    // The caller takes one, its connection two; the others are in the queue when the call ends.
    let bounded = watched(WAYS[0], (BYTES, 5), BUDGET);
    let stream = bounded.chain.channel.stream(Target::fixed(SERVICE, "Watch")).message("{}");
    let mut stream = stream.await.expect("a stream");
    stream.finish();
    bounded.has(|used| used >= 4 * BYTES).await;
    tokio::time::sleep(ms(100)).await;
    assert!((4 * BYTES..4 * BYTES + IDLE).contains(&bounded.used()), "{}", bounded.used());
    drop(stream);
    bounded.has(|used| used < IDLE).await;
}

/// Without a budget, too.
#[tokio::test(start_paused = true)]
async fn compressed_requests_wait_while_their_connection_holds_many() {
    const BYTES: usize = 1 << 20;
    let mut limits = Limits::default();
    limits.inflated = Inflated::DEFAULT.most(BYTES as u32);
    let server = Server::<Lab>::new().bounds(Bounds::default().memory(None)).limits(limits);
    let bounded = bounded_by(("grpc", "grpc"), server, deaf());
    let small = compress(Compression::GZIP, long(BYTES).into()).expect("gzip");
    let calls: Vec<_> = (0..12).map(|_| bounded.call(small.clone(), Compression::GZIP)).collect();
    let inflated = async || {
        let (tell, told) = tokio::sync::oneshot::channel();
        bounded.relay.connections()[0].ask_held(move |held| {
            let _ = tell.send(held.inflated);
        });
        told.await.expect("an answer")
    };
    for _ in 0..2000 {
        tokio::time::sleep(ms(1)).await;
        if inflated().await >= 4 * BYTES {
            break;
        }
    }
    tokio::time::sleep(ms(100)).await;
    assert_eq!(inflated().await, 4 * BYTES);
    assert!(calls.iter().all(|call| !call.is_finished()), "the others wait");
}
