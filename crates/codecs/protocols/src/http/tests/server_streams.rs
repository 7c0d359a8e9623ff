//! Uploads in pieces, streamed answers, and flow control between them.

use super::{lines, opened, said, server, server_with};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};
use polywire_machine_testing::{Octets, Seen, Side, at_every_split};
use polywire_wire::{Answer, Compression, Credit, Delivery, Limits, Outcome, Part, Route, Wake};

fn taking(delivery: Delivery, limits: Limits) -> Side {
    server_with(limits).hosted(|h| h.deliver(delivery))
}

#[track_caller]
fn part(seen: Seen) -> (Octets, bool, bool) {
    match seen {
        Seen::Part { bytes, end_of_message, finished, .. } => (bytes, end_of_message, finished),
        other => panic!("expected Part, saw {other:?}"),
    }
}

const UPLOAD: &str = "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||";

#[test]
fn pieces_come_as_they_arrive_behind_the_open() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, UPLOAD);
    assert_eq!((open.finished, &open.body[..]), (false, &b""[..]));
    assert_eq!(side.poll(), Seen::Need(1));
    side.feed(lines("5|hel"));
    assert_eq!(part(side.poll()), (Octets(b"hel".to_vec()), false, false));
    side.feed(lines("lo|3;x=y|abc|"));
    assert_eq!(part(side.poll()), (Octets(b"lo".to_vec()), false, false));
    assert_eq!(part(side.poll()), (Octets(b"abc".to_vec()), false, false));
    side.feed(lines("0|checksum: 1||"));
    assert_eq!(part(side.poll()), (Octets(vec![]), true, true));
    side.reply(&open, "x");
    assert!(said(&mut side).ends_with("||x"));
    assert_eq!(side.poll(), Seen::Need(1));
}

#[test]
fn pieces_are_the_same_at_every_split() {
    let text = format!("{UPLOAD}5|hello|1;a=\"b\"|,|6| world|0|t: 1||");
    let run = at_every_split(|| taking(Delivery::Pieces, Limits::default()), &lines(&text));
    let [Seen::Open(_), body] = &run.seen[..] else { panic!("{:?}", run.seen) };
    assert!(
        matches!(body, Seen::Part { bytes, end_of_message: true, finished: true, .. } if bytes == b"hello, world")
    );
}

#[test]
fn a_body_of_known_length_comes_in_pieces_too() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 5||he");
    assert!(!open.finished);
    assert_eq!(part(side.poll()), (Octets(b"he".to_vec()), false, false));
    side.feed("llo");
    assert_eq!(part(side.poll()), (Octets(b"llo".to_vec()), true, true));
    let open = opened(&mut side, "POST / HTTP/1.1|Host: x||");
    assert!(open.finished, "no body at all");
}

#[test]
fn reading_stops_at_the_window_and_goes_on_with_grants() {
    let mut side = taking(Delivery::Pieces, Limits::default().window(10));
    let open = opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 25||0123456789012345678901234");
    assert_eq!(part(side.poll()).0, b"0123456789");
    assert_eq!(side.poll(), Seen::Blocked);
    assert_eq!(side.input.len(), 15, "unread: the peer has to wait");
    side.grant(open.exchange, 4, 0);
    assert_eq!(part(side.poll()).0, b"0123");
    assert_eq!(side.poll(), Seen::Blocked);
    side.grant(open.exchange, 10, 2);
    assert_eq!(part(side.poll()).0, b"4567890123");
    side.grant(open.exchange, 10, 1);
    assert_eq!(part(side.poll()), (Octets(b"4".to_vec()), true, true));
    side.reply(&open, "x");
    assert_eq!(side.poll(), Seen::Need(1));
}

#[test]
fn parts_are_counted_too() {
    let mut side = taking(Delivery::Pieces, Limits::default().ahead(2));
    let open = opened(&mut side, UPLOAD);
    side.feed(lines("1|a|1|b|1|c|1|d|0||"));
    assert_eq!(part(side.poll()).0, b"a");
    assert_eq!(part(side.poll()).0, b"b");
    assert_eq!(side.poll(), Seen::Need(1), "the rest is here and waits for a grant");
    side.grant(open.exchange, 2, 1);
    assert_eq!(part(side.poll()), (Octets(b"cd".to_vec()), true, true), "what waited comes as one");
}

#[test]
fn the_end_alone_overtakes_the_demand() {
    let mut side = taking(Delivery::Pieces, Limits::default().ahead(1));
    opened(&mut side, UPLOAD);
    side.feed(lines("1|a|0||"));
    assert_eq!(part(side.poll()).0, b"a");
    assert_eq!(part(side.poll()), (Octets(vec![]), true, true));
}

