//! Streamed replies and uploads of a client.

use super::{client, client_with, lines, said};
use polywire_base::IoBuf;
use polywire_call::{Code, Native};
use polywire_machine_testing::{Call, Seen, Side, at_every_split};
use polywire_wire::{Exchange, Limits, Part, Refusal, Wake};

fn streaming() -> Side {
    let mut side = client();
    side.call(&Call::new("S", "M").streamed());
    side.written();
    side
}

#[test]
fn a_streamed_reply_is_answer_parts_finish() {
    let reply =
        "HTTP/1.1 206 Partial Content|x: y|Transfer-Encoding: chunked||5|hello|1|,|6| world|0|sum: 1||";
    let run = at_every_split(streaming, &lines(reply));
    let [
        Seen::Answer { status: 206, metadata, .. },
        Seen::Part { bytes, end_of_message: true, finished: true, .. },
        Seen::Finish { outcome, .. },
    ] = &run.seen[..]
    else {
        panic!("{:?}", run.seen)
    };
    assert_eq!(
        (&metadata[..], bytes),
        (&[("x".to_owned(), b"y"[..].into())][..], &b"hello, world"[..].into())
    );
    assert!(outcome.status.is_ok() && !outcome.reply);
    assert_eq!(outcome.trailers, [("sum".to_owned(), b"1"[..].into())]);
}

#[test]
fn a_streamed_reply_may_be_empty() {
    for reply in ["HTTP/1.1 200 OK|Content-Length: 0||", "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0||"] {
        let run = at_every_split(streaming, &lines(reply));
        let [Seen::Answer { .. }, Seen::Part { finished: true, .. }, Seen::Finish { outcome, .. }] =
            &run.seen[..]
        else {
            panic!("{:?}", run.seen)
        };
        assert!(outcome.status.is_ok());
    }
}

#[test]
fn pieces_of_a_reply_come_as_they_arrive() {
    let mut side = streaming();
    let seen = side.feed(lines("HTTP/1.1 200 OK||he")).events();
    assert!(
        matches!(&seen[..], [Seen::Answer { .. }, Seen::Part { bytes, .. }] if bytes == b"he"),
        "{seen:?}"
    );
    assert!(matches!(&side.feed("llo").events()[..], [Seen::Part { bytes, .. }] if bytes == b"llo"));
    side.resume(Wake::Eof).unwrap();
    let seen = side.events();
    assert!(
        matches!(&seen[..], [Seen::Part { finished: true, .. }, Seen::Finish { .. }, Seen::Closed]),
        "{seen:?}"
    );
}

#[test]
fn a_failed_reply_is_no_stream() {
    let run = at_every_split(streaming, &lines("HTTP/1.1 404 Not Found|Content-Length: 4||gone"));
    let [Seen::Finish { outcome, .. }] = &run.seen[..] else { panic!("{:?}", run.seen) };
    assert_eq!((outcome.status.code(), outcome.status.native()), (Code::NotFound, Native::Http(404)));
    assert_eq!(outcome.body, b"gone");
}

#[test]
fn a_slow_reader_stops_the_sender() {
    let mut side = client_with(Limits::default().window(10).ahead(2));
    let exchange = side.call(&Call::new("S", "M").streamed());
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 25||0123456789012345678901234"));
    assert!(matches!(side.poll(), Seen::Answer { .. }));
    assert!(matches!(side.poll(), Seen::Part { bytes, .. } if bytes == b"0123456789"));
    assert_eq!((side.poll(), side.input.len()), (Seen::Blocked, 15));
    side.grant(exchange, 10, 1);
    assert!(matches!(side.poll(), Seen::Part { bytes, .. } if bytes == b"0123456789"));
    side.grant(exchange, 10, 1);
    assert!(matches!(side.poll(), Seen::Part { bytes, finished: true, .. } if bytes == b"01234"));
    side.poll().expect_finish();
    assert_eq!(side.vacancies(), 1);
}

