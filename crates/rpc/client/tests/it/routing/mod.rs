//! Channels with a router: which cluster a call goes to, and what happens when tables come and go.

mod faults;
mod hashing;
mod limits;
mod priorities;
mod router;
mod tables;

use crate::cluster::*;
use polywire_call::{Code, Status};
use polywire_client::{Channel, Resilience};
use polywire_naming::Server;
use polywire_routing::{
    Cluster as Servers, Fraction, HeaderMatch, Matcher, PathMatch, RetryPolicy, Route, RouteTable, Target,
};
use router::*;
use std::time::Duration;
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

#[test]
fn calls_go_where_the_first_route_that_they_match_leads() {
    run(async {
        let cluster = Cluster::default();
        let canary = Matcher::new(PathMatch::any()).header(HeaderMatch::exact("x-canary", "yes"));
        let routes = [
            Route::new(PathMatch::exact("/test.Service/Other"), "c"),
            Route::new(canary, "b"),
            Route::new(PathMatch::service("test.Service"), "a"),
        ];
        let table = RouteTable::new(routes, clusters(&["a", "b", "c"])).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        assert_eq!(who(ask(&channel).metadata("X-Canary", "yes").await), "b:1");
        assert_eq!(who(ask(&channel).metadata("x-canary", "no").await), "a:1");
        let target = polywire_client::Target::fixed("test.Service", "Other");
        assert_eq!(who(channel.call(target, Vec::new()).await), "c:1");
        let elsewhere = polywire_client::Target::fixed("other.Service", "Other");
        let why = channel.call(elsewhere, Vec::new()).await.unwrap_err();
        assert_eq!((why.code(), why.message()), (Code::Unavailable, "shop: no route is for this call"));
        assert_eq!(channel.address(), "shop");
        assert_eq!(channel.connections_made(), 3);
    });
}

#[test]
fn calls_are_shared_out_to_clusters_by_weight() {
    run(async {
        let cluster = Cluster::default();
        let split = [Target::new("a").weight(3), Target::new("b").weight(1)];
        let table = RouteTable::new([Route::new(PathMatch::any(), split)], clusters(&["a", "b"])).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let b = shares(&channel, 2000).await["b:1"];
        assert!((420..=580).contains(&b), "a quarter of 2000, four standard deviations: {b}");
    });
}

#[test]
fn blocking_calls_are_routed_too() {
    let cluster = Cluster::default();
    let canary = Matcher::new(PathMatch::any()).header(HeaderMatch::present("x-canary"));
    let routes = [Route::new(canary, "b"), Route::new(PathMatch::any(), "a")];
    let table = RouteTable::new(routes, clusters(&["a", "b"])).unwrap();
    let channel = cluster.channel("shop").router(table).build().unwrap();
    for _ in 0..3 {
        assert_eq!(who(ask(&channel).blocking()), "a:1");
        assert_eq!(who(ask(&channel).metadata("x-canary", "1").blocking()), "b:1");
    }
}

#[test]
fn a_route_bounds_the_time_of_a_call_that_asks_for_more() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(5000 * MS));
        let route = Route::new(PathMatch::any(), "a").max_duration(30 * MS);
        let table = RouteTable::new([route], clusters(&["a"])).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        for (asked, gets) in [(1000, 30), (10, 10)] {
            let begun = Instant::now();
            let why = ask(&channel).timeout(asked * MS).await.unwrap_err();
            assert_eq!((why.code(), begun.elapsed()), (Code::DeadlineExceeded, gets * MS), "{why}");
            assert!(why.message().contains(&format!("after {gets} ms")), "{why}");
        }
        let begun = Instant::now();
        let mut stream = channel.stream(ECHO).await.unwrap();
        let end = loop {
            match stream.next().await {
                Some(Err(why)) => break Some(why.code()),
                Some(Ok(_)) => {}
                None => break stream.outcome().map(|outcome| outcome.status.code()),
            }
        };
        assert_eq!(end, Some(Code::DeadlineExceeded));
        assert_eq!(begun.elapsed(), 30 * MS, "streams, too");
    });
}

#[test]
fn a_route_says_which_attempts_are_followed_by_another_one() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Fails);
        let again = RetryPolicy::new([Code::Internal]).attempts(4).first_pause(10 * MS);
        let routes = [
            Route::new(Matcher::new(PathMatch::any()).header(HeaderMatch::present("never")), "a"),
            Route::new(PathMatch::any(), "a").retry(again),
        ];
        let table = RouteTable::new(routes, clusters(&["a"])).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let failed =
            |reply: Result<_, Status>| reply.map(|_: polywire_call::Reply<_>| ()).unwrap_err().code();
        assert_eq!(failed(ask(&channel).await), Code::Internal);
        assert_eq!(cluster.calls("a:1").0, 4);
        assert_eq!(failed(ask(&channel).metadata("never", "1").await), Code::Internal);
        assert_eq!(cluster.calls("a:1").0, 5);
    });
}

