//! What a server does that is asked for more than it takes.

mod common;

use common::*;
use polywire_call::brpc;
use polywire_engine::inline::Inline;
use polywire_server::{Auto, Concurrency, Shedding, Timeout};
use polywire_testkit::lab::Frame;
use std::time::Duration;
use tokio::sync::watch;

/// A method whose calls wait for a gate.
fn gated(gate: watch::Receiver<bool>) -> polywire_server::Method {
    let mut wait = method("Wait", move |_| {
        let mut gate = gate.clone();
        async move {
            let _ = gate.wait_for(|open| *open).await; // an error means that the test is over
            ok("")
        }
    });
    wait.inline(Inline::Never);
    wait
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
            .method_max_concurrency(Timeout::ms(100).most(2)),
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
        let mut sleep = method("Sleep", |_| async {
            tokio::time::sleep(Duration::from_millis(30)).await;
            ok("")
        });
        sleep.max_concurrency(Timeout::ms(20).most(1000));
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
    let mut method = method(name, move |_| async move {
        let until = std::time::Instant::now() + time;
        while std::time::Instant::now() < until {
            std::hint::spin_loop();
        }
        ok("")
    });
    method.inline(Inline::Never);
    method
}

/// A thousand calls of 2 ms at once at one worker, with few that are important after them: what waits for too long is refused as a call
/// that was not begun, and the important ones are answered.
#[test]
fn a_queue_that_stands_is_shed() {
    run(async {
        let engine = polywire_engine::Engine::builder().shards(1).workers(1).build().expect("an engine");
        let service = service().with(computes("Work", Duration::from_millis(2)));
        let running = start(server(service).engine(&engine).shedding(Shedding::default()));
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
        assert!(served >= 10 && refused >= 500, "{served} served, {refused} refused");
        assert_eq!((report.late + report.crowded + report.deadline, report.waiting), (refused, 0));
        assert!(!report.standing && report.highest >= 500, "{report:?}");
        // It recovers at once.
        peer.send(Frame::call(1, "test.Service/Work", b"")).await;
        assert_eq!(peer.finish(1).await, Frame::reply(1, b""));
    });
}
