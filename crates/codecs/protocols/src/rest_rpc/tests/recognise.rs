//! Which format the first bytes have.

use super::*;
use crate::rest_rpc::frame::{Recognised, recognise};

const ALL: [(&str, Format); 11] = [
    (CALL_A, Format::A),
    (FAILURE_A, Format::A),
    (SUBSCRIBE_A, Format::A),
    (DELIVERY_A, Format::A),
    (HEARTBEAT, Format::A),
    (CALL_B, Format::B),
    (CALL_B_DEBUG, Format::B),
    (CALL_B_CROSS, Format::CrossB),
    (ECHO_B, Format::B),
    (SUBSCRIBE_B, Format::B),
    (DELIVERY_B, Format::B),
];

#[test]
fn every_worked_frame_is_of_its_format_and_undecided_before() {
    for (frame, format) in ALL {
        let frame = hex(frame);
        assert_eq!(recognise(&frame), Recognised::As(format), "{frame:02x?}");
        let mut decided = false;
        for end in 0..frame.len() {
            match recognise(&frame[..end]) {
                Recognised::NeedMore => assert!(!decided, "{end}"),
                Recognised::As(early) => {
                    assert_eq!(early, format, "{end} of {frame:02x?}");
                    decided = true;
                }
                Recognised::NotMine => panic!("{end} of {frame:02x?}"),
            }
        }
    }
}

#[test]
fn a_callback_of_format_a_has_bit_63_set_and_padding_may_be_anything() {
    let mut frame = frame_a(false, 1 << 63 | 1, ADD as u32, &[0x92, 1, 2]);
    frame[2..4].copy_from_slice(&[0xaa, 0x55]);
    assert_eq!(recognise(&frame), Recognised::As(Format::A));
    let mut heartbeat = hex(HEARTBEAT);
    heartbeat[2] = 7;
    assert_eq!(recognise(&heartbeat), Recognised::As(Format::A));
}

#[test]
fn a_heartbeat_is_not_the_beginning_of_format_b_whatever_follows() {
    assert_eq!(recognise(&[hex(HEARTBEAT), vec![0; 12]].concat()), Recognised::As(Format::A));
    assert_eq!(recognise(&[hex(HEARTBEAT), hex(CALL_A)].concat()), Recognised::As(Format::A));
}

#[test]
fn other_first_bytes_are_not_claimed() {
    let mut others: Vec<Vec<u8>> = vec![
        b"'quoted text that is no frame'".to_vec(),
        frame_a(false, 1, 1, b"no array"),
        frame_a(false, 1, 1, b""),
        frame_a(true, 0, 1, b"no array"),
    ];
    let mut changed = |frame: &str, at: usize, byte: u8| {
        let mut frame = hex(frame);
        frame[at] = byte;
        others.push(frame);
    };
    changed(CALL_A, 0, 0x28);
    changed(CALL_A, 1, 2);
    changed(CALL_A, 7, 1); // 16 MiB or more
    changed(CALL_B, 2, 1);
    changed(CALL_B, 3, 2);
    changed(CALL_B, 24, 1);
    changed(CALL_B, 20, 1); // long in either byte order
    for other in others {
        assert_eq!(recognise(&other), Recognised::NotMine, "{other:02x?}");
    }
}

#[test]
fn limits_of_first_bodies_are_those_of_the_formats() {
    let of_a = |length: u32| {
        let mut frame = frame_a(false, 1, 1, &[0x90]);
        frame[4..8].copy_from_slice(&length.to_le_bytes());
        recognise(&frame)
    };
    assert_eq!(of_a((10 << 20) - 1), Recognised::As(Format::A));
    assert_eq!(of_a(10 << 20), Recognised::NotMine);
    let of_b = |length: u64| {
        let mut frame = frame_b(false, 1, &[]);
        frame[16..24].copy_from_slice(&length.to_le_bytes());
        recognise(&frame)
    };
    assert_eq!(of_b(64 << 20), Recognised::As(Format::B));
    assert_eq!(of_b((64 << 20) + 1), Recognised::NotMine);
    assert_eq!(of_b((64u64 << 20).swap_bytes()), Recognised::As(Format::CrossB));
}

#[test]
fn names_of_the_formats() {
    let content = |parameter| (PROTOCOL.content)(parameter);
    assert_eq!(content(""), Some(Content::STRUCT_PACK));
    assert_eq!(content("b"), Some(Content::STRUCT_PACK));
    assert_eq!(content("cross"), Some(Content::STRUCT_PACK));
    assert_eq!(content("a"), Some(Content::MSGPACK));
    assert_eq!(content("c"), None);
}
