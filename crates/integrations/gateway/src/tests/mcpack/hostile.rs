//! Messages that are none, and those that grow.

use super::*;
use polywire_call::Code;

/// An object with these members; names and values are given with their heads.
fn object(members: &[&[u8]]) -> Vec<u8> {
    [&(members.len() as u32).to_le_bytes()[..], &members.concat()].concat()
}

/// A member with a long head.
fn long(code: u8, name: &str, value: &[u8]) -> Vec<u8> {
    let head = [code, name.len() as u8 + 1];
    [&head[..], &(value.len() as u32).to_le_bytes(), name.as_bytes(), b"\0", value].concat()
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_no_message_is_refused_and_not_sent() {
    let schemas = known(&["echo.proto"]);
    let nested = |n: usize| (0..n).fold(object(&[]), |inner, _| object(&[&long(0x10, "deeper", &inner)]));
    // An empty isoarray of int8 -1: a byte each here, ten in protobuf.
    let numbers = [&[0x11][..], &vec![0xff; 60_000]].concat();
    for (name, body, said) in [
        ("Full", object(&[&long(0x50, "code", b"x\0")]), "code: not a number"),
        ("Full", object(&[&long(0x10, "message", &object(&[]))]), "message: neither string nor binary"),
        ("Full", object(&[&long(0x50, "one", b"x\0")]), ""),
        ("Full", object(&[&long(0x50, "uno", b"x\0")]), "uno: not an object"),
        ("Full", vec![1, 0, 0, 0, 0x50, 2, 0xff, 0xff, 0xff, 0xff, b'a', 0], "passes the end"),
        ("Full", nested(101), "nested more than 100 levels deep"),
        ("Full", nested(3000), "nested more than 100 levels deep"),
        ("Full", object(&[&long(0x30, "nums", &numbers)]), "longer than 262144 bytes"),
        ("Echo", object(&[]), "missing required field example.EchoRequest.message"),
    ] {
        let old = Old::new("baidu_std", Some(&schemas), name, |call: Call| async { Ok(ok(call.body)) });
        let outcome = old.channel("ubrpc_mcpack2").call(Target::fixed(ECHO_SERVICE, name), body).await;
        if said.is_empty() {
            outcome.expect("a member that the message does not have is skipped");
            continue;
        }
        let status = outcome.expect_err(said);
        let is_long = said.starts_with("longer");
        let expected = if is_long { Code::ResourceExhausted } else { Code::InvalidArgument };
        assert_eq!((status.code(), mark(&status).is_some()), (expected, true), "{said}: {status}");
        assert!(status.message().contains(said) && status.message().len() < 400, "{said}: {status}");
        assert_eq!(old.served.load(Relaxed), 0, "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn text_that_must_be_utf8_and_is_not_is_refused_by_its_field() {
    let schemas = known(&["echo.proto", "other.proto"]);
    let gbk = |name| object(&[&long(0x50, name, b"\xc4\xe3\0")]);
    let net = Net::<Lab>::seeded(1);
    let (texts, echo) = (Service::new("other.Texts", &[]), Service::new(ECHO_SERVICE, &[]));
    let same = |name| method(name, |call: Call| async { Ok(ok(call.body)) });
    net.serve(
        "behind:1",
        Server::<Lab>::new().service(texts.with(same("Put"))).service(echo.with(same("Full"))),
    );
    let below = net.host("relay").builder("behind:1").protocol("baidu_std").build().expect("a channel");
    let relay = Relay::to(Cluster::new(&below).schemas(&schemas));
    net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
    let channel = net.builder("relay:1").protocol("ubrpc_mcpack2").build().expect("a channel");
    let status = channel.call(Target::fixed("other.Texts", "Put"), gbk("text")).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("text: not UTF-8"), "{status}");
    // In proto2 it need not be, and the text of old programs goes both ways as it is.
    let only = known(&["echo.proto"]);
    let relay = Relay::to(Cluster::new(&below).schemas(&only));
    net.serve("relay:2", Server::<Lab>::new().catch_all(relay));
    let channel = net.builder("relay:2").protocol("ubrpc_mcpack2").build().expect("a channel");
    let reply = channel.call(FULL, gbk("message")).await.expect("a reply");
    assert!(reply.body.to_vec().windows(3).any(|bytes| bytes == b"\xc4\xe3\0"));
}

/// `1` in an array of 64-bit integers is a byte of protobuf and ten of mcpack.
#[tokio::test(start_paused = true)]
async fn a_reply_that_would_be_too_long_as_mcpack_is_none() {
    let schemas = known(&["echo.proto"]);
    for (numbers, is_long) in [(20_000, false), (60_000, true)] {
        let old = Old::new("baidu_std", Some(&schemas), "Echo", move |_| async move {
            let packed = vec![1; numbers];
            let length =
                [(numbers & 0x7f) as u8 | 0x80, (numbers >> 7 & 0x7f) as u8 | 0x80, (numbers >> 14) as u8];
            Ok(ok([&b"\x0a\x00\x1a"[..], &length, &packed].concat()))
        });
        let outcome =
            old.channel("ubrpc_mcpack2").call(ECHO, hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec()).await;
        match is_long {
            false => assert!(outcome.expect("a reply").body.len() > 200_000),
            true => {
                let status = outcome.expect_err("too long");
                assert_eq!((status.code(), mark(&status)), (Code::ResourceExhausted, Some("too_large")));
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_none_fails_by_its_field() {
    let schemas = known(&["echo.proto"]);
    for (wire, said) in [
        (&b"\x10\x01"[..], "missing required field example.EchoResponse.message"),
        (b"\x0a\x05he", "not a valid protobuf message"),
    ] {
        let old = Old::new("grpc", Some(&schemas), "Echo", move |_| async move { Ok(ok(wire)) });
        let call = old.channel("ubrpc_mcpack2").call(ECHO, hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec());
        let status = call.await.unwrap_err();
        assert_eq!((status.code(), mark(&status)), (Code::Internal, Some("translate")));
        assert!(status.message().contains(said), "{status}");
    }
}
