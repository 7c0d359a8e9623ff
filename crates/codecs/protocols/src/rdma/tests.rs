//! Hellos as docs/wire/rdma_hello.md has them: its examples, bounds, and what a peer can do wrong.

use super::PROTOCOL;
use polywire_machine_testing::{Rest, Seen, Side, at_every_split, hex, survives_noise};
use polywire_wire::{Sniff, WireError};

/// Examples 1 and 2, and a hello of UBRing.
fn hellos() -> [Vec<u8>; 3] {
    let mut ring = hex("55 42 00 40 00 02 00 01 00 00 00 00 00 40 00 00");
    ring.resize(64, b'n');
    [
        hex("52 44 4d 41 00 28 00 02 00 01 00 00 1f e0 00 80 00 80 00 00 00 00 00 00 00 00 00 00 00 00 ff ff
             0a 00 00 07 00 00 01 23"),
        hex("52 44 4d 33 00 00 00 20 08 e0 3f 10 80 01 18 80 01 20 00 2a 10 00 00 00 00 00 00 00 00 00 00 ff
             ff 0a 00 00 07 30 a3 02"),
        ring,
    ]
}

/// Examples 3 and 4, and the refusal of UBRing.
fn refusals() -> [Vec<u8>; 3] {
    let zeros = |begin: &str, length| {
        let mut bytes = hex(begin);
        bytes.resize(length, 0);
        bytes
    };
    [
        zeros("52 44 4d 41 00 28 ff ff", 40),
        hex("52 44 4d 33 00 00 00 1c 08 00 10 00 18 00 20 00 2a 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00
             00 00 30 00"),
        zeros("55 42 00 40", 64),
    ]
}

const ACKNOWLEDGEMENT: [u8; 4] = [0; 4];

#[test]
fn each_hello_is_refused_in_its_version_and_what_follows_is_another_protocol() {
    for (hello, refusal) in hellos().into_iter().zip(refusals()) {
        let mut server = Side::server(&PROTOCOL);
        assert_eq!(server.feed(&hello).poll(), Seen::Need(4));
        assert_eq!(server.written(), refusal);
        assert_eq!(server.feed(ACKNOWLEDGEMENT).poll(), Seen::Need(1));
        assert_eq!(server.feed(b"PRPC").poll(), Seen::Foreign);
        assert_eq!((server.written().len(), server.input.to_vec()), (0, b"PRPC".to_vec()));
    }
}

#[test]
fn hello_acknowledgement_and_request_may_come_in_any_pieces() {
    for (hello, refusal) in hellos().into_iter().zip(refusals()) {
        let run = at_every_split(|| Side::server(&PROTOCOL), &[&hello[..], &ACKNOWLEDGEMENT, b"P"].concat());
        assert_eq!((run.written.0, run.rest), (refusal, Rest::Foreign));
    }
}

#[test]
fn lengths_are_bounded_before_the_rest_comes() {
    let v2 = |length: u16| [b"RDMA", &length.to_be_bytes()[..]].concat();
    let v3 = |length: u32| [b"RDM3", &length.to_be_bytes()[..]].concat();
    for (begin, is_taken) in [
        (v2(39), false),
        (v2(40), true),
        (v2(41), true),
        (v2(4096), true),
        (v2(4097), false),
        (v3(0), false),
        (v3(1), true),
        (v3(8192), true),
        (v3(8193), false),
        (v3(u32::MAX), false),
    ] {
        let mut server = Side::server(&PROTOCOL);
        match server.feed(&begin).poll() {
            Seen::Need(_) => assert!(is_taken, "{begin:?}"),
            Seen::Error(WireError::Malformed(_)) => assert!(!is_taken, "{begin:?}"),
            other => panic!("{begin:?}: {other:?}"),
        }
    }
    let mut server = Side::server(&PROTOCOL);
    let mut extended = v2(41);
    extended.resize(41, 7);
    assert_eq!(server.feed(&extended).poll(), Seen::Need(4));
    assert_eq!(server.written(), refusals()[0], "an extension is dropped");
}

#[test]
fn an_acknowledgement_of_what_was_refused_ends_the_connection() {
    let mut server = Side::server(&PROTOCOL);
    assert_eq!(server.feed(&hellos()[0]).poll(), Seen::Need(4));
    let error = server.feed([0, 0, 0, 1]).poll().expect_error();
    assert!(matches!(error, WireError::Malformed(_)));
}

#[test]
fn other_first_bytes_are_no_hello() {
    for (bytes, sniffed) in [
        (&b""[..], Sniff::NeedMore(1)),
        (b"R", Sniff::NeedMore(1)),
        (b"RDM", Sniff::NeedMore(1)),
        (b"RDMA", Sniff::Mine),
        (b"RDM3", Sniff::Mine),
        (b"UB\0\x40", Sniff::Mine),
        (b"RDMX", Sniff::NotMine),
        (b"UBX", Sniff::NotMine),
        (b"PRPC", Sniff::NotMine),
    ] {
        assert_eq!((PROTOCOL.sniff)(bytes), sniffed, "{bytes:?}");
    }
}

#[test]
fn noise_does_no_harm() {
    let hellos = hellos();
    let goldens: Vec<_> = hellos.iter().map(|hello| &hello[..]).chain([&ACKNOWLEDGEMENT[..]]).collect();
    survives_noise(|| Side::server(&PROTOCOL), &goldens, 31, 1500);
}
