//! The sheet's worked frames, byte for byte, both ways.

use super::*;
use polywire_machine_testing::{at_every_split, at_every_truncation, survives_noise};
use zeroize::Zeroizing;

fn dealer_id1() -> Settings {
    Settings { identity: "id1".into(), ..settings([messages(Kind::Dealer)]) }
}

fn plain_client() -> Settings {
    let security = Security::PlainClient { user: "user".into(), password: Zeroizing::new("pass".to_owned()) };
    Settings { security, ..settings([messages(Kind::Dealer)]) }
}

fn plain_server() -> Settings {
    Settings { security: Security::PlainServer, ..settings([messages(Kind::Router)]) }
}

fn client(settings: Settings) -> Side {
    side_with(Role::Client, settings, Limits::DEFAULT, false)
}

const HELLO: &str = "04 10 05 48 45 4c 4c 4f 04 75 73 65 72 04 70 61 73 73";
const WELCOME: &str = "04 08 07 57 45 4c 43 4f 4d 45";
const INITIATE: &str =
    "04 2c 08 49 4e 49 54 49 41 54 45 0b 53 6f 63 6b 65 74 2d 54 79 70 65 00 00 00 06 44 45 41 4c
     45 52 08 49 64 65 6e 74 69 74 79 00 00 00 00";

#[test]
fn the_greeting_goes_out_before_anything_came() {
    let mut side = client(settings([messages(Kind::Req)]));
    assert_eq!(side.poll(), Seen::Need(64));
    assert_eq!(side.written(), greeting("NULL", 1));
}

#[test]
fn a_server_answers_the_ten_bytes_that_libzmq_sends_before_it_waits() {
    let mut side = bound(Kind::Rep);
    assert_eq!(side.feed(&greeting("NULL", 1)[..10]).events(), []);
    assert_eq!(side.written(), greeting("NULL", 1));
}

#[test]
fn ready_of_each_kind_as_libzmq_writes_it() {
    for (settings, expected) in [
        (settings([messages(Kind::Req)]), READY_REQ),
        (settings([messages(Kind::Sub)]), READY_SUB),
        (dealer_id1(), READY_DEALER_ID1),
    ] {
        let mut side = client(settings);
        side.feed(greeting("NULL", 1)).events();
        assert_eq!(side.written()[64..], hex(expected));
    }
}

#[test]
fn ready_of_libzmq_at_every_split() {
    for (ours, theirs, kind, identity) in [
        (Kind::Rep, READY_REQ, "REQ", ""),
        (Kind::Pub, READY_SUB, "SUB", ""),
        (Kind::Router, READY_DEALER_ID1, "DEALER", "id1"),
    ] {
        let bytes = [greeting("NULL", 1), hex(theirs)].concat();
        let run = at_every_split(|| bound(ours), &bytes);
        assert_eq!(run.seen, [Seen::Peer { kind: kind.into(), identity: identity.as_bytes().into() }]);
        at_every_truncation(|| bound(ours), &bytes);
    }
}

#[test]
fn several_sockets_answer_by_the_kind_of_the_peer() {
    let several = || {
        let kinds = [Kind::Rep, Kind::Router, Kind::Pub, Kind::Pull];
        side_with(Role::Server, settings(kinds.map(messages)), Limits::DEFAULT, false)
    };
    for (peer, ours) in
        [("REQ", "REP"), ("DEALER", "ROUTER"), ("SUB", "PUB"), ("PUSH", "PULL"), ("ROUTER", "ROUTER")]
    {
        let mut side = several();
        side.feed(greeting("NULL", 1)).events();
        assert_eq!(side.written().len(), 64, "who we are depends on the peer");
        assert_eq!(side.feed(ready(peer)).events().len(), 1);
        let mut expected = ready(ours);
        if ours == "ROUTER" {
            expected[1] += 13; // the empty identity of our side
            expected.extend_from_slice(b"\x08Identity\0\0\0\0");
        }
        assert_eq!(side.written(), expected, "to {peer}");
    }
    let mut side = several();
    let seen = side.feed([greeting("NULL", 1), ready("PAIR")].concat()).events();
    assert!(matches!(seen[..], [Seen::Error(_)]), "{seen:?}");
    assert!(side.written()[64..].starts_with(b"\x04\x1f\x05ERROR\x18"));
}

