//! Tables that come late, change while calls are made, fail, or never stop coming.

use super::router::*;
use crate::cluster::*;
use polywire_call::Code;
use polywire_naming::{Server, Source, SourceError, Updates, Watching};
use polywire_routing::{Action, Cluster as Servers, PathMatch, Route, RouteTable, Target, router_fn};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::{Instant, sleep};

const MS: Duration = Duration::from_millis(1);

#[test]
fn the_first_table_is_waited_for_up_to_the_deadline() {
    run(async {
        let (tell, told) = ToldTables::new();
        let cluster = Cluster::default();
        let channel = cluster.channel("shop").router(told).build().unwrap();
        let begun = Instant::now();
        let why = ask(&channel).timeout(500 * MS).await.unwrap_err();
        assert_eq!((why.code(), begun.elapsed()), (Code::DeadlineExceeded, 500 * MS), "{why}");
        assert!(why.message().contains("no routes are known yet"), "{why}");
        let later = async {
            sleep(300 * MS).await;
            tell.send(Some(Ok(all_to("a")))).unwrap();
        };
        let (reply, ()) = tokio::join!(ask(&channel).timeout(5000 * MS), later);
        assert_eq!(who(reply), "a:1");
    });
}

#[test]
fn without_a_table_calls_fail_with_what_the_router_says_or_wait_if_they_are_patient() {
    run(async {
        let (tell, told) = ToldTables::new();
        let cluster = Cluster::default();
        let channel = cluster.channel("shop").router(told).build().unwrap();
        tell.send(Some(Err(SourceError::new("nobody answers")))).unwrap();
        sleep(MS).await;
        let begun = Instant::now();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!((why.code(), begun.elapsed()), (Code::Unavailable, Duration::ZERO), "{why}");
        assert_eq!(why.message(), "shop: no routes are known: nobody answers");
        assert_eq!(channel.why().source_error.as_deref(), Some("nobody answers"));
        let later = async {
            sleep(300 * MS).await;
            tell.send(Some(Ok(all_to("a")))).unwrap();
        };
        let (reply, ()) = tokio::join!(ask(&channel).wait_for_ready(true), later);
        assert_eq!(who(reply), "a:1");
        tell.send(Some(Err(SourceError::new("nobody answers")))).unwrap();
        sleep(100 * MS).await;
        assert_eq!(who(ask(&channel).await), "a:1", "the last table stays");
    });
}

#[test]
fn no_call_fails_while_tables_are_replaced() {
    run(async {
        let (tell, told) = ToldTables::new();
        let cluster = Cluster::default();
        ["a", "b", "c"]
            .iter()
            .for_each(|name| cluster.set(&format!("{name}:1"), Manner::AnswersAfter(7 * MS)));
        tell.send(Some(Ok(all_to("a")))).unwrap();
        let channel = cluster.channel("shop").router(told).build().unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let callers: Vec<_> = (0..20)
            .map(|_| {
                let (channel, over) = (channel.clone(), over.clone());
                tokio::spawn(async move {
                    let mut calls = 0;
                    while !over.load(Relaxed) {
                        who(ask(&channel).await);
                        calls += 1;
                    }
                    calls
                })
            })
            .collect();
        for n in 0..300 {
            sleep(11 * MS).await;
            tell.send(Some(Ok(all_to(["b", "c", "a"][n % 3])))).unwrap();
        }
        over.store(true, Relaxed);
        let mut calls = 0;
        for caller in callers {
            calls += caller.await.unwrap();
        }
        assert!(calls > 5000, "{calls}");
        let reached = ["a:1", "b:1", "c:1"].map(|address| cluster.calls(address).0);
        assert!(reached.iter().all(|calls| *calls > 1000), "{reached:?}");
    });
}

#[test]
fn a_cluster_that_stays_keeps_its_connections_and_one_that_goes_ends_with_its_last_call() {
    run(async {
        let (tell, told) = ToldTables::new();
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(1000 * MS));
        let both = |first: &str| {
            let split = [Target::new(first)];
            RouteTable::new([Route::new(PathMatch::any(), split)], clusters(&["a", "b"])).unwrap()
        };
        tell.send(Some(Ok(both("a")))).unwrap();
        let channel = cluster.channel("shop").router(told).build().unwrap();
        let change = async {
            sleep(100 * MS).await;
            tell.send(Some(Ok(both("b")))).unwrap();
            sleep(100 * MS).await;
            assert_eq!(who(ask(&channel).await), "b:1");
            tell.send(Some(Ok(both("a")))).unwrap();
            sleep(100 * MS).await;
            tell.send(Some(Ok(all_to("b")))).unwrap();
            sleep(100 * MS).await;
            assert_eq!(who(ask(&channel).await), "b:1");
            let why = channel.why();
            assert_eq!((why.clusters.len(), why.server_count), (1, 1), "{why}");
        };
        let (reply, ()) = tokio::join!(ask(&channel).timeout(5000 * MS), change);
        assert_eq!(who(reply), "a:1", "the call was under way when its cluster went");
        assert_eq!((cluster.connects("a:1"), cluster.connects("b:1")), (1, 1));
        assert_eq!(channel.connections_made(), 2);
    });
}

