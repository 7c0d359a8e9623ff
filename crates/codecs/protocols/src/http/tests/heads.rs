//! What is read from a request's head: targets, content types, codings, deadlines.

use super::{lines, opened, said, server};
use crate::http::PROTOCOL;
use polywire_call::Status;
use polywire_machine_testing::{Seen, SeenTarget, Side};
use polywire_wire::{Compression, Content, Denied, ServerSetup};
use std::time::Duration;

#[track_caller]
fn target(text: &str) -> (String, String, String) {
    let mut side = server();
    let open = opened(&mut side, text);
    let full = String::from_utf8(open.head.field(":path").expect("always there").to_vec()).unwrap();
    match open.head.target {
        SeenTarget::Path { verb, path } => (verb, path, full),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_path_ends_before_query_and_fragment() {
    for (line, path) in [
        ("/", "/"),
        ("/a/b", "/a/b"),
        ("//a//", "//a//"),
        ("/a?x=1&y", "/a"),
        ("/a?x#f", "/a"),
        ("/a#f?x", "/a"),
        ("/?", "/"),
        ("/%41/%2f", "/%41/%2f"),
    ] {
        let (verb, seen, full) = target(&format!("GET {line} HTTP/1.1|Host: x||"));
        assert_eq!((&verb[..], &seen[..], &full[..]), ("GET", path, line));
    }
}

#[test]
fn any_token_is_a_method() {
    for verb in ["GET", "PUT", "M-SEARCH", "BREW", "x!#$%&'*+-.^_`|~"] {
        let mut side = server();
        side.feed(format!("{verb} / HTTP/1.1\r\nHost: x\r\n\r\n"));
        let open = side.poll().expect_open();
        assert_eq!(open.head.target, SeenTarget::Path { verb: verb.into(), path: "/".into() });
    }
}

#[test]
fn an_absolute_target_is_rewritten_and_names_the_host() {
    for (given, full) in [
        ("http://h/x?y", "/x?y"),
        ("HTTPS://h:1/", "/"),
        ("http://h", "/"),
        ("http://h?x", "/?x"),
        ("http://[::1]:80/a", "/a"),
    ] {
        let mut side = server();
        let open = opened(
            &mut side,
            &format!("POST {given} HTTP/1.1|a: 1|Host: other|b: 2|Content-Length: 2|Content-Type: t/x||hi"),
        );
        assert_eq!(open.head.field(":path"), Some(full.as_bytes()), "{given}");
        let hosts: Vec<_> = open.head.fields.iter().filter(|(n, _)| n.eq_ignore_ascii_case("host")).collect();
        assert_eq!(hosts.len(), 1);
        assert!(given.to_ascii_lowercase().contains(std::str::from_utf8(&hosts[0].1).unwrap()));
        assert_eq!((open.head.field("a"), open.head.field("b")), (Some(&b"1"[..]), Some(&b"2"[..])));
        assert_eq!((open.head.content, &open.body[..]), (Content::RAW, &b"hi"[..]));
    }
}

#[test]
fn the_asterisk_belongs_to_options() {
    let mut side = server();
    assert!(side.feed(lines("OPTIONS * HTTP/1.1|Host: x||")).events().is_empty());
    assert!(
        said(&mut side).starts_with("HTTP/1.1 204 No Content|"),
        "a question to the server, not to a method"
    );
}

#[test]
fn content_types_select_the_form_of_the_body() {
    for (value, content) in [
        ("application/json", Content::JSON),
        ("Application/JSON; charset=utf-8", Content::JSON),
        ("application/proto", Content::PROTOBUF),
        ("application/x-protobuf", Content::PROTOBUF),
        ("application/proto-text", Content::PROTO_TEXT),
        ("application/proto-json;x=y", Content::PROTO_JSON),
        ("text/html", Content::RAW),
        ("application/jsonx", Content::RAW),
        ("", Content::JSON),
    ] {
        let mut side = server();
        let open = opened(&mut side, &format!("GET / HTTP/1.1|Host: x|content-type:{value}||"));
        assert_eq!(open.head.content, content, "{value}");
    }
    assert_eq!(opened(&mut server(), "GET / HTTP/1.1|Host: x||").head.content, Content::JSON);
}

#[test]
fn gzip_is_flagged_and_left_as_it_is() {
    for (value, compression) in [
        ("gzip", Compression::GZIP),
        ("GZip", Compression::GZIP),
        ("x-gzip", Compression::GZIP),
        ("identity", Compression::NONE),
        ("", Compression::NONE),
    ] {
        let mut side = server();
        let open = opened(
            &mut side,
            &format!("POST / HTTP/1.1|Host: x|Content-Encoding: {value}|Content-Length: 2||zz"),
        );
        assert_eq!((open.head.compression, &open.body[..]), (compression, &b"zz"[..]), "{value}");
    }
}

#[test]
fn other_codings_are_answered_by_415() {
    for fields in [
        "Content-Encoding: br",
        "Content-Encoding: gzip, gzip",
        "Content-Encoding: gzip|content-encoding: gzip",
    ] {
        let mut side = server();
        side.feed(lines(&format!("POST / HTTP/1.1|Host: x|{fields}|Content-Length: 2||zz")));
        assert_eq!(side.events(), [], "{fields}");
        assert_eq!(side.host.asked.len(), 1, "asked first: a handler of pieces takes what it likes");
        assert_eq!(side.host.withdrawn, 1);
        let reply = said(&mut side);
        assert!(reply.starts_with("HTTP/1.1 415 Unsupported Media Type|"), "{reply}");
        opened(&mut side, "GET / HTTP/1.1|Host: x||");
    }
}

#[test]
fn the_deadline_is_read_in_milliseconds() {
    for (value, ms) in [("0", 0), ("1", 1), ("1500", 1500), ("9999999999", 9_999_999_999)] {
        let open = opened(&mut server(), &format!("GET / HTTP/1.1|Host: x|X-Polywire-Timeout-Ms: {value}||"));
        assert_eq!(open.head.timeout, Some(Duration::from_millis(ms)));
    }
}

#[test]
fn a_deadline_that_cannot_be_read_refuses_the_call_alone() {
    for value in ["", "-1", "+1", "1.5", "10000000000", "1s", "1|x-polywire-timeout-ms: 1"] {
        let mut side = server();
        side.feed(lines(&format!("GET / HTTP/1.1|Host: x|x-polywire-timeout-ms: {value}||")));
        if value.is_empty() {
            continue; // an empty value is no value
        }
        assert_eq!(side.events(), [], "{value}");
        let reply = said(&mut side);
        assert!(reply.starts_with("HTTP/1.1 400 Bad Request|"), "{reply}");
        assert!(!reply.contains("Connection"), "{reply}");
        assert!(side.host.asked.is_empty());
        opened(&mut side, "GET / HTTP/1.1|Host: x||");
    }
}

#[test]
fn admission_comes_before_the_body_and_knows_its_length() {
    let mut side = server();
    side.feed(lines("POST /a HTTP/1.1|Host: x|Content-Length: 5||")).events();
    assert_eq!((side.host.asked.len(), side.host.asked[0].announced), (1, Some(5)));
    assert_eq!(side.feed("hello").poll().expect_open().body, b"hello");
    assert_eq!(side.host.asked.len(), 1);

    let mut side = server();
    side.feed(lines("POST /a HTTP/1.1|Host: x|Transfer-Encoding: chunked||")).events();
    assert_eq!((side.host.asked.len(), side.host.asked[0].announced), (1, None));
}

/// A server that requires authentication.
fn guarded() -> Side {
    Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() })
}

