//! How long calls of a route may take, and which are tried again.

use super::{translation::set_with, *};
use crate::{Cluster, Routes, Schemas};
use polywire_call::Code;
use polywire_client::{Backoff, Builder, Hedge, Resilience, RetryPolicy, Target};
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

/// From gRPC to gRPC nothing says that a call does not stream.
#[tokio::test(start_paused = true)]
async fn a_call_that_no_server_has_looked_at_goes_to_another_one_even_if_it_may_stream() {
    type Say = fn(Routes) -> Routes;
    let cases: [(&str, Say, bool); 2] =
        [("as the channel has it", |routes| routes, true), ("none", |routes| routes.retries(0), false)];
    for (what, say, expected) in cases {
        let net = Net::<Lab>::seeded(1);
        let echo = || method("Place", |call: Call| async { Ok(ok(call.body)) });
        let serve =
            |name| net.serve(name, Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(echo())));
        let servers = ["a:1", "b:1"].map(serve);
        let below = net.host("relay").builder("list://a:1,b:1").protocol("grpc");
        let below = below.resilience(Resilience::default().balancer("rr")).build().expect("a channel");
        let routes = Routes::new().to("*".parse().expect("names"), &below).expect("a route");
        net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::by(say(routes))));
        let channel = net.builder("relay:1").protocol("grpc").build().expect("a channel");
        for _ in 0..4 {
            channel.call(PLACE, "a lamp").await.expect("both servers are there");
        }
        servers[0].crash();
        tokio::time::sleep(ms(100)).await; // the relay knows: a call on the way there may be executed
        let mut lost = 0;
        for _ in 0..20 {
            match channel.call(PLACE, "a lamp").await {
                Ok(reply) => assert_eq!(reply.body.to_vec(), b"a lamp"),
                Err(_) => lost += 1,
            }
        }
        assert_eq!(lost == 0, expected, "{what}: {lost} of 20");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_of_a_stream_is_sent_again_while_it_is_one_message() {
    const TALK: Target = Target::fixed(SERVICE, "Talk");
    for (sent, is_whole, expected) in [(0, false, true), (1, false, true), (1, true, true), (2, true, false)]
    {
        let runs = Arc::new(AtomicU32::new(0));
        let counted = runs.clone();
        let talk = streaming("Talk", move |mut call: Call| {
            let run = counted.fetch_add(1, Relaxed);
            async move {
                let (mut source, mut sink) = call.stream.take().expect("a stream");
                if run == 0 {
                    for _ in 0..sent {
                        source.next().await.expect("a message")?;
                    }
                    return Err(Status::unavailable("not now"));
                }
                while let Some(part) = source.next().await.transpose()? {
                    sink.send(Part::message(part.bytes)).await?;
                }
                Ok(Outcome::default())
            }
        });
        let policy = RetryPolicy::new().on(Code::Unavailable, Backoff::none());
        let of_channel = |below: Builder<Lab>| below.resilience(Resilience::default().retry_policy(policy));
        let chain = routed_by(("grpc", "grpc"), talk, of_channel, |one| one, |routes| routes);
        let mut stream = chain.channel.stream(TALK).await.expect("a stream");
        for _ in 0..sent {
            stream.send("a lamp").await.expect("room");
        }
        if is_whole {
            stream.finish();
        }
        tokio::time::sleep(ms(100)).await;
        if !is_whole {
            let _ = stream.send("a table").await;
            stream.finish();
        }
        let mut heard = Vec::new();
        let end = loop {
            match stream.next().await {
                Some(Ok(part)) => heard.push(part.bytes.to_vec()),
                Some(Err(status)) => break Err(status),
                None => break Ok(()),
            }
        };
        assert_eq!(end.is_ok(), expected, "{sent} {is_whole}: {end:?}");
        if expected {
            let all = ["a lamp"; 2][..sent].iter().copied().chain((!is_whole).then_some("a table"));
            assert_eq!(
                heard,
                all.map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>(),
                "{sent} {is_whole}"
            );
        }
        assert_eq!(runs.load(Relaxed), 1 + u32::from(expected), "{sent} {is_whole}");
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
