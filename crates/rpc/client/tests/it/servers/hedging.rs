//! Calls that are sent a second time.

use crate::cluster::*;
use polywire_client::{Hedge, Resilience};
use std::time::Duration;
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_slow_server_is_overtaken_and_told_that_the_call_is_over() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(900 * MS));
        cluster.set("b:1", Manner::AnswersAfter(5 * MS));
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("rr").hedge(Hedge::after(20 * MS)))
            .build()
            .unwrap();
        for _ in 0..10 {
            let begun = Instant::now();
            assert_eq!(who(ask(&channel).await), "b:1");
            assert!(begun.elapsed() <= 27 * MS, "{:?}", begun.elapsed());
        }
        tokio::time::sleep(MS).await;
        let (calls, resets) = cluster.calls("a:1");
        assert!(calls >= 3 && resets == calls, "{calls} calls, {resets} given up");
        assert_eq!(cluster.calls("b:1"), (10, 0), "each call once");
    });
}

#[test]
fn calls_that_are_quick_are_sent_once() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().hedge(Hedge::after(20 * MS)))
            .build()
            .unwrap();
        let _ = shares(&channel, 50).await;
        assert_eq!(cluster.calls("a:1").0 + cluster.calls("b:1").0, 50);
    });
}

#[test]
fn a_call_may_be_kept_from_it() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(500 * MS));
        let channel = cluster
            .channel("list://a:1")
            .resilience(Resilience::default().hedge(Hedge::after(20 * MS)))
            .build()
            .unwrap();
        assert_eq!(who(ask(&channel).hedge(false).await), "a:1");
        assert_eq!(cluster.calls("a:1").0, 1);
        assert_eq!(who(ask(&channel).await), "a:1");
        assert_eq!(cluster.calls("a:1").0, 3, "the same server, where there is no other");
    });
}

#[test]
fn a_failure_says_nothing_while_the_other_request_is_under_way() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(50 * MS));
        cluster.set("b:1", Manner::Fails);
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("ring_hash").retries(0).hedge(Hedge::after(20 * MS)))
            .build()
            .unwrap();
        let mut answered = 0;
        for _ in 0..40 {
            answered += usize::from(ask(&channel).await.is_ok());
        }
        assert!((8..=32).contains(&answered), "those that began at a:1: {answered}");
    });
}

#[test]
fn a_budget_bounds_the_further_requests() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(100 * MS));
        let hedge = Hedge::after(20 * MS).budget(0);
        let channel =
            cluster.channel("list://a:1").resilience(Resilience::default().hedge(hedge)).build().unwrap();
        for _ in 0..300 {
            assert!(ask(&channel).await.is_ok());
        }
        let extra = cluster.calls("a:1").0 - 300;
        assert!((100..=400).contains(&extra), "ten per second: {extra}");
    });
}

#[test]
fn blocking_calls_are_hedged_too() {
    let cluster = Cluster::default();
    cluster.set("a:1", Manner::AnswersAfter(3000 * MS));
    let channel = cluster
        .channel("list://a:1,b:1")
        .resilience(Resilience::default().balancer("rr").hedge(Hedge::after(20 * MS)))
        .build()
        .unwrap();
    let begun = std::time::Instant::now();
    for _ in 0..4 {
        assert_eq!(who(ask(&channel).blocking()), "b:1");
    }
    assert!(begun.elapsed() < 900 * MS, "{:?}", begun.elapsed());
}

/// Latencies of calls one after the other with pauses, sorted, and the requests that were sent in all.
async fn latencies(cluster: &Cluster, hedge: Option<Hedge>, calls: usize) -> (Vec<Duration>, usize) {
    let all = ["a:1", "b:1", "c:1"];
    let sent = || all.iter().map(|address| cluster.calls(address).0).sum::<usize>();
    let resilience = Resilience::default().balancer("random").hedge(hedge);
    let builder = cluster.channel("list://a:1,b:1,c:1").resilience(resilience).timeout(10_000 * MS);
    let (channel, before) = (builder.build().unwrap(), sent());
    let mut latencies = Vec::new();
    for _ in 0..calls {
        let begun = Instant::now();
        ask(&channel).await.expect("an answer");
        latencies.push(begun.elapsed());
        tokio::time::sleep(MS).await;
    }
    latencies.sort();
    (latencies, sent() - before)
}

#[test]
fn hedging_that_tunes_itself_cuts_the_tail_of_one_slow_call_in_a_hundred() {
    run(async {
        let cluster = Cluster::default();
        for address in ["a:1", "b:1", "c:1"] {
            cluster.set(address, Manner::SometimesAfter { one_in: 100, pause: 200 * MS });
        }
        let (without, _) = latencies(&cluster, None, 5000).await;
        let (with, sent) = latencies(&cluster, Some(Hedge::auto()), 20_000).await;
        let tail = |all: &[Duration]| all[all.len() * 999 / 1000];
        assert!(tail(&with) * 2 <= tail(&without), "{:?} against {:?}", tail(&with), tail(&without));
        assert!(sent <= 21_000, "{sent} requests for 20000 calls");
    });
}

#[test]
fn hedging_that_tunes_itself_adds_no_load_when_all_servers_are_slow() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster
            .channel("list://a:1,b:1,c:1")
            .resilience(Resilience::default().hedge(Hedge::auto()))
            .timeout(10_000 * MS)
            .build()
            .unwrap();
        for address in ["a:1", "b:1", "c:1"] {
            cluster.set(address, Manner::AnswersAfter(2 * MS));
        }
        let _ = shares(&channel, 5000).await;
        let sent = || ["a:1", "b:1", "c:1"].iter().map(|address| cluster.calls(address).0).sum::<usize>();
        for address in ["a:1", "b:1", "c:1"] {
            cluster.set(address, Manner::AnswersAfter(100 * MS));
        }
        let before = sent();
        let calls = (0..100).map(|_| {
            let channel = channel.clone();
            tokio::spawn(async move { shares(&channel, 100).await })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
        let extra = sent() - before - 10_000;
        assert!(extra <= 100, "{extra} requests beside 10000");
    });
}

#[test]
fn a_delay_without_end_hedges_nothing() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(500 * MS));
        let channel = cluster
            .channel("list://a:1")
            .resilience(Resilience::default().hedge(Hedge::after(Duration::MAX)))
            .build()
            .unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        assert_eq!(cluster.calls("a:1").0, 1);
    });
}
