//! `k8s://` against an API server in memory with the documented semantics of list and watch, in virtual time.

#[path = "../common/mod.rs"]
mod common;

use common::{
    addresses,
    http::{Reply, Request, Web},
    servers, start, until, until_error, watched,
};
use polywire_registries::k8s::Kubernetes;
use serde_json::{Value, json};
use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    sync::mpsc::{UnboundedSender, unbounded_channel},
    time::sleep,
};

#[derive(Clone, Default)]
struct Api(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    items: Vec<Value>,
    version: u64,
    /// The watch that is open.
    watch: Option<UnboundedSender<Vec<u8>>>,
    /// Versions below this one are gone.
    oldest: u64,
    lists: usize,
    /// The versions from which watches began.
    watches: Vec<u64>,
    instead: Option<fn() -> Reply>,
}

impl Api {
    fn with(items: Vec<Value>) -> Api {
        let api = Api::default();
        api.known(|known| (known.items, known.version) = (items, 100));
        api
    }
    fn known<R>(&self, change: impl FnOnce(&mut Known) -> R) -> R {
        change(&mut self.0.lock().unwrap())
    }
    fn source(&self, rest: &str) -> Kubernetes {
        let api = self.clone();
        let web = Web::new(move |request| std::future::ready(api.answer(&request)));
        Kubernetes::open_with(rest, Path::new("/nowhere"), Some(&web.dial())).unwrap()
    }
    fn answer(&self, request: &Request) -> Reply {
        assert_eq!(request.path, "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices");
        assert_eq!(request.query["labelSelector"], "kubernetes.io%2Fservice-name%3Decho");
        self.known(|known| {
            if let Some(instead) = known.instead {
                return instead();
            }
            if !request.query.contains_key("watch") {
                known.lists += 1;
                let version = known.version.to_string();
                return Reply::json(
                    json!({ "metadata": { "resourceVersion": version }, "items": known.items }),
                );
            }
            let from = request.query["resourceVersion"].parse().expect("a version");
            known.watches.push(from);
            if from < known.oldest {
                return Reply::status(410, "too old resource version");
            }
            let (sender, chunks) = unbounded_channel();
            known.watch = Some(sender);
            Reply::Chunks(chunks)
        })
    }
    /// Sends an event in two pieces, as chunks need not end with it.
    fn event(&self, kind: &str, mut object: Value) {
        self.known(|known| {
            known.version += 1;
            object["metadata"]["resourceVersion"] = json!(known.version.to_string());
            let line = format!("{}\n", json!({ "type": kind, "object": object })).into_bytes();
            let (front, back) = line.split_at(line.len() / 2);
            let watch = known.watch.as_ref().expect("a watch is open");
            watch.send(front.to_vec()).and_then(|()| watch.send(back.to_vec())).expect("the watch is open");
        });
    }
    fn end_watch(&self) {
        self.known(|known| known.watch = None);
    }
}

fn slice(name: &str, hosts: &[&str]) -> Value {
    let endpoint = |host: &&str| json!({ "addresses": [host], "conditions": { "ready": true }, "zone": "z1", "nodeName": "n1" });
    let endpoints: Vec<_> = hosts.iter().map(endpoint).collect();
    json!({
        "metadata": { "name": name }, "addressType": "IPv4", "endpoints": endpoints,
        "ports": [{ "name": "http", "port": 80 }, { "name": "grpc", "port": 81 }],
    })
}

const URL: &str = "http://api/shop/echo";

