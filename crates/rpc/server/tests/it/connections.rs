//! What a connection has to withstand: long bodies, switching protocols, bad input, slow and silent peers,
//! the end of the server.

use crate::common::*;
use polywire_call::brpc;
use polywire_engine::{Engine, Fault, Timeouts, inline::Inline};
use polywire_machine_testing::{
    Random,
    lab::{self, Frame, Kind},
    until,
};
use polywire_server::{Bounds, Call, Lifecycle, Preset, Running, Server};
use polywire_wire::{Limits, Protocol, ProtocolSet, Protocols, Stopping};
use std::{
    future::Future,
    net::TcpListener,
    sync::atomic::Ordering::*,
    task::{Context, Waker},
    time::{Duration, Instant},
};
use tokio::sync::{mpsc, watch};

async fn echo(call: Call) -> polywire_wire::Outcome {
    ok(call.body)
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// No limits except those that a test sets.
const ENDLESS: Timeouts = Timeouts::NONE;

#[test]
fn long_bodies_arrive_whole_however_they_are_cut() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let mut random = Random::new(7);
        for length in [65_515, 65_536, 100_000, 300_000, 1_000_003] {
            let body: Vec<u8> = (0..length).map(|n| (n * 31 % 251) as u8).collect();
            for capacity in [100_000, 1 << 16, 5_000] {
                let mut peer = connect_with(&running, capacity);
                let bytes = [
                    Frame::call(1, "test.Service/Echo", &body).bytes(),
                    Frame::call(2, "test.Service/Echo", b"behind").bytes(),
                ]
                .concat();
                let mut rest = &bytes[..];
                // Reads what arrives while it writes, so that the two sides do not wait for each other for
                // ever.
                let mut got = Vec::new();
                while !rest.is_empty() || got.len() < 2 {
                    let n = rest.len().min(1 + random.below(2 * capacity));
                    let (now, later) = rest.split_at(n);
                    peer.send_bytes(now).await;
                    rest = later;
                    if rest.is_empty() {
                        got.push(peer.frame().await);
                    }
                }
                assert!(got[0] == Frame::reply(1, &body), "{length} bytes by {capacity}");
                assert_eq!(got[1], Frame::reply(2, b"behind"));
            }
        }
    });
}

/// A peer that sends byte by byte must not pin a read buffer per byte.
#[test]
fn bytes_that_come_one_by_one_are_put_together() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let mut peer = connect(&running);
        let body = vec![5; 30_000];
        let bytes = Frame::call(1, "test.Service/Echo", &body).bytes();
        for byte in bytes.chunks(1) {
            peer.send_bytes(byte).await;
            tokio::task::yield_now().await;
        }
        assert!(peer.finish(1).await == Frame::reply(1, &body));
    });
}

/// Reports whether a body has its own memory, copied out of the read buffer.
fn is_detached(call: &Call) -> Vec<u8> {
    vec![u8::from(call.body.segments().all(bytes::Bytes::is_unique))]
}

