//! Further connections of a channel over HTTP/2, and servers that stop and start, with calls in flight.

use crate::talk::{Line, Talk, TalkClient};
use bytes::BytesMut;
use polywire::{
    Bounds, Channel, Context, Engine, Limits, Pooling, Reply, Resilience, Running, Server, Status, Stream,
    Streaming,
};
use polywire_engine::{
    Fault,
    transport::{self, Transport},
};
use polywire_machine_testing::until;
use polywire_wire::Keepalive;
use std::{
    future::poll_fn,
    io::IoSlice,
    net::TcpListener,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Longer than any step takes: the test hangs.
const NEVER: Duration = Duration::from_secs(10);

/// Yields as often as the request says, then replies.
struct Slow;

impl Talk for Slow {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        for _ in 0..request.number {
            tokio::task::yield_now().await;
        }
        Ok(request.into())
    }

    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, lines) = polywire::stream(1);
        sender.send(number(1)).await?;
        Ok(lines)
    }

    async fn sum(&self, _: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        let mut sum = 0;
        while let Some(line) = incoming.next().await.transpose()? {
            sum += line.number;
        }
        Ok(number(sum).into())
    }

    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

#[test]
fn a_stub_on_a_channel_for_other_messages_is_told_which() {
    for (protocol, form) in [("redis", "Redis commands"), ("fb_rpc", "FlatBuffers")] {
        let talk = TalkClient::new(Channel::builder("host:1").protocol(protocol).build().unwrap());
        let status = talk.say(number(1)).blocking().err().unwrap();
        let text = format!("{protocol}: messages of this kind cannot be carried as {form}");
        assert_eq!(status.message(), text);
    }
}

fn number(number: u32) -> Line {
    Line { number, ..Line::default() }
}

fn server(streams: u32) -> Running {
    let engine = Engine::builder().shards(1).workers(2).build().unwrap();
    // On a busy machine a hundred callers wait for a worker for longer than the server would let them.
    let server =
        Server::new().service(Slow.into_service()).engine(&engine).bounds(Bounds::default().shedding(None));
    let hour = Duration::from_secs(60 * 60);
    let keepalive = Keepalive::DEFAULT.least(hour).least_idle(hour);
    let server = server.limits(Limits::default().streams(streams).keepalive(keepalive));
    server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap()
}

fn builder(running: &Running) -> polywire::ChannelBuilder<polywire::Standard> {
    Channel::builder(running.addresses()[0].to_string()).protocol("grpc").timeout(NEVER)
}

fn run(test: impl AsyncFnOnce()) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(NEVER, test()).await.expect("the test hangs") });
}

/// Opens streams at the server, each of which has received a message.
async fn open(talk: &TalkClient, streams: usize) -> Vec<polywire::Duplex<Line, Line>> {
    let mut all = Vec::new();
    for _ in 0..streams {
        let mut chat = talk.chat().await.unwrap();
        chat.send(number(7)).await.unwrap();
        assert_eq!(chat.next().await.unwrap().unwrap().number, 7);
        all.push(chat);
    }
    all
}

#[test]
fn a_call_that_finds_its_connection_full_gets_another() {
    run(async || {
        let running = server(2);
        let channel = builder(&running).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        let chats = open(&talk, 2).await;
        assert_eq!(channel.connections_made(), 1, "it is just full");
        for n in 1..=3 {
            assert_eq!(talk.say(number(n)).await.unwrap().number, n);
        }
        assert_eq!(channel.connections_made(), 2);
        drop(chats);
    });
}

#[test]
fn streams_go_where_there_is_room() {
    run(async || {
        let running = server(2);
        let channel = builder(&running).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        let chats = open(&talk, 7).await;
        assert_eq!((channel.connections_made(), running.connections().len()), (4, 4));
        drop(chats);
        // Ended calls are no longer counted.
        until("the end of all calls", || {
            running.connections().iter().all(|connection| connection.calls() == 0)
        })
        .await;
        drop(open(&talk, 8).await);
        assert_eq!(channel.connections_made(), 4);
    });
}

