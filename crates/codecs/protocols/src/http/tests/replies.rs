//! Sections 3 and 4 of docs/wire/http.md: what a server answers.

use super::{lines, opened, said, server, server_with};
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Native, Status, brpc};
use polywire_machine_testing::{Seen, Side};
use polywire_wire::{Compression, Content, Goodbye, Keepalive, Limits, Outcome, Wake};
use std::time::Duration;

const GET: &str = "GET / HTTP/1.1|Host: x||";

/// The server's answer to a request that ends with this outcome.
#[track_caller]
fn answer(request: &str, outcome: Outcome) -> String {
    let mut side = server();
    let open = opened(&mut side, request);
    side.finish(open.exchange, outcome);
    said(&mut side)
}

fn failing(status: Status) -> Outcome {
    Outcome { status, ..Outcome::default() }
}

fn json(body: &'static str) -> Outcome {
    Outcome { body: body.into(), content: Content::JSON, reply: true, ..Outcome::default() }
}

fn fields(given: &[(&str, &str)]) -> Option<Box<Metadata>> {
    Some(Box::new(given.iter().copied().collect()))
}

#[test]
fn every_row_of_the_error_table() {
    for (number, line) in [
        (brpc::ENOSERVICE, "404 Not Found"),
        (brpc::ENOMETHOD, "404 Not Found"),
        (brpc::ERPCAUTH, "401 Unauthorized"),
        (brpc::EREQUEST, "400 Bad Request"),
        (brpc::EINVAL, "400 Bad Request"),
        (brpc::ELIMIT, "503 Service Unavailable"),
        (brpc::ELOGOFF, "503 Service Unavailable"),
        (brpc::EPERM, "403 Forbidden"),
        (brpc::ERPCTIMEDOUT, "504 Gateway Timeout"),
        (brpc::ETIMEDOUT, "504 Gateway Timeout"),
        (brpc::EINTERNAL, "500 Internal Server Error"),
        (brpc::EEXIST, "500 Internal Server Error"),
        (-1, "500 Internal Server Error"),
        (12345, "500 Internal Server Error"),
    ] {
        assert_eq!(
            answer(GET, failing(brpc::status(number, "why"))),
            format!(
                "HTTP/1.1 {line}|Content-Type: text/plain|Content-Length: 3|x-bd-error-code: {number}|polywire-status: {}||why",
                brpc::code(number) as u8
            )
        );
    }
}

#[test]
fn a_handler_may_close_the_connection_instead_of_answering() {
    let mut side = server();
    let first = opened(&mut side, GET);
    let second = opened(&mut side, GET);
    side.fail(second.exchange, brpc::status(brpc::ECLOSE, "asked to"));
    side.finish(first.exchange, json("{}"));
    assert_eq!(side.events(), [Seen::Closed]);
    assert_eq!(said(&mut side), "HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 2||{}");
}

#[test]
fn codes_without_a_number_of_brpc_have_their_own_http_status() {
    for (code, line) in [
        (Code::NotFound, "404 Not Found"),
        (Code::AlreadyExists, "409 Conflict"),
        (Code::Aborted, "409 Conflict"),
        (Code::FailedPrecondition, "400 Bad Request"),
        (Code::OutOfRange, "400 Bad Request"),
        (Code::Cancelled, "499 Client Closed Request"),
        (Code::Unavailable, "503 Service Unavailable"),
        (Code::Unimplemented, "404 Not Found"),
        (Code::Unauthenticated, "401 Unauthorized"),
        (Code::ResourceExhausted, "429 Too Many Requests"),
        (Code::Internal, "500 Internal Server Error"),
        (Code::DataLoss, "500 Internal Server Error"),
        (Code::Unknown, "500 Internal Server Error"),
    ] {
        let reply = answer(GET, failing(Status::new(code, "why")));
        assert!(reply.starts_with(&format!("HTTP/1.1 {line}|")), "{code}: {reply}");
        assert!(reply.contains("|x-bd-error-code: "), "{code}: {reply}");
    }
}

