//! What a server does besides the examples: order of admission, long bodies, replies of every kind.

use super::*;
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Status, brpc};
use polywire_machine_testing::Seen;
use polywire_wire::{Compression, Content, Goodbye, Outcome, Wake};
use std::time::Duration;

fn finished(outcome: Outcome) -> Vec<u8> {
    let mut server = server();
    server.finish(Exchange { token: CALL.token, slot: Exchange::UNTRACKED }, outcome);
    server.written()
}

#[test]
fn admission_comes_before_the_body_and_once() {
    let mut server = server();
    let request = example_1();
    let seen = server.feed_split(&request, &[1]);
    assert_eq!(seen.len(), 1);
    let asked = &server.host.asked;
    assert_eq!(asked.len(), 1);
    assert_eq!((asked[0].announced, asked[0].fed), (Some(13), request.len() - 13));
    assert_eq!(asked[0].head.field("log-id"), Some(&b"123"[..]));
    assert_eq!(asked[0].head.attachment, 6);
}

#[test]
fn a_long_body_is_asked_for_exactly_and_passed_by_reference() {
    let mut server = server();
    let body = vec![7; 1 << 20];
    let request = frame(&echo_and(ID), &body);
    let (head, rest) = request.split_at(request.len() - body.len() + 100);
    assert_eq!(server.feed(head).poll(), Seen::Need((1 << 20) - 100));
    assert_eq!(server.feed(&rest[..1000]).poll(), Seen::Need((1 << 20) - 1100));
    assert_eq!(server.feed(&rest[1000..]).poll().expect_open().body, body);
}

#[test]
fn a_refused_body_is_answered_at_once_and_never_buffered() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ELIMIT, "Reached server's max_concurrency").unprocessed());
    let request = frame(&echo_and(ID), &[0; 10_000]);
    let (head, body) = request.split_at(request.len() - 10_000);
    assert_eq!(server.feed(head).poll(), Seen::Need(1));
    assert_eq!(server.written(), error_frame(2004, "Reached server's max_concurrency"));
    for piece in body.chunks(999) {
        assert_eq!(server.feed(piece).events(), []);
        assert_eq!(server.input.len(), 0);
    }
    assert_eq!(server.host.asked.len(), 1);
    server.feed(example_1()).poll().expect_open();
}

#[test]
fn every_refusal_is_answered_with_the_text_of_the_status() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ENOMETHOD, "Fail to find method=example.EchoService/Echo"));
    server.host.refuse_next(brpc::status(brpc::ELOGOFF, "Server is stopping").unprocessed());
    server.host.refuse_next(brpc::status(brpc::EOVERCROWDED, "too much").unprocessed());
    server.feed([example_1(), example_1(), example_1()].concat()).events();
    let expected = [
        error_frame(1002, "Fail to find method=example.EchoService/Echo"),
        error_frame(2003, "Server is stopping"),
        error_frame(1011, "too much"),
    ];
    assert_eq!(server.written(), expected.concat());
}

#[test]
fn replies_leave_in_the_order_of_their_completion() {
    let mut server = server();
    let (first, second) = (frame(&echo_and("20 01"), b"a"), frame(&echo_and("20 02"), b"b"));
    server.feed([first, second].concat());
    let (first, second) = (server.poll().expect_open(), server.poll().expect_open());
    server.reply(&second, "B");
    server.reply(&first, "A");
    let reply = |id, body| frame(&[0x12, 2, 8, 0, 0x18, 0, 0x20, id, 0x50, 0, 0x58, 0, 0x62, 0], body);
    assert_eq!(server.written(), [reply(2, b"B"), reply(1, b"A")].concat());
}

#[test]
fn a_timeout_is_read_in_milliseconds() {
    let timeout = |fields: &str| {
        let request = hex(&format!("0a 04 {fields}"));
        let request = [&[0x0a, request.len() as u8 + 2][..], &hex("0a 00 12 00"), &request[2..]].concat();
        server().feed(frame(&request, b"")).poll().expect_open().head.timeout
    };
    assert_eq!(timeout("40 fa 01"), Some(Duration::from_millis(250)));
    assert_eq!(timeout("40 00"), None);
    assert_eq!(timeout("40 ff ff ff ff ff ff ff ff ff 01"), None);
}

