//! Relays that have each other behind them.

use super::*;
use polywire_server::Bounds;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The protocols have no fields for the relays that a call has passed, but a place for their number.
#[tokio::test(start_paused = true)]
async fn two_relays_with_each_other_behind_them_end_a_call() {
    for round in ["hulu_pbrpc", "public_pbrpc", "nova_pbrpc", "sofa_pbrpc"] {
        for front in ["grpc", round] {
            let net = Net::<Lab>::seeded(1);
            for (one, other) in [("a:1", "b:1"), ("b:1", "a:1")] {
                let below = net.host(one).builder(other).protocol(round).build().expect("a channel");
                let cluster = by_list(Cluster::new(&below)).only_service(ECHO_SERVICE).expect("a name");
                let relay = Relay::to(cluster).unnamed_service(ECHO_SERVICE).expect("a name");
                net.serve(one, Server::<Lab>::new().catch_all(relay));
            }
            let channel = net.builder("a:1").protocol(front).build().expect("a channel");
            let began = tokio::time::Instant::now();
            let status = channel.call(ECHO, "").timeout(ms(60_000)).await.unwrap_err();
            assert!(began.elapsed() < ms(900), "{front}, {round}: no channel has given up");
            if round == "nova_pbrpc" {
                continue; // the ninth relay closes its connection, and so do those before it
            }
            assert_eq!((status.code(), mark(&status)), (Code::Internal, Some("loop")), "{front}, {round}");
            assert!(status.message().contains("too many relays"), "{front}, {round}: {status}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_forged_number_of_relays_ends_the_call_that_has_it_alone() {
    for front in ["hulu_pbrpc", "public_pbrpc", "sofa_pbrpc"] {
        let old = Old::new("grpc", echo_service(), by_list);
        let channel = old.channel(front);
        for forged in ["8", "9"] {
            let status = channel.call(ECHO, HELLO).metadata("polywire-relays", forged).await.unwrap_err();
            assert_eq!(mark(&status), Some("loop"), "{front}, {forged}: {status}");
        }
        for other in ["7", "0", "10", "x"] {
            let reply = channel.call(ECHO, HELLO).metadata("polywire-relays", other).await;
            reply.unwrap_or_else(|status| panic!("{front}, {other}: {status}"));
        }
    }
}

/// Somebody else's proxy drops the number. What is left is a limit of the calls at once, which ends the call.
#[tokio::test(start_paused = true)]
async fn a_call_that_goes_round_without_a_number_ends_at_the_limit_of_calls_at_once() {
    const MOST: u32 = 20;
    for round in NUMBERED.into_iter().chain(["sofa_pbrpc"]) {
        let (net, passed) = (Net::<Lab>::seeded(1), Arc::new(AtomicUsize::new(0)));
        let below = net.host("relay").builder("proxy:1").protocol(round).build().expect("a channel");
        let cluster = by_list(Cluster::new(&below)).only_service(ECHO_SERVICE).expect("a name");
        let relay = Relay::to(cluster).unnamed_service(ECHO_SERVICE).expect("a name");
        let bounds = Bounds::default().concurrency(MOST);
        net.serve("relay:1", Server::<Lab>::new().catch_all(relay).bounds(bounds));
        let (back, count) = (
            net.host("proxy").builder("relay:1").protocol(round).build().expect("a channel"),
            passed.clone(),
        );
        let proxy = method("Echo", move |call: Call| {
            count.fetch_add(1, Relaxed);
            let below = back.call(ECHO, call.body);
            async move { Ok(ok(below.await?.body.clone())) }
        });
        net.serve("proxy:1", Server::<Lab>::new().service(Service::new(ECHO_SERVICE, &[]).with(proxy)));
        let channel = net.builder("relay:1").protocol(round).build().expect("a channel");
        let failed = channel.call(ECHO, "").timeout(ms(60_000)).await;
        assert!(failed.is_err(), "{round}");
        assert!(passed.load(Relaxed) <= MOST as usize, "{round}: {passed:?}");
    }
}
