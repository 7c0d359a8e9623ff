//! Section 6 of docs/wire/http.md, row by row: each input gets the row's status, a closed connection, and no
//! second answer.

use super::{client, echo, lines, said, server};
use polywire_call::{Origin, brpc};
use polywire_machine_testing::{Call, Seen, Side, at_every_split_reacting};

/// A request that must never be answered; it follows each bad one.
const SECOND: &str = "GET /second HTTP/1.1|Host: x||";

#[track_caller]
fn refused(status: &str, text: &str) {
    refused_bytes(status, &lines(text));
}

#[track_caller]
fn refused_bytes(status: &str, bytes: &[u8]) {
    let fed = [bytes, &lines(SECOND)].concat();
    let run = at_every_split_reacting(server, echo, &fed);
    let shown = bytes.escape_ascii();
    assert!(matches!(run.seen.last(), Some(Seen::Error(_))), "{shown}: {:?}", run.seen);
    assert!(!run.seen.iter().any(is_second), "{shown}: the request behind was opened");
    let said = run.written.escape_ascii().to_string();
    assert_eq!(said.matches("HTTP/1.1 ").count(), 1, "{shown}: {said}");
    assert!(said.starts_with(&format!("HTTP/1.1 {status} ")), "{shown}: {said}");
    assert!(said.contains("Connection: close"), "{shown}: {said}");
}

fn is_second(seen: &Seen) -> bool {
    matches!(seen, Seen::Open(open) if open.head.field(":path") == Some(b"/second"))
}

#[test]
fn transfer_encoding_and_content_length_together() {
    refused("400", "POST / HTTP/1.1|Host: x|Content-Length: 3|Transfer-Encoding: chunked||0||");
    refused("400", "POST / HTTP/1.1|Host: x|transfer-encoding: chunked|content-length: 3||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: gzip|Content-Length: 3||0||");
}

#[test]
fn transfer_codings_that_are_not_chunked_once_and_last() {
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked, gzip||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked, chunked||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked|Transfer-Encoding: identity||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding:||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: , chunked||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked;x=y||0||");
    refused("400", "POST / HTTP/1.1|Host: x|Transfer-Encoding: \"chunked\"||0||");
    refused("501", "POST / HTTP/1.1|Host: x|Transfer-Encoding: gzip||0||");
    refused("501", "POST / HTTP/1.1|Host: x|Transfer-Encoding: gzip, chunked||0||");
    refused("501", "POST / HTTP/1.1|Host: x|Transfer-Encoding: identity||0||");
    refused("501", "POST / HTTP/1.1|Host: x|Transfer-Encoding: xchunked||0||");
}

#[test]
fn transfer_encoding_in_http_1_0() {
    refused("400", "POST / HTTP/1.0|Transfer-Encoding: chunked||0||");
    refused("400", "POST / HTTP/1.0|Connection: keep-alive|Transfer-Encoding: gzip||0||");
}

#[test]
fn content_lengths_that_are_no_single_number() {
    for value in [
        "",
        "-1",
        "+5",
        "5a",
        "0x5",
        "5 5",
        "5,5",
        "5, 6",
        "1e3",
        "٥",
        "18446744073709551616",
        "99999999999999999999999",
    ] {
        refused("400", &format!("POST / HTTP/1.1|Host: x|Content-Length: {value}||hello"));
    }
    refused("400", "POST / HTTP/1.1|Host: x|Content-Length: 5|Content-Length: 5||hello");
    refused("400", "POST / HTTP/1.1|Host: x|Content-Length: 5|content-length: 6||hello");
}

#[test]
fn space_between_name_and_colon() {
    refused("400", "POST / HTTP/1.1|Host: x|Content-Length : 5||hello");
    refused("400", "POST / HTTP/1.1|Host: x|a\t: 5||");
}

#[test]
fn folded_lines() {
    refused("400", "GET / HTTP/1.1|Host: x|a: 1| b||");
    refused("400", "GET / HTTP/1.1|Host: x|a: 1|\tb: 2||");
    refused("400", "GET / HTTP/1.1| Host: x||");
}