#[test]
fn a_handler_that_waits_keeps_no_read_buffer_and_one_that_does_not_costs_no_copy() {
    run(async {
        let (open, gate) = watch::channel(true);
        let wait = method("Wait", move |call: Call| {
            let mut gate = gate.clone();
            async move {
                let _ = gate.wait_for(|open| *open).await;
                ok(is_detached(&call))
            }
        });
        let stay = method("Stay", |call: Call| async move { ok(is_detached(&call)) });
        let pool = method("Pool", |call: Call| async move { ok(is_detached(&call)) }).inline(Inline::Never);
        // A shard that is busy all the time sends calls to the pool.
        let running = start(
            server(service().with(wait).with(stay).with(pool)).bounds(Bounds::default().shedding(None)),
        );
        let mut peer = connect(&running);
        let mut id = 0;
        let mut next = |name: &str, bytes: usize| {
            id += 1;
            (id, Frame::call(id, &format!("test.Service/{name}"), &vec![7; bytes]))
        };
        // At first it is not known whether a method's calls wait.
        open.send_replace(false);
        let (waits, frame) = next("Wait", 100);
        peer.send(frame).await;
        let (other, frame) = next("Wait", 10_000);
        peer.send(frame).await;
        let (behind, frame) = next("Stay", 100);
        peer.send(frame).await;
        assert_eq!(peer.finish(behind).await, Frame::reply(behind, &[1]), "both wait by now");
        open.send_replace(true);
        let mut both = [peer.frame().await, peer.frame().await];
        both.sort_by_key(|frame| frame.id);
        assert_eq!(both, [waits, other].map(|id| Frame::reply(id, &[1])));
        // After many quick calls it is assumed not to wait.
        for name in ["Wait", "Stay"] {
            for _ in 0..600 {
                let (id, frame) = next(name, 100);
                peer.send(frame).await;
                peer.finish(id).await;
            }
            let (id, frame) = next(name, 100);
            peer.send(frame).await;
            assert_eq!(peer.finish(id).await, Frame::reply(id, &[0]), "{name} is ready at once");
        }
        // Once a call waits, later ones may wait again.
        open.send_replace(false);
        let (first, frame) = next("Wait", 100);
        peer.send(frame).await;
        let (second, frame) = next("Wait", 100);
        peer.send(frame).await;
        let (behind, frame) = next("Stay", 100);
        peer.send(frame).await;
        peer.finish(behind).await;
        open.send_replace(true);
        let mut both = [peer.frame().await, peer.frame().await];
        both.sort_by_key(|frame| frame.id);
        assert_eq!(both[1], Frame::reply(second, &[1]));
        assert_eq!(both[0].id, first, "of which nobody could know");
        let (id, frame) = next("Pool", 10_000);
        peer.send(frame).await;
        assert_eq!(peer.finish(id).await, Frame::reply(id, &[1]));
    });
}

#[test]
fn two_framed_protocols_take_turns_with_calls_open_on_both() {
    run(async {
        let (open, gate) = watch::channel(false);
        let wait = method("Wait", move |call: Call| {
            let mut gate = gate.clone();
            async move {
                let _ = gate.wait_for(|open| *open).await;
                ok(call.cx.protocol().as_bytes().to_vec())
            }
        });
        let running = serve(service().with(wait).with(method("Echo", echo)));
        let mut peer = connect(&running);
        for (id, magic) in [(1, b'L'), (2, b'K'), (3, b'L'), (4, b'K')] {
            peer.send(Frame::call(id, "test.Service/Wait", b"").magic(magic)).await;
        }
        peer.send(Frame::call(5, "test.Service/Echo", b"k").magic(b'K')).await;
        assert_eq!(peer.finish(5).await, Frame::reply(5, b"k").magic(b'K'));
        peer.send(Frame::new(Kind::Reset, 3)).await; // back to the first
        peer.send(Frame::call(6, "test.Service/Echo", b"l")).await;
        assert_eq!(peer.finish(6).await, Frame::reply(6, b"l"));
        open.send_replace(true);
        let mut seen = [peer.frame().await, peer.frame().await, peer.frame().await];
        seen.sort_by_key(|frame| frame.id);
        assert_eq!(
            seen,
            [
                Frame::reply(1, b"lab"),
                Frame::reply(2, b"also").magic(b'K'),
                Frame::reply(4, b"also").magic(b'K')
            ]
        );
        // not a framed protocol, so not allowed on this connection
        peer.send_bytes(b"GET / HTTP/1.1\r\n\r\n").await;
        peer.end().await;
        assert_eq!(running.faults().count(Fault::Malformed), 1);
    });
}

#[test]
fn an_upgraded_connection_speaks_as_its_new_machine() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Echo", b"old")).await;
        peer.send(Frame::new(Kind::Become, 0)).await;
        peer.send(Frame::call(2, "test.Service/Echo", b"new").magic(b'S')).await;
        assert_eq!(peer.finish(1).await, Frame::reply(1, b"old"));
        assert_eq!(peer.finish(2).await, Frame::reply(2, b"new").magic(b'S'));
    });
}

