//! public_pbrpc as docs/wire/public_pbrpc.md has it.

use super::PROTOCOL;
use crate::nshead::tests::{CALL, failed, family, frame};
use polywire_call::brpc;
use polywire_machine_testing::{Call, Seen, SeenTarget, Side, hex};
use polywire_wire::{Compression, Content, Exchange, Refusal, WireError};

/// "Example 1: request"
fn example_1() -> Vec<u8> {
    hex("00 00 e8 03 7b 00 00 00 5f 5f 70 62 72 70 63 5f
         5f 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         5c 00 00 00 0a 28 0a 09 31 32 37 2e 30 2e 30 2e
         31 10 01 18 01 22 05 75 74 66 2d 38 32 0e 32 30
         32 36 31 31 32 30 32 30 35 34 30 38 38 7b 12 30
         0a 09 70 62 72 70 63 3d 31 2e 30 12 05 75 74 66
         2d 38 1a 0b 45 63 68 6f 53 65 72 76 69 63 65 20
         00 28 82 80 80 80 10 32 07 0a 05 68 65 6c 6c 6f")
}

/// "Example 2: success response"
fn example_2() -> Vec<u8> {
    hex("00 00 e8 03 7b 00 00 00 5f 5f 70 62 72 70 63 5f
         5f 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         34 00 00 00 0a 16 08 00 12 07 73 75 63 63 65 73
         73 1a 09 31 32 37 2e 30 2e 30 2e 31 12 1a 0a 07
         0a 05 68 65 6c 6c 6f 12 09 70 62 72 70 63 3d 31
         2e 30 20 82 80 80 80 10")
}

/// "Example 3: error response (note zigzag code)"
fn example_3() -> Vec<u8> {
    hex("00 00 e8 03 00 00 00 00 5f 5f 70 62 72 70 63 5f
         5f 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         40 00 00 00 0a 2b 08 a4 13 12 1b 5b 31 32 37 2e
         30 2e 30 2e 31 3a 39 32 30 33 5d 5b 45 31 32 33
         34 5d 62 6f 6f 6d 1a 09 31 32 37 2e 30 2e 30 2e
         31 12 11 12 09 70 62 72 70 63 3d 31 2e 30 20 82
         80 80 80 10")
}

/// An example without the optional fields that say where and when it was written: these bytes are cut out of
/// the head that begins at offset 36, and the two lengths above it shrink.
fn unsigned(mut example: Vec<u8>, cuts: &[&str]) -> Vec<u8> {
    for cut in cuts {
        let cut = hex(cut);
        let at = example.windows(cut.len()).position(|window| window == cut).expect("in the example");
        example.drain(at..at + cut.len());
        example[32] -= cut.len() as u8;
        example[37] -= cut.len() as u8;
    }
    example
}

const REQUEST_HOST: &str = "0a 09 3132372e302e302e31";
const RESPONSE_HOST: &str = "1a 09 3132372e302e302e31";
const CREATE_TIME: &str = "32 0e 3230323631313230323035343038";

fn call() -> Call {
    Call::new("example.EchoService", "Echo").index(0)
}

#[test]
fn example_1_is_a_request_in_both_directions() {
    let open = Side::server(&PROTOCOL).feed(example_1()).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Index { service: "EchoService".into(), method: 0 });
    assert_eq!((&open.body[..], open.head.content), (&b"\x0a\x05hello"[..], Content::PROTOBUF));
    assert_eq!(open.head.fields, [("log-id".to_owned(), b"123"[..].into())]);

    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &call().body(b"\x0a\x05hello").field("log-id", "123")).unwrap();
    assert_eq!(client.written(), unsigned(example_1(), &[REQUEST_HOST, CREATE_TIME]));
}

#[test]
fn example_2_is_a_reply_in_both_directions() {
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(example_1()).poll().expect_open();
    server.reply(&open, b"\x0a\x05hello");
    assert_eq!(server.written(), unsigned(example_2(), &[RESPONSE_HOST]));

    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &call()).unwrap();
    let (exchange, outcome) = client.feed(example_2()).poll().expect_finish();
    assert_eq!((exchange, outcome.body), (CALL, b"\x0a\x05hello"[..].into()));
}

