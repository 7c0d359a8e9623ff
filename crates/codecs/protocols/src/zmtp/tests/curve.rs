//! CURVE between our client and our server, with sizes as libzmq has them, and boxes that must not open.

use super::*;
use crate::zmtp::SecretKey;
use polywire_call::Status;
use polywire_machine_testing::{Call, pass, survives_noise};
use polywire_wire::WireError;

fn key(byte: u8) -> SecretKey {
    SecretKey::from_random(&[byte; 32])
}

fn client_knowing(server: &SecretKey) -> Side {
    let security = Security::CurveClient { server: server.public(), secret: key(2) };
    let settings = Settings { security, ..settings([messages(Kind::Dealer)]) };
    side_with(Role::Client, settings, Limits::DEFAULT, false)
}

fn server(authenticate: bool) -> Side {
    let security = Security::CurveServer { secret: key(1) };
    let settings = Settings { security, ..settings([messages(Kind::Router)]) };
    side_with(Role::Server, settings, Limits::DEFAULT, authenticate)
}

/// A client and a server after the handshake; the bytes that each wrote during it.
fn met() -> (Side, Side, Vec<Vec<u8>>) {
    let (mut client, mut server) = (client_knowing(&key(1)), server(false));
    let mut written = Vec::new();
    let (mut at_client, mut at_server) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        at_client.extend(client.events());
        written.push(client.written());
        at_server.extend(server.feed(written.last().unwrap()).events());
        written.push(server.written());
        client.feed(written.last().unwrap());
    }
    assert_eq!(at_client, [Seen::Peer { kind: "ROUTER".into(), identity: b""[..].into() }]);
    assert_eq!(at_server, [Seen::Peer { kind: "DEALER".into(), identity: b""[..].into() }]);
    (client, server, written)
}

#[test]
fn the_handshake_has_the_sizes_of_libzmq() {
    let (_, _, written) = met();
    let all: Vec<_> = written.concat();
    assert_eq!(all.len(), 64 * 2 + (2 + 200) + (2 + 168) + (9 + 292) + (2 + 65));
    for (name, flag) in [("\x05HELLO\x01\x00", 4), ("\x07WELCOME", 4), ("\x08INITIATE", 6), ("\x05READY", 4)]
    {
        let at = all.windows(name.len()).position(|w| w == name.as_bytes()).unwrap();
        let head = if flag & 2 == 0 { 2 } else { 9 }; // short or long
        assert_eq!(all[at - head], flag, "{name:?}");
    }
}

#[test]
fn messages_pass_sealed_and_whole() {
    let (mut client, mut server, _) = met();
    client.send_message(Exchange::CONNECTION, b"\x01\x05part1\x00\x02p2", false);
    let wire = client.written();
    // "MESSAGE of "part1" 38, of "p2" 35", frames with flags 00
    assert_eq!((wire[0], wire[1], wire.len()), (0, 38, 2 + 38 + 2 + 35));
    assert!(!wire.windows(5).any(|w| w == b"part1"));
    assert_eq!(server.feed(&wire).events(), [part(b"\x01\x05part1\x00\x02p2")]);
    let mut long = hex("02 00 00 00 00 00 00 10 00");
    long.resize(9 + 4096, b'x');
    server.send_message(Exchange::CONNECTION, &long, false);
    assert_eq!(client.feed_split(server.written(), &[1000]), [part(&long)]);
}

/// Of messages that were sent in part, those that the peer cannot assemble are sent again, and no others.
#[test]
fn what_has_not_left_whole_is_sent_again() {
    let mut run = polywire_base::Output::default();
    let lengths = [&[0][..], &[1, 2], &[221, 222, 223], &[254, 255], &[256, 0, 3], &[1000]];
    let mut ends = vec![0];
    for frames in lengths {
        let frames: Vec<bytes::Bytes> = frames.iter().map(|length| vec![7; *length].into()).collect();
        crate::zmtp::write_message(&mut run, &frames);
        ends.push(run.len());
    }
    let run = run.take();
    for sealed in [false, true] {
        let (mut sender, mut receiver) = if sealed {
            let (client, server, _) = met();
            (client, server)
        } else {
            (super::met(Kind::Dealer, "ROUTER"), super::met(Kind::Router, "DEALER"))
        };
        sender.send_message(Exchange::CONNECTION, run.to_vec(), false);
        let wire = sender.written();
        let mut received = 0;
        for left in 0..=wire.len() {
            if left > 0 {
                received += receiver.feed(&wire[left - 1..left]).events().len();
            }
            let (rest, messages) = crate::zmtp::unsent(run.clone(), left, sealed);
            assert_eq!(messages as usize, lengths.len() - received, "{left} of {}", wire.len());
            assert_eq!(rest.to_vec(), run.to_vec()[ends[received]..]);
        }
        assert_eq!(received, lengths.len());
    }
}

#[test]
fn both_flags_of_a_message_frame_are_taken() {
    let (mut client, mut server, _) = met();
    client.send_message(Exchange::CONNECTION, b"\x00\x01a", false);
    let mut wire = client.written();
    wire[0] |= 4;
    assert_eq!(server.feed(&wire).events(), [part(b"\x00\x01a")]);
}