#[test]
fn messages_of_the_sheet_both_ways() {
    for (kind, peer, wire) in [
        (Kind::Router, "REQ", "01 00 00 05 68 65 6c 6c 6f"),
        (Kind::Req, "REP", "01 00 00 02 6f 6b"),
        (Kind::Router, "DEALER", "01 01 61 00 02 62 63"),
    ] {
        let wire = hex(wire);
        let run = at_every_split(|| met(kind, peer), &wire);
        assert_eq!(run.seen, [part(&wire)]);
        at_every_truncation(|| met(kind, peer), &wire);
        let mut side = met(kind, peer);
        assert!(side.send_message(Exchange::CONNECTION, &wire, false).is_open());
        assert_eq!(side.written(), wire);
    }
}

#[test]
fn a_message_of_300_bytes_is_long() {
    let mut wire = hex("02 00 00 00 00 00 00 01 2c");
    wire.resize(9 + 300, b'x');
    let mut side = met(Kind::Pull, "PUSH");
    assert_eq!(side.feed(&wire).events(), [part(&wire)]);
    at_every_truncation(|| met(Kind::Pull, "PUSH"), &wire);
}

#[test]
fn subscriptions_in_both_forms_from_every_peer() {
    let topic = |on, topic: &str| Seen::Topic { on, topic: topic.as_bytes().into() };
    for minor in [0, 1] {
        for (wire, expected) in [
            ("04 0f 09 53 55 42 53 43 52 49 42 45 74 6f 70 69 63", topic(true, "topic")),
            ("00 06 01 74 6f 70 69 63", topic(true, "topic")),
            ("04 08 06 43 41 4e 43 45 4c 41", topic(false, "A")),
            ("00 02 00 41", topic(false, "A")),
        ] {
            let wire = hex(wire);
            let run = at_every_split(|| met_by(bound(Kind::Pub), "SUB", minor), &wire);
            assert_eq!(run.seen, [expected]);
        }
    }
}

#[test]
fn subscriptions_go_out_in_the_form_of_the_peers_version() {
    for (minor, subscribe, cancel) in [
        (1, "04 0f 09 53 55 42 53 43 52 49 42 45 74 6f 70 69 63", "04 08 06 43 41 4e 43 45 4c 41"),
        (0, "00 06 01 74 6f 70 69 63", "00 02 00 41"),
    ] {
        let mut side = met_by(bound(Kind::Sub), "PUB", minor);
        side.send_message(Exchange::CONNECTION, b"\x00\x06\x01topic\x00\x02\x00A", false);
        assert_eq!(side.written(), [hex(subscribe), hex(cancel)].concat());
    }
}

#[test]
fn a_ping_is_answered_with_its_context() {
    let pong = hex("04 05 04 50 4f 4e 47");
    for (ping, pong) in [
        (hex("04 07 04 50 49 4e 47 00 1e"), pong),
        (hex("04 0a 04 50 49 4e 47 00 1e 61 62 63"), hex("04 08 04 50 4f 4e 47 61 62 63")),
        // libzmq answers 16 bytes of a longer one
        (b"\x04\x18\x04PING\0\x1e0123456789abcdefg".to_vec(), b"\x04\x15\x04PONG0123456789abcdef".to_vec()),
    ] {
        let mut side = met(Kind::Rep, "REQ");
        assert_eq!(side.feed(&ping).events(), []);
        assert_eq!(side.written(), pong);
        // libzmq may send PING between the frames of a message
        let mut side = met(Kind::Router, "DEALER");
        let seen = side.feed([&b"\x01\x01a"[..], &ping, b"\x00\x01b"].concat()).events();
        assert_eq!(seen, [part(b"\x01\x01a\x00\x01b")]);
        assert_eq!(side.written(), pong);
    }
}

#[test]
fn plain_from_the_client() {
    let mut side = client(plain_client());
    side.feed(greeting("PLAIN", 1)).events();
    assert_eq!(side.written(), [greeting("PLAIN", 1), hex(HELLO)].concat());
    side.feed(hex(WELCOME)).events();
    assert_eq!(side.written(), hex(INITIATE));
    let seen = side.feed(ready("ROUTER")).events();
    assert_eq!(seen, [Seen::Peer { kind: "ROUTER".into(), identity: b""[..].into() }]);
}