#[test]
fn every_id_of_a_request_has_its_name() {
    let request =
        "0a 1d  0a 01 73 12 01 6d  18 01 20 02 28 03 30 ff ff ff ff ff ff ff ff ff 01  3a 04 72 65 71 31";
    let open = server()
        .feed(frame(&hex(&format!("{request} 4a 00 4a 05 0a 01 6b 12 00")), b""))
        .poll()
        .expect_open();
    let expected: Vec<_> = [
        ("log-id", "1"),
        ("x-bd-trace-id", "2"),
        ("x-bd-span-id", "3"),
        ("x-bd-parent-span-id", "18446744073709551615"),
        ("x-request-id", "req1"),
        ("", ""),
        ("k", ""),
    ]
    .map(|(name, value)| (name.to_owned(), value.as_bytes().into()))
    .into();
    assert_eq!(open.head.fields, expected);
}

#[test]
fn metadata_of_one_request_does_not_reach_the_next() {
    let mut server = server();
    server.feed([example_4(), frame(&echo_and(ID), b""), example_1()].concat());
    assert_eq!(server.poll().expect_open().head.fields.len(), 2);
    assert_eq!(server.poll().expect_open().head.fields, []);
    assert_eq!(server.poll().expect_open().head.fields.len(), 1);
}

#[test]
fn names_change_from_request_to_request() {
    let mut server = server();
    let other = hex("0a 04 0a 00 12 00");
    // The same letters, divided differently between service and method.
    let moved = hex("0a 1b  0a 12 6578616d706c652e4563686f536572766963  12 05 654563686f");
    server.feed([example_1(), frame(&other, b""), frame(&moved, b""), example_1()].concat());
    let names: Vec<_> = (0..4).map(|_| server.poll().expect_open().head.target).collect();
    let method = |service: &str, method: &str| polywire_machine_testing::SeenTarget::Method {
        service: service.into(),
        method: method.into(),
    };
    let echo = method("example.EchoService", "Echo");
    assert_eq!(names, [echo.clone(), method("", ""), method("example.EchoServic", "eEcho"), echo]);
}

#[test]
fn compression_and_content_of_a_reply_are_the_handlers() {
    let outcome = Outcome {
        body: IoBuf::from("{}"),
        content: Content::JSON,
        compression: Compression::GZIP,
        reply: true,
        ..Outcome::default()
    };
    assert_eq!(finished(outcome), frame(&hex(&format!("12 02 08 00 18 02 {ID} 50 01 58 00 62 00")), b"{}"));
    let raw = Outcome { content: Content::RAW, reply: true, ..Outcome::default() };
    assert_eq!(finished(raw), frame(&hex(&format!("12 02 08 00 18 00 {ID} 50 00 58 00 62 00")), b""));
}

#[test]
fn a_failure_without_a_number_is_an_internal_error() {
    let failed = |status| finished(Outcome { status, ..Outcome::default() });
    assert_eq!(failed(Status::internal("x").with_native(Native::Brpc(-1))), error_frame(2001, "x"));
    assert_eq!(failed(Status::unimplemented("x")), error_frame(1002, "x"));
    assert_eq!(failed(Status::deadline_exceeded("x")), error_frame(1008, "x"));
}

#[test]
fn a_failure_keeps_its_user_fields_and_drops_its_body() {
    let trailers = Some(Box::new(Metadata::from_iter([("k", "v"), ("log-id", "1")])));
    let status = brpc::status(1003, "x");
    let outcome = Outcome {
        status,
        body: IoBuf::from("body"),
        attachment: 4,
        trailers,
        reply: true,
        ..Outcome::default()
    };
    let meta = format!(
        "12 06 08 eb 07 12 01 78 18 00 {ID} 4a 06 0a 01 6b 12 01 76 4a 0b 0a 06 6c6f672d6964 12 01 31 50 00 58 00 62 00"
    );
    assert_eq!(finished(outcome), frame(&hex(&meta), b""));
}

