//! How long calls of a route may take, and which are tried again.

use super::{
    translation::{known, set_with},
    *,
};
use crate::{Cluster, Routes, Schemas};
use polywire_call::Code;
use polywire_client::{Builder, Hedge, Resilience, Target};
use polywire_wire::Part;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const PLACE: Target = Target::fixed(SERVICE, "Place");
const METHOD: &str = "shop.v1.Orders/Place";
pub(super) const PAIRS: [(&str, &str); 3] =
    [("grpc", "grpc"), ("baidu_std", "baidu_std"), ("grpc", "baidu_std")];

/// A chain whose relay has one route.
pub(super) fn routed(
    (front, back): (&'static str, &'static str),
    method: Method,
    of_cluster: impl FnOnce(Cluster) -> Cluster,
    of_route: impl FnOnce(Routes) -> Routes,
) -> Chain {
    routed_by((front, back), method, |builder| builder, of_cluster, of_route)
}

/// The same, with this channel.
fn routed_by(
    (front, back): (&'static str, &'static str),
    method: Method,
    of_channel: impl FnOnce(Builder<Lab>) -> Builder<Lab>,
    of_cluster: impl FnOnce(Cluster) -> Cluster,
    of_route: impl FnOnce(Routes) -> Routes,
) -> Chain {
    let net = Net::seeded(1);
    let service = Service::new(SERVICE, &[]).with(method);
    let behind = net.serve("behind:1", Server::<Lab>::new().service(service));
    let below = of_channel(net.host("relay").builder("behind:1").protocol(back));
    let below = below.build().expect("a channel");
    let cluster = of_cluster(Cluster::new(&below));
    let routes = Routes::new().to("*".parse().expect("names"), cluster).expect("a route");
    net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::by(of_route(routes))));
    let channel = net.builder("relay:1").protocol(front).timeout(None).build().expect("a channel");
    Chain { net, behind, channel }
}

/// Says how much time it has, and never answers.
fn hangs(tell: &mpsc::UnboundedSender<Option<Duration>>) -> Method {
    let tell = tell.clone();
    method("Place", move |call: Call| {
        let _ = tell.send(call.cx.remaining());
        std::future::pending()
    })
}

