//! Registering a server.

use super::store::{Network, Store};
use polywire_naming::{Registered, Registration, State};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const KEY: &[u8] = b"services/echo/10.0.0.1:8000";

async fn registered(store: &Store, net: &Network) -> Registered {
    let registration = Registration::new(store.etcd(net)).address("10.0.0.1:8000").weight(3);
    let (mut registered, work) = registration.start();
    tokio::spawn(work);
    registered.accepted().await;
    registered
}

fn is_there(store: &Store) -> bool {
    store.state(|state| state.keys.contains_key(KEY))
}

#[tokio::test]
async fn a_server_is_announced_kept_and_withdrawn() {
    let net = Network::seeded(1);
    let store = Store::with(&[]);
    store.serve(&net, "etcd:2379");
    let registered = registered(&store, &net).await;
    let value = store.state(|state| state.keys[KEY].value.clone());
    assert_eq!(String::from_utf8(value).unwrap(), r#"{"Addr":"10.0.0.1:8000","Op":0,"weight":3}"#);

    sleep(Duration::from_secs(120)).await;
    assert!(is_there(&store));
    assert_eq!(store.state(|state| state.revision), 1, "it was registered once");

    registered.withdraw().await;
    assert!(!is_there(&store));
    assert!(store.state(|state| state.leases.is_empty()));
}

#[tokio::test]
async fn a_lease_that_has_expired_is_replaced() {
    let net = Network::seeded(1);
    let store = Store::with(&[]);
    store.serve(&net, "etcd:2379");
    let registered = registered(&store, &net).await;
    store.state(|state| state.end_lease(1));
    assert!(!is_there(&store));
    sleep(Duration::from_secs(5)).await;
    assert!(is_there(&store));
    assert_eq!(registered.state(), State::Accepted);
}

#[tokio::test]
async fn a_server_that_is_cut_off_is_forgotten_and_comes_back() {
    let net = Network::seeded(1);
    let store = Store::with(&[]);
    store.serve(&net, "etcd:2379");
    let registered = registered(&store, &net).await;
    net.link("etcd:2379").partition();
    sleep(Duration::from_secs(60)).await;
    assert!(!is_there(&store), "the lease has ended");
    assert!(matches!(registered.state(), State::Failed(_)), "{registered:?}");

    net.link("etcd:2379").heal();
    sleep(Duration::from_secs(20)).await;
    assert!(is_there(&store));
}

#[tokio::test]
async fn an_etcd_that_has_lost_its_state_is_told_again() {
    let net = Network::seeded(1);
    let store = Store::with(&[]);
    let served = store.serve(&net, "etcd:2379");
    let _registered = registered(&store, &net).await;
    served.crash();
    let other = Store::with(&[]);
    other.serve(&net, "etcd:2379");
    sleep(Duration::from_secs(10)).await;
    assert!(is_there(&other));
}

#[tokio::test]
async fn an_etcd_that_hangs_does_not_keep_a_server_from_stopping() {
    let net = Network::seeded(1);
    let store = Store::with(&[]);
    store.serve(&net, "etcd:2379");
    let registered = registered(&store, &net).await;
    store.state(|state| state.silent = true);
    let begun = Instant::now();
    registered.withdraw().await;
    assert_eq!(begun.elapsed().as_secs(), 3);
}