#[test]
fn when_all_are_full_a_call_waits_for_a_vacancy() {
    run(async || {
        let running = server(1);
        let channel = builder(&running).pooling(Pooling::default().max(2)).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        let mut chats = open(&talk, 2).await;
        let late = talk.say(number(1)).timeout(Duration::from_millis(50)).await.unwrap_err();
        assert_eq!(late.code(), polywire::Code::DeadlineExceeded, "it waits no longer than it may");
        for _ in 0..2 {
            let waits = tokio::spawn({
                let talk = talk.clone();
                async move { talk.say(number(2)).await }
            });
            // After a round trip on every connection, anything that would admit the call has happened.
            for chat in &mut chats {
                chat.send(number(9)).await.unwrap();
                assert_eq!(chat.next().await.unwrap().unwrap().number, 9);
            }
            assert!(!waits.is_finished());
            let mut chat = chats.pop().unwrap(); // on either connection, whichever it waits for
            chat.finish();
            assert_eq!(chat.next().await, None);
            assert_eq!(waits.await.unwrap().unwrap().number, 2);
            chats.insert(0, open(&talk, 1).await.remove(0));
        }
        assert_eq!(channel.connections_made(), 2);
    });
}

#[test]
fn many_calls_at_once_share_a_few_connections() {
    run(async || {
        let running = server(4);
        let channel = builder(&running).pooling(Pooling::default().max(3)).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        let calls: Vec<_> = (0..300)
            .map(|_| {
                let talk = talk.clone();
                tokio::spawn(async move { talk.say(number(3)).await })
            })
            .collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        assert_eq!(channel.connections_made(), 3);
    });
}

#[test]
fn no_first_call_is_lost_at_a_server_of_few_streams() {
    for streams in [1, 2, 100] {
        run(async || {
            let running = server(streams);
            let channel = builder(&running)
                .resilience(Resilience::default().retries(0))
                .pooling(Pooling::default().max(4))
                .build()
                .unwrap();
            let talk = TalkClient::new(channel.clone());
            let say = |n| {
                let talk = talk.clone();
                tokio::spawn(async move { talk.say(number(n)).await })
            };
            let calls: Vec<_> = (0..100).map(say).collect();
            for call in calls {
                call.await.unwrap().unwrap();
            }
            let expected = if streams == 100 { 1..=1 } else { 4..=4 };
            assert!(
                expected.contains(&channel.connections_made()),
                "{streams}: {}",
                channel.connections_made()
            );
        });
    }
}

#[test]
fn no_first_stream_is_lost_at_a_server_of_few_streams() {
    run(async || {
        let running = server(2);
        let talk =
            TalkClient::new(builder(&running).resilience(Resilience::default().retries(0)).build().unwrap());
        let chat = |_| {
            let talk = talk.clone();
            tokio::spawn(async move {
                let mut chat = talk.chat().await.unwrap();
                chat.send(number(7)).await.unwrap();
                assert_eq!(chat.next().await.unwrap().unwrap().number, 7);
                chat.finish();
                assert_eq!(chat.next().await, None);
            })
        };
        let chats: Vec<_> = (0..20).map(chat).collect();
        for chat in chats {
            chat.await.unwrap();
        }
    });
}

#[test]
fn further_connections_end_when_they_are_idle() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.unwrap().block_on(async {
        const SPARE: Duration = Duration::from_secs(30);
        let server = Server::new().service(Slow.into_service()).engine(&Engine::here());
        let server = server.limits(Limits::default().streams(1));
        let running = Arc::new(server.start_without_listener().unwrap());
        let serving = running.clone();
        let channel = Channel::builder("here").protocol("grpc").timeout(10 * SPARE).connector(move |_| {
            let (ours, theirs) = transport::duplex("here", 1 << 16);
            serving.serve_stream(theirs);
            std::future::ready(Ok(ours))
        });
        let channel = channel.pooling(Pooling::default().spare(SPARE)).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        let mut chats = open(&talk, 3).await;
        drop(chats.pop());
        tokio::time::sleep(SPARE / 2).await;
        assert_eq!(running.connections().len(), 3, "a short pause is no reason to end");
        tokio::time::sleep(2 * SPARE).await;
        assert_eq!(
            running.connections().len(),
            2,
            "no call has come to two, and one of them has one under way"
        );
        chats[1].send(number(8)).await.unwrap();
        assert_eq!(chats[1].next().await.unwrap().unwrap().number, 8, "what is under way goes on");
        drop(chats);
        tokio::time::sleep(SPARE).await;
        assert_eq!(running.connections().len(), 1);
        assert_eq!(talk.say(number(1)).await.unwrap().number, 1);
        assert_eq!(channel.connections_made(), 3);
    });
}

