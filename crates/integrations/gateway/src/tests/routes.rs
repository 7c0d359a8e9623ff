//! Calls go to one of several channels, by names and fields; and routes that are replaced.

use super::{tries::routed, *};
use crate::{Calls, Cluster, Routes, Split};
use polywire_call::Code;
use polywire_client::Target;
use polywire_server::Limiter;
use polywire_wire::Part;

const TALK: Target = Target::fixed(SERVICE, "Talk");

fn calls(text: &str) -> Calls {
    text.parse().expect("names")
}

/// A caller and a relay without routes in front of servers that say who they are: `a:1` speaks gRPC, `b:1`
/// baidu_std.
struct Fork {
    net: Net<Lab>,
    relay: Relay,
    a: Channel<Lab>,
    b: Channel<Lab>,
}

impl Fork {
    fn new() -> Fork {
        let net = Net::seeded(1);
        for name in ["a:1", "b:1"] {
            let say = move |_| async move { Ok(ok(name)) };
            let talk = streaming("Talk", move |mut call: Call| async move {
                let (mut source, mut sink) = call.stream.take().expect("a stream");
                while source.next().await.transpose()?.is_some() {
                    sink.send(Part::message(name.into())).await?;
                }
                Ok(Outcome::default())
            });
            let orders = Service::new(SERVICE, &[]).with(method("Place", say)).with(method("Drop", say));
            let stock = Service::new("shop.v1.Stock", &[]).with(method("Get", say));
            let ship = Service::new("ship.Fleet", &[]).with(method("Get", say));
            let server = Server::<Lab>::new().service(orders.with(talk)).service(stock).service(ship);
            net.serve(name, server);
        }
        let below = |name: &str, protocol: &str| {
            net.host("relay").builder(name).protocol(protocol).build().expect("a channel")
        };
        let (a, b) = (below("a:1", "grpc"), below("b:1", "baidu_std"));
        let relay = Relay::by(Routes::new());
        net.serve("relay:1", Server::<Lab>::new().catch_all(relay.clone()));
        Fork { net, relay, a, b }
    }

    fn caller(&self, protocol: &str) -> Channel<Lab> {
        self.net.builder("relay:1").protocol(protocol).build().expect("a channel")
    }
}

