//! The sheet's worked examples, byte for byte, both ways.

use super::*;
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Native, Origin, Status, brpc};
use polywire_machine_testing::{Call, SeenTarget, at_every_split, at_every_truncation};
use polywire_wire::{Compression, Content, Outcome};

fn trailers(fields: &[(&str, &str)]) -> Option<Box<Metadata>> {
    Some(Box::new(fields.iter().copied().collect()))
}

#[test]
fn example_1_is_a_request_with_log_id_and_attachment() {
    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    let target = SeenTarget::Method { service: "example.EchoService".into(), method: "Echo".into() };
    assert_eq!(open.head.target, target);
    assert_eq!(open.exchange, Exchange { token: CALL.token, slot: Exchange::UNTRACKED });
    assert_eq!((open.message(), open.attachment()), (&b"\x0a\x05hello"[..], &b"ATTACH"[..]));
    assert!(open.finished);
    assert_eq!(open.head.timeout, None);
    assert_eq!((open.head.content, open.head.compression), (Content::PROTOBUF, Compression::NONE));
    assert_eq!(open.head.fields, [("log-id".to_owned(), b"123"[..].into())]);
}

#[test]
fn example_1_is_what_a_client_writes() {
    let mut client = client();
    let call = Call::new("example.EchoService", "Echo").body(b"\x0a\x05hello").attachment("ATTACH");
    client.open(CALL, &call.field("log-id", "123")).unwrap();
    assert_eq!(client.written(), example_1());
}

#[test]
fn example_2_is_a_reply_in_both_directions() {
    let mut client = client();
    let (exchange, outcome) = client.feed(example_2()).poll().expect_finish();
    assert_eq!(exchange, CALL);
    assert!(outcome.status.is_ok() && outcome.reply);
    assert_eq!((outcome.body, outcome.attachment), (b"\x0a\x05helloATTACH"[..].into(), 6));

    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    let body = IoBuf::copy_from_slice(&open.body);
    server.finish(open.exchange, Outcome { body, attachment: 6, reply: true, ..Outcome::default() });
    assert_eq!(server.written(), example_2());
}

#[test]
fn example_3_is_an_error_in_both_directions() {
    let mut client = client();
    let (exchange, outcome) = client.feed(example_3()).poll().expect_finish();
    assert_eq!(exchange, CALL);
    assert_eq!((outcome.status.code(), outcome.status.native()), (Code::Unknown, Native::Brpc(1234)));
    assert_eq!(outcome.status.message(), "[127.0.0.1:9201][E1234]boom");
    assert_eq!((outcome.status.origin(), outcome.reply), (Origin::Remote, false));

    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    server.fail(open.exchange, brpc::status(1234, "[127.0.0.1:9201][E1234]boom"));
    assert_eq!(server.written(), example_3());
}

#[test]
fn example_4_has_user_fields_and_a_checksum_in_both_directions() {
    let open = server().feed(example_4()).poll().expect_open();
    assert_eq!((open.message(), open.attachment()), (&b"\x0a\x03crc"[..], &b"ATTACH"[..]));
    assert_eq!(open.head.field("k"), Some(&b"v"[..]));
    assert_eq!(open.head.field(crate::pbrpc::baidu_std::CHECKSUM), Some(&b"crc32c-with-attachment"[..]));

    let mut client = client();
    let call = Call::new("example.EchoService", "Echo").body(b"\x0a\x03crc").attachment("ATTACH");
    let call = call.field("k", "v").field(crate::pbrpc::baidu_std::CHECKSUM, "crc32c-with-attachment");
    client.open(CALL, &call).unwrap();
    assert_eq!(client.written(), example_4());
}

#[test]
fn example_5_turns_a_credential_down_and_closes() {
    let mut server = guarded();
    let asked = server.feed(example_1()).poll();
    assert_eq!(asked.expect_claim().shown(), "baidu_std -");
    assert_eq!(server.poll(), polywire_machine_testing::Seen::Blocked);
    server.authenticated(Err(Status::unauthenticated("")));
    assert_eq!(server.written(), example_5());
    assert_eq!(server.poll(), polywire_machine_testing::Seen::Closed);

    let (exchange, outcome) = client().feed(example_5()).poll().expect_finish();
    assert_eq!((exchange, outcome.status.native()), (CALL, Native::Brpc(brpc::ERPCAUTH)));
    assert_eq!(outcome.status.code(), Code::Unauthenticated);
}

#[test]
fn a_reply_may_carry_user_fields_and_a_checksum() {
    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    let trailers = trailers(&[("k", "v"), (crate::pbrpc::baidu_std::CHECKSUM, "crc32c-with-attachment")]);
    let body = IoBuf::from(&b"\x0a\x03crcATTACH"[..]);
    server
        .finish(open.exchange, Outcome { body, attachment: 6, trailers, reply: true, ..Outcome::default() });
    let written = server.written();
    // The digest of example 4, which covers the same bytes.
    let meta = hex("12 02 08 00  18 00  20 82 80 80 80 10  28 06  4a 06 0a 01 6b 12 01 76  50 00  58 01
                    62 04 7e 27 82 d6  68 01");
    assert_eq!(written, frame(&meta, b"\x0a\x03crcATTACH"));
    let (_, outcome) = client().feed(written).poll().expect_finish();
    assert!(outcome.status.is_ok());
    assert_eq!(outcome.trailers[0], ("k".to_owned(), b"v"[..].into()));
}

#[test]
fn pieces_do_not_change_what_is_seen() {
    let requests = [example_1(), example_4(), example_1()].concat();
    assert_eq!(at_every_split(server, &requests).seen.len(), 3);
    let replies = [example_2(), example_3(), example_5(), example_2()].concat();
    assert_eq!(at_every_split(client, &replies).seen.len(), 4);
    assert_eq!(at_every_split(guarded, &example_1()).seen.len(), 1);
}

#[test]
fn a_truncated_frame_is_no_message() {
    at_every_truncation(server, &example_1());
    at_every_truncation(server, &example_4());
    at_every_truncation(client, &example_2());
    at_every_truncation(client, &example_3());
    at_every_truncation(client, &example_5());
}
