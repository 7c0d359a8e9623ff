//! "Limits and bad input" (docs/wire/zmtp.md, section 8): all of it closes the connection.

use super::*;
use polywire_wire::WireError;

#[track_caller]
fn breaks(mut side: Side, bytes: &[u8]) -> WireError {
    side.feed(bytes);
    let seen = side.events();
    match seen.last() {
        Some(Seen::Error(error)) => *error,
        _ => panic!("{seen:?}"),
    }
}

#[test]
fn greetings_that_are_none() {
    assert_eq!(breaks(bound(Kind::Rep), b"GET / HTTP/1.1\r\n"), WireError::BadMagic);
    assert_eq!(breaks(bound(Kind::Rep), &hex("ff 00 00 00 00 00 00 00 01 7e")), WireError::BadMagic);
    for major in [0, 1, 2] {
        let mut old = hex("ff 00 00 00 00 00 00 00 01 7f");
        old.push(major);
        assert!(matches!(breaks(bound(Kind::Rep), &old), WireError::Malformed(_)));
    }
    for mechanism in ["PLAIN", "CURVE", "NULLX", "null", ""] {
        assert!(matches!(breaks(bound(Kind::Rep), &greeting(mechanism, 1)), WireError::Malformed(_)));
    }
}

#[test]
fn later_versions_are_spoken_to_as_3_1() {
    for version in [(3, 9), (4, 0)] {
        let mut greeting = greeting("NULL", version.1);
        greeting[10] = version.0;
        let mut side = bound(Kind::Sub);
        side.feed([greeting, ready("PUB")].concat()).events();
        side.written();
        side.send_message(Exchange::CONNECTION, b"\x00\x01\x01", false);
        assert_eq!(side.written(), hex("04 0a 09 53 55 42 53 43 52 49 42 45"));
    }
}

#[test]
fn the_role_in_the_greeting_is_not_looked_at() {
    for role in [1, 2, 0xff] {
        let mut greeting = greeting("NULL", 1);
        greeting[32] = role;
        assert_eq!(bound(Kind::Rep).feed([greeting, ready("REQ")].concat()).events().len(), 1);
    }
}

#[test]
fn handshakes_that_are_none() {
    let after_greeting = |command: &[u8]| breaks(bound(Kind::Rep), &[&greeting("NULL", 1), command].concat());
    for (name, bytes) in [
        ("a message", &b"\x00\x05hello"[..]),
        ("HELLO", b"\x04\x06\x05HELLO"),
        ("no name", b"\x04\x00"),
        ("an empty name", b"\x04\x01\x00"),
        ("a name beyond its frame", b"\x04\x03\x05RE"),
        ("no socket type", b"\x04\x06\x05READY"),
        ("an unknown socket type", b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03ABC"),
        ("a socket type in lower case", b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03req"),
        ("a wrong socket type", b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB"),
        ("a value beyond its frame", b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x04REQ"),
        ("a long value", b"\x04\x19\x05READY\x0bSocket-Type\xff\xff\xff\xffREQ"),
        ("MORE on a command", b"\x05\x19\x05READY\x0bSocket-Type\0\0\0\x03REQ"),
        ("a reserved flag", b"\x0c\x19\x05READY\x0bSocket-Type\0\0\0\x03REQ"),
    ] {
        assert!(matches!(after_greeting(bytes), WireError::Malformed(_)), "{name}");
    }
    let identity = b"\x04\x26\x05READY\x0bSocket-Type\0\0\0\x03REQ\x08Identity\0\0\0\0";
    let mut zero = identity.to_vec();
    (zero[1], zero[39]) = (0x27, 1);
    zero.push(0);
    assert!(matches!(after_greeting(&zero), WireError::Malformed(_)), "an identity that begins with zero");
}

#[test]
fn names_of_properties_have_no_case_and_unknown_ones_are_passed_over() {
    let bytes = b"\x04\x23\x05READY\x03X-a\0\0\0\x02hi\x0bsocket-type\0\0\0\x03REQ";
    let mut side = bound(Kind::Rep);
    let seen = side.feed([&greeting("NULL", 1)[..], bytes].concat()).events();
    assert_eq!(seen, [Seen::Peer { kind: "REQ".into(), identity: b""[..].into() }]);
}

#[test]
fn a_handshake_of_more_than_a_head_is_refused_by_its_length() {
    let long = [greeting("NULL", 1), hex("06 00 00 00 00 00 00 40 01")].concat();
    assert_eq!(breaks(bound(Kind::Rep), &long), WireError::TooLarge);
}

#[test]
fn frames_that_are_none() {
    for flags in (0..=255u8).filter(|flags| *flags >= 8 || flags & 5 == 5) {
        assert!(matches!(breaks(met(Kind::Pull, "PUSH"), &[flags, 0]), WireError::Malformed(_)));
    }
    let most = hex("02 ff ff ff ff ff ff ff ff");
    assert_eq!(breaks(met(Kind::Pull, "PUSH"), &most), WireError::TooLarge);
}

#[test]
fn unknown_commands_are_passed_over_and_broken_ones_are_not() {
    let mut side = met(Kind::Pull, "PUSH");
    assert_eq!(side.feed(b"\x04\x04\x03FOO\x00\x01a").events(), [part(b"\x00\x01a")]);
    for bytes in [&b"\x04\x05\x04PING"[..], b"\x04\x06\x04PINGx", b"\x04\x02\x05A"] {
        assert!(matches!(breaks(met(Kind::Pull, "PUSH"), bytes), WireError::Malformed(_)), "{bytes:?}");
    }
}
