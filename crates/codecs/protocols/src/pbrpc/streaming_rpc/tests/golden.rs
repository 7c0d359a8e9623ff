//! The sheet's worked examples, byte for byte, both ways.

use super::*;
use polywire_machine_testing::{at_every_split, at_every_truncation};

#[test]
fn example_1_is_a_request_that_opens_two_streams_in_both_directions() {
    let mut client = client();
    assert_eq!(client.open(CALL, &hello()), Ok(Credit::CLOSED));
    assert_eq!(client.written(), example_1());

    let open = server().feed(example_1()).poll().expect_open();
    assert_eq!((open.exchange.token, open.message()), (CALL.token, &b"\x0a\x05hello"[..]));
    assert_eq!(open.streams.len(), 2);
}

#[test]
fn example_2_is_its_reply_in_both_directions() {
    accepted(); // compares the bytes

    let mut client = client();
    client.open(CALL, &hello()).expect("room");
    let events = client.feed(example_2()).events();
    let (exchange, outcome) = events[0].clone().expect_finish();
    assert_eq!((exchange, outcome.accept, &outcome.body[..]), (CALL, true, &b"\x0a\x05hello"[..]));
    assert_eq!(events[1..], [credit(FIVE, WINDOW), credit(SIX, WINDOW)]);
}

#[test]
fn examples_3_and_4_are_a_message_and_its_feedback_in_both_directions() {
    let (mut client, mut server) = pair();
    assert!(client.send_message(FIVE, b"data1", false).is_open());
    assert_eq!(client.written(), example_3());
    assert_eq!(server.feed(example_3()).events(), [message(NINE, b"data1")]);
    server.grant(NINE, 5, 1);
    server.events();
    assert!(server.out.can_wait(), "the handler may be about to answer");
    assert_eq!(server.written(), example_4());
    assert_eq!(client.feed(example_4()).events(), []);
    let left = client.send_message(FIVE, b"", false);
    assert_eq!(left.bytes, WINDOW, "all of the window is free again");
}

#[test]
fn example_5_closes_in_both_directions() {
    let (mut client, mut server) = pair();
    client.finish(FIVE, Outcome::default());
    assert_eq!(client.written(), example_5());
    assert_eq!(server.feed(example_5()).events(), [ended(NINE)]);
    assert_eq!(server.written(), strm("08 05 10 09 18 02", b""), "its own CLOSE");
}

#[test]
fn example_6_breaks_off_in_both_directions() {
    let (mut client, mut server) = pair();
    client.reset(FIVE, polywire_call::Status::cancelled(""));
    assert_eq!(client.written(), example_6());
    let events = server.feed(example_6()).events();
    assert_eq!(polywire_call::brpc::number(&reset_of(NINE, &events[0])), polywire_call::brpc::ECONNRESET);
}

#[test]
fn example_7_is_one_message_in_two_segments() {
    let mut server = accepted();
    assert_eq!(server.feed(example_7()).events(), [message(NINE, b"data1")]);
    server.grant(NINE, 5, 1);
    server.events();
    assert_eq!(server.written(), example_4(), "a message counts once it is whole");
}

#[test]
fn pieces_do_not_change_what_is_seen() {
    let bytes = [example_3(), example_7(), example_3(), example_6(), example_1()].concat();
    assert_eq!(at_every_split(accepted, &bytes).seen.len(), 5);
    let from_server =
        [example_4(), strm("08 05 10 09 18 03 20 00", b"hi"), strm("08 06 10 0a 18 02", b"")].concat();
    assert_eq!(at_every_split(connected, &from_server).seen.len(), 2);
    let called = || {
        let mut client = client();
        client.open(CALL, &hello()).expect("room");
        client
    };
    assert_eq!(at_every_split(called, &example_2()).seen.len(), 3);
    assert_eq!(at_every_split(server, &example_1()).seen.len(), 1);
}

#[test]
fn a_truncated_frame_is_no_message() {
    at_every_truncation(accepted, &example_3());
    at_every_truncation(accepted, &example_6());
    at_every_truncation(accepted, &example_5());
    at_every_truncation(server, &example_1());
    let called = || {
        let mut client = client();
        client.open(CALL, &hello()).expect("room");
        client
    };
    at_every_truncation(called, &example_2());
}
