//! Keys that are fetched: a source that is slow, down, wrong, or replaces its keys while calls run.

use super::server::{Lab, WHOAMI, current, name_by, server};
use super::*;
use polywire_call::Code;
use polywire_client::Resilience;
use polywire_server::{Call, Handler, Method, Server, Service, Started};
use polywire_testkit::Net;
use polywire_wire::{Content, Outcome};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::sleep;

/// What the source answers, and how often it was asked.
#[derive(Clone, Default)]
struct Source(Arc<(Mutex<Vec<u8>>, AtomicUsize)>);

impl Source {
    fn set(&self, text: impl Into<Vec<u8>>) {
        *self.0.0.lock().expect("not poisoned") = text.into();
    }

    fn asked(&self) -> usize {
        self.0.1.load(Relaxed)
    }
}

impl Handler for Source {
    fn start(&self, _: Call) -> Started {
        self.0.1.fetch_add(1, Relaxed);
        let body = self.0.0.lock().expect("not poisoned").clone();
        Started::Ready(Outcome {
            body: body.into(),
            content: Content::RAW,
            reply: true,
            ..Outcome::default()
        })
    }
}

/// A server whose issuer has its keys at `id:1`.
fn serve(net: &Net<Lab>, source: &Source) -> Jwt {
    let handler = source.clone();
    let method = Method::new("Get", move || Box::new(handler.clone())).path("GET /keys");
    net.serve("id:1", Server::<Lab>::new().service(Service::new("id.Keys", &[]).with(method)));
    let channel = net.builder("id:1").protocol("http").resilience(Resilience::default().retries(0));
    let jwt =
        Jwt::new(Issuer::new(ISSUER, "shop", Keys::fetched_by(channel.build().expect("a channel"), "/keys")));
    net.serve("shop:1", server().authenticate(jwt.clone()));
    jwt
}

fn bearer(signer: &Signer) -> String {
    format!("Bearer {}", signer.token(Algorithm::Es256, &current(json!({}))))
}

#[tokio::test(start_paused = true)]
async fn keys_are_fetched_once_for_all_and_again_every_ten_minutes() {
    let (net, source, signer) = (Net::<Lab>::seeded(1), Source::default(), Signer::p256("a"));
    source.set(jwks(&[&signer]));
    serve(&net, &source);
    assert_eq!(source.asked(), 0, "nobody has called");
    net.link("id:1").delay(Duration::from_millis(50));
    let token = bearer(&signer);
    let channels = [(); 20].map(|()| {
        let builder = net.builder("shop:1").protocol("grpc").credential(&*token);
        builder.build().expect("a channel")
    });
    let calls = channels.map(|channel| tokio::spawn(async move { channel.call(WHOAMI, "").await.is_ok() }));
    for call in calls {
        assert!(call.await.expect("no panic"));
    }
    assert_eq!(source.asked(), 1);
    sleep(Duration::from_secs(700)).await;
    assert_eq!(source.asked(), 2);
    sleep(Duration::from_secs(6000)).await;
    assert!((10..=13).contains(&source.asked()), "{}", source.asked());
}

