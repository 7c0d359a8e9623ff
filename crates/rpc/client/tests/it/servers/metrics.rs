//! What a page of metrics tells of channels.

use crate::cluster::*;
use polywire_client::{Hedge, Resilience};
use polywire_metrics::process;
use std::time::Duration;

/// The lines of a channel with this address whose names contain this.
fn lines(target: &str, part: &str) -> Vec<String> {
    let of = format!("target=\"{target}\"");
    let text = process::registry().prometheus();
    text.lines().filter(|line| line.contains(&of) && line.contains(part)).map(str::to_owned).collect()
}

fn value(line: &str) -> f64 {
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

/// Waits until there are figures of a channel's servers: what is shown may be of a moment ago, and while
/// channels of other tests have a thousand servers, there is no place for these.
async fn is_shown(target: &str) {
    for _ in 0..150 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if !lines(target, "polywire_client_tries_total").is_empty() {
            return;
        }
    }
    panic!("{target} is not shown");
}

#[test]
fn tries_retries_and_servers_are_shown_by_channel_and_server() {
    run(async {
        let target = "list://m1:1,m2:1";
        let cluster = Cluster::default();
        cluster.set("m1:1", Manner::Declines);
        let channel = cluster
            .channel(target)
            .resilience(Resilience::default().balancer("rr").retries(1))
            .build()
            .unwrap();
        for _ in 0..20 {
            assert_eq!(who(ask(&channel).await), "m2:1");
        }
        is_shown(target).await;
        let retries = lines(target, "polywire_client_retries_total");
        assert_eq!(retries.len(), 1, "{retries:?}");
        let declined = lines(target, "polywire_client_tries_total").into_iter();
        let declined: f64 =
            declined.filter(|line| line.contains("server=\"m1:1\"")).map(|line| value(&line)).sum();
        assert!(declined >= 1.0 && value(&retries[0]) == declined, "{retries:?} {declined}");
        let tries: f64 = lines(target, "polywire_client_tries_total").iter().map(|line| value(line)).sum();
        assert_eq!(tries, 20.0 + declined);
        assert_eq!(value(&lines(target, "polywire_client_servers{")[0]), 2.0);
        assert_eq!(lines(target, "polywire_client_server_ready").len(), 2);
        assert_eq!(value(&lines(target, "polywire_client_naming_failing")[0]), 0.0);
        drop(channel);
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(lines(target, "polywire_client"), Vec::<String>::new());
    });
}

#[test]
fn second_requests_are_counted() {
    run(async {
        let target = "list://m3:1,m4:1";
        let cluster = Cluster::default();
        cluster.set("m3:1", Manner::AnswersAfter(Duration::from_millis(500)));
        let hedge = Hedge::after(Duration::from_millis(50)).budget(100);
        let channel = cluster
            .channel(target)
            .resilience(Resilience::default().balancer("rr").hedge(hedge))
            .build()
            .unwrap();
        for _ in 0..4 {
            assert_eq!(who(ask(&channel).await), "m4:1");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        let hedges = value(&lines(target, "polywire_client_hedges_total")[0]);
        assert!((1.0..=4.0).contains(&hedges), "{hedges}");
    });
}