#[test]
fn messages_are_the_whole_body_as_one() {
    for text in
        ["POST / HTTP/1.1|Host: x|Content-Length: 5||hello".to_owned(), format!("{UPLOAD}2|he|3|llo|0||")]
    {
        let run = at_every_split(|| taking(Delivery::Messages, Limits::default()), &lines(&text));
        let [Seen::Open(open), Seen::Part { bytes, end_of_message: true, finished: true, .. }] =
            &run.seen[..]
        else {
            panic!("{:?}", run.seen)
        };
        assert!(!open.finished && bytes == b"hello");
    }
    let run =
        at_every_split(|| taking(Delivery::Messages, Limits::default()), &lines(&format!("{UPLOAD}0||")));
    assert!(
        matches!(&run.seen[..], [_, Seen::Part { end_of_message: false, finished: true, .. }]),
        "{:?}",
        run.seen
    );
}

#[test]
fn a_message_begun_can_end_whatever_the_window() {
    let limits = Limits::default().window(10);
    for delivery in [Delivery::Whole, Delivery::Messages] {
        for head in ["POST / HTTP/1.1|Host: x|Content-Length: 100||", UPLOAD] {
            let mut side = taking(delivery, limits);
            side.feed(lines(head));
            let body = [b'x'; 100];
            side.feed(match head == UPLOAD {
                true => [&b"64\r\n"[..], &body, b"\r\n0\r\n\r\n"].concat(),
                false => body.to_vec(),
            });
            let mut seen = side.events();
            match seen.pop() {
                Some(Seen::Open(open)) => assert_eq!(open.body, body),
                Some(Seen::Part { bytes, exchange, .. }) => {
                    assert_eq!(bytes, body);
                    // Returned credit does not open the window beyond its size.
                    side.grant(exchange, 100, 1);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_whole_body_of_known_length_is_waited_for_in_one_piece() {
    let mut side = server();
    side.feed(lines("POST / HTTP/1.1|Host: x|Content-Length: 1000000||ab"));
    assert_eq!(side.poll(), Seen::Need(999_998));
    assert_eq!(side.input.len(), 2, "the engine reads on behind it");
}

#[test]
fn pieces_are_not_held_up_for_more() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 1000||");
    assert_eq!(side.poll(), Seen::Need(1));
}

#[test]
fn pieces_may_have_an_unknown_compression() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Encoding: br|Content-Length: 2||zz");
    assert_eq!(open.head.compression, Compression::UNKNOWN);
}

#[test]
fn an_upload_broken_off_is_reset() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 5||he");
    side.events();
    side.resume(Wake::Eof).unwrap();
    assert!(matches!(side.poll(), Seen::Reset { exchange, .. } if exchange == open.exchange));
    assert_eq!(side.poll(), Seen::Closed);
    assert_eq!(said(&mut side), "");
}

#[test]
fn a_message_over_the_limit_resets_what_was_opened() {
    let route = Route { delivery: Delivery::Messages, max_message: 4, method: 0, ..Route::default() };
    let mut side = server().hosted(|h| h.route(route));
    let open = opened(&mut side, UPLOAD);
    side.feed(lines("3|abc|3|def|0||"));
    assert!(matches!(side.poll(), Seen::Reset { exchange, .. } if exchange == open.exchange));
    assert!(said(&mut side).starts_with("HTTP/1.1 413 "));
}

fn send(side: &mut Side, open: &polywire_machine_testing::SeenOpen, bytes: &'static str) -> Credit {
    side.send(open.exchange, &Part { bytes: bytes.into(), end_of_message: true, ..Part::default() })
}

#[test]
fn an_answer_streams_in_chunks() {
    let mut side = server();
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    let metadata: Metadata = [("Content-Type", "text/event-stream"), ("x", "y")].into_iter().collect();
    let credit = side.answer(
        open.exchange,
        &Answer { status: 0, metadata: Some(Box::new(metadata)), ..Answer::default() },
    );
    assert!(credit.is_open());
    assert_eq!(
        said(&mut side),
        "HTTP/1.1 200 OK|Content-Type: text/event-stream|Transfer-Encoding: chunked|x: y||"
    );
    send(&mut side, &open, "hello");
    assert_eq!(said(&mut side), "5|hello|", "each part at once, as one chunk");
    send(&mut side, &open, "");
    assert_eq!(said(&mut side), "", "an empty chunk would be the end");
    send(&mut side, &open, " world, with more than fifteen bytes");
    assert_eq!(said(&mut side), "24| world, with more than fifteen bytes|");
    side.finish(open.exchange, Outcome::default());
    assert_eq!(said(&mut side), "0||");
    opened(&mut side, "GET / HTTP/1.1|Host: x||");
}

#[test]
fn a_streamed_answer_may_have_a_status_and_last_bytes() {
    let mut side = server();
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    side.answer(open.exchange, &Answer { status: 206, ..Answer::default() });
    side.finish(open.exchange, Outcome { body: "end".into(), reply: true, ..Outcome::default() });
    assert_eq!(
        said(&mut side),
        "HTTP/1.1 206 Partial Content|Content-Type: application/octet-stream|Transfer-Encoding: chunked||3|end|0||"
    );
}

#[test]
fn an_answer_to_http_1_0_ends_with_the_connection() {
    let mut side = server();
    let open = opened(&mut side, "GET / HTTP/1.0|Connection: keep-alive||");
    side.answer(open.exchange, &Answer::default());
    send(&mut side, &open, "hello");
    side.finish(open.exchange, Outcome::default());
    assert_eq!(
        said(&mut side),
        "HTTP/1.0 200 OK|Content-Type: application/octet-stream|Connection: close||hello"
    );
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn an_answer_that_fails_after_its_head_breaks_off() {
    let mut side = server();
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    side.answer(open.exchange, &Answer::default());
    send(&mut side, &open, "hello");
    side.fail(open.exchange, Status::internal("oh"));
    assert!(said(&mut side).ends_with("5|hello|"), "no last chunk: the peer sees that it is not whole");
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn an_answer_to_head_has_a_head_only() {
    let mut side = server();
    let open = opened(&mut side, "HEAD / HTTP/1.1|Host: x||");
    side.answer(open.exchange, &Answer::default());
    assert!(send(&mut side, &open, "hello").is_open(), "the handler need not know");
    side.finish(open.exchange, Outcome { body: "end".into(), reply: true, ..Outcome::default() });
    assert_eq!(said(&mut side), "HTTP/1.1 200 OK|Content-Type: application/octet-stream||");
    opened(&mut side, "GET / HTTP/1.1|Host: x||");
}

#[test]
fn an_answer_with_a_field_that_breaks_it_is_refused_and_reset() {
    let mut side = server();
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    let metadata: Metadata = [("a", "b\r\nc: d")].into_iter().collect();
    let credit = side.answer(
        open.exchange,
        &Answer { status: 200, metadata: Some(Box::new(metadata)), ..Answer::default() },
    );
    assert_eq!(credit, Credit::CLOSED);
    assert!(matches!(side.poll(), Seen::Reset { exchange, .. } if exchange == open.exchange));
    assert!(said(&mut side).starts_with("HTTP/1.1 500 "));
    opened(&mut side, "GET / HTTP/1.1|Host: x||");
}

#[test]
fn parts_wait_for_room_and_the_sender_for_credit() {
    let mut side = server_with(Limits::default().backlog(1000)).with_room(100);
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    side.answer(open.exchange, &Answer::default());
    let part = Part { bytes: IoBuf::from(vec![b'x'; 400]), ..Part::default() };
    let mut sent = 0;
    while side.send(open.exchange, &part).is_open() {
        sent += 400;
        assert!(sent < 4000, "credit never closes");
    }
    sent += 400;
    assert!(side.held() >= 1000);
    assert_eq!(side.poll(), Seen::Need(1));
    let mut written = side.written().len();
    let mut credits = 0;
    for _ in 0..100 {
        side.resume(Wake::Room).unwrap();
        for seen in side.events() {
            assert!(matches!(seen, Seen::Credit { credit, .. } if credit.bytes >= 500), "{seen:?}");
            credits += 1;
        }
        written += side.written().len();
    }
    assert_eq!((credits, side.held()), (1, 0));
    assert!(written >= sent);
    side.finish(open.exchange, Outcome::default());
    assert_eq!(said(&mut side), "0||");
}

#[test]
fn the_end_of_an_answer_waits_behind_its_parts() {
    let mut side = server().with_room(50);
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||GET /next HTTP/1.1|Host: x||");
    let next = opened(&mut side, "");
    side.answer(open.exchange, &Answer::default());
    side.send(open.exchange, &Part { bytes: IoBuf::from(vec![b'x'; 200]), ..Part::default() });
    side.finish(open.exchange, Outcome::default());
    side.reply(&next, "next");
    let first = said(&mut side);
    assert!(!first.contains("|0||"), "{first}");
    side.resume(Wake::Room).unwrap();
    let rest = said(&mut side);
    assert!(rest.contains("x|0||HTTP/1.1 200 OK|") && rest.ends_with("next"), "{rest}");
}

#[test]
fn a_proxy_answers_while_the_upload_goes_on() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, UPLOAD);
    side.answer(open.exchange, &Answer::default());
    for text in ["1|a|", "1|b|"] {
        side.feed(lines(text));
        let (bytes, ..) = part(side.poll());
        side.send(open.exchange, &Part { bytes: IoBuf::copy_from_slice(&bytes), ..Part::default() });
    }
    side.feed(lines("0||"));
    assert!(part(side.poll()).2);
    side.finish(open.exchange, Outcome::default());
    assert!(said(&mut side).ends_with("||1|a|1|b|0||"));
    assert_eq!(side.poll(), Seen::Need(1));
}

#[test]
fn an_answer_that_ends_before_the_upload_skips_the_rest() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, UPLOAD);
    side.answer(open.exchange, &Answer::default());
    side.finish(open.exchange, Outcome::default());
    side.feed(lines("5|hello|0||GET /next HTTP/1.1|Host: x||"));
    assert_eq!(side.poll().expect_open().head.field(":path"), Some(&b"/next"[..]));
}

