//! Servers that fail.

use crate::cluster::*;
use polywire_balance::BreakerSettings;
use polywire_call::{Native, brpc};
use polywire_client::Retries;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_server_that_fails_every_call_is_isolated_by_its_breaker() {
    run(async {
        let cluster = Cluster::default();
        for address in ["a:1", "b:1", "c:1"] {
            cluster.set(address, Manner::AnswersAfter(MS));
        }
        cluster.set("c:1", Manner::Fails);
        let failed = async |breaks: bool| {
            let mut builder = cluster.channel("list://a:1,b:1,c:1").balancer("rr");
            if breaks {
                builder = builder
                    .circuit_breaker(BreakerSettings::default().short_window(20, 10).long_window(40, 5));
            }
            let channel = builder.build().unwrap();
            let mut failed = 0;
            for _ in 0..3000 {
                failed += usize::from(ask(&channel).await.is_err());
            }
            failed
        };
        let without = failed(false).await;
        assert!((900..=1100).contains(&without), "{without}");
        let with = failed(true).await;
        assert!(with < 100, "{with} of {without}");
    });
}

#[test]
fn retries_of_all_calls_together_are_bounded() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Declines);
        let sent = async |retries: Retries| {
            let channel = cluster.channel("list://a:1").retries(3).retry_budget(retries).build().unwrap();
            let before = cluster.calls("a:1").0;
            for _ in 0..1000 {
                assert!(ask(&channel).await.is_err());
            }
            cluster.calls("a:1").0 - before
        };
        let bounded = sent(Retries::default().percent(10).least_per_second(0)).await;
        assert!((1050..=1150).contains(&bounded), "{bounded}");
        let unbounded = sent(Retries::default().percent(300)).await;
        assert!(unbounded > 3900, "{unbounded}");
    });
}

#[test]
fn a_cluster_that_comes_back_gets_calls_in_proportion_to_its_servers_also_after_a_new_set() {
    run(async {
        let (tell, told) = Told::new();
        let (all, cluster) = (["a:1", "b:1", "c:1", "d:1"], Cluster::default());
        all.iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let recovery = "rr:min_working_instances=4 hold_seconds=60";
        let channel = cluster.channel("echo").servers(told).balancer(recovery).build().unwrap();
        tell.send(servers(&all)).unwrap();
        for _ in 0..3 {
            assert!(ask(&channel).await.is_err(), "all refuse");
        }
        cluster.set("a:1", Manner::Answers);
        tokio::time::sleep(10_000 * MS).await;
        let answered = async || {
            let mut answered = 0;
            for _ in 0..400 {
                match ask(&channel).await {
                    Ok(_) => answered += 1,
                    Err(why) => assert_eq!(why.native(), Native::Brpc(brpc::EREJECT), "{why}"),
                }
            }
            answered
        };
        let one_of_four = answered().await;
        assert!((60..=140).contains(&one_of_four), "{one_of_four} of 400");
        tell.send(servers(&["a:1", "b:1", "c:1", "e:1"])).unwrap();
        cluster.set("e:1", Manner::Answers);
        tokio::time::sleep(10_000 * MS).await;
        let two_of_four = answered().await;
        assert!((150..=250).contains(&two_of_four), "{two_of_four} of 400");
    });
}

/// Its calls would have to be taken by the others, which have as much to do.
#[test]
fn a_server_that_is_overloaded_is_not_isolated() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::HasTooMuch);
        let settings = BreakerSettings::default().short_window(20, 10).long_window(40, 5);
        let channel = cluster.channel("list://a:1,b:1").balancer("rr").retries(0).circuit_breaker(settings);
        let channel = channel.build().unwrap();
        let mut refused = 0;
        for _ in 0..1000 {
            refused += usize::from(ask(&channel).await.is_err());
        }
        assert!((450..=550).contains(&refused), "{refused}");
    });
}
