//! Channels with several servers: which one a call goes to, and what happens when servers come and go.

mod credentials;
mod health;
mod hedging;
mod joining;
mod metrics;
mod outages;
mod own_balancer;
mod policies;
mod probes;
mod sharing;
mod tries;
mod waiting;
mod why;
mod zones;

use crate::cluster::*;
use polywire_call::Code;
use polywire_client::{Channel, Fleet, NoProtocols, Resilience};
use polywire_naming::SourceError;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

#[test]
fn calls_are_shared_by_the_servers_of_a_list() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster
            .channel("list://a:1,b:1,c:1")
            .resilience(Resilience::default().balancer("rr"))
            .build()
            .unwrap();
        let shares = shares(&channel, 30).await;
        assert!(shares.len() == 3 && shares.values().all(|calls| (8..=12).contains(calls)), "{shares:?}");
        assert_eq!(channel.connections_made(), 3, "one to each");
        assert_eq!(channel.address(), "list://a:1,b:1,c:1");
    });
}

#[test]
fn calls_with_equal_keys_go_to_the_same_server() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster
            .channel("list://a:1,b:1,c:1")
            .resilience(Resilience::default().balancer("c_ketama"))
            .build()
            .unwrap();
        let first = who(ask(&channel).key(7).await);
        for _ in 0..10 {
            assert_eq!(who(ask(&channel).key(7).await), first);
        }
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(why.code(), Code::FailedPrecondition, "{why}");
        assert!(why.message().contains("key(..)"), "{why}");
    });
}

#[test]
fn a_server_that_refuses_is_left_out_and_comes_back_by_itself() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Refuses);
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("rr"))
            .build()
            .unwrap();
        assert_eq!(shares(&channel, 10).await["a:1"], 10, "no call fails");
        assert_eq!(cluster.connects("b:1"), 1, "calls do not try it again");
        cluster.set("b:1", Manner::Answers);
        tokio::time::sleep(5000 * MS).await;
        let before = cluster.connects("b:1");
        assert!(before > 1, "it was tried without a call");
        assert!((3..=7).contains(&shares(&channel, 10).await["b:1"]));
    });
}

#[test]
fn a_server_that_is_silent_costs_no_call_a_connect_timeout() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Silent);
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("rr"))
            .connect_timeout(200 * MS)
            .build()
            .unwrap();
        let begun = Instant::now();
        assert_eq!(shares(&channel, 10).await["a:1"], 10, "no call fails");
        assert_eq!(begun.elapsed().as_millis(), 0);
    });
}

#[test]
fn a_slow_server_gets_few_calls_by_default() {
    run(async {
        let cluster = Cluster::default();
        for address in ["a:1", "b:1", "c:1"] {
            cluster.set(address, Manner::AnswersAfter(MS));
        }
        cluster.set("c:1", Manner::AnswersAfter(100 * MS));
        let channel = cluster.channel("list://a:1,b:1,c:1").build().unwrap();
        let shares = shares(&channel, 300).await;
        assert!(shares.get("c:1").is_none_or(|calls| *calls < 10), "{shares:?}");
    });
}

#[test]
fn a_call_that_a_server_declines_goes_to_another_one() {
    run(async {
        let cluster = Cluster::default();
        for address in ["a:1", "b:1", "c:1"] {
            cluster.set(address, Manner::Declines);
        }
        let channel = cluster
            .channel("list://a:1,b:1,c:1,d:1")
            .resilience(Resilience::default().balancer("rr").retries(3))
            .build()
            .unwrap();
        for _ in 0..20 {
            assert_eq!(who(ask(&channel).await), "d:1");
        }
        let why = ask(&channel).retries(0).await;
        let others = [why.is_err(), ask(&channel).retries(0).await.is_err()];
        assert!(others.contains(&true), "without retries some fail");
    });
}

#[test]
fn blocking_calls_use_all_servers_too() {
    let (cluster, engine) = (Cluster::default(), polywire_engine::Engine::default_engine());
    cluster.set("b:1", Manner::Refuses);
    let channel =
        cluster.channel("list://a:1,b:1").resilience(Resilience::default().balancer("rr")).build().unwrap();
    for _ in 0..10 {
        assert_eq!(who(ask(&channel).blocking()), "a:1");
    }
    let _ = engine;
}

#[test]
fn sets_come_and_go_while_calls_are_made() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = Cluster::default();
        let channel = cluster
            .channel("echo")
            .servers(told)
            .resilience(Resilience::default().balancer("rr"))
            .build()
            .unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        assert_eq!(shares(&channel, 4).await["a:1"], 4);
        tell.send(servers(&["a:1", "b:1"])).unwrap();
        tokio::time::sleep(10_000 * MS).await; // sets that follow each other quickly are taken together
        assert!((3..=7).contains(&shares(&channel, 10).await["b:1"]));
        assert_eq!(cluster.connects("a:1"), 1, "a server that stays keeps its connection");
        tell.send(servers(&["b:1"])).unwrap();
        tokio::time::sleep(10_000 * MS).await;
        assert_eq!(shares(&channel, 10).await["b:1"], 10);
    });
}

#[test]
fn servers_keep_their_connections_whatever_becomes_of_their_weights() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = Cluster::default();
        let channel = cluster
            .channel("echo")
            .servers(told)
            .resilience(Resilience::default().balancer("wrr"))
            .build()
            .unwrap();
        for weight in [0, 1, 9] {
            let weighted = [("a:1", weight), ("b:1", 1)]
                .map(|(address, weight)| polywire_naming::Server::new(address).weight(weight));
            tell.send(Some(Ok(weighted.to_vec()))).unwrap();
            tokio::time::sleep(10_000 * MS).await;
            let shares = shares(&channel, 100).await;
            let expected = if weight == 9 { 85..=95 } else { 45..=55 };
            assert!(expected.contains(&shares["a:1"]), "{weight}: {shares:?}");
        }
        assert_eq!((cluster.connects("a:1"), cluster.connects("b:1")), (1, 1));
    });
}