/// brpc: SetFailed(4001, ..), then set_status_code(404).
#[test]
fn an_applications_own_number_goes_with_the_http_status_of_the_code_beside_it() {
    let not_found = failing(Status::not_found("no").with_native(Native::Brpc(4001)));
    let reply = answer(GET, not_found);
    assert!(
        reply.starts_with("HTTP/1.1 404 Not Found|") && reply.contains("|x-bd-error-code: 4001|"),
        "{reply}"
    );
    let wrong = failing(Status::invalid_argument("no").with_native(Native::Brpc(4002)));
    assert!(answer(GET, wrong).starts_with("HTTP/1.1 400 Bad Request|"));
    assert!(answer(GET, failing(brpc::status(4001, "no"))).starts_with("HTTP/1.1 500 "));
    // A number of brpc's has the status that it has in brpc, whatever the code.
    let broken = failing(Status::not_found("no").with_native(Native::Brpc(brpc::ERESPONSE)));
    assert!(answer(GET, broken).starts_with("HTTP/1.1 500 "));
}

#[test]
fn a_status_that_the_handler_names_stands() {
    let created = Outcome { status: Status::OK.with_native(Native::Http(201)), ..json("{}") };
    assert_eq!(
        answer(GET, created),
        "HTTP/1.1 201 Created|Content-Type: application/json|Content-Length: 2||{}"
    );
    let teapot = failing(Status::internal("short and stout").with_native(Native::Http(418)));
    assert!(answer(GET, teapot).starts_with("HTTP/1.1 418 |Content-Type: text/plain|Content-Length: 15|"));
    let strange = Outcome { status: Status::OK.with_native(Native::Http(100)), ..json("{}") };
    assert!(answer(GET, strange).starts_with("HTTP/1.1 200 OK|"));
    let contradiction = failing(Status::internal("no").with_native(Native::Http(200)));
    assert!(answer(GET, contradiction).starts_with("HTTP/1.1 500 "));
}