#[track_caller]
fn asks(side: &mut Side, text: &str, expected: &str) {
    let claim = side.feed(lines(text)).poll().expect_claim();
    let shown = claim.credential.as_ref().map_or("", |credential| std::str::from_utf8(credential).unwrap());
    assert_eq!((claim.scheme, shown), ("authorization", expected));
    assert_eq!(side.poll(), Seen::Blocked);
}

#[test]
fn nothing_is_dispatched_before_the_verdict() {
    let mut side = guarded();
    asks(&mut side, "GET /a HTTP/1.1|Host: x|Authorization: Basic me||GET /b HTTP/1.1|Host: x||", "Basic me");
    assert!(side.host.asked.is_empty());
    side.authenticated(Ok(()));
    assert_eq!(side.poll().expect_open().head.field(":path"), Some(&b"/a"[..]));
}

#[test]
fn a_credential_is_checked_again_only_when_it_changes() {
    let mut side = guarded();
    asks(&mut side, "GET / HTTP/1.1|Host: x|Authorization: me||", "me");
    side.authenticated(Ok(()));
    let open = side.poll().expect_open();
    side.reply(&open, "");
    opened(&mut side, "GET / HTTP/1.1|Host: x|authorization:  me ||");
    asks(&mut side, "GET / HTTP/1.1|Host: x|Authorization: you||", "you");
    side.authenticated(Ok(()));
    side.poll().expect_open();
    asks(&mut side, "GET / HTTP/1.1|Host: x|Authorization: me||", "me");
}

#[test]
fn a_credential_that_was_let_in_for_one_request_is_asked_about_again() {
    let mut side = guarded();
    for _ in 0..2 {
        asks(&mut side, "GET / HTTP/1.1|Host: x|Authorization: me||", "me");
        side.decided(Ok(polywire_wire::Validity::Request));
        let open = side.poll().expect_open();
        side.reply(&open, "");
    }
}

