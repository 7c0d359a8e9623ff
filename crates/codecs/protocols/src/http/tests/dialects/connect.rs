//! Connect: connectrpc.com/docs/protocol, sentence by sentence.

use super::{Said, client, envelope, failed, lines, message, request, server};
use crate::http::{self, dialects::connect::error};
use polywire_call::{Code, Metadata, Status};
use polywire_machine_testing::{Call, Octets, Seen, SeenOutcome, SeenTarget, Side, at_every_split};
use polywire_wire::{Answer, Compression, Content, Outcome, Route, ServerSetup};
use std::time::Duration;

const VERSION: &str = "Connect-Protocol-Version: 1|";

fn connect(parameter: &'static str) -> Side {
    client(&http::CONNECT, parameter)
}

#[test]
fn a_unary_request_is_its_message_alone() {
    let mut side = connect("json");
    let call = Call::new("pkg.S", "M").body("{}").content(Content::PROTO_JSON).field("x-bin", [1]);
    side.call(&call.timeout(Duration::from_micros(1500)));
    let said = Said::of(&mut side);
    assert!(said.head.starts_with("POST /pkg.S/M HTTP/1.1|"));
    for line in [
        "|Content-Type: application/json|",
        "|Content-Length: 2|",
        "|connect-protocol-version: 1|",
        "|connect-timeout-ms: 2|",
        "|accept-encoding: gzip, deflate, zstd, snappy|",
        "|x-bin: AQ|",
    ] {
        assert!(said.head.contains(line), "{line} in {}", said.head);
    }
    assert_eq!(said.body, b"{}");
}

#[test]
fn a_unary_call_is_answered_by_a_message_and_fields() {
    let mut side = server();
    let bytes = request("application/json", &format!("{VERSION}Connect-Timeout-Ms: 100|"), "{}");
    let open = side.feed(&bytes).poll().expect_open();
    let target = SeenTarget::Method { service: "pkg.Service".into(), method: "Method".into() };
    assert_eq!((open.head.target.clone(), open.head.content), (target, Content::PROTO_JSON));
    assert_eq!(open.head.timeout, Some(Duration::from_millis(100)));
    let fields = |name: &str| Some(Box::new([(name, [7u8])].into_iter().collect::<Metadata>()));
    let outcome = Outcome { headers: fields("early-bin"), trailers: fields("late-bin"), ..message("{}") };
    side.finish(open.exchange, outcome);
    assert_eq!(
        Said::of(&mut side),
        Said {
            head: "HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 2|early-bin: Bw|trailer-late-bin: Bw||"
                .into(),
            body: Octets(b"{}".to_vec()),
            trailers: String::new()
        }
    );
    let plain = request("application/json", "", "{}");
    let open = server().feed(plain).poll().expect_open();
    assert_eq!(open.head.content, Content::JSON, "without the version it is brpc's JSON");
}

fn outcome(reply: &str) -> SeenOutcome {
    let calling = || {
        let mut side = connect("");
        side.call(&Call::new("S", "M").body("m"));
        side
    };
    let run = at_every_split(calling, &lines(reply));
    run.seen.into_iter().next().unwrap().expect_finish().1
}

#[test]
fn trailers_with_names_of_pseudo_fields_are_left_out() {
    for status in [Status::OK, Status::not_found("no")] {
        let mut side = server();
        let bytes = request("application/proto", "connect-protocol-version: 1|", "m");
        let open = side.feed(&bytes).poll().expect_open();
        let trailers = [(":x\r\nset-cookie: a", "b")].into_iter().collect::<Metadata>();
        let reply = status.is_ok();
        let outcome = Outcome { status, trailers: Some(Box::new(trailers)), reply, ..Outcome::default() };
        side.finish(open.exchange, outcome);
        let head = Said::of(&mut side).head;
        assert!(!head.contains("set-cookie") && !head.contains("railer-"), "{head}");
    }
}