#[test]
fn a_serial_protocol_is_answered_in_order() {
    run(async {
        let (told, mut begun) = mpsc::unbounded_channel();
        let (open, gate) = watch::channel(0);
        let wait = method("Wait", move |call: Call| {
            let (told, mut gate) = (told.clone(), gate.clone());
            async move {
                let n = call.body.to_vec()[0];
                told.send(n).expect("the test listens");
                let _ = gate.wait_for(|open| *open >= n).await;
                ok(call.body)
            }
        });
        let running = serve(service().with(wait));
        let mut peer = connect(&running);
        for n in 1..=5u8 {
            peer.send(Frame::call(n.into(), "test.Service/Wait", &[n]).magic(b'S')).await;
        }
        for n in 1..=5u8 {
            assert_eq!(begun.recv().await, Some(n));
            assert!(begun.try_recv().is_err(), "the next begins after the reply");
            open.send_replace(n);
            assert_eq!(peer.finish(n.into()).await, Frame::reply(n.into(), &[n]).magic(b'S'));
        }
    });
}

#[test]
fn a_machines_timer_fires() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let mut peer = connect(&running);
        peer.send(Frame::new(Kind::Timer, 0).with(10)).await;
        assert_eq!(peer.frame().await.kind, Kind::Timer);
    });
}

#[test]
fn bad_input_ends_the_connection_and_counts_its_cause() {
    run(async {
        let limits = Limits::default().max_message(1000);
        let running = start(server(service().with(method("Echo", echo))).limits(limits));
        let mut oversized = Frame::call(1, "test.Service/Echo", b"").bytes();
        oversized[16..20].copy_from_slice(&100_000u32.to_le_bytes());
        let mut kind = Frame::call(1, "test.Service/Echo", b"").bytes();
        kind[1] = b'?';
        let cases = [
            (b"????".to_vec(), Fault::UnknownProtocol),
            (kind, Fault::Malformed),
            (oversized, Fault::TooLarge),
        ];
        for (bytes, fault) in cases {
            let mut peer = connect(&running);
            peer.send_bytes(&bytes).await;
            peer.end().await;
            assert_eq!(running.faults().count(fault), 1, "{fault:?}");
        }
        // A request that is only too long for its method is refused by a reply of the protocol.
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Echo", &[0; 1001])).await;
        assert_eq!(peer.finish(1).await.a, brpc::EREQUEST as u32);
        peer.send(Frame::call(2, "test.Service/Echo", b"alive")).await;
        assert_eq!(peer.finish(2).await, Frame::reply(2, b"alive"));
        assert_eq!(running.faults().count(Fault::LongRequest), 1);
    });
}

#[test]
fn a_stream_that_ends_within_a_message_is_counted_and_forgotten() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let whole = Frame::call(1, "test.Service/Echo", &[1; 200_000]).bytes();
        for cut in [1, 19, 20, 30, 50_000, 199_000] {
            let mut peer = connect(&running);
            peer.send_bytes(&whole[..cut]).await;
            peer.half_close();
            peer.end().await;
        }
        assert_eq!(running.faults().count(Fault::Truncated), 6);
        while !running.connections().is_empty() {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn noise_never_panics_and_always_ends() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let seed = 20_260_101;
        let mut random = Random::new(seed);
        for round in 0..300 {
            let mut peer = connect(&running);
            let mut bytes = Frame::call(1, "test.Service/Echo", b"body").bytes();
            bytes.extend(Frame::open(2, "test.Service/Echo", &[3, 4], b"x").bytes());
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            peer.send_bytes(&bytes).await;
            peer.half_close();
            while peer.read().await > 0 {}
            let _ = round;
        }
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Echo", b"alive")).await;
        assert_eq!(peer.finish(1).await, Frame::reply(1, b"alive"), "seed {seed}");
    });
}

fn held(timeouts: Timeouts) -> Running {
    start(server(service().with(method("Echo", echo))).timeouts(timeouts))
}