#[tokio::test(start_paused = true)]
async fn keys_are_replaced_while_calls_run_and_the_old_ones_end() {
    let (net, source) = (Net::<Lab>::seeded(1), Source::default());
    let (old, new) = (Signer::p256("old"), Signer::p256("new"));
    source.set(jwks(&[&old]));
    serve(&net, &source);
    assert!(name_by(&net, "grpc", &bearer(&old)).await.is_ok());
    sleep(Duration::from_secs(61)).await;
    // An issuer publishes the new key beside the old one, signs with it, and takes the old one away.
    source.set(jwks(&[&old, &new]));
    assert!(name_by(&net, "grpc", &bearer(&new)).await.is_ok(), "fetched for the unknown key");
    assert_eq!(source.asked(), 2);
    assert!(name_by(&net, "grpc", &bearer(&old)).await.is_ok());
    let accepted = bearer(&old);
    assert!(name_by(&net, "grpc", &accepted).await.is_ok());
    source.set(jwks(&[&new]));
    sleep(Duration::from_secs(700)).await;
    assert!(name_by(&net, "grpc", &accepted).await.is_err(), "accepted before, by a key that is gone");
    assert!(name_by(&net, "grpc", &bearer(&new)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_unknown_keys_asks_the_source_once_a_minute() {
    let (net, source, signer) = (Net::<Lab>::seeded(1), Source::default(), Signer::p256("a"));
    source.set(jwks(&[&signer]));
    let jwt = serve(&net, &source);
    jwt.prepare().await.expect("keys");
    for n in 0..600 {
        let stranger = Signer { kid: format!("k{n}"), key: Signer::p256("").key };
        let refused = name_by(&net, "grpc", &bearer(&stranger)).await.expect_err("a stranger");
        assert_eq!(refused.code(), Code::Unauthenticated, "{refused}");
        sleep(Duration::from_secs(1)).await;
    }
    assert!((8..=12).contains(&source.asked()), "{}", source.asked());
    assert!(name_by(&net, "grpc", &bearer(&signer)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_last_good_keys_stay_while_the_source_is_down_slow_or_wrong() {
    let (net, source, signer) = (Net::<Lab>::seeded(1), Source::default(), Signer::p256("a"));
    source.set(jwks(&[&signer]));
    let jwt = serve(&net, &source);
    jwt.prepare().await.expect("keys");
    let mut huge = jwks(&[&Signer::p256("b")]).into_bytes();
    huge.resize(10 << 20, b' ');
    for wrong in [b"<html>".to_vec(), Vec::new(), br#"{"keys":[]}"#.to_vec(), huge] {
        source.set(wrong);
        let asked = source.asked();
        sleep(Duration::from_secs(700)).await;
        assert!(source.asked() > asked);
        assert!(name_by(&net, "grpc", &bearer(&signer)).await.is_ok());
    }
    source.set(jwks(&[&signer]));
    net.link("id:1").delay(Duration::from_secs(60));
    sleep(Duration::from_secs(700)).await;
    assert!(name_by(&net, "grpc", &bearer(&signer)).await.is_ok());
    net.link("id:1").refuse();
    sleep(Duration::from_secs(700)).await;
    assert!(name_by(&net, "grpc", &bearer(&signer)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn without_any_keys_callers_hear_that_it_is_not_their_fault_and_are_let_in_when_there_are_some() {
    let (net, source, signer) = (Net::<Lab>::seeded(1), Source::default(), Signer::p256("a"));
    source.set("<html>");
    let jwt = serve(&net, &source);
    let why = jwt.prepare().await.expect_err("no keys");
    assert!(why.contains(ISSUER) && why.contains("no JWKS"), "{why}");
    let refused = name_by(&net, "grpc", &bearer(&signer)).await.expect_err("no keys");
    assert_eq!(refused.code(), Code::Unavailable);
    assert!(refused.message().ends_with("the keys of the issuer cannot be had"), "{refused}");
    // What needs no keys to be refused is refused as ever.
    let refused = name_by(&net, "grpc", "Bearer x").await.expect_err("no token");
    assert_eq!(refused.code(), Code::Unauthenticated);
    source.set(jwks(&[&signer]));
    sleep(Duration::from_secs(12)).await;
    assert!(name_by(&net, "grpc", &bearer(&signer)).await.is_ok());
}

#[test]
fn urls_are_checked_and_plain_text_is_for_this_machine_alone() {
    for url in [
        "https://id.example/keys",
        "https://id.example:8443/a/b?c=d",
        "http://127.0.0.1:1/",
        "http://localhost/k",
        "http://[::1]:1/k",
    ] {
        assert!(Keys::url(url).is_ok(), "{url}");
    }
    for (url, says) in [
        ("http://id.example/keys", "write https://"),
        ("http://127.0.0.1.example/keys", "write https://"),
        ("http://localhost.example/keys", "write https://"),
        ("id.example/keys", "write https://HOST"),
        ("ftp://id.example/keys", "write https://HOST"),
        ("https:///keys", "write https://HOST"),
        ("https://user:secret@id.example/keys", "write https://HOST"),
        ("https://id.example/a b", "characters"),
        ("https://id.example/a#b", "characters"),
        ("https://id.example/\r\nx", "characters"),
        ("", "write https://HOST"),
    ] {
        let wrong = Keys::url(url).expect_err(url).to_string();
        assert!(wrong.contains(says), "{url}: {wrong}");
    }
}
