//! Channels that prefer the servers of their own zone, and what happens when few servers are ready.

use crate::cluster::*;
use polywire_balance::{BreakerSettings, Spill};
use polywire_client::{Builder, Channel, Fleet, NoProtocols, Resilience};
use polywire_naming::Server;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const HERE: [&str; 5] = ["a1:1", "a2:1", "a3:1", "a4:1", "a5:1"];

/// Five servers in each of the zones `a` and `b`.
fn all() -> Vec<Server> {
    let other = (1..=5).map(|n| Server::new(format!("b{n}:1")).zone("b"));
    HERE.into_iter().map(|address| Server::new(address).zone("a")).chain(other).collect()
}

fn two_zones(cluster: &Cluster, fleet: Fleet) -> Channel {
    let source = polywire_naming::source_fn("echo", |updates| async move {
        updates.set(all());
        std::future::pending().await
    });
    cluster
        .channel("echo")
        .servers(source)
        .resilience(Resilience::default().balancer("rr"))
        .fleet(fleet)
        .build()
        .unwrap()
}

/// How many of 1000 calls went to the other zone.
async fn away(channel: &Channel) -> usize {
    shares(channel, 1000)
        .await
        .into_iter()
        .filter(|(server, _)| server.starts_with('b'))
        .map(|(_, n)| n)
        .sum()
}

#[test]
fn calls_stay_in_the_zone_spill_over_in_proportion_and_come_back() {
    run(async {
        let cluster = Cluster::default();
        let channel = two_zones(&cluster, Fleet::default().zone("a"));
        assert_eq!(away(&channel).await, 0);
        cluster.set("a1:1", Manner::Refuses);
        let _ = shares(&channel, 50).await;
        tokio::time::sleep(SECOND / 10).await; // shares are computed anew
        assert_eq!(away(&channel).await, 0, "four of five take them all");
        HERE[1..3].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let _ = shares(&channel, 50).await;
        tokio::time::sleep(SECOND / 10).await;
        let share = away(&channel).await;
        assert!((390..=490).contains(&share), "two of five, times 1.4, are 56 %: {share} of 1000 went away");
        HERE.iter().for_each(|address| cluster.set(address, Manner::Answers));
        tokio::time::sleep(10 * SECOND).await;
        assert_eq!(away(&channel).await, 0, "they come back");
    });
}

#[test]
fn without_a_zone_or_with_an_unknown_one_all_servers_are_alike() {
    run(async {
        let cluster = Cluster::default();
        let unknown = two_zones(&cluster, Fleet::default().zone("c"));
        for channel in [two_zones(&cluster, Fleet::default()), unknown] {
            let share = away(&channel).await;
            assert!((400..=600).contains(&share), "{share}");
        }
    });
}

#[test]
fn a_zone_with_more_callers_than_servers_sends_the_surplus_away() {
    run(async {
        let cluster = Cluster::default();
        let spill = Spill::default().callers_here(1.0);
        let share = away(&two_zones(&cluster, Fleet::default().zone("a").spill(spill))).await;
        assert!((400..=600).contains(&share), "{share}");
    });
}

#[test]
fn a_server_that_moves_to_another_zone_is_looked_for_there() {
    run(async {
        let (tell, told) = Told::new();
        let channel = Cluster::default()
            .channel("echo")
            .servers(told)
            .fleet(Fleet::default().zone("a"))
            .build()
            .unwrap();
        let set = |first: &str, second: &str| {
            Some(Ok(vec![Server::new("x:1").zone(first), Server::new("y:1").zone(second)]))
        };
        tell.send(set("a", "b")).unwrap();
        assert_eq!(shares(&channel, 20).await["x:1"], 20);
        tell.send(set("b", "a")).unwrap();
        tokio::time::sleep(10 * SECOND).await;
        assert_eq!(shares(&channel, 20).await["y:1"], 20);
    });
}

#[test]
fn below_the_panic_threshold_servers_are_used_that_were_judged_bad() {
    run(async {
        let cluster = Cluster::default();
        let bad = ["a:1", "b:1", "c:1"];
        bad.iter().for_each(|address| cluster.set(address, Manner::Fails));
        let failed = async |threshold: u32| {
            let settings = BreakerSettings::default().short_window(20, 10).long_window(40, 5);
            let resilience = Resilience::default().balancer("rr").retries(0).breaker(settings);
            let builder = cluster.channel("list://a:1,b:1,c:1,d:1");
            let channel = builder.resilience(resilience.panic_threshold(threshold)).build().unwrap();
            let mut failed = 0;
            for _ in 0..2000 {
                failed += usize::from(ask(&channel).await.is_err());
                tokio::time::sleep(SECOND / 10_000).await;
            }
            failed
        };
        let (never, half) = (failed(0).await, failed(50).await);
        assert!(never < 300, "the breakers leave out three of four: {never}");
        assert!(half > 900, "three of four cannot all be wrong: {half}");
    });
}

#[test]
fn wrong_options_of_zones_are_refused_by_name() {
    let refused = |builder: Builder<NoProtocols>| builder.build().map(|_| ()).unwrap_err().to_string();
    let builder = |address| Cluster::default().channel(address);
    let said = refused(builder("a:1").fleet(Fleet::default().zone("a")));
    assert!(said.contains("zone is for channels with several servers"), "{said}");
    let said = refused(builder("list://a:1").fleet(Fleet::default().zone("")));
    assert!(said.contains("not empty"), "{said}");
    let said = refused(builder("list://a:1").fleet(Fleet::default().spill(Spill::default())));
    assert!(said.contains("fleet.zone(..)"), "{said}");
    let said = refused(builder("list://a:1").resilience(Resilience::default().panic_threshold(101)));
    assert!(said.contains("from 0 to 100, not 101"), "{said}");
}
