//! Watching a prefix.

use super::{
    store::{Network, Store, at},
    watching::{addresses, servers, start, until, until_error, watched},
};
use crate::{Dial, etcd::Etcd};
use polywire_call::Status;
use polywire_engine::{Transport, transport};
use polywire_naming::{Source, WatchOptions, watch_with};
use std::{future::poll_fn, io::IoSlice, time::Duration};
use tokio::time::{Instant, sleep};

const A: (&str, &str) = ("services/echo/a", "10.0.0.1:80");

#[tokio::test]
async fn keys_below_a_prefix_are_followed() {
    let net = Network::seeded(1);
    let store = Store::with(&[A, ("services/echo2/x", "10.9.9.9:80"), ("services/echo", "10.9.9.8:80")]);
    store.serve(&net, "etcd:2379");
    let mut watched = watched(store.etcd(&net)).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);

    store.put("services/echo/b", r#"{"Addr":"10.0.0.2:80","weight":3,"zone":"z1"}"#);
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
    let second = &servers(&watched)[1];
    assert_eq!((second.weight, second.zone.as_deref()), (Some(3), Some("z1")));

    store.put("services/echo/a", "10.0.0.3:80");
    until(&mut watched, &["10.0.0.2:80", "10.0.0.3:80"]).await;
    store.delete("services/echo/a");
    until(&mut watched, &["10.0.0.2:80"]).await;
    store.delete("services/echo/b");
    until(&mut watched, &[]).await;
    assert_eq!(store.seen(), ["Range", "Watch", "from 4"]);
}

#[tokio::test]
async fn a_broken_stream_goes_on_from_the_next_revision() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    store.serve(&net, "etcd:2379");
    let mut watched = watched(store.etcd(&net)).await;
    store.put("services/echo/b", "10.0.0.2:80"); // revision 2
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;

    store.state(|state| state.break_watch = true);
    sleep(Duration::from_secs(1)).await;
    store.put("services/echo/c", "10.0.0.3:80");
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"]).await;
    assert_eq!(store.seen(), ["Range", "Watch", "from 2", "Watch", "from 3"]);
}

#[tokio::test]
async fn a_compacted_revision_means_reading_all_keys_again() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    store.serve(&net, "etcd:2379");
    let mut watched = watched(store.etcd(&net)).await;
    store.put("services/echo/b", "10.0.0.2:80");
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;

    sleep(Duration::from_secs(1)).await;
    let begun = Instant::now();
    // The stream breaks, and what it would have gone on from is compacted before it is back.
    store.state(|state| {
        state.break_watch = true;
        state.delete(b"services/echo/a");
        state.compacted = state.revision;
    });
    until(&mut watched, &["10.0.0.2:80"]).await;
    assert!(
        begun.elapsed() < Duration::from_millis(50),
        "that is no failure after which to pause: {:?}",
        begun.elapsed()
    );
    let seen = store.seen();
    assert_eq!(seen.iter().filter(|call| *call == "Range").count(), 2, "{seen:?}");

    store.put("services/echo/c", "10.0.0.3:80");
    until(&mut watched, &["10.0.0.2:80", "10.0.0.3:80"]).await;
}

#[tokio::test]
async fn a_store_that_was_made_anew_is_read_again() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    (0..10).for_each(|_| store.put("services/echo/b", "10.0.0.2:80"));
    let served = store.serve(&net, "etcd:2379");
    let mut watched = watched(store.etcd(&net)).await;
    store.put("services/echo/c", "10.0.0.3:80");
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"]).await;

    // It comes back at once with a lower revision: a watch from the old one would hear nothing for long.
    let begun = Instant::now();
    served.crash();
    let other = Store::with(&[("services/echo/a", "10.0.0.7:80")]);
    other.serve(&net, "etcd:2379");
    until(&mut watched, &["10.0.0.7:80"]).await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(other.seen()[..3], ["Watch", "from 13", "Range"]);
}

#[tokio::test]
async fn an_etcd_that_is_down_leaves_the_set_and_another_member_is_asked() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    let served = store.serve(&net, "one:2379");
    let mut watched = watched(at(&net, "one:2379,two:2379/services/echo")).await;
    served.crash();
    until_error(&mut watched, "UNAVAILABLE").await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);

    store.put("services/echo/b", "10.0.0.2:80");
    store.serve(&net, "two:2379");
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
}

#[tokio::test]
async fn an_etcd_that_hangs_is_noticed_by_pings() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    store.serve(&net, "etcd:2379");
    let mut watched = watched(store.etcd(&net)).await;
    let begun = Instant::now();
    net.link("etcd:2379").partition();
    until_error(&mut watched, "UNAVAILABLE").await;
    assert!(begun.elapsed() <= Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);

    store.put("services/echo/b", "10.0.0.2:80");
    net.link("etcd:2379").heal();
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
}

#[tokio::test]
async fn a_silent_etcd_is_given_up_by_each_call() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    store.state(|state| state.silent = true);
    store.serve(&net, "etcd:2379");
    let mut watched = start(store.etcd(&net));
    let begun = Instant::now();
    until_error(&mut watched, "DEADLINE_EXCEEDED").await;
    assert_eq!(begun.elapsed().as_secs(), 5);
    store.state(|state| state.silent = false);
    until(&mut watched, &["10.0.0.1:80"]).await;
}

