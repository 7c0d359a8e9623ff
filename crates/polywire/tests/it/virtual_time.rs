//! Servers and channels on one paused runtime: minutes pass in no time, and what happens is the same at each
//! run.

use crate::{
    frames::{DATA, END_STREAM, Frames, GOAWAY, HEADERS, RST_STREAM},
    support::{line, number, numbers},
    talk::{Line, Talk, TalkClient},
};
use bytes::BytesMut;
use polywire::{
    Channel, Code, Context, Engine, Lifecycle, Next, Origin, Reply, Resilience, Running, Server, Status,
    Stream, Streaming, Timeouts,
};
use polywire_engine::{
    Fault,
    transport::{Memory, Peer, Transport, duplex},
};
use polywire_machine_testing::{Fate, FaultPlan, Faulty};
use std::{
    io::{ErrorKind::NotFound, IoSlice},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering::SeqCst},
    },
    task::{Context as TaskContext, Poll, Waker},
    time::{Duration, SystemTime},
};
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);
const MINUTE: Duration = Duration::from_secs(60);

/// Sleeps for the requested number of minutes before it replies.
struct Slow;

impl Talk for Slow {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        tokio::time::sleep(MINUTE * request.number).await;
        Ok(request.into())
    }
    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        let (sender, lines) = polywire::stream(1);
        cx.spawn(async move {
            for n in 0..request.number {
                tokio::time::sleep(MINUTE).await;
                sender.send(number(n)).await?;
            }
            Ok(())
        });
        Ok(lines)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

/// A server and a client of it, with this happening to what the client reads; counts connections.
struct Net {
    running: Arc<Running>,
    talk: TalkClient,
    connections: Arc<AtomicU32>,
}

fn net(protocol: &str, timeouts: Timeouts, reads: impl Fn(u32) -> FaultPlan + Send + Sync + 'static) -> Net {
    net_of(Server::new().service(Slow.into_service()).timeouts(timeouts), protocol, reads)
}

fn net_of(server: Server, protocol: &str, reads: impl Fn(u32) -> FaultPlan + Send + Sync + 'static) -> Net {
    let running = Arc::new(server.engine(&Engine::here()).start_without_listener().unwrap());
    let connections = Arc::new(AtomicU32::new(0));
    let (serving, count) = (running.clone(), connections.clone());
    let channel = Channel::builder("there")
        .protocol(protocol)
        .timeout(60 * MINUTE)
        .resilience(Resilience::default().retries(0))
        .connector(move |_| {
            let (ours, theirs) = duplex("net", 1 << 20);
            serving.serve_stream(theirs);
            let plan = reads(count.fetch_add(1, SeqCst));
            std::future::ready(Ok(Faulty::new(ours, plan, FaultPlan::new(0))))
        });
    Net { running, talk: TalkClient::new(channel.build().unwrap()), connections }
}

fn perfect(_: u32) -> FaultPlan {
    FaultPlan::new(0)
}

