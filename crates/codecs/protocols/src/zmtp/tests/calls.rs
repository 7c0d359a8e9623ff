//! Requests as calls: REP to any envelope, and DEALER with several calls at once.

use super::*;
use polywire_call::{Code, Origin, Status};
use polywire_machine_testing::{Call, SeenTarget, pass};
use polywire_wire::{Content, Outcome, RELAYS, Refusal};
use std::time::Duration;

/// A server without settings, connected to this peer.
fn services(peer: &str) -> Side {
    met_by(Side::server(&PROTOCOL), peer, 1)
}

fn handler() -> Side {
    let socket = Socket { kind: Kind::Rep, delivery: Delivery::Handler };
    met_by(side_with(Role::Server, settings([socket]), Limits::DEFAULT, false), "REQ", 1)
}

#[test]
fn a_request_of_a_req_socket_calls_the_method_that_it_names() {
    let mut side = services("REQ");
    let open = side.feed(b"\x01\x00\x01\x07S.E/Ech\x01\x02{}\x00\x0fjson timeout=50").poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Method { service: "S.E".into(), method: "Ech".into() });
    assert_eq!((&open.body[..], open.head.content), (&b"{}"[..], Content::PROTO_JSON));
    assert_eq!(open.head.timeout, Some(Duration::from_millis(50)));
    side.reply(&open, b"{\"a\":1}");
    assert_eq!(side.written(), b"\x01\x00\x01\x010\x00\x07{\"a\":1}");
}

#[test]
fn the_envelope_goes_back_as_it_came() {
    let mut side = services("DEALER");
    let first = side.feed(b"\x01\x01x\x01\x02yz\x01\x00\x01\x03S/M\x00\x01a").poll().expect_open();
    let second = side.feed(b"\x01\x01q\x01\x00\x01\x03S/M\x00\x01b").poll().expect_open();
    assert_ne!(first.exchange, second.exchange);
    side.reply(&second, b"2");
    side.reply(&first, b"1");
    assert_eq!(
        side.written(),
        b"\x01\x01q\x01\x00\x01\x010\x00\x012\x01\x01x\x01\x02yz\x01\x00\x01\x010\x00\x011"
    );
    side.reply(&first, b"again"); // the exchange has ended
    assert_eq!(side.written(), b"");
}

#[test]
fn relays_are_counted_in_a_word() {
    let mut side = services("REQ");
    for (words, seen) in
        [("", None), ("relays=0", None), ("relays=3", Some("3")), ("json relays=9", Some("9"))]
    {
        let request =
            [&b"\x01\x00\x01\x03S/M\x01\x00\x00"[..], &[words.len() as u8], words.as_bytes()].concat();
        let open = side.feed(request).poll().expect_open();
        let expected: Vec<_> = seen.into_iter().map(|n| (RELAYS.to_owned(), n.as_bytes().into())).collect();
        assert_eq!(open.head.fields, expected, "{words}");
    }
    side.written();
    for words in ["relays=10", "relays=", "relays=-1", "relays=x"] {
        let request =
            [&b"\x01\x00\x01\x03S/M\x01\x00\x00"[..], &[words.len() as u8], words.as_bytes()].concat();
        assert_eq!(side.feed(request).events(), [], "{words}");
        assert!(side.written().starts_with(b"\x01\x00\x01\x013\x00"), "{words}: INVALID_ARGUMENT");
    }
    let mut client = met_by(Side::client(&PROTOCOL), "REP", 1);
    for (relays, words) in [("3", "fields relays=3"), ("0", "fields"), ("10", "fields"), ("x", "fields")] {
        client.call(&Call::new("S", "M").field(RELAYS, relays).field("x-a", "1"));
        assert!(client.written().ends_with(words.as_bytes()), "{relays}");
    }
}

#[test]
fn failures_have_their_code() {
    let mut side = services("REQ");
    let open = side.feed(b"\x01\x00\x01\x03S/M\x00\x00").poll().expect_open();
    side.fail(open.exchange, Status::not_found("no such user"));
    assert_eq!(side.written(), b"\x01\x00\x01\x015\x00\x0cno such user");
    let open = side.feed(b"\x01\x00\x01\x03S/M\x00\x00").poll().expect_open();
    side.reset(open.exchange, Status::OK);
    assert!(side.written().starts_with(b"\x01\x00\x01\x011\x00"));
}

#[test]
fn a_request_without_delimiter_is_dropped_and_one_of_another_form_answered() {
    let mut side = services("REQ");
    assert_eq!(side.feed(b"\x00\x05hello").events(), []);
    assert_eq!(side.feed(b"\x00\x00").events(), []);
    assert_eq!(side.written(), b"");
    for bytes in
        [&b"\x01\x00\x00\x05hello"[..], b"\x01\x00\x01\x01a\x00\x01b", b"\x01\x00\x01\x03\xff/a\x00\x00"]
    {
        assert_eq!(side.feed(bytes).events(), []);
        assert!(side.written().starts_with(b"\x01\x00\x01\x013\x00"), "{bytes:?}");
    }
}