#[tokio::test]
async fn bad_values_are_left_out_and_only_bad_ones_are_no_empty_set() {
    let net = Network::seeded(1);
    let store = Store::with(&[A, ("services/echo/bad", "{\"Addr\":7}"), ("services/echo/worse", "\u{1}")]);
    store.serve(&net, "etcd:2379");
    let mut watched = watched(store.etcd(&net)).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);

    store.delete("services/echo/a");
    until_error(&mut watched, "no entry can be read; 2 were bad").await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    store.put("services/echo/bad", "10.0.0.2:80");
    until(&mut watched, &["10.0.0.2:80"]).await;
}

#[tokio::test]
async fn ten_thousand_keys_are_read() {
    let net = Network::seeded(1);
    let store = Store::with(&[]);
    for n in 0..10_000 {
        store.put(&format!("services/echo/{n}"), &format!("10.1.{}.{}:80", n / 250, n % 250));
    }
    store.serve(&net, "etcd:2379");
    assert_eq!(addresses(&watched(store.etcd(&net)).await).len(), 10_000);
}

#[tokio::test]
async fn a_failure_is_told_and_a_user_is_authenticated() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    store.state(|state| state.failing = Some(Status::unavailable("etcdserver: no leader")));
    store.serve(&net, "etcd:2379");
    let mut failing = start(store.etcd(&net));
    until_error(&mut failing, "UNAVAILABLE: etcdserver: no leader").await;

    store.state(|state| (state.failing, state.user) = (None, Some(("ann", "hush", "t0ken"))));
    until_error(&mut failing, "invalid auth token").await;
    let mut wrong = start(at(&net, "etcd:2379/services/echo?username=ann&password=wrong"));
    until_error(&mut wrong, "invalid user ID or password").await;
    assert!(!format!("{wrong:?}").contains("wrong"));

    let right = at(&net, "etcd:2379/services/echo?username=ann&password=hush");
    assert_eq!(Source::name(&right), "etcd://etcd:2379/services/echo");
    assert_eq!(addresses(&watched(right).await), ["10.0.0.1:80"]);
}

#[test]
fn urls_that_miss_something_are_refused() {
    for (rest, why) in [
        ("etcd:2379", "prefix of the keys is missing"),
        ("/services/echo", "address is missing"),
        ("etcd:2379/echo?user=ann", "unknown parameter"),
        ("etcd:2379/echo?username=ann", "username without password"),
    ] {
        let error = super::super::Etcd::open(rest).expect_err(rest).to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[tokio::test]
async fn values_that_grow_without_end_are_given_up_and_the_last_set_stays() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    store.serve(&net, "etcd:2379");
    let mut watched = watched(store.etcd(&net)).await;
    let long = format!("10.0.0.2:80 {}", "x".repeat(1 << 20));
    for n in 0..70 {
        store.put(&format!("services/echo/{n}"), &long);
        sleep(Duration::from_millis(200)).await;
    }
    until_error(&mut watched, "").await;
    store.put("services/echo/70", &long);
    sleep(Duration::from_secs(60)).await;
    let said = watched.error().expect("it is still too much").to_string();
    assert!(said.contains("too long") || said.contains("RESOURCE_EXHAUSTED"), "{said}");
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    (0..71).for_each(|n| store.delete(&format!("services/echo/{n}")));
    store.put("services/echo/b", "10.0.0.3:80");
    until(&mut watched, &["10.0.0.1:80", "10.0.0.3:80"]).await;
}

#[tokio::test]
async fn keys_that_change_all_the_time_make_ten_sets_a_second() {
    let net = Network::seeded(1);
    let store = Store::with(&[A]);
    store.serve(&net, "etcd:2379");
    let options = WatchOptions::default().set_interval(Duration::ZERO);
    let (mut watched, work) = watch_with(Box::new(store.etcd(&net)), options);
    tokio::spawn(work);
    watched.changed().await;
    let changes = tokio::spawn(async move {
        for n in 0u32.. {
            store.put("services/echo/b", &format!("10.1.{}.{}:80", n / 250 % 250, n % 250));
            sleep(Duration::from_millis(1)).await;
        }
    });
    let (mut sets, end) = (0, Instant::now() + Duration::from_secs(10));
    while tokio::time::timeout_at(end, watched.changed()).await.is_ok() {
        sets += 1;
    }
    changes.abort();
    assert!((50..=101).contains(&sets), "{sets}");
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_is_no_etcd_is_told() {
    for garbage in
        [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b"SSH-2.0-x\r\n", &[0xff; 4096], &[0; 4096], b""]
    {
        let dial = Dial::new(move |builder| {
            builder.connector(move |_| {
                let (ours, mut theirs) = transport::duplex("etcd", 1 << 16);
                tokio::spawn(async move {
                    poll_fn(|cx| theirs.poll_write(cx, &[IoSlice::new(garbage)])).await.expect("room");
                    sleep(Duration::from_secs(3600)).await;
                });
                std::future::ready(Ok(ours))
            })
        });
        let mut watched = start(Etcd::open("etcd/services/echo").unwrap().dial(&dial).unwrap());
        until_error(&mut watched, "").await;
        assert!(watched.set().is_none());
    }
}
