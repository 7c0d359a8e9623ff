//! How often callers may call: over every protocol, before bodies are read.

use polywire::{
    Arrival, Caller, Channel, Code, Content, Handler, Identity, Method, Pages, Server, Service, Started,
    Status, Target,
    handler::{Call, Outcome},
    overload::{RateBy, Rates},
    testkit::Net,
};
use polywire_engine::Engine;
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::sleep;

struct Empty;
impl Handler for Empty {
    fn start(&self, _: Call) -> Started {
        Started::Ready(Outcome { content: Content::RAW, reply: true, ..Outcome::default() })
    }
}

const GET: Target = Target::fixed("test.Things", "Get");
const LIST: Target = Target::fixed("test.Things", "List");

fn server() -> Server {
    let method = |name| Method::new(name, || Box::new(Empty));
    Server::new().service(Service::new("test.Things", &[]).with(method("Get")).with(method("List")))
}

/// As many calls as are let in one after the other, and how the next one ends.
async fn let_in(channel: &Channel, field: Option<(&str, &str)>) -> (usize, Status) {
    for n in 0..100 {
        let call = channel.call(GET, "");
        let call = field.into_iter().fold(call, |call, (name, value)| call.metadata(name, value));
        if let Err(status) = call.await {
            return (n, status);
        }
    }
    panic!("it goes on for ever")
}

#[tokio::test(start_paused = true)]
async fn a_caller_is_refused_beyond_its_burst_over_every_protocol_and_told_when_to_come_back() {
    let net = Net::seeded(1);
    let rates = Rates::per_second(2).burst(5);
    net.serve("shop:1", server().admission(rates.clone()));
    let mut refused = 0;
    for protocol in ["grpc", "http", "h2", "connect", "baidu_std", "sofa_pbrpc"] {
        let builder = net.builder("shop:1").protocol(protocol).build().expect("a channel");
        let (calls, status) = let_in(&builder, None).await;
        assert_eq!((calls, status.code()), (5, Code::ResourceExhausted), "{protocol}: {status:?}");
        assert!(status.message().ends_with("more than 2/s calls of a caller"), "{protocol}: {status}");
        assert!(!status.is_retryable(), "{protocol}: {status:?}");
        refused += 1;
        if ["grpc", "http", "h2"].contains(&protocol) {
            assert_eq!(status.metadata().get_str("retry-after"), Some("1"), "{protocol}");
        }
        if protocol == "grpc" {
            let pushback = status.metadata().get_str("grpc-retry-pushback-ms");
            assert_eq!(pushback, Some("500"));
        }
        sleep(Duration::from_millis(499)).await;
        assert!(builder.call(GET, "").await.is_err(), "{protocol}");
        refused += 1;
        sleep(Duration::from_millis(1)).await;
        assert!(builder.call(GET, "").await.is_ok(), "{protocol}");
    }
    assert!(refused >= 12, "{refused}");
    let report = rates.report();
    // In a network in memory each connection has a peer of its own.
    assert_eq!((report.refused, report.admitted, report.callers), (refused, 3 * refused, 6));
}

#[tokio::test(start_paused = true)]
async fn callers_are_counted_by_identity_and_fields_by_their_values() {
    let net = Net::seeded(1);
    let known = |caller: Caller| async move { Ok(Identity::named(caller.credential_str().unwrap_or("?"))) };
    let rates = Rates::per_second(1).burst(3);
    net.serve("shop:1", server().authenticate(known).admission(rates));
    for protocol in ["grpc", "baidu_std"] {
        for who in ["ada", "bob"] {
            let credential = format!("{who} {protocol}");
            let channel = |()| net.builder("shop:1").protocol(protocol).credential(&*credential).build();
            let (one, other) = (channel(()).expect("a channel"), channel(()).expect("a channel"));
            assert_eq!(let_in(&one, None).await.0, 3, "{protocol} {who}");
            assert_eq!(let_in(&other, None).await.0, 0, "{protocol} {who}: another connection");
        }
    }
    let by_tenant = Rates::per_second(1).burst(2).by(RateBy::Field("x-tenant".into()));
    net.serve("shop:2", server().admission(by_tenant));
    for protocol in ["grpc", "http", "baidu_std"] {
        let channel = net.builder("shop:2").protocol(protocol).build().expect("a channel");
        for tenant in ["red", "blue"] {
            let value = format!("{tenant} {protocol}");
            assert_eq!(let_in(&channel, Some(("x-tenant", &value))).await.0, 2, "{value}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_counts_and_refuses_nobody() {
    let net = Net::seeded(1);
    let rates = Rates::per_second(1).dry_run(true);
    net.serve("shop:1", server().admission(rates.clone()));
    let channel = net.builder("shop:1").build().expect("a channel");
    for _ in 0..10 {
        assert!(channel.call(GET, "").await.is_ok());
    }
    assert_eq!((rates.report().admitted, rates.report().refused), (1, 9));
}

#[tokio::test(start_paused = true)]
async fn admissions_see_names_and_identities_and_refuse_one_after_the_other() {
    let net = Net::seeded(1);
    let asked = Arc::new(AtomicUsize::new(0));
    let (first, second) = (asked.clone(), asked.clone());
    let known = |caller: Caller| async move { Ok(Identity::named(caller.credential_str().unwrap_or("?"))) };
    let service = server()
        .authenticate(known)
        .admission(move |call: &Arrival<'_>| {
            first.fetch_add(1, Relaxed);
            match (call.called(), call.identity().map(|identity| &*identity.name)) {
                (("test.Things", "Get"), Some("ada")) => Ok(()),
                (called, name) => Err(Status::permission_denied(format!("{called:?} {name:?}"))),
            }
        })
        .admission(move |_: &Arrival<'_>| {
            second.fetch_add(100, Relaxed);
            Ok(())
        });
    net.serve("shop:1", service);
    for (protocol, asked_before) in [("grpc", 0), ("baidu_std", 103)] {
        let channel =
            |who: &str| net.builder("shop:1").protocol(protocol).credential(who).build().expect("a channel");
        assert!(channel("ada").call(GET, "").await.is_ok(), "{protocol}");
        let refused = channel("ada").call(LIST, "").await.expect_err("another method");
        assert_eq!(refused.code(), Code::PermissionDenied, "{protocol}: {refused}");
        assert!(channel("bob").call(GET, "").await.is_err(), "{protocol}");
        assert_eq!(asked.load(Relaxed), asked_before + 103, "{protocol}");
    }
}

#[test]
fn a_call_is_refused_before_its_body_has_come_and_pages_never_are() {
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    let rates = Rates::per(1, Duration::from_secs(3600));
    let server = server().engine(&engine).pages(Pages::default()).admission(rates);
    let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
    let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut ask = |head: &str, until: &str| {
        socket.write_all(head.as_bytes()).unwrap();
        let (mut said, mut byte) = (String::new(), [0]);
        while !said.contains(until) {
            socket.read_exact(&mut byte).unwrap();
            said.push(byte[0].into());
        }
        said
    };
    let head = "POST /test.Things/Get HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let said = ask(&format!("{head}content-length: 2\r\n\r\n{{}}"), "\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    for _ in 0..3 {
        let said = ask("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n", "\r\n\r\nOK");
        assert!(said.contains("HTTP/1.1 200"), "{said}");
    }
    // A megabyte is announced, and none of it sent.
    let said = ask(&format!("{head}content-length: 1000000\r\n\r\n"), "\r\n\r\n");
    assert!(said.contains("HTTP/1.1 429") && said.contains("retry-after: 3600"), "{said}");
}
