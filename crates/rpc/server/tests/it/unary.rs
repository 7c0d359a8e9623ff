//! Calls with one message each way: where their handlers run, how they end.

use crate::common::*;
use polywire_call::{Status, brpc};
use polywire_engine::inline::Inline;
use polywire_machine_testing::{
    lab::{Frame, Kind},
    until,
};
use polywire_server::{Bounds, Call};
use std::{
    future::Future as _,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::*},
    },
    task::Poll,
};
use tokio::sync::{Notify, oneshot, watch};

async fn echo(call: Call) -> polywire_wire::Outcome {
    ok(call.body)
}

#[test]
fn a_ready_handler_answers_in_the_turn_of_its_request() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let mut peer = connect(&running);
        for id in 0..100 {
            peer.send(Frame::call(id, "test.Service/Echo", b"hello")).await;
        }
        for id in 0..100 {
            assert_eq!(peer.finish(id).await, Frame::reply(id, b"hello"));
        }
    });
}

#[test]
fn requests_split_anywhere_are_answered() {
    run(async {
        let running = serve(service().with(method("Echo", echo)));
        let bytes =
            [Frame::call(1, "test.Service/Echo", b"one"), Frame::call(2, "test.Service/Echo", b"two")];
        let bytes: Vec<u8> = bytes.iter().flat_map(Frame::bytes).collect();
        for at in 1..bytes.len() {
            let mut peer = connect_with(&running, at); // the stream transfers at most this many bytes at once
            peer.send_bytes(&bytes).await;
            assert_eq!(peer.finish(1).await, Frame::reply(1, b"one"));
            assert_eq!(peer.finish(2).await, Frame::reply(2, b"two"));
        }
    });
}

#[test]
fn a_handler_that_waits_is_answered_from_wherever_it_wakes() {
    for inline in [Inline::Adaptive, Inline::Always, Inline::Never, Inline::Blocking] {
        run(async {
            let (open, gate) = watch::channel(false);
            let wait = method("Wait", move |call| {
                let mut gate = gate.clone();
                async move {
                    let _ = gate.wait_for(|open| *open).await;
                    ok(call.body)
                }
            })
            .inline(inline);
            let running = serve(service().with(wait).with(method("Echo", echo)));
            let mut peer = connect(&running);
            for id in 0..10 {
                peer.send(Frame::call(id, "test.Service/Wait", b"late")).await;
            }
            peer.send(Frame::call(10, "test.Service/Echo", b"soon")).await;
            assert_eq!(peer.finish(10).await, Frame::reply(10, b"soon"), "calls do not wait for each other");
            open.send_replace(true);
            let mut seen = Vec::new();
            for _ in 0..10 {
                let frame = peer.frame().await;
                assert_eq!(frame.body, b"late");
                seen.push(frame.id);
            }
            seen.sort();
            assert_eq!(seen, (0..10).collect::<Vec<_>>());
        });
    }
}

#[test]
fn a_panicking_handler_ends_its_call_and_nothing_else() {
    for inline in [Inline::Adaptive, Inline::Never, Inline::Blocking] {
        run(async {
            let panics = method("Panic", |_| async { panic!("on purpose") }).inline(inline);
            let running = serve(service().with(panics).with(method("Echo", echo)));
            let mut peer = connect(&running);
            peer.send(Frame::call(1, "test.Service/Panic", b"")).await;
            let failed = peer.finish(1).await;
            assert_eq!(failed.a, brpc::EINTERNAL as u32);
            assert_eq!(String::from_utf8_lossy(&failed.body), "the handler panicked");
            peer.send(Frame::call(2, "test.Service/Echo", b"alive")).await;
            assert_eq!(peer.finish(2).await, Frame::reply(2, b"alive"));
        });
    }
}

#[test]
fn a_handler_that_panics_after_it_waited_ends_its_call_and_nothing_else() {
    run(async {
        let panics = method("Panic", |_| async {
            tokio::task::yield_now().await;
            panic!("on purpose, later")
        });
        let running = serve(service().with(panics).with(method("Echo", echo)));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Panic", b"")).await;
        assert_eq!(String::from_utf8_lossy(&peer.finish(1).await.body), "the handler panicked");
        peer.send(Frame::call(2, "test.Service/Echo", b"alive")).await;
        assert_eq!(peer.finish(2).await, Frame::reply(2, b"alive"));
    });
}

