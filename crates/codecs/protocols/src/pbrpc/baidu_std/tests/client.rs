//! What a client writes, and how it reads replies.

use super::*;
use polywire_call::{Code, brpc};
use polywire_machine_testing::{Call, Seen};
use polywire_wire::{ClientSetup, Compression, Content, Goodbye, Refusal};
use std::time::Duration;

fn written(call: &Call) -> Vec<u8> {
    let mut client = client();
    client.open(CALL, call).unwrap();
    client.written()
}

fn echo() -> Call {
    Call::new("example.EchoService", "Echo")
}

/// The request as brpc writes it.
fn request(inner: &str, rest: &str, payload: &[u8]) -> Vec<u8> {
    let inner = hex(&format!("0a 13 6578616d706c652e4563686f53657276696365 12 04 4563686f {inner}"));
    let mut meta = vec![0x0a, inner.len() as u8];
    meta.extend(inner);
    meta.extend(hex(rest));
    frame(&meta, payload)
}

#[test]
fn the_fields_that_brpc_always_writes_are_written() {
    assert_eq!(written(&echo()), request("", &format!("18 00 {ID} 50 00 58 00 62 00"), b""));
}

#[test]
fn a_deadline_travels_and_is_never_rounded_to_none() {
    let timeout = |timeout| written(&echo().timeout(timeout));
    let expected = |inner: &str| request(inner, &format!("18 00 {ID} 50 00 58 00 62 00"), b"");
    assert_eq!(timeout(Duration::from_millis(250)), expected("40 fa 01"));
    assert_eq!(timeout(Duration::from_nanos(1)), expected("40 01"));
    assert_eq!(timeout(Duration::ZERO), expected("40 01"));
    assert_eq!(timeout(Duration::MAX), expected("40 ff ff ff ff 07"));
}

#[test]
fn compression_and_content_are_written() {
    let call = echo().body("z").compression(Compression::ZLIB).content(Content::PROTO_JSON);
    assert_eq!(written(&call), request("", &format!("18 03 {ID} 50 02 58 00 62 00"), b"z"));
}

#[test]
fn ids_go_to_their_fields_whatever_the_case_of_their_names() {
    let call = echo()
        .field("X-Request-Id", "r1")
        .field("x-bd-parent-span-id", "4")
        .field("x-bd-span-id", "3")
        .field("x-bd-trace-id", "18446744073709551615")
        .field("Log-Id", "1")
        .field("k", "v");
    let inner = "18 01  20 ff ff ff ff ff ff ff ff ff 01  28 03  30 04  3a 02 72 31";
    let rest = format!("18 00 {ID} 4a 06 0a 01 6b 12 01 76 50 00 58 00 62 00");
    assert_eq!(written(&call), request(inner, &rest, b""));
}

#[test]
fn an_id_that_is_no_number_is_a_user_field() {
    let call = echo().field("log-id", "abc");
    let rest = format!("18 00 {ID} 4a 0d 0a 06 6c6f672d6964 12 03 616263 50 00 58 00 62 00");
    assert_eq!(written(&call), request("", &rest, b""));
}

#[test]
fn a_checksum_covers_the_body_alone_unless_told_otherwise() {
    let call =
        echo().body(b"\x0a\x03crc").attachment("ATTACH").field(crate::pbrpc::baidu_std::CHECKSUM, "crc32c");
    let bytes = written(&call);
    let open = server().feed(&bytes).poll().expect_open();
    assert_eq!(open.head.fields, [(crate::pbrpc::baidu_std::CHECKSUM.to_owned(), b"crc32c"[..].into())]);
    let (mut message, mut attachment) = (bytes.clone(), bytes);
    let end = message.len();
    message[end - 7] ^= 1;
    attachment[end - 1] ^= 1;
    assert_eq!(server().feed(message).poll(), Seen::Need(1));
    server().feed(attachment).poll().expect_open();
}

#[test]
fn the_credential_goes_with_the_first_request_only() {
    let setup = ClientSetup { credential: Some(b"secret"), ..ClientSetup::default() };
    let mut client = Side::new(&PROTOCOL, setup);
    client.open(CALL, &echo()).unwrap();
    let first = request("", &format!("18 00 {ID} 3a 06 736563726574 50 00 58 00 62 00"), b"");
    assert_eq!(client.written(), first);
    client.open(CALL, &echo()).unwrap();
    assert_eq!(client.written(), written(&echo()));
}

#[test]
fn metadata_that_no_peer_would_read_is_refused_and_leaves_no_trace() {
    let setup = ClientSetup { credential: Some(b"secret"), ..ClientSetup::default() };
    let mut client = Side::new(&PROTOCOL, setup);
    let long = echo().field("k", vec![b'v'; 65_536]);
    assert_eq!(client.open(CALL, &long), Err(Refusal::TooLarge));
    assert_eq!(client.written(), b"");
    client.open(CALL, &echo()).unwrap();
    let open = guarded().feed(client.written()).poll();
    assert_eq!(open.expect_claim().shown(), "baidu_std secret");
}

#[test]
fn a_server_opens_no_calls() {
    assert_eq!(server().open(CALL, &echo()), Err(Refusal::WrongRole));
    assert_eq!(server().vacancies(), 0);
}

#[test]
fn the_dispatcher_is_asked_before_a_reply_is_buffered() {
    let mut client = client();
    let reply = example_2();
    assert_eq!(client.feed(&reply[..reply.len() - 13]).poll(), Seen::Need(13));
    let asked = polywire_machine_testing::AskedReply { exchange: CALL, announced: 13 };
    assert_eq!(client.host.asked_replies, [asked]);
    client.feed(&reply[reply.len() - 13..]).poll().expect_finish();
    assert_eq!(client.host.asked_replies, [asked]);
}

#[test]
fn elogoff_says_that_the_peer_is_leaving_once() {
    let mut client = client();
    client.open(CALL, &echo()).unwrap();
    assert_eq!(client.vacancies(), u32::MAX);
    client.feed([error_frame(2003, "Server is stopping"), error_frame(2003, ""), example_2()].concat());
    let (_, outcome) = client.poll().expect_finish();
    assert!(outcome.status.is_retryable() && outcome.status.code() == Code::Unavailable);
    assert_eq!(client.poll(), Seen::Draining);
    assert_eq!(client.poll().expect_finish().1.status.message(), "Server is stopping");
    assert!(client.poll().expect_finish().1.status.is_ok(), "what was accepted is still answered");
    assert_eq!(client.vacancies(), 0);
    assert_eq!(client.open(CALL, &echo()), Err(Refusal::Draining));
}

#[test]
fn goodbye_lets_open_calls_end() {
    let mut client = client();
    client.open(CALL, &echo()).unwrap();
    client.goodbye(Goodbye::Drain);
    assert_eq!(client.open(CALL, &echo()), Err(Refusal::Draining));
    client.feed(example_2()).poll().expect_finish();
    client.goodbye(Goodbye::Close);
    assert_eq!(client.poll(), Seen::Closed);
}

#[test]
fn a_text_of_an_error_need_not_be_utf8() {
    let reply = frame(&hex(&format!("12 06 08 eb 07 12 01 ff {ID}")), b"");
    assert_eq!(client().feed(reply).poll().expect_finish().1.status.message(), "\u{fffd}");
}

#[test]
fn an_unnamed_error_has_its_default_text() {
    let reply = frame(&hex(&format!("12 03 08 ec 07 {ID}")), b"");
    let (_, outcome) = client().feed(reply).poll().expect_finish();
    assert_eq!(outcome.status, brpc::status(brpc::ERPCAUTH, "").with_origin(polywire_call::Origin::Remote));
}
