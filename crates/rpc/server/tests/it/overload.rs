//! What a server does that is asked for more than it takes.

use crate::common::*;
use polywire_call::brpc;
use polywire_engine::inline::Inline;
use polywire_flags::{Flags, Origin};
use polywire_machine_testing::lab::{Frame, Kind};
use polywire_pages::Pages;
use polywire_server::{Auto, Bounds, Concurrency, Shedding, Timeout};
use std::time::Duration;
use tokio::sync::watch;

/// A method whose calls wait for a gate.
fn gated(gate: watch::Receiver<bool>) -> polywire_server::Method {
    method("Wait", move |_| {
        let mut gate = gate.clone();
        async move {
            let _ = gate.wait_for(|open| *open).await; // an error means that the test is over
            ok("")
        }
    })
    .inline(Inline::Never)
}

#[test]
fn limits_change_while_a_server_runs() {
    run(async {
        let (open, gate) = watch::channel(false);
        let running = start(
            server(
                service()
                    .with(gated(gate))
                    .with(method("Echo", |call: polywire_server::Call| async { ok(call.body) })),
            )
            .bounds(Bounds::default().method_concurrency(Timeout::ms(100).most(2))),
        );
        let mut peer = connect(&running);
        let limiter = running.method_limiter("test.Service", "Wait").expect("there is one");
        assert!(running.method_limiter("test.Service", "Other").is_none());
        for id in 0..3 {
            peer.send(Frame::call(id, "test.Service/Wait", b"")).await;
        }
        let refused = peer.frame().await;
        assert_eq!((refused.a, refused.id), (brpc::ELIMIT as u32, 2), "two are under way");
        limiter.set(Concurrency::Unlimited);
        for id in 3..9 {
            peer.send(Frame::call(id, "test.Service/Wait", b"")).await;
        }
        running.set_max_concurrency(Auto::default().initial(1));
        peer.send(Frame::call(9, "test.Service/Echo", b"one")).await;
        assert_eq!(peer.finish(9).await, Frame::reply(9, b"one"), "those before the limit do not count");
        open.send_replace(true);
        for _ in 0..8 {
            assert_eq!(peer.frame().await.a, 0, "answered");
        }
        let report = running.overload();
        let wait = report.methods.iter().find(|method| method.method == "Wait").expect("there is one");
        assert_eq!((wait.concurrency.highest, wait.concurrency.refused), (2, 1));
        assert_eq!((wait.concurrency.limit, wait.concurrency.current), (None, 0));
        assert!(report.server.limit.is_some_and(|limit| limit >= 4), "four for each worker");
    });
}

/// Samples reach the law: calls that take 30 ms are too slow for callers that wait 20 ms.
#[test]
fn a_timeout_limit_measures_calls_and_says_no() {
    run(async {
        let sleep = method("Sleep", |_| async {
            tokio::time::sleep(Duration::from_millis(30)).await;
            ok("")
        });
        let sleep = sleep.max_concurrency(Timeout::ms(20).most(1000));
        let running = start(server(service().with(sleep)));
        let mut peer = connect(&running);
        let (mut id, mut refused) = (0, 0);
        for _ in 0..40 {
            for k in 0..50 {
                peer.send(Frame::call(id + k, "test.Service/Sleep", b"")).await;
            }
            for _ in 0..50 {
                refused += u32::from(peer.frame().await.a == brpc::ELIMIT as u32);
            }
            id += 50;
        }
        let report = running.overload().methods[0].concurrency.clone();
        assert!(report.latency.is_some_and(|latency| latency >= Duration::from_millis(30)), "{report:?}");
        assert!(refused >= 49 && u64::from(refused) == report.refused, "{refused} {report:?}");
    });
}

/// A method that computes for this long.
fn computes(name: &'static str, time: Duration) -> polywire_server::Method {
    method(name, move |_| async move {
        let until = std::time::Instant::now() + time;
        while std::time::Instant::now() < until {
            std::hint::spin_loop();
        }
        ok("")
    })
    .inline(Inline::Never)
}