#[test]
fn the_source_of_a_cluster_that_no_table_names_is_given_up() {
    run(async {
        let (tell, told) = ToldTables::new();
        let watched = Arc::new(AtomicUsize::new(0));
        struct Count(Arc<AtomicUsize>);
        impl Drop for Count {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Relaxed);
            }
        }
        let counts = watched.clone();
        let source = polywire_naming::source_fn("counted", move |updates| {
            let counts = counts.clone();
            async move {
                counts.fetch_add(1, Relaxed);
                let _count = Count(counts);
                updates.set(vec![Server::new("x:1")]);
                std::future::pending().await
            }
        });
        let source = Arc::new(source);
        let cluster = Cluster::default();
        let table = || all_to_cluster(Servers::served_by(source.clone()));
        tell.send(Some(Ok(table()))).unwrap();
        let channel = cluster.channel("shop").router(told).build().unwrap();
        assert_eq!(who(ask(&channel).await), "x:1");
        for _ in 0..5 {
            tell.send(Some(Ok(table()))).unwrap();
            sleep(20 * MS).await;
        }
        assert_eq!(
            (watched.load(Relaxed), cluster.connects("x:1")),
            (1, 1),
            "the same source: the same cluster"
        );
        tell.send(Some(Ok(all_to("b")))).unwrap();
        sleep(20 * MS).await;
        assert_eq!(watched.load(Relaxed), 0);
        tell.send(Some(Ok(table()))).unwrap();
        sleep(20 * MS).await;
        assert_eq!(watched.load(Relaxed), 1);
        drop(channel);
        sleep(20 * MS).await;
        assert_eq!(watched.load(Relaxed), 0, "and with the channel");
    });
}

#[test]
fn an_interval_of_zero_between_sweeps_does_not_end_the_watch_of_the_servers() {
    run(async {
        let source = polywire_naming::source_fn("changes once", |updates| async move {
            updates.set(vec![Server::new("x:1")]);
            sleep(10 * MS).await;
            updates.set(vec![Server::new("y:1")]);
            std::future::pending().await
        });
        let outliers = polywire_balance::Outliers::default().interval(Duration::ZERO);
        let servers =
            Servers::new(source).watch(polywire_routing::watch_at_once()).outlier_detection(outliers);
        let cluster = Cluster::default();
        let channel = cluster.channel("shop").router(all_to_cluster(servers)).build().unwrap();
        assert_eq!(who(ask(&channel).await), "x:1");
        sleep(50 * MS).await;
        assert_eq!(who(ask(&channel).await), "y:1", "the task that takes new sets has panicked");
    });
}

#[test]
fn a_router_that_reports_without_end_does_not_keep_calls_from_being_made() {
    run(async {
        let tables = Arc::new(AtomicUsize::new(0));
        let counts = tables.clone();
        let router = router_fn("flood", move |updates| {
            let counts = counts.clone();
            async move {
                loop {
                    let n = counts.fetch_add(1, Relaxed);
                    let name = format!("cluster {n}");
                    let cluster = Servers::of([Server::new(format!("s{}:1", n % 50))]);
                    let route = Route::new(PathMatch::any(), &*name);
                    updates.table(RouteTable::new([route], [(name, cluster)]).unwrap());
                    match n % 100 {
                        0 => sleep(MS).await,
                        _ => tokio::task::yield_now().await,
                    }
                }
            }
        });
        let cluster = Cluster::default();
        let channel = cluster.channel("shop").router(router).build().unwrap();
        for _ in 0..200 {
            who(ask(&channel).await);
            sleep(MS).await;
        }
        let (told, used) = (tables.load(Relaxed), channel.connections_made());
        assert!(told > 10_000 && used < 30, "{told} tables, of which {used} were used");
    });
}