#[test]
fn a_filter_that_panics_stops_updates_only_until_the_next_call() {
    run(async {
        let (tell, told) = Told::new();
        let panics = Arc::new(AtomicBool::new(false));
        let filter = {
            let panics = panics.clone();
            move |_: &polywire_naming::Server| {
                assert!(!panics.load(Relaxed), "a filter of the test panics");
                true
            }
        };
        let channel = Cluster::default()
            .channel("echo")
            .servers(told)
            .fleet(Fleet::default().filter(filter))
            .resilience(Resilience::default().balancer("rr"))
            .build()
            .unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        panics.store(true, Relaxed);
        tell.send(servers(&["b:1"])).unwrap();
        tokio::time::sleep(10_000 * MS).await;
        panics.store(false, Relaxed);
        let _ = ask(&channel).await;
        tokio::time::sleep(10_000 * MS).await;
        assert_eq!(who(ask(&channel).await), "b:1");
    });
}

#[test]
fn a_call_waits_for_the_first_set_but_not_beyond_its_deadline() {
    run(async {
        let (tell, told) = Told::new();
        let channel = Cluster::default().channel("echo").servers(told).timeout(500 * MS).build().unwrap();
        let begun = Instant::now();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!((why.code(), begun.elapsed().as_millis()), (Code::DeadlineExceeded, 500));
        assert!(why.message().contains("no servers are known yet"), "{why}");
        let later = async {
            tokio::time::sleep(200 * MS).await;
            tell.send(servers(&["a:1"])).unwrap();
        };
        let (reply, ()) = tokio::join!(ask(&channel), later);
        assert_eq!(who(reply), "a:1");
    });
}

#[test]
fn when_the_source_fails_calls_say_so_at_once_and_the_last_set_stays() {
    run(async {
        let (tell, told) = Told::new();
        let channel = Cluster::default().channel("echo").servers(told).build().unwrap();
        tell.send(Some(Err(SourceError::new("the registry is on fire")))).unwrap();
        tokio::time::sleep(6000 * MS).await;
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(why.code(), Code::Unavailable);
        assert!(why.message().contains("echo: no servers are known yet (the registry is on fire)"), "{why}");
        tell.send(servers(&["a:1"])).unwrap();
        tokio::time::sleep(60_000 * MS).await;
        assert_eq!(who(ask(&channel).await), "a:1");
        tell.send(Some(Err(SourceError::new("again")))).unwrap();
        tokio::time::sleep(6000 * MS).await;
        assert_eq!(who(ask(&channel).await), "a:1", "the last good set is in use");
    });
}

#[test]
fn when_no_server_is_ready_the_error_says_why_and_patient_calls_wait() {
    run(async {
        let cluster = Cluster::default();
        let all = ["a:1", "b:1", "c:1", "d:1"];
        all.iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let channel = cluster.channel("list://a:1,b:1,c:1,d:1").build().unwrap();
        let _ = ask(&channel).await;
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(why.code(), Code::Unavailable);
        let told = "none of 4 servers is ready: a:1 (connection refused), b:1 (connection refused)";
        assert!(why.message().contains(told), "{why}");
        let patient = ask(&channel).wait_for_ready(true).timeout(60_000 * MS);
        let later = async {
            tokio::time::sleep(10_000 * MS).await;
            cluster.set("c:1", Manner::Answers);
        };
        let begun = Instant::now();
        let (reply, ()) = tokio::join!(patient, later);
        assert_eq!(who(reply), "c:1");
        assert!(begun.elapsed() < Duration::from_secs(14), "{:?}", begun.elapsed());
    });
}

#[test]
fn dropped_channels_leave_no_tasks_behind() {
    run(async {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Refuses);
        let (_tell, told) = Told::new();
        let never = cluster.channel("echo").servers(told).build().unwrap();
        let channel = cluster.channel("list://a:1,b:1").build().unwrap();
        let _ = shares(&channel, 10).await;
        drop((channel, never));
        tokio::time::sleep(10_000 * MS).await;
        assert_eq!(tasks(), 0);
    });
}

#[test]
fn a_source_is_watched_no_longer_than_there_is_a_channel_also_while_a_stream_goes_on() {
    run(async {
        let (tell, told) = Told::new();
        let channel = Cluster::default().channel("echo").servers(told).build().unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        let stream = channel.stream(ECHO).await.expect("a stream");
        drop(channel);
        tokio::time::timeout(10_000 * MS, tell.closed()).await.expect("nobody watches");
        drop(stream);
    });
}

#[test]
fn options_for_several_servers_need_several() {
    let refused =
        |builder: polywire_client::Builder<NoProtocols>| builder.build().map(|_| ()).unwrap_err().to_string();
    let builder = |address| {
        Channel::<NoProtocols>::builder(address)
            .protocol_set(polywire_machine_testing::lab::PROTOCOLS)
            .protocol("lab")
    };
    let said = refused(builder("a:1").resilience(Resilience::default().balancer("rr")));
    assert!(said.contains("list://a:1"), "{said}");
    let said = refused(builder("list://a:1").resilience(Resilience::default().balancer("round")));
    assert!(said.contains("round") && said.contains("prequal"), "{said}");
    let said = refused(builder("lists://a:1"));
    assert!(said.contains("lists://"), "{said}");
}
