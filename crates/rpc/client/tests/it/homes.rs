//! Callers on shards, on runtimes, on plain threads: where their connections live, and what happens when a
//! home ends.

use crate::common::*;
use polywire_call::{Code, brpc};
use polywire_client::{Channel, NoProtocols, Pooling, Resilience, Target};
use polywire_engine::{Engine, inline::Inline};
use polywire_machine_testing::lab::{self, Frame, HEADER, Kind};
use polywire_server::{Call, Handler, Method, Preset, Running, Server, Service, Started};
use polywire_wire::{Connections, Outcome, ProtocolSet, Protocols};
use std::{
    future::IntoFuture,
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Barrier, mpsc},
    task::{Context, Waker},
    thread,
    time::{Duration, Instant},
};
use tokio::runtime::{Builder, Runtime};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

struct Lab;
impl Protocols for Lab {
    fn protocol_set() -> ProtocolSet {
        lab::PROTOCOLS
    }
}
impl Preset for Lab {
    type Pages = ();
}

/// Echoes.
struct Echo;
impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        Started::Ready(Outcome { body: call.body, reply: true, ..Outcome::default() })
    }
}

/// A server that echoes, on a socket, and a channel to it.
fn echo_server() -> (Running, polywire_client::Builder) {
    let service = Service::new("test.Service", &[]).with(Method::new("Echo", || Box::new(Echo)));
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let server = Server::<Lab>::new().engine(&engine).pages(None).service(service);
    let running = server.listen("127.0.0.1:0").start().expect("the server starts");
    let address = running.addresses()[0].to_string();
    (running, to(address))
}

fn to(address: impl Into<String>) -> polywire_client::Builder {
    let builder = Channel::<NoProtocols>::builder(address).protocol_set(lab::PROTOCOLS).protocol("lab");
    builder.timeout(NEVER).connect_timeout(Duration::from_secs(5))
}

/// Echoes `times` times, each time something else.
async fn work(channel: Channel, name: u32, times: u32) {
    for n in 0..times {
        let said = [name.to_le_bytes(), n.to_le_bytes()].concat();
        let reply = channel.call(ECHO, said.clone()).await.expect("answered");
        assert_eq!(reply.into_message().body.to_vec(), said);
    }
}

#[test]
fn tasks_of_a_runtime_share_one_connection() {
    let (running, builder) = echo_server();
    let channel = builder.build().expect("a channel");
    let runtime = Builder::new_multi_thread().worker_threads(3).enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let tasks: Vec<_> = (0..50).map(|name| tokio::spawn(work(channel.clone(), name, 40))).collect();
        for task in tasks {
            task.await.expect("no panic");
        }
    });
    assert_eq!((channel.connections_made(), running.connections().len()), (1, 1));
}

#[test]
fn each_shard_has_a_connection_of_its_own() {
    let (_running, builder) = echo_server();
    let channel = builder.build().expect("a channel");
    let engine = Engine::builder().shards(3).workers(1).build().expect("an engine");
    runtime().block_on(async {
        let tasks: Vec<_> =
            (0..30).map(|n| engine.shards()[n % 3].spawn(work(channel.clone(), n as u32, 20))).collect();
        for task in tasks {
            task.await.expect("no panic");
        }
    });
    assert_eq!(channel.connections_made(), 3);
}

#[test]
fn homes_beyond_the_bound_share_connections() {
    let (_running, builder) = echo_server();
    let channel = builder.pooling(Pooling::default().homes(2)).build().expect("a channel");
    let runtimes: Vec<_> = (0..5)
        .map(|name| {
            let channel = channel.clone();
            let (ends, end) = tokio::sync::oneshot::channel::<()>();
            let (works, worked) = mpsc::channel();
            let thread = thread::spawn(move || {
                runtime().block_on(async {
                    work(channel, name, 30).await;
                    works.send(()).expect("the test listens");
                    let _ = end.await; // lives until all have worked
                })
            });
            worked.recv_timeout(NEVER).expect("it works");
            (thread, ends)
        })
        .collect();
    assert_eq!(channel.connections_made(), 2);
    for (thread, ends) in runtimes {
        drop(ends);
        thread.join().expect("no panic");
    }
    // All homes are gone; their places are free again.
    runtime().block_on(work(channel.clone(), 9, 3));
    assert_eq!(channel.connections_made(), 3);
}

