//! Servers that fail.

use crate::cluster::*;
use polywire_balance::BreakerSettings;
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
