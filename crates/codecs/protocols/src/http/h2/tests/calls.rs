//! Calls through a client and a server, and the frames that each side writes.

use super::super::{
    PROTOCOL,
    close::LINGER,
    frame::{Kind, settings},
};
use super::peer::{POST, setting};
use super::{Peer, echo};
use polywire_call::{Code, Metadata, Native, Status, brpc};
use polywire_machine_testing::{Call, Seen, Side, pass};
use polywire_wire::{Answer, ClientSetup, Content, Delivery, Limits, Outcome, Refusal, Sender, Wake};

/// Carries bytes both ways until neither side writes more; the server echoes. Returns what the client saw.
fn converse(client: &mut Side, server: &mut Side) -> Vec<Seen> {
    let mut seen = client.events();
    for _ in 0..1000 {
        let moved = pass(client, server);
        server.events_reacting(&mut echo);
        let back = pass(server, client);
        seen.extend(client.events());
        if moved + back == 0 {
            return seen;
        }
    }
    panic!("they never stop");
}

fn finished(seen: &[Seen]) -> Vec<(u32, Vec<u8>)> {
    let finish = |seen: &Seen| match seen {
        Seen::Finish { exchange, outcome } if outcome.status.is_ok() => {
            Some((exchange.slot, outcome.body.0.clone()))
        }
        _ => None,
    };
    seen.iter().filter_map(finish).collect()
}

/// RFC 7541, appendix A: 6 is `:scheme: http`, 7 is `:scheme: https`; 3 before it is POST.
#[test]
fn a_request_names_the_scheme_that_its_bytes_pass_through() {
    for (secure, scheme) in [(false, 0x86), (true, 0x87)] {
        let setup = ClientSetup { secure, authority: "test", ..ClientSetup::default() };
        let mut client = Side::new(&PROTOCOL, setup);
        client.events(); // settings
        client.out.take();
        client.call(&Call::new("S", "M").content(Content::JSON).body("x"));
        let said = client.out.take().to_vec();
        assert!(said.windows(2).any(|pair| pair == [0x83, scheme]), "{said:02x?}");
    }
}

#[test]
fn the_zone_of_an_address_stays_on_its_machine() {
    let setup = ClientSetup { authority: "[fe80::1%eth0]:80", ..ClientSetup::default() };
    let mut peer = Peer::new(Side::new(&PROTOCOL, setup));
    peer.side.events();
    peer.side.written(); // the preface
    peer.side.call(&Call::new("S", "M"));
    let said = peer.said();
    assert!(said[0].0.contains(" :authority=[fe80::1]:80 "), "{said:?}");
}

#[test]
fn many_calls_are_in_flight_and_find_their_replies() {
    let (mut client, mut server) = (Side::client(&PROTOCOL), Side::server(&PROTOCOL));
    converse(&mut client, &mut server); // the server's limit is known
    assert_eq!(client.vacancies(), 1000);
    let body = |n: u32| n.to_string().repeat(n as usize);
    for n in 0..300 {
        client.call(&Call::new("S", "M").content(Content::JSON).body(body(n)));
    }
    assert_eq!(client.vacancies(), 700);
    let mut replies = finished(&converse(&mut client, &mut server));
    replies.sort();
    let expected: Vec<_> = (0..300).map(|n| (n, body(n).into_bytes())).collect();
    assert_eq!(replies, expected);
    assert_eq!((client.vacancies(), client.held(), server.held()), (1000, 0, 0));
}

#[test]
fn long_bodies_pass_both_ways_with_any_room_in_the_output() {
    for (length, room) in [(70_000, 100), (3_000_000, 10_000), (10_000_000, 1 << 20)] {
        let mut client = Side::client(&PROTOCOL).with_room(room);
        let mut server = Side::server(&PROTOCOL).with_room(room);
        let body: Vec<u8> = (0..length).map(|n| (n % 251) as u8).collect();
        client.call(&Call::new("S", "M").body(&body));
        let mut seen = Vec::new();
        for _ in 0..10_000 {
            for side in [&mut client, &mut server] {
                assert_eq!(side.resume(polywire_wire::Wake::Room), Ok(()));
            }
            seen.extend(converse(&mut client, &mut server));
            if !seen.is_empty() && !finished(&seen).is_empty() {
                break;
            }
        }
        assert!(finished(&seen) == [(0, body)], "{length} {room}");
    }
}

