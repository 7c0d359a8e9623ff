//! Servers that fail.

use crate::cluster::*;
use polywire_balance::BreakerSettings;
use polywire_call::{Native, brpc};
use polywire_client::{Resilience, Retries};
use std::time::Duration;
use tokio::time::{Instant, sleep};

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
            // A balancer that keeps to its servers, whatever they answer; without keys it draws.
            let breaker = breaks.then(|| BreakerSettings::default().short_window(20, 10).long_window(40, 5));
            let resilience = Resilience::default().balancer("ring_hash").breaker(breaker);
            let channel = cluster.channel("list://a:1,b:1,c:1").resilience(resilience).build().unwrap();
            let mut failed = 0;
            for _ in 0..3000 {
                failed += usize::from(ask(&channel).await.is_err());
            }
            failed
        };
        let without = failed(false).await;
        assert!((700..=1300).contains(&without), "{without}");
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
            let channel = cluster
                .channel("list://a:1")
                .resilience(Resilience::default().retries(3).retry_budget(retries))
                .build()
                .unwrap();
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
        let channel = cluster
            .channel("echo")
            .servers(told)
            .resilience(Resilience::default().balancer(recovery))
            .build()
            .unwrap();
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

const TEN: [&str; 10] = ["a:1", "b:1", "c:1", "d:1", "e:1", "f:1", "g:1", "h:1", "i:1", "j:1"];

/// All servers are gone for so long, while calls are made at intervals, or none. Returns how long after their
/// return the last call failed, and the attempts to connect to one of them meanwhile, on average.
async fn all_gone_for(outage: Duration, gap: Option<Duration>) -> (Duration, usize) {
    let cluster = Cluster::default();
    let channel = cluster.channel(&format!("list://{}", TEN.join(","))).build().unwrap();
    while TEN.iter().any(|address| cluster.connects(address) == 0) {
        let _ = ask(&channel).await;
    }
    let connects = || TEN.iter().map(|address| cluster.connects(address)).sum::<usize>();
    let before = connects();
    TEN.iter().for_each(|address| cluster.set(address, Manner::Refuses));
    while ask(&channel).retries(0).await.is_ok() || channel.why().servers.iter().any(|server| server.is_ready)
    {
    }
    let begun = Instant::now();
    while begun.elapsed() < outage {
        match gap {
            Some(gap) => {
                let _ = ask(&channel).await;
                sleep(gap).await;
            }
            None => sleep(outage).await,
        }
    }
    let attempts = (connects() - before) / TEN.len();
    TEN.iter().for_each(|address| cluster.set(address, Manner::Answers));
    let back = Instant::now();
    while ask(&channel).await.is_err() {
        sleep(gap.unwrap_or(MS)).await;
    }
    (back.elapsed(), attempts)
}

#[test]
fn after_an_outage_calls_succeed_again_within_a_quarter_of_it() {
    for seconds in [1, 2, 5] {
        for gap in [MS, 50 * MS] {
            let outage = Duration::from_secs(seconds);
            let (late, attempts) = run(all_gone_for(outage, Some(gap)));
            assert!(late < outage / 4, "{late:?} after {outage:?}");
            assert!((2..=16).contains(&attempts), "{attempts} attempts in {outage:?}");
        }
    }
}

#[test]
fn servers_that_are_gone_for_long_and_those_that_no_call_needs_are_tried_seldom() {
    let minute = Duration::from_secs(60);
    let (_, attempts) = run(all_gone_for(minute, Some(10 * MS)));
    assert!(attempts <= 40, "{attempts} attempts in a minute of calls");
    let (_, attempts) = run(all_gone_for(minute, None));
    assert!((15..=27).contains(&attempts), "{attempts} attempts in a minute without calls");
    let (_, attempts) = run(all_gone_for(Duration::from_secs(2), None));
    assert!(attempts <= 5, "{attempts} attempts in 2 s without calls");
}

#[test]
fn a_call_that_waits_hurries_the_servers_as_many_calls_do() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Refuses);
        let channel = cluster.channel("list://a:1").timeout(60_000 * MS).build().unwrap();
        let waits = tokio::spawn(ask(&channel).wait_for_ready(true).into_future());
        sleep(4000 * MS).await;
        cluster.set("a:1", Manner::Answers);
        let back = Instant::now();
        assert_eq!(who(waits.await.unwrap()), "a:1");
        assert!(back.elapsed() <= 1250 * MS, "{:?}", back.elapsed());
        assert!((6..=16).contains(&cluster.connects("a:1")), "{}", cluster.connects("a:1"));
    });
}

