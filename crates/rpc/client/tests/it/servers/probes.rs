//! What the balancer `prequal` asks the servers, and what it makes of the answers.

use crate::cluster::*;
use polywire_client::{Channel, NoProtocols, Resilience};
use polywire_wire::{Protocol, ProtocolSet};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);
const ALL: [&str; 4] = ["a:1", "b:1", "c:1", "d:1"];
const LIST: &str = "list://a:1,b:1,c:1,d:1";

/// Servers that answer probes; `d:1` has much to do for others.
fn loaded() -> Cluster {
    let cluster = Cluster::default();
    ALL.iter().for_each(|address| cluster.load(address, Some(1)));
    cluster.load("d:1", Some(100));
    ALL.iter().for_each(|address| cluster.set(address, Manner::AnswersAfter(MS)));
    cluster
}

fn probes(cluster: &Cluster) -> usize {
    ALL.iter().map(|address| cluster.probes(address)).sum()
}

#[test]
fn a_server_that_is_loaded_by_others_gets_few_calls_and_probes_keep_their_rate() {
    run(async {
        let cluster = loaded();
        let channel =
            cluster.channel(LIST).resilience(Resilience::default().balancer("prequal")).build().unwrap();
        let shares = shares(&channel, 1000).await;
        assert!(shares.get("d:1").is_none_or(|calls| *calls < 50), "{shares:?}");
        assert!(shares["a:1"] > 100 && shares["b:1"] > 100 && shares["c:1"] > 100, "{shares:?}");
        let sent = probes(&cluster);
        assert!((1900..=2010).contains(&sent), "two for each call: {sent}");
        let why = channel.why();
        assert!(why.servers.iter().all(|one| one.probes > 300 && one.probes_answered > 300), "{why}");
        assert!(why.to_string().contains("probes answered"), "{why}");
    });
}

#[test]
fn no_other_balancer_asks() {
    run(async {
        let cluster = loaded();
        for balancer in ["p2c", "rr", "la", "least_request", "weighted_round_robin"] {
            let _ = shares(
                &cluster.channel(LIST).resilience(Resilience::default().balancer(balancer)).build().unwrap(),
                100,
            )
            .await;
        }
        assert_eq!(probes(&cluster), 0);
    });
}

#[test]
fn a_server_that_does_not_know_probes_is_left_alone_for_a_minute() {
    run(async {
        let cluster = Cluster::default();
        ALL.iter().for_each(|address| cluster.set(address, Manner::AnswersAfter(MS)));
        let channel =
            cluster.channel(LIST).resilience(Resilience::default().balancer("prequal")).build().unwrap();
        let _ = shares(&channel, 500).await;
        let first = probes(&cluster);
        assert!((4..=12).contains(&first), "{first}");
        tokio::time::sleep(61_000 * MS).await;
        let _ = shares(&channel, 500).await;
        let more = probes(&cluster) - first;
        assert!((4..=12).contains(&more), "{more}");
    });
}

#[test]
fn probes_that_are_not_answered_cost_no_call_and_are_bounded() {
    run(async {
        let cluster = loaded();
        ALL.iter().for_each(|address| cluster.load(address, None));
        let channel =
            cluster.channel(LIST).resilience(Resilience::default().balancer("prequal")).build().unwrap();
        let begun = tokio::time::Instant::now();
        let _ = shares(&channel, 500).await;
        let took = begun.elapsed();
        assert!(took < 1100 * MS, "{took:?}");
        // Eight of each of four servers in 25 ms.
        let most = 32 * (took.as_millis() as usize / 25 + 1);
        let sent = probes(&cluster);
        assert!(sent > 100 && sent <= most, "{sent} of {most}");
    });
}

#[test]
fn probes_end_with_the_channel() {
    run(async {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let cluster = loaded();
        ALL.iter().for_each(|address| cluster.load(address, None));
        let channel =
            cluster.channel(LIST).resilience(Resilience::default().balancer("prequal")).build().unwrap();
        let _ = shares(&channel, 20).await;
        drop(channel);
        tokio::time::sleep(26 * MS).await;
        assert_eq!(tasks(), 0);
    });
}

#[test]
fn blocking_calls_are_told_the_load_as_well() {
    let cluster = loaded();
    ALL.iter().for_each(|address| cluster.set(address, Manner::Answers));
    let channel =
        cluster.channel(LIST).resilience(Resilience::default().balancer("prequal")).build().unwrap();
    let mut calls = 0;
    while channel.why().servers.iter().any(|one| one.probes_answered == 0) {
        assert!(calls < 100_000, "no answers: {}", channel.why());
        let _ = who(ask(&channel).blocking());
        calls += 1;
    }
}

#[test]
fn prequal_is_refused_over_protocols_that_carry_no_probes() {
    static NOVA: Protocol = Protocol {
        name: "nova_pbrpc",
        any_service: false,
        machine: Some(|_| unreachable!("no channel is made")),
        ..Protocol::DEFAULT
    };
    static ONE: [&Protocol; 1] = [&NOVA];
    let builder =
        Channel::<NoProtocols>::builder(LIST).protocol_set(ProtocolSet::new(&ONE)).protocol("nova_pbrpc");
    let said = builder
        .resilience(Resilience::default().balancer("prequal"))
        .build()
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(said.contains("prequal") && said.contains("nova_pbrpc"), "{said}");
}
