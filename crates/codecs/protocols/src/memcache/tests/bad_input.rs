//! What a server can send that is wrong, too long, or nobody's.

use super::{call, finished, reply, request, with_calls};
use crate::memcache::{META, PROTOCOL, opcode};
use polywire_call::{Code, Status};
use polywire_machine_testing::{Seen, Side, hex, survives_noise};
use polywire_wire::{ClientSetup, Limits, WireError};

fn get() -> Vec<u8> {
    request(opcode::GET, 5, "k")
}

#[track_caller]
fn closes(mut side: Side, bytes: &[u8]) -> WireError {
    match side.feed(bytes).events().pop() {
        Some(Seen::Error(error)) => error,
        other => panic!("{:?}: {other:?}", bytes.escape_ascii().to_string()),
    }
}

#[test]
fn a_wrong_packet_closes_the_connection() {
    let binary = with_calls(&PROTOCOL, vec![get()]);
    for (bytes, error) in [
        (b"\x80".to_vec(), WireError::BadMagic),
        (b"VALUE".to_vec(), WireError::BadMagic),
        (reply(opcode::GET, 6, 0, b""), WireError::Malformed("a reply to another request than the next")),
        (reply(opcode::SET, 5, 0, b""), WireError::Malformed("a reply to another request than the next")),
        (
            hex("81 00 0005 04 00 0000 00000008 00000005 0000000000000000"),
            WireError::Malformed("a body that is shorter than its extras and key"),
        ),
        (hex("81 00 0000 04 00 0000 ffffffff 00000005 0000000000000000"), WireError::TooLarge),
        (hex("81 00 0000 00 00 0000 04000001 00000005 0000000000000000"), WireError::TooLarge),
    ] {
        assert_eq!(closes(binary(), &bytes), error, "{bytes:x?}");
    }
}

#[test]
fn a_wrong_line_closes_the_connection() {
    let meta = with_calls(&META, vec![b"mg k v O5\r\n".to_vec()]);
    for bytes in [
        "VALUE k 0 1\r\nx\r\nEND\r\n",
        "VA\r\n",
        "VA x\r\n",
        "VA -1\r\n",
        "VA 67108865\r\n",
        "VA 99999999999\r\n",
        "VA 1 O5\r\nxyz",
        "HD O6\r\n",
        "EN O6\r\n",
        "NS O5\r\n",
        "MN\r\n",
        "HD\n",
        "STORED\r\n",
        "\r\n",
    ] {
        closes(meta(), bytes.as_bytes());
    }
    assert_eq!(closes(meta(), &[b'E'; 5000]), WireError::TooLarge);
    let quiet = with_calls(&META, vec![b"mg k v q O1\r\nmg l v q O2\r\nmn\r\n".to_vec()]);
    closes(quiet(), b"VA 1 O2\r\nx\r\nVA 1 O1\r\nx\r\nMN\r\n");
    closes(quiet(), b"ERROR\r\nERROR\r\nERROR\r\nERROR\r\n");
}

#[test]
fn a_reply_nobody_waits_for_closes_the_connection() {
    let none = || Side::client(&PROTOCOL);
    closes(none(), &reply(opcode::GET, 0, 0, b""));
    closes(none(), &hex("81 00 0000 00 00 0000 00100000 00000000 0000000000000000"));
    closes(Side::client(&META), b"HD\r\n");
    closes(Side::client(&META), b"VA 1000000\r\n");
    let both = [reply(opcode::GET, 5, 1, b"Not found"), reply(opcode::GET, 5, 1, b"Not found")].concat();
    closes(with_calls(&PROTOCOL, vec![get()])(), &both);
}

/// A side whose calls may have this many bytes of replies.
fn limited(protocol: &'static polywire_wire::Protocol, most: u32) -> Side {
    Side::new(protocol, ClientSetup { limits: Limits::DEFAULT.max_message(most), ..ClientSetup::default() })
}