/// Destructors are user code too.
#[test]
fn a_handler_whose_destructor_panics_ends_nothing() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("on drop");
            }
        }
    }
    /// Ready at once; dropping it panics.
    struct Ready(Bomb);
    impl std::future::Future for Ready {
        type Output = polywire_wire::Outcome;
        fn poll(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Self::Output> {
            std::task::Poll::Ready(ok("done"))
        }
    }
    struct Handler;
    impl polywire_server::Handler for Handler {
        fn start(&self, _: Call) -> polywire_server::Started {
            polywire_server::Started::Future(Box::pin(Ready(Bomb)))
        }
    }
    run(async {
        let bomb = polywire_server::Method::new("Bomb", || Box::new(Handler));
        let far = polywire_server::Method::new("Far", || Box::new(Handler)).inline(Inline::Never);
        let running = serve(service().with(bomb).with(far).with(method("Echo", echo)));
        let mut peer = connect(&running);
        for (id, name) in [(1, "test.Service/Bomb"), (2, "test.Service/Far"), (3, "test.Service/Echo")] {
            peer.send(Frame::call(id, name, b"done")).await;
            assert_eq!(peer.finish(id).await, Frame::reply(id, b"done"));
        }
    });
}

#[test]
fn blocking_on_a_shard_is_explained() {
    run(async {
        let place = method("Place", |_| async { tokio::task::block_in_place(|| ok("")) });
        let nested = method("Nested", |_| async {
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            let outcome = runtime.block_on(async { ok("") });
            std::mem::forget(runtime); // must not be dropped here either
            outcome
        });
        let never =
            method("Never", |_| async { tokio::task::block_in_place(|| ok("fine")) }).inline(Inline::Never);
        let running = serve(service().with(place).with(nested).with(never));
        let mut peer = connect(&running);
        for (id, name) in [(1, "test.Service/Place"), (2, "test.Service/Nested")] {
            peer.send(Frame::call(id, name, b"")).await;
            let failed = peer.finish(id).await;
            let text = String::from_utf8_lossy(&failed.body).into_owned();
            assert!(text.contains("inline(Never)") && text.contains("blocks its thread"), "{text}");
        }
        peer.send(Frame::call(3, "test.Service/Never", b"")).await;
        assert_eq!(peer.finish(3).await, Frame::reply(3, b"fine"));
    });
}

/// Notifies a test when it is dropped with its handler.
struct Dropped(Option<oneshot::Sender<()>>);
impl Drop for Dropped {
    fn drop(&mut self) {
        if let Some(told) = self.0.take() {
            let _ = told.send(());
        }
    }
}

/// A method that never answers; the receivers resolve when its handler begins, and when it is dropped.
fn stuck(inline: Inline) -> (polywire_server::Method, oneshot::Receiver<()>, oneshot::Receiver<()>) {
    let ((told, dropped), (begins, began)) = (oneshot::channel(), oneshot::channel());
    let told = std::sync::Mutex::new(Some((told, begins)));
    let stuck = method("Stuck", move |_call| {
        let (told, begins) = told.lock().expect("not poisoned").take().expect("called once");
        let guard = Dropped(Some(told));
        async move {
            let _guard = guard;
            begins.send(()).expect("the test listens");
            std::future::pending().await
        }
    })
    .inline(inline);
    (stuck, began, dropped)
}

#[test]
fn a_deadline_drops_the_handler_and_answers() {
    for inline in [Inline::Adaptive, Inline::Never, Inline::Blocking] {
        run(async {
            let (stuck, began, dropped) = stuck(inline);
            let running = serve(service().with(stuck));
            let mut peer = connect(&running);
            peer.send(Frame::call(1, "test.Service/Stuck", b"").with(20)).await;
            began.await.expect("the handler begins");
            assert_eq!(peer.finish(1).await.a, brpc::ERPCTIMEDOUT as u32);
            dropped.await.expect("the handler was dropped");
        });
    }
}

#[test]
fn many_deadlines_fire_each_for_its_own_call() {
    run(async {
        let never = method("Never", |_| std::future::pending());
        let running = serve(service().with(never).with(method("Echo", echo)));
        let mut peer = connect(&running);
        for id in 0..50 {
            peer.send(Frame::call(id, "test.Service/Never", b"").with(50 - id as u32)).await;
        }
        let mut seen = Vec::new();
        for _ in 0..50 {
            let frame = peer.frame().await;
            assert_eq!((frame.kind, frame.a), (Kind::Finish, brpc::ERPCTIMEDOUT as u32));
            seen.push(frame.id);
        }
        seen.sort();
        assert_eq!(seen, (0..50).collect::<Vec<_>>());
        peer.send(Frame::call(99, "test.Service/Echo", b"").with(1000)).await;
        assert_eq!(peer.finish(99).await, Frame::reply(99, b""));
    });
}

