//! Servers that join, leave and die while calls are made: calls go to those that are connected.

use crate::cluster::*;
use polywire_balance::Spec;
use polywire_client::{Builder, Channel, NoProtocols, Resilience};
use std::{collections::BTreeMap, time::Duration};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, sleep},
};

const MS: Duration = Duration::from_millis(1);

/// How the calls of a while went.
#[derive(Default, Debug)]
struct Load {
    failed: Vec<String>,
    /// The longest that one took.
    longest: Duration,
    shares: BTreeMap<String, usize>,
}

/// A call every few milliseconds, without retries, for so long. Their keys differ.
async fn load(channel: &Channel, time: Duration) -> Load {
    let (begun, mut calls, mut load) = (Instant::now(), JoinSet::new(), Load::default());
    let mut key = 0_u64;
    while begun.elapsed() < time {
        key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let (call, at) = (ask(channel).key(key).retries(0), Instant::now());
        calls.spawn(async move { (call.await, at.elapsed()) });
        sleep(3 * MS).await;
    }
    while let Some(ended) = calls.join_next().await {
        let (reply, took) = ended.unwrap();
        load.longest = load.longest.max(took);
        match reply {
            Ok(reply) => {
                *load.shares.entry(who(Ok(reply))).or_default() += 1;
            }
            Err(why) => load.failed.push(why.to_string()),
        }
    }
    load
}

#[track_caller]
fn assert_nothing_lost(load: &Load, what: &str) {
    let longest = load.longest;
    assert!(load.failed.is_empty() && longest <= 2 * MS, "{what}: {longest:?}, {:?}", load.failed);
}

/// Names servers, of which the first so many are used at first.
type Tell = watch::Sender<Option<Result<Vec<polywire_naming::Server>, polywire_naming::SourceError>>>;

/// A channel with these servers, which have got calls.
async fn in_use(
    builder: impl Fn(Told) -> Builder<NoProtocols>,
    balancer: &str,
    first: &[&str],
) -> (Channel, Tell) {
    let (tell, told) = Told::new();
    let channel =
        builder(told).resilience(Resilience::default().balancer(balancer).retries(0)).build().unwrap();
    tell.send(servers(first)).unwrap();
    let load = load(&channel, 900 * MS).await;
    assert_nothing_lost(&load, balancer);
    assert_eq!(load.shares.len(), first.len(), "{balancer}: {:?}", load.shares);
    (channel, tell)
}

const THREE: [&str; 3] = ["a:1", "b:1", "c:1"];
const SIX: [&str; 6] = ["a:1", "b:1", "c:1", "d:1", "e:1", "f:1"];
const OTHERS: [&str; 3] = ["d:1", "e:1", "f:1"];

#[test]
fn servers_that_join_and_cannot_be_reached_cost_no_call() {
    for balancer in Spec::NAMES {
        for manner in [Manner::Silent, Manner::Refuses] {
            run(async {
                let cluster = Cluster::default();
                OTHERS.iter().for_each(|address| cluster.set(address, manner));
                let builder = |told| cluster.channel("echo").servers(told);
                let (channel, tell) = in_use(builder, balancer, &THREE).await;
                tell.send(servers(&SIX)).unwrap();
                let load = load(&channel, 1500 * MS).await;
                assert_nothing_lost(&load, balancer);
                assert_eq!(load.shares.len(), 3, "{balancer}");
                assert!(OTHERS.iter().all(|address| (2..=5).contains(&cluster.connects(address))));
            });
        }
    }
}

#[test]
fn servers_that_accept_and_say_nothing_cost_no_call_where_a_server_speaks_first() {
    for balancer in Spec::NAMES {
        run(async {
            let cluster = Cluster::default();
            THREE.iter().for_each(|address| cluster.set(address, Manner::Greets));
            OTHERS.iter().for_each(|address| cluster.set(address, Manner::Mute));
            let builder = |told| cluster.greeting("echo").servers(told);
            let (channel, tell) = in_use(builder, balancer, &THREE).await;
            tell.send(servers(&SIX)).unwrap();
            let during = load(&channel, 1500 * MS).await;
            assert_nothing_lost(&during, balancer);
            assert_eq!(during.shares.len(), 3, "{balancer}");
            assert!(OTHERS.iter().all(|address| cluster.connects(address) == 1), "{}", channel.why());
        });
    }
}

