//! Callers that send JSON to servers that read protobuf, and the other way round. The bytes of protobuf are
//! the examples of protobuf.dev, programming-guides/encoding.

use super::*;
use crate::{Cluster, Routes, Schemas};
use polywire_call::{Code, Metadata};
use polywire_client::Target;
use polywire_formats::compression::compress;
use polywire_wire::{Compression, Limits};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PLACE: Target = Target::fixed(SERVICE, "Place");

const PROTO: &str = r#"
syntax = "proto3";
package shop.v1;
import "google/protobuf/any.proto";
service Orders {
  rpc Place(Order) returns (Order);
  rpc Watch(Order) returns (stream Order);
  rpc Collect(stream Order) returns (Order);
}
enum Colour { A_NAME_THAT_IS_MUCH_LONGER_THAN_THE_NUMBER_OF_THE_VALUE = 0; }
message Order {
  int32 a = 1;
  string b = 2;
  Order c = 3;
  string d = 4;
  int64 long = 5;
  repeated int32 e = 6;
  repeated Colour colours = 7;
  google.protobuf.Any any = 8;
}
"#;

/// JSON in protobuf's own mapping, and the message in protobuf.
const PAIRS: [(&str, &[u8]); 4] = [
    (r#"{"a":150}"#, b"\x08\x96\x01"),
    (r#"{"b":"testing"}"#, b"\x12\x07testing"),
    (r#"{"c":{"a":150}}"#, b"\x1a\x03\x08\x96\x01"),
    (r#"{"d":"hello","e":[3,270,86942]}"#, b"\x22\x05hello\x32\x06\x03\x8e\x02\x9e\xa7\x05"),
];

struct One(String);

impl FileResolver for One {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "orders.proto" => File::from_source(name, &self.0),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn set() -> Vec<u8> {
    set_with(("", ""))
}

/// The schemas with another text in place of one.
pub(super) fn set_with((from, to): (&str, &str)) -> Vec<u8> {
    assert!(PROTO.contains(from));
    let mut resolver = ChainFileResolver::new();
    resolver.add(One(PROTO.replacen(from, to, 1)));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("orders.proto").expect("a file");
    compiler.encode_file_descriptor_set()
}

pub(super) fn known() -> Schemas {
    Schemas::from_descriptor_set(&set()).expect("schemas")
}

/// A chain whose relay has these schemas, and messages of at most 64 KiB.
fn chain_by(schemas: &Schemas, protocols: (&str, &str), method: Method) -> Chain {
    chain_with_limit(schemas, protocols, method, 64 << 10)
}

fn chain_with_limit(
    schemas: &Schemas,
    (front, back): (&str, &str),
    method: Method,
    max_message: u32,
) -> Chain {
    let net = Net::seeded(1);
    let service = Service::new(SERVICE, &[]).with(method);
    let behind = net.serve("behind:1", Server::<Lab>::new().service(service));
    let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
    let relay = Relay::to(Cluster::new(&below).schemas(schemas));
    let mut limits = Limits::default();
    limits.max_message = max_message;
    net.serve("relay:1", Server::<Lab>::new().catch_all(relay).limits(limits));
    let channel = net.builder("relay:1").protocol(front).build().expect("a channel");
    Chain { net, behind, channel }
}

/// Answers with what it is sent.
fn echo() -> Method {
    method("Place", |call: Call| async move { Ok(Outcome { content: call.content, ..ok(call.body) }) })
}

#[tokio::test(start_paused = true)]
async fn json_reaches_servers_of_protobuf_and_their_replies_come_back_as_json() {
    for (front, content) in
        [("http", Content::JSON), ("connect:json", Content::PROTO_JSON), ("grpc:json", Content::PROTO_JSON)]
    {
        for back in ["grpc", "baidu_std", "connect"] {
            let place = method("Place", |call: Call| async move {
                assert_eq!(call.content, Content::PROTOBUF);
                let body = call.body.to_vec();
                assert!(PAIRS.iter().any(|(_, wire)| *wire == body), "{body:?}");
                Ok(ok(body))
            });
            let chain = chain_by(&known(), (front, back), place);
            for (json, _) in PAIRS {
                let call = chain.channel.call(PLACE, json).content(content);
                let reply = call.await.unwrap_or_else(|status| panic!("{front} to {back}: {status}"));
                assert_eq!(String::from_utf8_lossy(&reply.body.to_vec()), json, "{front} to {back}");
                assert_eq!(reply.content, content, "{front} to {back}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn protobuf_reaches_servers_of_json_and_their_replies_come_back_as_protobuf() {
    for (back, content) in [("http", Content::JSON), ("connect:json", Content::PROTO_JSON)] {
        for front in ["grpc", "baidu_std", "connect"] {
            let place = method("Place", move |call: Call| async move {
                assert_eq!(call.content, content);
                let body = call.body.to_vec();
                assert!(PAIRS.iter().any(|(json, _)| json.as_bytes() == body), "{body:?}");
                Ok(Outcome { content, ..ok(body) })
            });
            let chain = chain_by(&known(), (front, back), place);
            for (_, wire) in PAIRS {
                let reply = chain.channel.call(PLACE, wire).await.unwrap_or_else(|status| panic!("{status}"));
                assert_eq!((reply.body.to_vec(), reply.content), (wire.to_vec(), Content::PROTOBUF));
            }
        }
    }
}

/// 64-bit integers are strings in protobuf's own mapping, numbers in brpc's.
#[tokio::test(start_paused = true)]
async fn json_has_the_mapping_of_the_servers() {
    let place = || method("Place", |_| async { Ok(ok(&b"\x28\x96\x01"[..])) });
    for (back, json) in [("grpc", r#"{"long":"150"}"#), ("baidu_std", r#"{"long":150}"#)] {
        let chain = chain_by(&known(), ("http", back), place());
        let reply = chain.channel.call(PLACE, "{}").content(Content::JSON).await.expect("a reply");
        assert_eq!(reply.body.to_vec(), json.as_bytes(), "{back}");
    }
}

#[tokio::test(start_paused = true)]
async fn messages_in_the_form_of_the_servers_are_not_read() {
    for (front, back) in [("grpc", "grpc"), ("baidu_std", "grpc"), ("grpc", "baidu_std"), ("http", "http")] {
        for schemas in [known(), Schemas::new()] {
            let chain = chain_by(&schemas, (front, back), echo());
            let reply = chain.channel.call(PLACE, "\u{1}neither").await.expect("a reply");
            assert_eq!(reply.body.to_vec(), b"\x01neither", "{front} to {back}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_schema_nothing_is_sent() {
    let served = Arc::new(AtomicUsize::new(0));
    let (schemas, count) = (Schemas::new(), served.clone());
    let place = method("Place", move |call: Call| {
        count.fetch_add(1, Relaxed);
        async { Ok(ok(call.body)) }
    });
    let chain = chain_by(&schemas, ("connect:json", "grpc"), place);
    let refused = async |text: &str| {
        let status = chain.channel.call(PLACE, "{}").content(Content::PROTO_JSON).await.unwrap_err();
        assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")));
        assert!(status.message().starts_with(text), "{status}");
    };
    refused("schema of shop.v1.Orders is not known").await;
    assert!(schemas.take_missed() && !schemas.take_missed());
    schemas.lacking("reflection failed with UNAVAILABLE");
    refused("schema of shop.v1.Orders is not known: reflection failed with UNAVAILABLE 0 s ago").await;
    assert_eq!(served.load(Relaxed), 0);

    schemas.replace(&set()).expect("schemas");
    chain.channel.call(PLACE, "{}").content(Content::PROTO_JSON).await.expect("a reply");
    assert_eq!(served.load(Relaxed), 1);
    let other = chain.channel.call(Target::fixed(SERVICE, "Drop"), "{}").content(Content::PROTO_JSON);
    let said = other.await.unwrap_err();
    assert_eq!(said.message(), "the schema of shop.v1.Orders has no method Drop");
    schemas.replace(b"\x0a").expect_err("no set");
    chain.channel.call(PLACE, "{}").content(Content::PROTO_JSON).await.expect("the schemas before");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_none_is_an_invalid_argument_and_not_sent() {
    let served = Arc::new(AtomicUsize::new(0));
    let count = served.clone();
    let place = method("Place", move |call: Call| {
        count.fetch_add(1, Relaxed);
        async { Ok(ok(call.body)) }
    });
    let chain = chain_by(&known(), ("connect:json", "grpc"), place);
    let deep = |n: usize| format!("{}{}", r#"{"c":"#.repeat(n) + "{}", "}".repeat(n)).into_bytes();
    for (json, said) in [
        (br#"{"c":{"a":"many"}}"#.to_vec(), "c.a"),
        (br#"{"a":2147483648}"#.to_vec(), "a: "),
        (br#"{"a":1e99999999}"#.to_vec(), "a: "),
        (br#"{"e":[1,2,"x"]}"#.to_vec(), "e[2]"),
        (b"{\"b\":\"\xff\"}".to_vec(), "JSON at byte"),
        (b"{\"a\":1".to_vec(), "JSON at byte"),
        (b"\x08\x96\x01".to_vec(), "JSON at byte"),
        (br#"{"any":{"@type":"type.googleapis.com/shop.v1.Nothing"}}"#.to_vec(), "JSON at byte"),
        (deep(100), "JSON at byte"),
        (deep(5000), "JSON at byte"),
    ] {
        let call = chain.channel.call(PLACE, json.clone()).content(Content::PROTO_JSON);
        let status = call.await.expect_err("no request");
        let shown = String::from_utf8_lossy(&json[..json.len().min(80)]).into_owned();
        assert_eq!((status.code(), mark(&status)), (Code::InvalidArgument, Some("translate")), "{shown}");
        assert!(status.message().starts_with("the request is no shop.v1.Order: "), "{status}");
        assert!(status.message().contains(said) && status.message().len() < 400, "{shown}: {status}");
    }
    assert_eq!(served.load(Relaxed), 0);
    let call = chain.channel.call(PLACE, deep(99)).content(Content::PROTO_JSON);
    call.await.expect("not too deep");
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_none_is_a_failure_of_the_relay() {
    for (wire, said) in [
        (&b"\x08"[..], "not a valid protobuf message"),
        (b"\x1a\x03\x12\x01", "not a valid protobuf message"),
        (b"\x1a\x02\x08\x96", "c: "),
        (b"\x12\x02\xc3\x28", "shop.v1.Order.b is not UTF-8"),
        (b"\x1a\x04\x12\x02\xc3\x28", "shop.v1.Order.c.b is not UTF-8"),
        (b"\x42\x08\x0a\x03a/b\x12\x01x", "any: an Any of unknown type a/b"),
    ] {
        let place = method("Place", move |_| async move { Ok(ok(wire)) });
        let chain = chain_by(&known(), ("connect:json", "grpc"), place);
        let call = chain.channel.call(PLACE, "{}").content(Content::PROTO_JSON);
        let status = call.await.expect_err("no reply");
        assert_eq!((status.code(), mark(&status)), (Code::Internal, Some("translate")), "{wire:?}");
        assert!(status.message().starts_with("the reply is no shop.v1.Order: "), "{status}");
        assert!(status.message().contains(said), "{wire:?}: {status}");
    }
    // Nested as deep as protobuf lets it be, which JSON does not.
    let nested = (0..120).fold(Vec::new(), |inner: Vec<u8>, _| {
        let mut outer = vec![0x1a];
        let mut rest = inner.len();
        while rest >= 0x80 {
            outer.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        outer.push(rest as u8);
        outer.extend(inner);
        outer
    });
    let place = method("Place", move |_| {
        let nested = nested.clone();
        async move { Ok(ok(nested)) }
    });
    let chain = chain_by(&known(), ("connect:json", "grpc"), place);
    let status = chain.channel.call(PLACE, "{}").content(Content::PROTO_JSON).await.expect_err("too deep");
    assert_eq!(status.code(), Code::Internal);
    assert!(status.message().contains("nested more than 100 levels deep"), "{status}");
}

#[tokio::test(start_paused = true)]
async fn a_reply_in_another_form_is_not_passed_on_as_that_of_the_caller() {
    for (front, back) in [("grpc", "baidu_std"), ("baidu_std", "baidu_std"), ("connect", "baidu_std")] {
        let place = method("Place", |_| async { Ok(Outcome { content: Content::JSON, ..ok("{}") }) });
        let chain = chain_by(&Schemas::new(), (front, back), place);
        let status = chain.channel.call(PLACE, "").await.expect_err("JSON");
        assert_eq!((status.code(), mark(&status)), (Code::Internal, Some("translate")), "{front} to {back}");
        assert_eq!(status.message(), "the reply is in JSON, not in protobuf", "{front} to {back}");
    }
}

/// The servers may have other methods and messages by now.
#[tokio::test(start_paused = true)]
async fn calls_that_do_not_fit_the_schemas_are_noted() {
    let schemas = known();
    let place = method("Place", |_| async { Ok(ok(&b"\x08"[..])) });
    let chain = chain_by(&schemas, ("connect:json", "grpc"), place);
    let call = async |target, json| {
        let call = chain.channel.call(target, json).content(Content::PROTO_JSON);
        call.await.expect_err("no such call")
    };
    assert!(!schemas.take_missed());
    for (target, json) in [(PLACE, "{}"), (PLACE, r#"{"a":"x"}"#), (Target::fixed(SERVICE, "Drop"), "{}")] {
        let status = call(target, json).await;
        assert!(schemas.take_missed() && !schemas.take_missed(), "{status}");
    }
}

/// Each byte of a packed field of enums is a name.
#[tokio::test(start_paused = true)]
async fn json_that_grows_beyond_four_messages_is_not_written() {
    let colours = |n: usize| {
        let mut wire = vec![0x3a];
        wire.extend([n as u8 | 0x80, (n >> 7) as u8 | 0x80, (n >> 14) as u8]);
        wire.resize(wire.len() + n, 0);
        wire
    };
    for (n, passes) in [(4000, true), (60_000, false)] {
        let place = method("Place", move |_| async move { Ok(ok(colours(n))) });
        let chain = chain_by(&known(), ("connect:json", "grpc"), place);
        match chain.channel.call(PLACE, "{}").content(Content::PROTO_JSON).await {
            Ok(reply) => assert!(passes && reply.body.len() > 50 * n),
            Err(status) => {
                assert!(!passes);
                let is = (status.code(), mark(&status));
                assert_eq!(is, (Code::ResourceExhausted, Some("too_large")), "{status}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn long_messages_are_translated_as_short_ones() {
    let text = "x".repeat(200_000);
    let mut wire = vec![0x12, 0xc0, 0x9a, 0x0c];
    wire.extend(text.bytes());
    let place = method("Place", move |call: Call| {
        assert_eq!(call.body.to_vec(), wire);
        async move { Ok(ok(call.body)) }
    });
    let chain = chain_with_limit(&known(), ("connect:json", "grpc"), place, 1 << 20);
    let json = format!("{{\"b\":\"{text}\"}}");
    let reply = chain.channel.call(PLACE, json.clone()).content(Content::PROTO_JSON).await.expect("a reply");
    assert_eq!(reply.body.to_vec(), json.into_bytes());
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_server_is_that_of_the_caller() {
    for front in ["http", "connect:json", "grpc:json"] {
        let place = method("Place", |_| async {
            Err(Status::not_found("no such lamp").with_metadata("x-shelf", "7"))
        });
        let chain = chain_by(&known(), (front, "grpc"), place);
        let content = if front == "http" { Content::JSON } else { Content::PROTO_JSON };
        let status = chain.channel.call(PLACE, "{}").content(content).await.unwrap_err();
        let json = r#"{"code":5,"message":"no such lamp","details":[]}"#;
        let text = if front == "http" { json } else { "no such lamp" };
        assert_eq!((status.code(), status.message()), (Code::NotFound, text), "{front}");
        assert_eq!((status.metadata().get_str("x-shelf"), mark(&status)), (Some("7"), None), "{front}");
    }
}

#[tokio::test(start_paused = true)]
async fn streams_of_replies_are_translated_message_by_message() {
    let watch = || {
        streaming("Watch", |mut call: Call| async move {
            let (mut source, mut sink) = call.stream.take().expect("a stream");
            let request = source.next().await.transpose()?.expect("a message");
            assert_eq!(request.bytes.to_vec(), PAIRS[0].1);
            let fields = Some(Box::new(Metadata::from_iter([("x-head", b"1")])));
            sink.answer(polywire_wire::Answer { metadata: fields, ..Default::default() });
            for (_, wire) in PAIRS {
                sink.send(polywire_wire::Part::message(wire.to_vec().into())).await?;
            }
            Err(Status::aborted("no more"))
        })
    };
    // Towards Connect it is the schema that says that a call over gRPC streams.
    for (front, back) in [
        ("connect:json", "grpc"),
        ("grpc:json", "grpc"),
        ("grpc:json", "connect"),
        ("connect:json", "connect"),
    ] {
        let chain = chain_by(&known(), (front, back), watch());
        let target = Target::fixed(SERVICE, "Watch");
        let mut stream = chain.channel.stream(target).message(PAIRS[0].0).await.expect("a stream");
        for (json, _) in PAIRS {
            let part = stream.next().await.expect("a message").expect("no failure");
            assert_eq!(String::from_utf8_lossy(&part.bytes.to_vec()), json, "{front}");
        }
        let status = stream.next().await.expect("an end").expect_err("a failure");
        assert_eq!((status.code(), status.message()), (Code::Aborted, "no more"), "{front}");
    }
    // Over a protocol that does not stream there is no way for it.
    let chain = chain_by(&known(), ("connect:json", "sofa_pbrpc"), watch());
    let call = chain.channel.stream(Target::fixed(SERVICE, "Watch"));
    let mut stream = call.message("{}").await.expect("a stream");
    let status = stream.next().await.expect("an end").expect_err("a failure");
    assert_eq!(status.code(), Code::Unimplemented, "{status}");
}

#[tokio::test(start_paused = true)]
async fn calls_by_path_are_for_a_relay_that_has_a_route_for_them() {
    let net = Net::<Lab>::seeded(1);
    net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::by(Routes::new())));
    let channel = net.builder("relay:1").protocol("http").build().expect("a channel");
    let status = channel.call(PLACE, "{}").content(Content::JSON).await.unwrap_err();
    assert!(status.message().contains("Fail to find method on /shop.v1.Orders/Place"), "{status}");
    let plain = chain("http", "grpc", echo());
    let status = plain.channel.call(PLACE, "{}").content(Content::JSON).await.unwrap_err();
    assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")));
    assert!(status.message().contains("the relay has none to translate JSON"), "{status}");
    let reply = plain.channel.call(PLACE, "\u{8}\u{1}").content(Content::PROTOBUF).await.expect("a reply");
    assert_eq!(reply.body.to_vec(), b"\x08\x01", "protobuf goes on unread");
    let chain = chain_by(&known(), ("http", "grpc"), echo());
    let status = chain.channel.call(Target::fixed("other.Service", "Get"), "{}").await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    assert!(status.message().contains("schema of other.Service is not known"), "{status}");
    let collect = chain.channel.call(Target::fixed(SERVICE, "Collect"), "{}").await.unwrap_err();
    assert!(collect.message().contains("plain HTTP cannot carry"), "{collect}");
}

/// Replies of `Watch`, in the form of the server.
fn watch(replies: [&'static str; 2], served: &Arc<AtomicUsize>) -> Method {
    let served = served.clone();
    streaming("Watch", move |mut call: Call| {
        served.fetch_add(1, Relaxed);
        async move {
            let (mut source, mut sink) = call.stream.take().expect("a stream");
            source.next().await.transpose()?.expect("a message");
            sink.answer(polywire_wire::Answer::default());
            for reply in replies {
                sink.send(polywire_wire::Part::message(reply.into())).await?;
            }
            Ok(Outcome::default())
        }
    })
}

/// Messages in protobuf one after the other are one message, with the fields of all.
#[tokio::test(start_paused = true)]
async fn replies_over_plain_http_are_lines_of_json_or_nothing_is_sent() {
    let served = Arc::new(AtomicUsize::new(0));
    let target = || Target::fixed(SERVICE, "Watch");
    for (back, replies, lines) in [
        ("grpc", ["\u{8}\u{1}", "\u{8}\u{2}"], "{\"a\":1}\n{\"a\":2}\n"),
        ("grpc:json", ["{\n\"a\":1\r\n}", "{\"a\":2}"], "{ \"a\":1  }\n{\"a\":2}\n"),
    ] {
        let chain = chain_by(&known(), ("http", back), watch(replies, &served));
        let reply = chain.channel.call(target(), "{}").content(Content::JSON).await.expect("lines");
        assert_eq!(String::from_utf8_lossy(&reply.body.to_vec()), lines, "{back}");
        let before = served.load(Relaxed);
        let status = chain.channel.call(target(), "").content(Content::PROTOBUF).await.unwrap_err();
        assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")), "{status}");
        assert_eq!(served.load(Relaxed), before, "{back}");
    }
}

#[tokio::test(start_paused = true)]
async fn failures_quote_only_the_beginning_of_a_message() {
    let chain = chain_by(&known(), ("grpc:json", "grpc"), echo());
    let json = format!("{{\"any\":{{\"@type\":\"{}\"}}}}", "\u{1f600}".repeat(12_000));
    let status = chain.channel.call(PLACE, json).content(Content::PROTO_JSON).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    assert!(status.message().contains("unknown type") && status.message().len() <= 1000, "{status}");
}

/// Connect tells the two apart by the content type.
#[tokio::test(start_paused = true)]
async fn a_call_of_one_message_does_not_reach_a_method_that_streams() {
    let served = Arc::new(AtomicUsize::new(0));
    for (front, content) in [("connect:json", Content::PROTO_JSON), ("baidu_std", Content::JSON)] {
        let chain = chain_by(&known(), (front, "grpc"), watch(["", ""], &served));
        let call = chain.channel.call(Target::fixed(SERVICE, "Watch"), "{}").content(content);
        let status = call.await.unwrap_err();
        assert_eq!((status.code(), served.load(Relaxed)), (Code::Unimplemented, 0), "{front}: {status}");
    }
}

/// The limits of a server for what came compressed: 16 MiB, and above 1 MiB 200 times its bytes.
#[tokio::test(start_paused = true)]
async fn a_bomb_is_not_inflated_to_be_translated() {
    let bomb = || [vec![b' '; 17 << 20], b"{}".to_vec()].concat();
    for (front, content) in
        [("http", Content::JSON), ("connect:json", Content::PROTO_JSON), ("grpc:json", Content::PROTO_JSON)]
    {
        let chain = chain_with_limit(&known(), (front, "grpc"), echo(), 32 << 20);
        chain.channel.call(PLACE, bomb()).content(content).await.expect("as they are");
        let small = compress(Compression::GZIP, bomb().into()).expect("gzip");
        let call = chain.channel.call(PLACE, small).content(content).compressed(Compression::GZIP);
        let status = call.await.unwrap_err();
        let is = (status.code(), mark(&status));
        assert_eq!(is, (Code::ResourceExhausted, Some("too_large")), "{front}: {status}");
    }
}

/// The body is the message of the caller, whether it is empty or comes in pieces.
#[tokio::test(start_paused = true)]
async fn a_body_is_one_message_to_a_method_that_streams_its_replies() {
    let watch = streaming("Watch", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        sink.answer(polywire_wire::Answer::default());
        while let Some(part) = source.next().await.transpose()? {
            let mut reply = vec![0x08];
            let mut n = part.bytes.len();
            while n >= 0x80 {
                reply.push(n as u8 | 0x80);
                n >>= 7;
            }
            reply.push(n as u8);
            sink.send(polywire_wire::Part::message(reply.into())).await?;
        }
        Ok(Outcome::default())
    });
    let chain = chain_with_limit(&known(), ("http", "grpc"), watch, 4 << 20);
    let long = format!("{{\"b\":\"{}\"}}", "x".repeat(2_000_000));
    for (json, lines) in [("", "{}\n"), ("{}", "{}\n"), (&long, "{\"a\":2000004}\n")] {
        let call = chain.channel.call(Target::fixed(SERVICE, "Watch"), json.to_owned());
        let reply = call.content(Content::JSON).await.expect("lines");
        assert_eq!(String::from_utf8_lossy(&reply.body.to_vec()), lines, "{} bytes", json.len());
    }
}