#[test]
fn a_long_text_is_cut_at_a_letter() {
    let text = "é".repeat(10_000);
    let reply = finished(Outcome { status: brpc::status(1003, text), ..Outcome::default() });
    let (_, outcome) = client().feed(reply).poll().expect_finish();
    assert_eq!(outcome.status.message(), "é".repeat(4096));
}

#[test]
fn a_reply_that_no_frame_can_hold_becomes_an_error() {
    let mut trailers = Metadata::new();
    trailers.append("k", vec![b'v'; 70_000]);
    let trailers = Some(Box::new(trailers));
    let reply = finished(Outcome { trailers: trailers.clone(), reply: true, ..Outcome::default() });
    assert_eq!(reply, error_frame(2002, "The reply is longer than a frame can be"));
    let failed = finished(Outcome { status: Status::internal("x"), trailers, ..Outcome::default() });
    assert_eq!(failed, error_frame(2001, "x"), "the failure goes without the fields");
}

#[test]
fn eclose_closes_the_connection_without_a_reply() {
    let mut server = server();
    let open = server.feed([example_1(), example_1()].concat()).poll().expect_open();
    server.fail(open.exchange, brpc::status(brpc::ECLOSE, ""));
    assert_eq!((server.written(), server.poll()), (vec![], Seen::Closed));
    let mut refusing = self::server();
    refusing.host.refuse_next(brpc::status(brpc::ECLOSE, ""));
    assert_eq!(refusing.feed(example_1()).events(), [Seen::Closed]);
    assert_eq!(refusing.written(), b"");
}

#[test]
fn a_call_given_up_here_is_answered() {
    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    server.reset(open.exchange, Status::deadline_exceeded("late"));
    assert_eq!(server.written(), error_frame(1008, "late"));
}

#[test]
fn a_peer_that_does_not_read_is_not_read() {
    let mut server = server().with_room(100);
    server.feed([example_1(), example_1(), example_1()].concat());
    let (first, second) = (server.poll().expect_open(), server.poll().expect_open());
    server.reply(&first, [0; 100]);
    assert_eq!(server.poll(), Seen::Blocked);
    server.reply(&second, [0; 100]);
    assert_eq!(server.poll(), Seen::Blocked);
    server.written();
    server.resume(Wake::Room).unwrap();
    server.poll().expect_open();
}

#[test]
fn goodbye_drains_and_then_closes_without_a_frame() {
    let mut server = server();
    server.feed([example_1(), example_1()].concat());
    let open = server.poll().expect_open();
    server.goodbye(Goodbye::Drain);
    server.poll().expect_open(); // `admit` decides whether it is refused
    server.goodbye(Goodbye::Close);
    server.reply(&open, "");
    assert_eq!(server.events(), [Seen::Closed]);
    assert!(!server.written().is_empty());
}

#[test]
fn the_first_frame_alone_is_asked_for_a_credential() {
    let mut server = guarded();
    let first = frame(&echo_and(&format!("{ID} 3a 06 736563726574")), b"body");
    server.feed(&first[..first.len() - 4]);
    assert_eq!(server.poll().expect_claim().shown(), "baidu_std secret");
    assert_eq!(server.poll(), Seen::Blocked);
    server.feed(&first[first.len() - 4..]).feed(example_1());
    assert_eq!(server.poll(), Seen::Blocked);
    server.authenticated(Ok(()));
    assert_eq!(server.poll().expect_open().body, b"body");
    server.poll().expect_open();
    assert_eq!(server.host.asked.len(), 2);
}

#[test]
fn a_first_frame_that_is_garbage_is_not_asked_for_a_credential() {
    assert!(matches!(guarded().feed(frame(b"\xff", b"")).poll(), Seen::Error(_)));
}
