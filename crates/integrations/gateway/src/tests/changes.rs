//! What a route changes of the fields of its calls.

use super::{
    tries::{PAIRS, routed},
    *,
};
use crate::{FieldChanges, Routes, Shadow};
use polywire_call::{Code, Metadata};
use polywire_client::Target;
use polywire_wire::{Answer, Part};

const PLACE: Target = Target::fixed(SERVICE, "Place");

fn changes() -> FieldChanges {
    let changes = FieldChanges::new().set("x-zone", "eu").and_then(|changes| changes.remove("X-Debug"));
    changes.and_then(|changes| changes.remove_of_replies("x-shard")).expect("fields")
}

/// The fields that begin so, a line each.
fn fields(of: &Metadata, begin: &str) -> String {
    let own = of.iter().filter(|(name, _)| name.to_ascii_lowercase().starts_with(begin));
    own.map(|(name, value)| format!("{name}={}\n", String::from_utf8_lossy(value))).collect()
}

/// The fields that callers may send, and those that look like ours.
fn forgeable(of: &Metadata) -> String {
    fields(of, "x") + &fields(of, "polywire_")
}

/// Answers with the fields that it got, and with two of its own; fails if there is no message.
fn tells() -> Method {
    method("Place", |call: Call| async move {
        let own: Metadata =
            [("x-shard", &b"7"[..]), ("x_shard", b"7"), ("x-kept", b"yes")].into_iter().collect();
        if call.body.is_empty() {
            return Err(Status::aborted("nothing to place").with_trailers(own));
        }
        let trailers = Some(Box::new(own));
        Ok(Outcome { trailers, ..ok(forgeable(call.cx.metadata())) })
    })
}

#[tokio::test(start_paused = true)]
async fn fields_are_set_and_left_out_in_requests_replies_and_failures() {
    for pair in PAIRS {
        let chain = routed(pair, tells(), |one| one, |routes| routes.fields(changes()));
        let call = |body: &'static str| {
            let call = chain.channel.call(PLACE, body);
            call.metadata("x-zone", "us")
                .metadata("x-debug", "1")
                .metadata("X-ZONE", "asia")
                .metadata("x_zone", "asia")
                .metadata("X_Debug", "1")
                .metadata("x_forwarded_for", "10.0.0.1")
                .metadata("polywire_identity", "root")
                .metadata("x-own", "1")
        };
        let reply = call("a lamp").await.expect("a reply");
        assert_eq!(String::from_utf8_lossy(&reply.body.to_vec()), "x-own=1\nx-zone=eu\n", "{pair:?}");
        assert_eq!(fields(reply.metadata(), "x"), "x-kept=yes\n", "{pair:?}");
        let status = call("").await.expect_err("a failure");
        assert_eq!(
            (status.code(), &*fields(status.metadata(), "x")),
            (Code::Aborted, "x-kept=yes\n"),
            "{pair:?}"
        );
    }
}

/// Takes any credential.
struct Knows;
impl polywire_server::Authenticator for Knows {
    async fn verify(&self, _: polywire_server::Caller) -> Result<polywire_server::Identity, Status> {
        Ok(polywire_server::Identity::named("ada"))
    }
}

