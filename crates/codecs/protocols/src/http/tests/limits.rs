//! Section 5 of docs/wire/http.md: which limit stops which input.

use super::{client, client_with, lines, said, server, server_with};
use crate::http::h1::HEAD_TIME;
use polywire_call::{Code, brpc};
use polywire_machine_testing::{Call, Seen, Side};
use polywire_wire::{Delivery, Limits, Route, WireError};
use std::time::Duration;

#[track_caller]
fn ends(side: &mut Side, status: &str, error: WireError) {
    assert_eq!(side.events(), [Seen::Error(error)]);
    let reply = said(side);
    assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{reply}");
    assert!(reply.contains("|Connection: close|"), "{reply}");
}

#[test]
fn a_start_line_of_8_kib_and_no_more() {
    let line = |n: usize| format!("GET /{} HTTP/1.1|", "a".repeat(n - 16));
    let mut side = server();
    super::opened(&mut side, &format!("{}Host: x||", line(8 << 10)));
    let mut side = server();
    side.feed(lines(&line((8 << 10) + 1)));
    ends(&mut side, "414", WireError::TooLarge);
    for unfinished in ["GET /", "M", "GET / HTTP/1.1"] {
        let mut side = server();
        let fed = format!("{unfinished}{}", "a".repeat((8 << 10) - unfinished.len()));
        let seen = side.feed(fed).events();
        assert!(matches!(seen[..], [Seen::Error(_)]), "{unfinished}: {seen:?}");
    }
}

#[test]
fn heads_of_64_kib_and_no_more() {
    let head = |n: usize| {
        let start = "GET / HTTP/1.1|Host: x|";
        let bytes = n - lines(start).len() - 4;
        // Eight fields share the length, so that no single field reaches a limit of its own.
        let each = bytes / 8 - 5;
        let mut text = (0..7).fold(start.to_owned(), |t, i| t + &format!("{i}: {}|", "b".repeat(each)));
        text += &format!("x: {}||", "b".repeat(bytes - 7 * (each + 5) - 3));
        lines(&text)
    };
    assert_eq!(head(64 << 10).len(), 64 << 10);
    let mut side = server();
    side.feed(head(64 << 10)).poll().expect_open();
    let mut side = server();
    side.feed(head((64 << 10) + 1));
    ends(&mut side, "431", WireError::TooLarge);
    let mut side = server();
    let mut long = lines("GET / HTTP/1.1|Host: x|a: ");
    long.resize((64 << 10) + 1, b'b');
    side.feed(long);
    ends(&mut side, "431", WireError::TooLarge);
}

#[test]
fn a_hundred_fields_and_no_more() {
    let head = |n: usize| lines(&format!("GET / HTTP/1.1|Host: x|{}|", "a: b|".repeat(n - 1)));
    assert!(matches!(server().feed(head(100)).poll(), Seen::Open(_)));
    let mut side = server();
    side.feed(head(101));
    ends(&mut side, "431", WireError::TooLarge);
}

#[test]
fn trailers_are_bounded_like_heads() {
    let head = "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||0|";
    let mut side = server();
    super::opened(&mut side, &format!("{head}{}|", "a: b|".repeat(100)));
    let mut side = server();
    side.feed(lines(&format!("{head}{}|", "a: b|".repeat(101))));
    ends(&mut side, "431", WireError::TooLarge);
    let mut side = server();
    side.feed(lines(&format!("{head}a: {}", "b".repeat(64 << 10))));
    ends(&mut side, "431", WireError::TooLarge);
}

#[test]
fn chunk_extensions_of_16_kib_a_message_and_no_more() {
    let chunk = |n: usize| format!("1;{}|x|", "e".repeat(n - 3));
    let head = "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||";
    let mut side = server();
    let open = super::opened(&mut side, &format!("{head}{}{}0||", chunk(8 << 10), chunk(8 << 10)));
    assert_eq!(open.body, b"xx");
    // The count starts again with the next message.
    super::opened(&mut side, &format!("{head}{}0||", chunk(16 << 10)));
    for body in [chunk((16 << 10) + 1), chunk(8 << 10) + &chunk((8 << 10) + 1), chunk(16 << 10) + &chunk(3)] {
        let mut side = server();
        side.feed(lines(&format!("{head}{body}0||")));
        ends(&mut side, "400", WireError::Malformed("bad chunk"));
    }
    let mut side = server();
    side.feed(lines(&format!("{head}1;{}", "e".repeat(16 << 10))));
    ends(&mut side, "400", WireError::Malformed("bad chunk"));
}