#[tokio::test(start_paused = true)]
async fn a_call_has_the_time_of_its_route_or_its_callers_if_that_is_less() {
    for pair in PAIRS {
        let (tell, mut told) = mpsc::unbounded_channel();
        let chain = routed(pair, hangs(&tell), |one| one, |routes| routes.timeout(ms(300)));
        for (own, least, most) in [(None, 200, 300), (Some(ms(10_000)), 200, 300), (Some(ms(100)), 50, 100)] {
            let call = chain.channel.call(PLACE, "");
            let status = own.into_iter().fold(call, |call, own| call.timeout(own)).await.unwrap_err();
            assert_eq!(status.code(), Code::DeadlineExceeded, "{pair:?} {own:?}: {status}");
            if own != Some(ms(100)) {
                assert_eq!(
                    status.metadata().get_str("polywire-gateway"),
                    Some("deadline"),
                    "{pair:?} {own:?}"
                );
            }
            let left = told.recv().await.flatten().expect("a deadline");
            assert!(left >= ms(least) && left <= ms(most), "{pair:?} {own:?}: {left:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_channel_is_for_callers_without_a_deadline() {
    for pair in PAIRS {
        let slow = method("Place", |call: Call| async move {
            tokio::time::sleep(ms(2000)).await; // the channel has a second
            Ok(ok(call.body))
        });
        let chain = routed(pair, slow, |one| one, |routes| routes);
        let reply = chain.channel.call(PLACE, "a lamp").timeout(ms(5000)).await;
        assert_eq!(reply.expect("a reply").body.to_vec(), b"a lamp", "{pair:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_by_the_time_of_its_route() {
    let endless = streaming("Place", |mut call: Call| async move {
        let (_, mut sink) = call.stream.take().expect("a stream");
        sink.send(Part::message("a lamp".into())).await?;
        std::future::pending().await
    });
    let chain = routed(("grpc", "grpc"), endless, |one| one, |routes| routes.timeout(ms(300)));
    let begin = tokio::time::Instant::now();
    let mut stream = chain.channel.stream(PLACE).message("").await.expect("a stream");
    assert_eq!(stream.next().await.expect("a reply").expect("a reply").bytes.to_vec(), b"a lamp");
    let status = stream.next().await.expect("an end").expect_err("no time is left");
    assert_eq!(status.code(), Code::DeadlineExceeded, "{status}");
    assert!(begin.elapsed() >= ms(300) && begin.elapsed() < ms(400), "{:?}", begin.elapsed());
}

/// The servers execute the call, and the connection breaks within the reply.
#[tokio::test(start_paused = true)]
async fn a_call_whose_reply_is_lost_runs_twice_only_if_its_route_says_that_it_may() {
    type Say = fn(Routes) -> Routes;
    let cases: [(&str, Say, u32); 5] = [
        ("nothing", |routes| routes, 1),
        ("tries", |routes| routes.retries(2), 1),
        ("twice", |routes| routes.idempotent(METHOD).expect("a method"), 4),
        ("twice, tries", |routes| routes.idempotent("shop.v1.Orders/P*").expect("methods").retries(2), 3),
        ("another", |routes| routes.idempotent("shop.v1.Orders/Pay").expect("a method").retries(2), 1),
    ];
    for pair in PAIRS {
        for (what, say, expected) in cases {
            let runs = Arc::new(AtomicU32::new(0));
            let counted = runs.clone();
            let long = method("Place", move |_| {
                counted.fetch_add(1, Relaxed);
                async { Ok(ok(vec![7; 10_000])) }
            });
            let chain = routed(pair, long, |one| one, say);
            chain.net.link_between("relay", "behind:1").to_client().reset_after(2000);
            let _ = chain.channel.call(PLACE, "").timeout(ms(10_000)).await.unwrap_err();
            assert_eq!(runs.load(Relaxed), expected, "{pair:?} {what}");
        }
    }
}

/// What these methods say in their schema, in place of the route.
#[tokio::test(start_paused = true)]
async fn a_call_whose_reply_is_lost_runs_twice_if_its_schema_says_that_it_may() {
    const SAYS: &str = "rpc Place(Order) returns (Order) { option idempotency_level = ";
    for (level, expected) in [("IDEMPOTENCY_UNKNOWN", 1), ("IDEMPOTENT", 4), ("NO_SIDE_EFFECTS", 4)] {
        let set = set_with(("rpc Place(Order) returns (Order);", &format!("{SAYS}{level}; }}")));
        let schemas = Schemas::from_descriptor_set(&set).expect("schemas");
        for pair in PAIRS {
            let runs = Arc::new(AtomicU32::new(0));
            let counted = runs.clone();
            let long = method("Place", move |_| {
                counted.fetch_add(1, Relaxed);
                async { Ok(ok(vec![7; 10_000])) }
            });
            let chain = routed(pair, long, |cluster| cluster.schemas(&schemas), |routes| routes);
            chain.net.link_between("relay", "behind:1").to_client().reset_after(2000);
            let _ = chain.channel.call(PLACE, "").timeout(ms(10_000)).await.unwrap_err();
            assert_eq!(runs.load(Relaxed), expected, "{pair:?} {level}");
        }
    }
    // A stream may not.
    let streams = (
        "rpc Watch(Order) returns (stream Order);",
        "rpc Watch(Order) returns (stream Order) { option idempotency_level = IDEMPOTENT; }",
    );
    let schemas = Schemas::from_descriptor_set(&set_with(streams)).expect("schemas");
    assert!(schemas.may_any_run_twice() && !schemas.may_run_twice((SERVICE, "Watch")));
}

/// The servers refuse the first two calls, and have executed them for all that is known.
#[tokio::test(start_paused = true)]
async fn an_answer_is_followed_by_another_try_only_if_its_code_is_named_and_the_call_may_run_twice() {
    type Say = fn(Routes) -> Routes;
    fn twice(routes: Routes) -> Routes {
        routes.idempotent(METHOD).expect("a method")
    }
    fn on(code: Code, routes: Routes) -> Routes {
        routes.retry_on(code).expect("a failure")
    }
    let cases: [(&str, Say, u32); 6] = [
        ("nothing", |routes| routes, 1),
        ("twice", twice, 1),
        ("named", |routes| on(Code::Aborted, routes), 1),
        ("another", |routes| on(Code::Internal, twice(routes)), 1),
        ("both", |routes| on(Code::Aborted, twice(routes)), 3),
        ("one try", |routes| on(Code::Aborted, twice(routes)).retries(1), 2),
    ];
    for pair in PAIRS {
        for (what, say, expected) in cases {
            let runs = Arc::new(AtomicU32::new(0));
            let counted = runs.clone();
            let refuses = method("Place", move |call: Call| {
                let run = counted.fetch_add(1, Relaxed);
                async move {
                    match run {
                        0 | 1 => Err(Status::new(Code::Aborted, "sold out")),
                        _ => Ok(ok(call.body)),
                    }
                }
            });
            let chain = routed(pair, refuses, |one| one, say);
            let reply = chain.channel.call(PLACE, "a lamp").timeout(ms(10_000)).await;
            assert_eq!(reply.is_ok(), expected == 3, "{pair:?} {what}");
            assert_eq!(runs.load(Relaxed), expected, "{pair:?} {what}");
        }
    }
    assert!(Routes::new().retry_on(Code::Ok).is_err());
}

/// The first request is never answered.
#[tokio::test(start_paused = true)]
async fn a_channel_that_hedges_sends_calls_twice_only_if_the_route_says_that_they_may_run_so() {
    type Say = fn(Routes) -> Routes;
    let cases: [(&str, Say, u32); 3] = [
        ("nothing", |routes| routes, 1),
        ("another", |routes| routes.idempotent("shop.v1.Orders/Pay").expect("a method"), 1),
        ("twice", |routes| routes.idempotent(METHOD).expect("a method"), 2),
    ];
    for pair in PAIRS {
        for (what, say, expected) in cases {
            let runs = Arc::new(AtomicU32::new(0));
            let counted = runs.clone();
            let first_hangs = method("Place", move |call: Call| {
                let run = counted.fetch_add(1, Relaxed);
                async move {
                    match run {
                        0 => std::future::pending().await,
                        _ => Ok(ok(call.body)),
                    }
                }
            });
            let hedge =
                |builder: Builder<Lab>| builder.resilience(Resilience::default().hedge(Hedge::after(ms(50))));
            let chain = routed_by(pair, first_hangs, hedge, |one| one, say);
            let reply = chain.channel.call(PLACE, "a lamp").timeout(ms(500)).await;
            assert_eq!(reply.is_ok(), expected == 2, "{pair:?} {what}");
            assert_eq!(runs.load(Relaxed), expected, "{pair:?} {what}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_may_be_tried_again_is_no_stream_if_its_schema_says_so() {
    type Say = fn(Routes) -> Routes;
    let cases: [(&str, bool, Say, bool); 4] = [
        ("no tries", true, |routes| routes, true),
        ("none at all", true, |routes| routes.retries(0), true),
        ("no schema", false, |routes| routes.retries(1), true),
        ("tries", true, |routes| routes.retries(1), false),
    ];
    for (what, has_schema, say, is_stream) in cases {
        let (tell, mut told) = mpsc::unbounded_channel();
        let of_cluster = |one: Cluster| if has_schema { one.schemas(&known()) } else { one };
        let chain = routed(("grpc", "grpc"), hangs(&tell), of_cluster, say);
        let call = tokio::spawn(chain.channel.call(PLACE, "").into_future());
        // Only calls of one message have the timeout of the channel.
        assert_eq!(told.recv().await.expect("a call").is_none(), is_stream, "{what}");
        call.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_run_twice_is_said_of_methods_alone() {
    let fork =
        routed(("grpc", "grpc"), method("Place", |_| async { Ok(ok("")) }), |one| one, |routes| routes);
    for text in ["*", "shop.*", "shop.v1.Orders", "", "shop.v1.Orders/"] {
        assert!(Routes::new().idempotent(text).is_err(), "{text}");
    }
    let one = Routes::new().to("*".parse().expect("names"), &fork.channel).expect("a route");
    let most = (0..100).try_fold(one, |routes, k| routes.idempotent(&format!("a.S/M{k}"))).expect("100");
    assert!(most.idempotent(METHOD).is_err());
}
