//! The worked frames of docs/wire/http.md section 8.

use super::{client, echo, lines, said, server};
use crate::http::PROTOCOL;
use polywire_call::{Code, Native, brpc};
use polywire_machine_testing::{
    Call, Seen, SeenTarget, Side, at_every_split, at_every_split_reacting, at_every_truncation, hex,
};
use polywire_wire::Content;

const JSON_CALL: &str = "
    50 4f 53 54 20 2f 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76 69 63 65 2f 45 63 68 6f 20 48 54 54 50 2f 31 2e
    31 0d 0a 48 6f 73 74 3a 20 31 32 37 2e 30 2e 30 2e 31 3a 38 30 30 30 0d 0a 43 6f 6e 74 65 6e 74 2d 54 79 70 65 3a
    20 61 70 70 6c 69 63 61 74 69 6f 6e 2f 6a 73 6f 6e 0d 0a 43 6f 6e 74 65 6e 74 2d 4c 65 6e 67 74 68 3a 20 31 37 0d
    0a 0d 0a 7b 22 6d 65 73 73 61 67 65 22 3a 22 68 69 21 22 7d";
const PROTOBUF_REPLY: &str = "
    48 54 54 50 2f 31 2e 31 20 32 30 30 20 4f 4b 0d 0a 43 6f 6e 74 65 6e 74 2d 54 79 70 65 3a 20 61 70 70 6c 69 63 61
    74 69 6f 6e 2f 70 72 6f 74 6f 0d 0a 43 6f 6e 74 65 6e 74 2d 4c 65 6e 67 74 68 3a 20 35 0d 0a 0d 0a 0a 03 68 69 21";
const CHUNKED_REPLY: &str = "
    48 54 54 50 2f 31 2e 31 20 32 30 30 20 4f 4b 0d 0a 54 72 61 6e 73 66 65 72 2d 45 6e 63 6f 64 69 6e 67 3a 20 63 68
    75 6e 6b 65 64 0d 0a 0d 0a 35 0d 0a 68 65 6c 6c 6f 0d 0a 36 0d 0a 20 77 6f 72 6c 64 0d 0a 30 0d 0a 0d 0a";
const MESSAGE: &[u8] = br#"{"message":"hi!"}"#;

/// A client that waits for the reply to its first call.
fn calling() -> Side {
    let mut side = client();
    side.call(&Call::new("example.EchoService", "Echo").content(Content::JSON).body(MESSAGE));
    side
}

#[test]
fn the_json_call_is_opened_with_all_its_fields() {
    let run = at_every_split(server, &hex(JSON_CALL));
    let [Seen::Open(open)] = &run.seen[..] else { panic!("{:?}", run.seen) };
    let (verb, path) = ("POST".into(), "/example.EchoService/Echo".into());
    assert_eq!(open.head.target, SeenTarget::Path { verb, path });
    assert_eq!(open.head.content, Content::JSON);
    assert_eq!(open.head.timeout, None);
    assert_eq!(open.body, MESSAGE);
    assert!(open.finished);
    let fields: Vec<_> = open.head.fields.iter().map(|(n, v)| (&n[..], &v[..])).collect();
    let expected: [(&str, &[u8]); 5] = [
        (":method", b"POST"),
        (":path", b"/example.EchoService/Echo"),
        ("Host", b"127.0.0.1:8000"),
        ("Content-Type", b"application/json"),
        ("Content-Length", b"17"),
    ];
    assert_eq!(fields, expected);
}

#[test]
fn the_json_call_waits_for_its_last_byte() {
    at_every_truncation(server, &hex(JSON_CALL));
}

#[test]
fn the_json_call_is_what_our_client_sends() {
    let mut side = calling();
    let ours = said(&mut side);
    let agent = concat!("User-Agent: polywire/", env!("CARGO_PKG_VERSION"), "|");
    let golden = String::from_utf8(hex(JSON_CALL)).unwrap().replace("\r\n", "|");
    assert_eq!(ours.replace(agent, ""), golden.replace("127.0.0.1:8000", "test"));
}

#[test]
fn the_json_call_answered_in_kind() {
    let run = at_every_split_reacting(server, echo, &[hex(JSON_CALL), hex(JSON_CALL)].concat());
    let reply = r#"HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 17||{"message":"hi!"}"#;
    assert_eq!(run.written, lines(&reply.repeat(2)));
    assert_eq!(run.seen.len(), 2);
}

#[test]
fn the_protobuf_reply_finishes_the_call() {
    let run = at_every_split(calling, &hex(PROTOBUF_REPLY));
    let [Seen::Finish { outcome, .. }] = &run.seen[..] else { panic!("{:?}", run.seen) };
    assert!(outcome.status.is_ok() && outcome.reply);
    assert_eq!((outcome.content, &outcome.body[..]), (Content::PROTOBUF, &b"\x0a\x03hi!"[..]));
    assert!(outcome.trailers.is_empty());
    at_every_truncation(calling, &hex(PROTOBUF_REPLY));
}

#[test]
fn the_protobuf_reply_is_what_our_server_sends() {
    let mut side = server();
    let open = super::opened(
        &mut side,
        "POST /S/M HTTP/1.1|Host: x|Content-Type: application/proto|Content-Length: 5||\n\u{3}hi!",
    );
    assert_eq!(open.head.content, Content::PROTOBUF);
    side.reply(&open, b"\x0a\x03hi!");
    assert_eq!(side.written(), hex(PROTOBUF_REPLY));
}

#[test]
fn the_chunked_reply_is_put_together() {
    let run = at_every_split(calling, &hex(CHUNKED_REPLY));
    let [Seen::Finish { outcome, .. }] = &run.seen[..] else { panic!("{:?}", run.seen) };
    assert!(outcome.status.is_ok() && outcome.reply);
    assert_eq!(outcome.body, b"hello world");
    at_every_truncation(calling, &hex(CHUNKED_REPLY));
}

#[test]
fn the_unknown_method_is_said_and_understood() {
    let mut side = server();
    let text = "[10.0.0.1:8000][E1002]Fail to find method on ...";
    side.host.refuse_next(brpc::status(brpc::ENOMETHOD, text));
    assert_eq!(side.feed(lines("GET /S/X HTTP/1.1|Host: x||")).events(), []);
    let reply = said(&mut side);
    assert_eq!(
        reply,
        format!(
            "HTTP/1.1 404 Not Found|Content-Type: text/plain|Content-Length: {}|x-bd-error-code: 1002|polywire-status: 12||{text}",
            text.len()
        )
    );
    let mut side = Side::client(&PROTOCOL);
    side.call(&Call::new("S", "X"));
    let (_, outcome) = side.feed(lines(&reply)).poll().expect_finish();
    assert_eq!(outcome.status.code(), Code::Unimplemented);
    assert_eq!(outcome.status.native(), Native::Brpc(brpc::ENOMETHOD));
    assert_eq!(outcome.status.message(), text);
}