/// Runs a test over both protocols in virtual time.
fn run(test: impl AsyncFn(&'static str)) {
    for protocol in ["baidu_std", "grpc"] {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(test(protocol));
    }
}

/// The clock's ticks are of a millisecond, and so are the wheel's.
fn about(passed: Duration, expected: Duration) -> bool {
    passed >= expected && passed <= expected + 5 * MS
}

#[test]
fn a_handler_may_take_minutes() {
    run(async |protocol| {
        let net = net(protocol, Timeouts::default(), perfect);
        let began = Instant::now();
        assert_eq!(net.talk.say(number(3)).await.unwrap().number, 3);
        assert!(about(began.elapsed(), 3 * MINUTE), "{:?}", began.elapsed());
    });
}

#[test]
fn a_stop_without_a_limit_returns_when_the_last_call_has_ended() {
    run(async |protocol| {
        let server = Server::new().service(Slow.into_service()).engine(&Engine::here());
        let running =
            server.lifecycle(Lifecycle::default().drain(Duration::MAX)).start_without_listener().unwrap();
        let (ours, theirs) = duplex("net", 1 << 20);
        running.serve_stream(theirs);
        let ours = Mutex::new(Some(ours));
        let channel =
            Channel::builder("there").protocol(protocol).timeout(60 * MINUTE).connector(move |_| {
                std::future::ready(ours.lock().unwrap().take().ok_or_else(|| NotFound.into()))
            });
        let talk = TalkClient::new(channel.build().unwrap());
        let began = Instant::now();
        let call = tokio::spawn(async move {
            talk.say(number(3)).await.unwrap();
            began.elapsed()
        });
        tokio::time::sleep(MS).await; // a stop that looked every few milliseconds would return later than the call
        assert!(running.stop().await.is_empty());
        let stopped = began.elapsed();
        assert_eq!(call.await.unwrap(), stopped, "{protocol}");
        assert!(about(stopped, 3 * MINUTE), "{stopped:?}");
    });
}

#[test]
fn deadlines_pass_to_the_millisecond_at_both_ends() {
    run(async |protocol| {
        let net = net(protocol, Timeouts::default(), perfect);
        let began = Instant::now();
        let why = net.talk.say(number(3)).timeout(2 * MINUTE).await.unwrap_err();
        assert_eq!(why.code(), Code::DeadlineExceeded);
        assert!(about(began.elapsed(), 2 * MINUTE), "{:?}", began.elapsed());
        tokio::time::sleep(10 * MS).await;
        assert_eq!(net.running.connections()[0].calls(), 0, "the server has given it up as well");
    });
}

/// A server whose methods may take two and a half minutes, and what handlers see as their time left.
fn limited(protocol: &str) -> (Net, Arc<Mutex<Vec<Option<Duration>>>>) {
    let seen: Arc<Mutex<Vec<_>>> = Arc::default();
    let sees = seen.clone();
    let layer = move |cx: Context, next: Next| {
        sees.lock().unwrap().push(cx.remaining());
        next.run(cx)
    };
    let service = Slow.into_service().each_method(|_, method| method.timeout(LIMIT));
    (net_of(Server::new().service(service).middleware(layer), protocol, perfect), seen)
}

const LIMIT: Duration = Duration::from_secs(150);

#[test]
fn a_method_has_a_limit_of_its_own_over_every_protocol() {
    // Whether callers' deadlines are sent.
    let protocols = [
        ("baidu_std", true),
        ("streaming_rpc", true),
        ("hulu_pbrpc", false),
        ("sofa_pbrpc", false),
        ("http", true),
        ("h2", true),
        ("grpc", true),
        ("grpc-web", true),
        ("connect", true),
        ("zmtp", true),
    ];
    // What the caller gives, what the handler takes, and when the call ends; in minutes.
    let cases = [(60.0, 3, 2.5), (2.0, 3, 2.0), (60.0, 1, 1.0)];
    for (protocol, sent) in protocols {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (net, seen) = limited(protocol);
            for (given, takes, ends) in cases {
                let began = Instant::now();
                let given = MINUTE.mul_f64(given);
                let ended = net.talk.say(number(takes)).timeout(given).await;
                let passed = began.elapsed();
                assert!(about(passed, MINUTE.mul_f64(ends)), "{protocol}, {given:?}: {passed:?}");
                let code = ended.map_or_else(|why| why.code(), |_| Code::Ok);
                let expected = if ends < takes.into() { Code::DeadlineExceeded } else { Code::Ok };
                assert_eq!(code, expected, "{protocol}, {given:?}");
                let left = if sent { LIMIT.min(given) } else { LIMIT };
                assert_eq!(seen.lock().unwrap().pop().flatten(), Some(left), "{protocol}, {given:?}");
                tokio::time::sleep(MINUTE).await;
                assert!(net.running.connections().iter().all(|one| one.calls() == 0), "{protocol}");
            }
        });
    }
}

#[test]
fn streams_end_at_the_limit_of_their_method() {
    for protocol in ["grpc", "grpc-web", "connect", "streaming_rpc"] {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (net, _) = limited(protocol);
            let began = Instant::now();
            let (counted, end) = numbers(net.talk.count(number(5)).await.unwrap()).await;
            assert_eq!(
                (counted, end.unwrap_err().code()),
                (vec![0, 1], Code::DeadlineExceeded),
                "{protocol}"
            );
            assert!(about(began.elapsed(), LIMIT), "{protocol}: {:?}", began.elapsed());
            if !["grpc", "streaming_rpc"].contains(&protocol) {
                return; // no streams of requests over HTTP/1.1
            }
            // One that says nothing at all.
            let began = Instant::now();
            let mut chat = net.talk.chat().await.unwrap();
            let end = chat.next().await.unwrap().unwrap_err();
            assert_eq!(end.code(), Code::DeadlineExceeded, "{protocol}");
            assert!(about(began.elapsed(), LIMIT), "{protocol}: {:?}", began.elapsed());
        });
    }
}