/// Who has answered; or a code, and the mark of the relay.
async fn answer(caller: &Channel<Lab>, name: &str, field: Option<(&str, &str)>) -> String {
    let (service, method) = name.split_once('/').expect("two names");
    let call = caller.call(Target::named(service, method), "");
    let call = field.into_iter().fold(call, |call, (name, value)| call.metadata(name, value));
    match call.await {
        Ok(reply) => String::from_utf8(reply.body.to_vec()).expect("text"),
        Err(status) => {
            format!("{} {}", status.code(), status.metadata().get_str("polywire-gateway").unwrap_or("-"))
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_route_for_names_and_fields_of_a_call_takes_it() {
    let fork = Fork::new();
    let tester = calls("shop.v1.Orders").field("x-tester", "yes").expect("a field");
    let routes = Routes::new()
        .to(tester, &fork.b)
        .and_then(|routes| routes.to(calls("shop.v1.Orders/Place"), &fork.a))
        .and_then(|routes| routes.to(calls("shop.v1.Orders"), &fork.b))
        .and_then(|routes| routes.to(calls("shop.*"), &fork.a));
    fork.relay.replace(routes.expect("routes"));
    for protocol in ["grpc", "baidu_std", "connect"] {
        let caller = fork.caller(protocol);
        for (name, field, to) in [
            ("shop.v1.Orders/Place", None, "a:1"),
            ("shop.v1.Orders/Place", Some(("x-tester", "yes")), "b:1"),
            ("shop.v1.Orders/Place", Some(("x-tester", "no")), "a:1"),
            ("shop.v1.Orders/Drop", None, "b:1"),
            ("shop.v1.Stock/Get", None, "a:1"),
            ("ship.Fleet/Get", None, "UNIMPLEMENTED no_route"),
            // By short names: servers take them, and so do routes for whole names.
            ("Orders/Place", None, "a:1"),
            ("Orders/Place", Some(("x-tester", "yes")), "b:1"),
            ("Stock/Get", None, "UNIMPLEMENTED no_route"),
            // No method of the servers, either; but they were asked.
            ("shop.v1.Stock/None", None, "UNIMPLEMENTED -"),
        ] {
            assert_eq!(answer(&caller, name, field).await, to, "{name} over {protocol}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_route_nothing_is_sent() {
    let fork = Fork::new();
    for protocol in ["grpc", "baidu_std", "connect", "grpc-web"] {
        let found = answer(&fork.caller(protocol), "shop.v1.Orders/Place", None).await;
        assert_eq!(found, "UNIMPLEMENTED no_route", "{protocol}");
    }
    let connections = || ["a:1", "b:1"].map(|name| fork.net.link_between("relay", name).connections());
    assert_eq!(connections(), [0, 0]);
    fork.relay.replace(Routes::new().to(calls("*"), &fork.a).expect("a route"));
    assert_eq!(answer(&fork.caller("grpc"), "shop.v1.Orders/Place", None).await, "a:1");
    assert_eq!(connections(), [1, 0], "the names of the links are right");
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_on_the_channel_that_it_began_with() {
    let Fork { net, relay, a, b } = Fork::new();
    relay.replace(Routes::new().to(calls("*"), &a).expect("a route"));
    let caller = net.builder("relay:1").protocol("grpc").build().expect("a channel");
    let mut stream = caller.stream(TALK).await.expect("a stream");
    let heard = async |stream: &mut polywire_client::Stream| {
        stream.send("who?").await.expect("room");
        stream.next().await.expect("a message").expect("no failure").bytes.to_vec()
    };
    assert_eq!(heard(&mut stream).await, b"a:1");
    relay.replace(Routes::new().to(calls("*"), &b).expect("a route"));
    drop(a); // the call alone holds the channel now
    assert_eq!(answer(&caller, "shop.v1.Orders/Place", None).await, "b:1");
    relay.replace(Routes::new());
    assert_eq!(answer(&caller, "shop.v1.Orders/Place", None).await, "UNIMPLEMENTED no_route");
    assert_eq!(heard(&mut stream).await, b"a:1");
    stream.finish();
    assert!(stream.next().await.is_none());
    assert_eq!(stream.outcome().expect("an outcome").status.code(), Code::Ok);
}

#[tokio::test(start_paused = true)]
async fn there_are_at_most_1000_routes() {
    let fork = Fork::new();
    let most = (0..1000).try_fold(Routes::new(), |routes, k| routes.to(calls(&format!("a.S{k}")), &fork.a));
    let wrong = most.expect("1000 routes").to(calls("*"), &fork.a).err().expect("one too many");
    assert!(wrong.to_string().contains("1000"), "{wrong}");
}

/// Routes of all calls to two channels with these weights.
fn shared(fork: &Fork, weights: [u32; 2], by: Option<&str>) -> Routes {
    let split = Split::new().part(weights[0], &fork.a).and_then(|split| split.part(weights[1], &fork.b));
    let split = by.into_iter().try_fold(split.expect("two parts"), |split, by| split.by(by));
    Routes::new().split(calls("*"), split.expect("a field")).expect("a route")
}

#[tokio::test(start_paused = true)]
async fn several_channels_share_calls_by_their_weights() {
    let fork = Fork::new();
    let caller = fork.caller("grpc");
    for (weights, expected) in [([3, 1], 60..140), ([u32::MAX, 0], 0..1), ([0, 7], 400..401)] {
        fork.relay.replace(shared(&fork, weights, None));
        let mut second = 0;
        for _ in 0..400 {
            match &*answer(&caller, "shop.v1.Orders/Place", None).await {
                "a:1" => {}
                "b:1" => second += 1,
                other => panic!("{other}"),
            }
        }
        assert!(expected.contains(&second), "{weights:?}: {second} of 400");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_with_the_same_value_of_a_field_stay_together() {
    let fork = Fork::new();
    let caller = fork.caller("grpc");
    let users: Vec<_> = (0..400).map(|k| format!("user {k}")).collect();
    let second = async || {
        let mut second = Vec::new();
        for user in &users {
            let answers = [
                answer(&caller, "shop.v1.Orders/Place", Some(("x-user", user))).await,
                answer(&caller, "shop.v1.Stock/Get", Some(("X-User", user))).await,
            ];
            assert_eq!(answers[0], answers[1], "{user}");
            second.push(answers[0] == "b:1");
        }
        second
    };
    fork.relay.replace(shared(&fork, [3, 1], Some("x-user")));
    let few = second().await;
    // By another program's MurmurHash3, the same in every process.
    assert_eq!(few.iter().filter(|second| **second).count(), 93);
    fork.relay.replace(shared(&fork, [3, 3], Some("x-user")));
    let more = second().await;
    assert!(few.iter().zip(&more).all(|(few, more)| *more || !few), "who was with the second one still is");
    // Of two values nobody knows which one counts; without one there is nothing to go by.
    let twice = async || {
        let call = caller.call(Target::named("shop.v1.Orders", "Place"), "");
        let reply = call.metadata("x-user", "user 1").metadata("x-user", "user 1").await.expect("an answer");
        reply.body.to_vec() == b"b:1"
    };
    let mut seen = [Vec::new(), Vec::new()];
    for _ in 0..40 {
        seen[0].push(twice().await);
        seen[1].push(answer(&caller, "shop.v1.Orders/Place", None).await == "b:1");
    }
    assert!(seen.iter().all(|seen| seen.contains(&true) && seen.contains(&false)), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn a_split_has_at_most_16_channels_and_one_that_gets_calls() {
    let fork = Fork::new();
    let most = (0..16).try_fold(Split::new(), |split, _| split.part(u32::MAX, &fork.a)).expect("16 parts");
    let wrong = most.clone().part(1, &fork.a).err().expect("one too many");
    assert!(wrong.to_string().contains("at most 16"), "{wrong}");
    fork.relay
        .replace(Routes::new().split(calls("*"), most.by("x-user").expect("a field")).expect("a route"));
    for user in ["", "1", "2", "3"] {
        let found = answer(&fork.caller("grpc"), "shop.v1.Orders/Place", Some(("x-user", user))).await;
        assert_eq!(found, "a:1");
    }
    for none in [Split::new(), Split::new().part(0, &fork.a).expect("a part")] {
        let wrong = Routes::new().split(calls("*"), none).err().expect("no calls would arrive");
        assert!(wrong.to_string().contains("weight"), "{wrong}");
    }
    for name in ["", ":path", "a b"] {
        assert!(Split::new().by(name).is_err(), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cluster_gets_no_more_calls_at_a_time_than_it_may_and_none_is_counted_when_it_is_over() {
    for protocol in ["grpc", "baidu_std"] {
        let slow = method("Place", |call: Call| async move {
            tokio::time::sleep(ms(100)).await;
            Ok(ok(call.body))
        });
        let limit = Limiter::new(3);
        let limited = |cluster: Cluster| cluster.limited(&limit);
        let Chain { channel: caller, .. } = &routed((protocol, protocol), slow, limited, |routes| routes);
        for _ in 0..2 {
            let place =
                |caller: Channel<Lab>| async move { answer(&caller, "shop.v1.Orders/Place", None).await };
            let calls: Vec<_> = (0..5).map(|_| tokio::spawn(place(caller.clone()))).collect();
            let mut said = Vec::new();
            for call in calls {
                said.push(call.await.expect("it ends"));
            }
            said.sort();
            let refused = "RESOURCE_EXHAUSTED limit";
            assert_eq!(said, ["", "", "", refused, refused], "{protocol}");
            assert_eq!(limit.current(), 0);
        }
        // Nor when its caller gives it up.
        let call = caller.call(Target::fixed(SERVICE, "Place"), "").timeout(ms(20));
        assert_eq!(call.await.expect_err("too slow").code(), Code::DeadlineExceeded);
        tokio::time::sleep(ms(200)).await;
        assert_eq!(limit.current(), 0, "{protocol}");
    }
}
