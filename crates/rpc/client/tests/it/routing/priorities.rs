//! Priorities of servers, and shares of their zones.

use super::router::*;
use crate::cluster::*;
use polywire_balance::{Spill, Subset};
use polywire_client::Fleet;
use polywire_naming::Server;
use polywire_routing::Cluster as Servers;
use std::time::Duration;
use tokio::time::sleep;

const MS: Duration = Duration::from_millis(1);

fn two_priorities() -> Vec<Server> {
    let of = |name: &str, priority| {
        (1..=2).map(move |n| Server::new(format!("{name}{n}:1")).priority(priority)).collect::<Vec<_>>()
    };
    [of("p", 0), of("q", 1)].concat()
}

#[test]
fn the_next_priority_takes_the_calls_once_the_first_has_no_server_and_gives_them_back() {
    run(async {
        let cluster = Cluster::default();
        let table = all_to_cluster(Servers::of(two_priorities()));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let first = |shares: std::collections::BTreeMap<String, usize>| {
            shares
                .into_iter()
                .filter(|(name, _)| name.starts_with('p'))
                .map(|(_, calls)| calls)
                .sum::<usize>()
        };
        assert_eq!(first(shares(&channel, 50).await), 50);
        cluster.set("p1:1", Manner::Refuses);
        assert_eq!(first(shares(&channel, 50).await), 50, "one is left");
        cluster.set("p2:1", Manner::Refuses);
        assert_eq!(first(shares(&channel, 50).await), 0, "the very next call is answered elsewhere");
        ["p1:1", "p2:1"].iter().for_each(|address| cluster.set(address, Manner::Answers));
        sleep(10_000 * MS).await;
        assert_eq!(first(shares(&channel, 50).await), 50, "they come back");
    });
}

#[test]
fn a_subset_has_servers_of_each_priority() {
    run(async {
        for seed in 0..10 {
            let cluster = Cluster::default();
            let servers: Vec<_> = (1..=3)
                .map(|n| Server::new(format!("p{n}:1")))
                .chain((1..=40).map(|n| Server::new(format!("q{n}:1")).priority(1)))
                .collect();
            let channel = cluster.channel("shop").router(all_to_cluster(Servers::of(servers)));
            let channel =
                channel.fleet(Fleet::default().subset(Subset::Random { size: 2, seed })).build().unwrap();
            let first = shares(&channel, 20).await;
            assert!(first.len() == 2 && first.keys().all(|name| name.starts_with('p')), "{first:?}");
            (1..=3).for_each(|n| cluster.set(&format!("p{n}:1"), Manner::Refuses));
            let next = shares(&channel, 20).await;
            assert!(next.len() == 2 && next.keys().all(|name| name.starts_with('q')), "{next:?}");
        }
    });
}

#[test]
fn calls_spill_over_in_proportion_if_a_cluster_says_so() {
    run(async {
        let cluster = Cluster::default();
        let servers: Vec<_> =
            (1..=4).map(|n| Server::new(format!("p{n}:1"))).chain([Server::new("q:1").priority(1)]).collect();
        let table = all_to_cluster(Servers::of(servers).spill(Spill::default()));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        ["p1:1", "p2:1"].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let _ = shares(&channel, 50).await;
        sleep(50 * MS).await;
        let away = shares(&channel, 1000).await["q:1"];
        assert!((240..=360).contains(&away), "two of four, times 1.4, are 70 %: {away}");
    });
}

#[test]
fn calls_are_shared_out_to_zones_by_their_weight() {
    run(async {
        let cluster = Cluster::default();
        let of = |name: &'static str, servers: usize, weight| {
            (1..=servers).map(move |n| Server::new(format!("{name}{n}:1")).zone(name).zone_weight(weight))
        };
        let table = all_to_cluster(Servers::of(of("x", 1, 3).chain(of("y", 3, 1))));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let shares = shares(&channel, 1000).await;
        assert!((690..=810).contains(&shares["x1:1"]), "{shares:?}");
        assert!((50..=120).contains(&shares["y2:1"]), "{shares:?}");
    });
}

#[test]
fn servers_keep_their_connections_when_their_priority_or_weight_changes() {
    run(async {
        let (tell, told) = Told::new();
        let source = std::sync::Arc::new(told);
        let cluster = Cluster::default();
        let table = all_to_cluster(Servers::served_by(source).watch(polywire_routing::watch_at_once()));
        tell.send(Some(Ok(two_priorities()))).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let _ = shares(&channel, 10).await;
        let above = [Server::new("top:1")].into_iter();
        let moved = two_priorities().into_iter().map(|server| {
            let priority = server.priority + 1;
            server.priority(priority).weight(7)
        });
        tell.send(Some(Ok(above.chain(moved).collect()))).unwrap();
        sleep(10 * MS).await;
        assert_eq!(shares(&channel, 10).await["top:1"], 10);
        cluster.set("top:1", Manner::Refuses);
        let _ = shares(&channel, 10).await;
        assert_eq!(["p1:1", "p2:1", "q1:1"].map(|address| cluster.connects(address)), [1, 1, 0]);
        tell.send(Some(Ok(Vec::new()))).unwrap();
        sleep(10 * MS).await;
        assert!(ask(&channel).await.is_err(), "an empty set is in use at once");
    });
}

#[test]
fn as_many_priorities_as_servers_cost_no_more_than_few() {
    run(async {
        let cluster = Cluster::default();
        let servers = (0..10_000).map(|n| Server::new(format!("s{n}:1")).priority(n));
        let table = all_to_cluster(Servers::of(servers));
        let channel = cluster.channel("shop").router(table).build().unwrap();
        assert_eq!(shares(&channel, 20).await["s0:1"], 20);
    });
}
