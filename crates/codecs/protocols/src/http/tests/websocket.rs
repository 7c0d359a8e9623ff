//! WebSocket on both framings: what is taken over, what stays HTTP, calls of services; each protection from
//! the attacker's side.

use super::{lines, opened, said};
use crate::http::{
    self,
    websocket::{Calls, Close, Header, close, code, control, frame, opcode},
};
use polywire_call::{Metadata, Status};
use polywire_machine_testing::{Call, Seen, SeenOpen, Side, at_every_split, survives_noise};
use polywire_wire::{
    Answer, ClientSetup, Credit, Delivery, Extensions, Limits, Outcome, Part, Route, ServerSetup, Upgrades,
    Wake,
};
use std::sync::Arc;

const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
const ASKS: &str = "GET /chat HTTP/1.1|Host: x|Upgrade: websocket|Connection: keep-alive, Upgrade\
                    |Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|Sec-WebSocket-Version: 13";
/// RFC 6455 1.3
const ACCEPT: &str = "|sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=|";

/// Settings with both: methods that take over, and calls.
fn extensions() -> Extensions {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Upgrades));
    extensions.insert(Arc::new(Calls));
    extensions
}

fn side(limits: Limits, route: Route) -> Side {
    let extensions = extensions();
    let setup = ServerSetup { limits, extensions: Some(&extensions), ..ServerSetup::default() };
    Side::new(&http::PROTOCOL, setup).hosted(|host| host.route(route))
}

/// A server whose method takes over.
fn taking_over() -> Side {
    let delivery = Delivery::Pieces;
    side(
        Limits::default(),
        Route { upgrades: true, streamed: true, delivery, max_message: 1 << 20, ..Route::default() },
    )
}

/// A server whose method is called.
fn called(delivery: Delivery) -> Side {
    side(Limits::default(), Route { streamed: true, delivery, max_message: 1 << 10, ..Route::default() })
}

fn switching() -> Answer {
    Answer { status: 101, ..Answer::default() }
}

fn piece(bytes: &[u8]) -> Part {
    Part { bytes: bytes.to_vec().into(), ..Part::default() }
}

fn masked(kind: u8, payload: &str) -> Vec<u8> {
    match kind {
        opcode::TEXT | opcode::BINARY => {
            frame(kind, payload.to_owned().into_bytes().into(), Some(KEY)).to_vec()
        }
        kind => control(kind, payload.as_bytes(), Some(KEY)).to_vec(),
    }
}

fn text(payload: &str) -> Vec<u8> {
    masked(opcode::TEXT, payload)
}

fn calls(name: &str) -> Vec<u8> {
    lines(&format!("{ASKS}|Sec-WebSocket-Protocol: {name}||").replace("/chat", "/a.B/Talk"))
}

const BEGUN: &str = "HTTP/1.1 101 Switching Protocols|";

