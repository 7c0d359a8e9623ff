//! What a client writes, and how calls end.

use super::{client, lines, said};
use crate::http::PROTOCOL;
use polywire_call::{Code, Native, Origin, brpc};
use polywire_machine_testing::{Call, Seen, SeenOutcome, Side, at_every_split};
use polywire_wire::{ClientSetup, Compression, Content, Goodbye, Refusal, Wake};
use std::time::Duration;

const AGENT: &str = concat!("User-Agent: polywire/", env!("CARGO_PKG_VERSION"), "|");

/// The request that a client writes for this call, without its user agent.
#[track_caller]
fn request(call: &Call) -> String {
    let mut side = client();
    side.call(call);
    let text = said(&mut side);
    assert!(text.contains(AGENT), "{text}");
    text.replace(AGENT, "")
}

#[track_caller]
fn outcome(reply: &str) -> SeenOutcome {
    outcome_of(&Call::new("S", "M"), reply)
}

#[track_caller]
fn outcome_of(call: &Call, reply: &str) -> SeenOutcome {
    let calling = || {
        let mut side = client();
        side.call(call);
        side
    };
    let run = at_every_split(calling, &lines(reply));
    match run.seen.into_iter().next() {
        Some(Seen::Finish { outcome, .. }) => outcome,
        other => panic!("{reply}: {other:?}"),
    }
}

#[test]
fn a_call_is_a_post_to_service_and_method() {
    let call = Call::new("pkg.Service", "Method").body("hi").content(Content::PROTOBUF);
    assert_eq!(
        request(&call),
        "POST /pkg.Service/Method HTTP/1.1|Host: test|Content-Type: application/proto|Content-Length: 2||hi"
    );
    let empty = Call::new("S", "M").content(Content::JSON);
    assert_eq!(
        request(&empty),
        "POST /S/M HTTP/1.1|Host: test|Content-Type: application/json|Content-Length: 0||"
    );
}

#[test]
fn the_zone_of_an_address_stays_on_its_machine() {
    let setup = ClientSetup { authority: "[fe80::1%eth0]:80", ..ClientSetup::default() };
    let mut side = Side::new(&PROTOCOL, setup);
    side.call(&Call::new("S", "M"));
    let text = said(&mut side);
    assert!(text.contains("|Host: [fe80::1]:80|"), "{text}");
}

#[test]
fn a_path_given_by_the_call_is_sent_unchanged() {
    let get = Call::new("", "/a/b?c=d").field(":method", "GET").field("Accept", "*/*").content(Content::RAW);
    assert_eq!(request(&get), "GET /a/b?c=d HTTP/1.1|Host: test|Accept: */*||");
    let post = Call::new("", "/x").body("raw").content(Content::RAW);
    assert_eq!(
        request(&post),
        "POST /x HTTP/1.1|Host: test|Content-Type: application/octet-stream|Content-Length: 3||raw"
    );
    let typed = Call::new("", "/x").body("<p>").field("content-type", "text/html").field(":method", "PUT");
    assert_eq!(request(&typed), "PUT /x HTTP/1.1|Host: test|Content-Type: text/html|Content-Length: 3||<p>");
    let delete = Call::new("", "/x").field(":method", "DELETE");
    assert_eq!(request(&delete), "DELETE /x HTTP/1.1|Host: test||");
}

#[test]
fn metadata_becomes_fields_and_may_replace_ours() {
    let call = Call::new("S", "M")
        .field("log-id", "7")
        .field("HOST", "other")
        .field("user-agent", "me")
        .field("Connection", "close")
        .field("transfer-encoding", "chunked")
        .field("content-length", "99")
        .field("expect", "100-continue");
    let mut side = client();
    side.call(&call);
    assert_eq!(
        said(&mut side),
        "POST /S/M HTTP/1.1|Content-Type: application/proto|Content-Length: 0|log-id: 7|HOST: other|user-agent: me||"
    );
}

#[test]
fn a_connection_for_one_call_says_so() {
    let setup = ClientSetup { authority: "test", once: true, ..ClientSetup::default() };
    for (call, rest) in [
        (Call::new("S", "M").content(Content::JSON), "Content-Type: application/json|"),
        (
            Call::new("S", "M").field("connection", "keep-alive").content(Content::JSON),
            "Content-Type: application/json|",
        ),
    ] {
        let mut side = Side::new(&PROTOCOL, setup);
        side.call(&call);
        let text = said(&mut side).replace(AGENT, "");
        assert_eq!(
            text,
            format!("POST /S/M HTTP/1.1|Host: test|Connection: close|{rest}Content-Length: 0||")
        );
    }
}