#[test]
fn a_handler_may_keep_its_own_error_body() {
    let own = Outcome { status: Status::not_found("x"), ..json(r#"{"e":1}"#) };
    assert_eq!(
        answer(GET, own),
        "HTTP/1.1 404 Not Found|Content-Type: application/json|Content-Length: 7|x-bd-error-code: 2001|polywire-status: 5||{\"e\":1}"
    );
}

#[test]
fn the_content_type_follows_the_form_of_the_body() {
    for (content, line) in [
        (Content::JSON, "Content-Type: application/json|"),
        (Content::PROTOBUF, "Content-Type: application/proto|"),
        (Content::PROTO_JSON, "Content-Type: application/proto-json|"),
        (Content::PROTO_TEXT, "Content-Type: application/proto-text|"),
        (Content::RAW, "Content-Type: application/octet-stream|"),
    ] {
        let reply = answer(GET, Outcome { content, ..json("x") });
        assert_eq!(reply, format!("HTTP/1.1 200 OK|{line}Content-Length: 1||x"));
    }
    let named = Outcome { trailers: fields(&[("content-type", "text/html")]), ..json("x") };
    assert_eq!(answer(GET, named), "HTTP/1.1 200 OK|Content-Type: text/html|Content-Length: 1||x");
    let empty = Outcome { content: Content::RAW, ..json("") };
    assert_eq!(answer(GET, empty), "HTTP/1.1 200 OK|Content-Length: 0||");
}

#[test]
fn reply_fields_are_passed_on_without_those_of_the_connection() {
    let given = [
        ("Set-Cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("Connection", "close"),
        ("transfer-encoding", "chunked"),
        ("Content-Length", "99"),
        ("Keep-Alive", "timeout=5"),
        ("upgrade", "x"),
        ("TE", "x"),
        ("trailer", "x"),
        ("proxy-connection", "x"),
        (":status", "99"),
        ("x-tab", "a\tb"),
    ];
    assert_eq!(
        answer(GET, Outcome { trailers: fields(&given), ..json("x") }),
        "HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 1|Set-Cookie: a=1|set-cookie: b=2|\
         x-tab: a\tb||x"
    );
}

#[test]
fn reply_fields_that_would_break_the_reply_are_refused() {
    for (name, value) in [
        ("a", "b\r\nc: d"),
        ("a", "b\nc"),
        ("a", "b\rc"),
        ("a", "b\0c"),
        ("a b", "c"),
        ("", "c"),
        ("a:", "c"),
        ("a\r\nb", "c"),
    ] {
        let reply = answer(GET, Outcome { trailers: fields(&[(name, value)]), ..json("secret") });
        assert!(reply.starts_with("HTTP/1.1 500 Internal Server Error|"), "{reply}");
        assert!(!reply.contains("secret") && !reply.contains("c: d"), "{reply}");
    }
}

#[test]
fn a_compressed_reply_says_so() {
    let gzip = Outcome { compression: Compression::GZIP, ..json("zz") };
    let reply = answer(GET, gzip);
    assert!(reply.contains("|Content-Encoding: gzip|"), "{reply}");
    let own = Outcome { trailers: fields(&[("content-encoding", "br")]), ..json("zz") };
    assert!(answer(GET, own).contains("|Content-Encoding: br|"));
    let nameless = Outcome { compression: Compression::SNAPPY, ..json("zz") };
    assert!(answer(GET, nameless).starts_with("HTTP/1.1 500 "));
    let failed = Outcome { compression: Compression::GZIP, ..failing(Status::internal("plain")) };
    assert!(!answer(GET, failed).contains("Content-Encoding"), "the text is not compressed");
}

#[test]
fn head_is_answered_like_get_without_the_body() {
    let head = "HEAD / HTTP/1.1|Host: x||";
    assert_eq!(
        answer(head, json("four")),
        "HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 4||"
    );
    let failed = answer(head, failing(Status::not_found("gone")));
    assert_eq!(
        failed,
        "HTTP/1.1 404 Not Found|Content-Type: text/plain|Content-Length: 4|x-bd-error-code: 2001|polywire-status: 5||"
    );
}

#[test]
fn no_content_and_not_modified_have_no_body_and_no_length() {
    for (code, line) in [(204, "204 No Content"), (304, "304 Not Modified")] {
        let outcome = Outcome { status: Status::OK.with_native(Native::Http(code)), ..json("body") };
        assert_eq!(answer(GET, outcome), format!("HTTP/1.1 {line}||"));
    }
}

#[test]
fn connections_stay_open_if_both_sides_agree() {
    for (request, line, ends) in [
        ("GET / HTTP/1.1|Host: x||", "HTTP/1.1 200 OK|Content-Length: 0||", false),
        (
            "GET / HTTP/1.1|Host: x|Connection: close||",
            "HTTP/1.1 200 OK|Content-Length: 0|Connection: close||",
            true,
        ),
        (
            "GET / HTTP/1.1|Host: x|Connection: x, Close||",
            "HTTP/1.1 200 OK|Content-Length: 0|Connection: close||",
            true,
        ),
        (
            "GET / HTTP/1.1|Host: x|Connection: upgrade|Connection: close||",
            "HTTP/1.1 200 OK|Content-Length: 0|Connection: close||",
            true,
        ),
        ("GET / HTTP/1.1|Host: x|Connection: keep-alive, x||", "HTTP/1.1 200 OK|Content-Length: 0||", false),
        ("GET / HTTP/1.1|Host: x|Connection: closer||", "HTTP/1.1 200 OK|Content-Length: 0||", false),
        ("GET / HTTP/1.0||", "HTTP/1.0 200 OK|Content-Length: 0|Connection: close||", true),
        (
            "GET / HTTP/1.0|Connection: Keep-Alive||",
            "HTTP/1.0 200 OK|Content-Length: 0|Connection: keep-alive||",
            false,
        ),
        (
            "GET / HTTP/1.0|Connection: keep-alive, close||",
            "HTTP/1.0 200 OK|Content-Length: 0|Connection: close||",
            true,
        ),
    ] {
        let mut side = server();
        let open = opened(&mut side, request);
        side.finish(open.exchange, Outcome { content: Content::RAW, reply: true, ..Outcome::default() });
        assert_eq!(said(&mut side), line, "{request}");
        let rest = if ends { Seen::Closed } else { Seen::Need(1) };
        assert_eq!(side.poll(), rest, "{request}");
    }
}

#[test]
fn nothing_behind_a_last_request_is_read() {
    let mut side = server();
    let open = opened(&mut side, "GET / HTTP/1.1|Host: x|Connection: close||GET /second HTTP/1.1|Host: x||");
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&open, "x");
    assert_eq!(side.poll(), Seen::Closed);
    assert_eq!(said(&mut side).matches("HTTP/1.1").count(), 1);
}

#[test]
fn trace_and_connect_are_refused() {
    for (request, line, end) in [
        ("TRACE / HTTP/1.1|Host: x||", "405 Method Not Allowed", &[][..]),
        ("CONNECT h:80 HTTP/1.1|Host: h||GET / HTTP/1.1|Host: x||", "501 Not Implemented", &[Seen::Closed]),
    ] {
        let mut side = server();
        assert_eq!(side.feed(lines(request)).events(), end);
        let reply = said(&mut side);
        assert!(reply.starts_with(&format!("HTTP/1.1 {line}|")), "{reply}");
        assert_eq!(reply.contains("|Allow: GET, "), line.starts_with("405"));
        assert!(side.host.asked.is_empty());
    }
}

#[test]
fn an_upgrade_is_ignored() {
    let reply = answer("GET / HTTP/1.1|Host: x|Connection: upgrade|Upgrade: websocket||", json("x"));
    assert!(reply.starts_with("HTTP/1.1 200 OK|"));
}

#[test]
fn a_client_that_waits_for_100_gets_it_once_admitted() {
    let head = "POST / HTTP/1.1|Host: x|Content-Length: 2|Expect: 100-Continue||";
    let mut side = server();
    assert_eq!(side.feed(lines(head)).poll(), Seen::Need(2));
    assert_eq!(said(&mut side), "HTTP/1.1 100 Continue||");
    let open = side.feed("hi").poll().expect_open();
    assert_eq!(open.body, b"hi");
    side.reply(&open, "x");
    assert!(said(&mut side).starts_with("HTTP/1.1 200 OK|"));
}

#[test]
fn no_100_when_the_body_is_here_or_the_client_is_old() {
    let mut side = server();
    opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 2|Expect: 100-continue||hi");
    assert_eq!(said(&mut side), "");
    let mut side = server();
    side.feed(lines("POST / HTTP/1.0|Content-Length: 2|Expect: 100-continue||")).events();
    assert_eq!(said(&mut side), "");
    let mut side = server();
    opened(&mut side, "POST / HTTP/1.0|Content-Length: 2|Expect: something||hi");
    let mut side = server();
    opened(&mut side, "POST / HTTP/1.1|Host: x|Content-Length: 0|Expect: 100-continue||");
    assert_eq!(said(&mut side), "");
}

#[test]
fn a_refusal_in_place_of_100_closes_the_connection() {
    let mut side = server();
    side.host.refuse_next(brpc::status(brpc::ENOMETHOD, "no"));
    side.feed(lines("POST / HTTP/1.1|Host: x|Content-Length: 2|Expect: 100-continue||"));
    // Bytes that follow are never read as a request.
    side.feed(lines(GET));
    assert_eq!(side.poll(), Seen::Closed);
    let reply = said(&mut side);
    assert!(reply.starts_with("HTTP/1.1 404 Not Found|") && reply.contains("|Connection: close|"), "{reply}");
    assert_eq!(reply.matches("HTTP/1.1").count(), 1);
}

#[test]
fn other_expectations_are_417() {
    for expectation in ["200-ok", "100-continue, x", "100-continue|Expect: 100-continue"] {
        let mut side = server();
        side.feed(lines(&format!("POST / HTTP/1.1|Host: x|Content-Length: 2|Expect: {expectation}||hi")));
        side.events();
        assert!(said(&mut side).starts_with("HTTP/1.1 417 Expectation Failed|"));
        assert!(side.host.asked.is_empty());
    }
}

#[test]
fn a_100_waits_for_the_replies_before_it() {
    let mut side = server();
    let first = opened(&mut side, GET);
    side.feed(lines("POST / HTTP/1.1|Host: x|Content-Length: 2|Expect: 100-continue||"));
    assert_eq!(side.poll(), Seen::Need(2));
    assert_eq!(said(&mut side), "");
    side.reply(&first, "x");
    let reply = said(&mut side);
    assert!(reply.ends_with("||xHTTP/1.1 100 Continue||"), "{reply}");
}

#[test]
fn a_refused_request_closes_its_connection_only_when_its_body_is_long() {
    for (length, lives) in [(64 << 10, true), ((64 << 10) + 1, false)] {
        let mut side = server();
        side.host.refuse_next(brpc::status(brpc::ENOMETHOD, "no"));
        side.feed(lines(&format!("POST / HTTP/1.1|Host: x|Content-Length: {length}||"))).events();
        assert_eq!(said(&mut side).contains("|Connection: close|"), !lives);
        side.feed(vec![b'G'; length]);
        if lives {
            assert_eq!(side.poll(), Seen::Need(1));
            opened(&mut side, GET);
        } else {
            assert_eq!(side.poll(), Seen::Closed);
        }
    }
}

#[test]
fn a_refused_request_of_unknown_length_closes_its_connection_and_says_so() {
    let request = lines("POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||5|hello|3;x|GET|0|a: b||");
    for split in 1..request.len() {
        let mut side = server();
        side.host.refuse(brpc::status(brpc::ENOMETHOD, "no"));
        side.feed_split(&request, &[split]);
        let reply = said(&mut side);
        assert!(reply.starts_with("HTTP/1.1 404 ") && reply.contains("|Connection: close|"), "{reply}");
        assert_eq!(side.poll(), Seen::Closed, "split at {split}");
    }
}

#[test]
fn draining_answers_received_requests_and_announces_the_close() {
    let mut side = server();
    side.goodbye(Goodbye::Drain);
    assert_eq!(side.poll(), Seen::Closed, "idle: nobody waits");

    let mut side = server();
    let open = opened(&mut side, GET);
    side.goodbye(Goodbye::Drain);
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&open, "x");
    assert!(said(&mut side).contains("|Connection: close|"));
    assert_eq!(side.poll(), Seen::Closed);

    let mut side = server();
    side.feed(lines("GET / HTTP/1.1|Ho")).events();
    side.goodbye(Goodbye::Drain);
    assert_eq!(side.poll(), Seen::Need(1), "its first bytes are here");
    let open = opened(&mut side, "st: x||GET /second HTTP/1.1|Host: x||");
    side.reply(&open, "x");
    assert_eq!(side.poll(), Seen::Closed);
    let reply = said(&mut side);
    assert!(reply.contains("|Connection: close|") && reply.matches("HTTP/1.1 ").count() == 1, "{reply}");
}

#[test]
fn an_old_connection_ends_with_the_reply_to_its_next_request() {
    let keepalive = Keepalive::DEFAULT.max_age(Duration::from_secs(100));
    let mut side = server_with(Limits::default().keepalive(keepalive));
    for (after, is_last) in [(0, false), (99, false), (2, true)] {
        side.wait(Duration::from_secs(after)).unwrap();
        let open = opened(&mut side, GET);
        side.reply(&open, "x");
        let reply = said(&mut side);
        assert_eq!(reply.contains("|Connection: close|"), is_last, "{reply}");
    }
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn closing_ends_at_once() {
    let mut side = server();
    opened(&mut side, GET);
    side.goodbye(Goodbye::Close);
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn a_half_closed_peer_still_gets_its_replies() {
    let mut side = server();
    let open = opened(&mut side, GET);
    side.resume(Wake::Eof).unwrap();
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&open, "x");
    assert!(said(&mut side).ends_with("||x"));
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn a_connection_that_ends_inside_a_request_is_removed() {
    for text in ["GET / HT", "GET / HTTP/1.1|Ho", "POST / HTTP/1.1|Host: x|Content-Length: 9||half", ""] {
        let mut side = server();
        side.feed(lines(text)).events();
        side.resume(Wake::Eof).unwrap();
        assert_eq!(side.events(), [Seen::Closed], "{text}");
        assert_eq!(said(&mut side), "");
        assert_eq!(side.host.withdrawn as usize, side.host.asked.len(), "nothing stays reserved");
    }
}

#[test]
fn an_exchange_given_up_by_the_handler_closes_without_a_reply() {
    let mut side = server();
    let open = opened(&mut side, GET);
    side.reset(open.exchange, Status::cancelled("close it"));
    assert_eq!(side.poll(), Seen::Closed);
    assert_eq!(said(&mut side), "");
}

#[test]
fn the_final_reply_is_sent_once() {
    let mut side = server();
    let open = opened(&mut side, GET);
    side.reply(&open, "one");
    side.reply(&open, "two");
    side.fail(open.exchange, Status::internal("three"));
    let reply = said(&mut side);
    assert!(reply.ends_with("||one"), "{reply}");
}

#[test]
fn long_replies_are_passed_by_reference() {
    let body = IoBuf::from(vec![7u8; 100_000]);
    let place = body.front().as_ptr();
    let mut side = server();
    let open = opened(&mut side, GET);
    side.finish(open.exchange, Outcome { body, reply: true, ..Outcome::default() });
    let written = side.out.take();
    assert!(written.segments().any(|s| s.as_ptr() == place));
}

#[test]
fn bodies_are_passed_by_reference() {
    let mut side = server();
    side.feed(lines("POST / HTTP/1.1|Host: x|Content-Length: 100000||")).events();
    let _: &mut Side = side.feed(vec![7u8; 100_000]);
    let place = side.input.front().as_ptr();
    let open = side.command(|m, cx| match m.poll(cx) {
        Ok(polywire_wire::Step::Event(polywire_wire::Event::Open(open))) => open.body.front().as_ptr(),
        _ => panic!("no request"),
    });
    assert_eq!(open, place);
}
