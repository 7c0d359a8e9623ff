//! Registering a server.

use super::server::{NO_AUTH, Server};
use polywire_naming::{Registered, Registration, State};
use polywire_registries::zookeeper::ZooKeeper;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const NODE: &str = "/services/echo/10.0.0.1:8000";

async fn registered(zookeeper: ZooKeeper) -> Registered {
    let (mut registered, work) = Registration::new(zookeeper).address("10.0.0.1:8000").weight(3).start();
    tokio::spawn(work);
    registered.accepted().await;
    registered
}

fn is_there(server: &Server) -> bool {
    server.state(|state| state.nodes.contains_key(NODE))
}

fn created(server: &Server) -> usize {
    server.state(|state| state.seen.iter().filter(|seen| **seen == format!("create {NODE}")).count())
}

#[tokio::test(start_paused = true)]
async fn a_server_is_announced_kept_and_withdrawn() {
    let server = Server::with(&[]);
    let registered = registered(server.zookeeper()).await;
    let data = server.state(|state| String::from_utf8(state.nodes[NODE].data.clone()).unwrap());
    assert_eq!(data, r#"{"Addr":"10.0.0.1:8000","Op":0,"weight":3}"#);

    sleep(Duration::from_secs(600)).await;
    assert!(is_there(&server));
    assert_eq!(server.sessions(), 1);

    registered.withdraw().await;
    assert!(!is_there(&server));
    assert_eq!(server.sessions(), 0);
    assert!(server.state(|state| state.nodes.contains_key("/services/echo")), "the nodes above stay");
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_leaves_the_node_where_it_is() {
    let server = Server::with(&[]);
    let registered = registered(server.zookeeper()).await;
    let before = created(&server);
    server.crash();
    sleep(Duration::from_secs(3)).await;
    server.revive();
    sleep(Duration::from_secs(30)).await;
    assert!(is_there(&server));
    assert_eq!((created(&server), server.sessions()), (before, 1), "the session goes on");
    assert_eq!(registered.state(), State::Accepted);
}

#[tokio::test(start_paused = true)]
async fn a_node_whose_session_has_expired_is_made_again() {
    let server = Server::with(&[]);
    let registered = registered(server.zookeeper()).await;
    server.expire_all();
    assert!(!is_there(&server));
    sleep(Duration::from_secs(2)).await;
    assert!(is_there(&server));
    assert_eq!(registered.state(), State::Accepted);
}

#[tokio::test(start_paused = true)]
async fn a_zookeeper_that_has_lost_its_data_is_told_again() {
    let server = Server::with(&[]);
    let registered = registered(server.zookeeper()).await;
    server.crash();
    server.forget();
    server.revive();
    sleep(Duration::from_secs(6)).await;
    assert!(is_there(&server));
    registered.withdraw().await;
    assert!(!is_there(&server));
}

#[tokio::test(start_paused = true)]
async fn a_node_that_somebody_deletes_is_made_again() {
    let server = Server::with(&[]);
    let _registered = registered(server.zookeeper()).await;
    server.delete(NODE);
    sleep(Duration::from_secs(2)).await;
    assert!(is_there(&server));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_comes_back_takes_its_node_over() {
    let server = Server::with(&[]);
    // Of a life that was ended by `kill -9`: nobody withdraws it.
    let registration = Registration::new(server.zookeeper()).address("10.0.0.1:8000");
    let (mut first, work) = registration.start();
    let work = tokio::spawn(work);
    first.accepted().await;
    work.abort();
    let second = registered(server.zookeeper()).await;
    sleep(Duration::from_secs(60)).await; // the first session expires
    assert!(is_there(&server));
    assert_eq!(server.sessions(), 1);
    second.withdraw().await;
    assert!(!is_there(&server));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_killed_disappears_with_its_session() {
    let server = Server::with(&[]);
    let (mut registered, work) = Registration::new(server.zookeeper()).address("10.0.0.1:8000").start();
    let work = tokio::spawn(work);
    registered.accepted().await;
    work.abort();
    sleep(Duration::from_secs(11)).await;
    assert!(!is_there(&server));
}

#[tokio::test(start_paused = true)]
async fn a_zookeeper_that_hangs_does_not_keep_a_server_from_stopping() {
    let server = Server::with(&[]);
    let registered = registered(server.zookeeper()).await;
    server.run(false);
    let begun = Instant::now();
    registered.withdraw().await;
    assert!(begun.elapsed() <= Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn with_a_password_the_node_is_ours_and_others_read_it() {
    let server = Server::with(&[]);
    server.state(|state| state.user = Some("ann:hush"));
    let _registered = registered(server.zookeeper().digest("ann", "hush")).await;
    let access = server.state(|state| state.nodes[NODE].access.clone());
    let expected = [(31, "auth", ""), (1, "world", "anyone")];
    assert_eq!(access, expected.map(|(may, scheme, id)| (may, scheme.to_owned(), id.to_owned())));
}

#[tokio::test(start_paused = true)]
async fn a_path_that_is_not_allowed_is_told() {
    let server = Server::with(&[]);
    server.state(|state| state.user = Some("ann:hush"));
    let registration = Registration::new(server.zookeeper()).address("10.0.0.1:8000");
    let (registered, work) = registration.start();
    tokio::spawn(work);
    sleep(Duration::from_secs(1)).await;
    let State::Failed(why) = registered.state() else { panic!("{:?}", registered.state()) };
    assert!(why.to_string().contains(&format!("ZooKeeper answered {NO_AUTH}")), "{why}");
}