#[test]
fn replies_beyond_the_limit_are_dropped_as_they_come_and_the_connection_goes_on() {
    let value = vec![7; 300_000];
    let lines = [b"VA 300000 O1\r\n", &value[..], b"\r\nEN O2\r\n"].concat();
    for (protocol, bodies, replies) in [
        (
            &PROTOCOL,
            [get(), request(opcode::GET, 6, "l")],
            [reply(opcode::GET, 5, 0, &value), reply(opcode::GET, 6, 1, b"Not found")].concat(),
        ),
        (&META, [b"mg k v O1\r\n".to_vec(), b"mg l v O2\r\n".to_vec()], lines),
    ] {
        let mut side = limited(protocol, 100_000);
        let exchanges = bodies.map(|body| side.call(&call(body)));
        let (mut ends, mut most) = (Vec::new(), 0);
        for chunk in replies.chunks(10_000) {
            for seen in side.feed(chunk).events() {
                if let Seen::Finish { exchange, outcome } = seen {
                    ends.push((exchange, outcome.status.code()));
                }
            }
            most = most.max(side.held() + side.input.len());
        }
        assert_eq!(ends, [(exchanges[0], Code::ResourceExhausted), (exchanges[1], Code::Ok)]);
        assert!(most < 20_000, "{most} bytes were kept of what is dropped");
    }
}

#[test]
fn many_short_replies_have_the_same_limit_as_a_long_one() {
    let requests: Vec<u8> = (0..1000).flat_map(|i| request(opcode::GET, i, "k")).collect();
    let mut side = limited(&PROTOCOL, 100_000);
    side.call(&call(requests));
    let mut most = 0;
    let replies: Vec<u8> = (0..1000).flat_map(|i| reply(opcode::GET, i, 0, &[7; 500])).collect();
    let mut ends = Vec::new();
    for chunk in replies.chunks(5000) {
        ends.extend(side.feed(chunk).events().into_iter().filter(|seen| matches!(seen, Seen::Finish { .. })));
        most = most.max(side.held());
    }
    let [end] = <[_; 1]>::try_from(ends).expect("one end");
    assert_eq!(end.expect_finish().1.status.code(), Code::ResourceExhausted);
    assert!(most < 150_000, "{most}");
}

#[test]
fn what_is_not_admitted_is_dropped() {
    let mut side = Side::client(&PROTOCOL).hosted(|host| host.limit_replies(1000));
    side.call(&call(get()));
    let (_, outcome) = side.feed(reply(opcode::GET, 5, 0, &[0; 100_000])).poll().expect_finish();
    assert_eq!(outcome.status.code(), Code::ResourceExhausted);
}

#[test]
fn the_reply_of_a_call_that_was_given_up_is_dropped_and_the_next_one_finds_its_call() {
    for at in 0..60 {
        let mut side = Side::client(&PROTOCOL);
        let first = side.call(&call(get()));
        let second = side.call(&call(request(opcode::GET, 6, "l")));
        let replies = [reply(opcode::GET, 5, 0, b"one"), reply(opcode::GET, 6, 0, b"two")].concat();
        let at = at.min(replies.len());
        let early = side.feed(&replies[..at]).events();
        side.reset(first, Status::cancelled(""));
        let mut events = early;
        events.extend(side.feed(&replies[at..]).events());
        let mut ends = events.into_iter().filter(|seen| matches!(seen, Seen::Finish { .. }));
        let (exchange, outcome) = finished(ends.next_back().expect("the second has ended"));
        assert_eq!((exchange, &outcome.body.0[..]), (second, &reply(opcode::GET, 6, 0, b"two")[..]));
    }
}

#[test]
fn noise_does_no_harm() {
    let goldens = [
        reply(opcode::GET, 5, 0, b"value"),
        reply(opcode::GETKQ, 1, 0, b"value"),
        reply(opcode::NOOP, 3, 0, b""),
        reply(opcode::STAT, 9, 0, b"pid"),
    ];
    let goldens: Vec<&[u8]> = goldens.iter().map(Vec::as_slice).collect();
    let quiet = [request(opcode::GETKQ, 1, "a"), request(opcode::NOOP, 3, "")].concat();
    survives_noise(
        with_calls(&PROTOCOL, vec![get(), quiet, request(opcode::STAT, 9, "")]),
        &goldens,
        16,
        300,
    );
    let lines: [&[u8]; 5] =
        [b"VA 3 f1 O5\r\nabc\r\n", b"HD O6\r\n", b"EN\r\n", b"MN\r\n", b"SERVER_ERROR x\r\n"];
    let bodies = ["mg k v O5\r\n", "ms k 1 O6\r\nx\r\n", "mg k v q O7\r\nmn\r\n"];
    survives_noise(with_calls(&META, bodies.map(|body| body.as_bytes().to_vec()).to_vec()), &lines, 17, 300);
}
