//! Faults that a route injects.

use super::router::*;
use crate::cluster::*;
use polywire_call::Code;
use polywire_routing::{Fault, Fraction, PathMatch, RetryPolicy, Route, RouteTable, Target};
use std::time::Duration;
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);
const ALL: Fraction = Fraction::percent(100);

fn with(fault: Fault) -> RouteTable {
    let again = RetryPolicy::new([Code::Aborted]).attempts(5);
    let route = Route::new(PathMatch::any(), "a").fault(fault).retry(again);
    RouteTable::new([route], clusters(&["a"])).unwrap()
}

#[test]
fn calls_are_delayed_once_and_not_past_their_deadline() {
    run(async {
        let cluster = Cluster::default();
        let table = with(Fault::new().delay(50 * MS, ALL));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let begun = Instant::now();
        assert_eq!(who(ask(&channel).await), "a:1");
        assert_eq!(begun.elapsed(), 50 * MS);
        let begun = Instant::now();
        let why = ask(&channel).timeout(20 * MS).await.unwrap_err();
        assert_eq!((why.code(), begun.elapsed()), (Code::DeadlineExceeded, 20 * MS), "{why}");
        assert_eq!(cluster.calls("a:1").0, 1, "it was never sent");
        let begun = Instant::now();
        let stream = channel.stream(ECHO).await.unwrap();
        assert_eq!(begun.elapsed(), 50 * MS, "streams, too");
        drop(stream);
    });
}

#[test]
fn calls_fail_after_their_delay_and_are_not_tried_again() {
    run(async {
        let cluster = Cluster::default();
        let table = with(Fault::new().delay(50 * MS, ALL).abort(Code::Aborted, ALL));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let begun = Instant::now();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!((why.code(), begun.elapsed()), (Code::Aborted, 50 * MS), "{why}");
        assert_eq!(channel.stream(ECHO).await.map(|_| ()).unwrap_err().code(), Code::Aborted);
        assert_eq!(cluster.connects("a:1"), 0, "no server has seen them");
    });
}

#[test]
fn a_share_of_the_calls_fails() {
    run(async {
        let cluster = Cluster::default();
        let table = with(Fault::new().abort(Code::Unavailable, Fraction::percent(30)));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let mut failed = 0;
        for _ in 0..1000 {
            failed += usize::from(ask(&channel).await.is_err());
        }
        assert!((240..=360).contains(&failed), "{failed}");
    });
}

#[test]
fn no_more_calls_are_delayed_at_a_time_than_the_limit_says() {
    run(async {
        let cluster = Cluster::default();
        let table = with(Fault::new().delay(100 * MS, ALL).max_active(3));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        for _ in 0..2 {
            let begun = Instant::now();
            let call = |_| {
                let call = ask(&channel).into_future();
                tokio::spawn(async move { call.await.map(|_| begun.elapsed()).unwrap() })
            };
            let calls: Vec<_> = (0..10).map(call).collect();
            let mut delayed = 0;
            for call in calls {
                delayed += usize::from(call.await.unwrap() >= 100 * MS);
            }
            assert_eq!(delayed, 3);
        }
    });
}

#[test]
fn the_faults_of_a_target_take_the_place_of_those_of_the_route() {
    run(async {
        let cluster = Cluster::default();
        let targets = [
            Target::new("a").faults(Vec::new()),
            Target::new("b").faults(vec![Fault::new().abort(Code::Internal, ALL)]),
            Target::new("c"),
        ];
        let route = Route::new(PathMatch::any(), targets).fault(Fault::new().abort(Code::Aborted, ALL));
        let table = RouteTable::new([route], clusters(&["a", "b", "c"])).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let mut ends = std::collections::BTreeMap::new();
        for _ in 0..300 {
            let end = ask(&channel).await.map_or_else(|why| why.code(), |_| Code::Ok);
            *ends.entry(format!("{end:?}")).or_insert(0) += 1;
        }
        assert_eq!(ends.keys().collect::<Vec<_>>(), ["Aborted", "Internal", "Ok"]);
        assert!(ends.values().all(|calls| (60..140).contains(calls)), "{ends:?}");
    });
}

#[test]
fn blocking_calls_have_faults_too() {
    let cluster = Cluster::default();
    let table = with(Fault::new().delay(5 * MS, ALL).abort(Code::Aborted, ALL));
    let channel = cluster.channel("shop").router(table).build().unwrap();
    let begun = std::time::Instant::now();
    assert_eq!(ask(&channel).blocking().unwrap_err().code(), Code::Aborted);
    assert!(begun.elapsed() >= 5 * MS);
}