#[test]
fn a_request_on_the_wire_is_what_the_caller_said() {
    let mut peer = Peer::of_client(Limits::default());
    let call = Call::new("S", "M")
        .content(Content::JSON)
        .body("{}")
        .field("X-Big", "1")
        .field("connection", "close");
    peer.side.call(&call.timeout(std::time::Duration::from_millis(20)));
    let said = peer.said();
    let agent = concat!("user-agent=polywire/", env!("CARGO_PKG_VERSION"));
    let head = format!(
        "HEADERS 1 :method=POST :scheme=http :path=/S/M :authority=test content-type=application/json content-length=2 \
         x-polywire-timeout-ms=20 {agent} x-big=1"
    );
    assert!(said.iter().any(|s| *s == &head[..]) && said.iter().any(|s| *s == "DATA 1 es 2"), "{said:?}");
    peer.headers(1, false, &[(":status", "103"), ("link", "x")]); // interim: skipped
    peer.headers(1, false, &[(":status", "200"), ("x-y", "z")]).data(1, false, b"ab").data(1, false, b"c");
    peer.headers(1, true, &[("t", "1")]);
    let (_, outcome) = peer.events().pop().expect("a reply").expect_finish();
    assert_eq!((outcome.status.is_ok(), &outcome.body[..]), (true, &b"abc"[..]));
    let trailers: Vec<_> = outcome.trailers.iter().map(|(n, v)| (&n[..], v.0.as_slice())).collect();
    assert_eq!(trailers, [("x-y", &b"z"[..]), ("t", b"1")]);
}

#[test]
fn a_reply_on_the_wire_is_what_the_handler_said() {
    let mut peer = Peer::of_server(Limits::default());
    let open = peer.headers(1, true, &POST).side.poll().expect_open();
    let mut fields = Metadata::new();
    fields.append("X-A", "b");
    fields.append("connection", "close");
    let outcome = Outcome { reply: true, trailers: Some(Box::new(fields)), ..Outcome::default() };
    peer.side.finish(open.exchange, outcome);
    assert_eq!(peer.said(), ["HEADERS 1 es 200 content-type=application/proto content-length=0 x-a=b"]);

    let open = peer.headers(3, true, &POST).side.poll().expect_open();
    peer.side.fail(open.exchange, Status::invalid_argument("no").with_native(Native::Http(418)));
    assert_eq!(
        peer.said(),
        [
            "HEADERS 3 418 content-type=text/plain content-length=2 x-bd-error-code=1003 polywire-status=3",
            "DATA 3 es 2"
        ]
    );
}

#[test]
fn a_failed_reply_says_its_status_line() {
    let mut peer = Peer::of_client(Limits::default());
    peer.side.call(&Call::new("S", "M").body("x"));
    peer.headers(1, false, &[(":status", "404")]).data(1, true, b"gone");
    let (_, outcome) = peer.events().pop().expect("a reply").expect_finish();
    assert_eq!(
        (outcome.status.code(), outcome.status.message()),
        (Code::NotFound, "HTTP/2 404 Not Found: gone")
    );
}

#[test]
fn replies_to_head_and_304_have_no_body_whatever_they_announce() {
    let mut peer = Peer::of_client(Limits::default());
    peer.side.call(&Call::new("", "/").field(":method", "HEAD"));
    peer.side.call(&Call::new("", "/").field(":method", "GET"));
    peer.headers(1, true, &[(":status", "200"), ("content-length", "5")]);
    peer.headers(3, true, &[(":status", "304"), ("content-length", "5")]);
    let events = peer.events();
    let statuses: Vec<_> = events
        .into_iter()
        .filter(|seen| matches!(seen, Seen::Finish { .. }))
        .map(|seen| seen.expect_finish().1.status.is_ok())
        .collect();
    assert_eq!(statuses, [true, false]);
}

#[test]
fn streams_go_both_ways_with_answers_before_the_end() {
    let mut client = Side::client(&PROTOCOL);
    let mut server = Side::server(&PROTOCOL).hosted(|h| h.deliver(Delivery::Pieces));
    let call = client.call(&Call::new("S", "M").parts_follow().streamed());
    pass(&mut client, &mut server);
    let open = server.poll().expect_open();
    assert!(!open.finished);
    server.answer(open.exchange, &Answer::default());
    server.send_message(open.exchange, "first", false);
    pass(&mut server, &mut client);
    assert!(client.events().iter().any(|seen| matches!(seen, Seen::Part { bytes, .. } if *bytes == "first")));
    client.send_message(call, "up", true);
    pass(&mut client, &mut server);
    let parts = server.events();
    assert!(matches!(&parts[..], [Seen::Part { bytes, finished: true, .. }] if *bytes == "up"), "{parts:?}");
    server.finish(open.exchange, Outcome::default());
    pass(&mut server, &mut client);
    assert!(
        client
            .events()
            .iter()
            .any(|seen| matches!(seen, Seen::Finish { outcome, .. } if outcome.status.is_ok()))
    );
    assert_eq!((client.vacancies(), server.held()), (1000, 0));
}

