//! Calls of ZeroMQ's REQ sockets by polywire's convention, as callers and as servers.

use super::*;
use polywire_call::Code;
use polywire_client::Target;
use polywire_machine_testing::hex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PLACE: Target = Target::fixed(SERVICE, "Place");
/// What libzmq 4.3.4 says first as a REQ socket: its greeting and its READY (docs/wire/zmtp.md, section 9).
const REQ: &str = "ff 00 00 00 00 00 00 00 01 7f 03 01 4e 55 4c 4c
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    04 26 05 52 45 41 44 59 0b 53 6f 63 6b 65 74 2d 54 79 70 65 00 00 00 03 52 45 51 08 49 64 65 6e
    74 69 74 79 00 00 00 00";

fn place() -> Method {
    method("Place", |call: Call| async move {
        match &call.body.to_vec()[..] {
            b"fail" => Err(Status::not_found("no such lamp")),
            _ => Ok(ok(call.body)),
        }
    })
}

#[tokio::test(start_paused = true)]
async fn its_calls_go_to_servers_of_all_protocols_and_theirs_to_its_servers() {
    for (front, back) in [
        ("zmtp", "grpc"),
        ("zmtp", "baidu_std"),
        ("zmtp", "connect"),
        ("zmtp", "zmtp"),
        ("grpc", "zmtp"),
        ("baidu_std", "zmtp"),
    ] {
        let chain = chain(front, back, place());
        let reply = chain.channel.call(PLACE, "a lamp").await.expect("a reply");
        assert_eq!(reply.body.to_vec(), b"a lamp", "{front} to {back}");
        let status = chain.channel.call(PLACE, "fail").await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::NotFound, "no such lamp"), "{front} to {back}");
        let unknown = chain.channel.call(Target::named(SERVICE, "Other"), "").await.unwrap_err();
        assert_eq!(unknown.code(), Code::Unimplemented, "{front} to {back}: {unknown}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_that_is_left_goes_on() {
    let left = || method("Place", |call: Call| async move { Ok(ok(format!("{:?}", call.cx.remaining()))) });
    for (front, back) in [("zmtp", "grpc"), ("grpc", "zmtp")] {
        let chain = chain(front, back, left());
        let reply = chain.channel.call(PLACE, "").timeout(ms(200)).await.expect("a reply");
        let said = String::from_utf8(reply.body.to_vec()).expect("text");
        assert!(said.starts_with("Some(") && said.ends_with("ms)"), "{front} to {back}: {said}");
    }
}

#[tokio::test(start_paused = true)]
async fn two_relays_with_each_other_behind_them_end_a_call() {
    let net = Net::<Lab>::seeded(1);
    for (one, other) in [("a:1", "b:1"), ("b:1", "a:1")] {
        let below = net.host(one).builder(other).protocol("zmtp").build().expect("a channel");
        net.serve(one, Server::<Lab>::new().catch_all(Relay::to(below)));
    }
    let channel = net.builder("a:1").protocol("zmtp").build().expect("a channel");
    let status = channel.call(PLACE, "").timeout(ms(60_000)).await.unwrap_err();
    assert_eq!(
        (status.code(), status.metadata().get_str("polywire-gateway")),
        (Code::Internal, Some("loop"))
    );
    for (forged, is_refused) in [("8", true), ("9", true), ("7", false), ("x", false)] {
        let chain = chain("zmtp", "grpc", place());
        let seen = chain.channel.call(PLACE, "").metadata("polywire-relays", forged).await;
        assert_eq!(seen.is_err(), is_refused, "{forged}");
    }
}

/// Frames of foreign sockets: what comes back after the greeting of the relay, 10 bytes and then 54, and its
/// READY.
#[tokio::test(start_paused = true)]
async fn strangers_get_words_of_the_convention_or_the_end_of_their_connection() {
    let chain = chain("zmtp", "grpc", place());
    let sends = async |bytes: &[u8]| {
        let mut stream = chain.net.host("caller").connect("relay:1").await.expect("a connection");
        let all = [&hex(REQ)[..], bytes].concat();
        stream.write_all(&all).await.expect("it is read");
        let mut found = Vec::new();
        let mut some = [0; 512];
        while let Ok(Ok(read @ 1..)) = tokio::time::timeout(ms(100), stream.read(&mut some)).await {
            found.extend(&some[..read]);
        }
        found
    };
    let call = |target: &str, body: &str, words: &str| {
        let mut bytes = vec![1, 0];
        for (flags, frame) in [(1, target), (1, body), (0, words)] {
            bytes.extend([flags, frame.len() as u8]);
            bytes.extend(frame.as_bytes());
        }
        bytes
    };
    let seen = sends(&call("shop.v1.Orders/Place", "a lamp", "")).await;
    assert!(seen.ends_with(b"\x01\x00\x01\x010\x00\x06a lamp"), "{seen:02x?}");
    for (bytes, code) in [
        (&call("shop.v1.Orders/Place", "fail", "")[..], "5"),
        (&call("shop.v1.Orders/None", "", ""), "12"),
        (&call("/x", "", ""), "3"),
        (&call("a b/x", "", ""), "12"),
        (&call("shop.v1.Orders/Place/../x", "", ""), "12"),
        (&call("no target", "", ""), "3"),
        (&call("shop.v1.Orders/Place", "", "relays=8"), "13"),
        (b"\x01\x00\x00\x05hello", "3"),
    ] {
        let seen = sends(bytes).await;
        let begin = [&[1, 0, 1, code.len() as u8], code.as_bytes(), &[0]].concat();
        assert!(seen.windows(begin.len()).any(|window| window == begin), "{bytes:02x?}: {seen:02x?}");
    }
    // Without the empty frame it is no request, and a length that is beyond all limits ends the connection.
    let greeting = sends(b"").await;
    for bytes in [&b"\x00\x05hello"[..], b"\x02\x7f\xff\xff\xff\xff\xff\xff\xff", b"\x01\x00\x01\x14shop"] {
        assert_eq!(sends(bytes).await, greeting, "{bytes:02x?}");
    }
}