#[test]
fn a_reset_by_the_peer_drops_the_handler_and_is_not_answered() {
    for inline in [Inline::Adaptive, Inline::Never, Inline::Blocking] {
        run(async {
            let (stuck, began, dropped) = stuck(inline);
            let running = serve(service().with(stuck).with(method("Echo", echo)));
            let mut peer = connect(&running);
            peer.send(Frame::call(1, "test.Service/Stuck", b"")).await;
            began.await.expect("the handler begins");
            peer.send(Frame::new(Kind::Reset, 1)).await;
            dropped.await.expect("the handler was dropped");
            peer.send(Frame::call(2, "test.Service/Echo", b"next")).await;
            assert_eq!(peer.finish(2).await, Frame::reply(2, b"next"));
        });
    }
}

#[test]
fn a_peer_that_goes_away_drops_its_handlers() {
    for inline in [Inline::Adaptive, Inline::Never, Inline::Blocking] {
        run(async {
            let (stuck, began, dropped) = stuck(inline);
            let running = serve(service().with(stuck));
            let mut peer = connect(&running);
            peer.send(Frame::call(1, "test.Service/Stuck", b"")).await;
            began.await.expect("the handler begins");
            drop(peer);
            dropped.await.expect("the handler was dropped");
        });
    }
}

#[test]
fn what_a_call_spawned_ends_with_it_and_cancelled_resolves() {
    run(async {
        let (told, mut hears) = tokio::sync::mpsc::unbounded_channel();
        let spawns = method("Spawn", move |call: Call| {
            let told = told.clone();
            async move {
                let (child, parting) = (told.clone(), told.clone());
                // Made here because a child may be dropped before it has run at all.
                let dropped = scopeguard(move || child.send("child dropped").expect("the test listens"));
                call.cx.spawn(async move {
                    let _dropped = dropped;
                    std::future::pending().await
                });
                let cancelled = call.cx.cancelled();
                tokio::spawn(async move {
                    cancelled.await;
                    parting.send("cancelled resolved").expect("the test listens");
                });
                told.send("started").expect("the test listens");
                std::future::pending().await
            }
        });
        let running = serve(service().with(spawns));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Spawn", b"")).await;
        assert_eq!(hears.recv().await, Some("started"));
        peer.send(Frame::new(Kind::Reset, 1)).await;
        let mut both = [hears.recv().await, hears.recv().await];
        both.sort();
        assert_eq!(both, [Some("cancelled resolved"), Some("child dropped")]);
    });
}

fn scopeguard(f: impl FnOnce()) -> impl Drop {
    struct Guard<F: FnOnce()>(Option<F>);
    impl<F: FnOnce()> Drop for Guard<F> {
        fn drop(&mut self) {
            if let Some(f) = self.0.take() {
                f();
            }
        }
    }
    Guard(Some(f))
}

/// A handler that ends after its connection posts to no one, and nothing keeps its line and inbox alive.
#[test]
fn a_handler_that_outlives_its_connection_leaves_nothing_behind() {
    run(async {
        let (began, mut has_begun) = tokio::sync::mpsc::unbounded_channel();
        let gone = Arc::new(AtomicBool::new(false));
        let held = Arc::new(());
        let (go, witness) = (gone.clone(), held.clone());
        let busy = method("Busy", move |_| {
            let (began, gone, witness) = (began.clone(), gone.clone(), witness.clone());
            async move {
                began.send(()).expect("the test listens");
                while !gone.load(SeqCst) {
                    std::thread::yield_now(); // computes, and so does not notice a cancellation
                }
                let mut outcome = ok("nobody hears this");
                outcome.body = bytes::Bytes::from_owner(Witness(witness)).into();
                outcome
            }
        })
        .inline(Inline::Never);
        let running = serve(service().with(busy));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Busy", b"")).await;
        has_begun.recv().await;
        drop(peer);
        while running.connections().iter().any(|c| !c.is_over()) {
            tokio::task::yield_now().await;
        }
        go.store(true, SeqCst);
        drop(running);
        while Arc::strong_count(&held) > 1 {
            tokio::task::yield_now().await;
        }
    });
}

