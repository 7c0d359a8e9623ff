//! Servers that are asked how they are, and get no calls while they are not well.

use crate::cluster::*;
use polywire_balance::SlowStart;
use polywire_call::Code;
use polywire_client::{Channel, HealthCheck, NoProtocols, Resilience};
use polywire_wire::{Protocol, ProtocolSet};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);
const ALL: [&str; 3] = ["a:1", "b:1", "c:1"];
const LIST: &str = "list://a:1,b:1,c:1";

fn check() -> HealthCheck {
    HealthCheck::grpc("test.Service")
}

async fn pass(time: Duration) {
    tokio::time::sleep(time).await;
}

fn all_serve() -> Cluster {
    let cluster = Cluster::default();
    ALL.iter().for_each(|address| cluster.health(address, Health::Serving));
    cluster
}

#[test]
fn a_server_that_is_not_serving_gets_no_calls_until_it_has_served_twice() {
    run(async {
        let cluster = all_serve();
        cluster.health("b:1", Health::NotServing);
        let channel = cluster
            .channel(LIST)
            .resilience(Resilience::default().balancer("rr").health_check(check()))
            .build()
            .unwrap();
        assert!(shares(&channel, 30).await["b:1"] >= 8, "the first set is used before it is checked");
        pass(10 * MS).await;
        assert_eq!(shares(&channel, 30).await.get("b:1"), None);
        let why = channel.why();
        assert_eq!(
            (&*why.servers[1].state, why.servers[1].is_ready),
            ("unhealthy: NOT_SERVING", false),
            "{why}"
        );
        assert!(why.to_string().contains("1 of 1 checks failed, the last said: NOT_SERVING"), "{why}");
        assert!(why.to_json().contains(r#""last_check":"NOT_SERVING""#), "{why}");
        cluster.health("b:1", Health::Serving);
        pass(3700 * MS).await;
        assert_eq!(cluster.checks("b:1"), 2);
        assert_eq!(shares(&channel, 30).await.get("b:1"), None, "one good check is not enough");
        pass(3700 * MS).await;
        assert!(shares(&channel, 30).await["b:1"] >= 8, "{}", channel.why());
        assert_eq!(cluster.connects("b:1"), 1, "checks are made on the connection of the calls");
    });
}

#[test]
fn a_server_that_fails_its_checks_and_passes_them_again_are_events() {
    run(async {
        let cluster = Cluster::default();
        const NAME: &str = "list://well:1,ill:1";
        ["well:1", "ill:1"].iter().for_each(|address| cluster.health(address, Health::Serving));
        let resilience = Resilience::default().balancer("rr").health_check(check());
        let channel = cluster.channel(NAME).resilience(resilience).build().unwrap();
        let _ = shares(&channel, 10).await;
        let events = |what: &str| events(|text| text.starts_with(&format!("{NAME}: ill:1 {what}")));
        let (out, back) =
            ("fails its health checks and gets no calls: NOT_SERVING", "passes its health checks");
        pass(10_000 * MS).await;
        assert_eq!((events(out), events(back)), (0, 0));
        cluster.health("ill:1", Health::NotServing);
        pass(30_000 * MS).await;
        assert_eq!((events(out), events(back)), (1, 0), "{}", channel.why());
        cluster.health("ill:1", Health::Serving);
        pass(30_000 * MS).await;
        assert_eq!((events(out), events(back)), (1, 1), "{}", channel.why());
    });
}

#[test]
fn one_check_that_is_not_answered_takes_no_server_out_and_three_do() {
    run(async {
        let cluster = all_serve();
        let channel = cluster
            .channel(LIST)
            .resilience(Resilience::default().balancer("rr").health_check(check().jitter(0.0)))
            .build()
            .unwrap();
        pass(100 * MS).await;
        cluster.health("b:1", Health::Silent);
        pass(3000 * MS + 3500 * MS).await;
        assert!(shares(&channel, 30).await.contains_key("b:1"), "one has failed: {}", channel.why());
        pass(4000 * MS).await;
        assert_eq!(shares(&channel, 30).await.get("b:1"), None, "{}", channel.why());
        assert!(channel.why().servers[1].state.contains("no answer within 500ms"), "{}", channel.why());
    });
}

#[test]
fn a_server_without_the_service_is_well() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster
            .channel(LIST)
            .resilience(Resilience::default().balancer("rr").health_check(check()))
            .build()
            .unwrap();
        pass(10_000 * MS).await;
        assert!(ALL.iter().all(|address| cluster.checks(address) >= 3));
        assert_eq!(shares(&channel, 30).await.len(), 3);
        assert!(channel.why().servers.iter().all(|one| one.checks_failed == 0), "{}", channel.why());
    });
}

