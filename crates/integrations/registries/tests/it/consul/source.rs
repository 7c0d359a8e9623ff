//! Watching a service.

use super::agent::{Agent, entry};
use crate::common::{addresses, hostile, http::Reply, servers, start, until, until_error, watched};
use polywire_naming::Source;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

fn one(port: u16) -> Value {
    json!([entry("10.0.0.1", port)])
}

#[tokio::test(start_paused = true)]
async fn a_service_is_followed_by_blocking_queries() {
    let agent = Agent::with(one(1));
    let mut watched = watched(agent.consul()).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:1"]);

    agent.set(json!([entry("10.0.0.1", 1), entry("10.0.0.2", 2)]));
    until(&mut watched, &["10.0.0.1:1", "10.0.0.2:2"]).await;

    agent.set(json!([]));
    until(&mut watched, &[]).await;

    let seen = agent.state(|state| state.seen.clone());
    assert_eq!(seen[0], "GET /v1/health/service/echo?passing=&stale=");
    assert_eq!(seen[1], "GET /v1/health/service/echo?index=10&passing=&stale=&wait=60s");
    assert!(seen[2].contains("index=20"), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn an_entry_says_weight_tag_zone_and_metadata() {
    let mut full = entry("2001:db8::1", 80);
    full["Service"]["Tags"] = json!(["blue", "second"]);
    full["Service"]["Meta"] = json!({ "zone": "z1", "version": "7" });
    full["Service"]["Weights"]["Passing"] = json!(5);
    let bare = entry("", 81);
    let watched = watched(Agent::with(json!([full, bare])).consul()).await;

    let [bare, full] = &servers(&watched)[..] else { panic!("{watched:?}") };
    assert_eq!(
        (full.address.as_str(), full.tag.as_str(), full.weight),
        ("[2001:db8::1]:80", "blue", Some(5))
    );
    assert_eq!((full.zone.as_deref(), full.metadata["version"].as_str()), (Some("z1"), "7"));
    // The node's address stands in, its datacenter is the zone, and a weight of 1 is left to the tag.
    assert_eq!(
        (bare.address.as_str(), bare.zone.as_deref(), bare.weight),
        ("10.9.9.9:81", Some("dc1"), None)
    );
}

#[tokio::test(start_paused = true)]
async fn an_index_that_goes_backwards_is_reset() {
    let agent = Agent::with(one(1));
    agent.state(|state| state.index = 1000);
    let mut watched = watched(agent.consul()).await;

    // The agent has lost its state: a query that went on with index 1000 would find no change for long.
    agent.state(|state| (state.index, state.entries) = (3, one(2)));
    until(&mut watched, &["10.0.0.1:2"]).await;
    sleep(Duration::from_secs(1)).await;

    let seen = agent.state(|state| state.seen.clone());
    assert!(!seen[2].contains("index="), "{seen:?}");
    assert!(seen[3].contains("index=3"), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn bad_answers_leave_the_last_good_set_and_are_told() {
    let agent = Agent::with(one(1));
    let mut watched = watched(agent.consul()).await;
    let cases: [(fn() -> Reply, &str); 7] = [
        (|| Reply::json("{}").with("X-Consul-Index", 99), "not a JSON array"),
        (|| Reply::json("[{\"Service\":").with("X-Consul-Index", 98), "not a JSON array"),
        (|| Reply::json("[]"), "no X-Consul-Index"),
        (
            || Reply::json(r#"[{"Service":{"Port":"x"}}, 7, null]"#).with("X-Consul-Index", 97),
            "no entry can be read; 3 were bad",
        ),
        (|| Reply::status(500, "No cluster leader"), "No cluster leader"),
        (|| Reply::Bytes(b"SSH-2.0-OpenSSH\r\n".to_vec()), "INTERNAL"),
        (|| Reply::Reset, "UNAVAILABLE"),
    ];
    for (instead, expected) in cases {
        agent.state(|state| {
            state.instead = Some(instead);
            state.index += 1; // wakes the query that is held back
        });
        until_error(&mut watched, expected).await;
        assert_eq!(addresses(&watched), ["10.0.0.1:1"], "{expected}");

        agent.state(|state| state.instead = None);
        while watched.error().is_some() {
            watched.changed().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_attacker_in_place_of_the_agent_does_no_harm() {
    let agent = Agent::with(one(1));
    let mut watched = watched(agent.consul()).await;
    hostile::do_no_harm(&mut watched, |instead| {
        agent.state(|state| {
            state.instead = instead;
            state.index += 1; // wakes the query that is held back
        });
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn bad_entries_are_left_out() {
    let bad_port = entry("10.0.0.2", 0);
    let bad_host = entry("not a host", 1);
    let mut no_port = entry("10.0.0.3", 1);
    no_port["Service"]["Port"] = json!("http");
    let mut watched =
        watched(Agent::with(json!([bad_port, bad_host, no_port, 7, entry("10.0.0.1", 1)])).consul()).await;
    until(&mut watched, &["10.0.0.1:1"]).await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_entries_are_read() {
    let all: Vec<_> = (0..10_000).map(|n| entry(&format!("10.1.{}.{}", n / 250, n % 250), 80)).collect();
    let watched = watched(Agent::with(Value::Array(all)).consul()).await;
    assert_eq!(addresses(&watched).len(), 10_000);
}

#[tokio::test(start_paused = true)]
async fn a_service_that_changes_all_the_time_is_asked_ten_times_a_second() {
    let agent = Agent::with(one(1));
    agent.state(|state| state.restless = true);
    let _watched = watched(agent.consul()).await;
    sleep(Duration::from_secs(10)).await;
    let queries = agent.state(|state| state.seen.len());
    assert!((90..=101).contains(&queries), "{queries} queries in 10 s");
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_hangs_is_given_up_after_the_wait() {
    let agent = Agent::with(one(1));
    let begun = Instant::now();
    agent.state(|state| state.instead = Some(|| Reply::Hang));
    let mut watched = start(agent.consul());
    until_error(&mut watched, "DEADLINE_EXCEEDED").await;
    assert_eq!(begun.elapsed().as_secs(), 70);

    agent.state(|state| state.instead = None);
    until(&mut watched, &["10.0.0.1:1"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_restarted_agent_is_found_again() {
    let agent = Agent::with(one(1));
    let web = agent.web();
    let consul = polywire_registries::consul::Consul::open("echo").unwrap().dial(&web.dial()).unwrap();
    let mut watched = watched(consul).await;

    web.crash();
    until_error(&mut watched, "UNAVAILABLE").await;
    assert_eq!(addresses(&watched), ["10.0.0.1:1"]);

    agent.state(|state| (state.index, state.entries) = (1, one(7)));
    web.revive();
    until(&mut watched, &["10.0.0.1:7"]).await;
}

#[tokio::test(start_paused = true)]
async fn the_token_is_a_field_and_no_message_shows_it() {
    let agent = Agent::with(one(1));
    agent.state(|state| state.token = Some("s3cret".into()));
    let allowed = agent.at("echo?passing&token=s3cret");
    assert!(
        !Source::name(&allowed).contains("s3cret")
            && !format!("{:?}", Source::name(&allowed)).contains("token")
    );
    watched(allowed).await;
    assert!(agent.state(|state| state.seen.iter().all(|line| !line.contains("s3cret"))));

    let mut refused = start(agent.at("echo?token=other"));
    until_error(&mut refused, "403 X: Permission denied").await;
    assert!(!format!("{refused:?}").contains("other"));
}