#[test]
fn example_3_is_an_error_in_both_directions() {
    let mut server = Side::server(&PROTOCOL);
    let mut request = example_1();
    request[4] = 0; // the head's log id is echoed
    let open = server.feed(request).feed(example_1()).poll().expect_open();
    server.fail(open.exchange, brpc::status(1234, "[127.0.0.1:9203][E1234]boom"));
    assert_eq!(server.written(), unsigned(example_3(), &[RESPONSE_HOST]));
    server.poll().expect_open(); // the connection stays

    let (number, text) = failed(&PROTOCOL, &call(), &example_3());
    assert_eq!((number, &*text), (1234, "[127.0.0.1:9203][E1234]boom"));
}

#[test]
fn it_is_one_of_nsheads_family() {
    family(&PROTOCOL, &example_1(), &example_2());
    family(&PROTOCOL, &example_1(), &example_3());
}

#[test]
fn a_refusal_has_the_id_and_version_of_its_request() {
    let mut server = Side::server(&PROTOCOL);
    server.host.refuse_next(brpc::status(brpc::ENOMETHOD, "none"));
    server.feed(example_1()).events();
    let body = hex("0a 09 08 d4 0f 12 04 6e6f6e65  12 11 12 09 70627270633d312e30 20 82 80 80 80 10");
    let written = server.written();
    assert_eq!(written[36..], body);
    // A negative error number, which is written in zigzag.
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(example_1()).poll().expect_open();
    server.fail(open.exchange, brpc::status(-1, "x"));
    assert_eq!(failed(&PROTOCOL, &call(), &server.written()).0, -1);
}

#[test]
fn compression_travels_in_the_envelope() {
    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &call().body("snap").compression(Compression::SNAPPY)).unwrap();
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(client.written()).poll().expect_open();
    assert_eq!((open.head.compression, &open.body[..]), (Compression::SNAPPY, &b"snap"[..]));
    assert!(open.head.accepts.contains(Compression::SNAPPY));
    let body = polywire_base::IoBuf::from(&b"pans"[..]);
    let compression = Compression::SNAPPY;
    server.finish(
        open.exchange,
        polywire_wire::Outcome { body, compression, reply: true, ..Default::default() },
    );
    let (_, outcome) = client.feed(server.written()).poll().expect_finish();
    assert_eq!((outcome.compression, outcome.body), (Compression::SNAPPY, b"pans"[..].into()));
}

#[test]
fn malformed_envelopes_close_the_connection_of_a_server() {
    for body in
        ["", "0a 00", "12 00", "12 02 1a 00", "12 06 1a 00 20 00 28", "ff", "12 06 1a 00 20 00 28 01 12 00"]
    {
        let error = Side::server(&PROTOCOL).feed(frame(1000, 0, 0, &hex(body))).poll().expect_error();
        assert_eq!(error, WireError::Malformed("PublicPbrpcRequest"), "{body}");
    }
    let error = Side::server(&PROTOCOL).feed(frame(0, 0, 0, &hex("12 07 1a 01 ff 20 00 28 01"))).poll();
    assert_eq!(error, Seen::Error(WireError::Malformed("a name that is not UTF-8")));
}

#[test]
fn of_several_bodies_the_first_is_used() {
    let body = hex("12 07 1a 01 41 20 01 28 01  12 07 1a 01 42 20 02 28 02");
    let open = Side::server(&PROTOCOL).feed(frame(0, 0, 0, &body)).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Index { service: "A".into(), method: 1 });
}

#[test]
fn a_reply_with_another_id_is_not_matched() {
    let mut client = Side::client(&PROTOCOL);
    let other = Exchange { token: 7, slot: 7 };
    client.open(other, &call()).unwrap();
    assert_eq!(client.feed(example_2()).events(), []);
    assert_eq!(client.feed(frame(0, 0, 0, &hex("0a 02 08 00"))).events(), []);
    let mine = frame(0, 0, 0, &hex("0a 02 08 00 12 02 20 07"));
    assert_eq!(client.feed(mine).poll().expect_finish().0, other);
}

#[test]
fn what_the_protocol_cannot_carry_is_refused_at_the_client() {
    let refusal = |call: Call| Side::client(&PROTOCOL).open(CALL, &call).unwrap_err();
    assert_eq!(refusal(Call::new("s", "m")), Refusal::Unnumbered);
    assert_eq!(refusal(call().compression(Compression::GZIP)), Refusal::Compression);
    assert_eq!(refusal(call().content(Content::JSON)), Refusal::Unsupported);
    assert_eq!(refusal(call().attachment("a")), Refusal::Unsupported);
}

#[test]
fn a_request_says_how_many_relays_it_has_passed_and_nothing_else_of_its_fields() {
    crate::relays::tests::are_told_and_no_other_field(&PROTOCOL);
}