#[test]
fn an_announced_body_over_the_limit_is_413_before_a_byte_of_it() {
    let route = Route { max_message: 10, ..Route::default() };
    for delivery in [Delivery::Whole, Delivery::Messages] {
        let mut side = server().hosted(|h| h.route(Route { delivery, ..route }));
        super::opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 10||0123456789");
        let mut side = server().hosted(|h| h.route(Route { delivery, ..route }));
        side.feed(lines("POST / HTTP/1.1|Host: x|Content-Length: 11|Expect: 100-continue||"));
        assert_eq!(side.poll(), Seen::Closed);
        let reply = said(&mut side);
        assert!(reply.starts_with("HTTP/1.1 413 Content Too Large|"), "{reply}");
        assert!(reply.contains("|Connection: close|"), "{reply}");
        assert_eq!(side.host.withdrawn, 1);
    }
}

#[test]
fn a_body_that_grows_over_the_limit_is_413() {
    let mut side = server().hosted(|h| h.route(Route { max_message: 10, ..Route::default() }));
    let head = "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||";
    let open = super::opened(&mut side, &format!("{head}5|01234|5|56789|0||"));
    side.reply(&open, "x");
    said(&mut side);
    assert_eq!(side.feed(lines(&format!("{head}5|01234|6|567890|0||"))).poll(), Seen::Closed);
    assert!(said(&mut side).starts_with("HTTP/1.1 413 "));
    assert_eq!(side.host.withdrawn, 1);
}

#[test]
fn an_announced_chunk_over_the_limit_is_413_before_a_byte_of_it() {
    let route = Route { max_message: 100_000, ..Route::default() };
    let head = "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||";
    for (chunks, refused) in
        [("186a0|", false), ("186a1|", true), ("1|x|186a0|", true), ("ffffffffffffffff|", true)]
    {
        let mut side = server().hosted(|h| h.route(route));
        let seen = side.feed(lines(&format!("{head}{chunks}"))).poll();
        assert_eq!(seen, if refused { Seen::Closed } else { Seen::Need(1) }, "{chunks}");
        assert_eq!(said(&mut side).starts_with("HTTP/1.1 413 "), refused, "{chunks}");
        let mut side = client().hosted(|h| h.limit_replies(100_000));
        side.call(&Call::new("S", "M"));
        side.feed(lines(&format!("HTTP/1.1 200 OK|Transfer-Encoding: chunked||{chunks}")));
        assert_eq!(matches!(side.poll(), Seen::Finish { .. }), refused, "{chunks}");
    }
}

#[test]
fn a_route_without_a_limit_has_the_connections() {
    let limits = Limits::default().max_message(10);
    let mut side = server_with(limits).hosted(|h| h.route(Route::default()));
    side.feed(lines("POST / HTTP/1.1|Host: x|Content-Length: 11||")).events();
    assert!(said(&mut side).starts_with("HTTP/1.1 413 "));
}

#[test]
fn a_length_beyond_memory_is_refused_by_its_number() {
    let mut side = server();
    side.feed(lines("POST / HTTP/1.1|Host: x|Content-Length: 18446744073709551615||")).events();
    assert!(said(&mut side).starts_with("HTTP/1.1 413 "));
    assert_eq!(side.host.asked[0].announced, Some(usize::MAX));
}

#[test]
fn a_head_takes_ten_seconds_and_no_more() {
    let mut side = server();
    assert_eq!((side.poll(), side.until_deadline()), (Seen::Need(1), None));
    side.feed("GET / HT").events();
    assert_eq!(side.until_deadline(), Some(HEAD_TIME));
    side.wait(Duration::from_secs(6)).unwrap();
    side.feed("TP/1.1\r\n").events();
    assert_eq!(side.until_deadline(), Some(Duration::from_secs(4)), "from its first byte");
    side.wait(Duration::from_millis(3999)).unwrap();
    assert_eq!(side.poll(), Seen::Need(1));
    side.wait(Duration::from_millis(1)).unwrap();
    ends(&mut side, "408", WireError::Malformed("head not complete in time"));
}