#[test]
fn a_server_that_joins_takes_calls_after_its_first_good_check_and_begins_slowly() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = all_serve();
        let slow = SlowStart::default().window(100_000 * MS);
        let builder = cluster.channel("echo").servers(told).resilience(
            Resilience::default().balancer("rr").slow_start(slow).health_check(check().timeout(2000 * MS)),
        );
        let channel = builder.build().unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        pass(2000 * MS).await;
        let _ = shares(&channel, 10).await;
        cluster.health("b:1", Health::Silent);
        tell.send(servers(&["a:1", "b:1"])).unwrap();
        pass(1500 * MS).await;
        assert_eq!(channel.why().servers[1].state, "unchecked", "{}", channel.why());
        assert_eq!(shares(&channel, 20).await["a:1"], 20);
        cluster.health("b:1", Health::Serving);
        pass(20_000 * MS).await;
        let share = shares(&channel, 200).await["b:1"];
        assert!((2..60).contains(&share), "{share} of 200, a fifth of its half at most");
    });
}

#[test]
fn a_server_that_is_not_checked_yet_is_used_when_there_is_no_other() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = all_serve();
        let builder = cluster
            .channel("echo")
            .servers(told)
            .resilience(Resilience::default().balancer("rr").health_check(check().timeout(60_000 * MS)));
        let channel = builder.build().unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        pass(2000 * MS).await;
        cluster.health("b:1", Health::Silent);
        tell.send(servers(&["a:1", "b:1"])).unwrap();
        pass(2000 * MS).await;
        assert_eq!(shares(&channel, 20).await["a:1"], 20);
        cluster.set("a:1", Manner::Refuses);
        assert_eq!(shares(&channel, 20).await["b:1"], 20, "{}", channel.why());
    });
}

#[test]
fn a_server_that_is_back_in_reach_is_checked_before_it_takes_calls() {
    run(async {
        let cluster = all_serve();
        let channel = cluster
            .channel(LIST)
            .resilience(Resilience::default().balancer("rr").health_check(check()))
            .build()
            .unwrap();
        let _ = shares(&channel, 10).await;
        cluster.set("b:1", Manner::Refuses);
        cluster.health("b:1", Health::NotServing);
        let _ = shares(&channel, 10).await;
        pass(10_000 * MS).await;
        let before = cluster.checks("b:1");
        cluster.set("b:1", Manner::Answers);
        while channel.why().servers[1].state.contains("unconnected") {
            pass(10 * MS).await;
        }
        assert_eq!(shares(&channel, 30).await.get("b:1"), None, "{}", channel.why());
        pass(10 * MS).await;
        assert_eq!(cluster.checks("b:1"), before + 1, "it is asked as soon as it is connected");
        cluster.health("b:1", Health::Serving);
        pass(10_000 * MS).await;
        assert!(shares(&channel, 30).await["b:1"] >= 8, "{}", channel.why());
    });
}

#[test]
fn when_all_fail_their_checks_calls_say_so_or_go_on_below_the_panic_threshold() {
    run(async {
        let cluster = Cluster::default();
        ALL.iter().for_each(|address| cluster.health(address, Health::NotServing));
        let channel =
            cluster.channel(LIST).resilience(Resilience::default().health_check(check())).build().unwrap();
        pass(10 * MS).await;
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(why.code(), Code::Unavailable);
        assert!(why.message().contains("none of 3 servers is ready: a:1 (unhealthy: NOT_SERVING)"), "{why}");
        let begun = tokio::time::Instant::now();
        let patient = ask(&channel).wait_for_ready(true).timeout(60_000 * MS);
        cluster.health("c:1", Health::Serving);
        assert_eq!(who(patient.await), "c:1");
        assert!(begun.elapsed() < 7500 * MS, "{:?}", begun.elapsed());
        cluster.health("c:1", Health::NotServing);
        let builder = cluster
            .channel(LIST)
            .resilience(Resilience::default().balancer("rr").health_check(check()).panic_threshold(50));
        let channel = builder.build().unwrap();
        pass(10 * MS).await;
        assert_eq!(shares(&channel, 30).await.len(), 3);
    });
}

