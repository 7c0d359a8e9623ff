//! Channels whose servers have parts of the data.

use crate::cluster::*;
use polywire_call::Code;
use polywire_client::{Mapping, NoProtocols, Parallel, Part, Partitioned, Resilience, Selective};
use polywire_naming::{Server, SourceError};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

type Said = Option<Result<Vec<Server>, SourceError>>;

/// Servers by address and tag.
fn tagged(servers: &[(&str, &str)]) -> Said {
    Some(Ok(servers.iter().map(|(address, tag)| Server::new(*address).tag(*tag)).collect()))
}

fn in_list(cluster: &Cluster, servers: &str, count: u32) -> Partitioned<NoProtocols> {
    cluster
        .channel(&format!("list://{servers}"))
        .resilience(Resilience::default().retries(0).balancer("rr"))
        .partitioned(count)
}

#[test]
fn every_partition_is_called_once_and_strangers_are_left_out() {
    run(async {
        let cluster = Cluster::default();
        let channel = in_list(&cluster, "a:1 0/2,b:1 1/2,c:1 1/2,d:1 0/3,e:1 x", 2).build().unwrap();
        assert!(channel.address().ends_with(" in 2 partitions"), "{}", channel.address());
        let shares = shares(&channel, 10).await;
        assert!((3..=7).contains(&shares["a:1b:1"]) && (3..=7).contains(&shares["a:1c:1"]), "{shares:?}");
    });
}

#[test]
fn a_partition_without_servers_is_a_failure_that_is_named() {
    run(async {
        let cluster = Cluster::default();
        let servers = "a:1 0/3,b:1 2/3";
        let why = ask(&in_list(&cluster, servers, 3).build().unwrap()).await.unwrap_err();
        assert_eq!(why.code(), Code::Unavailable);
        assert!(why.message().contains("[C1] list://") && why.message().contains("partition 1/3"), "{why}");
        for partial in
            [in_list(&cluster, servers, 3).fail_limit(3), in_list(&cluster, servers, 3).success_limit(2)]
        {
            assert_eq!(who(ask(&partial.build().unwrap()).await), "a:1b:1", "who wants a part says so");
        }
    });
}

#[test]
fn a_dead_partition_fails_calls_of_dynamic_ways_too() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Fails);
        let list = cluster.channel("list://a:1 0/2,b:1 1/2").resilience(Resilience::default().retries(0));
        let why = ask(&list.dynamically_partitioned().build().unwrap()).await.unwrap_err();
        assert!(why.message().contains("1/2 channels failed, fail_limit=1 [C1]"), "{why}");
    });
}

#[test]
fn mappers_are_told_the_partition_and_parsers_read_other_tags() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Echoes));
        let parser = |server: &Server| Some((server.tag.strip_prefix("part")?.parse().ok()?, 2));
        let mapper = |part: &mut Part| {
            part.set_body(format!("{}/{} ", part.index(), part.count()).into_bytes());
            Ok(Mapping::Send)
        };
        let channel = in_list(&cluster, "a:1 part0,b:1 part1,c:1 part7", 2).parser(parser).mapper(mapper);
        assert_eq!(who(ask(&channel.build().unwrap()).await), "0/2 1/2 ");
    });
}

#[test]
fn servers_come_and_go_in_partitions() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = Cluster::default();
        let channel = cluster.channel("echo").servers(told).partitioned(2).fail_limit(1).build().unwrap();
        let later = async {
            tokio::time::sleep(100 * MS).await;
            tell.send(tagged(&[("a:1", "0/2"), ("b:1", "1/2")])).unwrap();
        };
        let (reply, ()) = tokio::join!(ask(&channel), later);
        assert_eq!(who(reply), "a:1b:1", "the first set is waited for");
        tell.send(tagged(&[("a:1", "0/2"), ("c:1", "1/2")])).unwrap();
        tokio::time::sleep(5000 * MS).await;
        assert_eq!(who(ask(&channel).await), "a:1c:1");
        tell.send(tagged(&[("a:1", "0/2"), ("c:1", "0/2")])).unwrap();
        tokio::time::sleep(5000 * MS).await;
        assert!(ask(&channel).await.is_err(), "a partition has lost its last server");
        assert_eq!(cluster.connects("a:1"), 1, "who stays keeps its connection");
    });
}