#[test]
fn bare_line_ends_and_control_bytes() {
    for bytes in [
        &b"GET / HTTP/1.1\nHost: x\r\n\r\n"[..],
        b"GET / HTTP/1.1\r\nHost: x\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\n",
        b"GET / HTTP/1.1\r\nHost: x\r\na: b\n\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\na: b\rc\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\na: b\r\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\na: b\0c\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\na: b\x7fc\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\na: b\x01\r\n\r\n",
        b"GET / HTTP/1.1\rHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\rHost: x\r\n\r\n",
    ] {
        refused_bytes("400", bytes);
    }
}

#[test]
fn names_and_methods_that_are_no_tokens() {
    for line in [": x", "a b: x", "a(b: x", "\"a\": x", "a@b: x", "é: x", "no colon", "a\0: x"] {
        refused("400", &format!("GET / HTTP/1.1|Host: x|{line}||"));
    }
    for verb in ["", "G@T", "GET/", "(GET)", "\tGET", "G\0T"] {
        refused("400", &format!("{verb} / HTTP/1.1|Host: x||"));
    }
}

#[test]
fn hosts_that_are_missing_double_or_no_host() {
    refused("400", "GET / HTTP/1.1||");
    refused("400", "GET / HTTP/1.1|Host: x|host: x||");
    refused("400", "GET / HTTP/1.0|Host: x|Host: y||");
    for host in
        ["a b", "a/b", "a@b", "a:b", "a:1:2", "[::1", "[]", "[::1]x", "a\\b", "a,b c", "<x>", "http://x", "é"]
    {
        refused("400", &format!("GET / HTTP/1.1|Host: {host}||"));
    }
    for host in ["", "x", "x:", "x:80", "[::1]", "[::1]:80", "a-b.c_d~e", "1.2.3.4", "%41", "a,b"] {
        let mut side = server();
        side.feed(lines(&format!("GET / HTTP/1.1|Host: {host}||")));
        assert!(matches!(side.poll(), Seen::Open(_)), "{host}");
    }
    super::opened(&mut server(), "GET / HTTP/1.0||");
}

#[test]
fn empty_lines_before_a_request() {
    super::opened(&mut server(), "|GET / HTTP/1.1|Host: x||");
    super::opened(&mut server(), "||||GET / HTTP/1.1|Host: x||");
    refused("400", "|||||GET / HTTP/1.1|Host: x||");
    refused("400", "\rGET / HTTP/1.1|Host: x||");
    refused("400", "\nGET / HTTP/1.1|Host: x||");
    // An empty line before each request: some clients end a body with an additional line end.
    let run = at_every_split_reacting(
        server,
        echo,
        &lines("POST / HTTP/1.1|Host: x|Content-Length: 2||hi|GET / HTTP/1.1|Host: x||"),
    );
    assert_eq!(run.seen.len(), 2);
}

#[test]
fn request_lines_with_other_space() {
    for line in [
        "GET  / HTTP/1.1",
        "GET /  HTTP/1.1",
        "GET\t/ HTTP/1.1",
        "GET /\tHTTP/1.1",
        " GET / HTTP/1.1",
        "GET / HTTP/1.1 ",
        "GET / HTTP/1.1\t",
        "GET / HTTP/1.1 x",
        "GET /a b HTTP/1.1",
        "GET /",
        "GET / ",
        "GET",
        "GET / HTTP/1.1\u{b}",
        "GET HTTP/1.1",
    ] {
        refused("400", &format!("{line}|Host: x||"));
    }
}

#[test]
fn targets_of_no_form() {
    for target in [
        "x",
        "*",
        "*x",
        "http:/x",
        "http://",
        "http:///x",
        "http://a@b/",
        "http://a b/",
        "ftp://h/x",
        "?x",
        "/\u{1}",
        "/é",
        "/\u{7f}",
        "h:80",
        "http://h:x/",
    ] {
        refused("400", &format!("GET {target} HTTP/1.1|Host: x||"));
    }
    refused("400", "CONNECT a/b HTTP/1.1|Host: x||");
}

