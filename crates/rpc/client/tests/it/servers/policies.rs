//! Hedging policies of service configs, and retry policies by code and by function.

use crate::cluster::*;
use polywire_call::Code;
use polywire_client::{Backoff, Builder, Channel, NoProtocols, Resilience, RetryDecision, RetryPolicy};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

fn hedging(cluster: &Cluster, name: &str, policy: &str, further: &str) -> Channel {
    let config = format!(
        r#"{{ "methodConfig": [{{ "name": [{{}}], "hedgingPolicy": {{ "maxAttempts": 3, {policy} }} }}] {further} }}"#
    );
    let resilience = Resilience::default().retries(0);
    let resilience = if name.contains("://") { resilience.balancer("rr") } else { resilience };
    cluster.channel(name).resilience(resilience).service_config(config).build().unwrap()
}

const ALL: [&str; 3] = ["a:1", "b:1", "c:1"];

fn sent(cluster: &Cluster) -> usize {
    ALL.iter().map(|address| cluster.calls(address).0).sum()
}

#[test]
fn copies_are_sent_one_after_the_other_until_one_is_answered() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(500 * MS));
        cluster.set("b:1", Manner::AnswersAfter(500 * MS));
        let channel = hedging(&cluster, "list://a:1,b:1,c:1", r#""hedgingDelay": "0.02s""#, "");
        for _ in 0..6 {
            let begun = Instant::now();
            assert_eq!(who(ask(&channel).await), "c:1");
            assert!(begun.elapsed() <= 41 * MS, "{:?}", begun.elapsed());
        }
        tokio::time::sleep(MS).await;
        assert_eq!(cluster.calls("c:1"), (6, 0));
        for slow in ["a:1", "b:1"] {
            let (calls, resets) = cluster.calls(slow);
            assert!(calls > 0 && calls == resets, "{slow}: {calls} calls, {resets} given up");
        }
        // Their calls are blocking ones, too.
        let before = sent(&cluster);
        let blocking = tokio::task::spawn_blocking(move || {
            who(ask(&channel).hedge(false).timeout(60_000 * MS).blocking())
        });
        assert!(ALL.contains(&&*blocking.await.unwrap()));
        assert_eq!(sent(&cluster), before + 1, "not hedged: once");
    });
}

#[test]
fn blocking_calls_have_copies_too() {
    let cluster = Cluster::default();
    cluster.set("a:1", Manner::AnswersAfter(3000 * MS));
    let channel = hedging(&cluster, "list://a:1,b:1", r#""hedgingDelay": "0.02s""#, "");
    let begun = std::time::Instant::now();
    for _ in 0..4 {
        assert_eq!(who(ask(&channel).blocking()), "b:1");
    }
    assert!(begun.elapsed() < 2000 * MS, "{:?}", begun.elapsed());
}

#[test]
fn without_a_delay_all_copies_are_sent_at_once() {
    run(async {
        let cluster = Cluster::default();
        for (address, ms) in [("a:1", 30), ("b:1", 20), ("c:1", 10)] {
            cluster.set(address, Manner::AnswersAfter(ms * MS));
        }
        let channel = hedging(&cluster, "list://a:1,b:1,c:1", r#""nonFatalStatusCodes": []"#, "");
        let begun = Instant::now();
        assert_eq!((who(ask(&channel).await), begun.elapsed()), ("c:1".to_owned(), 10 * MS));
        assert_eq!(sent(&cluster), 3);
    });
}

#[test]
fn a_failure_that_is_not_fatal_brings_the_next_copy_and_another_one_ends_the_call() {
    run(async {
        let cluster = Cluster::default();
        ALL.iter().for_each(|address| cluster.set(address, Manner::Fails));
        let policy = r#""hedgingDelay": "0.5s", "nonFatalStatusCodes": ["INTERNAL"]"#;
        let channel = hedging(&cluster, "list://a:1,b:1,c:1", policy, "");
        let begun = Instant::now();
        assert_eq!(ask(&channel).await.unwrap_err().code(), Code::Internal);
        assert_eq!((sent(&cluster), begun.elapsed()), (3, Duration::ZERO), "each server once, at once");
        cluster.set("b:1", Manner::Answers);
        assert_eq!(who(ask(&channel).await), "b:1");
        assert!(begun.elapsed().is_zero());

        let channel = hedging(&cluster, "list://a:1,c:1", r#""hedgingDelay": "0.5s""#, "");
        let before = sent(&cluster);
        assert_eq!(ask(&channel).await.unwrap_err().code(), Code::Internal);
        assert_eq!(sent(&cluster), before + 1, "fatal");
    });
}

#[test]
fn a_fatal_failure_ends_the_call_while_a_copy_is_under_way() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(500 * MS));
        cluster.set("b:1", Manner::Fails);
        let channel = hedging(&cluster, "list://a:1,b:1", r#""hedgingDelay": "0.02s""#, "");
        for _ in 0..4 {
            let begun = Instant::now();
            assert_eq!(ask(&channel).await.unwrap_err().code(), Code::Internal);
            assert!(begun.elapsed() <= 20 * MS);
        }
        tokio::time::sleep(MS).await;
        let (calls, resets) = cluster.calls("a:1");
        assert!(calls > 0 && calls == resets, "{calls} calls, {resets} given up");
    });
}