#[test]
fn a_fleet_that_doubles_halves_or_moves_costs_no_call() {
    let by_latency = ["p2c", "la", "prequal"];
    for balancer in Spec::NAMES {
        for greets in [false, true] {
            run(async {
                let cluster = Cluster::default();
                if greets {
                    SIX.iter().for_each(|address| cluster.set(address, Manner::Greets));
                }
                let builder = |told| match greets {
                    true => cluster.greeting("echo").servers(told),
                    false => cluster.channel("echo").servers(told),
                };
                let (channel, tell) = in_use(builder, balancer, &THREE).await;
                for set in [&SIX[..], &THREE, &OTHERS, &SIX, &OTHERS, &THREE] {
                    tell.send(servers(set)).unwrap();
                    let load = load(&channel, 900 * MS).await;
                    assert_nothing_lost(&load, &format!("{balancer}, {set:?}"));
                    let used = set.iter().filter(|address| load.shares.contains_key(**address)).count();
                    // Where nothing takes any time, those that choose by latency stay with who was quick.
                    let expected = if by_latency.contains(&balancer) { 1 } else { set.len() };
                    assert!(used >= expected, "{balancer}, {set:?}: {:?}", load.shares);
                }
            });
        }
    }
}

#[test]
fn a_server_whose_host_is_gone_makes_no_call_wait_for_a_connection() {
    for balancer in Spec::NAMES {
        run(async {
            let cluster = Cluster::default();
            let builder = |told| cluster.channel("echo").servers(told);
            let (channel, tell) = in_use(builder, balancer, &THREE).await;
            sleep(1000 * MS).await;
            cluster.set("b:1", Manner::Silent);
            sleep(MS).await; // what is under way there is lost
            let gone = load(&channel, 900 * MS).await;
            assert_nothing_lost(&gone, balancer);
            assert!(!gone.shares.contains_key("b:1"), "{balancer}: {:?}", gone.shares);
            cluster.set("b:1", Manner::Answers);
            sleep(5000 * MS).await;
            let back = load(&channel, 600 * MS).await;
            assert_nothing_lost(&back, balancer);
            assert!(back.shares.contains_key("b:1"), "{balancer}: {:?}", back.shares);
            drop(tell);
        });
    }
}

/// The balancers by which calls of a key go to one server.
fn hashing() -> impl Iterator<Item = &'static str> {
    Spec::NAMES.into_iter().filter(|name| name.parse::<Spec>().unwrap().needs_key())
}

#[test]
fn the_first_calls_wait_for_the_first_server_that_is_ready() {
    for manner in [Manner::Silent, Manner::Refuses] {
        for balancer in Spec::NAMES {
            run(async {
                let cluster = Cluster::default();
                SIX[1..].iter().for_each(|address| cluster.set(address, manner));
                let list = format!("list://{}", SIX.join(","));
                let channel = cluster
                    .channel(&list)
                    .resilience(Resilience::default().balancer(balancer))
                    .build()
                    .unwrap();
                let first = load(&channel, 600 * MS).await;
                assert_eq!(first.shares.len(), 1);
                if manner == Manner::Silent && hashing().any(|name| name == balancer) {
                    // For the server of the key, for no longer than a connection may take.
                    assert!(first.failed.is_empty() && first.longest <= 202 * MS, "{balancer}: {first:?}");
                    assert_nothing_lost(&load(&channel, 600 * MS).await, balancer);
                } else {
                    assert_nothing_lost(&first, balancer);
                }
            });
        }
    }
}

#[test]
fn calls_with_equal_keys_go_to_one_server_from_the_first_on_whichever_is_connected_first() {
    for balancer in hashing() {
        run(async {
            let cluster = Cluster::default();
            let pauses = [90, 0, 50, 120, 20, 60];
            let set = |address: &&str, pause| cluster.set(address, Manner::AcceptsAfter(pause * MS));
            SIX.iter().zip(pauses).for_each(|(address, pause)| set(address, pause));
            let list = format!("list://{}", SIX.join(","));
            let process = || {
                cluster
                    .channel(&list)
                    .resilience(Resilience::default().balancer(balancer).retries(0))
                    .build()
                    .unwrap()
            };
            let settled = process();
            let _ = ask(&settled).key(0).await;
            sleep(200 * MS).await;
            let mut used = BTreeMap::new();
            for key in (0..40_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
                let own = who(ask(&settled).key(key).await);
                let new = process();
                let at = Instant::now();
                assert_eq!(who(ask(&new).key(key).await), own, "{balancer}, {key}");
                let pause = SIX.iter().position(|address| *address == own).map(|i| pauses[i]);
                assert_eq!(Some(at.elapsed().as_millis() as u32), pause, "for its server and no other");
                *used.entry(own).or_insert(0) += 1;
            }
            assert_eq!(used.len(), 6, "{balancer}: {used:?}");
        });
    }
}