#[test]
fn a_body_that_took_too_long_is_408_and_the_end() {
    for body in ["Content-Length: 3||a", "Transfer-Encoding: chunked||1|a|"] {
        let mut side = server();
        side.feed(lines(&format!("POST / HTTP/1.1|Host: x|{body}"))).events();
        let begun = side.now();
        assert_eq!(side.command(|machine, _| machine.oldest()), Some(begun));
        let before = begun - Duration::from_millis(1);
        assert_eq!(side.command(|machine, cx| machine.give_up(cx, before)), 0, "it is younger");
        assert_eq!(side.command(|machine, cx| machine.give_up(cx, begun)), 1);
        assert_eq!((side.poll(), side.host.withdrawn), (Seen::Closed, 1));
        let reply = said(&mut side);
        assert!(reply.starts_with("HTTP/1.1 408 Request Timeout|"), "{reply}");
        assert!(reply.contains("|Connection: close|"), "{reply}");
    }
}

#[test]
fn a_complete_head_has_no_deadline() {
    let mut side = server();
    side.feed(lines("POST / HTTP/1.1|Ho")).events();
    side.feed(lines("st: x|Content-Length: 3||")).events();
    assert_eq!(side.until_deadline(), None);
    let open = side.feed("abc").poll().expect_open();
    side.reply(&open, "x");
    assert_eq!((side.poll(), side.until_deadline()), (Seen::Need(1), None));
}

#[test]
fn heads_that_come_in_single_bytes_are_read_in_linear_time() {
    let mut side = server();
    let mut text = lines("GET / HTTP/1.1|Host: x|long: ");
    text.resize(60 << 10, b'b');
    text.extend_from_slice(b"\r\n\r\n");
    let (last, all) = text.split_last().unwrap();
    for byte in all {
        side.feed([*byte]);
        assert_eq!(side.poll(), Seen::Need(1));
    }
    side.feed([*last]).poll().expect_open();
}

#[test]
fn replies_longer_than_the_host_lets_in_finish_as_too_large() {
    for (text, limit) in [
        ("HTTP/1.1 200 OK|Content-Length: 11||", 10),
        ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||b|01234567890|", 10),
        ("HTTP/1.1 200 OK||01234567890", 10),
    ] {
        let mut side = client().hosted(|h| h.limit_replies(limit));
        side.call(&Call::new("S", "M"));
        let (_, outcome) = side.feed(lines(text)).poll().expect_finish();
        assert_eq!(outcome.status.code(), Code::ResourceExhausted, "{text}");
        assert!(outcome.body.is_empty());
        assert_eq!(side.vacancies(), 0);
        assert_eq!(side.poll(), Seen::Closed);
    }
}

#[test]
fn replies_of_just_the_allowed_length_come_through() {
    for text in [
        "HTTP/1.1 200 OK|Content-Length: 10||0123456789",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|01234|5|56789|0||",
    ] {
        let mut side = client().hosted(|h| h.limit_replies(10));
        side.call(&Call::new("S", "M"));
        let (_, outcome) = side.feed(lines(text)).poll().expect_finish();
        assert_eq!(outcome.body, b"0123456789", "{text}");
    }
    let mut side = client_with(Limits::default().max_message(9));
    side.call(&Call::new("S", "M"));
    let (_, outcome) = side.feed(lines("HTTP/1.1 200 OK|Content-Length: 10||")).poll().expect_finish();
    assert_eq!(outcome.status.code(), Code::ResourceExhausted);
}

#[test]
fn a_reply_head_over_its_limit_fails_the_call() {
    let mut side = client();
    side.call(&Call::new("S", "M"));
    side.feed(lines(&format!("HTTP/1.1 200 OK|{}|", "a: b|".repeat(101))));
    let seen = side.events();
    let [Seen::Reset { why, .. }, Seen::Error(WireError::TooLarge)] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!(brpc::number(why), brpc::ERESPONSE);
}
