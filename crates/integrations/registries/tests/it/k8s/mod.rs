//! `k8s://` against an API server in memory which answers as a real one does, in virtual time.

mod api;
mod conversation;

use crate::common::{addresses, hostile, http::Reply, servers, start, until, until_error, watched};
use api::{Api, slice};
use polywire_naming::{WatchOptions, watch_with};
use polywire_registries::k8s::Kubernetes;
use serde_json::json;
use std::{path::Path, time::Duration};
use tokio::{io::AsyncReadExt, net::TcpListener, time::sleep};

const URL: &str = "http://api/shop/echo";
/// A pod without a service account.
const NONE: &str = "/nowhere";

fn source(api: &Api, rest: &str) -> Kubernetes {
    api.source(rest, Path::new(NONE))
}

async fn settled() {
    sleep(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn slices_are_listed_and_followed() {
    let api = Api::with([slice("a", &["10.0.0.1", "10.0.0.2"])]);
    let mut watched = watched(source(&api, URL)).await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80", "10.0.0.2:80"]);
    let first = &servers(&watched)[0];
    assert_eq!((first.zone.as_deref(), first.metadata["node"].as_str()), (Some("z1"), "n1"));
    settled().await;

    api.put(slice("b", &["10.0.0.3"]));
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"]).await;
    let mut changed = slice("a", &["10.0.0.1", "10.0.0.2"]);
    changed["endpoints"][1]["conditions"]["ready"] = json!(false);
    api.put(changed);
    until(&mut watched, &["10.0.0.1:80", "10.0.0.3:80"]).await;
    api.delete("a");
    until(&mut watched, &["10.0.0.3:80"]).await;
    // A slice that no longer belongs to the service is gone, and comes again.
    let of = |service: &str| {
        let mut slice = slice("b", &["10.0.0.3"]);
        slice["metadata"]["labels"]["kubernetes.io/service-name"] = json!(service);
        slice
    };
    api.put(slice("c", &["10.0.0.4"]));
    api.put(of("another"));
    until(&mut watched, &["10.0.0.4:80"]).await;
    api.put(of("echo"));
    until(&mut watched, &["10.0.0.3:80", "10.0.0.4:80"]).await;
    assert_eq!(api.known().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_ends_goes_on_from_the_last_bookmark() {
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    let mut watched = watched(source(&api, URL)).await;
    settled().await;
    api.known().version = 500; // others change
    api.bookmark();
    settled().await;
    api.end_watches();
    settled().await;
    api.put(slice("b", &["10.0.0.2"]));
    until(&mut watched, &["10.0.0.1:80", "10.0.0.2:80"]).await;
    assert_eq!(api.asked(), (1, vec![101, 500]));
    // The server ends a watch by itself, and tells the version shortly before that.
    api.known().version = 900;
    sleep(Duration::from_secs(250)).await;
    assert_eq!(api.asked(), (1, vec![101, 500, 900]));
    assert_eq!(watched.error(), None);
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_gone_means_listing_again() {
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    let mut watched = watched(source(&api, URL)).await;
    settled().await;

    // As an event of the next watch.
    api.end_watches();
    api.put(slice("a", &["10.0.0.2"]));
    api.compact();
    until(&mut watched, &["10.0.0.2:80"]).await;
    assert_eq!((watched.error(), api.known().lists), (None, 2));
    settled().await;

    // As the answer to the next watch.
    api.end_watches();
    api.known().instead_of_watch = Some(|| Reply::status(410, "too old resource version"));
    api.put(slice("a", &["10.0.0.3"]));
    until(&mut watched, &["10.0.0.3:80"]).await;
    assert_eq!((watched.error(), api.known().lists), (None, 3));
}

#[tokio::test(start_paused = true)]
async fn a_list_whose_pages_expire_is_begun_anew() {
    let slices: Vec<_> =
        (0..501).map(|n| slice(&format!("s{n:03}"), &[&format!("10.0.{}.{}", n / 250, n % 250)])).collect();
    let api = Api::with(slices);
    api.known().expire_pages = true;
    let watched = watched(source(&api, URL)).await;
    assert_eq!(addresses(&watched).len(), 501);
    assert_eq!((watched.error(), api.known().lists), (None, 2));
}

#[tokio::test(start_paused = true)]
async fn the_token_is_read_again_for_each_request() {
    let account = std::env::temp_dir().join(format!("polywire-k8s-{}", std::process::id()));
    std::fs::create_dir_all(&account).unwrap();
    std::fs::write(account.join("token"), "first\n").unwrap();
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    api.known().token = Some("first");
    let mut watched = watched(api.source(URL, &account)).await;
    settled().await;
    api.known().token = Some("second");
    api.end_watches();
    until_error(&mut watched, "Unauthorized").await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    std::fs::write(account.join("token"), "second").unwrap();
    api.put(slice("a", &["10.0.0.2"]));
    until(&mut watched, &["10.0.0.2:80"]).await;
    assert_eq!(watched.error(), None);
    std::fs::remove_dir_all(account).unwrap();
}

/// As `kubectl proxy` beside it in a pod, where the authority of the cluster is there as well.
#[tokio::test]
async fn a_plain_url_is_not_spoken_to_in_tls() {
    let account = std::env::temp_dir().join(format!("polywire-k8s-plain-{}", std::process::id()));
    std::fs::create_dir_all(&account).unwrap();
    std::fs::write(account.join("ca.crt"), include_str!("authority.crt")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/shop/echo", listener.local_addr().unwrap());
    let source = Kubernetes::open_with(&url, &account, None).unwrap();
    let (_watched, work) = watch_with(Box::new(source), WatchOptions::default());
    let work = tokio::spawn(work);
    let (mut connection, _) = listener.accept().await.unwrap();
    let mut first = [0; 5];
    connection.read_exact(&mut first).await.unwrap();
    assert_eq!(first.escape_ascii().to_string(), "GET /");
    work.abort();
    std::fs::remove_dir_all(account).unwrap();
}

/// A list of few bytes that takes much memory.
fn wide() -> Reply {
    let members = r#"{"":0},"#.repeat(400_000);
    let text = format!(
        r#"{{"metadata":{{"resourceVersion":"1"}},"items":[{{"metadata":{{"name":"a"}},"x":[{members}0]}}]}}"#
    );
    Reply::json(&text)
}

#[tokio::test(start_paused = true)]
async fn bad_answers_leave_the_last_good_set_and_are_told() {
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    let mut watched = watched(source(&api, URL)).await;
    settled().await;
    let cases: [(fn() -> Reply, &str); 9] = [
        (wide, "too many values"),
        (
            || Reply::json(r#"{"metadata":{"resourceVersion":"1","continue":"again"},"items":[]}"#),
            "too many pages",
        ),
        (|| Reply::json("{\"type\":"), "ends within an event"),
        (|| Reply::json("[]"), "not a list of EndpointSlices"),
        (|| Reply::json(r#"{"metadata":{"resourceVersion":"1"},"items":[{}]}"#), "has no name"),
        (|| Reply::json(r#"{"items":[]}"#), "it has no version"),
        (|| Reply::status(401, "Unauthorized"), "Unauthorized"),
        (|| Reply::Reset, "UNAVAILABLE"),
        (|| Reply::Hang, "DEADLINE_EXCEEDED"),
    ];
    for (instead, expected) in cases {
        api.known().instead = Some(instead);
        api.end_watches();
        until_error(&mut watched, expected).await;
        assert_eq!(addresses(&watched), ["10.0.0.1:80"], "{expected}");
        api.known().instead = None;
        while watched.error().is_some() {
            watched.changed().await;
        }
        settled().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_attacker_in_place_of_the_api_server_does_no_harm() {
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    let mut watched = watched(source(&api, URL)).await;
    settled().await;
    hostile::do_no_harm(&mut watched, |instead| {
        // The watch that is open ends, and what follows is the attacker's.
        api.known().instead = instead;
        api.end_watches();
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn slices_that_change_all_the_time_make_ten_sets_a_second() {
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    let (mut watched, work) =
        watch_with(Box::new(source(&api, URL)), WatchOptions::default().set_interval(Duration::ZERO));
    tokio::spawn(work);
    watched.changed().await;
    settled().await;
    let changes = tokio::spawn(async move {
        for n in 0u32.. {
            api.put(slice("a", &[&format!("10.1.{}.{}", n / 250 % 250, n % 250)]));
            sleep(Duration::from_millis(1)).await;
        }
    });
    let mut sets = 0;
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    while tokio::time::timeout_at(end, watched.changed()).await.is_ok() {
        sets += 1;
    }
    changes.abort();
    assert!((50..=101).contains(&sets), "{sets}");
}

#[tokio::test(start_paused = true)]
async fn slices_that_grow_without_end_are_given_up_and_the_last_set_stays() {
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    let mut watched = watched(source(&api, URL)).await;
    settled().await;
    let mut long = slice("b", &[]);
    long["metadata"]["annotations"] = json!({ "x": "x".repeat(8 << 20) });
    for n in 0..9 {
        long["metadata"]["name"] = json!(format!("b{n}"));
        api.put(long.clone());
    }
    until_error(&mut watched, "the EndpointSlices are too long").await;
    assert_eq!(addresses(&watched), ["10.0.0.1:80"]);
    // They are listed anew once there are fewer, and what went before is forgotten.
    for n in 0..9 {
        api.delete(&format!("b{n}"));
    }
    api.put(slice("a", &["10.0.0.2"]));
    until(&mut watched, &["10.0.0.2:80"]).await;
    assert_eq!(watched.error(), None);
}

#[tokio::test(start_paused = true)]
async fn a_port_is_chosen_by_name_or_number() {
    let api = Api::with([slice("a", &["10.0.0.1"])]);
    for url in ["http://api/shop/echo:grpc", "http://api/shop/echo:81"] {
        assert_eq!(addresses(&watched(source(&api, url)).await), ["10.0.0.1:81"]);
    }
    let mut none = start(source(&api, "http://api/shop/echo:metrics"));
    until_error(&mut none, "no port").await;
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_endpoints_are_read() {
    let hosts: Vec<_> = (0..10_000).map(|n| format!("10.1.{}.{}", n / 250, n % 250)).collect();
    let slices = hosts.chunks(100).enumerate().map(|(n, hosts)| {
        let hosts: Vec<_> = hosts.iter().map(String::as_str).collect();
        slice(&format!("s{n}"), &hosts)
    });
    let watched = watched(source(&Api::with(slices), URL)).await;
    assert_eq!(addresses(&watched).len(), 10_000);
}

#[test]
fn names_that_kubernetes_does_not_have_are_refused() {
    for rest in ["", "Echo", "shop/", "a/b/c", "echo:", "../secrets/x", "echo?watch=1"] {
        let why = Kubernetes::open(rest).expect_err(rest).to_string();
        assert!(why.contains("[NAMESPACE/]SERVICE[:PORT]"), "{why}");
    }
}