/// Its calls would have to be taken by the others, which have as much to do.
#[test]
fn a_server_that_is_overloaded_is_not_isolated() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("b:1", Manner::HasTooMuch);
        let settings = BreakerSettings::default().short_window(20, 10).long_window(40, 5);
        let channel = cluster
            .channel("list://a:1,b:1")
            .resilience(Resilience::default().balancer("rr").retries(0).breaker(settings));
        let channel = channel.build().unwrap();
        let mut refused = 0;
        for _ in 0..1000 {
            refused += usize::from(ask(&channel).await.is_err());
        }
        assert!((450..=550).contains(&refused), "{refused}");
    });
}

#[test]
fn a_caller_whose_requests_fail_isolates_half_of_the_servers_at_most() {
    run(async {
        let names = ["a:1", "b:1", "c:1", "d:1"];
        // The calls of others that fail, and the most servers that are out at a time.
        let attacked = async |max_percent: u32, gone: usize| {
            let cluster = Cluster::default();
            let settings = BreakerSettings::default().short_window(20, 10).long_window(40, 5);
            let resilience = Resilience::default().balancer("rr").retries(0);
            let breaker = settings.max_percent(max_percent);
            let channel = cluster.channel("list://a:1,b:1,c:1,d:1").resilience(resilience.breaker(breaker));
            let channel = channel.build().unwrap();
            shares(&channel, 20).await;
            names[..gone].iter().for_each(|name| cluster.set(name, Manner::Refuses));
            for _ in 0..8 {
                let _ = ask(&channel).await; // one of them is lost with its connection
            }
            let (mut failed, mut most) = (0, 0);
            for _ in 0..500 {
                names[gone..].iter().for_each(|name| cluster.set(name, Manner::Fails));
                for _ in 0..4 {
                    let _ = ask(&channel).await;
                }
                names[gone..].iter().for_each(|name| cluster.set(name, Manner::Answers));
                failed += usize::from(ask(&channel).await.is_err());
                let out = channel.why().servers.iter().filter(|server| !server.is_ready).count();
                most = most.max(out);
                tokio::time::sleep(MS).await;
            }
            (failed, most)
        };
        let (failed, most) = attacked(100, 0).await;
        assert!(failed > 50 && most == 4, "as in brpc: {failed} failed, {most} out");
        assert_eq!(attacked(50, 0).await, (0, 2));
        assert_eq!(attacked(50, 1).await, (0, 2), "one is out of reach");
        assert_eq!(attacked(0, 0).await, (0, 0));
    });
}

#[test]
fn connections_that_end_in_order_after_a_reply_cost_no_pause() {
    run(async {
        for (name, manner) in [
            ("list://a:1", Manner::AnswersOnce),
            ("list://a:1", Manner::FailsOnce),
            ("list://a:1,b:1", Manner::AnswersOnce),
        ] {
            let cluster = Cluster::default();
            ["a:1", "b:1"].iter().for_each(|server| cluster.set(server, manner));
            let channel = cluster.channel(name).resilience(Resilience::default().balancer("rr").retries(0));
            let channel = channel.build().unwrap();
            let begun = Instant::now();
            for n in 0..50 {
                let said = ask(&channel).await;
                let number = said.as_ref().err().map(|why| why.native());
                let expected = (manner == Manner::FailsOnce).then_some(Native::Brpc(brpc::EINTERNAL));
                assert_eq!(number, expected, "{name}, call {n}: {said:?}");
                for _ in 0..10 {
                    tokio::task::yield_now().await; // the end is noticed before the next call, or is not
                }
            }
            assert_eq!(begun.elapsed(), Duration::ZERO, "{name}");
        }
    });
}

#[test]
fn connections_that_end_without_a_reply_are_not_made_again_at_once() {
    run(async {
        let cluster = Cluster::default();
        cluster.set("a:1", Manner::Ends);
        let channel =
            cluster.channel("list://a:1").resilience(Resilience::default().retries(0)).build().unwrap();
        for _ in 0..50 {
            assert!(ask(&channel).await.is_err());
        }
        assert!(cluster.connects("a:1") < 5, "{}", cluster.connects("a:1"));
    });
}