#[test]
fn ways_of_parting_share_the_calls_by_capacity() {
    run(async {
        let (tell, told) = Told::new();
        let cluster = Cluster::default();
        let channel = cluster.channel("echo").servers(told).dynamically_partitioned().build().unwrap();
        tell.send(tagged(&[("a:1", "0/1")])).unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        tell.send(tagged(&[("a:1", "0/1"), ("b:1", "0/2"), ("c:1", "0/2")])).unwrap();
        tokio::time::sleep(5000 * MS).await;
        assert_eq!(shares(&channel, 20).await["a:1"], 20, "the other way lacks a partition");
        let both = [("a:1", "0/1"), ("b:1", "0/2"), ("b:2", "0/2"), ("c:1", "1/2"), ("c:2", "1/2")];
        tell.send(tagged(&both)).unwrap();
        tokio::time::sleep(5000 * MS).await;
        let of_one = shares(&channel, 600).await["a:1"];
        assert!((150..250).contains(&of_one), "{of_one} of 600: a third is right");
        tell.send(tagged(&both[1..])).unwrap();
        tokio::time::sleep(5000 * MS).await;
        assert!(!shares(&channel, 20).await.contains_key("a:1"), "the old way is gone");
    });
}

#[test]
fn a_call_that_fails_in_one_way_of_parting_takes_another() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Declines);
        let channel = cluster.channel("list://a:1 0/1,b:1 0/2,c:1 1/2").dynamically_partitioned();
        let channel = channel.fail_limit(1).build().unwrap();
        assert_eq!(shares(&channel, 30).await["a:1"], 30);
    });
}

#[test]
fn without_partitions_the_error_says_so() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster.channel("list://a:1,b:1 x").dynamically_partitioned().build().unwrap();
        let why = ask(&channel).await.unwrap_err();
        assert!(why.message().contains("none of 2 servers says which partition it has"), "{why}");
        let said =
            |partitioned: Partitioned<NoProtocols>| partitioned.build().map(|_| ()).unwrap_err().to_string();
        assert!(said(cluster.channel("a:1").partitioned(2)).contains("not a naming url"));
        assert!(said(cluster.channel("list://a:1").partitioned(0)).contains("from 1 to 4096 partitions"));
    });
}

#[test]
fn partitions_selections_and_parallel_channels_nest() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::Refuses);
        let broken = in_list(&cluster, "a:1 0/2,b:1 1/2", 2).fail_limit(1).build().unwrap();
        let good = in_list(&cluster, "a:1 0/2,c:1 1/2", 2).fail_limit(1).build().unwrap();
        let either = Selective::new().channel(broken).channel(good.clone()).build().unwrap();
        let _ = ask(&either).await;
        tokio::time::sleep(20 * MS).await;
        let all = Parallel::new().channel(either).channel(good).fail_limit(1).build().unwrap();
        assert_eq!(who(ask(&all).await), "a:1c:1a:1c:1");
    });
}

#[test]
fn dropped_channels_leave_no_tasks_behind() {
    run(async {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let cluster = Cluster::default();
        let (_tell, told) = Told::new();
        let never = cluster.channel("echo").servers(told).dynamically_partitioned().build().unwrap();
        let channel = in_list(&cluster, "a:1 0/2,b:1 1/2", 2).build().unwrap();
        assert_eq!(who(ask(&channel).await), "a:1b:1");
        drop((channel, never));
        tokio::time::sleep(10_000 * MS).await;
        assert_eq!(tasks(), 0);
    });
}