#[test]
fn a_message_that_does_not_come_to_its_end_is_given_up() {
    run(async {
        let running = held(ENDLESS.message(ms(30)));
        for length in [10, 100_000] {
            let bytes = Frame::call(1, "test.Service/Echo", &vec![0; length]).bytes();
            let mut peer = connect(&running);
            peer.send(Frame::call(9, "test.Service/Echo", b"whole")).await;
            peer.finish(9).await;
            peer.send_bytes(&bytes[..bytes.len() - 1]).await;
            peer.end().await;
        }
        assert_eq!(running.faults().count(Fault::Message), 2);
    });
}

#[test]
fn messages_one_after_the_other_are_no_slow_message() {
    run(async {
        let running = held(ENDLESS.message(ms(60)));
        let mut peer = connect(&running);
        // Each read ends within the next message; together they take longer than one message may.
        let began = Instant::now();
        let mut rest: Vec<u8> = Vec::new();
        let mut id = 0;
        while began.elapsed() < ms(150) {
            rest.extend(Frame::call(id, "test.Service/Echo", b"0123456789").bytes());
            let cut = rest.len() - 5;
            peer.send_bytes(&rest[..cut]).await;
            rest.drain(..cut);
            if id > 0 {
                peer.finish(id - 1).await;
            }
            id += 1;
        }
        assert_eq!(running.faults().count(Fault::Message), 0);
    });
}

#[test]
fn an_idle_connection_is_closed_and_one_with_a_call_under_way_is_not() {
    run(async {
        let (open, gate) = watch::channel(false);
        let wait = method("Wait", move |_| {
            let mut gate = gate.clone();
            async move {
                let _ = gate.wait_for(|open| *open).await;
                ok("late")
            }
        });
        let service = service().with(method("Echo", echo)).with(wait);
        let running = start(server(service).timeouts(ENDLESS.idle(ms(30))));
        let mut busy = connect(&running);
        busy.send(Frame::call(1, "test.Service/Wait", b"")).await;
        let mut idle = connect(&running);
        idle.send(Frame::call(1, "test.Service/Echo", b"")).await;
        idle.finish(1).await;
        idle.end().await;
        open.send_replace(true);
        assert_eq!(busy.finish(1).await, Frame::reply(1, b"late"));
        busy.end().await;
        assert_eq!(running.faults().count(Fault::Idle), 2);
    });
}

#[test]
fn servers_on_one_engine_keep_their_own_limits() {
    run(async {
        let engine = engine();
        let strict = server(service().with(method("Echo", echo))).engine(&engine);
        let strict = start(strict.timeouts(ENDLESS.idle(ms(20))));
        let mild = server(service().with(method("Echo", echo))).engine(&engine);
        let mild = start(mild.timeouts(ENDLESS.idle(Duration::from_secs(3600)).message(ms(20))));
        let mut stays = connect(&mild);
        let mut goes = connect(&strict);
        for peer in [&mut stays, &mut goes] {
            peer.send(Frame::call(1, "test.Service/Echo", b"")).await;
            peer.finish(1).await;
        }
        goes.end().await;
        stays.send(Frame::call(2, "test.Service/Echo", b"")).await;
        stays.finish(2).await;
    });
}

#[test]
fn a_peer_that_never_reads_is_let_go() {
    run(async {
        let big = method("Big", |_| async { ok(vec![0; 1 << 20]) });
        let running = start(server(service().with(big)).timeouts(ENDLESS.write_stall(ms(40))));
        let mut peer = connect_with(&running, 1000);
        for id in 0..3 {
            peer.send(Frame::call(id, "test.Service/Big", b"")).await;
        }
        // The peer goes on sending, which must not extend the limit.
        let began = Instant::now();
        let (mut id, mut there) = (3, false);
        while running.faults().count(Fault::WriteStall) == 0 {
            assert!(began.elapsed() < NEVER / 2);
            // a valid frame: a malformed one would end the connection
            peer.send(Frame::new(Kind::Grant, id)).await;
            id += 1;
            tokio::task::yield_now().await;
            there |= !running.connections().is_empty();
            if there && running.connections().is_empty() {
                break;
            }
        }
        until("the count", || running.faults().count(Fault::WriteStall) > 0).await;
        assert_eq!(running.faults().count(Fault::WriteStall), 1);
    });
}