/// A thousand calls of 2 ms at once at one worker, all of one rank: what waits for too long is refused as a
/// call that was not begun.
#[test]
fn a_server_that_was_told_nothing_sheds_a_queue_that_stands() {
    run(async {
        let engine = polywire_engine::Engine::builder().shards(1).workers(1).build().expect("an engine");
        let service = service().with(computes("Work", Duration::from_millis(2)));
        let running = start(server(service).engine(&engine));
        let mut peer = connect_with(&running, 1 << 20);
        let calls = 1000;
        for id in 0..calls {
            peer.send(Frame::call(id, "test.Service/Work", b"")).await;
        }
        let (mut served, mut refused) = (0, 0);
        for _ in 0..calls {
            match peer.frame().await {
                frame if frame.a == 0 => served += 1,
                frame => {
                    assert_eq!(frame.a, brpc::ELIMIT as u32, "{frame:?}");
                    refused += 1;
                }
            }
        }
        let report = running.overload().backlog.expect("it is on");
        assert!(served >= 1 && refused >= 500, "{served} served, {refused} refused");
        assert_eq!((report.late + report.crowded + report.deadline, report.waiting), (refused, 0));
        assert!(!report.standing && report.highest >= 500, "{report:?}");
        // It recovers as soon as it has refused nothing for the time of a burst.
        tokio::time::sleep(Duration::from_millis(200)).await;
        peer.send(Frame::call(1, "test.Service/Work", b"")).await;
        assert_eq!(peer.finish(1).await, Frame::reply(1, b""));
    });
}

/// Calls that are quick enough for their shard, but too many: they are sent to where they can be shed, unless
/// shedding is off. An operator changes that while the server runs.
#[test]
fn quick_calls_that_keep_their_shard_busy_are_shed() {
    run(async {
        let engine = polywire_engine::Engine::builder().shards(1).workers(1).build().expect("an engine");
        let quick = computes("Quick", Duration::from_micros(100)).inline(Inline::Adaptive);
        let service = service().with(quick);
        let server =
            server(service).engine(&engine).bounds(Bounds::default().inline_budget(Duration::from_secs(1)));
        let running = start(server);
        let mut peer = connect_with(&running, 1 << 20);
        let calls = 5000;
        let mut short = Shedding::default();
        (short.least_wait, short.most_wait) = (Duration::from_millis(20), Duration::from_millis(50));
        for (shedding, is_refused) in [(None, false), (Some(short), true), (None, false)] {
            running.set_shedding(shedding);
            for id in 0..calls {
                peer.send(Frame::call(id, "test.Service/Quick", b"")).await;
            }
            let mut refused = 0;
            for _ in 0..calls {
                let frame = peer.frame().await;
                assert!(frame.a == 0 || frame.a == brpc::ELIMIT as u32, "{frame:?}");
                refused += u64::from(frame.a != 0);
            }
            assert_eq!(refused > 0, is_refused, "{refused} with {shedding:?}");
            assert_eq!(running.overload().backlog.is_some(), shedding.is_some());
        }
    });
}

/// What operators change by name.
#[test]
fn budgets_and_shedding_are_flags() {
    run(async {
        let service =
            || service().with(method("Echo", |call: polywire_server::Call| async { ok(call.body) }));
        let (flags, by) = (Flags::new(), Origin::new("test", "test"));
        let running = start(
            server(service())
                .bounds(Bounds::default().memory(64 << 20).connections(7))
                .pages(Pages::default().flags(&flags)),
        );
        let set = |name: &str, value: &str| flags.set(name, value, &by).map(drop);
        let value = |name: &str| flags.find(name).expect(name).value();
        assert_eq!((value("max_memory"), value("max_connections")), ("67108864".into(), "7".into()));
        for (name, text) in [
            ("shedding", "off"),
            ("shedding", "100:1:20:oldest"),
            ("shedding", "default"),
            ("max_memory", "1000000"),
            ("max_connection_memory", "500000"),
            ("max_connections", "3"),
            ("max_concurrency", "auto"),
            ("max_concurrency/test.Service/Echo", "200"),
        ] {
            set(name, text).expect(name);
            assert_eq!(value(name), text);
        }
        set("max_concurrency", "timeout:50ms").expect("a time has its unit or none");
        assert_eq!(value("max_concurrency"), "timeout:50:100");
        let report = running.overload();
        assert_eq!(report.memory.expect("it has a budget").limit, 1_000_000);
        assert_eq!((report.connections.limit, report.backlog.is_some()), (Some(3), true));
        for (name, wrong) in [("shedding", "on"), ("max_memory", "0"), ("max_memory", "1MB")] {
            assert!(set(name, wrong).is_err(), "{name} {wrong}");
        }
        // Of what the system grants it is half.
        let usual = Flags::new();
        let running = start(server(service()).pages(Pages::default().flags(&usual)));
        let limit = running.overload().memory.map(|memory| memory.limit);
        assert_eq!(limit, polywire_engine::memory::usual_budget());
        assert_eq!(
            usual.find("max_memory").ok().map(|flag| flag.value()),
            limit.map(|limit| limit.to_string())
        );
        // Without a budget nothing is counted, so there is none to change.
        let none = Flags::new();
        let _running = start(
            server(service()).bounds(Bounds::default().memory(None)).pages(Pages::default().flags(&none)),
        );
        assert!(none.find("max_memory").is_err() && none.find("max_connection_memory").is_err());
    });
}