#[test]
fn a_method_with_no_time_at_all_does_not_start() {
    let service = Slow.into_service().method("Say", |say| say.timeout(Duration::ZERO));
    let wrong = Server::new().service(service).start_without_listener().err().expect("it is refused");
    assert_eq!(wrong.to_string(), "timeout(0) of talk.Talk/Say leaves nothing: None is no limit");
}

#[test]
fn streams_are_as_slow_as_their_handler() {
    run(async |protocol| {
        if protocol == "baidu_std" {
            return; // carries no streams of messages
        }
        let net = net(protocol, Timeouts::default(), perfect);
        let began = Instant::now();
        let counted = net.talk.count(number(5)).await.unwrap();
        assert_eq!(numbers(counted).await, ((0..5).collect(), Ok(())));
        assert!(about(began.elapsed(), 5 * MINUTE), "{:?}", began.elapsed());
    });
}

#[test]
fn a_slow_link_delays_replies_and_every_run_is_alike() {
    let passed = |protocol: &'static str| {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            // A reply over HTTP/2 is as long as its date, compressed.
            polywire_engine::clock::begin_calendar(SystemTime::UNIX_EPOCH);
            let net = net(protocol, Timeouts::default(), |n| {
                FaultPlan::new(u64::from(n)).pieces(7).delay(20 * MS..90 * MS)
            });
            let began = Instant::now();
            let mut passed = Vec::new();
            for n in 0..10 {
                assert_eq!(net.talk.say(line(&"x".repeat(n * 10))).await.unwrap().text.len(), n * 10);
                passed.push(began.elapsed());
            }
            passed
        })
    };
    for protocol in ["baidu_std", "grpc"] {
        let first = passed(protocol);
        assert!(first[0] >= 20 * MS && first[9] >= 200 * MS, "{first:?}");
        assert_eq!(first, passed(protocol), "{protocol}");
    }
}

#[test]
fn idle_connections_are_closed_and_the_next_call_makes_another() {
    run(async |protocol| {
        let idle = Timeouts::default().idle(MINUTE);
        let net = net(protocol, idle, perfect);
        net.talk.say(number(0)).await.unwrap();
        tokio::time::sleep(MINUTE / 2).await;
        assert_eq!(net.running.connections().len(), 1);
        tokio::time::sleep(MINUTE).await;
        assert_eq!(net.running.connections().len(), 0);
        net.talk.say(number(0)).await.unwrap();
        assert_eq!(net.connections.load(SeqCst), 2);
    });
}

/// A stream whose peer ends at a word of the test, which nobody is woken for.
struct Ending(Memory, Arc<AtomicBool>);

impl Transport for Ending {
    fn poll_read(
        &mut self,
        cx: &mut TaskContext<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<std::io::Result<usize>> {
        if self.1.load(SeqCst) { Poll::Ready(Ok(0)) } else { self.0.poll_read(cx, into, most) }
    }
    fn poll_write(
        &mut self,
        cx: &mut TaskContext<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        self.0.poll_write(cx, slices)
    }
    fn shutdown(&mut self) {
        self.0.shutdown();
    }
    fn peer(&self) -> &Peer {
        self.0.peer()
    }
    fn local(&self) -> &Peer {
        self.0.local()
    }
}

/// A turn of a connection takes posted calls, then reads, then writes.
#[test]
fn a_call_whose_connection_ends_in_the_turn_that_takes_it_was_not_run_over_any_protocol() {
    for protocol in ["baidu_std", "hulu_pbrpc", "nova_pbrpc", "grpc", "connect", "http"] {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let server = Server::new().service(Slow.into_service()).engine(&Engine::here());
            let running = Arc::new(server.start_without_listener().unwrap());
            let ends = Arc::new(AtomicBool::new(false));
            let (serving, end) = (running.clone(), ends.clone());
            let channel = Channel::builder("there")
                .protocol(protocol)
                .resilience(Resilience::default().retries(0))
                .connector(move |_| {
                    let (ours, theirs) = duplex("net", 1 << 20);
                    serving.serve_stream(theirs);
                    std::future::ready(Ok(Ending(ours, end.clone())))
                });
            let talk = TalkClient::new(channel.build().unwrap());
            talk.say(number(0)).await.unwrap();
            let mut call = talk.say(line("posted")).into_future();
            let polled = std::pin::Pin::new(&mut call).poll(&mut TaskContext::from_waker(Waker::noop()));
            assert!(polled.is_pending());
            ends.store(true, SeqCst);
            let why = call.await.unwrap_err();
            assert!(why.is_unprocessed(), "{protocol}: {why:?}");
        });
    }
}