#[test]
fn what_was_altered_repeated_or_left_out_of_order_closes() {
    let sealed = |client: &mut Side| {
        client.send_message(Exchange::CONNECTION, b"\x00\x01a", false);
        client.written()
    };
    let (mut client, mut server, _) = met();
    let first = sealed(&mut client);
    server.feed(&first).events();
    assert!(matches!(server.feed(&first).events()[..], [Seen::Error(WireError::Malformed(_))]), "repeated");
    for at in 2..36 {
        let (mut client, mut server, _) = met();
        let mut wire = sealed(&mut client);
        wire[at] ^= 1;
        let seen = server.feed(&wire).events();
        assert!(matches!(seen[..], [Seen::Error(WireError::Malformed(_))]), "byte {at}: {seen:?}");
    }
    let (_, mut server, _) = met();
    let clear = server.feed(b"\x00\x01a").events();
    assert!(matches!(clear[..], [Seen::Error(WireError::Malformed(_))]), "in the clear");
}

#[test]
fn a_client_that_knows_another_key_is_not_let_in() {
    let (mut client, mut server) = (client_knowing(&key(9)), server(false));
    client.events();
    server.events();
    pass(&mut client, &mut server);
    pass(&mut server, &mut client);
    client.events();
    pass(&mut client, &mut server);
    assert!(matches!(server.events()[..], [Seen::Error(WireError::Malformed(_))]));
}

#[test]
fn the_server_asks_about_the_clients_key() {
    for verdict in [Ok(()), Err(Status::unauthenticated("no"))] {
        let (mut client, mut server) = (client_knowing(&key(1)), server(true));
        let mut asked = Vec::new();
        for _ in 0..3 {
            client.events();
            pass(&mut client, &mut server);
            asked.extend(server.events());
            pass(&mut server, &mut client);
        }
        assert_eq!(asked.pop(), Some(Seen::Blocked));
        let claim = asked.pop().expect("a question").expect_claim();
        assert_eq!((claim.scheme, claim.credential), ("CURVE", Some(key(2).public().0[..].into())));
        server.authenticated(verdict.clone());
        let at_server = server.events();
        pass(&mut server, &mut client);
        let at_client = client.events();
        match verdict {
            Ok(()) => assert!(matches!(
                (&at_server[..], &at_client[..]),
                ([Seen::Peer { .. }], [Seen::Peer { .. }])
            )),
            Err(_) => {
                assert!(matches!(at_server[..], [Seen::Closed]));
                assert!(matches!(at_client[..], [Seen::Reset { .. }, Seen::Closed]));
            }
        }
    }
}

#[test]
fn heartbeats_and_subscriptions_are_sealed_too() {
    let limits = Limits::DEFAULT
        .keepalive(polywire_wire::Keepalive::DEFAULT.every(std::time::Duration::from_millis(100)));
    let security = Security::CurveClient { server: key(1).public(), secret: key(2) };
    let sub = Settings { security, ..settings([messages(Kind::Sub)]) };
    let security = Security::CurveServer { secret: key(1) };
    let publisher = Settings { security, ..settings([messages(Kind::Pub)]) };
    let mut sub = side_with(Role::Client, sub, limits, false);
    let mut publisher = side_with(Role::Server, publisher, Limits::DEFAULT, false);
    for _ in 0..4 {
        sub.events();
        pass(&mut sub, &mut publisher);
        publisher.events();
        pass(&mut publisher, &mut sub);
    }
    sub.send_message(Exchange::CONNECTION, b"\x00\x03\x01ab", false);
    pass(&mut sub, &mut publisher);
    assert_eq!(publisher.events(), [Seen::Topic { on: true, topic: b"ab"[..].into() }]);
    sub.wait(std::time::Duration::from_millis(100)).unwrap();
    assert_eq!(pass(&mut sub, &mut publisher), 2 + 33 + 7);
    assert_eq!(publisher.events(), []);
    assert_eq!(pass(&mut publisher, &mut sub), 2 + 33 + 5);
    assert_eq!(sub.events(), []);
}

#[test]
fn calls_pass_sealed() {
    let security = Security::CurveClient { server: key(1).public(), secret: key(2) };
    let dealer = Socket { kind: Kind::Dealer, delivery: Delivery::Calls };
    let client = Settings { security, ..settings([dealer]) };
    let security = Security::CurveServer { secret: key(1) };
    let rep = Settings { security, ..settings([super::super::SERVICES]) };
    let mut client = side_with(Role::Client, client, Limits::DEFAULT, false);
    let mut server = side_with(Role::Server, rep, Limits::DEFAULT, false);
    let call = client.call(&Call::new("S", "M").body(b"hi"));
    let mut at_client = Vec::new();
    for _ in 0..6 {
        at_client.extend(client.events());
        pass(&mut client, &mut server);
        for seen in server.events() {
            if let Seen::Open(open) = seen {
                server.reply(&open, b"ho");
            }
        }
        pass(&mut server, &mut client);
    }
    let (exchange, outcome) = at_client.pop().expect("the peer and a reply").expect_finish();
    assert_eq!((exchange, &outcome.body[..]), (call, &b"ho"[..]));
}

#[test]
fn without_random_bytes_there_is_no_handshake() {
    let security = Security::CurveClient { server: key(1).public(), secret: key(2) };
    let deaf = Settings { security, random: |_| false, ..settings([messages(Kind::Dealer)]) };
    let mut side = side_with(Role::Client, deaf, Limits::DEFAULT, false);
    assert!(matches!(side.feed(greeting("CURVE", 1)).events()[..], [Seen::Error(WireError::Malformed(_))]));
}

#[test]
fn whatever_comes_the_machine_survives() {
    let (_, _, written) = met();
    let from_client: Vec<u8> = written.iter().step_by(2).flatten().copied().collect();
    let from_server: Vec<u8> = written.iter().skip(1).step_by(2).flatten().copied().collect();
    survives_noise(|| server(true), &[&from_client], 1, 100);
    survives_noise(|| client_knowing(&key(1)), &[&from_server], 2, 100);
}