#[test]
fn checks_of_many_servers_are_spread_and_few_are_under_way_at_a_time() {
    run(async {
        let cluster = Cluster::default();
        let addresses: Vec<_> = (0..5000).map(|n| format!("s{n}:1")).collect();
        addresses.iter().for_each(|address| cluster.health(address, Health::Serving));
        let list = format!("list://{}", addresses.join(","));
        let channel = cluster
            .channel(&list)
            .resilience(Resilience::default().health_check(check().interval(10_000 * MS)))
            .build()
            .unwrap();
        let mut before = 0;
        for tenth in 1..=50 {
            pass(100 * MS).await;
            let checks: usize = addresses.iter().map(|address| cluster.checks(address)).sum();
            assert!((50..=170).contains(&(checks - before)), "{} in tenth {tenth}", checks - before);
            before = checks;
        }
        assert_eq!(channel.why().server_count, 5000);
        addresses.iter().for_each(|address| cluster.health(address, Health::Silent));
        let mut most = 0;
        for _ in 0..1000 {
            pass(10 * MS).await;
            most = most.max(cluster.asking());
        }
        assert!((60..=64).contains(&most), "{most}");
        assert!(addresses.iter().all(|address| cluster.most_asking(address) <= 1));
    });
}

#[test]
fn checks_end_with_their_server_and_with_the_channel() {
    run(async {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let (tell, told) = Told::new();
        let cluster = all_serve();
        let check = check().interval(Duration::from_secs(1000));
        let channel = cluster
            .channel("echo")
            .servers(told)
            .resilience(Resilience::default().health_check(check))
            .build()
            .unwrap();
        tell.send(servers(&ALL)).unwrap();
        pass(2000 * MS).await;
        let of_three = tasks();
        tell.send(servers(&["a:1"])).unwrap();
        pass(2000 * MS).await;
        // Of each of two servers a check, a connection and its peer.
        assert_eq!(tasks(), of_three - 6);
        drop(channel);
        pass(10 * MS).await;
        assert_eq!(tasks(), 0);
    });
}

#[test]
fn calls_and_connections_are_checks_too() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Fails);
        cluster.set("c:1", Manner::Silent);
        let call = HealthCheck::call(ECHO, Vec::new());
        let channel = cluster
            .channel(LIST)
            .resilience(Resilience::default().balancer("rr").health_check(call))
            .build()
            .unwrap();
        pass(1000 * MS).await;
        assert_eq!(shares(&channel, 10).await["a:1"], 10);
        assert!(channel.why().servers[1].state.starts_with("unhealthy: Internal"), "{}", channel.why());
        let channel = cluster
            .channel(LIST)
            .resilience(Resilience::default().balancer("rr").health_check(HealthCheck::connect()))
            .build()
            .unwrap();
        pass(1000 * MS).await;
        let [a, b, c] = &channel.why().servers[..] else { panic!() };
        assert!(a.is_ready && b.is_ready && !c.is_ready, "{}", channel.why());
        assert!(c.state.contains("no connection within 200ms"), "{c}");
    });
}

#[test]
fn blocking_callers_are_spared_servers_that_are_not_well() {
    let cluster = all_serve();
    cluster.health("b:1", Health::NotServing);
    let channel = cluster
        .channel(LIST)
        .resilience(Resilience::default().balancer("rr").health_check(check()))
        .build()
        .unwrap();
    while channel.why().servers[1].is_ready {
        std::thread::yield_now();
    }
    for _ in 0..30 {
        assert_ne!(who(ask(&channel).blocking()), "b:1");
    }
}

#[test]
fn wrong_checks_are_refused_when_the_channel_is_built() {
    static BOUND: Protocol = Protocol {
        name: "bound",
        any_service: false,
        machine: Some(|_| unreachable!("no channel is made")),
        ..Protocol::DEFAULT
    };
    static ONE: [&Protocol; 1] = [&BOUND];
    let refused = |address: &str, protocols: ProtocolSet, protocol: &str, check: HealthCheck| {
        let builder = Channel::<NoProtocols>::builder(address).protocol_set(protocols).protocol(protocol);
        builder
            .resilience(Resilience::default().health_check(check))
            .build()
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let lab = |check| refused(LIST, polywire_machine_testing::lab::PROTOCOLS, "lab", check);
    for (said, why) in [
        (lab(check().interval(Duration::ZERO)), "not zero"),
        (lab(check().healthy(0)), "at least 1"),
        (lab(check().jitter(1.5)), "jitter is from 0 to 1"),
        (lab(HealthCheck::http("health")), "begins with /"),
        (lab(HealthCheck::http("/a b")), "no spaces"),
        (lab(HealthCheck::http("/a\r\nhost: evil")), "no spaces"),
        (lab(HealthCheck::http("/health")), "HTTP by itself is not among the protocols"),
        (lab(HealthCheck::grpc_watch("")), "say HealthCheck::grpc(..)"),
        (refused(LIST, ProtocolSet::new(&ONE), "bound", check()), "say HealthCheck::connect()"),
        (refused("a:1", polywire_machine_testing::lab::PROTOCOLS, "lab", check()), "list://a:1"),
    ] {
        assert!(said.contains(why), "{said}");
    }
}