#[test]
fn a_connection_that_dies_mid_reply_fails_its_call_and_no_other() {
    run(async |protocol| {
        let net = net(protocol, Timeouts::default(), |n| match n {
            0 => FaultPlan::new(0).after(20, Fate::Reset),
            _ => FaultPlan::new(0),
        });
        let why = net.talk.say(line("the reply is longer than twenty bytes")).await.unwrap_err();
        assert_eq!(why.code(), Code::Unavailable, "{why}");
        net.talk.say(line("again")).await.unwrap();
        assert_eq!(net.connections.load(SeqCst), 2);
    });
}

#[test]
fn a_pulled_cable_costs_the_deadline_and_no_more() {
    run(async |protocol| {
        let net = net(protocol, Timeouts::default(), |_| FaultPlan::new(0).after(0, Fate::Silence));
        let began = Instant::now();
        let why = net.talk.say(number(0)).timeout(MINUTE).await.unwrap_err();
        if protocol == "grpc" {
            // SETTINGS has to be acknowledged in time: the connection counts as lost before the call does.
            assert_eq!((why.code(), why.origin()), (Code::Unavailable, Origin::Transport), "{why}");
            assert!(began.elapsed() < MINUTE, "{:?}", began.elapsed());
        } else {
            assert_eq!(why.code(), Code::DeadlineExceeded, "{why}");
            assert!(about(began.elapsed(), MINUTE), "{:?}", began.elapsed());
        }
    });
}

/// The settings that are needed where a proxy shares one connection among unknown callers.
#[test]
fn requests_that_never_end_cost_others_on_their_connection_nothing() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let net = net("h2", Timeouts::default(), perfect);
        let (ours, theirs) = duplex("shared", 1 << 20);
        net.running.serve_stream(theirs);
        let mut peer = Frames::new(ours).await;
        let began = Instant::now();
        // A call that takes three minutes. Then a body that stops, one that arrives byte by byte, one of a
        // page, and a long message of a stream.
        peer.post(1, "/talk.Talk/Say", "application/json").await;
        peer.send(DATA, END_STREAM, 1, b"{\"number\":3}").await;
        peer.post(3, "/talk.Talk/Say", "application/json").await;
        peer.send(DATA, 0, 3, b"{").await;
        peer.post(5, "/talk.Talk/Say", "application/grpc").await;
        peer.send(DATA, 0, 5, &[0, 0, 0, 1, 0]).await;
        peer.post(7, "/health", "text/plain").await;
        peer.post(9, "/talk.Talk/Chat", "application/grpc").await;
        peer.send(DATA, 0, 9, &[0, 0, 16, 0, 0]).await;
        let (mut broken, mut answered) = (Vec::new(), Vec::new());
        for second in 0..185 {
            // Whole calls come and go all the time.
            let quick = 11 + 2 * second;
            peer.post(quick, "/talk.Talk/Say", "application/json").await;
            peer.send(DATA, END_STREAM, quick, b"{}").await;
            if broken.is_empty() {
                peer.send(DATA, 0, 5, b"x").await;
            }
            let until = Instant::now() + Duration::from_secs(1);
            while let Ok(frame) = tokio::time::timeout_at(until, peer.next()).await {
                match frame.kind {
                    GOAWAY => panic!("{}", String::from_utf8_lossy(&frame.payload)),
                    RST_STREAM => broken.push((frame.stream, began.elapsed().as_secs())),
                    DATA | HEADERS if frame.flags & END_STREAM > 0 => answered.push(frame.stream),
                    _ => {}
                }
            }
        }
        broken.sort();
        assert_eq!(broken.iter().map(|(stream, _)| *stream).collect::<Vec<_>>(), [3, 5, 7, 9]);
        assert!(broken.iter().all(|(_, after)| (60..=62).contains(after)), "{broken:?}");
        assert_eq!(net.running.faults().count(Fault::Message), 4);
        let whole = |stream: &u32| *stream == 1 || *stream > 9;
        assert_eq!(answered.iter().filter(|stream| whole(stream)).count(), 186);
        assert_eq!(answered.len(), 190, "those that were late have an answer, too");
    });
}
