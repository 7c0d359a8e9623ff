//! Bad input: section 7 of the sheet.

use super::*;
use polywire_wire::WireError;

#[test]
fn a_wrong_magic_in_mid_stream_closes() {
    for call in [CALL_A, CALL_B] {
        let mut side = server();
        let open = side.feed(hex(call)).poll().expect_open();
        side.reply(&open, "3");
        assert_eq!(side.feed([0x28]).poll(), Seen::Error(WireError::BadMagic), "at its first byte");
    }
    let mut side = client("a");
    assert_eq!(side.feed([0x28; 20]).poll(), Seen::Error(WireError::BadMagic));
}

#[test]
fn bodies_beyond_the_limit_close_by_their_head() {
    let announced = |mut frame: Vec<u8>, at: usize, bytes: u64, width: usize| {
        frame[at..at + width].copy_from_slice(&bytes.to_le_bytes()[..width]);
        frame
    };
    let opened = |call: &str| {
        let mut side = server();
        let open = side.feed(hex(call)).poll().expect_open();
        side.reply(&open, "3");
        side.written();
        side
    };
    let a = |bytes| announced(frame_a(false, 1, 1, &[]), 4, bytes, 4);
    assert_eq!(opened(CALL_A).feed(a(10 << 20)).poll(), Seen::Error(WireError::TooLarge));
    assert_eq!(opened(CALL_A).feed(a((10 << 20) - 1)).poll(), Seen::Need((10 << 20) - 1));
    let b = |bytes| announced(frame_b(false, 1, &[]), 16, bytes, 8);
    assert_eq!(opened(CALL_B).feed(b((64 << 20) + 1)).poll(), Seen::Error(WireError::TooLarge));
    assert_eq!(opened(CALL_B).feed(b(u64::MAX)).poll(), Seen::Error(WireError::TooLarge));
    assert_eq!(opened(CALL_B).feed(b(64 << 20)).poll(), Seen::Need(64 << 20));
    for (format, frame) in [("a", a(10 << 20)), ("b", b(u64::MAX)), ("cross", b(1 << 20))] {
        let mut side = client(format);
        side.open(exchange(1, 0), &add(Format::named(format).unwrap())).unwrap();
        assert_eq!(side.feed(frame).poll(), Seen::Error(WireError::TooLarge), "{format}");
    }
}

#[test]
fn an_attachment_of_format_b_closes() {
    let mut side = server();
    side.feed(hex(SUBSCRIBE_B)).events();
    let mut frame = hex(CALL_B);
    frame[31] = 1;
    assert!(matches!(side.feed(frame).poll(), Seen::Error(WireError::Malformed(_))));
}

#[test]
fn a_type_that_is_neither_closes() {
    for (at, call) in [(1, CALL_A), (3, CALL_B)] {
        let mut side = server();
        let open = side.feed(hex(call)).poll().expect_open();
        side.reply(&open, "3");
        let mut frame = hex(call);
        frame[at] = 2;
        assert!(matches!(side.feed(frame).poll(), Seen::Error(WireError::Malformed(_))));
    }
}

#[test]
fn a_subscription_that_is_not_two_strings_closes() {
    for body in [
        &b""[..],
        &[0x90],
        &[0x91, 0xa1, b'k'],
        &[0x92, 1, 2],
        &[0x92, 0xa1, b'k', 0xa0, 0],
        &[0x92, 0xa9, b'k', 0xa0],
    ] {
        let mut side = server();
        side.feed(hex(HEARTBEAT)).events();
        let seen = side.feed(frame_a(true, 0, 1, body)).poll();
        assert!(matches!(seen, Seen::Error(WireError::Malformed(_))), "{body:02x?}: {seen:?}");
    }
    let mut body = vec![0x92];
    polywire_formats::msgpack::put_str(&mut body, &[b'k'; 1025]);
    body.push(0xa0);
    assert_eq!(server().feed(frame_a(true, 0, 1, &body)).poll(), Seen::Error(WireError::TooLarge));
    let head = &frame_a(true, 0, 1, &[0x92; 2000])[..21];
    assert_eq!(server().feed(head).poll(), Seen::Error(WireError::TooLarge), "by its head");
}

#[test]
fn an_empty_body_from_a_server_closes() {
    for (format, frame) in [("a", hex(HEARTBEAT)), ("b", frame_b(false, 0, b""))] {
        let mut side = client(format);
        side.open(exchange(1, 0), &add(Format::named(format).unwrap())).unwrap();
        assert!(matches!(side.feed(frame).poll(), Seen::Error(WireError::Malformed(_))));
    }
}

#[test]
fn replies_that_are_no_replies_fail_their_call_alone() {
    for body in
        [&[0xc0][..], &[0x90], &[0x92, 0xa0, 0], &[0x93, 0, 1, 2], &[0x92, 1, 5], &[0x91, 0, 0], &[0x91, 1]]
    {
        let mut side = client("a");
        side.open(exchange(0, 1), &add(Format::A)).unwrap();
        side.open(exchange(0, 2), &add(Format::A)).unwrap();
        let status = side.feed(frame_a(false, 1, 0, body)).poll().expect_finish().1.status;
        assert!(!status.is_ok(), "{body:02x?}");
        assert_eq!(side.feed(hex(FAILURE_A)).poll().expect_finish().0, exchange(0, 2));
    }
}

#[test]
fn malformed_deliveries_are_dropped() {
    for body in [
        &[0xc0][..],
        &[0x92, 0, 1],
        &[0x93, 1, 0xa0, 0xa0],
        &[0x93, 0, 0xa3, b'k'],
        &[0x93, 0, 0xa3, b'k', b'e', b'y', 0xa0, 0],
    ] {
        let mut side = client("a");
        side.open(exchange(1, 0), &Call::new("rest_rpc", "key").streamed()).unwrap();
        assert_eq!(side.feed(frame_a(true, 0, 0, body)).events(), [], "{body:02x?}");
        assert_eq!(side.feed(hex(DELIVERY_A)).events(), [part(exchange(1, 0), b"hi")]);
    }
}