#[test]
fn plain_at_the_server() {
    let ask = || side_with(Role::Server, plain_server(), Limits::DEFAULT, true);
    let mut side = ask();
    let claim = side.feed([greeting("PLAIN", 1), hex(HELLO)].concat()).poll().expect_claim();
    assert_eq!(claim.shown(), "PLAIN user pass");
    assert_eq!(side.poll(), Seen::Blocked);
    assert_eq!(side.written(), greeting("PLAIN", 1));
    side.authenticated(Ok(()));
    assert_eq!(side.events(), []);
    assert_eq!(side.written(), hex(WELCOME));
    let seen = side.feed(hex(INITIATE)).events();
    assert_eq!(seen, [Seen::Peer { kind: "DEALER".into(), identity: b""[..].into() }]);
    assert_eq!(side.written()[..8], hex("04 29 05 52 45 41 44 59"));

    let mut side = ask();
    side.feed([greeting("PLAIN", 1), hex(HELLO)].concat()).events();
    side.authenticated(Err(polywire_call::Status::unauthenticated("no")));
    assert_eq!(side.events(), [Seen::Closed]);
    assert_eq!(side.written()[64..], hex("04 0a 05 45 52 52 4f 52 03 34 30 30"));
}

/// `a:b` with password `c` and `a` with `b:c` are two different users.
#[test]
fn a_colon_in_a_name_or_a_password_is_part_of_it() {
    for (user, password) in [("a:b", "c"), ("a", "b:c"), ("", "a:b:c"), ("a:b:c", "")] {
        let mut client = client(Settings {
            security: Security::PlainClient { user: user.into(), password: String::from(password).into() },
            ..settings([messages(Kind::Req)])
        });
        client.feed(greeting("PLAIN", 1)).events();
        let hello = client.written();
        let mut server = side_with(Role::Server, plain_server(), Limits::DEFAULT, true);
        let claim = server.feed(hello).poll().expect_claim();
        let both = [claim.user, claim.credential].map(|text| text.expect("both are shown"));
        assert_eq!(both.map(|text| String::from_utf8(text.0).unwrap()), [user, password]);
    }
}

#[test]
fn a_refusal_says_why() {
    let mut side = client(plain_client());
    side.feed([greeting("PLAIN", 1), hex("04 0a 05 45 52 52 4f 52 03 34 30 30")].concat());
    let seen = side.events();
    let [Seen::Reset { exchange, why }, Seen::Closed] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!(*exchange, Exchange::CONNECTION);
    assert_eq!(why.code(), polywire_call::Code::Unauthenticated);
    assert!(why.message().ends_with("400"), "{why:?}");
}

#[test]
fn nothing_is_dispatched_before_the_verdict_on_a_peer_with_nothing_to_show() {
    let mut side = side_with(Role::Server, settings([messages(Kind::Pull)]), Limits::DEFAULT, true);
    let bytes = [greeting("NULL", 1), ready("PUSH"), b"\x00\x01a".to_vec()].concat();
    assert_eq!(side.feed(bytes).poll().expect_claim().shown(), "NULL -");
    assert_eq!(side.poll(), Seen::Blocked);
    side.authenticated(Ok(()));
    let peer = Seen::Peer { kind: "PUSH".into(), identity: b""[..].into() };
    assert_eq!(side.events(), [peer, part(b"\x00\x01a")]);
}

#[test]
fn whatever_comes_the_machine_survives() {
    let goldens: Vec<Vec<u8>> = vec![
        [greeting("NULL", 1), hex(READY_REQ), hex("01 00 00 05 68 65 6c 6c 6f")].concat(),
        [greeting("NULL", 0), hex(READY_SUB), hex("00 06 01 74 6f 70 69 63")].concat(),
        [greeting("NULL", 1), hex(READY_DEALER_ID1), hex("01 01 61 00 02 62 63 04 07 04 50 49 4e 47 00 1e")]
            .concat(),
        [greeting("PLAIN", 1), hex(HELLO), hex(INITIATE)].concat(),
    ];
    let goldens: Vec<&[u8]> = goldens.iter().map(|golden| &golden[..]).collect();
    survives_noise(|| Side::server(&PROTOCOL), &goldens, 1, 1000);
    survives_noise(|| Side::client(&PROTOCOL), &goldens, 2, 300);
    survives_noise(|| side_with(Role::Server, plain_server(), Limits::DEFAULT, true), &goldens, 3, 300);
    let all = || settings([Kind::Pub, Kind::Router, Kind::Pull].map(messages));
    survives_noise(|| side_with(Role::Server, all(), Limits::DEFAULT, false), &goldens, 4, 1000);
}
