//! Calls that find no server: what they wait for, and what wakes them.

use crate::cluster::*;
use polywire_balance::BreakerSettings;
use polywire_call::Code;
use polywire_client::Resilience;
use polywire_naming::{Source, Updates, Watching};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

const MS: Duration = Duration::from_millis(1);

/// Counts how often the channel, which finds no server, asks the source for others: once each time a call
/// looks.
struct Counting(Told, Arc<AtomicUsize>);

impl Counting {
    fn new(told: Told) -> (Arc<AtomicUsize>, Counting) {
        let looks = Arc::new(AtomicUsize::new(0));
        (looks.clone(), Counting(told, looks))
    }
}

impl Source for Counting {
    fn name(&self) -> String {
        self.0.name()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        self.0.watch(updates)
    }

    fn want(&self) -> bool {
        self.1.fetch_add(1, Relaxed);
        false
    }
}

#[test]
fn calls_that_find_only_servers_that_are_gone_wait_for_a_set_that_is_held_back() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = Cluster::default();
        let channel = cluster.channel("echo").servers(told).build().unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        cluster.set("a:1", Manner::Refuses);
        tell.send(servers(&["b:1"])).unwrap();
        sleep(MS).await;
        let begun = Instant::now();
        let mut callers = JoinSet::new();
        for _ in 0..4 {
            callers.spawn(ask(&channel).into_future());
        }
        while let Some(reply) = callers.join_next().await {
            assert_eq!(who(reply.unwrap()), "b:1");
        }
        assert!(begun.elapsed() <= 100 * MS, "{:?}", begun.elapsed());
        assert_eq!(cluster.calls("a:1").0, 1);
    });
}

#[test]
fn a_call_fails_if_the_set_that_was_held_back_has_nobody_either() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = Cluster::default();
        let channel = cluster.channel("echo").servers(told).build().unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        tell.send(servers(&["b:1"])).unwrap();
        sleep(MS).await;
        let begun = Instant::now();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!(why.code(), Code::Unavailable);
        assert!(why.message().contains("b:1") && begun.elapsed() <= 101 * MS, "{why}, {:?}", begun.elapsed());
        let begun = Instant::now();
        assert!(ask(&channel).await.is_err());
        assert_eq!(begun.elapsed(), Duration::ZERO, "no newer set is known");
        tell.send(servers(&["c:1"])).unwrap();
        sleep(MS).await;
        let why = ask(&channel).timeout(30 * MS).await.unwrap_err();
        assert_eq!(why.code(), Code::DeadlineExceeded, "it waits no longer than its deadline");
    });
}

#[test]
fn a_set_that_is_promised_and_does_not_come_keeps_a_call_for_a_second() {
    struct Promises(Told);
    impl Source for Promises {
        fn name(&self) -> String {
            self.0.name()
        }
        fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
            self.0.watch(updates)
        }
        fn want(&self) -> bool {
            true
        }
    }
    let copies =
        r#"{"methodConfig": [{"name": [{}], "hedgingPolicy": {"maxAttempts": 2, "hedgingDelay": "0.1s"}}]}"#;
    for config in ["{}", copies] {
        run(async {
            let (tell, told) = Told::new();
            let cluster = Cluster::default();
            cluster.set("a:1", Manner::Refuses);
            let channel = cluster.channel("echo").servers(Promises(told)).timeout(60_000 * MS);
            let channel = channel.service_config(config).build().unwrap();
            tell.send(servers(&["a:1"])).unwrap();
            let begun = Instant::now();
            let why = ask(&channel).await.unwrap_err();
            assert!(why.message().contains("connection refused"), "{config}: {why}");
            assert!((1000 * MS..=1200 * MS).contains(&begun.elapsed()), "{config}: {:?}", begun.elapsed());
        });
    }
}

#[test]
fn patient_calls_look_when_something_has_changed_and_not_before() {
    run(async {
        let (tell, told) = Told::new();
        let (looks, source) = Counting::new(told);
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Refuses);
        let channel = cluster.channel("echo").servers(source).timeout(600_000 * MS).build().unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        let mut callers = JoinSet::new();
        for _ in 0..100 {
            callers.spawn(ask(&channel).wait_for_ready(true).into_future());
        }
        sleep(60_000 * MS).await;
        let looked = looks.load(Relaxed);
        assert!(looked <= 300, "100 callers have looked {looked} times in a minute without a server");
        // Servers that cannot be reached wake nobody for long; the one that can be wakes all.
        tell.send(servers(&["b:1"])).unwrap();
        let begun = Instant::now();
        while let Some(reply) = callers.join_next().await {
            assert_eq!(who(reply.unwrap()), "b:1");
        }
        assert!(begun.elapsed() <= MS, "{:?}", begun.elapsed());
    });
}

#[test]
fn a_patient_call_is_woken_when_a_server_is_in_reach_again() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Refuses);
        let channel = cluster.channel("list://a:1").timeout(600_000 * MS).build().unwrap();
        let waits = tokio::spawn(ask(&channel).wait_for_ready(true).into_future());
        sleep(20_000 * MS).await;
        cluster.set("a:1", Manner::Answers);
        let before = cluster.connects("a:1");
        while cluster.connects("a:1") == before {
            assert!(!waits.is_finished());
            sleep(MS).await;
        }
        let found = Instant::now();
        assert_eq!(who(waits.await.unwrap()), "a:1");
        assert!(found.elapsed() <= MS, "{:?}", found.elapsed());
    });
}

#[test]
fn a_patient_call_waits_for_the_end_of_an_isolation() {
    run(async {
        let (tell, told) = Told::new();
        let (looks, source) = Counting::new(told);
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Fails);
        let breaker = BreakerSettings::default().short_window(20, 10).long_window(40, 5);
        let channel = cluster
            .channel("echo")
            .servers(source)
            .resilience(Resilience::default().breaker(breaker))
            .timeout(60_000 * MS);
        let channel = channel.build().unwrap();
        tell.send(servers(&["a:1"])).unwrap();
        while channel.why().servers.first().is_none_or(|server| server.is_ready) {
            assert!(ask(&channel).await.is_err());
        }
        cluster.set("a:1", Manner::Answers);
        let before = looks.load(Relaxed);
        let begun = Instant::now();
        assert_eq!(who(ask(&channel).wait_for_ready(true).await), "a:1");
        assert!(begun.elapsed() >= 50 * MS, "the server was isolated for {:?}", begun.elapsed());
        let looked = looks.load(Relaxed) - before;
        assert!(looked <= 2, "{looked} looks in {:?}", begun.elapsed());
    });
}

/// The task that takes new sets ends with the runtime where it is, and a call that waits elsewhere starts
/// another one.
#[test]
fn a_patient_call_outlives_the_runtime_that_has_watched_the_source() {
    let (tell, told) = Told::new();
    let cluster = Cluster::default();
    let other =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let channel = other.block_on(async { cluster.channel("echo").servers(told).build().unwrap() });
    let channel = &channel;
    run(async {
        tell.send(servers(&[])).unwrap();
        let waits = ask(channel).wait_for_ready(true).timeout(60_000 * MS).into_future();
        let ends = async {
            sleep(500 * MS).await;
            other.shutdown_background();
            tell.send(servers(&["a:1"])).unwrap();
        };
        let (begun, (reply, ())) = (Instant::now(), tokio::join!(waits, ends));
        assert_eq!(who(reply), "a:1");
        assert!(begun.elapsed() <= 501 * MS, "{:?}", begun.elapsed());
    });
}
