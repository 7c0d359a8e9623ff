//! What a channel tells of its servers and its last calls.

use crate::cluster::*;
use polywire_balance::{FailurePercentage, Outliers};
use polywire_client::{Channel, Hedge, Resilience};
use std::time::Duration;
use tokio::task::JoinSet;

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_channel_says_why_its_calls_went_where_they_went() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Declines);
        cluster.set("b:1", Manner::AnswersAfter(3 * MS));
        cluster.set("c:1", Manner::AnswersAfter(3 * MS));
        let channel = cluster
            .channel("list://a:1,b:1 7,c:1")
            .resilience(Resilience::default().balancer("rr"))
            .build()
            .unwrap();
        let _ = shares(&channel, 200).await;
        tokio::time::sleep(1000 * MS).await;
        cluster.set("a:1", Manner::Refuses);
        tokio::time::sleep(500 * MS).await;
        let why = channel.why();
        assert_eq!((&*why.channel, why.protocol, &*why.balancer), ("list://a:1,b:1 7,c:1", "lab", "rr"));
        let [a, b, c] = &why.servers[..] else { panic!("{why}") };
        assert_eq!(
            (a.is_ready, &*a.state, a.last_error.as_deref()),
            (false, "unconnected", Some("connection refused"))
        );
        assert_eq!((b.is_ready, &*b.state, b.weight, &*b.tag), (true, "ready", Some(7), "7"));
        assert_eq!(a.calls + b.calls + c.calls, 200 + a.calls, "each was tried once at another server");
        assert_eq!((a.failed, b.failed, b.in_flight), (a.calls, 0, 0));
        assert!(why.calls.len() >= 3, "one in 64, and those that failed: {why}");
        let retried = why.calls.iter().find(|call| call.tries.len() > 1).expect("one that was tried again");
        assert_eq!(retried.method, "test.Service/Echo");
        assert_eq!((&*retried.tries[0].server, retried.tries.last().unwrap().end.as_str()), ("a:1", "ok"));
        assert!(retried.tries[0].end.contains("Unavailable"), "{why}");
        assert_eq!(retried.tries[1].candidates.len(), 3);
        let text = why.to_string();
        assert!(text.contains("a:1: unconnected, ") && text.contains("to a:1: Unavailable"), "{text}");
        let json: serde_json::Value = serde_json::from_str(&why.to_json()).unwrap();
        assert_eq!(json["servers"][1]["address"], "b:1");
        assert_eq!(json["calls"].as_array().unwrap().len(), why.calls.len());
    });
}

#[test]
fn calls_for_which_no_server_was_there_are_told_with_the_reason() {
    run(async {
        let cluster = Cluster::default();
        ["a:1", "b:1"].iter().for_each(|address| cluster.set(address, Manner::Refuses));
        let channel = cluster.channel("list://a:1,b:1").build().unwrap();
        let refused = ask(&channel).await.unwrap_err();
        let late = ask(&channel).wait_for_ready(true).timeout(5 * MS).await.unwrap_err();
        let why = channel.why();
        let [first, second] = &why.calls[..] else { panic!("{why}") };
        let [only] = &first.tries[..] else { panic!("{why}") };
        assert_eq!(
            (&*first.method, &*only.server, only.took),
            ("test.Service/Echo", "", Some(Duration::ZERO))
        );
        assert!(only.end.contains("none of 2 servers is ready") && refused.message().contains("none of 2"));
        let candidates: Vec<_> = only.candidates.iter().map(|one| (&*one.address, one.is_ready)).collect();
        assert_eq!(candidates, [("a:1", false), ("b:1", false)]);
        let [only] = &second.tries[..] else { panic!("{why}") };
        assert_eq!((&*only.server, only.after), ("", 5 * MS), "{why}");
        assert!(only.end.contains("DeadlineExceeded") && late.message().contains("none of 2"), "{why}");
        assert!(why.to_string().contains("after 0.0ns to no server: Unavailable: "), "{why}");
    });
}

#[test]
fn hedges_are_tries_of_the_same_call() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::AnswersAfter(900 * MS));
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("random").hedge(Hedge::after(20 * MS)))
            .build()
            .unwrap();
        for _ in 0..1280 {
            let _ = ask(&channel).await;
        }
        let why = channel.why();
        let hedged = why.calls.iter().find(|call| call.tries.len() == 2).expect("a hedged one");
        assert_eq!((hedged.tries[0].end.as_str(), hedged.tries[1].end.as_str()), ("given up", "ok"), "{why}");
        assert_eq!(hedged.tries[1].after, 20 * MS);
    });
}

#[test]
fn what_is_kept_is_bounded_and_cheap_texts_are_cut() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Declines);
        let channel =
            cluster.channel("list://a:1").resilience(Resilience::default().retries(20)).build().unwrap();
        for _ in 0..300 {
            assert!(ask(&channel).await.is_err());
        }
        let why = channel.why();
        assert_eq!(why.calls.len(), 128);
        assert!(why.calls.iter().all(|call| call.tries.len() <= 16), "{why}");
    });
}

