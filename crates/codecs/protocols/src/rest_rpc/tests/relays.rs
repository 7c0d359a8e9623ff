//! What relays say of calls, and the names by which they call functions.

use super::*;
use crate::rest_rpc::frame::{Recognised, recognise};
use polywire_wire::RELAYS;

/// `add(1, 2)` after three relays. Peers of both formats read nothing in these places.
const RELAYED: [(&str, Format, &str); 3] = [
    ("a", Format::A, "27 00 72 33 03 00 00 00 01 00 00 00 01 00 00 00 fc 78 ec 34 92 01 02"),
    (
        "b",
        Format::B,
        "27 00 00 00 fc 78 ec 34 72 65 6c 61 79 73 3d 33 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         8c 90 45 40 01 00 00 00 02 00 00 00",
    ),
    (
        "cross",
        Format::CrossB,
        "27 00 00 00 34 ec 78 fc 72 65 6c 61 79 73 3d 33 00 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 00
         8c 90 45 40 01 00 00 00 02 00 00 00",
    ),
];

#[test]
fn they_are_counted_in_requests_where_peers_read_nothing() {
    for (name, format, frame) in RELAYED {
        let mut side = client(name);
        side.open(exchange(1, 1), &add(format).field(RELAYS, "3").field("x-a", "1")).unwrap();
        assert_eq!(side.written(), hex(frame), "{name}");
        let open = server().feed(hex(frame)).poll().expect_open();
        assert_eq!(open.head.target, function(ADD), "{name}");
        assert_eq!(open.head.fields, [(RELAYS.to_owned(), b"3"[..].into())], "{name}");
        for none in ["0", "10", "x", ""] {
            let (mut with, mut without) = (client(name), client(name));
            with.open(exchange(1, 1), &add(format).field(RELAYS, none)).unwrap();
            without.open(exchange(1, 1), &add(format)).unwrap();
            assert_eq!(with.written(), without.written(), "{name}, {none:?}");
        }
    }
}

#[test]
fn other_bytes_there_say_nothing() {
    for (at, value) in [(2, 0), (2, b'R'), (3, 0), (3, b'0'), (3, b':'), (3, 0xff)] {
        let mut frame = hex(RELAYED[0].2);
        frame[at] = value;
        let open = server().feed(frame).poll().expect_open();
        assert_eq!(open.head.fields, [], "{at}: {value}");
    }
    for (at, value) in [(8, 0), (8, b'R'), (14, b':'), (15, b'0'), (15, 0xff)] {
        let mut side = server();
        side.feed(hex(ECHO_B));
        let open = side.poll().expect_open();
        side.reply(&open, b"test");
        let mut frame = hex(RELAYED[1].2);
        frame[at] = value;
        let open = side.feed(frame).poll().expect_open();
        assert_eq!(open.head.fields, [], "{at}: {value}");
    }
}

#[test]
fn first_bytes_that_a_relay_has_written_are_of_their_format_in_any_pieces() {
    for (name, format, frame) in RELAYED {
        let frame = hex(frame);
        for end in 1..frame.len() {
            match recognise(&frame[..end]) {
                Recognised::NeedMore => {}
                seen => assert_eq!(seen, Recognised::As(format), "{name}: {end}"),
            }
            let open = server().feed(&frame[..end]).feed(&frame[end..]).poll().expect_open();
            assert_eq!(open.head.target, function(ADD), "{name}: {end}");
        }
    }
    // The id of a call of A may begin like them.
    let frame = frame_a(false, 0x72, ADD as u32, &[0x92, 1, 2]);
    for end in 1..frame.len() {
        assert_ne!(recognise(&frame[..end]), Recognised::NotMine, "{end}");
    }
    assert_eq!(recognise(&frame), Recognised::As(Format::A));
    // Who says so and nothing that fits is not waited for.
    for (at, value) in [(16, 0xff), (24, 1)] {
        let mut frame = hex(RELAYED[1].2);
        frame[at..at + 8].fill(value);
        assert_eq!(recognise(&frame), Recognised::NotMine, "{at}");
    }
}

#[test]
fn functions_have_the_numbers_of_their_names_in_namespaces_or_their_own() {
    for (service, method, name) in [
        ("rest_rpc", "add", "add"),
        ("", "add", "add"),
        ("dummy", "add", "dummy::add"),
        ("shop.stock", "get", "shop::stock::get"),
        ("rest_rpc", "dummy::add", "dummy::add"),
        ("rest_rpc", "007", "007"),
        ("rest_rpc", "4294967296", "4294967296"),
        ("dummy", "7", "dummy::7"),
    ] {
        assert_eq!(super::super::hash(service, method), function_id(name), "{service}/{method}");
    }
    assert_eq!(super::super::hash("rest_rpc", "add"), ADD as u32);
    assert_eq!(super::super::hash("dummy", "add"), 0xb5c9_99c1);
    assert_eq!(super::super::hash("rest_rpc", "887912700"), ADD as u32);
    let mut side = client("b");
    side.open(exchange(1, 1), &Call::new("dummy", "add").content(Content::STRUCT_PACK)).unwrap();
    assert_eq!(side.written()[4..8], [0xc1, 0x99, 0xc9, 0xb5]);
}

#[test]
fn a_failure_that_goes_on_in_b_keeps_code_and_text() {
    for (code, text) in [
        (1, &b"unknown function: 7"[..]),
        (4, b"exception occur when callno such lamp"),
        (4, b"said by a handler that answers later"),
        (5, b"unknown exception occur when call add"),
        (13, b"protocol_error"),
    ] {
        let body = [&[code][..], text].concat();
        let mut near = client("b");
        near.open(exchange(1, 1), &add(Format::B)).unwrap();
        let status = near.feed(frame_b(false, 0, &body)).poll().expect_finish().1.status;
        let mut far = server();
        let open = far.feed(hex(CALL_B)).poll().expect_open();
        far.fail(open.exchange, status.clone());
        assert_eq!(far.written(), frame_b(false, 0, &body), "{code}");
        // In A there is one code of a failure.
        let mut far = server();
        let open = far.feed(hex(CALL_A)).poll().expect_open();
        far.fail(open.exchange, status);
        let written = far.written();
        assert!(written[20..].starts_with(&[0x92, 1]) && written.ends_with(text), "{code}: {written:02x?}");
    }
}
