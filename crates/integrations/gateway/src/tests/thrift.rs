//! Thrift to Thrift: in the same protocol and in the other, with services and without.

use super::*;
use crate::Cluster;
use polywire_base::IoBuf;
use polywire_call::Code;
use polywire_client::Target;
use polywire_protocols::thrift::{ExceptionType, ONEWAY, PROTOCOL, method_id};
use polywire_server::Limiter;
use polywire_wire::Connections;
use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The struct `{1: 40}` in both protocols.
const BINARY: &[u8] = &[8, 0, 1, 0, 0, 0, 40, 0];
const COMPACT: &[u8] = &[0x15, 0x50, 0];

const FORMS: [&str; 8] = [
    "thrift",
    "thrift:old",
    "thrift:compact",
    "thrift:unframed",
    "thrift:unframed+old",
    "thrift:unframed+compact",
    "thrift:ttheader",
    "thrift:ttheader+framed",
];

fn message_of(form: &str) -> (&'static [u8], Content) {
    match form.contains("compact") {
        true => (COMPACT, Content::THRIFT_COMPACT),
        false => (BINARY, Content::THRIFT),
    }
}

/// A server whose `Calculator` says what it was called with, and by which name.
fn calculator(seen: &Arc<Mutex<Vec<(&'static str, IoBuf)>>>) -> Service {
    ["add", "Calculator:add"].into_iter().fold(
        Service::bound_as("Calculator", PROTOCOL.name),
        |service, name| {
            let seen = seen.clone();
            let add = method(if name == "add" { "add" } else { "named" }, move |call: Call| {
                seen.lock().unwrap().push((name, call.body.clone()));
                let reply =
                    Outcome { body: call.body, content: call.content, reply: true, ..Outcome::default() };
                async move { Ok(reply) }
            });
            service.with(add.id(method_id(name)))
        },
    )
}

struct Chained {
    net: Net<Lab>,
    seen: Arc<Mutex<Vec<(&'static str, IoBuf)>>>,
    _behind: Served,
    _relay: Served,
}

/// A relay to a calculator, which is called in `back`.
fn chained(back: &str, options: impl FnOnce(Cluster) -> Cluster) -> Chained {
    let (net, seen) = (Net::seeded(1), Arc::default());
    let behind = net.serve("behind:1", Server::<Lab>::new().service(calculator(&seen)));
    let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
    let relay = Relay::to(options(Cluster::new(&below)));
    let relay = net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
    Chained { net, seen, _behind: behind, _relay: relay }
}

impl Chained {
    fn channel(&self, front: &str) -> Channel<Lab> {
        self.net.builder("relay:1").protocol(front).build().expect("a channel")
    }

    /// What the server has seen since.
    fn seen(&self) -> Vec<(&'static str, IoBuf)> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn every_form_reaches_every_form_by_both_names() {
    for back in FORMS {
        let chain = chained(back, |cluster| cluster);
        for front in FORMS {
            let channel = chain.channel(front);
            let (sent, content) = message_of(front);
            for (service, name) in [("", "add"), ("Calculator", "Calculator:add")] {
                let reply = channel.call(Target::named(service, "add"), sent).content(content).await;
                let reply = reply.unwrap_or_else(|status| panic!("{front}, {back}, {name}: {status}"));
                assert_eq!((&reply.body, reply.content), (&IoBuf::from(sent), content), "{front}, {back}");
                assert_eq!(chain.seen(), [(name, IoBuf::from(message_of(back).0))], "{front}, {back}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn servers_are_told_the_service_that_the_cluster_says() {
    for (said, name) in [("", "add"), ("Calculator", "Calculator:add")] {
        let chain = chained("thrift", |cluster| cluster.thrift_service(said).expect("a name"));
        for service in ["", "Calculator", "Other"] {
            let call = chain.channel("thrift").call(Target::named(service, "add"), BINARY);
            call.content(Content::THRIFT).await.expect("a reply");
            assert_eq!(chain.seen(), [(name, IoBuf::from(BINARY))], "{said}, {service}");
        }
    }
    let channel = Net::<Lab>::seeded(1).builder("behind:1").protocol("thrift").build().expect("a channel");
    assert!(Cluster::new(&channel).thrift_service("a/b").is_err());
}

#[tokio::test(start_paused = true)]
async fn failures_keep_their_type_and_those_of_the_relay_say_so() {
    for (front, back) in
        [("thrift", "thrift"), ("thrift:compact", "thrift"), ("thrift:ttheader", "thrift:compact")]
    {
        let chain = chained(back, |cluster| cluster);
        let (sent, content) = message_of(front);
        let channel = chain.channel(front);
        let status = channel.call(Target::named("", "sub"), sent).content(content).await.unwrap_err();
        assert_eq!(ExceptionType::of(&status), Some(ExceptionType::UNKNOWN_METHOD), "{front}: {status}");
        // The message is looked at only where it is written anew.
        let damaged = channel.call(Target::named("", "add"), &b"\x0f\x00"[..]).content(content).await;
        match message_of(front).1 == message_of(back).1 {
            true => assert!(damaged.is_ok(), "{front}"),
            false => {
                let status = damaged.unwrap_err();
                assert_eq!(
                    ExceptionType::of(&status),
                    Some(ExceptionType::PROTOCOL_ERROR),
                    "{front}: {status}"
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_without_reply_stays_one() {
    let count = Arc::new(AtomicUsize::new(0));
    let begun = count.clone();
    let zip = method("zip", move |_: Call| {
        begun.fetch_add(1, Relaxed);
        std::future::pending()
    });
    let net = Net::<Lab>::seeded(1);
    let service = Service::bound_as("Calculator", PROTOCOL.name).with(zip.id(method_id("zip")));
    let _behind = net.serve("behind:1", Server::<Lab>::new().service(service));
    let below = net.host("relay").builder("behind:1").protocol("thrift").build().expect("a channel");
    // One at a time: the relay waits for no answer to those before.
    let relay = Relay::to(Cluster::new(&below).limited(&Limiter::new(1)));
    let _relay = net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
    for (k, front) in ["thrift", "thrift:compact", "thrift:ttheader"].into_iter().enumerate() {
        let channel = net.builder("relay:1").protocol(front).build().expect("a channel");
        channel
            .call(Target::named("", "zip").at(ONEWAY), &[0][..])
            .content(message_of(front).1)
            .await
            .expect("sent");
        for _ in 0..100 {
            tokio::time::sleep(ms(1)).await;
            if count.load(Relaxed) > k {
                break;
            }
        }
        assert_eq!(count.load(Relaxed), k + 1, "{front}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_else_goes_to_thrift_and_thrift_goes_nowhere_else() {
    let chain = chained("thrift", |cluster| cluster);
    for front in ["grpc", "baidu_std", "connect"] {
        let status = chain.channel(front).call(Target::named("Calculator", "add"), "").await.unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented, "{front}: {status}");
        assert!(status.message().contains("are not relayed to servers of Thrift"), "{front}: {status}");
    }
    assert_eq!(chain.seen(), []);
    let to_grpc = super::chain("thrift", "grpc", method("Place", |_: Call| async { Ok(ok("")) }));
    let call = to_grpc.channel.call(Target::named(SERVICE, "Place"), BINARY).content(Content::THRIFT);
    let status = call.await.unwrap_err();
    assert_eq!(ExceptionType::of(&status), Some(ExceptionType::UNKNOWN_METHOD), "{status}");
    assert!(status.message().contains("protocol are not relayed to servers of protobuf"), "{status}");
}

#[tokio::test(start_paused = true)]
async fn two_relays_with_each_other_behind_them_end_a_call() {
    let forms = [
        "thrift",
        "thrift:unframed",
        "thrift:ttheader",
        "thrift:old",
        "thrift:compact",
        "thrift:unframed+old",
    ];
    for form in forms {
        let net = Net::<Lab>::seeded(1);
        for (one, other) in [("a:1", "b:1"), ("b:1", "a:1")] {
            // A connection for each call: on one for all, replies wait for those before.
            let below = net.host(one).builder(other).protocol(form).kind(Connections::Pooled);
            let below = below.build().expect("a channel");
            net.serve(one, Server::<Lab>::new().catch_all(Relay::to(below)));
        }
        let channel = net.builder("a:1").protocol(form).build().expect("a channel");
        let (sent, content) = message_of(form);
        let call = channel.call(Target::named("Calculator", "add"), sent).content(content);
        let status = call.timeout(ms(60_000)).await.unwrap_err();
        assert!(status.message().contains("too many relays"), "{form}: {status}");
    }
}
