//! Keys of calls that their routes make.

use crate::cluster::*;
use polywire_naming::Server;
use polywire_routing::{Cluster as Servers, HashPolicy, PathMatch, Route, RouteTable, watch_at_once};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

fn table(hash: Option<HashPolicy>) -> RouteTable {
    let servers = (1..=20).map(|n| Server::new(format!("s{n}:1")));
    let mut route = Route::new(PathMatch::any(), "ring");
    if let Some(hash) = hash {
        route = route.hash(hash);
    }
    RouteTable::new([route], [("ring", Servers::of(servers).balancer("ring_hash"))]).unwrap()
}

#[test]
fn calls_with_the_same_header_go_to_the_same_server() {
    run(async {
        let cluster = Cluster::default();
        let channel =
            cluster.channel("shop").router(table(Some(HashPolicy::header("user")))).build().unwrap();
        let mut servers = BTreeSet::new();
        for user in 0..30 {
            let ask = || ask(&channel).metadata("user", user.to_string());
            let first = who(ask().await);
            for _ in 0..5 {
                assert_eq!(who(ask().await), first);
            }
            servers.insert(first);
        }
        assert!(servers.len() > 8, "{servers:?}");
        let own = BTreeSet::from_iter([
            who(ask(&channel).metadata("user", "1").key(7).await),
            who(ask(&channel).metadata("user", "2").key(7).await),
            who(ask(&channel).metadata("user", "3").key(7).await),
        ]);
        assert_eq!(own.len(), 1, "the key of a call comes before that of its route");
    });
}

#[test]
fn all_calls_of_a_channel_go_to_one_server_and_those_of_another_one_elsewhere() {
    run(async {
        let cluster = Cluster::default();
        let mut servers = BTreeSet::new();
        for _ in 0..20 {
            let channel = cluster.channel("shop").router(table(Some(HashPolicy::channel()))).build().unwrap();
            assert_eq!(shares(&channel, 10).await.len(), 1);
            servers.insert(who(ask(&channel).await));
        }
        assert!(servers.len() > 5, "{servers:?}");
    });
}

#[test]
fn calls_without_a_key_are_spread() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster.channel("shop").router(table(None)).build().unwrap();
        assert!(shares(&channel, 200).await.len() > 15);
    });
}

/// gRFC A76.
#[test]
fn calls_follow_the_hash_key_of_their_server_to_another_address_over_the_connections_that_there_are() {
    run(async {
        let cluster = Cluster::default();
        let (sets, told) = Told::new();
        let set = |keyed: [(&str, &str); 3]| {
            let server = |(address, key): (&str, &str)| Server::new(address).metadata("hash_key", key);
            Some(Ok(keyed.map(server).to_vec()))
        };
        sets.send_replace(set([("a:1", "red"), ("b:1", "green"), ("c:1", "blue")]));
        let servers = Servers::new(told).balancer("ring_hash").watch(watch_at_once());
        let route = Route::new(PathMatch::any(), "ring").hash(HashPolicy::header("user"));
        let table = RouteTable::new([route], [("ring", servers)]).unwrap();
        let channel = cluster.channel("shop").router(table).build().unwrap();
        let asked = async || {
            let mut found = Vec::new();
            for user in 0..60 {
                found.push(who(ask(&channel).metadata("user", user.to_string()).await));
            }
            found
        };
        let before = asked().await;
        assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), 3, "{before:?}");
        sets.send_replace(set([("a:1", "green"), ("b:1", "blue"), ("c:1", "red")]));
        tokio::time::sleep(Duration::from_secs(1)).await;
        let moved = BTreeMap::from([("a:1", "c:1"), ("b:1", "a:1"), ("c:1", "b:1")]);
        let expected: Vec<_> = before.iter().map(|address| moved[address.as_str()]).collect();
        assert_eq!(asked().await, expected);
        assert_eq!(["a:1", "b:1", "c:1"].map(|address| cluster.connects(address)), [1, 1, 1]);
    });
}