#[test]
fn the_credential_goes_with_every_request() {
    let setup = ClientSetup { authority: "h:1", credential: Some(b"Bearer t"), ..ClientSetup::default() };
    let mut side = Side::new(&PROTOCOL, setup);
    for _ in 0..2 {
        side.call(&Call::new("S", "M"));
        assert!(said(&mut side).contains("|Authorization: Bearer t|"));
        side.feed(lines("HTTP/1.1 200 OK|Content-Length: 0||")).poll().expect_finish();
    }
    side.call(&Call::new("S", "M").field("authorization", "mine"));
    let text = said(&mut side);
    assert!(text.contains("|authorization: mine|") && !text.contains("Bearer"), "{text}");
}

#[test]
fn the_deadline_travels_rounded_up() {
    for (time, ms) in [
        (Duration::from_millis(1500), "1500"),
        (Duration::from_micros(1001), "2"),
        (Duration::from_nanos(1), "1"),
        (Duration::ZERO, "1"),
        (Duration::from_secs(u64::MAX), "9999999999"),
    ] {
        let text = request(&Call::new("S", "M").timeout(time));
        assert!(text.contains(&format!("|x-polywire-timeout-ms: {ms}|")), "{time:?}: {text}");
    }
}

#[test]
fn a_compressed_request_says_so() {
    let text = request(&Call::new("S", "M").body("zz").compression(Compression::GZIP));
    assert!(text.contains("|Content-Encoding: gzip|"), "{text}");
}

#[test]
fn calls_that_cannot_be_said_fail_without_a_byte() {
    for call in [
        Call::new("S", "M x"),
        Call::new("S\r\nHost: evil", "M"),
        Call::new("", "/a b"),
        Call::new("", "/é"),
        Call::new("S", "M").field(":method", "GET / HTTP/1.1\r\n"),
        Call::new("S", "M").field(":method", ""),
        Call::new("S", "M").field("a", "b\r\nc: d"),
        Call::new("S", "M").field("a", "b\0"),
        Call::new("S", "M").field("a b", "c"),
        Call::new("S", "M").body("x").attachment("y"),
        Call::new("S", "M").compression(Compression::SNAPPY),
    ] {
        let mut side = client();
        let exchange = side.call(&call);
        let (ended, outcome) = side.poll().expect_finish();
        assert_eq!(ended, exchange);
        assert_eq!((outcome.status.code(), outcome.status.origin()), (Code::InvalidArgument, Origin::Local));
        assert_eq!(brpc::number(&outcome.status), brpc::EREQUEST);
        assert_eq!(
            (said(&mut side), side.vacancies()),
            (String::new(), 1),
            "the connection is as good as before"
        );
    }
}

#[test]
fn one_call_at_a_time() {
    let mut side = client();
    assert_eq!(side.vacancies(), 1);
    let first = side.call(&Call::new("S", "M"));
    assert_eq!(side.vacancies(), 0);
    let other = polywire_wire::Exchange { token: 9, slot: 9 };
    assert_eq!(side.open(other, &Call::new("S", "M")), Err(Refusal::Full));
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 0||"));
    assert_eq!(side.poll().expect_finish().0, first);
    assert_eq!(side.vacancies(), 1);
    side.call(&Call::new("S", "M"));
}

#[test]
fn the_server_opens_nothing() {
    let mut side = super::server();
    let exchange = polywire_wire::Exchange { token: 1, slot: 0 };
    assert_eq!(side.open(exchange, &Call::new("S", "M")), Err(Refusal::WrongRole));
}

#[test]
fn success_is_2xx() {
    let plain = outcome("HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 2||{}");
    assert_eq!((plain.status.native(), plain.content, plain.reply), (Native::None, Content::JSON, true));
    let created = outcome("HTTP/1.1 201 Created|Content-Length: 2||{}");
    assert!(created.status.is_ok() && created.reply);
    assert_eq!(created.status.native(), Native::Http(201));
    let nothing = outcome("HTTP/1.1 204 No Content||");
    assert!(nothing.status.is_ok() && nothing.body.is_empty());
}

#[test]
fn other_statuses_fail_with_the_status_line_and_the_body() {
    for (line, code) in [
        ("301 Moved", Code::Unknown),
        ("400 Bad Request", Code::InvalidArgument),
        ("401 Unauthorized", Code::Unauthenticated),
        ("403 Forbidden", Code::PermissionDenied),
        ("404 Not Found", Code::NotFound),
        ("405 Method Not Allowed", Code::Unimplemented),
        ("429 Slow Down", Code::ResourceExhausted),
        ("500 Oops", Code::Internal),
        ("503 Service Unavailable", Code::Unavailable),
        ("504 Gateway Timeout", Code::DeadlineExceeded),
        ("599 x", Code::Unknown),
    ] {
        let failed = outcome(&format!("HTTP/1.1 {line}|Content-Length: 3||why"));
        assert_eq!(failed.status.code(), code, "{line}");
        assert_eq!(failed.status.message(), format!("HTTP/1.1 {line}: why"));
        assert_eq!(failed.status.native(), Native::Http(line[..3].parse().unwrap()));
        assert_eq!(failed.status.origin(), Origin::Remote);
        assert!(!failed.reply && failed.body == b"why", "the raw body stays readable");
    }
    let bare = outcome("HTTP/1.1 500|Content-Length: 0||");
    assert_eq!(bare.status.message(), "HTTP/1.1 500");
}