/// Bytes that tell when they are dropped.
struct Witness(#[allow(dead_code)] Arc<()>);
impl AsRef<[u8]> for Witness {
    fn as_ref(&self) -> &[u8] {
        b"x"
    }
}

#[test]
fn limits_on_calls_at_once_are_strict() {
    run(async {
        let (open, gate) = watch::channel(false);
        let most = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let seen = most.clone();
        let wait = method("Wait", move |_| {
            let (mut gate, seen) = (gate.clone(), seen.clone());
            async move {
                seen.1.fetch_max(seen.0.fetch_add(1, SeqCst) + 1, SeqCst);
                let _ = gate.wait_for(|open| *open).await;
                seen.0.fetch_sub(1, SeqCst);
                ok("")
            }
        })
        .max_concurrency(3)
        .inline(Inline::Never);
        let engine = polywire_engine::Engine::builder().shards(3).workers(2).build().expect("an engine");
        let running = start(
            server(service().with(wait).with(method("Echo", echo)))
                .engine(&engine)
                .bounds(Bounds::default().concurrency(4)),
        );
        let mut peers: Vec<_> = (0..6).map(|_| connect(&running)).collect();
        for peer in &mut peers {
            for id in 0..5 {
                peer.send(Frame::call(id, "test.Service/Wait", b"")).await;
            }
        }
        // 27 of 30 are refused; the three that entered wait for the gate.
        let (mut refused, mut answered) = (0, 0);
        let mut waiting = [5; 6];
        while refused < 27 {
            let (n, frame) = std::future::poll_fn(|cx| {
                for (n, peer) in peers.iter_mut().enumerate() {
                    if let Poll::Ready(frame) = std::pin::pin!(peer.frame()).poll(cx) {
                        return Poll::Ready((n, frame)); // the peer keeps the part of a frame that it has read
                    }
                }
                Poll::Pending
            })
            .await;
            assert_eq!(frame.a, brpc::ELIMIT as u32);
            assert!(frame.has(Frame::UNPROCESSED));
            (refused, waiting[n]) = (refused + 1, waiting[n] - 1);
        }
        assert_eq!(waiting.iter().sum::<usize>(), 3, "{waiting:?}");
        until("three calls within the method", || most.0.load(SeqCst) == 3).await;
        open.send_replace(true);
        for (peer, here) in peers.iter_mut().zip(waiting) {
            for _ in 0..here {
                let frame = peer.frame().await;
                assert_eq!(frame.a, 0);
                answered += 1;
            }
        }
        assert_eq!((refused, answered, most.1.load(SeqCst)), (27, 3, 3));
        peers[0].send(Frame::call(9, "test.Service/Echo", b"free again")).await;
        assert_eq!(peers[0].finish(9).await, Frame::reply(9, b"free again"));
    });
}

#[test]
fn a_server_without_services_refuses_and_lives() {
    run(async {
        let running = start(polywire_server::Server::<Lab>::new().engine(&engine()).pages(None));
        let mut peer = connect(&running);
        for id in 0..2 {
            peer.send(Frame::call(id, "some.Service/Method", b"")).await;
            assert_eq!(peer.finish(id).await.a, brpc::ENOMETHOD as u32);
        }
    });
}

#[test]
fn the_credential_comes_first_and_a_refusal_ends_the_connection() {
    struct Password;
    impl polywire_server::Authenticator for Password {
        async fn verify(&self, caller: polywire_server::Caller) -> Result<polywire_server::Identity, Status> {
            assert_eq!(caller.scheme(), "lab");
            match caller.credential() {
                Some(b"sesame") => Ok(polywire_server::Identity::named("ali")),
                _ => Err(brpc::status(brpc::ERPCAUTH, "no")),
            }
        }
    }
    run(async {
        let who = method("Who", |call: Call| async move {
            ok(call.cx.identity().expect("authenticated").name.as_bytes().to_vec())
        });
        let running = start(server(service().with(who)).authenticate(Password));
        let mut peer = connect(&running);
        peer.send(Frame { body: b"sesame".to_vec(), ..Frame::new(Kind::Auth, 0) }).await;
        peer.send(Frame::call(1, "test.Service/Who", b"")).await; // not read before the verdict
        assert_eq!(peer.frame().await, Frame::new(Kind::Auth, 0));
        assert_eq!(peer.finish(1).await, Frame::reply(1, b"ali"));

        let mut peer = connect(&running);
        peer.send(Frame { body: b"guess".to_vec(), ..Frame::new(Kind::Auth, 0) }).await;
        peer.send(Frame::call(1, "test.Service/Who", b"")).await;
        assert_eq!(peer.frame().await, Frame::new(Kind::Auth, 0).with(brpc::ERPCAUTH as u32));
        peer.end().await;

        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Who", b"")).await;
        peer.end().await;
    });
}

#[test]
fn calls_of_a_handler_run_where_it_runs() {
    run(async {
        let notify = Arc::new(Notify::new());
        let told = notify.clone();
        let where_ = method("Where", move |_| {
            let told = told.clone();
            async move {
                let home = polywire_engine::home().map(|shard| shard.index());
                let here = polywire_engine::current_shard().map(|shard| shard.index());
                let child = tokio::spawn(async { polywire_engine::home().is_some() }).await;
                told.notify_one();
                ok(format!("{home:?} {here:?} {child:?}").into_bytes())
            }
        })
        .inline(Inline::Never);
        let running = serve(service().with(where_));
        let mut peer = connect(&running);
        peer.send(Frame::call(1, "test.Service/Where", b"")).await;
        notify.notified().await;
        let reply = peer.finish(1).await;
        assert_eq!(String::from_utf8_lossy(&reply.body), "Some(0) None Ok(true)");
    });
}
