//! nova_pbrpc as docs/wire/nova_pbrpc.md has it.

use super::PROTOCOL;
use crate::nshead::tests::{CALL, family, frame, has_no_errors};
use polywire_base::IoBuf;
use polywire_machine_testing::{Call, Seen, SeenTarget, Side, hex};
use polywire_wire::{Compression, Content, Outcome, Refusal, Route};

/// "Example 1: request, method index 0, log_id 123", and example 2, "its response", which is the same bytes.
fn example_1() -> Vec<u8> {
    hex("00 00 00 00 7b 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         07 00 00 00 0a 05 68 65 6c 6c 6f")
}

/// "Example 3: snappy request"
fn example_3() -> Vec<u8> {
    hex("00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         0a 00 00 00 08 1c 0a 06 73 6e 61 70 70 79")
}

fn call() -> Call {
    Call::new("p.S", "M").index(0)
}

#[test]
fn examples_1_and_2_are_a_call_in_both_directions() {
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(example_1()).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Index { service: "".into(), method: 0 });
    assert_eq!((&open.body[..], open.head.compression), (&b"\x0a\x05hello"[..], Compression::NONE));
    assert_eq!(open.head.fields, [("log-id".to_owned(), b"123"[..].into())]);
    server.reply(&open, b"\x0a\x05hello");
    assert_eq!(server.written(), example_1());

    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &call().body(b"\x0a\x05hello").field("log-id", "123")).unwrap();
    assert_eq!(client.written(), example_1());
    let (exchange, outcome) = client.feed(example_1()).poll().expect_finish();
    assert_eq!((exchange, outcome.body), (CALL, b"\x0a\x05hello"[..].into()));
    assert!(outcome.reply && outcome.status.is_ok());
}

#[test]
fn example_3_is_compressed_in_both_directions() {
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(example_3()).poll().expect_open();
    assert_eq!(open.head.compression, Compression::SNAPPY);
    assert_eq!(server.host.asked[0].head.compression, Compression::SNAPPY, "admission knows it");
    assert!(
        open.head.accepts.contains(Compression::SNAPPY) && !open.head.accepts.contains(Compression::GZIP)
    );

    let mut client = Side::client(&PROTOCOL);
    let body = hex("08 1c 0a 06 73 6e 61 70 70 79");
    client.open(CALL, &call().body(body).compression(Compression::SNAPPY)).unwrap();
    assert_eq!(client.written(), example_3());
}

#[test]
fn the_compression_bit_of_a_reply_is_correct() {
    for (request, compression, version) in [
        (example_1(), Compression::SNAPPY, 1),
        (example_3(), Compression::NONE, 0),
        (example_3(), Compression::SNAPPY, 1),
    ] {
        let mut server = Side::server(&PROTOCOL);
        let open = server.feed(request).poll().expect_open();
        let body = IoBuf::from(&b"x"[..]);
        server.finish(open.exchange, Outcome { body, compression, reply: true, ..Outcome::default() });
        let written = server.written();
        assert_eq!(written[2], version);
        let mut client = Side::client(&PROTOCOL);
        client.open(CALL, &call()).unwrap();
        assert_eq!(client.feed(written).poll().expect_finish().1.compression, compression);
    }
}

#[test]
fn the_method_is_the_reserved_field() {
    let open = Side::server(&PROTOCOL).feed(frame(0, 0, 7, b"")).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Index { service: "".into(), method: 7 });
    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &call().index(7)).unwrap();
    assert_eq!(client.written(), frame(0, 0, 7, b""));
}

#[test]
fn nova_is_one_of_nsheads_family_and_has_no_errors() {
    family(&PROTOCOL, &example_1(), &example_1());
    has_no_errors(&PROTOCOL, &example_1());
}

#[test]
fn a_message_longer_than_its_route_allows_closes_before_it_is_here() {
    let mut server = Side::server(&PROTOCOL);
    server.host.route_next(Route { max_message: 6, ..Route::default() });
    assert_eq!(server.feed(&example_1()[..36]).events(), [Seen::Closed]);
    assert_eq!(server.host.withdrawn, 1);
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