/// All calls that wait for a server, or have failed once, are recorded. Only one in 64 of them counts for how
/// long calls take.
#[test]
fn calls_that_waited_or_failed_weigh_no_more_than_others() {
    run(async {
        let cluster = Cluster::default();
        // A server answers one call after the other: of those that come at once, all but the first take
        // longer than this.
        let slow_ones = async |channel: &Channel, calls| {
            cluster.set("a:1", Manner::AnswersAfter(60 * MS));
            let mut asked = JoinSet::new();
            (0..calls).for_each(|_| drop(asked.spawn(ask(channel).timeout(10_000 * MS).into_future())));
            while let Some(reply) = asked.join_next().await {
                assert_eq!(who(reply.unwrap()), "a:1");
            }
        };
        let quick_ones = async |channel: &Channel| {
            cluster.set("a:1", Manner::AnswersAfter(3 * MS));
            for _ in 0..1000 {
                assert_eq!(who(ask(channel).await), "a:1");
            }
        };
        let (tell, told) = Told::new();
        let channel = cluster.channel("echo").servers(told).build().unwrap();
        tokio::join!(slow_ones(&channel, 40), async { tell.send(servers(&["a:1"])).unwrap() });
        assert_eq!(channel.why().calls.len(), 40, "all are recorded: {}", channel.why());
        quick_ones(&channel).await;
        assert_eq!(channel.why().servers[0].p50, Some(3 * MS), "{}", channel.why());

        let random = Resilience::default().balancer("random");
        let channel = cluster.channel("list://a:1,b:1").resilience(random).build().unwrap();
        ask(&channel).await.unwrap();
        tokio::time::sleep(10 * MS).await; // both are connected, so no call waits
        cluster.set("b:1", Manner::Declines);
        slow_ones(&channel, 80).await;
        assert!(channel.why().servers[1].failed > 20, "{}", channel.why());
        cluster.set("b:1", Manner::Refuses);
        quick_ones(&channel).await;
        assert_eq!(channel.why().servers[0].p50, Some(3 * MS), "{}", channel.why());
    });
}

#[test]
fn a_channel_with_one_address_has_one_server() {
    run(async {
        let cluster = Cluster::default();
        let channel = cluster.channel("a:1").build().unwrap();
        assert_eq!(who(ask(&channel).await), "a:1");
        let why = channel.why();
        assert_eq!((why.servers.len(), why.servers[0].connections, why.servers[0].is_ready), (1, 1, true));
        assert!(why.calls.is_empty());
    });
}

#[test]
fn each_server_has_its_own_times_and_what_happens_to_it_is_an_event() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("lost:1", Manner::Refuses);
        cluster.set("quick:1", Manner::AnswersAfter(3 * MS));
        cluster.set("slow:1", Manner::AnswersAfter(60 * MS));
        const NAME: &str = "list://lost:1,quick:1,slow:1";
        let channel = cluster.channel(NAME).resilience(Resilience::default().balancer("rr")).build().unwrap();
        let _ = shares(&channel, 2000).await;
        let why = channel.why();
        let [lost, quick, slow] = &why.servers[..] else { panic!("{why}") };
        assert_eq!((quick.p50, slow.p50), (Some(3 * MS), Some(60 * MS)), "{why}");
        assert!(slow.p99 >= slow.p50, "{why}");
        assert!(lost.unconnected_for > Some(Duration::ZERO) && quick.unconnected_for.is_none(), "{why}");
        let events = |what: &str| events(|text| text.starts_with(&format!("{NAME}: lost:1 {what}")));
        assert_eq!((events("is lost: connection refused"), events("is connected again")), (1, 0), "{why}");
        cluster.set("lost:1", Manner::AnswersAfter(3 * MS));
        tokio::time::sleep(Duration::from_secs(30)).await;
        assert_eq!((events("is lost: connection refused"), events("is connected again after ")), (1, 1));
        let why = channel.why();
        assert_eq!((why.servers[0].is_ready, why.servers[0].unconnected_for), (true, None), "{why}");
    });
}

#[test]
fn servers_that_are_taken_out_and_back_are_events() {
    run(async {
        let cluster = Cluster::default();
        const NAME: &str = "list://out:1,in:1,in:2";
        cluster.set("out:1", Manner::Fails);
        let judge = FailurePercentage::default().minimum_hosts(2).request_volume(10);
        let outliers = Outliers::default().interval(MS * 1000).max_percent(40).failure_percentage(judge);
        let resilience = Resilience::default().balancer("rr").outliers(outliers);
        let channel = cluster.channel(NAME).resilience(resilience).build().unwrap();
        for _ in 0..300 {
            let _ = ask(&channel).await;
        }
        let events = |what: &str| events(|text| text == format!("{NAME}: out:1 was {what}"));
        tokio::time::sleep(MS * 3000).await;
        assert_eq!((events("ejected as an outlier"), events("taken back")), (1, 0), "{}", channel.why());
        cluster.set("out:1", Manner::Answers);
        tokio::time::sleep(MS * 40_000).await;
        assert_eq!((events("ejected as an outlier"), events("taken back")), (1, 1), "{}", channel.why());
    });
}