/// A handler that ends after its connection has, while the peer reads nothing, must not keep the shard busy.
#[test]
fn a_connection_that_waits_to_flush_leaves_its_shard_to_others() {
    run(async {
        let (told, mut begun) = mpsc::unbounded_channel();
        let (open, gate) = watch::channel(false);
        let late = method("Late", move |_| {
            let (told, mut gate) = (told.clone(), gate.clone());
            async move {
                told.send(()).expect("the test listens");
                // Computes until the gate opens, so that it does not notice a cancellation.
                while !*gate.borrow_and_update() {
                    std::thread::yield_now();
                }
                ok("late")
            }
        })
        .inline(Inline::Never);
        let big = method("Big", |_| async { ok(vec![0; 1 << 20]) });
        let service = service().with(late).with(big).with(method("Echo", echo));
        let running = start(server(service).timeouts(ENDLESS));
        let mut stuck = connect_with(&running, 1000);
        stuck.send(Frame::call(1, "test.Service/Late", b"")).await;
        begun.recv().await;
        stuck.send(Frame::call(2, "test.Service/Big", b"")).await;
        stuck.half_close(); // its calls end; the unsent bytes wait for a reader
        let mut other = connect(&running);
        other.send(Frame::call(1, "test.Service/Echo", b"")).await;
        other.finish(1).await;
        open.send_replace(true); // now the handler's connection no longer exists
        for id in 2..50 {
            other.send(Frame::call(id, "test.Service/Echo", b"alive")).await;
            assert_eq!(other.finish(id).await, Frame::reply(id, b"alive"));
        }
        assert_eq!(running.connections().len(), 2, "it still waits");
    });
}

/// Lets a millisecond of virtual time pass, as a handler that computes for so long would.
fn compute() {
    let mut passing = std::pin::pin!(tokio::time::advance(ms(1)));
    let _ = passing.as_mut().poll(&mut Context::from_waker(Waker::noop()));
}

#[test]
fn a_turn_ends_when_its_time_is_used_whatever_its_messages_cost() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let (told, mut order) = mpsc::unbounded_channel();
        let other = told.clone();
        let slow = method("Slow", move |_| {
            told.send("slow").expect("the test listens");
            compute();
            async { ok("") }
        })
        .inline(Inline::Always);
        let quick = method("Quick", move |_| {
            other.send("quick").expect("the test listens");
            async { ok("") }
        })
        .inline(Inline::Always);
        let service = service().with(slow).with(quick);
        let server = Server::<Lab>::new().service(service).engine(&Engine::here()).pages(None);
        let running = server.timeouts(ENDLESS).start_without_listener().expect("a server");
        let (mut busy, mut idle) = (connect(&running), connect(&running));
        let calls = |id, name: &str| Frame::call(id, &format!("test.Service/{name}"), b"").bytes();
        busy.send_bytes(&(1..=20).flat_map(|id| calls(id, "Slow")).collect::<Vec<_>>()).await;
        idle.send_bytes(&(1..=20).flat_map(|id| calls(id, "Quick")).collect::<Vec<_>>()).await;
        let mut seen = Vec::new();
        while seen.len() < 40 {
            seen.push(order.recv().await.expect("a handler"));
        }
        let first = seen.iter().position(|name| *name == "quick").expect("it ran");
        assert!(first <= 1, "{first} slow handlers ran before the other connection's");
        assert_eq!(seen[first..first + 20], ["quick"; 20], "which used no time, and so was not held up");
        busy.frame().await;
        idle.frame().await;
    });
}