#[test]
fn an_answer_whose_head_keeps_the_connection_skips_an_upload_of_any_length() {
    const LONG: usize = 1 << 20;
    let body = vec![b'x'; LONG];
    let chunked = [format!("{LONG:x}\r\n").as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    let known = format!("POST / HTTP/1.1|Host: x|Content-Length: {LONG}||");
    for (head, body) in [(UPLOAD, &chunked), (&*known, &body)] {
        for piece in [1000, 64 << 10, usize::MAX] {
            let mut side = taking(Delivery::Pieces, Limits::default());
            let open = opened(&mut side, head);
            side.answer(open.exchange, &Answer::default());
            side.finish(open.exchange, Outcome::default());
            assert!(!said(&mut side).contains("Connection"));
            for piece in body.chunks(piece) {
                assert!(matches!(side.feed(piece).poll(), Seen::Need(_)));
            }
            opened(&mut side, "GET /next HTTP/1.1|Host: x||");
        }
    }
}

#[test]
fn a_reply_given_before_the_upload_ends_skips_the_rest() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 10||01234");
    part(side.poll());
    side.reply(&open, "enough");
    assert!(!said(&mut side).contains("Connection"));
    side.feed(lines("56789GET /next HTTP/1.1|Host: x||"));
    side.poll().expect_open();
}

