//! Registering a server.

use super::agent::Agent;
use crate::common::http::Reply;
use polywire_naming::{Registered, Registration, State};
use serde_json::json;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const ID: &str = "echo-10.0.0.1:8000";

async fn registered(agent: &Agent) -> Registered {
    let registration =
        Registration::new(agent.consul()).address("10.0.0.1:8000").tag("blue").weight(3).zone("z1");
    let (mut registered, work) = registration.metadata("version", "7").start();
    tokio::spawn(work);
    registered.accepted().await;
    registered
}

#[tokio::test(start_paused = true)]
async fn a_server_is_announced_kept_and_withdrawn() {
    let agent = Agent::with(json!([]));
    let registered = registered(&agent).await;
    let entry = agent.state(|state| state.services[ID].clone());
    assert_eq!(entry["Name"], "echo");
    assert_eq!((&entry["Address"], &entry["Port"]), (&json!("10.0.0.1"), &json!(8000)));
    assert_eq!((&entry["Tags"], &entry["Weights"]["Passing"]), (&json!(["blue"]), &json!(3)));
    assert_eq!(entry["Meta"], json!({ "zone": "z1", "version": "7" }));
    assert_eq!((&entry["Check"]["TTL"], &entry["Check"]["Status"]), (&json!("15000ms"), &json!("passing")));

    sleep(Duration::from_secs(60)).await;
    let passes = agent.state(|state| state.passes[ID]);
    assert!((11..=12).contains(&passes), "{passes} passes in a minute");

    registered.withdraw().await;
    assert!(agent.state(|state| state.services.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_has_lost_its_state_is_told_again() {
    let agent = Agent::with(json!([]));
    let registered = registered(&agent).await;
    agent.state(|state| state.services.clear());
    sleep(Duration::from_secs(6)).await;
    assert!(agent.state(|state| state.services.contains_key(ID)));
    assert_eq!(registered.state(), State::Accepted);
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_is_away_for_long_is_told_soon_after_its_return() {
    let agent = Agent::with(json!([]));
    let registered = registered(&agent).await;
    agent.state(|state| {
        state.instead = Some(|| Reply::Reset);
        state.services.clear();
    });
    sleep(Duration::from_secs(600)).await;
    assert!(matches!(registered.state(), State::Failed(_)), "{registered:?}");
    agent.state(|state| state.instead = None);
    sleep(Duration::from_secs(7)).await;
    assert!(agent.state(|state| state.services.contains_key(ID)));
    assert_eq!(registered.state(), State::Accepted);
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_hangs_does_not_keep_a_server_from_stopping() {
    let agent = Agent::with(json!([]));
    let registered = registered(&agent).await;
    agent.state(|state| state.instead = Some(|| Reply::Hang));
    let begun = Instant::now();
    registered.withdraw().await;
    assert_eq!(begun.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_handle_is_dropped_is_withdrawn() {
    let agent = Agent::with(json!([]));
    drop(registered(&agent).await);
    sleep(Duration::from_secs(1)).await;
    assert!(agent.state(|state| state.services.is_empty()));
}

#[test]
fn a_url_without_a_service_is_refused() {
    for url in ["consul://", "consul://host:8500/"] {
        let why = polywire_registries::registration(url).expect_err(url).to_string();
        assert!(why.contains("name of the service is missing"), "{why}");
    }
    let why = polywire_registries::registration("list://a:1").unwrap_err().to_string();
    assert!(why.contains("consul://"), "{why}");
}