#[test]
fn a_stop_tells_every_peer_waits_for_calls_and_refuses_new_ones() {
    run(async {
        let (open, gate) = watch::channel(false);
        let (told, mut begun) = mpsc::unbounded_channel();
        let wait = method("Wait", move |_| {
            let (told, mut gate) = (told.clone(), gate.clone());
            async move {
                told.send(()).expect("the test listens");
                let _ = gate.wait_for(|open| *open).await;
                ok("finished")
            }
        });
        let running = serve(service().with(wait).with(method("Echo", echo)));
        let mut idle = connect(&running);
        idle.send(Frame::call(1, "test.Service/Echo", b"")).await;
        idle.finish(1).await;
        let mut busy = connect(&running);
        busy.send(Frame::call(1, "test.Service/Wait", b"")).await;
        begun.recv().await;
        let stopping = tokio::spawn(running.stop());
        assert_eq!(idle.frame().await.kind, Kind::Drain);
        assert_eq!(idle.frame().await.kind, Kind::Close);
        idle.end().await;
        assert_eq!(busy.frame().await.kind, Kind::Drain);
        busy.send(Frame::call(2, "test.Service/Echo", b"")).await;
        let refused = busy.finish(2).await;
        assert_eq!(refused.a, brpc::ELOGOFF as u32);
        assert!(refused.has(Frame::UNPROCESSED));
        assert!(!stopping.is_finished());
        open.send_replace(true);
        assert_eq!(busy.finish(1).await, Frame::reply(1, b"finished"));
        assert_eq!(busy.frame().await.kind, Kind::Close);
        busy.end().await;
        assert!(stopping.await.expect("stop does not panic").is_empty());
    });
}

/// The laboratory's protocol, as if its clients could not tell a refusal from the failure of a handler.
struct Untold;
impl Protocols for Untold {
    fn protocol_set() -> ProtocolSet {
        static PROTOCOL: Protocol = Protocol { stopping: Stopping::Serves, ..lab::LAB };
        static ALL: &[&Protocol] = &[&PROTOCOL];
        ProtocolSet::new(ALL)
    }
}
impl Preset for Untold {
    type Pages = ();
}

#[test]
fn a_stopping_server_serves_what_a_protocol_has_no_refusal_for() {
    run(async {
        let (open, gate) = watch::channel(false);
        let wait = method("Wait", move |_| {
            let mut gate = gate.clone();
            async move {
                let _ = gate.wait_for(|open| *open).await;
                ok("finished")
            }
        });
        let server = Server::<Untold>::new().service(service().with(wait).with(method("Echo", echo)));
        let running = server.engine(&engine()).pages(None);
        let running = running.serve(TcpListener::bind("127.0.0.1:0").expect("a port")).expect("it starts");
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Wait", b"")).await;
        while running.connections().iter().all(|c| c.calls() == 0) {
            tokio::task::yield_now().await;
        }
        let stopping = tokio::spawn(running.stop());
        assert_eq!(peer.frame().await.kind, Kind::Drain);
        peer.send(Frame::call(2, "test.Service/Echo", b"late")).await;
        assert_eq!(peer.finish(2).await, Frame::reply(2, b"late"));
        open.send_replace(true);
        assert_eq!(peer.finish(1).await, Frame::reply(1, b"finished"));
        assert_eq!(peer.frame().await.kind, Kind::Close);
        peer.end().await;
        assert!(stopping.await.expect("stop does not panic").is_empty());
    });
}

#[test]
fn a_stop_closes_peers_that_send_part_of_a_request_and_no_more() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let call = Frame::call(1, "test.Service/Echo", b"whole").bytes();
        let mut peers =
            [Some(&call[..1]), Some(&call[..call.len() - 1]), None].map(|part| (part, connect(&running)));
        for (part, peer) in &mut peers {
            if let Some(part) = part {
                peer.send_bytes(part).await;
            }
        }
        while running.connections().iter().filter(|c| c.is_partial()).count() < 2 {
            tokio::task::yield_now().await;
        }
        let began = Instant::now();
        let left = running.stop().await;
        assert!(began.elapsed() < Duration::from_secs(5), "the drain limit is 10 s");
        assert_eq!(left.len(), 2, "{left:?}");
        for left in left {
            assert!(left.partial && left.calls == 0, "{left:?}");
            assert!(left.to_string().ends_with("0 bytes unsent, part of a request has arrived"), "{left}");
        }
    });
}