#[test]
fn a_request_without_credential_is_asked_about_too() {
    let mut side = guarded();
    let claim = side.feed(lines("GET /a HTTP/1.1|Host: x||")).poll().expect_claim();
    assert_eq!(claim.credential, None);
    let head = claim.head.expect("the request is known");
    assert_eq!((head.field(":path"), head.field("host")), (Some(&b"/a"[..]), Some(&b"x"[..])));
}

#[test]
fn a_refused_peer_gets_403_and_the_connection_closes() {
    let mut side = guarded();
    asks(&mut side, "GET / HTTP/1.1|Host: x|Authorization: you||GET / HTTP/1.1|Host: x||", "you");
    side.authenticated(Err(Status::unauthenticated("")));
    assert_eq!(side.events(), [Seen::Closed]);
    assert_eq!(
        said(&mut side),
        "HTTP/1.1 403 Forbidden|Content-Type: text/plain|Content-Length: 26|Connection: close|\
         x-bd-error-code: 1004|polywire-status: 16||[1004]Fail to authenticate"
    );
    assert!(side.host.asked.is_empty());
}

#[test]
fn two_credentials_count_as_none() {
    let mut side = guarded();
    side.feed(lines("GET / HTTP/1.1|Host: x|Authorization: a|Authorization: b||"));
    assert_eq!(side.events(), []);
    assert!(said(&mut side).starts_with("HTTP/1.1 400 "));
}

/// A head that repeats is recognised and not parsed again: it must keep its meaning, and must not be confused
/// with another.
#[test]
fn heads_that_come_again_read_as_the_first_time() {
    let long = format!("GET /long HTTP/1.1|Host: x|Cookie: {}||", "c".repeat(2000));
    let requests = [
        "POST /a HTTP/1.1|Host: x|Content-Type: application/json|Content-Length: 2||{}",
        "POST /a HTTP/1.1|Host: x|Content-Type: application/json|Content-Length: 3||{ }",
        "POST /a HTTP/1.1|Host: x|Content-Type: application/json|Content-Length: 2|X-More: 1||{}",
        "POST /p.S/M HTTP/1.1|Host: x|Content-Type: application/grpc-web|Transfer-Encoding: chunked||\
         5|\0\0\0\0\0|0||",
        "POST http://y/a HTTP/1.1|Host: x|x-polywire-timeout-ms: 70|Content-Length: 0||",
        "GET /a?b HTTP/1.0|Connection: keep-alive|Expect: 100-continue||",
        "GET /p.S/M?connect=v1&encoding=json&message=%7B%7D HTTP/1.1|Host: x||",
        &long,
    ];
    let fresh = requests.map(|request| opened(&mut server(), request));
    let mut side = server();
    // Each request after each other one, and twice in a row.
    let pairs = (0..requests.len()).flat_map(|a| (0..requests.len()).map(move |b| [a, b]));
    for which in pairs.flatten() {
        let open = opened(&mut side, requests[which]);
        assert_eq!((&open.head, &open.body), (&fresh[which].head, &fresh[which].body), "{}", requests[which]);
        side.reply(&open, "");
        side.written();
    }
}

/// gRPC-web and Connect share connections among callers: one refused credential does not close the connection
/// for the others.
#[test]
fn credentials_that_are_refused_all_the_time_end_the_connection() {
    for kind in ["application/grpc-web+proto", "application/connect+proto"] {
        let mut side = guarded();
        let mut guess = |n: u32| {
            let head = format!("POST /S/M HTTP/1.1|Host: x|Content-Type: {kind}|Authorization: guess {n}|");
            side.feed(lines(&format!("{head}Content-Length: 0||")));
            let asked = matches!(side.events().first(), Some(Seen::Authenticate { .. }));
            if asked {
                side.authenticated(Err(Status::unauthenticated("")));
            }
            side.events();
            (asked, said(&mut side).contains("|Connection: close|"))
        };
        assert!((0..100).all(|n| guess(n) == (true, false)), "a hundred are borne");
        assert_eq!(guess(100), (true, true), "{kind}");
        assert_eq!(guess(101), (false, false), "{kind}");
        assert!(side.has_ended());
        assert_eq!(side.host.denied, [Denied::Credentials]);
    }
}

/// A long outage of the authenticator's database must not close connections.
#[test]
fn failures_of_the_authenticator_do_not_count_as_refusals() {
    let mut side = guarded();
    for n in 0..200 {
        let head =
            format!("POST /S/M HTTP/1.1|Host: x|Content-Type: application/connect+proto|Authorization: {n}|");
        side.feed(lines(&format!("{head}Content-Length: 0||")));
        assert!(matches!(side.events().first(), Some(Seen::Authenticate { .. })), "{n}");
        side.authenticated(Err(Status::unavailable("")));
        side.events();
        assert!(!said(&mut side).contains("|Connection: close|"), "{n}");
    }
    assert!(side.host.denied.is_empty());
}
