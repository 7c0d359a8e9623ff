//! Who has failed, and calls that go round in a circle.

use super::*;
use polywire_call::{Code, Native, brpc};
use polywire_client::Target;

const PLACE: Target = Target::fixed(SERVICE, "Place");
const PROTOCOLS: [&str; 4] = ["grpc", "grpc-web", "connect", "baidu_std"];

fn echo() -> Method {
    method("Place", |call: Call| async { Ok(ok(call.body)) })
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_relay_says_so_and_names_no_address_in_each_protocol() {
    for front in PROTOCOLS {
        for back in ["grpc", "baidu_std"] {
            let chain = chain(front, back, echo());
            chain.channel.call(PLACE, "").await.expect("a reply");
            chain.behind.crash();
            let status = chain.channel.call(PLACE, "").await.unwrap_err();
            assert_eq!(status.code(), Code::Unavailable, "{front} to {back}: {status}");
            let said = mark(&status).unwrap_or_else(|| panic!("{front} to {back}: {status:?}"));
            assert!(["unconnected", "reset", "no_server"].contains(&said), "{front} to {back}: {said}");
            assert!(!status.message().contains("behind:1"), "{front} to {back}: {status}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_server_has_no_mark_but_that_of_a_relay() {
    for front in PROTOCOLS {
        for back in ["grpc", "baidu_std"] {
            for (sent, seen) in [("10.0.0.1 is down", None), ("unconnected", Some("unconnected"))] {
                let refuse = method("Place", move |_| async move {
                    Err(Status::unavailable("busy")
                        .with_metadata("polywire-gateway", sent)
                        .with_metadata("via", "x"))
                });
                let status = chain(front, back, refuse).channel.call(PLACE, "").await.unwrap_err();
                assert_eq!((status.message(), mark(&status)), ("busy", seen), "{front} to {back}");
                assert_eq!(status.metadata().get_str("via"), None, "{front} to {back}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_applications_own_number_goes_through() {
    for front in PROTOCOLS {
        for back in PROTOCOLS {
            let refuse = method("Place", |_| async { Err(brpc::status(4001, "no lamp")) });
            let status = chain(front, back, refuse).channel.call(PLACE, "").await.unwrap_err();
            assert_eq!(
                (status.native(), status.message()),
                (Native::Brpc(4001), "no lamp"),
                "{front} to {back}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_behind_is_marked() {
    let talk = streaming("Talk", |mut call: Call| async move {
        let (_source, mut sink) = call.stream.take().expect("a stream");
        sink.answer(polywire_wire::Answer::default());
        std::future::pending().await
    });
    let chain = chain("grpc", "grpc", talk);
    let mut stream = chain.channel.stream(Target::fixed(SERVICE, "Talk")).await.expect("a stream");
    stream.opened().await.expect("a head");
    chain.behind.crash();
    let status = stream.next().await.expect("an end").unwrap_err();
    assert!(!status.message().contains("behind:1"), "{status}");
    let trailers = stream.outcome().and_then(|outcome| outcome.trailers).expect("trailers");
    assert_eq!(trailers.get_str("polywire-gateway"), Some("reset"));
}

#[tokio::test(start_paused = true)]
async fn two_relays_with_each_other_behind_them_end_a_call() {
    for (front, round) in
        [("grpc", "grpc"), ("connect", "grpc"), ("baidu_std", "baidu_std"), ("grpc", "connect")]
    {
        let net = Net::<Lab>::seeded(1);
        for (one, other) in [("a:1", "b:1"), ("b:1", "a:1")] {
            let below = net.host(one).builder(other).protocol(round).build().expect("a channel");
            net.serve(one, Server::<Lab>::new().catch_all(Relay::to(below)));
        }
        let channel = net.builder("a:1").protocol(front).build().expect("a channel");
        let status = channel.call(PLACE, "").timeout(ms(60_000)).await.unwrap_err();
        assert_eq!(
            (status.code(), mark(&status)),
            (Code::Internal, Some("loop")),
            "{front}, {round}: {status}"
        );
        assert!(status.message().contains("come back"), "{front}, {round}: {status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_passes_relays_in_a_row_but_not_without_end() {
    let net = Net::<Lab>::seeded(1);
    net.serve("s0:1", Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(echo())));
    for k in 1..=9 {
        let (name, next) = (format!("s{k}:1"), format!("s{}:1", k - 1));
        let below = net.host(&name).builder(&next).protocol("grpc").build().expect("a channel");
        net.serve(&name, Server::<Lab>::new().catch_all(Relay::to(below)));
    }
    let call = async |name: &str| {
        let channel = net.builder(name).protocol("grpc").build().expect("a channel");
        channel.call(PLACE, "a lamp").await.map(|reply| reply.body.to_vec())
    };
    assert_eq!(call("s8:1").await.expect("eight are allowed"), b"a lamp");
    assert!(call("s9:1").await.unwrap_err().message().contains("too many"));
}

#[tokio::test(start_paused = true)]
async fn forged_hops_end_the_call_that_has_them_alone() {
    for front in PROTOCOLS {
        let chain = chain(front, "grpc", echo());
        let many = ["0123456789abcdef"; 8].join(",");
        for forged in ["", "x", "0123456789abcdef,", &many] {
            let status = chain.channel.call(PLACE, "").metadata("polywire-hops", forged).await.unwrap_err();
            assert_eq!(mark(&status), Some("loop"), "{front}, {forged}: {status}");
        }
        chain
            .channel
            .call(PLACE, "")
            .metadata("polywire-hops", "0123456789abcdef")
            .await
            .expect("one is fine");
        chain.channel.call(PLACE, "").await.expect("others are not concerned");
    }
}