#[test]
fn ten_thousand_routes_and_clusters_are_taken() {
    run(async {
        let names: Vec<_> = (0..10_000).map(|n| format!("c{n}")).collect();
        let routes = names.iter().map(|name| Route::new(PathMatch::service(name), name.as_str()));
        let servers =
            names.iter().map(|name| (name.clone(), Servers::of([Server::new(format!("{name}:1"))])));
        let table = RouteTable::new(routes, servers).unwrap();
        let cluster = Cluster::default();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        for n in [0, 5000, 9999] {
            let target = polywire_client::Target::named(format!("c{n}"), "Say");
            assert_eq!(who(channel.call(target, Vec::new()).await), format!("c{n}:1"));
        }
        assert_eq!(channel.connections_made(), 3);
        assert_eq!(channel.why().servers.len(), 1000);
    });
}

#[test]
fn a_table_without_routes_and_a_failing_cluster_say_why() {
    run(async {
        let (tell, told) = ToldTables::new();
        tell.send(Some(Ok(RouteTable::failing("the listener has been removed")))).unwrap();
        let cluster = Cluster::default();
        let channel = cluster.channel("shop").router(told).build().unwrap();
        let why = ask(&channel).wait_for_ready(true).await.unwrap_err();
        assert_eq!((why.code(), why.message()), (Code::Unavailable, "shop: the listener has been removed"));
        tell.send(Some(Ok(all_to_cluster(Servers::failing("it has been removed"))))).unwrap();
        sleep(100 * MS).await;
        let why = ask(&channel).await.unwrap_err();
        assert_eq!((why.code(), why.message()), (Code::Unavailable, "shop cluster it: it has been removed"));
        let late = ask(&channel).wait_for_ready(true).timeout(500 * MS).await.unwrap_err();
        assert_eq!(late.code(), Code::DeadlineExceeded);
        assert!(late.message().contains("cluster it: it has been removed"), "{late}");
        let later = async {
            sleep(300 * MS).await;
            tell.send(Some(Ok(all_to_cluster(Servers::of([Server::new("a:1")]))))).unwrap();
        };
        let (reply, ()) = tokio::join!(ask(&channel).wait_for_ready(true), later);
        assert_eq!(who(reply), "a:1", "a patient call waits for a cluster of the same name");
        let nowhere =
            RouteTable::new([Route::new(PathMatch::any(), Action::Fail("closed".into()))], clusters(&[]));
        tell.send(Some(Ok(nowhere.unwrap()))).unwrap();
        sleep(100 * MS).await;
        assert_eq!(ask(&channel).await.unwrap_err().message(), "shop: closed");
    });
}

#[test]
fn a_channel_goes_on_when_the_runtime_of_its_router_has_ended() {
    let (tell, told) = ToldTables::new();
    tell.send(Some(Ok(all_to("a")))).unwrap();
    let cluster = Cluster::default();
    let channel = run(async {
        let channel = cluster.channel("shop").router(told).build().unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        channel
    });
    tell.send(Some(Ok(all_to("b")))).unwrap();
    run(async {
        let _ = ask(&channel).await;
        assert_eq!(who(ask(&channel).await), "b:1");
    });
}

/// The set that the call waits for is promised by the cluster that goes; the one in its place has told of no
/// servers yet.
#[test]
fn a_call_that_has_waited_for_a_set_waits_for_the_next_cluster_without_looking_all_the_time() {
    /// Counts how often calls look for servers.
    struct Wanted(&'static str, Told, bool, Arc<AtomicUsize>);
    impl Source for Wanted {
        fn name(&self) -> String {
            self.0.to_owned()
        }
        fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
            self.1.watch(updates)
        }
        fn want(&self) -> bool {
            assert!(self.3.fetch_add(1, Relaxed) < 100, "the call looks all the time");
            self.2
        }
    }
    run(async {
        let (tell, told) = ToldTables::new();
        let ((first, going), (next, coming)) = (Told::new(), Told::new());
        let looks = Arc::new(AtomicUsize::new(0));
        let table =
            |name, told, promises| all_to_cluster(Servers::new(Wanted(name, told, promises, looks.clone())));
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Refuses);
        first.send(servers(&["a:1"])).unwrap();
        tell.send(Some(Ok(table("going", going, true)))).unwrap();
        let channel = cluster.channel("shop").router(told).build().unwrap();
        let later = async {
            sleep(500 * MS).await;
            tell.send(Some(Ok(table("coming", coming, false)))).unwrap();
            sleep(4500 * MS).await;
            next.send(servers(&["b:1"])).unwrap();
        };
        let begun = Instant::now();
        let (reply, ()) = tokio::join!(ask(&channel).timeout(60_000 * MS), later);
        assert_eq!(who(reply), "b:1");
        assert!(begun.elapsed() <= 5001 * MS, "{:?}", begun.elapsed());
    });
}