#[test]
fn nothing_is_sent_before_the_answer() {
    let mut side = server();
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    assert_eq!(send(&mut side, &open, "hello"), Credit::CLOSED);
    side.reply(&open, "x");
    assert_eq!(send(&mut side, &open, "hello"), Credit::CLOSED);
    assert!(said(&mut side).ends_with("||x"));
}

/// A head with this status and length, as a proxy passes it on.
fn head(status: u16, length: &str) -> Answer {
    let fields: Metadata = [("content-length", length), ("x-a", "1")].into_iter().collect();
    Answer { status, metadata: Some(Box::new(fields)), ..Answer::default() }
}

#[test]
fn an_answer_in_pieces_has_the_length_its_head_says() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    side.answer(open.exchange, &head(404, "10"));
    send(&mut side, &open, "hello");
    send(&mut side, &open, "world");
    side.finish(open.exchange, Outcome::default());
    let said = said(&mut side);
    assert!(said.starts_with("HTTP/1.1 404 Not Found|") && said.ends_with("||helloworld"), "{said}");
    assert!(said.contains("|Content-Length: 10|") && !said.contains("Content-Type"), "{said}");
    assert_eq!(side.poll(), Seen::Need(1));
}

#[test]
fn an_answer_longer_or_shorter_than_its_head_says_breaks_off() {
    for (sent, left) in [("hell", false), ("hello!", true)] {
        let mut side = taking(Delivery::Pieces, Limits::default());
        let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
        side.answer(open.exchange, &head(200, "5"));
        send(&mut side, &open, sent);
        assert!(!said(&mut side).contains('!'), "no byte beyond the length");
        side.finish(open.exchange, Outcome::default());
        let told = std::iter::repeat_with(|| side.poll()).take(3).collect::<Vec<_>>();
        assert_eq!(told.iter().any(|seen| matches!(seen, Seen::Reset { .. })), left, "{told:?}");
        assert!(told.contains(&Seen::Closed), "{told:?}");
    }
}

#[test]
fn head_has_the_length_of_the_body_it_does_not_get() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, "HEAD / HTTP/1.1|Host: x||");
    side.answer(open.exchange, &head(200, "10"));
    side.finish(open.exchange, Outcome::default());
    let said = said(&mut side);
    assert!(said.contains("|Content-Length: 10|") && said.ends_with("||"), "{said}");
    assert_eq!(side.poll(), Seen::Need(1));
}

#[test]
fn trailers_follow_an_answer_in_pieces() {
    let mut side = taking(Delivery::Pieces, Limits::default());
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x||");
    side.answer(open.exchange, &Answer::default());
    send(&mut side, &open, "hello");
    let fields: Metadata = [("x-sum", "7")].into_iter().collect();
    side.finish(open.exchange, Outcome { trailers: Some(Box::new(fields)), ..Outcome::default() });
    assert!(said(&mut side).ends_with("||5|hello|0|x-sum: 7||"));
}
