//! Channels that watch a naming source together.

use crate::cluster::*;
use polywire_client::{Channel, Credentials, NoProtocols, Pooling, Resilience, SharedConnections, Token};
use polywire_machine_testing::lab;
use polywire_naming::{Scheme, Schemes, Server, source_fn};
use std::{
    any::Any,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    time::Duration,
};
use tokio::sync::watch;

static WATCHED: AtomicUsize = AtomicUsize::new(0);
static SET: LazyLock<watch::Sender<Vec<&str>>> = LazyLock::new(|| watch::channel(vec!["a:1"]).0);

/// One more who watches the source.
struct Watcher;

impl Drop for Watcher {
    fn drop(&mut self) {
        WATCHED.fetch_sub(1, Relaxed);
    }
}

const COUNTS: Scheme = Scheme {
    name: "counts",
    open: |rest| {
        Ok(Box::new(source_fn(rest, |updates| async move {
            WATCHED.fetch_add(1, Relaxed);
            let _watcher = Watcher;
            let mut told = SET.subscribe();
            loop {
                updates.set(told.borrow_and_update().iter().map(|address| Server::new(*address)).collect());
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        })))
    },
};

#[test]
fn channels_that_share_watch_a_url_once_and_go_on_when_one_of_them_ends() {
    run(async {
        let cluster = Cluster::default();
        let shared = SharedConnections::default();
        let build = |url: &str, shares: bool| {
            let builder = cluster
                .channel(url)
                .schemes(Schemes::builtin().with([COUNTS]))
                .resilience(Resilience::default().balancer("rr"));
            if shares { builder.pooling(Pooling::default().share(&shared)) } else { builder }.build().unwrap()
        };
        let channels: Vec<_> = (0..5).map(|_| build("counts://x", true)).collect();
        for channel in &channels {
            assert_eq!(who(ask(channel).await), "a:1");
        }
        assert_eq!(WATCHED.load(Relaxed), 1);
        let other = build("counts://y", true);
        let apart = build("counts://x", false);
        assert_eq!((who(ask(&other).await), who(ask(&apart).await)), ("a:1".into(), "a:1".into()));
        assert_eq!(WATCHED.load(Relaxed), 3);
        let mut left = channels;
        drop((left.remove(0), other, apart));
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(WATCHED.load(Relaxed), 1, "another one goes on");
        SET.send_replace(vec!["b:1"]);
        tokio::time::sleep(Duration::from_secs(3)).await;
        for channel in &left {
            assert_eq!(who(ask(channel).await), "b:1");
        }
        drop(left);
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(WATCHED.load(Relaxed), 0);
    });
}

/// A channel with credentials that own something.
fn with_credentials(address: &str, shared: &SharedConnections, own: impl Any + Send + Sync) -> Channel {
    let credentials = Credentials::new("the vault", move || {
        let _ = &own;
        async { Ok::<_, &str>(Token::new("secret")) }
    });
    let builder = Channel::<NoProtocols>::builder(address).protocol_set(lab::PROTOCOLS).protocol("lab");
    builder.credentials(credentials).pooling(Pooling::default().share(shared)).build().unwrap()
}

#[tokio::test]
async fn what_tells_connections_apart_goes_with_the_last_channel_that_uses_them() {
    let pools = |shared: &SharedConnections| {
        let shown = format!("{shared:?}");
        shown.split_once("pools: ").unwrap().1.split(',').next().unwrap().to_owned()
    };
    let shared = SharedConnections::default();
    let secret = Arc::new(());
    let one = with_credentials("10.0.0.1:80", &shared, secret.clone());
    let other = with_credentials("10.0.0.1:80", &shared, ());
    let again = one.clone();
    assert_eq!((pools(&shared).as_str(), Arc::strong_count(&secret)), ("2", 2));
    drop(one);
    assert_eq!((pools(&shared).as_str(), Arc::strong_count(&secret)), ("2", 2));
    drop(again);
    assert_eq!((pools(&shared).as_str(), Arc::strong_count(&secret)), ("1", 1));
    drop(other);
    assert_eq!(pools(&shared), "0");
}

/// Tokens may be fetched by calls of a channel that shares connections with the one that shows them.
#[tokio::test]
async fn credentials_that_own_a_channel_go_with_it() {
    let shared = SharedConnections::default();
    let fetching = with_credentials("10.0.0.2:80", &shared, ());
    let channel = with_credentials("10.0.0.1:80", &shared, fetching);
    let (done, ended) = mpsc::channel();
    std::thread::spawn(move || {
        drop(channel);
        let _ = done.send(());
    });
    ended.recv_timeout(Duration::from_secs(20)).expect("it does not wait for itself");
    assert!(format!("{shared:?}").contains("pools: 0"), "{shared:?}");
}
