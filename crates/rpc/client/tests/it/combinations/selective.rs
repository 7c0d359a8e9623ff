//! Selective channels: every call goes to one channel, and to another one if that fails.

use crate::cluster::*;
use polywire_call::{Code, brpc};
use polywire_client::{Channel, Parallel, Resilience, Selective};
use std::time::Duration;
use tokio::time::Instant;

const MS: Duration = Duration::from_millis(1);

fn to(cluster: &Cluster, address: &str) -> Channel {
    cluster.channel(address).resilience(Resilience::default().retries(0)).build().unwrap()
}

fn either(cluster: &Cluster, addresses: &[&str]) -> Selective {
    let add = |selective: Selective, address: &&str| selective.channel(to(cluster, address));
    addresses.iter().fold(Selective::new(), add)
}

#[test]
fn calls_are_shared_by_the_channels() {
    run(async {
        let cluster = Cluster::default();
        let channel = either(&cluster, &["a:1", "b:1", "list://c:1,d:1"]).build().unwrap();
        let shares = shares(&channel, 60).await;
        assert_eq!((shares["a:1"], shares["b:1"]), (20, 20), "{shares:?}");
        assert_eq!(shares.values().sum::<usize>(), 60);
        let channel = Selective::new().weighted(to(&cluster, "a:1"), 9).weighted(to(&cluster, "b:1"), 1);
        let channel = channel.balancer("wrr").build().unwrap();
        assert_eq!(crate::cluster::shares(&channel, 100).await["a:1"], 90);
    });
}

#[test]
fn a_call_that_fails_on_one_channel_goes_to_another() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Declines));
        let channel = either(&cluster, &["a:1", "b:1", "c:1"]).build().unwrap();
        assert_eq!(shares(&channel, 20).await["c:1"], 20);
        let fails = [ask(&channel).retries(0).await.is_err(), ask(&channel).retries(0).await.is_err()];
        assert!(fails.contains(&true), "without retries some fail");
    });
}

#[test]
fn a_channel_without_servers_that_are_ready_is_left_out_until_it_has_some() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let channel = either(&cluster, &["list://a:1,b:1", "c:1"]).build().unwrap();
        let _ = (ask(&channel).retries(0).await, ask(&channel).retries(0).await, ask(&channel).await);
        for _ in 0..10 {
            assert_eq!(who(ask(&channel).await), "c:1");
        }
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Answers));
        tokio::time::sleep(10_000 * MS).await;
        assert_eq!(shares(&channel, 10).await["c:1"], 5);
    });
}

#[test]
fn when_no_channel_is_ready_the_error_is_one_of_theirs_and_patient_calls_wait() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let channel = either(&cluster, &["a:1", "b:1"]).build().unwrap();
        let why = ask(&channel).await.unwrap_err();
        assert!(why.code() == Code::Unavailable && why.message().contains("cannot connect to"), "{why}");
        let later = async {
            tokio::time::sleep(5000 * MS).await;
            cluster.set("b:1", Manner::Answers);
        };
        let patient = ask(&channel).wait_for_ready(true).timeout(60_000 * MS);
        let (reply, ()) = tokio::join!(patient, later);
        let _ = who(reply);
    });
}

#[test]
fn the_deadline_holds_for_all_attempts() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::AnswersAfter(5000 * MS)));
        let channel = either(&cluster, &["a:1", "b:1"]).timeout(200 * MS).build().unwrap();
        let begun = Instant::now();
        let why = ask(&channel).await.unwrap_err();
        assert_eq!((why.code(), begun.elapsed().as_millis()), (Code::DeadlineExceeded, 200));
        assert!(why.message().starts_with("deadline exceeded after 200 ms: 1 try, "), "{why}");
    });
}

#[test]
fn channels_come_and_go_while_calls_are_made() {
    run(async {
        let cluster = Cluster::default();
        let (channel, selection) = either(&cluster, &["a:1"]).build_changeable().unwrap();
        let number = selection.add(&to(&cluster, "b:1"), None).unwrap();
        assert_eq!(shares(&channel, 10).await["b:1"], 5);
        cluster.set("a:1", Manner::AnswersAfter(100 * MS));
        let reply = async {
            loop {
                let reply = who(ask(&channel).await);
                if reply == "a:1" {
                    return reply;
                }
            }
        };
        let remove = async {
            tokio::time::sleep(50 * MS).await;
            assert!(selection.remove(0) && !selection.remove(0));
        };
        let (reply, ()) = tokio::join!(reply, remove);
        assert_eq!(reply, "a:1", "a call on a channel that is removed goes on");
        assert_eq!(shares(&channel, 10).await["b:1"], 10);
        assert!(selection.remove(number));
        let why = ask(&channel).await.unwrap_err();
        assert_eq!((brpc::number(&why), why.message()), (brpc::EHOSTDOWN, "selective: it has no channels"));
    });
}

#[test]
fn streams_go_to_one_of_the_channels() {
    run(async {
        let channel = either(&Cluster::default(), &["a:1"]).build().unwrap();
        assert!(channel.stream(ECHO).await.is_ok());
    });
}

#[test]
fn options_are_checked() {
    let said = |selective: Selective| selective.build().map(|_| ()).unwrap_err().to_string();
    assert!(said(Selective::new()).contains("selective of no channels"));
    run(async {
        let cluster = Cluster::default();
        assert!(said(either(&cluster, &["a:1"]).balancer("round")).contains("no such balancer"));
        assert!(said(either(&cluster, &["a:1"]).timeout(Duration::ZERO)).contains("timeout is zero"));
        let json = cluster.channel("b:1").content(polywire_call::Content::JSON).build().unwrap();
        let said = said(either(&cluster, &["a:1"]).channel(json));
        assert!(said.contains("on b:1 (lab): give both the same Builder::content(..)"), "{said}");
    });
}

#[test]
fn plain_threads_are_served_too() {
    let cluster = Cluster::default();
    cluster.set("a:1", Manner::Refuses);
    let channel = either(&cluster, &["a:1", "b:1"]).build().unwrap();
    for _ in 0..10 {
        assert_eq!(who(ask(&channel).blocking()), "b:1");
    }
}

#[test]
fn selective_and_parallel_channels_nest() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "c:1"].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let legs = [["a:1", "b:1"], ["c:1", "d:1"]].map(|leg| either(&cluster, &leg).build().unwrap());
        let [one, other] = legs;
        let channel = Parallel::new().channel(one).channel(other).fail_limit(1).build().unwrap();
        for _ in 0..4 {
            assert_eq!(who(ask(&channel).await), "b:1d:1", "each leg finds its server");
        }
        let broken =
            Parallel::new().channel(to(&cluster, "a:1")).channel(to(&cluster, "c:1")).build().unwrap();
        let channel = Selective::new().channel(broken).channel(channel).build().unwrap();
        for _ in 0..4 {
            assert_eq!(who(ask(&channel).await), "b:1d:1", "nothing was sent to the first");
        }
    });
}