async fn settled() {
    sleep(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn slices_are_listed_and_followed() {
    let api = Api::with(vec![slice("a", &["10.0.0.1", "10.0.0.2"])]);
    let mut watched = watched(api.source(URL)).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80", "10.0.0.2:80"]);
    let first = &servers(&watched)[0];
    assert_eq!((first.zone.as_deref(), first.metadata["node"].as_str()), (Some("z1"), "n1"));
    settled().await;

    api.event("ADDED", slice("b", &["10.0.0.3"]));
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"]).await;
    let mut changed = slice("a", &["10.0.0.1", "10.0.0.2"]);
    changed["endpoints"][1]["conditions"]["ready"] = json!(false);
    api.event("MODIFIED", changed);
    until(&mut watched, &["10.0.0.1:80", "10.0.0.3:80"]).await;
    api.event("DELETED", slice("a", &[]));
    until(&mut watched, &["10.0.0.3:80"]).await;
    assert_eq!(api.known(|known| known.lists), 1);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_ends_goes_on_from_the_last_bookmark() {
    let api = Api::with(vec![slice("a", &["10.0.0.1"])]);
    let mut watched = watched(api.source(URL)).await;
    settled().await;
    api.known(|known| known.version = 500);
    api.event("BOOKMARK", json!({ "metadata": {} }));
    settled().await;
    api.end_watch();
    settled().await;
    api.event("ADDED", slice("b", &["10.0.0.2"]));
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
    assert_eq!(api.known(|known| (known.lists, known.watches.clone())), (1, vec![100, 501]));
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_gone_means_listing_again() {
    let api = Api::with(vec![slice("a", &["10.0.0.1"])]);
    let mut watched = watched(api.source(URL)).await;
    settled().await;

    // As an event of the watch.
    api.known(|known| (known.items, known.version) = (vec![slice("a", &["10.0.0.2"])], 200));
    api.event("ERROR", json!({ "kind": "Status", "code": 410, "message": "too old resource version" }));
    until(&mut watched, &["10.0.0.2:80"]).await;
    assert_eq!(watched.error(), None);
    settled().await;

    // As the answer to the next watch.
    api.known(|known| {
        (known.items, known.version, known.oldest) = (vec![slice("a", &["10.0.0.3"])], 900, 800)
    });
    api.end_watch();
    until(&mut watched, &["10.0.0.3:80"]).await;
    assert_eq!((watched.error(), api.known(|known| known.lists)), (None, 3));
}

#[tokio::test(start_paused = true)]
async fn bad_answers_leave_the_last_good_set_and_are_told() {
    let api = Api::with(vec![slice("a", &["10.0.0.1"])]);
    let mut watched = watched(api.source(URL)).await;
    settled().await;
    let cases: [(fn() -> Reply, &str); 7] = [
        (|| Reply::json("{\"type\":"), "ends within an event"),
        (|| Reply::json("[]"), "no list of EndpointSlices"),
        (|| Reply::json(r#"{"metadata":{"resourceVersion":"1"},"items":[{}]}"#), "has no name"),
        (|| Reply::json(r#"{"items":[]}"#), "it has no version"),
        (|| Reply::status(401, "Unauthorized"), "Unauthorized"),
        (|| Reply::Reset, "UNAVAILABLE"),
        (|| Reply::Hang, "DEADLINE_EXCEEDED"),
    ];
    for (instead, expected) in cases {
        api.known(|known| (known.instead, known.watch) = (Some(instead), None));
        until_error(&mut watched, expected).await;
        assert_eq!(addresses(&watched), ["10.0.0.1:80"], "{expected}");
        api.known(|known| known.instead = None);
        while watched.error().is_some() {
            watched.changed().await;
        }
        settled().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_port_is_chosen_by_name_or_number() {
    let api = Api::with(vec![slice("a", &["10.0.0.1"])]);
    for url in ["http://api/shop/echo:grpc", "http://api/shop/echo:81"] {
        assert_eq!(addresses(&watched(api.source(url)).await), ["10.0.0.1:81"]);
    }
    let mut none = start(api.source("http://api/shop/echo:metrics"));
    until_error(&mut none, "no port").await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_endpoints_are_read() {
    let hosts: Vec<_> = (0..10_000).map(|n| format!("10.1.{}.{}", n / 250, n % 250)).collect();
    let slices = hosts.chunks(100).enumerate().map(|(n, hosts)| {
        let hosts: Vec<_> = hosts.iter().map(String::as_str).collect();
        slice(&format!("s{n}"), &hosts)
    });
    let watched = watched(Api::with(slices.collect()).source(URL)).await;
    assert_eq!(addresses(&watched).len(), 10_000);
}

#[test]
fn names_that_kubernetes_does_not_have_are_refused() {
    for rest in ["", "Echo", "shop/", "a/b/c", "echo:", "../secrets/x", "echo?watch=1"] {
        let why = Kubernetes::open(rest).expect_err(rest).to_string();
        assert!(why.contains("[NAMESPACE/]SERVICE[:PORT]"), "{why}");
    }
}