/// The first call of a method takes long, and the others are quick: callers that do not wait as long as the
/// first took are served.
#[test]
fn an_idle_server_refuses_nobody_for_a_slow_first_call() {
    run(async {
        let engine = polywire_engine::Engine::builder().shards(1).workers(1).build().expect("an engine");
        let first = std::sync::atomic::AtomicBool::new(true);
        let work = method("Work", move |_| {
            let slow = first.swap(false, std::sync::atomic::Ordering::Relaxed);
            async move {
                if slow {
                    tokio::time::sleep(Duration::from_millis(2500)).await;
                }
                ok("")
            }
        })
        .inline(Inline::Never);
        let running = start(
            server(service().with(work))
                .engine(&engine)
                .bounds(Bounds::default().shedding(Shedding::default())),
        );
        let mut peer = connect(&running);
        peer.send(Frame::call(0, "test.Service/Work", b"")).await;
        assert_eq!(peer.finish(0).await, Frame::reply(0, b""));
        for id in 1..6 {
            peer.send(Frame::call(id, "test.Service/Work", b"").with(2000)).await;
            assert_eq!(peer.finish(id).await, Frame::reply(id, b""), "2 s are enough");
        }
    });
}

/// Peers that have large replies made, then break the protocol, and read a little now and then: what the
/// server keeps for them counts, and does not keep others out for long.
#[test]
fn replies_of_connections_that_have_ended_stay_within_the_budget() {
    run(async {
        const BUDGET: usize = 8 << 20;
        let large = method("Large", |_| async { ok(vec![7; 870 << 10]) }).inline(Inline::Always);
        let echo = method("Echo", |call: polywire_server::Call| async { ok(call.body) });
        let running =
            start(server(service().with(echo).with(large)).bounds(Bounds::default().memory(BUDGET)));
        let memory = || running.overload().memory.expect("it has a budget");
        let mut decent = connect(&running);
        let mut attack: Vec<u8> =
            (0..3).flat_map(|id| Frame::call(id, "test.Service/Large", b"").bytes()).collect();
        attack.extend([0xff; 64]);
        let mut peers: Vec<_> = (0..3).map(|_| connect_with(&running, 32 << 10)).collect();
        for peer in &mut peers {
            peer.send_bytes(&attack).await;
        }
        // They have ended, and hold it still.
        let began = std::time::Instant::now();
        while memory().used <= BUDGET / 10 * 9 {
            assert!(began.elapsed() < Duration::from_secs(10), "{:?}", memory());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        decent.send(Frame::call(1, "test.Service/Echo", b"?")).await;
        assert_eq!(decent.finish(1).await.a, brpc::ELIMIT as u32);
        let began = std::time::Instant::now();
        while memory().used > BUDGET / 10 * 8 {
            assert!(began.elapsed() < Duration::from_secs(10), "{:?}", memory());
            for peer in &mut peers {
                let _ = tokio::time::timeout(Duration::from_millis(1), peer.read()).await;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        assert!(memory().closed > 0, "{:?}", memory());
        decent.send(Frame::call(2, "test.Service/Echo", b"after")).await;
        assert_eq!(decent.finish(2).await, Frame::reply(2, b"after"));
        drop((peers, decent));
        while memory().used > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await; // nothing is charged twice, or stays
        }
    });
}

/// Many peers that announce long messages and send most of each: the budget holds, calls are refused, and
/// once those that could not go on are closed the server serves as before.
#[test]
fn half_sent_messages_stay_within_the_budget() {
    run(async {
        const BUDGET: usize = 8 << 20;
        let service = service().with(method("Echo", |call: polywire_server::Call| async { ok(call.body) }));
        let running = start(server(service).bounds(Bounds::default().memory(BUDGET)));
        let mut decent = connect(&running);
        decent.send(Frame::call(0, "test.Service/Echo", b"before")).await;
        assert_eq!(decent.finish(0).await, Frame::reply(0, b"before"));
        let body = vec![7; 256 << 10];
        let mut whole = Vec::new();
        Frame::call(1, "test.Service/Echo", &body).encode(&mut whole);
        whole.truncate(200 << 10);
        let mut peers = Vec::new();
        for _ in 0..100 {
            let mut peer = connect_with(&running, 32 << 10);
            let bytes = whole.clone();
            peers.push(tokio::spawn(async move {
                // The server may stop reading, and close it later.
                let sent = tokio::time::timeout(Duration::from_secs(8), peer.send_bytes(&bytes)).await;
                (sent, peer) // who has sent most of a message stays
            }));
        }
        let memory = || running.overload().memory.expect("it has a budget");
        let began = std::time::Instant::now();
        let mut refused = false;
        while (memory().closed == 0 || !refused) && began.elapsed() < Duration::from_secs(15) {
            if memory().used >= BUDGET / 10 * 9 && !refused {
                decent.send(Frame::call(2, "test.Service/Echo", b"?")).await;
                refused = decent.finish(2).await.a == brpc::ELIMIT as u32;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let report = memory();
        assert!(report.highest <= BUDGET / 10 * 11, "{report:?}");
        assert!(report.held_back > 10 && report.closed > 0, "{report:?}");
        assert!(refused && report.refused > 0, "{report:?}");
        for peer in peers {
            let _ = peer.await; // those that were closed panic: their pipe is broken
        }
        while memory().used > BUDGET / 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        decent.send(Frame::call(3, "test.Service/Echo", b"after")).await;
        assert_eq!(decent.finish(3).await, Frame::reply(3, b"after"));
    });
}

/// Requests of a method that wait: their bytes are bounded, and a request is refused by its announced length.
#[test]
fn a_method_has_a_budget_for_its_requests() {
    run(async {
        let (open, gate) = watch::channel(false);
        let wait = gated(gate).max_memory(10_000);
        let running = start(server(service().with(wait)));
        let mut peer = connect_with(&running, 1 << 20);
        for id in 0..3 {
            peer.send(Frame::call(id, "test.Service/Wait", &[0; 4000])).await;
        }
        let third = peer.frame().await;
        assert_eq!((third.id, third.a), (2, brpc::ELIMIT as u32), "12 000 bytes are too many");
        peer.send(Frame::call(3, "test.Service/Wait", &[0; 1000])).await;
        let memory = || running.overload().methods[0].memory.expect("it has a budget");
        while memory().used < 9000 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        open.send_replace(true);
        for _ in 0..3 {
            assert_eq!(peer.frame().await.a, 0);
        }
        while memory().used > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await; // a call ends after its reply has left
        }
        let memory = memory();
        assert_eq!((memory.used, memory.highest, memory.refused), (0, 9000, 1));
    });
}

#[test]
fn connections_beyond_the_limit_are_closed_at_once_and_a_place_is_free_again() {
    run(async {
        let echo = method("Echo", |call: polywire_server::Call| async { ok(call.body) });
        let bounds = Bounds::default().connections(2);
        let running =
            start(server(service().with(echo)).pages(polywire_pages::Pages::default()).bounds(bounds));
        // Those of this machine have eight places more, to reach the pages.
        let mut peers: Vec<_> = (0..10).map(|_| connect(&running)).collect();
        for (id, peer) in peers.iter_mut().enumerate() {
            peer.send(Frame::call(id as u64, "test.Service/Echo", b"in")).await;
            assert_eq!(peer.finish(id as u64).await.a, 0);
        }
        // Another one gets the place of the oldest of those that has no call.
        let mut beyond = connect(&running);
        beyond.send(Frame::call(11, "test.Service/Echo", b"in")).await;
        assert_eq!(beyond.finish(11).await.a, 0);
        let mut displaced = peers.remove(2);
        assert_eq!(displaced.frame().await.kind, Kind::Close, "it is told so");
        displaced.end().await;
        while running.overload().connections.current > 10 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let connections = running.overload().connections;
        assert_eq!((connections.limit, connections.current, connections.refused), (Some(2), 10, 1));
        peers.pop();
        while running.overload().connections.current > 9 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let mut next = connect(&running);
        next.send(Frame::call(1, "test.Service/Echo", b"in")).await;
        assert_eq!(next.finish(1).await.a, 0);
    });
}

#[test]
fn without_pages_no_connection_has_a_place_beyond_the_limit() {
    run(async {
        let echo = method("Echo", |call: polywire_server::Call| async { ok(call.body) });
        let bounds = Bounds::default().connections(2);
        let running = start(server(service().with(echo)).pages(None).bounds(bounds));
        let mut peers = [connect(&running), connect(&running)];
        for (id, peer) in (0..).zip(&mut peers) {
            peer.send(Frame::call(id, "test.Service/Echo", b"in")).await;
            assert_eq!(peer.finish(id).await.a, 0);
        }
        connect(&running).end().await;
        assert_eq!(running.overload().connections.refused, 1);
    });
}