#[test]
fn a_call_given_up_is_reset_and_its_handler_told() {
    let (mut client, mut server) = (Side::client(&PROTOCOL), Side::server(&PROTOCOL));
    let call = client.call(&Call::new("S", "M").body("x"));
    pass(&mut client, &mut server);
    let open = server.poll().expect_open();
    client.reset(call, Status::cancelled("enough"));
    pass(&mut client, &mut server);
    let seen = server.events();
    assert!(matches!(&seen[..], [Seen::Reset { exchange, .. }] if *exchange == open.exchange), "{seen:?}");
    server.reply(&open, "late");
    assert!(pass(&mut server, &mut client) > 0, "greeting and acknowledgement");
    assert_eq!(client.events().len(), 1, "only news of the server's limit");
}

#[test]
fn a_reply_before_the_end_of_the_request_stops_the_upload() {
    let mut peer = Peer::of_server(Limits::default());
    peer.side.host.refuse(Status::invalid_argument("no"));
    peer.post(1, false).data(1, false, b"some");
    assert_eq!(peer.events(), []);
    let said = peer.said();
    assert_eq!(said[1..], ["DATA 1 es 2"], "the client reads the reply first: {said:?}");
    peer.data(1, false, &[7; 200_000]);
    assert_eq!(peer.events(), []);
    assert!(!peer.said().iter().any(|said| said.0.starts_with("WINDOW_UPDATE 1 ")));
    peer.side.wait(LINGER).expect("the connection lives");
    assert_eq!(peer.events(), []);
    assert_eq!(peer.said(), ["RST_STREAM 1 0"]);
    // Frames that the peer had already sent are not counted as a fault.
    peer.data(1, false, b"more").headers(1, true, &[("t", "1")]).post(3, true);
    assert_eq!(peer.events(), []);
    assert_eq!(peer.said().len(), 2);
}

/// curl 7.88 takes the reply for broken if RST_STREAM comes with it while it sends.
#[test]
fn a_request_that_ends_soon_after_its_reply_is_not_reset() {
    for by_trailers in [false, true] {
        let mut peer = Peer::of_server(Limits::default().streams(1));
        peer.side.host.refuse(Status::invalid_argument("no"));
        peer.post(1, false).data(1, false, b"some");
        peer.events();
        peer.said();
        match by_trailers {
            true => peer.headers(1, true, &[("t", "1")]),
            false => peer.data(1, true, b"more"),
        };
        assert_eq!(peer.events(), []);
        peer.side.wait(LINGER).expect("the connection lives");
        assert_eq!(peer.events(), []);
        assert_eq!(peer.said(), [""; 0]);
        peer.post(3, true).events();
        assert!(peer.said()[0].0.starts_with("HEADERS 3 "), "there is room for the next");
    }
}

#[test]
fn a_client_that_is_gone_is_not_waited_for() {
    let mut peer = Peer::of_server(Limits::default());
    peer.side.host.refuse(Status::invalid_argument("no"));
    peer.post(1, false).events();
    peer.side.resume(Wake::Eof).expect("an end in peace");
    peer.events();
    assert!(peer.side.has_ended());
}

#[test]
fn a_handler_that_closes_instead_of_answering_resets_its_stream_alone() {
    for content_type in ["application/json", "application/grpc"] {
        let mut peer = Peer::of_server(Limits::default());
        let head = [&POST[..], &[("content-type", content_type)]].concat();
        peer.headers(1, false, &head).data(1, true, &[0; 5]);
        let open = peer.events();
        let [Seen::Open(open)] = &open[..] else { panic!("{open:?}") };
        peer.side.fail(open.exchange, brpc::status(brpc::ECLOSE, "asked to"));
        assert_eq!(peer.events(), [], "{content_type}: the connection lives");
        assert_eq!(peer.said(), ["RST_STREAM 1 2"], "{content_type}");
    }
}

#[test]
fn continue_is_said_only_to_those_who_wait_for_it() {
    let mut peer = Peer::of_server(Limits::default());
    let expecting = [&POST[..], &[("expect", "100-continue")]].concat();
    peer.headers(1, false, &expecting);
    peer.events();
    assert_eq!(peer.said(), ["HEADERS 1 100"]);
    peer.headers(3, false, &expecting).data(3, true, b"x");
    peer.events();
    assert_eq!(peer.said(), [""; 0]);
}