#[test]
fn the_connection_does_not_end_before_what_it_brought_is_delivered() {
    let mut side = client_with(Limits::default().ahead(1));
    let exchange = side.call(&Call::new("S", "M").streamed());
    side.feed(lines("HTTP/1.1 200 OK|Connection: close|Transfer-Encoding: chunked||1|a|1|b|0||"));
    assert!(matches!(side.poll(), Seen::Answer { .. }));
    assert!(matches!(side.poll(), Seen::Part { .. }));
    assert_eq!((side.poll(), side.poll(), side.vacancies()), (Seen::Blocked, Seen::Blocked, 0));
    side.grant(exchange, 1, 1);
    assert!(matches!(side.poll(), Seen::Part { bytes, finished: true, .. } if bytes == b"b"));
    side.poll().expect_finish();
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn a_streamed_reply_cut_off_is_reset() {
    let mut side = streaming();
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 25||012")).events();
    side.resume(Wake::Eof).unwrap();
    assert!(matches!(&side.events()[..], [Seen::Reset { .. }, Seen::Closed]));
}

fn part(bytes: &'static str, finished: bool) -> Part {
    Part { bytes: bytes.into(), end_of_message: true, finished, ..Part::default() }
}

/// An upload that has begun.
fn uploading() -> (Side, Exchange) {
    let mut side = client();
    let exchange = side.call(&Call::new("S", "M").parts_follow());
    let head = said(&mut side);
    assert!(head.ends_with("|Transfer-Encoding: chunked||") && !head.contains("Content-Length"), "{head}");
    (side, exchange)
}

#[test]
fn an_upload_goes_in_chunks() {
    let (mut side, exchange) = uploading();
    side.send(exchange, &part("hello", false));
    assert_eq!(said(&mut side), "5|hello|");
    side.send(exchange, &part(" world", true));
    assert_eq!(said(&mut side), "6| world|0||");
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 0||")).poll().expect_finish();
    assert_eq!(side.vacancies(), 1);
}

#[test]
fn an_upload_may_end_without_a_last_part() {
    let (mut side, exchange) = uploading();
    side.send(exchange, &Part { finished: true, ..Part::default() });
    assert_eq!(said(&mut side), "0||");
}

#[test]
fn a_reply_before_the_end_of_the_upload_ends_the_connection() {
    let (mut side, exchange) = uploading();
    side.send(exchange, &part("hello", false));
    side.feed(lines("HTTP/1.1 413 Too Large|Content-Length: 0||")).poll().expect_finish();
    assert_eq!((side.vacancies(), side.poll()), (0, Seen::Closed));
    side.send(exchange, &part("more", true));
    assert_eq!(said(&mut side), "5|hello|");
}

#[test]
fn an_upload_waits_for_room() {
    let limits = Limits::default().backlog(1000);
    let mut side = client_with(limits).with_room(100);
    let exchange = side.call(&Call::new("S", "M").parts_follow());
    let bytes = Part { bytes: IoBuf::from(vec![b'x'; 400]), ..Part::default() };
    let mut sent = 1;
    while side.send(exchange, &bytes).is_open() {
        sent += 1;
    }
    assert!(sent <= 4);
    let mut credits = 0;
    for _ in 0..10 {
        side.written();
        side.resume(Wake::Room).unwrap();
        credits += side.events().len();
    }
    assert_eq!((credits, side.held()), (1, 0));
}

#[test]
fn no_call_is_opened_over_a_reply_that_is_not_delivered() {
    let mut side = client_with(Limits::default().ahead(1));
    let exchange = side.call(&Call::new("S", "M").streamed());
    side.feed(lines("HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|a|1|b|0||")).events();
    let other = Exchange { token: 9, slot: 9 };
    assert_eq!((side.vacancies(), side.open(other, &Call::new("S", "M"))), (0, Err(Refusal::Full)));
    side.grant(exchange, 1, 1);
    assert_eq!(side.events().len(), 2, "the last part and the finish");
    assert_eq!((side.vacancies(), side.open(other, &Call::new("S", "M")).is_ok()), (1, true));
}