#[tokio::test(start_paused = true)]
async fn a_caller_without_an_identity_has_no_rank_from_the_relay() {
    for (front, back) in PAIRS {
        for knows in [false, true] {
            let all = method("Place", |call: Call| async move { Ok(ok(fields(call.cx.metadata(), "x"))) });
            let own = |relay: Server<Lab>| if knows { relay.authenticate(Knows) } else { relay };
            let chain = chain_with(front, back, all, own);
            let channel = chain.net.builder("relay:1").protocol(front).credential("ada's").build();
            let channel = channel.expect("a channel");
            for (name, value, lowered) in [
                ("x-criticality", "critical_plus", "critical"),
                ("X_Criticality", "Critical_Plus", "critical"),
                ("x-criticality", "sheddable_plus", "sheddable_plus"),
                ("x-criticalities", "critical_plus", "critical_plus"),
            ] {
                let reply = channel.call(PLACE, "").metadata(name, value).await.expect("a reply");
                let seen = String::from_utf8_lossy(&reply.body.to_vec()).into_owned();
                let value = if knows { value } else { lowered };
                assert_eq!(
                    seen.to_ascii_lowercase().split_once('='),
                    Some((&*name.to_ascii_lowercase(), &*format!("{}\n", value.to_ascii_lowercase())))
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_route_sets_the_rank_of_its_calls() {
    let own = || FieldChanges::new().set("x-criticality", "critical_plus").expect("a field");
    for pair in PAIRS {
        let chain = routed(pair, tells(), |one| one, |routes| routes.fields(own()));
        for said in ["critical_plus", "sheddable"] {
            let reply = chain.channel.call(PLACE, "a lamp").metadata("x-criticality", said).await;
            let seen = reply.expect("a reply").body.to_vec();
            assert_eq!(String::from_utf8_lossy(&seen), "x-criticality=critical_plus\n", "{pair:?} {said}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn so_they_are_in_streams_whose_head_comes_first() {
    let talks = streaming("Place", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        let own: Metadata = [("x-shard", &b"7"[..]), ("x-head", b"yes")].into_iter().collect();
        sink.answer(Answer { metadata: Some(Box::new(own.clone())), ..Answer::default() });
        while source.next().await.transpose()?.is_some() {
            sink.send(Part::message(fields(call.cx.metadata(), "x-").into_bytes().into())).await?;
        }
        Ok(Outcome { trailers: Some(Box::new(own)), ..Outcome::default() })
    });
    let chain = routed(("grpc", "grpc"), talks, |one| one, |routes| routes.fields(changes()));
    let stream = chain.channel.stream(PLACE).metadata("x-debug", "1").metadata("x-zone", "us");
    let mut stream = stream.message("").await.expect("a stream");
    let head = stream.opened().await.expect("a head").metadata;
    let first = stream.next().await.expect("a message").expect("a message");
    assert_eq!(String::from_utf8_lossy(&first.bytes.to_vec()), "x-zone=eu\n");
    assert!(stream.next().await.is_none());
    let outcome = stream.outcome().expect("an end");
    let all = [head, outcome.trailers]
        .map(|fields_of| fields_of.map_or_else(String::new, |fields_of| fields(&fields_of, "x-")));
    assert_eq!(all, ["x-head=yes\n", "x-head=yes\n"]);
}

#[tokio::test(start_paused = true)]
async fn copies_have_them_as_well() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let shown = method("Place", move |call: Call| {
        let _ = tell.send(fields(call.cx.metadata(), "x-"));
        async { Ok(ok("")) }
    });
    let chain = routed(("grpc", "grpc"), tells(), |one| one, |routes| routes);
    chain.net.serve("shadow:1", Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(shown)));
    let to = |name: &str| chain.net.host("relay").builder(name).protocol("grpc").build().expect("a channel");
    let shadow = Shadow::to(to("shadow:1")).method("shop.v1.Orders/Place").expect("a method");
    let routes = Routes::new().to("*".parse().expect("names"), to("behind:1")).expect("a route");
    let relay = Relay::by(routes.fields(changes()).shadow(shadow).expect("a shadow"));
    chain.net.serve("relay:2", Server::<Lab>::new().catch_all(relay));
    // The call is unary for the relay, which copies no streams.
    let channel = chain.net.builder("relay:2").protocol("baidu_std").build().expect("a channel");
    channel.call(PLACE, "a lamp").metadata("x-debug", "1").await.expect("a reply");
    assert_eq!(told.recv().await.expect("a copy"), "x-zone=eu\n");
}

#[test]
fn fields_that_are_not_passed_on_and_values_that_cannot_be_sent_are_refused() {
    let new = FieldChanges::new;
    for name in ["", "a b", ":path", "content-type", "grpc-timeout", "x-forwarded-for", "polywire-identity"] {
        assert!(new().set(name, "x").is_err() && new().remove(name).is_err(), "{name}");
        assert!(new().remove_of_replies(name).is_err(), "{name}");
    }
    for value in ["a\nb", " a", "a ", "ä", "\0"] {
        assert!(new().set("x-a", value).is_err(), "{value:?}");
    }
    assert!(new().set("x-a", &"x".repeat(1025)).is_err());
    assert!(new().set("x-a", "1").and_then(|changes| changes.set("X-A", "2")).is_err());
    let many = |add: fn(FieldChanges, &str) -> Result<FieldChanges, polywire_call::ConfigError>| {
        (0..17).try_fold(new(), |changes, k| add(changes, &format!("x-{k}"))).is_err()
    };
    assert!(many(|changes, name| changes.set(name, "x")));
    assert!(many(FieldChanges::remove) && many(FieldChanges::remove_of_replies));
}