#[test]
fn attempts_stay_in_the_cluster_that_was_chosen_first() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Fails));
        let again = RetryPolicy::new([Code::Internal]).attempts(5).first_pause(MS);
        let halves = [Target::new("a"), Target::new("b")];
        let table =
            RouteTable::new([Route::new(PathMatch::any(), halves).retry(again)], clusters(&["a", "b"]))
                .unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        for _ in 0..40 {
            let before = (cluster.calls("a:1").0, cluster.calls("b:1").0);
            assert!(ask(&channel).await.is_err());
            let made = (cluster.calls("a:1").0 - before.0, cluster.calls("b:1").0 - before.1);
            assert!(made == (5, 0) || made == (0, 5) || made.0 + made.1 < 5, "{made:?}");
            assert!(made.0 == 0 || made.1 == 0, "{made:?}");
        }
    });
}

#[test]
fn what_a_channel_tells_of_itself_names_clusters_and_routes() {
    run(async {
        let cluster = Cluster::default();
        let routes = [
            Route::new(Matcher::new(PathMatch::any()).fraction(Fraction::percent(0)), "b").name("never"),
            Route::new(PathMatch::any(), "a").name("main"),
        ];
        let table = RouteTable::new(routes, clusters(&["a", "b"])).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        shares(&channel, 70).await;
        let why = channel.why();
        assert!(why.is_known && why.route_count == 2 && why.server_count == 2, "{why}");
        let names: Vec<_> = why.clusters.iter().map(|cluster| cluster.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!((why.servers[0].cluster.as_str(), why.servers[0].calls), ("a", 70));
        let call = why.calls.first().expect("one in 64 is recorded");
        assert_eq!((call.route.as_str(), call.cluster.as_str()), ("main", "a"));
        assert!(why.to_string().contains("by route main to cluster a"), "{why}");
        assert!(why.to_json().contains("\"route\":\"main\""));
    });
}

#[test]
fn a_probe_connects_to_a_server_of_a_cluster() {
    run(async {
        let cluster = Cluster::default();
        let table = RouteTable::new([Route::new(PathMatch::any(), "a")], clusters(&["a"])).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        channel.probe().await.unwrap();
        assert_eq!(cluster.connects("a:1"), 1);
        cluster.set("a:1", Manner::Refuses);
        let nothing = cluster.channel("shop").router(RouteTable::failing("gone")).build().unwrap();
        assert!(channel.probe().await.is_err() && nothing.probe().await.is_err());
    });
}

#[test]
fn a_router_and_a_source_exclude_each_other_and_partitions_have_none() {
    let table = || RouteTable::failing("x");
    let builder = Cluster::default().channel("shop").servers(Told::new().1).router(table());
    let said = builder.build().map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("say .router(..) or .servers(..)"), "{said}");
    let said = Cluster::default()
        .channel("shop")
        .router(table())
        .resilience(Resilience::default().balancer("nope"))
        .build();
    assert!(said.map(|_| ()).unwrap_err().to_string().contains("no such balancer"));
}

#[test]
fn a_url_of_a_router_is_opened_by_its_scheme() {
    run(async {
        let scheme = polywire_routing::RouterScheme {
            name: "mesh",
            open: |rest| {
                let cluster = Servers::of([Server::new(format!("{}:1", rest.trim_start_matches('/')))]);
                let table = RouteTable::new([Route::new(PathMatch::any(), "it")], [("it", cluster)])?;
                Ok(Box::new(table))
            },
        };
        let cluster = Cluster::default();
        let routers = polywire_routing::RouterSchemes::default().with([scheme]);
        let channel: Channel = cluster.channel("mesh:///shop").routers(routers).build().unwrap();
        assert_eq!(who(ask(&channel).await), "shop:1");
    });
}

#[test]
fn calls_of_methods_with_a_hedging_policy_are_routed_once() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::AnswersAfter(500 * MS)));
        let halves = [Target::new("a"), Target::new("b")];
        let route = Route::new(PathMatch::any(), halves).max_duration(200 * MS);
        let table = RouteTable::new([route], clusters(&["a", "b"])).unwrap();
        let config = r#"{ "methodConfig": [{ "name": [{}],
            "hedgingPolicy": { "maxAttempts": 4, "hedgingDelay": "0.01s" } }] }"#;
        let channel = cluster.channel("shop").router(table).service_config(config).build().unwrap();
        for _ in 0..20 {
            let before = (cluster.calls("a:1").0, cluster.calls("b:1").0);
            let begun = Instant::now();
            let why = ask(&channel).await.unwrap_err();
            assert_eq!((why.code(), begun.elapsed()), (Code::DeadlineExceeded, 200 * MS), "{why}");
            let made = (cluster.calls("a:1").0 - before.0, cluster.calls("b:1").0 - before.1);
            assert!(made == (4, 0) || made == (0, 4), "{made:?}");
        }
    });
}