#[test]
fn an_early_reply_of_any_dialect_ends_with_a_reset_without_error() {
    for content_type in ["application/grpc", "application/grpc-web", "application/connect+proto"] {
        let mut peer = Peer::of_server(Limits::default());
        peer.side.host.refuse(Status::invalid_argument("no"));
        let head = [&POST[..], &[("content-type", content_type)]].concat();
        peer.headers(1, false, &head);
        assert_eq!(peer.events(), []);
        peer.side.wait(LINGER).expect("the connection lives");
        assert_eq!(peer.events(), []);
        let said = peer.said();
        assert_eq!(said[said.len() - 1], "RST_STREAM 1 0", "{content_type}: {said:?}");
    }
}

#[test]
fn a_server_refuses_what_is_above_its_limit_and_a_client_opens_no_more() {
    let limits = Limits::default().streams(2);
    let mut peer = Peer::of_server(limits);
    peer.post(1, true).post(3, true).post(5, true);
    let open = peer.events();
    assert_eq!(open.len(), 2);
    assert_eq!(peer.said(), ["RST_STREAM 5 7"]);
    let Seen::Open(open) = &open[0] else { panic!("{open:?}") };
    peer.side.reply(open, "x");
    peer.post(7, true);
    assert_eq!(peer.events().len(), 1, "a slot is free once its last words are spoken");

    let (mut client, mut server) = (Side::client(&PROTOCOL), super::server_with(limits));
    converse(&mut client, &mut server);
    for _ in 0..2 {
        client.call(&Call::new("S", "M"));
    }
    assert_eq!(client.vacancies(), 0);
    let exchange = polywire_wire::Exchange { token: 9 << 32, slot: 9 };
    assert_eq!(client.open(exchange, &Call::new("S", "M")), Err(Refusal::Full));
}

#[test]
fn a_client_opens_one_stream_before_it_knows_the_limit() {
    for (settings, more) in [(&[][..], 99), (&setting(settings::MAX_CONCURRENT_STREAMS, 2)[..], 1)] {
        let mut peer = Peer::new(super::client_with(Limits::default()));
        assert_eq!(peer.side.vacancies(), 1);
        peer.side.call(&Call::new("S", "M"));
        let exchange = polywire_wire::Exchange { token: 9 << 32, slot: 9 };
        assert_eq!(peer.side.open(exchange, &Call::new("S", "M")), Err(Refusal::Full));
        peer.frame(Kind::SETTINGS, 0, 0, settings);
        assert!(matches!(peer.side.events()[..], [Seen::PeerLimit(_)]));
        for _ in 0..more {
            peer.side.call(&Call::new("S", "M"));
        }
        assert!(more == 99 || peer.side.vacancies() == 0);
    }
}

#[test]
fn a_refused_stream_may_be_tried_again() {
    let mut peer = Peer::of_client(Limits::default());
    peer.side.call(&Call::new("S", "M").body("x"));
    peer.frame(super::super::frame::Kind::RST_STREAM, 0, 1, &7u32.to_be_bytes());
    let seen = peer.events();
    let [Seen::Reset { why, .. }] = &seen[..] else { panic!("{seen:?}") };
    assert!(why.is_unprocessed(), "{why:?}");
}

#[test]
fn a_credential_is_sent_and_stays_out_of_every_table() {
    let setup = ClientSetup { credential: Some(b"~~~"), authority: "test", ..ClientSetup::default() };
    let mut client = Side::new(&PROTOCOL, setup);
    converse(&mut client, &mut super::server_with(Limits::default()));
    for _ in 0..2 {
        client.call(&Call::new("S", "M"));
        let written = client.written();
        // RFC 7541 6.2.3: never indexed, name 23
        assert!(written.windows(6).any(|w| w == b"\x1f\x08\x03~~~"), "{written:02x?}");
    }
}

/// The same check as over HTTP/1, where all cases are tested; `:authority` takes the place of the host.
#[test]
fn pages_of_other_origins_are_recognised() {
    for (authority, origin, sender) in [
        ("10.0.0.5:8000", "http://10.0.0.5:8000", Sender::Allowed),
        ("10.0.0.5:8000", "http://evil.example", Sender::ForeignPage),
        ("evil.example", "http://evil.example", Sender::UnknownHost),
    ] {
        let mut peer = Peer::of_server(Limits::default());
        let fields = [&POST[..3], &[(":authority", authority), ("origin", origin)]].concat();
        // From the third request on, the head is recognised and not parsed again.
        for stream in [1, 3, 5, 7] {
            let seen = peer.headers(stream, true, &fields).events();
            let [Seen::Open(open)] = &seen[..] else { panic!("{seen:?}") };
            assert_eq!(open.head.sender, sender, "{authority} {origin}");
        }
    }
}
