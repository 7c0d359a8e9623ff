//! nshead_mcpack as docs/wire/nshead_mcpack.md has it.

use super::PROTOCOL;
use crate::nshead::tests::{CALL, failed, family, frame, has_no_errors};
use polywire_call::brpc;
use polywire_machine_testing::{Call, Seen, SeenTarget, Side, hex};
use polywire_wire::{Compression, Content, Refusal, WireError};

/// "Example 1: request {message="hi", nums=[1,2]} (log_id 123)"
fn example_1() -> Vec<u8> {
    hex("00 00 00 00 7b 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         33 00 00 00 10 00 2d 00 00 00 02 00 00 00 d0 08
         03 6d 65 73 73 61 67 65 00 68 69 00 20 05 10 00
         00 00 6e 75 6d 73 00 02 00 00 00 14 00 01 00 00
         00 14 00 02 00 00 00")
}

/// "Example 2: response EchoResponse{message="hello", code=-5}"
fn example_2() -> Vec<u8> {
    hex("00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         26 00 00 00 10 00 20 00 00 00 02 00 00 00 d0 08
         06 6d 65 73 73 61 67 65 00 68 65 6c 6c 6f 00 14
         05 63 6f 64 65 00 fb ff ff ff")
}

/// Bytes of the heads of nshead and of the object.
const HEADS: usize = 42;

fn call() -> Call {
    Call::new("p.S", "M").content(Content::MCPACK)
}

#[test]
fn example_1_is_a_request_in_both_directions() {
    let open = Side::server(&PROTOCOL).feed(example_1()).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Index { service: "".into(), method: 0 });
    assert_eq!((&open.body[..], open.head.content), (&example_1()[HEADS..], Content::MCPACK));
    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &call().body(&example_1()[HEADS..]).field("log-id", "123")).unwrap();
    assert_eq!(client.written(), example_1());
}

#[test]
fn example_2_is_a_reply_in_both_directions() {
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(frame(0, 0, 0, &example_1()[36..])).poll().expect_open();
    server.reply(&open, &example_2()[HEADS..]);
    assert_eq!(server.written(), example_2());
    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &call().body([0; 4])).unwrap();
    let (exchange, outcome) = client.feed(example_2()).poll().expect_finish();
    assert_eq!(
        (exchange, outcome.body, outcome.content),
        (CALL, example_2()[HEADS..].into(), Content::MCPACK)
    );
}

#[test]
fn it_is_one_of_nsheads_family_and_has_no_errors() {
    family(&PROTOCOL, &example_1(), &example_2());
    has_no_errors(&PROTOCOL, &example_1());
}

#[test]
fn what_is_not_one_object_closes_a_server_and_fails_a_call() {
    for body in ["", "10 00 00000000", "20 00 04000000 00000000", "10 00 04000000 00000000 00"] {
        let mut server = Side::server(&PROTOCOL);
        let seen = server.feed(frame(0, 0, 0, &hex(body))).poll();
        assert_eq!(seen, Seen::Error(WireError::Malformed("not one mcpack object")), "{body}");
        assert_eq!(server.host.withdrawn, 1);
        let (number, _) = failed(&PROTOCOL, &call().body([0; 4]), &frame(0, 0, 0, &hex(body)));
        assert_eq!(number, brpc::ERESPONSE);
    }
}

#[test]
fn what_the_protocol_cannot_carry_is_refused_at_the_client() {
    let refusal = |call: Call| Side::client(&PROTOCOL).open(CALL, &call).unwrap_err();
    assert_eq!(refusal(call().compression(Compression::SNAPPY)), Refusal::Compression);
    assert_eq!(refusal(call().content(Content::PROTOBUF)), Refusal::Unsupported);
    assert_eq!(refusal(call().attachment("a")), Refusal::Unsupported);
    assert_eq!(refusal(call()), Refusal::Unsupported, "no object is empty: it has a count");
}

#[test]
fn a_reply_that_is_no_object_closes_the_connection() {
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(example_1()).poll().expect_open();
    server.reply(&open, b"");
    assert_eq!((server.written(), server.events()), (vec![], vec![Seen::Closed]));
}