#[test]
fn tokens_bound_the_copies_of_all_calls() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Fails);
        let policy = r#""hedgingDelay": "0.02s", "nonFatalStatusCodes": ["INTERNAL"]"#;
        let tokens = r#", "retryThrottling": { "maxTokens": 10, "tokenRatio": 0.1 }"#;
        let channel = hedging(&cluster, "list://a:1", policy, tokens);
        for _ in 0..100 {
            assert!(ask(&channel).await.is_err());
        }
        assert!(sent(&cluster) <= 105, "{}", sent(&cluster));
        cluster.set("a:1", Manner::AnswersAfter(100 * MS));
        let before = sent(&cluster);
        assert!(ask(&channel).await.is_ok());
        assert_eq!(sent(&cluster), before + 1, "no copies while tokens are short");
    });
}

#[test]
fn the_deadline_holds_for_all_copies() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(5000 * MS));
        let policy = r#""hedgingDelay": "0.02s", "nonFatalStatusCodes": ["DEADLINE_EXCEEDED"]"#;
        let channel = hedging(&cluster, "a:1", policy, "");
        let begun = Instant::now();
        let failed = ask(&channel).timeout(50 * MS).await.unwrap_err();
        assert_eq!((failed.code(), begun.elapsed().as_millis() / 2), (Code::DeadlineExceeded, 25));
        assert_eq!(sent(&cluster), 3);
    });
}

fn retrying(cluster: &Cluster, policy: RetryPolicy) -> Builder<NoProtocols> {
    cluster
        .channel("list://a:1,b:1")
        .resilience(Resilience::default().balancer("rr").retries(2).retry_policy(policy))
}

/// Failures of handlers, which are not tried again by themselves.
fn on_internal(ms: u32) -> RetryPolicy {
    RetryPolicy::new().on(Code::Internal, Backoff::fixed(ms * MS).jitter(0.0))
}

#[test]
fn a_code_that_a_policy_names_is_tried_again_after_its_pause() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Fails);
        let channel = retrying(&cluster, on_internal(10)).build().unwrap();
        let mut pauses = 0;
        for _ in 0..8 {
            let begun = Instant::now();
            assert_eq!(who(ask(&channel).await), "b:1");
            assert!([0, 10].contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
            pauses += begun.elapsed().as_millis() / 10;
        }
        assert!(pauses >= 2, "{pauses}");
        cluster.set("b:1", Manner::Fails);
        let (before, begun) = (sent(&cluster), Instant::now());
        assert_eq!(ask(&channel).await.unwrap_err().code(), Code::Internal);
        assert_eq!((sent(&cluster) - before, begun.elapsed()), (3, 20 * MS), "within the retries");
        let begun = Instant::now();
        assert_eq!(ask(&channel).timeout(15 * MS).await.unwrap_err().code(), Code::Internal);
        assert_eq!(begun.elapsed(), 10 * MS, "no pause goes beyond the deadline");
    });
}

#[test]
fn a_code_that_a_policy_excludes_ends_the_call() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Declines);
        let channel = retrying(&cluster, RetryPolicy::new().never_on(Code::Unavailable)).build().unwrap();
        let mut failed = 0;
        for _ in 0..8 {
            failed += u32::from(ask(&channel).await.is_err());
        }
        assert!((2..=6).contains(&failed), "{failed}");
        let tried = ask(&channel).retry_policy(RetryPolicy::new());
        assert_eq!(who(tried.await), "b:1");
    });
}

#[test]
fn a_function_decides_and_a_call_may_have_its_own() {
    let cluster = Cluster::default();
    cluster.set("a:1", Manner::Fails);
    cluster.set("b:1", Manner::Fails);
    let asked = Arc::new(AtomicU32::new(0));
    let count = asked.clone();
    let policy = RetryPolicy::new().decide(move |failed| {
        count.fetch_add(1, SeqCst);
        assert!(failed.time_left().is_some_and(|left| left <= 1000 * MS));
        match (failed.status().code(), failed.number()) {
            (Code::Internal, 1) => RetryDecision::After(Duration::ZERO),
            _ => RetryDecision::Default,
        }
    });
    run(async {
        let channel = retrying(&cluster, policy.clone()).build().unwrap();
        assert!(ask(&channel).await.is_err());
        assert_eq!((sent(&cluster), asked.load(SeqCst)), (2, 2), "awaited");
        assert!(ask(&channel).retry_policy(on_internal(1)).await.is_err());
        assert_eq!((sent(&cluster), asked.load(SeqCst)), (5, 2), "its own");
    });
    let channel = retrying(&cluster, policy).build().unwrap();
    assert!(ask(&channel).blocking().is_err());
    assert_eq!((sent(&cluster), asked.load(SeqCst)), (7, 4), "blocking");
}