#[test]
fn a_call_made_on_the_work_pool_lives_on_the_shard_of_its_request() {
    let (_echo, builder) = echo_server();
    let channel = builder.build().expect("a channel");
    struct Forward(Channel);
    impl Handler for Forward {
        fn start(&self, call: Call) -> Started {
            let channel = self.0.clone();
            Started::Future(Box::pin(async move {
                let body = channel.call(ECHO, call.body).await.expect("answered").into_message().body;
                Outcome { body, reply: true, ..Outcome::default() }
            }))
        }
    }
    let mut methods = Vec::new();
    for (name, inline) in [("Here", Inline::Always), ("There", Inline::Never), ("Apart", Inline::Blocking)] {
        let channel = channel.clone();
        let method = Method::new(name, move || Box::new(Forward(channel.clone()))).inline(inline);
        methods.push(method);
    }
    let service = methods.into_iter().fold(Service::new("test.Service", &[]), Service::with);
    let engine = Engine::builder().shards(1).workers(2).build().expect("an engine");
    let server = Server::<Lab>::new().engine(&engine).pages(None).service(service);
    let proxy = server.listen("127.0.0.1:0").start().expect("the proxy starts");
    let front = to(proxy.addresses()[0].to_string()).build().expect("a channel");
    runtime().block_on(async {
        for method in ["Here", "There", "Apart"] {
            for _ in 0..10 {
                let target = Target::fixed("test.Service", method);
                assert_eq!(
                    body(front.call(target, bytes::Bytes::from("through")).await),
                    b"through",
                    "{method}"
                );
            }
        }
    });
    assert_eq!(channel.connections_made(), 1, "one home: the shard");
}

#[test]
fn calls_in_flight_when_their_home_ends_are_tried_where_they_are_awaited() {
    for retries in [0, 1] {
        let (builder, mut peers) = channel();
        let channel = builder.resilience(Resilience::default().retries(retries)).build().expect("a channel");
        let home = runtime();
        let mut call = echo(&channel, b"again").idempotent(true).into_future();
        let mut first = home.block_on(async {
            let polled = std::future::poll_fn(|cx| {
                std::task::Poll::Ready(std::pin::Pin::new(&mut call).poll(cx).is_pending())
            });
            assert!(polled.await);
            let mut peer = peers.recv().await.expect("a connection");
            assert_eq!(peer.frame().await.called().1, b"again");
            peer
        });
        drop(home);
        run(async {
            while first.read().await > 0 {}
            let answering = async {
                let mut peer = peers.recv().await.expect("another connection");
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, b"here")).await;
                peer
            };
            if retries > 0 {
                let (reply, _peer) = tokio::join!(call, answering);
                assert_eq!(body(reply), b"here");
            } else {
                let status = call.await.expect_err("its home is gone");
                assert!(status.is_retryable() && !status.is_unprocessed(), "{status:?}");
                let (reply, _peer) = tokio::join!(echo(&channel, b"next"), answering);
                assert_eq!(body(reply), b"here");
            }
        });
    }
}

/// The peer ends while the call is posted: its connection takes the call and reads the end in the same turn.
#[test]
fn a_call_of_which_no_byte_was_sent_is_tried_elsewhere_whatever_it_does() {
    for retries in [0, 1] {
        let (builder, mut peers) = channel();
        let channel = builder.resilience(Resilience::default().retries(retries)).build().expect("a channel");
        run(async {
            let answer = async |mut peer: Peer| {
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, call.called().1)).await;
                peer
            };
            let first = async { answer(peers.recv().await.expect("a connection")).await };
            let (reply, first) = tokio::join!(echo(&channel, b"first"), first);
            assert_eq!(body(reply), b"first");
            let mut call = echo(&channel, b"posted").idempotent(false).into_future();
            assert!(std::pin::Pin::new(&mut call).poll(&mut Context::from_waker(Waker::noop())).is_pending());
            drop(first);
            if retries > 0 {
                let other = async { answer(peers.recv().await.expect("another connection")).await };
                let (reply, _peer) = tokio::join!(call, other);
                assert_eq!(body(reply), b"posted");
            } else {
                let status = call.await.expect_err("its connection has ended");
                assert!(status.is_unprocessed(), "{status:?}");
            }
        });
    }
}