#[test]
fn a_call_of_a_key_says_what_it_waited_for_and_goes_on_when_that_fails() {
    for balancer in hashing() {
        run(async {
            let cluster = Cluster::default();
            let channel = |at_most| {
                cluster
                    .channel("list://a:1,b:1")
                    .resilience(Resilience::default().balancer(balancer))
                    .connect_timeout(at_most)
                    .build()
                    .unwrap()
            };
            let own = who(ask(&channel(200 * MS)).key(7).await);
            let other = if own == "a:1" { "b:1" } else { "a:1" };
            cluster.set(&own, Manner::Silent);
            let (limited, at) = (channel(200 * MS), Instant::now());
            let late = ask(&limited).key(7).timeout(50 * MS).await.unwrap_err();
            assert!(late.message().contains("the server of its key is still being connected to"), "{late}");
            assert_eq!(who(ask(&limited).key(7).await), other);
            assert_eq!(at.elapsed().as_millis(), 200, "{balancer}: both calls together");
            cluster.set(&own, Manner::Refuses);
            let at = Instant::now();
            assert_eq!(who(ask(&channel(200 * MS)).key(7).await), other);
            assert!(at.elapsed() <= 2 * MS, "{balancer}: {:?}", at.elapsed());
        });
    }
}

#[test]
fn ten_thousand_dead_servers_are_tried_a_few_at_a_time_and_cost_no_call() {
    let dead: Vec<_> = (0..10_000).map(|n| format!("d{n}:1")).collect();
    for (balancer, manner) in
        [("p2c", Manner::Silent), ("rr", Manner::Refuses), ("ring_hash", Manner::Silent)]
    {
        run(async {
            let cluster = Cluster::default();
            dead.iter().for_each(|address| cluster.set(address, manner));
            let builder = |told| cluster.channel("echo").servers(told);
            let (channel, tell) = in_use(builder, balancer, &["a:1", "b:1"]).await;
            let all: Vec<_> = ["a:1", "b:1"].into_iter().chain(dead.iter().map(|one| &**one)).collect();
            tell.send(servers(&all)).unwrap();
            let load = load(&channel, 600 * MS).await;
            assert_nothing_lost(&load, balancer);
            assert_eq!(load.shares.len(), 2);
            if manner == Manner::Silent {
                assert!((32..=96).contains(&cluster.most_connecting()), "{}", cluster.most_connecting());
            }
            let attempts = dead.iter().map(|one| cluster.connects(one)).sum::<usize>();
            assert!((200..=30_000).contains(&attempts), "{attempts}");
        });
    }
}

#[test]
fn a_key_comes_back_to_its_server_once_that_is_connected() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster
            .channel("list://a:1,b:1,c:1")
            .resilience(Resilience::default().balancer("ring_hash"))
            .build()
            .unwrap();
        let own = who(ask(&channel).key(7).await);
        sleep(2000 * MS).await;
        cluster.set(&own, Manner::Silent);
        sleep(MS).await;
        let other = who(ask(&channel).key(7).retries(0).await);
        assert_ne!(own, other);
        assert_eq!(who(ask(&channel).key(7).retries(0).await), other, "the next on the ring");
        cluster.set(&own, Manner::Answers);
        sleep(4000 * MS).await;
        assert_eq!(who(ask(&channel).key(7).retries(0).await), own);
    });
}

/// Five servers, of which one freezes for 20 s, and 500 calls a second with a limit of a second.
#[test]
fn a_frozen_server_costs_a_few_calls() {
    for balancer in ["rr", "random", "wrr", "wr", "weighted_round_robin", "p2c"] {
        run(async {
            let cluster = Cluster::default();
            let five = &SIX[..5];
            five.iter().for_each(|address| cluster.set(address, Manner::AnswersAfter(2 * MS)));
            let builder = |told| cluster.channel("echo").servers(told).timeout(1000 * MS);
            let (channel, _tell) = {
                let (tell, told) = Told::new();
                let channel = builder(told)
                    .resilience(Resilience::default().balancer(balancer).retries(0))
                    .build()
                    .unwrap();
                tell.send(servers(five)).unwrap();
                (channel, tell)
            };
            assert_nothing_in(&load(&channel, 1000 * MS).await.failed);
            cluster.set("b:1", Manner::AnswersAfter(3_600_000 * MS));
            let frozen = load(&channel, 10_000 * MS).await;
            let failed = frozen.failed.len();
            assert!(failed <= 20, "{balancer}: {failed}");
            cluster.set("b:1", Manner::AnswersAfter(2 * MS));
            sleep(4000 * MS).await;
            let back = load(&channel, 4000 * MS).await;
            assert_nothing_in(&back.failed);
            // What chooses by latency remembers it for longer.
            if balancer != "p2c" {
                assert!(back.shares["b:1"] > 100, "{balancer}: {:?}", back.shares);
            }
        });
    }
}

#[track_caller]
fn assert_nothing_in(failed: &[String]) {
    assert!(failed.is_empty(), "{failed:?}");
}