#[test]
fn the_text_shows_2048_bytes_of_the_body() {
    let failed = outcome(&format!("HTTP/1.1 500 Oops|Content-Length: 3000||{}", "e".repeat(3000)));
    assert_eq!(failed.status.message().len(), "HTTP/1.1 500 Oops: ".len() + 2048);
    assert_eq!(failed.body.len(), 3000);
}

#[test]
fn the_servers_number_decides_the_code_of_a_failure() {
    for (status, number, code, retryable) in [
        ("503 x", brpc::ELIMIT, Code::ResourceExhausted, true),
        ("503 x", brpc::ELOGOFF, Code::Unavailable, true),
        ("404 x", brpc::ENOMETHOD, Code::Unimplemented, false),
        ("500 x", brpc::EINTERNAL, Code::Internal, false),
        ("500 x", 12345, Code::Unknown, false),
    ] {
        let failed =
            outcome(&format!("HTTP/1.1 {status}|x-bd-error-code: {number}|Content-Length: 1||y")).status;
        assert_eq!((failed.code(), failed.native()), (code, Native::Brpc(number)), "{number}");
        assert_eq!(failed.is_retryable(), retryable, "{number}");
        assert_eq!(failed.message(), format!("HTTP/1.1 {status}: y"));
    }
    for vague in ["0", "1010", "2001", "x", ""] {
        let failed = outcome(&format!("HTTP/1.1 404 x|x-bd-error-code: {vague}|Content-Length: 0||")).status;
        assert_eq!((failed.code(), failed.native()), (Code::NotFound, Native::Http(404)), "{vague}");
    }
}

#[test]
fn interim_replies_are_skipped() {
    let text =
        "HTTP/1.1 100 Continue||HTTP/1.1 103 Early Hints|Link: x||HTTP/1.1 200 OK|Content-Length: 2||hi";
    let ok = outcome(text);
    assert_eq!(ok.body, b"hi");
    assert!(ok.trailers.is_empty(), "of the final reply alone");
}

#[test]
fn a_body_without_length_ends_with_the_connection() {
    let mut side = client();
    side.call(&Call::new("S", "M"));
    side.feed(lines("HTTP/1.1 200 OK||hel")).events();
    side.feed("lo").events();
    side.resume(Wake::Eof).unwrap();
    let (_, outcome) = side.poll().expect_finish();
    assert_eq!(outcome.body, b"hello");
    assert_eq!((side.vacancies(), side.poll()), (0, Seen::Closed));
}

#[test]
fn replies_to_head_and_some_statuses_have_no_body() {
    let head = Call::new("", "/").field(":method", "HEAD");
    let next = "HTTP/1.1 200 OK|Content-Length: 1||x";
    for (call, reply) in [
        (&head, "HTTP/1.1 200 OK|Content-Length: 99||"),
        (&head, "HTTP/1.1 200 OK|Transfer-Encoding: chunked||"),
        (&Call::new("S", "M"), "HTTP/1.1 304 Not Modified|Content-Length: 99||"),
        (&Call::new("S", "M"), "HTTP/1.1 204 No Content|Content-Length: 99||"),
    ] {
        let mut side = client();
        side.call(call);
        let (_, outcome) = side.feed(lines(reply)).poll().expect_finish();
        assert!(outcome.body.is_empty(), "{reply}");
        side.call(&Call::new("S", "M"));
        assert_eq!(side.feed(lines(next)).poll().expect_finish().1.body, b"x", "{reply}");
    }
}

#[test]
fn fields_of_the_reply_are_handed_over_without_those_of_its_frame() {
    let ok = outcome(
        "HTTP/1.1 200 OK|Date: today|Server: s|Content-Type: application/json|Transfer-Encoding: chunked|Connection: x|\
         Set-Cookie: a|set-cookie: b||2|{}|0|checksum: 5||",
    );
    let names: Vec<_> = ok.trailers.iter().map(|(n, _)| &n[..]).collect();
    assert_eq!(names, ["Server", "Set-Cookie", "set-cookie", "checksum"]);
    let raw = outcome("HTTP/1.1 200 OK|Content-Type: text/html|Content-Length: 0||");
    assert_eq!(raw.content, Content::RAW);
    assert_eq!(raw.trailers, [("content-type".to_owned(), b"text/html"[..].into())]);
}