#[test]
fn a_stop_lets_a_new_connection_speak() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let mut peer = connect(&running);
        while running.connections().is_empty() {
            tokio::task::yield_now().await;
        }
        let stopping = tokio::spawn(running.stop());
        tokio::time::sleep(ms(50)).await;
        peer.send(Frame::call(1, "test.Service/Echo", b"")).await;
        assert_eq!(peer.frame().await.kind, Kind::Drain);
        assert_eq!(peer.finish(1).await, Frame::reply(1, b""), "the connection was there before the stop");
        assert!(stopping.await.expect("stop does not panic").is_empty());
    });
}

#[test]
fn a_stop_ends_at_its_limit_and_lists_what_still_ran() {
    run(async {
        let stuck = method("Stuck", |_| std::future::pending());
        let running = start(server(service().with(stuck)).lifecycle(Lifecycle::default().drain(ms(30))));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Stuck", b"")).await;
        while running.connections().iter().all(|c| c.calls() == 0) {
            tokio::task::yield_now().await;
        }
        let kept = running.connections(); // holding these handles must not delay the stop
        let left = running.stop().await;
        assert_eq!(left.len(), 1);
        assert_eq!((left[0].calls, left[0].protocol), (1, Some("lab")));
        assert_eq!(left[0].to_string(), "memory:test/client (lab): 1 calls in flight, 0 bytes unsent");
        assert_eq!(peer.frame().await.kind, Kind::Drain);
        assert_eq!(peer.frame().await.kind, Kind::Close);
        peer.end().await;
        drop(kept);
    });
}

#[test]
fn figures_that_others_hold_do_not_hold_up_a_stop() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Echo", b"")).await;
        peer.finish(1).await;
        let held = running.connections();
        let began = Instant::now();
        assert!(running.stop().await.is_empty());
        assert!(began.elapsed() < Duration::from_secs(5), "the drain limit is 10 s");
        assert!(held[0].is_over());
        assert_eq!(held[0].messages.load(SeqCst), 1);
    });
}

#[test]
fn a_port_is_free_when_its_server_has_stopped() {
    run(async {
        let mut address = "127.0.0.1:0".to_owned();
        for _ in 0..20 {
            let server = server(service().with(method("Echo", echo))).listen(&address);
            let running = server.start().unwrap_or_else(|error| panic!("{address}: {error}"));
            address = running.addresses()[0].to_string();
            assert!(running.stop().await.is_empty());
        }
    });
}

#[test]
fn a_dropped_server_closes_its_connections() {
    run(async {
        let (stuck, _) = (method("Stuck", |_| std::future::pending()), ());
        let running = serve(service().with(stuck));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Stuck", b"")).await;
        while running.connections().iter().all(|c| c.calls() == 0) {
            tokio::task::yield_now().await;
        }
        drop(running);
        while peer.next().await.is_some() {}
    });
}

/// Counts events of a message.
struct Lines(std::sync::Arc<std::sync::Mutex<Vec<String>>>);

impl tracing::Subscriber for Lines {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        struct Text(String);
        impl tracing::field::Visit for Text {
            fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                self.0 += &format!("{field}={value:?} ");
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().unwrap().push(text.0);
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

/// A stranger who connects and breaks off again and again must not fill the disk by way of the log.
#[test]
fn a_flood_of_connections_is_a_few_lines_of_the_log() {
    let lines = std::sync::Arc::default();
    // For all threads of this process: connections end on those of their shards.
    tracing::subscriber::set_global_default(Lines(std::sync::Arc::clone(&lines))).unwrap();
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let began = Instant::now();
        for _ in 0..500 {
            let mut peer = connect(&running);
            peer.send_bytes(b"\xff\xff\xff\xff garbage of nobody's protocol").await;
            drop(peer);
        }
        until("no connection", || running.connections().is_empty()).await;
        let seconds = began.elapsed().as_secs() as usize + 1;
        let lines = lines.lock().unwrap();
        let ended: Vec<_> = lines.iter().filter(|line| line.contains("a connection has ended")).collect();
        // Other tests of this process have connections as well; theirs are counted by the same gate.
        assert!((1..=10 * seconds + 10).contains(&ended.len()), "{} lines in {seconds} s", ended.len());
    });
}