#[test]
fn one_connection_is_all_there_is_if_the_channel_says_so() {
    run(async || {
        let running = server(1);
        let channel = builder(&running).pooling(Pooling::default().max(1)).build().unwrap();
        let talk = TalkClient::new(channel.clone());
        let chats = open(&talk, 1).await;
        let late = talk.say(number(1)).timeout(Duration::from_millis(50)).await.unwrap_err();
        assert_eq!((late.code(), channel.connections_made()), (polywire::Code::DeadlineExceeded, 1));
        drop(chats);
    });
}

#[test]
fn a_channel_that_asked_too_often_asks_half_as_often() {
    run(async || {
        let running = server(10);
        let every = Duration::from_millis(20);
        let keepalive = Keepalive::DEFAULT.every(every).idle(true);
        let channel = builder(&running).limits(Limits::default().keepalive(keepalive)).build().unwrap();
        let talk = TalkClient::new(channel);
        // The first PING is free and two strikes are tolerated: the fourth PING ends the connection.
        for times in [1, 2, 4] {
            let start = Instant::now();
            talk.say(number(0)).await.unwrap();
            until("the end of the connection", || running.connections().is_empty()).await;
            assert!(start.elapsed() >= every * times * 3, "{times}: {:?}", start.elapsed());
        }
        assert_eq!(running.faults().count(Fault::Pings), 3);
    });
}

#[test]
fn servers_that_are_replaced_under_load_fail_no_call() {
    run(async || {
        let current = Arc::new(Mutex::new(Arc::new(server(50))));
        let serving = current.clone();
        let channel = Channel::builder("rolling").protocol("grpc").timeout(NEVER).connector(move |_| {
            let (ours, theirs) = transport::duplex("rolling", 1 << 16);
            serving.lock().unwrap().serve_stream(theirs);
            std::future::ready(Ok(ours))
        });
        let channel = channel.build().unwrap();
        let talk = TalkClient::new(channel.clone());
        let over = Arc::new(AtomicBool::new(false));
        let answered = Arc::new(AtomicUsize::new(0));
        let callers: Vec<_> = (0..100)
            .map(|n| {
                let (talk, over, answered) = (talk.clone(), over.clone(), answered.clone());
                tokio::spawn(async move {
                    let mut calls = 0;
                    while !over.load(Relaxed) {
                        talk.say(number(n % 3))
                            .await
                            .unwrap_or_else(|status| panic!("call {calls}: {status:?}"));
                        calls += 1;
                        answered.fetch_add(1, Relaxed);
                    }
                    calls
                })
            })
            .collect();
        for _ in 0..10 {
            let before = answered.load(Relaxed);
            until("answers of this server", || answered.load(Relaxed) > before + 300).await;
            let old = std::mem::replace(&mut *current.lock().unwrap(), Arc::new(server(50)));
            let old = Arc::into_inner(old).expect("nobody else has it");
            assert_eq!(old.stop().await.len(), 0, "all calls ended in time");
        }
        over.store(true, Relaxed);
        for caller in callers {
            assert!(caller.await.unwrap() > 0);
        }
        assert!(channel.connections_made() > 10);
    });
}

/// What a connection sends in one turn has a bound: the rest of a reply after which it ends is sent in
/// further turns.
#[tokio::test]
async fn a_long_reply_that_ends_its_connection_is_sent_whole() {
    const LENGTH: usize = 6 << 20;
    let running = Server::new().service(Slow.into_service()).listen("127.0.0.1:0").start().unwrap();
    let (mut ours, theirs) = transport::duplex("reader", 2 * LENGTH);
    running.serve_stream(theirs);
    let body = format!("{{\"text\":\"{}\"}}", "a".repeat(LENGTH));
    let length = body.len();
    let head = format!(
        "POST /talk.Talk/Say HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    let request = format!("{head}{body}");
    let sent = poll_fn(|cx| ours.poll_write(cx, &[IoSlice::new(request.as_bytes())])).await.unwrap();
    assert_eq!(sent, request.len());
    let mut reply = BytesMut::new();
    let read = async {
        while poll_fn(|cx| {
            reply.reserve(64 << 10);
            ours.poll_read(cx, &mut reply, 64 << 10)
        })
        .await
        .unwrap()
            > 0
        {}
    };
    tokio::time::timeout(NEVER, read).await.expect("the end comes");
    assert!(reply.starts_with(b"HTTP/1.1 200 ") && reply.ends_with(b"a\"}") && reply.len() > LENGTH);
}