#[test]
fn a_compressed_reply_is_flagged() {
    let zipped = outcome("HTTP/1.1 200 OK|Content-Encoding: gzip|Content-Length: 2||zz");
    assert_eq!((zipped.compression, &zipped.body[..]), (Compression::GZIP, &b"zz"[..]));
    let unknown = outcome("HTTP/1.1 200 OK|Content-Encoding: br|Content-Length: 2||zz");
    assert_eq!(unknown.compression, Compression::UNKNOWN);
    let failed = outcome("HTTP/1.1 500 Oops|Content-Encoding: gzip|Content-Length: 2||zz");
    assert_eq!(failed.status.message(), "HTTP/1.1 500 Oops");
}

#[test]
fn the_reply_decides_whether_the_connection_stays_open() {
    for (reply, lives) in [
        ("HTTP/1.1 200 OK|Content-Length: 0||", true),
        ("HTTP/1.1 200 OK|Content-Length: 0|Connection: close||", false),
        ("HTTP/1.0 200 OK|Content-Length: 0||", false),
        ("HTTP/1.0 200 OK|Content-Length: 0|Connection: keep-alive||", true),
        ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||0||", true),
    ] {
        let mut side = client();
        side.call(&Call::new("S", "M"));
        side.feed(lines(reply)).poll().expect_finish();
        assert_eq!(side.vacancies(), u32::from(lives), "{reply}");
        assert_eq!(side.poll(), if lives { Seen::Need(1) } else { Seen::Closed }, "{reply}");
    }
}

#[test]
fn a_stale_connection_fails_its_call_as_retryable() {
    let mut side = client();
    let exchange = side.call(&Call::new("S", "M"));
    side.resume(Wake::Eof).unwrap();
    let Seen::Reset { exchange: lost, why } = side.poll() else { panic!("no reset") };
    assert_eq!((lost, brpc::number(&why)), (exchange, brpc::EEOF));
    assert!(why.is_retryable() && !why.is_unprocessed());
    assert_eq!(why.origin(), Origin::Transport);
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn a_reply_cut_off_is_not_tried_again_by_itself() {
    for text in ["HTTP/1.", "HTTP/1.1 200 OK|Con", "HTTP/1.1 200 OK|Content-Length: 5||he"] {
        let mut side = client();
        side.call(&Call::new("S", "M"));
        side.feed(lines(text)).events();
        side.resume(Wake::Eof).unwrap();
        let Seen::Reset { why, .. } = side.poll() else { panic!("{text}: no reset") };
        let number = brpc::number(&why);
        assert_eq!(number, brpc::EEOF, "{text}");
        assert_eq!(why.is_retryable(), text == "HTTP/1.", "{text}");
    }
}

#[test]
fn an_idle_connection_closed_by_the_peer_is_closed() {
    let mut side = client();
    side.resume(Wake::Eof).unwrap();
    assert_eq!((side.vacancies(), side.poll()), (0, Seen::Closed));
}

#[test]
fn a_cancelled_call_closes_its_connection() {
    let mut side = client();
    let exchange = side.call(&Call::new("S", "M"));
    side.reset(exchange, polywire_call::Status::cancelled("no longer wanted"));
    assert_eq!(side.vacancies(), 0);
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 0||"));
    assert_eq!(side.poll(), Seen::Closed, "a late reply finds nobody");
}

#[test]
fn goodbye_waits_for_the_reply() {
    let mut side = client();
    side.call(&Call::new("S", "M"));
    side.goodbye(Goodbye::Drain);
    assert_eq!((side.vacancies(), side.poll()), (0, Seen::Need(1)));
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 0||")).poll().expect_finish();
    assert_eq!(side.poll(), Seen::Closed);
    let mut side = client();
    side.goodbye(Goodbye::Drain);
    assert_eq!(side.poll(), Seen::Closed);
    let other = polywire_wire::Exchange { token: 9, slot: 9 };
    assert_eq!(side.open(other, &Call::new("S", "M")), Err(Refusal::Draining));
}

#[test]
fn long_replies_are_waited_for_in_one_piece() {
    let mut side = client();
    side.call(&Call::new("S", "M"));
    side.feed(lines("HTTP/1.1 200 OK|Content-Length: 1000000||ab"));
    assert_eq!(side.poll(), Seen::Need(999_998));
    assert_eq!(side.host.asked_replies[0].announced, 1_000_000);
}

#[test]
fn a_name_that_would_break_the_head_is_not_sent() {
    let setup = ClientSetup { authority: "a\r\nb: c", ..ClientSetup::default() };
    let mut side = Side::new(&PROTOCOL, setup);
    side.call(&Call::new("S", "M"));
    let text = said(&mut side);
    assert!(text.contains("|Host: |") && !text.contains("b: c"), "{text}");
}