#[test]
fn a_unary_reply_distinguishes_headers_and_trailers_by_name() {
    let seen = outcome(
        "HTTP/1.1 200 OK|Content-Type: application/proto|Content-Length: 2|x: 1|Trailer-Y-Bin: AQ|trailer-z: 2|\
         Content-Encoding: gzip||hi",
    );
    assert_eq!((seen.status, &seen.body[..], seen.compression), (Status::OK, &b"hi"[..], Compression::GZIP));
    assert_eq!(seen.headers, [("x".to_owned(), Octets(b"1".to_vec()))]);
    let late = [("Y-Bin".to_owned(), Octets(vec![1])), ("z".into(), Octets(b"2".to_vec()))];
    assert_eq!(seen.trailers, late);
    let wrong = outcome("HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 2||{}");
    assert_eq!(wrong.status.code(), Code::Internal, "not the codec of the request");
}

#[test]
fn every_code_has_its_status_and_name() {
    // Table "Error codes" of the protocol's page.
    for (code, name, http) in [
        (Code::Cancelled, "canceled", 499),
        (Code::Unknown, "unknown", 500),
        (Code::InvalidArgument, "invalid_argument", 400),
        (Code::DeadlineExceeded, "deadline_exceeded", 504),
        (Code::NotFound, "not_found", 404),
        (Code::AlreadyExists, "already_exists", 409),
        (Code::PermissionDenied, "permission_denied", 403),
        (Code::ResourceExhausted, "resource_exhausted", 429),
        (Code::FailedPrecondition, "failed_precondition", 400),
        (Code::Aborted, "aborted", 409),
        (Code::OutOfRange, "out_of_range", 400),
        (Code::Unimplemented, "unimplemented", 501),
        (Code::Internal, "internal", 500),
        (Code::Unavailable, "unavailable", 503),
        (Code::DataLoss, "data_loss", 500),
        (Code::Unauthenticated, "unauthenticated", 401),
    ] {
        let mut side = server();
        let open = side.feed(request("application/proto", VERSION, "")).poll().expect_open();
        side.finish(open.exchange, failed(Status::new(code, "why \"")));
        let said = Said::of(&mut side);
        assert!(said.head.starts_with(&format!("HTTP/1.1 {http} ")), "{}", said.head);
        assert!(said.head.contains("|Content-Type: application/json|"));
        let body = format!(r#"{{"code":"{name}","message":"why \""}}"#);
        assert_eq!(said.body, body.as_bytes());
        let reply = format!(
            "HTTP/1.1 {http} X|Content-Type: application/json|Content-Length: {}||{body}",
            body.len()
        );
        let seen = outcome(&reply);
        assert_eq!((seen.status.code(), seen.status.message()), (code, "why \""));
    }
}

#[test]
fn a_failure_that_is_not_json_gets_its_code_from_the_http_status() {
    for (http, code) in [
        (400, Code::Internal),
        (401, Code::Unauthenticated),
        (403, Code::PermissionDenied),
        (404, Code::Unimplemented),
        (429, Code::Unavailable),
        (502, Code::Unavailable),
        (503, Code::Unavailable),
        (504, Code::Unavailable),
        (500, Code::Unknown),
        (302, Code::Unknown),
    ] {
        let html = outcome(&format!("HTTP/1.1 {http} X|Content-Type: text/html|Content-Length: 3||<p>"));
        assert_eq!(html.status.code(), code, "{http}");
        let strange = outcome(&format!(
            "HTTP/1.1 {http} X|Content-Type: application/json|Content-Length: 14||{{\"code\":\"zzz\"}}"
        ));
        assert_eq!(strange.status.code(), code, "a code that nobody knows");
    }
}

#[test]
fn details_keep_type_and_bytes() {
    // google.rpc.Status { code: 5, message: "x", details: [Any { type_url: "type.googleapis.com/a.B", value:
    // 01 02 }] }
    let details =
        [&b"\x08\x05\x12\x01x\x1a\x1f\x0a\x1btype.googleapis.com/a.Bc.De\x12\x02\x01\x02"[..]].concat();
    let mut bytes = details.clone();
    bytes[6] = (bytes.len() - 7) as u8;
    bytes[8] = b"type.googleapis.com/a.Bc.De".len() as u8;
    let status = Status::not_found("x").with_details(bytes.clone());
    let json = error::body(&status);
    let expected = r#"{"code":"not_found","details":[{"type":"a.Bc.De","value":"AQI"}],"message":"x"}"#;
    assert_eq!(String::from_utf8(json.clone()).unwrap(), expected);
    let read = error::read(404, true, &json);
    assert_eq!((read.code(), read.details()), (Code::NotFound, &bytes[..]));
    for cut in 0..bytes.len() {
        error::body(&Status::not_found("x").with_details(bytes[..cut].to_vec())); // any details end without a panic
    }
}

#[test]
fn a_stream_ends_with_its_last_envelope() {
    let mut side = server();
    let open = side.feed(request("application/connect+json", "", envelope(0, "{}"))).poll().expect_open();
    side.answer(open.exchange, &Answer::default());
    side.send_message(open.exchange, "{}", false);
    let trailers: Metadata = [("A", "1"), ("a", "2"), ("b-bin", "\u{1}")].into_iter().collect();
    side.finish(open.exchange, Outcome { trailers: Some(Box::new(trailers)), ..Outcome::default() });
    let end = br#"{"metadata":{"a":["1","2"],"b-bin":["AQ"]}}"#;
    assert_eq!(Said::of(&mut side).body, [envelope(0, "{}"), envelope(2, end)].concat());
}

#[test]
fn an_end_that_is_no_json_is_the_peers_fault() {
    for end in ["", "[]", "x", "{\"error\":7}", "null"] {
        let (status, _) = error::read_end(end.as_bytes());
        assert_eq!(status.code(), Code::Internal, "{end}");
    }
    for end in ["{}", "{\"error\":null}", "{\"metadata\":{}}", "{\"metadata\":{\"a\":7}}"] {
        assert!(error::read_end(end.as_bytes()).0.is_ok(), "{end}");
    }
}

#[test]
fn a_call_may_be_a_get() {
    for (query, body) in [
        ("connect=v1&encoding=json&message=%7B%22a%22%3A%201%7D", "{\"a\": 1}"),
        ("message=e30&encoding=json&base64=1&connect=v1", "{}"),
        ("message=e30%3D&encoding=json&base64=1&connect=v1", "{}"),
        ("connect=v1&encoding=proto&message=", ""),
    ] {
        let mut side = server();
        let bytes = lines(&format!("GET /pkg.S/M?{query} HTTP/1.1|Host: x|x-bin: AQ||"));
        let open = side.feed(bytes).poll().expect_open();
        assert_eq!(open.body, body.as_bytes(), "{query}");
        assert_eq!(open.head.field("x-bin"), Some(&[1u8][..]));
        side.finish(open.exchange, message("{}"));
        assert_eq!(Said::of(&mut side).body, b"{}");
    }
    let text = "GET /S/M?connect=v1&encoding=json HTTP/1.1|Host: x||";
    let mut side = server();
    assert_eq!(side.feed(lines(text)).poll(), Seen::Need(1));
    assert!(Said::of(&mut side).head.starts_with("HTTP/1.1 400 "), "no message");
    let mut side = server();
    let bad = "GET /S/M?connect=v1&encoding=json&message=%zz HTTP/1.1|Host: x||";
    assert_eq!(side.feed(lines(bad)).poll(), Seen::Need(1));
    assert!(Said::of(&mut side).head.starts_with("HTTP/1.1 400 "));
    let mut side = server();
    let bad = "GET /S/M?connect=v1&encoding=xml&message=a HTTP/1.1|Host: x||";
    assert_eq!(side.feed(lines(bad)).poll(), Seen::Need(1));
    assert!(Said::of(&mut side).head.starts_with("HTTP/1.1 415 "));
    let mut side = server().hosted(|host| host.route(Route { max_message: 8, ..Route::default() }));
    let unsafe_method = "GET /S/M?connect=v1&encoding=json&message=%7B%7D HTTP/1.1|Host: x||";
    assert_eq!(side.feed(lines(unsafe_method)).poll(), Seen::Need(1));
    let head = Said::of(&mut side).head;
    assert!(head.starts_with("HTTP/1.1 405 ") && head.contains("|Allow: POST|"), "{head}");
    let plain = server().feed(lines("GET /S/M?connect=v2 HTTP/1.1|Host: x||")).poll().expect_open();
    assert!(matches!(plain.head.target, SeenTarget::Path { .. }));
}

#[test]
fn the_message_of_a_get_is_no_longer_than_its_method_allows() {
    for (message, status) in [("12345678", "200"), ("123456789", "429")] {
        let route = Route { max_message: 8, no_side_effects: true, ..Route::default() };
        let mut side = server().hosted(|host| host.route(route));
        side.feed(lines(&format!("GET /S/M?connect=v1&encoding=proto&message={message} HTTP/1.1|Host: x||")));
        if let Seen::Open(open) = side.poll() {
            side.finish(open.exchange, super::message("{}"));
        }
        assert!(Said::of(&mut side).head.starts_with(&format!("HTTP/1.1 {status} ")), "{message}");
    }
}

#[test]
fn a_client_makes_a_get_where_it_is_told_to() {
    let mut side = connect("");
    side.call(&Call::new("S", "M").body([0xfb, 0xff]).field(":method", "GET"));
    let head = Said::of(&mut side).head;
    let line = "GET /S/M?connect=v1&base64=1&encoding=proto&message=-_8 HTTP/1.1|";
    assert!(head.starts_with(line), "{head}");
    assert!(!head.contains("Content-"), "{head}");
}

#[test]
fn a_streaming_method_is_not_called_by_a_unary_request() {
    let mut side = server();
    let open = side.feed(request("application/proto", VERSION, "")).poll().expect_open();
    side.answer(open.exchange, &Answer::default());
    assert!(Said::of(&mut side).head.starts_with("HTTP/1.1 415 "));
    assert!(matches!(side.poll(), Seen::Reset { .. }));
}

#[test]
fn a_body_too_long_is_429_before_it_is_read() {
    let limits = polywire_wire::Limits::default().max_message(8);
    let setup = ServerSetup { limits, ..ServerSetup::default() };
    let mut side = Side::new(&http::PROTOCOL, setup);
    side.host.route(polywire_wire::Route { method: 0, max_message: 8, ..Default::default() });
    side.feed(lines(&format!(
        "POST /S/M HTTP/1.1|Host: x|Content-Type: application/proto|{VERSION}Content-Length: 9||"
    )));
    side.events();
    let said = Said::of(&mut side);
    assert!(said.head.starts_with("HTTP/1.1 429 "), "{}", said.head);
    assert!(said.body.starts_with(br#"{"code":"resource_exhausted""#));
}

/// As connect-go's servers do.
#[test]
fn another_version_is_refused_in_the_form_of_the_call() {
    let other = "connect-protocol-version: 2|";
    let mut side = server();
    side.feed(request("application/json", other, "{}"));
    assert_eq!(side.poll(), Seen::Need(1));
    let said = Said::of(&mut side);
    assert!(said.head.starts_with("HTTP/1.1 400 "), "{}", said.head);
    assert!(said.body.starts_with(br#"{"code":"invalid_argument","message":"connect-protocol-version "#));
    let mut side = server();
    side.feed(request("application/connect+json", other, envelope(0, "{}")));
    assert_eq!(side.poll(), Seen::Need(1));
    assert!(side.host.asked.is_empty(), "not looked up");
    assert!(String::from_utf8_lossy(&Said::of(&mut side).body).contains("invalid_argument"));
}

#[test]
fn unknown_compression_is_unimplemented() {
    let mut side = server();
    side.feed(request("application/proto", &format!("{VERSION}Content-Encoding: br|"), "x"));
    assert_eq!(side.poll(), Seen::Need(1));
    let said = Said::of(&mut side);
    assert!(said.head.starts_with("HTTP/1.1 501 "), "{}", said.head);
    assert!(said.head.contains("|accept-encoding: gzip, deflate, zstd, snappy|"));
}