#[test]
fn a_method_takes_over_the_connection() {
    let mut side = taking_over();
    let open = opened(&mut side, &format!("{ASKS}||"));
    assert!(!open.finished, "what follows is its body");
    side.feed(b"early");
    assert_eq!(side.poll(), Seen::Blocked, "nothing is read before the answer");
    assert!(side.answer(open.exchange, &switching()).is_open());
    let head = said(&mut side);
    assert!(head.starts_with(BEGUN) && head.contains(ACCEPT), "{head}");
    assert!(
        head.contains("upgrade: websocket|") && !head.contains("close") && !head.contains("Transfer"),
        "{head}"
    );
    assert!(matches!(side.poll(), Seen::Part { bytes, finished: false, .. } if bytes == b"early"));
    side.send(open.exchange, &piece(b"GET / HTTP/1.1\r\n\r\n"));
    assert_eq!(side.written(), b"GET / HTTP/1.1\r\n\r\n", "bytes, in no form of HTTP");
    side.feed(lines("GET /other HTTP/1.1|Host: x||"));
    assert!(
        matches!(side.poll(), Seen::Part { bytes, .. } if bytes.starts_with(b"GET /other")),
        "no request"
    );
    side.finish(open.exchange, Outcome::default());
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn the_peers_end_is_the_end_of_the_body() {
    let mut side = taking_over();
    let open = opened(&mut side, &format!("{ASKS}||"));
    side.answer(open.exchange, &switching());
    side.feed(b"x");
    side.resume(Wake::Eof).unwrap();
    assert!(matches!(side.poll(), Seen::Part { bytes, finished: false, .. } if bytes == b"x"));
    assert!(matches!(side.poll(), Seen::Part { finished: true, .. }));
    side.finish(open.exchange, Outcome::default());
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn an_answer_other_than_101_stays_http() {
    let mut side = taking_over();
    let open = opened(&mut side, &format!("{ASKS}||"));
    side.reply(&open, "no");
    assert!(said(&mut side).starts_with("HTTP/1.1 200 OK|"));
    let open = opened(&mut side, &format!("{ASKS}||"));
    side.answer(open.exchange, &Answer { status: 404, ..Answer::default() });
    assert!(matches!(side.poll(), Seen::Part { finished: true, .. }), "there is no body");
    side.finish(open.exchange, Outcome::default());
    assert!(said(&mut side).starts_with("HTTP/1.1 404 "));
    assert!(opened(&mut side, "GET /next HTTP/1.1|Host: x||").finished);
}

#[test]
fn who_does_not_ask_is_told_to() {
    let mut side = taking_over();
    for asks in [
        "GET /chat HTTP/1.1|Host: x||".to_owned(),
        format!("{ASKS}||").replace("HTTP/1.1", "HTTP/1.0").replace("|Host", "|Connection: keep-alive|Host"),
        format!("{ASKS}||").replace(", Upgrade", ""),
        format!("{ASKS}||").replace("websocket|", "h2c|"),
        format!("{ASKS}||").replace("GET", "POST"),
        format!("{ASKS}|Content-Length: 1||x"),
    ] {
        let open = opened(&mut side, &asks);
        assert!(!side.answer(open.exchange, &switching()).is_open(), "{asks}");
        let head = said(&mut side);
        assert!(head.contains(" 426 ") && head.contains("upgrade: websocket|"), "{asks}: {head}");
        side.events();
    }
}

#[test]
fn a_bad_handshake_is_refused_before_its_method() {
    for (from, to, status) in [
        ("Version: 13", "Version: 12", "426"),
        ("|Sec-WebSocket-Version: 13", "", "426"),
        ("|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "400"),
        ("dGhlIHNhbXBsZSBub25jZQ==", "short", "400"),
    ] {
        let mut side = taking_over();
        side.feed(lines(&format!("{ASKS}||").replace(from, to)));
        assert_eq!(side.poll(), Seen::Need(1), "{to}");
        let head = said(&mut side);
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{to}: {head}");
        assert_eq!(status == "426", head.contains("sec-websocket-version: 13|"), "{head}");
        assert_eq!(side.host.withdrawn, 1);
    }
}

/// Browsers let every page open a WebSocket to any server, with the cookies of that server.
#[test]
fn pages_of_other_origins_are_refused_whoever_would_take_them() {
    for begin in [format!("{ASKS}|"), ASKS.to_owned() + "|Sec-WebSocket-Protocol: polywire.v1.json|"] {
        for fields in [
            "Origin: https://evil.example",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site|Origin: http://x",
        ] {
            let mut side = taking_over();
            side.feed(lines(&format!("{begin}{fields}||")));
            assert_eq!(side.poll(), Seen::Need(1), "{fields}");
            assert!(said(&mut side).starts_with("HTTP/1.1 403 "), "{fields}");
        }
    }
    let mut side = taking_over();
    side.feed(lines(
        &format!("{ASKS}|Origin: http://localhost:8000||").replace("Host: x", "Host: localhost:8000"),
    ));
    side.poll().expect_open();
}

#[test]
fn without_the_settings_nothing_is_taken_over() {
    let mut side = Side::server(&http::PROTOCOL);
    let open = opened(&mut side, &format!("{ASKS}|Sec-WebSocket-Protocol: polywire.v1.json||"));
    assert!(open.finished, "an ordinary request");
    side.reply(&open, "x");
    assert!(said(&mut side).starts_with("HTTP/1.1 200 OK|"));
}

#[test]
fn a_peer_that_does_not_read_stops_the_sender() {
    let delivery = Delivery::Pieces;
    let route = Route { upgrades: true, streamed: true, delivery, max_message: 1 << 20, ..Route::default() };
    let mut side = side(Limits::default().backlog(1000).window(64), route).with_room(100);
    let open = opened(&mut side, &format!("{ASKS}||"));
    side.answer(open.exchange, &switching());
    let mut sent = 0;
    while side.send(open.exchange, &piece(&[7; 100])).is_open() {
        sent += 1;
        assert!(sent < 100, "credit ends");
    }
    side.feed(vec![1; 1000]);
    let Seen::Part { bytes, .. } = side.poll() else { panic!("a part") };
    assert!(bytes.len() <= 64, "no more than the window comes unasked");
    assert_eq!(side.poll(), Seen::Blocked);
    side.grant(open.exchange, bytes.len(), 1);
    assert!(matches!(side.poll(), Seen::Part { bytes, .. } if bytes.len() <= 64));
}

// Calls of services.

#[track_caller]
fn begun(side: &mut Side, name: &str) -> SeenOpen {
    side.feed(calls(name));
    let open = side.poll().expect_open();
    let head = said(side);
    assert!(head.starts_with(BEGUN) && head.contains(&format!("sec-websocket-protocol: {name}|")), "{head}");
    open
}

/// Bytes that the machine holds beside the input.
fn held(side: &mut Side) -> usize {
    side.command(|machine, _| machine.held())
}

fn message(seen: Seen) -> (Vec<u8>, bool, bool) {
    match seen {
        Seen::Part { bytes, end_of_message, finished, .. } => (bytes.to_vec(), end_of_message, finished),
        other => panic!("expected Part, saw {other:?}"),
    }
}

#[test]
fn a_call_has_streams_both_ways() {
    let mut side = called(Delivery::Messages);
    let open = begun(&mut side, "polywire.v1.json");
    assert!(!open.finished);
    side.feed([text("{\"a\":1}"), masked(opcode::PING, "p"), text("{}"), text("#end")].concat());
    assert_eq!(message(side.poll()), (b"{\"a\":1}".to_vec(), true, false));
    assert_eq!(message(side.poll()), (b"{}".to_vec(), true, false));
    assert_eq!(message(side.poll()), (vec![], false, true));
    assert_eq!(side.written(), b"\x8a\x01p", "the Pong");
    side.answer(open.exchange, &Answer::default());
    side.send(open.exchange, &Part::message("{\"b\":2}".into()));
    assert_eq!(side.written(), b"\x81\x07{\"b\":2}");
    side.finish(open.exchange, Outcome::default());
    assert_eq!(side.written(), b"\x81\x07#end {}\x88\x02\x03\xe8");
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn a_call_is_the_same_at_every_split() {
    let bytes = [
        calls("polywire.v1.proto"),
        masked(opcode::BINARY, "one"),
        masked(opcode::PING, "?"),
        masked(opcode::BINARY, ""),
        text("#end"),
    ]
    .concat();
    let run = at_every_split(|| called(Delivery::Messages), &bytes);
    assert!(matches!(run.seen[0], Seen::Open(_)));
    let parts: Vec<_> = run.seen[1..].iter().cloned().map(message).collect();
    assert_eq!(parts, [(b"one".to_vec(), true, false), (vec![], true, false), (vec![], false, true)]);
}

#[test]
fn a_call_with_one_message_begins_with_it() {
    let mut side = called(Delivery::Whole);
    side.feed(calls("polywire.v1.json"));
    assert_eq!(side.poll(), Seen::Need(1));
    assert!(said(&mut side).starts_with(BEGUN), "the client waits for it");
    side.feed(text("{\"a\":1}"));
    let open = side.poll().expect_open();
    assert_eq!((&open.body[..], open.finished), (&b"{\"a\":1}"[..], true));
    side.feed(text("#end"));
    side.events();
    side.finish(open.exchange, Outcome { reply: true, body: "{}".into(), ..Outcome::default() });
    assert_eq!(side.written(), b"\x81\x02{}\x81\x07#end {}\x88\x02\x03\xe8");
}

#[test]
fn a_failure_is_told_in_the_last_message() {
    let mut side = called(Delivery::Messages);
    let open = begun(&mut side, "polywire.v1.json");
    let trailers: Metadata = [("left", "3")].into_iter().collect();
    let trailers = Some(Box::new(trailers));
    side.finish(
        open.exchange,
        Outcome { status: Status::not_found("no tea"), trailers, ..Outcome::default() },
    );
    let said = String::from_utf8_lossy(&side.written()).into_owned();
    let told =
        "#end {\"error\":{\"code\":\"not_found\",\"message\":\"no tea\"},\"metadata\":{\"left\":[\"3\"]}}";
    assert!(said.contains(told) && said.ends_with("\u{2}\u{3}\u{fffd}"), "{said}");

    // A page sees nothing of a handshake that fails.
    let mut side = called(Delivery::Messages).hosted(|host| host.refuse(Status::not_found("no method")));
    side.feed(calls("polywire.v1.json"));
    side.events();
    let said = String::from_utf8_lossy(&side.written()).into_owned();
    assert!(said.starts_with("HTTP/1.1 101 ") && said.contains("\"message\":\"no method\""), "{said}");
}

#[test]
fn a_client_that_closes_cancels_its_call() {
    for (last, answered) in [
        (close(&Close::new(code::AWAY, ""), Some(KEY)).to_vec(), &b"\x88\x02\x03\xe9"[..]),
        (
            frame(opcode::TEXT, "{}".into(), None).to_vec(),
            b"\x88\x22\x03\xeaframe of a client without a mask",
        ),
        (masked(opcode::BINARY, "{}"), b"\x88\x30\x03\xebthe subprotocol has messages of the other kind"),
        (text(&"x".repeat(1025)), b"\x88\x1d\x03\xf1message longer than allowed"),
        (text("{\u{0}\u{7f}").into_iter().map(|b| b ^ 0x80).collect(), b"\x88"),
    ] {
        for ended in [false, true] {
            let mut side = called(Delivery::Messages);
            let open = begun(&mut side, "polywire.v1.json");
            if ended {
                side.feed(text("#end"));
                assert_eq!(message(side.poll()), (vec![], false, true));
            }
            side.feed(&last);
            let reset = side.events().into_iter().find(|seen| matches!(seen, Seen::Reset { .. }));
            assert_eq!(reset.and_then(|seen| seen.exchange()), Some(open.exchange), "{last:x?}");
            assert!(side.written().starts_with(answered), "{last:x?}");
        }
    }
    let mut side = called(Delivery::Messages);
    begun(&mut side, "polywire.v1.json");
    side.resume(Wake::Eof).unwrap();
    assert!(side.events().iter().any(|seen| matches!(seen, Seen::Reset { .. })), "the connection is gone");
}

#[test]
fn pings_of_a_peer_that_does_not_read_do_not_pile_up() {
    let delivery = Delivery::Messages;
    let route = Route { streamed: true, delivery, max_message: 1 << 10, ..Route::default() };
    let mut side = side(Limits::default().backlog(1000), route).with_room(400);
    side.feed(calls("polywire.v1.json"));
    side.events();
    for _ in 0..10_000 {
        side.feed(masked(opcode::PING, &"p".repeat(125)));
        assert!(side.events().iter().all(|seen| !matches!(seen, Seen::Reset { .. })));
    }
    assert!(held(&mut side) < 4000, "{} bytes are held", held(&mut side));
    assert_eq!(side.held(), held(&mut side), "all were read");
}

#[test]
fn messages_wait_until_they_are_asked_for() {
    let delivery = Delivery::Messages;
    let route = Route { streamed: true, delivery, max_message: 1 << 10, ..Route::default() };
    let mut side = side(Limits::default().ahead(2).window(256), route);
    side.feed(calls("polywire.v1.json"));
    let open = side.poll().expect_open();
    let one = text(&format!("\"{}\"", "x".repeat(60)));
    side.feed(one.repeat(50));
    let parts = side.events().iter().filter(|seen| matches!(seen, Seen::Part { .. })).count();
    assert_eq!(parts, 2, "two may be ahead");
    assert!(held(&mut side) <= 256, "{} bytes are held", held(&mut side));
    side.grant(open.exchange, 124, 2);
    let parts = side.events().iter().filter(|seen| matches!(seen, Seen::Part { .. })).count();
    assert_eq!(parts, 2);
}

#[test]
fn a_message_in_fragments_longer_than_the_window_arrives() {
    let delivery = Delivery::Messages;
    let route = Route { streamed: true, delivery, max_message: 1 << 10, ..Route::default() };
    let mut side = side(Limits::default().window(64), route);
    side.feed(calls("polywire.v1.json"));
    side.poll().expect_open();
    let mut bytes = Vec::new();
    for k in 0..10 {
        let opcode = if k == 0 { opcode::TEXT } else { opcode::CONTINUATION };
        Header { fin: k == 9, compressed: false, opcode, mask: Some([0; 4]), length: 100 }.write(&mut bytes);
        bytes.extend_from_slice(&[b'1'; 100]);
    }
    let seen = side.feed_split(&bytes, &[30]);
    let seen: Vec<_> = seen.into_iter().chain(side.events()).collect();
    let whole = seen.iter().find(|seen| matches!(seen, Seen::Part { .. })).cloned();
    let whole = whole.unwrap_or_else(|| panic!("{seen:?} {:x?}", side.written()));
    assert_eq!(message(whole).0.len(), 1000);
}

#[test]
fn servers_stand_noise() {
    let goldens = [
        [lines(&format!("{ASKS}||")), text("hello"), masked(opcode::CLOSE, "\u{3}")].concat(),
        [calls("polywire.v1.json"), text("{}"), masked(opcode::PING, "x"), text("#end")].concat(),
        [calls("polywire.v1.proto"), masked(opcode::BINARY, "ab"), text("#end")].concat(),
    ];
    let goldens: Vec<&[u8]> = goldens.iter().map(|golden| &golden[..]).collect();
    survives_noise(taking_over, &goldens, 1, 1000);
    survives_noise(|| called(Delivery::Messages), &goldens, 2, 1000);
    survives_noise(|| called(Delivery::Whole), &goldens, 3, 1000);
}

// The client.

#[test]
fn a_client_switches_when_it_has_asked() {
    let call = || {
        Call::new("", "/chat")
            .parts_follow()
            .streamed()
            .field(":method", "GET")
            .field(":protocol", "websocket")
            .field("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
    };
    let client = || Side::new(&http::PROTOCOL, ClientSetup { authority: "test", ..ClientSetup::default() });
    let mut side = client();
    let exchange = side.call(&call());
    let head = said(&mut side);
    assert!(
        head.starts_with("GET /chat HTTP/1.1|Host: test|") && head.contains("|Upgrade: websocket|"),
        "{head}"
    );
    assert!(!head.contains("Transfer") && !head.contains("Content") && !head.contains(":protocol"), "{head}");
    side.feed(lines("HTTP/1.1 101 Switching Protocols|Upgrade: websocket|Connection: Upgrade|"));
    side.feed(lines("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=||\u{81}"));
    let seen = side.events();
    assert!(matches!(&seen[..], [Seen::Answer { .. }, Seen::Part { .. }]), "{seen:?}");
    assert_ne!(side.send(exchange, &piece(b"frame")), Credit::CLOSED);
    assert_eq!(side.written(), b"frame");
    side.resume(Wake::Eof).unwrap();
    assert!(matches!(side.events().last(), Some(Seen::Finish { .. } | Seen::Closed)));

    // Another answer is a failure; one without a question breaks the rules.
    let mut side = client();
    side.call(&call());
    side.feed(lines("HTTP/1.1 403 Forbidden|Content-Length: 2||no"));
    let (_, outcome) = side.poll().expect_finish();
    assert!(!outcome.status.is_ok());
    let mut side = client();
    side.call(&Call::new("", "/chat").streamed());
    side.feed(lines("HTTP/1.1 101 Switching Protocols|Upgrade: websocket||"));
    assert!(side.events().iter().all(|seen| !matches!(seen, Seen::Answer { .. })));
}