#[test]
fn other_versions() {
    for version in ["HTTP/2.0", "HTTP/0.9", "HTTP/3.7"] {
        refused("505", &format!("GET / {version}|Host: x||"));
    }
    for version in
        ["HTTP/1", "HTTP/11.1", "HTTP/1.10", "http/1.1", "HTTP/1,1", "HTTP /1.1", "HTTP/", "HTTPS/1.1", "x"]
    {
        refused("400", &format!("GET / {version}|Host: x||"));
    }
}

/// RFC 9110 2.5: a message with a newer minor version is read as the newest version that is known.
#[test]
fn a_newer_minor_version_is_read_as_the_newest_one_known() {
    let mut side = super::server();
    let open = super::opened(&mut side, "GET / HTTP/1.2|Host: x||");
    side.reply(&open, b"");
    assert!(super::said(&mut side).starts_with("HTTP/1.1 200 OK|"));
    refused("400", "GET / HTTP/1.9||");
}

#[test]
fn chunks_with_extensions_against_the_grammar() {
    let request = |line: &str| {
        let head = "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||";
        format!("{head}{line}|hello|0||")
    };
    for line in
        ["5;", "5;\"", "5;bad[=x", "5;a=", "5;a=\"b", "5;a=b c", "5;a b", "5;;a", "5;a=\"b\"c", "5;=b"]
    {
        refused("400", &request(line));
    }
    for line in ["5;a", "5 ; a = b", "5;a=b;c=\"d;\\\"e\";f", "5;a\t=\t\"\""] {
        assert_eq!(super::opened(&mut super::server(), &request(line)).body, b"hello", "{line}");
    }
}

#[test]
fn chunks_with_junk() {
    for body in [
        "g||",
        "|0||",
        " 5|hello|0||",
        "-5|hello|0||",
        "+5|hello|0||",
        "0x5|hello|0||",
        "5 |hello|0||",
        "5 x|hello|0||",
        "5,|hello|0||",
        "5\u{0}|hello|0||",
        "5|hello0||",
        "5|helloo|0||",
        "5|hell|0||",
        "5\nhello|0||",
        "5|hello\n0||",
        "5|hello\r0||",
        "5;a\nb|hello|0||",
        "5;a\rb|hello|0||",
        "5\rhello|0||",
        "00000000000000005|hello|0||",
        "10000000000000000|hello|0||",
        "0|a b: c||",
        "0|a : c||",
        "0|: c||",
        "0| c||",
        "0|a: b\nc||",
        "0\n\n",
        "0|\n",
    ] {
        refused("400", &format!("POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||{body}"));
    }
}

#[test]
fn a_body_on_get_and_head_is_read_by_its_framing() {
    for verb in ["GET", "HEAD", "DELETE"] {
        let run = at_every_split_reacting(
            server,
            echo,
            &lines(&format!("{verb} / HTTP/1.1|Host: x|Content-Length: 34||{SECOND}.{SECOND}")),
        );
        let [Seen::Open(first), Seen::Open(second)] = &run.seen[..] else { panic!("{:?}", run.seen) };
        assert_eq!(first.body, lines(&format!("{SECOND}.")));
        assert_eq!(second.head.field(":path"), Some(&b"/second"[..]));
    }
}

#[test]
fn a_body_that_stays_away_is_never_the_next_request() {
    // The request was refused before its body, so what follows is that body, whatever it looks like.
    let mut side = server();
    side.host.refuse_next(brpc::status(brpc::ENOMETHOD, "no"));
    side.feed(lines(&format!("POST / HTTP/1.1|Host: x|Content-Length: 33||{SECOND}{SECOND}")));
    let open = side.poll().expect_open();
    assert_eq!((side.host.asked.len(), open.head.field(":path")), (2, Some(&b"/second"[..])));
    assert_eq!(side.poll(), Seen::Need(1));
}

#[test]
fn an_error_behind_good_requests_waits_for_their_answers() {
    let mut side = server();
    side.feed(lines("GET /a HTTP/1.1|Host: x||GET /b HTTP/1.1|Host: x||GET /c|Host: x||"));
    let (a, b) = (side.poll().expect_open(), side.poll().expect_open());
    assert_eq!(side.events(), [Seen::Blocked]);
    side.reply(&b, "b");
    assert_eq!(side.events(), [Seen::Blocked]);
    assert_eq!(said(&mut side), "");
    side.reply(&a, "a");
    assert!(matches!(side.poll(), Seen::Error(_)));
    let said = said(&mut side);
    assert!(
        said.starts_with("HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 1||aHTTP/1.1 200")
    );
    assert_eq!(said.matches("HTTP/1.1 400 ").count(), 1);
}