#[test]
fn a_refused_admission_is_answered() {
    let mut side = Side::server(&PROTOCOL).hosted(|h| h.refuse(Status::unimplemented("no")));
    side = met_by(side, "REQ", 1);
    assert_eq!(side.feed(b"\x01\x00\x01\x03S/M\x00\x00").events(), []);
    assert_eq!(side.written(), b"\x01\x00\x01\x0212\x00\x02no");
}

#[test]
fn a_handler_takes_and_gives_frames_as_they_are() {
    let mut side = handler();
    let open = side.feed(b"\x01\x00\x01\x01a\x00\x02bc").poll().expect_open();
    let target = SeenTarget::Bound { protocol: "zmtp", number: 0 };
    assert_eq!((&open.head.target, &open.body[..]), (&target, &b"\x01\x01a\x00\x02bc"[..]));
    side.reply(&open, b"\x00\x02ok");
    assert_eq!(side.written(), b"\x01\x00\x00\x02ok");
    let open = side.feed(b"\x01\x00\x00\x00").poll().expect_open();
    side.finish(open.exchange, Outcome { reply: true, ..Outcome::default() });
    assert_eq!(side.written(), b"\x01\x00\x00\x00", "an empty reply is an empty frame");
    let open = side.feed(b"\x01\x00\x00\x00").poll().expect_open();
    side.fail(open.exchange, Status::internal("x"));
    assert_eq!(side.written(), b"\x01\x00\x01\x00\x01\x0213\x00\x01x");
}

#[test]
fn more_requests_than_may_be_under_way_wait() {
    let limits = Limits::DEFAULT.exchanges(2);
    let mut side =
        met_by(side_with(Role::Server, settings([super::super::SERVICES]), limits, false), "DEALER", 1);
    let request = b"\x01\x00\x01\x03S/M\x00\x00";
    let seen = side.feed(request.repeat(3)).events();
    let [Seen::Open(first), Seen::Open(_), Seen::Blocked] = &seen[..] else { panic!("{seen:?}") };
    side.reply(first, b"");
    assert!(matches!(side.events()[..], [Seen::Open(_), Seen::Blocked]));
}

#[test]
fn a_call_and_its_reply_from_our_client_to_our_server() {
    let (mut client, mut server) = (Side::client(&PROTOCOL), Side::server(&PROTOCOL));
    let early = client.call(&Call::new("S.E", "M").body(b"early")); // before a peer is connected
    let mut at_client = Vec::new();
    for _ in 0..4 {
        at_client.extend(client.events());
        pass(&mut client, &mut server);
        if let Some(Seen::Open(open)) = server.events().pop() {
            assert_eq!(open.body, b"early");
            server.reply(&open, b"reply");
        }
        pass(&mut server, &mut client);
    }
    let (exchange, outcome) = at_client.pop().expect("the peer and a reply").expect_finish();
    assert_eq!((exchange, outcome.reply, &outcome.body[..]), (early, true, &b"reply"[..]));

    let calls: Vec<_> = (0..5u8).map(|n| client.call(&Call::new("S.E", "M").body([n]))).collect();
    pass(&mut client, &mut server);
    for open in server.events().into_iter().rev() {
        let open = open.expect_open();
        match open.body[0] {
            3 => server.fail(open.exchange, Status::unavailable("three")),
            _ => server.reply(&open, &open.body),
        }
    }
    pass(&mut server, &mut client);
    for (n, seen) in client.events().into_iter().enumerate() {
        let n = 4 - n;
        let (exchange, outcome) = seen.expect_finish();
        assert_eq!(exchange, calls[n]);
        match n {
            3 => {
                let status = outcome.status;
                assert_eq!((status.code(), status.message()), (Code::Unavailable, "three"));
                assert_eq!(status.origin(), Origin::Remote);
            }
            _ => assert_eq!(&outcome.body[..], [n as u8]),
        }
    }
}

#[test]
fn replies_to_nobody_are_dropped_and_broken_ones_fail_their_call() {
    let mut client = met_by(Side::client(&PROTOCOL), "REP", 1);
    assert_eq!(client.feed(b"\x01\x00\x00\x01a\x00\x05hello\x01\x03abc\x01\x00\x00\x00").events(), []);
    let exchange = client.call(&Call::new("S", "M"));
    let id = client.written()[2..15].to_vec();
    client.feed([&[1, 13], &id[..], b"\x01\x00\x00\x01x"].concat());
    let (finished, outcome) = client.poll().expect_finish();
    assert_eq!((finished, outcome.status.code()), (exchange, Code::Internal));
    assert_eq!(outcome.status.origin(), Origin::Remote);
}

#[test]
fn sockets_of_messages_carry_no_calls() {
    let mut side = met(Kind::Dealer, "REP");
    let call = Call::new("S", "M");
    assert_eq!(side.open(Exchange { token: 1, slot: 1 }, &call), Err(Refusal::WrongRole));
}