#[test]
fn a_call_on_a_runtime_that_has_ended_fails_at_once() {
    let (builder, _peers) = channel();
    let channel = builder.build().expect("a channel");
    let gone = runtime();
    let handle = gone.handle().clone();
    drop(gone);
    let _inside = handle.enter();
    let mut call = std::pin::pin!(echo(&channel, b"").into_future());
    let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let std::task::Poll::Ready(Err(status)) = polled else { panic!("nobody would ever wake it") };
    assert!(status.is_unprocessed(), "{status:?}");
}

#[test]
fn threads_that_block_share_a_connection_and_lead_in_turn() {
    let (_running, builder) = echo_server();
    let channel = builder.build().expect("a channel");
    let together = Arc::new(Barrier::new(8));
    let threads: Vec<_> = (0..8u32)
        .map(|name| {
            let (channel, together) = (channel.clone(), together.clone());
            thread::spawn(move || {
                together.wait();
                for n in 0..300u32 {
                    let said = [name.to_le_bytes(), n.to_le_bytes()].concat();
                    let reply = channel.call(ECHO, said.clone()).blocking().expect("answered");
                    assert_eq!(reply.into_message().body.to_vec(), said);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
}

/// The first call of a channel begins to connect; another thread's must find that it has.
#[test]
fn threads_that_make_the_first_calls_of_a_fleet_at_once_wait_for_one_connection() {
    let (running, _) = echo_server();
    for _ in 0..300 {
        let builder = to(format!("list://{}", running.addresses()[0]));
        let channel = builder.resilience(Resilience::default().retries(0)).build().expect("a channel");
        let together = Arc::new(Barrier::new(8));
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let (channel, together) = (channel.clone(), together.clone());
                thread::spawn(move || {
                    together.wait();
                    body(echo(&channel, b"x").blocking())
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().expect("answered"), b"x"));
    }
}

#[test]
fn threads_that_block_may_have_connections_each() {
    for kind in [Connections::Pooled, Connections::Short] {
        let (_running, builder) = echo_server();
        let channel = builder.pooling(Pooling::default().kind(kind)).build().expect("a channel");
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let channel = channel.clone();
                thread::spawn(move || {
                    for _ in 0..20 {
                        assert_eq!(body(echo(&channel, b"x").blocking()), b"x");
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    }
}

#[test]
fn blocking_works_through_a_connector_too() {
    let (builder, mut peers) = channel();
    let channel = builder.build().expect("a channel");
    let answering = thread::spawn(move || {
        run(async {
            let mut peer = peers.recv().await.expect("a connection");
            for _ in 0..3 {
                let call = peer.frame().await;
                peer.send(Frame::reply(call.id, b"x")).await;
            }
        })
    });
    // On a thread without a runtime, and on one whose runtime it stops while it waits.
    assert_eq!(body(echo(&channel, b"").blocking()), b"x");
    runtime().block_on(async {
        assert_eq!(body(echo(&channel, b"").blocking()), b"x");
    });
    assert_eq!(body(echo(&channel, b"").blocking()), b"x");
    answering.join().expect("no panic");
}

#[test]
fn blocking_on_a_shard_is_refused_at_once() {
    let (builder, _peers) = channel();
    let channel = builder.build().expect("a channel");
    let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
    let call = echo(&channel, b"");
    let task = engine.shards()[0].spawn(async move { call.blocking().map(drop) });
    let status = runtime().block_on(task).expect("no panic").expect_err("refused");
    assert_eq!(status.code(), Code::FailedPrecondition);
}

/// A listener whose connections a test answers by hand, on a thread.
fn by_hand<R: Send + 'static>(
    serve: impl FnOnce(TcpListener) -> R + Send + 'static,
) -> (polywire_client::Builder, thread::JoinHandle<R>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    (to(address), thread::spawn(move || serve(listener)))
}

fn read_frame(stream: &mut TcpStream) -> Frame {
    let mut bytes = vec![0; HEADER];
    stream.read_exact(&mut bytes).expect("a header");
    let n = u32::from_le_bytes(bytes[16..].try_into().expect("four bytes")) as usize;
    bytes.resize(HEADER + n, 0);
    stream.read_exact(&mut bytes[HEADER..]).expect("a body");
    Frame::decode(&mut bytes[..].into()).expect("a whole frame")
}

#[test]
fn a_followers_deadline_is_its_own() {
    let (told, hears) = mpsc::channel();
    let (builder, server) = by_hand(move |listener| {
        let (mut stream, _) = listener.accept().expect("a connection");
        let slow = read_frame(&mut stream);
        told.send(()).expect("the test listens");
        let quick = read_frame(&mut stream);
        let reset = read_frame(&mut stream);
        assert_eq!((reset.kind, reset.id), (Kind::Reset, quick.id));
        stream.write_all(&Frame::reply(slow.id, b"slow").bytes()).expect("it reads");
    });
    let channel = builder.build().expect("a channel");
    let leader = channel.clone();
    let leader = thread::spawn(move || body(echo(&leader, b"").blocking()));
    hears.recv_timeout(NEVER).expect("the leader waits");
    let began = Instant::now();
    let status = echo(&channel, b"").timeout(ms(30)).blocking().expect_err("too slow");
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!(leader.join().expect("no panic"), b"slow");
    server.join().expect("no panic");
}

#[test]
fn a_leader_that_is_answered_hands_the_lead_on() {
    let (told, hears) = mpsc::channel();
    let (go, goes) = mpsc::channel();
    let (builder, server) = by_hand(move |listener| {
        let (mut stream, _) = listener.accept().expect("a connection");
        let first = read_frame(&mut stream);
        told.send(()).expect("the test listens");
        let rest: Vec<_> = (0..3).map(|_| read_frame(&mut stream)).collect();
        stream.write_all(&Frame::reply(first.id, b"first").bytes()).expect("it reads");
        goes.recv_timeout(NEVER).expect("the leader has gone");
        for call in rest.into_iter().rev() {
            stream.write_all(&Frame::reply(call.id, call.called().1).bytes()).expect("it reads");
        }
    });
    let channel = builder.build().expect("a channel");
    let ask = |what: &'static [u8]| {
        let channel = channel.clone();
        thread::spawn(move || body(echo(&channel, what).blocking()))
    };
    let leader = ask(b"first");
    hears.recv_timeout(NEVER).expect("the leader waits");
    let followers = [ask(b"a"), ask(b"b"), ask(b"c")];
    assert_eq!(leader.join().expect("no panic"), b"first");
    go.send(()).expect("the server waits");
    let answers = followers.map(|follower| follower.join().expect("no panic"));
    assert_eq!(answers, [b"a", b"b", b"c"]);
    server.join().expect("no panic");
}

#[test]
fn a_server_that_dies_ends_every_blocked_call_and_the_next_ones_reach_its_successor() {
    let (told, hears) = mpsc::channel();
    let (builder, server) = by_hand(move |listener| {
        let (mut stream, _) = listener.accept().expect("a connection");
        for _ in 0..5 {
            read_frame(&mut stream);
        }
        drop(stream); // with everything unanswered
        let (mut stream, _) = listener.accept().expect("another connection");
        told.send(()).expect("the test listens");
        let call = read_frame(&mut stream);
        stream.write_all(&Frame::reply(call.id, b"back").bytes()).expect("it reads");
    });
    let channel = builder.resilience(Resilience::default().retries(0)).build().expect("a channel");
    let callers: Vec<_> = (0..5)
        .map(|_| {
            let channel = channel.clone();
            thread::spawn(move || echo(&channel, b"").blocking().map(drop))
        })
        .collect();
    for caller in callers {
        let status = caller.join().expect("no panic").expect_err("the server died");
        assert!(status.is_retryable(), "{status:?}");
        assert!([brpc::EEOF, brpc::EFAILEDSOCKET, brpc::ECONNRESET].contains(&brpc::number(&status)));
    }
    assert_eq!(body(echo(&channel, b"").blocking()), b"back");
    hears.recv_timeout(NEVER).expect("it came back");
    server.join().expect("no panic");
}

#[test]
fn no_blocking_call_goes_to_a_connection_that_the_server_has_left_meanwhile() {
    let drain: fn(&mut TcpStream) =
        |stream| stream.write_all(&Frame::new(Kind::Drain, 0).bytes()).expect("it reads");
    let close: fn(&mut TcpStream) = |stream| stream.shutdown(Shutdown::Both).expect("it is open");
    // More connections than a call has tries; the pool keeps them all.
    for (kind, connections) in [(Connections::Single, 1), (Connections::Pooled, 5)] {
        for leave in [drain, close] {
            let (told, hears) = mpsc::channel();
            let (go, goes) = mpsc::channel();
            let (builder, server) = by_hand(move |listener| {
                let accept = || listener.accept().expect("a connection").0;
                let mut streams: Vec<_> = (0..connections).map(|_| accept()).collect();
                let calls: Vec<_> = streams.iter_mut().map(read_frame).collect();
                for (stream, call) in streams.iter_mut().zip(calls) {
                    stream.write_all(&Frame::reply(call.id, b"old").bytes()).expect("it reads");
                }
                goes.recv_timeout(NEVER).expect("all are answered");
                streams.iter_mut().for_each(leave);
                told.send(()).expect("the test listens");
                let mut stream = accept();
                let call = read_frame(&mut stream);
                stream.write_all(&Frame::reply(call.id, b"new").bytes()).expect("it reads");
            });
            let channel = builder
                .pooling(Pooling::default().kind(kind).pool(connections))
                .resilience(Resilience::default().retries(0))
                .build();
            let channel = channel.expect("a channel");
            let callers: Vec<_> = (0..connections)
                .map(|_| {
                    let channel = channel.clone();
                    thread::spawn(move || body(echo(&channel, b"").blocking()))
                })
                .collect();
            for caller in callers {
                assert_eq!(caller.join().expect("no panic"), b"old");
            }
            go.send(()).expect("the server waits");
            hears.recv_timeout(NEVER).expect("the server has left");
            thread::sleep(ms(2)); // after a shorter pause nothing is read before a call is sent
            assert_eq!(body(echo(&channel, b"").blocking()), b"new", "{kind:?}");
            server.join().expect("no panic");
        }
    }
}

#[test]
fn a_peer_that_drains_still_answers_what_blocked_callers_wait_for() {
    let (told, hears) = mpsc::channel();
    let (builder, server) = by_hand(move |listener| {
        let (mut stream, _) = listener.accept().expect("a connection");
        let call = read_frame(&mut stream);
        stream.write_all(&Frame::new(Kind::Drain, 0).bytes()).expect("it reads");
        told.send(()).expect("the test listens");
        let (mut second, _) = listener.accept().expect("another connection");
        let next = read_frame(&mut second);
        second.write_all(&Frame::reply(next.id, b"second").bytes()).expect("it reads");
        stream.write_all(&Frame::reply(call.id, b"first").bytes()).expect("it reads");
    });
    let channel = builder.resilience(Resilience::default().retries(0)).build().expect("a channel");
    let first = channel.clone();
    let first = thread::spawn(move || body(echo(&first, b"").blocking()));
    hears.recv_timeout(NEVER).expect("it drains");
    // Until the notice was read, calls still go to the old connection, which does not answer them, or refuses
    // one that meets the notice there.
    let second = loop {
        match echo(&channel, b"").timeout(ms(50)).blocking() {
            Ok(reply) => break reply.into_message().body.to_vec(),
            Err(status) if status.is_unprocessed() => {}
            Err(status) => assert_eq!(status.code(), Code::DeadlineExceeded, "{status}"),
        }
    };
    assert_eq!(second, b"second");
    assert_eq!(first.join().expect("no panic"), b"first");
    server.join().expect("no panic");
}

/// Both directions are full: whoever only wrote would never get its replies, nor its peer its requests.
#[test]
fn blocked_callers_read_while_they_owe_bytes() {
    const BIG: usize = 8 << 20;
    let (builder, server) = by_hand(move |listener| {
        let (mut stream, _) = listener.accept().expect("a connection");
        // Takes nothing more before its own bytes were taken.
        let first = read_frame(&mut stream);
        for _ in 0..3 {
            stream.write_all(&Frame::new(Kind::Part, first.id).bytes()).expect("it reads");
        }
        let noise = Frame { body: vec![0; BIG], ..Frame::new(Kind::Answer, 999) };
        stream.write_all(&noise.bytes()).expect("it reads while it writes");
        stream.write_all(&Frame::reply(first.id, b"first").bytes()).expect("it reads");
        let second = read_frame(&mut stream);
        stream.write_all(&Frame::reply(second.id, b"second").bytes()).expect("it reads");
    });
    let channel = builder.build().expect("a channel");
    let first = channel.clone();
    let first = thread::spawn(move || body(echo(&first, b"").blocking()));
    let big = channel.call(ECHO, vec![0; BIG]).blocking();
    let (one, two) = (first.join().expect("no panic"), body(big));
    assert!([(&one[..], &two[..]), (&two[..], &one[..])].contains(&(b"first", b"second")));
    server.join().expect("no panic");
}

#[test]
fn nobody_there_is_said_to_blocked_callers_as_to_others() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    drop(listener);
    let channel = to(address.clone()).build().expect("a channel");
    let status = channel.call(ECHO, Vec::new()).blocking().expect_err("nobody");
    assert_eq!(brpc::number(&status), brpc::ECONNREFUSED);
    assert!(status.is_unprocessed());
    let text = format!("cannot connect to {address}: Connection refused (os error 111)");
    assert_eq!(status.message(), text);
    let status = runtime().block_on(channel.call(ECHO, Vec::new()).into_future()).expect_err("nobody");
    // Within the pause after the refusal it is the same words and that remark.
    assert_eq!(status.message().trim_end_matches(" (not tried again yet)"), text);
    assert!(status.is_unprocessed(), "{status:?}");
}

#[test]
fn a_blocking_call_that_may_have_stopped_its_own_server_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port"); // nobody accepts
    let address = listener.local_addr().expect("bound").to_string();
    let channel = to(address.clone()).build().expect("a channel");
    let call = || channel.call(ECHO, Vec::new()).timeout(ms(20)).blocking().expect_err("no reply");
    let within = runtime().block_on(async { call() });
    let alone = format!("deadline exceeded after 20 ms: 1 try, {address} (no reply)");
    let hint = "blocking() was called within a runtime of one thread: if the server runs there, await the call instead";
    assert_eq!(within.message(), format!("{alone}; {hint}"));
    assert_eq!(call().message(), alone, "no word of a runtime where there is none");
}

#[test]
fn blocked_callers_that_wait_for_their_server_do_so_up_to_their_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    drop(listener);
    for kind in [Connections::Single, Connections::Short] {
        let builder = to(address.clone())
            .pooling(Pooling::default().kind(kind))
            .wait_for_ready(true)
            .resilience(Resilience::default().retries(0));
        let channel = builder.timeout(Duration::from_millis(100)).build().expect("a channel");
        let status = channel.call(ECHO, Vec::new()).blocking().expect_err("nobody came");
        assert_eq!(status.code(), Code::DeadlineExceeded);
        let text = status.message();
        let tries = text.strip_prefix("deadline exceeded after 100 ms: ").expect(text);
        let (tries, why) = tries.split_once(" tries, ").expect(text);
        assert!(tries.parse::<u32>().is_ok_and(|tries| tries > 1), "{text}");
        assert_eq!(why, format!("{address} (cannot connect: Connection refused (os error 111))"));
    }
}
