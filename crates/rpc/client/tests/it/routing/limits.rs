//! The limit of requests to a cluster, and calls that are dropped on purpose.

use super::router::*;
use crate::cluster::*;
use polywire_call::Code;
use polywire_client::Resilience;
use polywire_naming::Server;
use polywire_routing::{Cluster as Servers, Fraction, InFlight, PathMatch, RetryPolicy, Route, RouteTable};
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, sleep};

const MS: Duration = Duration::from_millis(1);

fn limited(most: u32) -> Servers {
    Servers::of([Server::new("a:1")]).max_requests(most)
}

#[test]
fn requests_beyond_the_limit_of_a_cluster_fail_at_once_and_are_counted() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(100 * MS));
        let again = RetryPolicy::new([Code::Unavailable]).attempts(5);
        let route = Route::new(PathMatch::any(), "it").retry(again);
        let table = RouteTable::new([route], [("it", limited(10))]).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        for round in 1..=2 {
            let calls: Vec<_> =
                (0..100).map(|_| tokio::spawn(ask(&channel).wait_for_ready(true).into_future())).collect();
            let begun = Instant::now();
            let mut answered = 0;
            for call in calls {
                match call.await.unwrap() {
                    Ok(_) => answered += 1,
                    Err(why) => {
                        assert_eq!(why.code(), Code::Unavailable);
                        assert_eq!(
                            why.message(),
                            "shop cluster it: its limit of 10 requests at a time is reached"
                        );
                    }
                }
            }
            assert_eq!(answered, 10, "round {round}");
            assert_eq!(begun.elapsed(), 100 * MS, "neither tried again nor held");
        }
        assert_eq!(cluster.calls("a:1").0, 20, "the server has seen no more");
        let why = channel.why();
        assert_eq!((why.clusters[0].refused, why.clusters[0].in_flight), (180, 0));
    });
}

#[test]
fn a_place_is_given_back_however_an_attempt_ends() {
    run(async {
        let cluster = Cluster::default();
        let table = all_to_cluster(limited(1));
        let channel = cluster
            .channel("shop")
            .router(table)
            .resilience(Resilience::default().retries(0))
            .build()
            .unwrap();
        let in_flight = || channel.why().clusters[0].in_flight;
        for manner in [Manner::Answers, Manner::Fails, Manner::Declines, Manner::Refuses] {
            cluster.set("a:1", manner);
            let _ = ask(&channel).await;
            assert_eq!(in_flight(), 0);
            sleep(10_000 * MS).await;
        }
        cluster.set("a:1", Manner::AnswersAfter(1000 * MS));
        sleep(10_000 * MS).await;
        assert!(ask(&channel).timeout(10 * MS).await.is_err());
        assert_eq!(in_flight(), 0, "its deadline has passed");
        let dropped = tokio::time::timeout(10 * MS, ask(&channel).into_future()).await;
        assert!(dropped.is_err());
        assert_eq!(in_flight(), 0, "it was given up");
        let stream = channel.stream(ECHO).await.unwrap();
        assert_eq!(in_flight(), 1);
        assert_eq!(ask(&channel).await.unwrap_err().code(), Code::Unavailable, "streams count");
        drop(stream);
        assert_eq!(in_flight(), 0);
    });
}

#[test]
fn a_limit_changes_with_the_table_and_its_count_stays() {
    run(async {
        let (tell, told) = ToldTables::new();
        tell.send(Some(Ok(all_to_cluster(limited(2))))).unwrap();
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(1000 * MS));
        let channel = cluster.channel("shop").router(told).timeout(5000 * MS).build().unwrap();
        let stuck: Vec<_> = (0..2).map(|_| tokio::spawn(ask(&channel).into_future())).collect();
        sleep(10 * MS).await;
        assert!(ask(&channel).await.is_err());
        tell.send(Some(Ok(all_to_cluster(limited(3))))).unwrap();
        sleep(50 * MS).await;
        let third = tokio::spawn(ask(&channel).into_future());
        sleep(10 * MS).await;
        assert!(ask(&channel).await.is_err(), "three are under way");
        for call in stuck.into_iter().chain([third]) {
            who(call.await.unwrap());
        }
        assert_eq!(cluster.connects("a:1"), 1);
    });
}

#[test]
fn channels_that_count_together_have_one_limit() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(100 * MS));
        let counter = Arc::<InFlight>::default();
        let channels: Vec<_> = (0..2)
            .map(|_| {
                let table = all_to_cluster(limited(3).counter(counter.clone()));
                cluster.channel("shop").router(table).build().unwrap()
            })
            .collect();
        let calls: Vec<_> = (0..10).map(|n| tokio::spawn(ask(&channels[n % 2]).into_future())).collect();
        let mut answered = 0;
        for call in calls {
            answered += usize::from(call.await.unwrap().is_ok());
        }
        assert_eq!((answered, counter.now(), counter.refused()), (3, 0, 7));
    });
}

#[test]
fn a_share_of_the_calls_is_dropped_by_category_and_neither_tried_again_nor_held() {
    run(async {
        let cluster = Cluster::default();
        let servers = Servers::of([Server::new("a:1")])
            .drop_share("load", Fraction::percent(20))
            .drop_share("throttle", Fraction::percent(50));
        let again = RetryPolicy::new([Code::Unavailable]).attempts(5);
        let route = Route::new(PathMatch::any(), "it").retry(again);
        let table = RouteTable::new([route], [("it", servers)]).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let mut answered = 0;
        for _ in 0..2000 {
            match ask(&channel).wait_for_ready(true).await {
                Ok(_) => answered += 1,
                Err(why) => assert!(why.message().contains("the call is dropped"), "{why}"),
            }
        }
        assert!((710..=890).contains(&answered), "0.8 x 0.5 of 2000: {answered}");
        let dropped = &channel.why().clusters[0].dropped;
        assert_eq!((&*dropped[0].0, &*dropped[1].0), ("load", "throttle"));
        assert_eq!(dropped[0].1 + dropped[1].1 + answered, 2000);
        assert!((330..=470).contains(&dropped[0].1), "{dropped:?}");
    });
}