#[test]
fn a_bad_chunk_in_an_upload_that_is_being_read_resets_it() {
    let mut side = server().hosted(|h| h.deliver(polywire_wire::Delivery::Pieces));
    let open = super::opened(&mut side, "POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||2|hi|");
    assert!(matches!(side.poll(), Seen::Part { .. }));
    side.feed("junk");
    assert!(matches!(side.poll(), Seen::Reset { exchange, .. } if exchange == open.exchange));
    side.reply(&open, "too late");
    assert!(matches!(side.poll(), Seen::Error(_)));
    assert!(said(&mut side).starts_with("HTTP/1.1 400 Bad Request|"));
}

#[track_caller]
fn breaks_reply(text: &str) {
    let calling = || {
        let mut side = client();
        side.call(&Call::new("S", "M"));
        side
    };
    let run = at_every_split_reacting(calling, |_: &mut Side, _| {}, &lines(text));
    let [Seen::Reset { why, .. }, Seen::Error(_)] = &run.seen[..] else { panic!("{text}: {:?}", run.seen) };
    assert_eq!((brpc::number(why), why.origin()), (brpc::ERESPONSE, Origin::Transport), "{text}");
    assert!(!why.is_retryable(), "{text}");
}

#[test]
fn replies_are_held_to_the_same_rules() {
    for text in [
        "HTTP/1.1 200 OK|Content-Length: 3|Transfer-Encoding: chunked||",
        "HTTP/1.1 200 OK|Transfer-Encoding: gzip||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked, chunked||",
        "HTTP/1.0 200 OK|Transfer-Encoding: chunked||",
        "HTTP/1.1 200 OK|Content-Length: 3, 4||",
        "HTTP/1.1 200 OK|Content-Length: 3|Content-Length: 3||",
        "HTTP/1.1 200 OK|Content-Length: -3||",
        "HTTP/1.1 200 OK|a : b||",
        "HTTP/1.1 200 OK|a: b| c||",
        "HTTP/1.1 200 OK\na: b||",
        "HTTP/1.1 200 OK|a: b\nc: d||",
        "HTTP/1.1 200 O\u{0}K||",
        "HTTP/1.1  200 OK||",
        "HTTP/1.1 20 OK||",
        "HTTP/1.1 2000 OK||",
        "HTTP/1.1 099 OK||",
        "HTTP/2.0 200 OK||",
        "HTTP/1.2 200 OK||",
        "ICY 200 OK||",
        "|HTTP/1.1 200 OK||",
        "HTTP/1.1 101 Switching Protocols|Upgrade: x||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello0||",
    ] {
        breaks_reply(text);
    }
}

#[test]
fn bytes_that_answer_no_call_end_the_connection() {
    let mut side = client();
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 0||"));
    assert!(matches!(side.poll(), Seen::Error(_)));
    assert_eq!(side.vacancies(), 0);

    let mut side = client();
    side.call(&Call::new("S", "M"));
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 0||HTTP/1.1 200 OK|Content-Length: 0||"));
    side.poll().expect_finish();
    assert!(matches!(side.poll(), Seen::Error(_)));
}

#[test]
fn a_fault_answers_even_when_it_comes_with_a_good_request_before() {
    let run =
        at_every_split_reacting(server, echo, &lines("GET / HTTP/1.1|Host: x||GET / HTTP/1.1|Host : x||"));
    assert!(matches!(&run.seen[..], [Seen::Open(_), Seen::Error(_)]), "{:?}", run.seen);
    assert_eq!(said_count(&run.written), (1, 1));
}

fn said_count(written: &[u8]) -> (usize, usize) {
    let text = String::from_utf8_lossy(written).into_owned();
    (text.matches("HTTP/1.1 200").count(), text.matches("HTTP/1.1 400").count())
}
