//! Every limit, and one byte more.

use super::*;
use polywire_wire::WireError;

fn pull(limits: Limits) -> Side {
    met_by(side_with(Role::Server, settings([messages(Kind::Pull)]), limits, false), "PUSH", 1)
}

#[test]
fn a_frame_and_a_message_of_max_message_bytes_and_one_more() {
    let limits = Limits::DEFAULT.max_message(300);
    let frame = |flags: u8, length: usize| {
        let mut frame = vec![flags | 2];
        frame.extend_from_slice(&(length as u64).to_be_bytes());
        frame.resize(9 + length, b'x');
        frame
    };
    assert_eq!(pull(limits).feed(frame(0, 300)).events().len(), 1);
    let refused = pull(limits).feed(&frame(0, 301)[..9]).events();
    assert_eq!(refused, [Seen::Error(WireError::TooLarge)], "by its length, before it is here");
    // In several frames, whose heads count in addition.
    let many = vec![frame(1, 300); 40].concat();
    assert_eq!(pull(limits).feed(&many).events(), [Seen::Error(WireError::TooLarge)]);
    assert_eq!(pull(limits).feed_split(&many, &[100]), [Seen::Error(WireError::TooLarge)]);
}

#[test]
fn a_message_of_max_frames_and_one_more() {
    let settings = || Settings { max_frames: 3, ..settings([messages(Kind::Pull)]) };
    let side = || met_by(side_with(Role::Server, settings(), Limits::DEFAULT, false), "PUSH", 1);
    assert_eq!(side().feed(b"\x01\x00\x01\x00\x00\x00").events().len(), 1);
    for pieces in [&[100][..], &[1], &[2], &[3]] {
        let seen = side().feed_split(b"\x01\x00\x01\x00\x01\x00\x00\x00", pieces);
        assert_eq!(seen, [Seen::Error(WireError::TooLarge)]);
    }
}

#[test]
fn a_topic_of_max_topic_bytes_and_one_more() {
    let settings = || Settings { max_topic: 3, ..settings([messages(Kind::Pub)]) };
    let side = || met_by(side_with(Role::Server, settings(), Limits::DEFAULT, false), "SUB", 1);
    assert_eq!(side().feed(b"\x00\x04\x01abc").events().len(), 1);
    assert_eq!(side().feed(b"\x00\x05\x01abcd").events(), [Seen::Error(WireError::TooLarge)]);
    assert_eq!(side().feed(b"\x04\x0e\x09SUBSCRIBEabcd").events(), [Seen::Error(WireError::TooLarge)]);
}

#[test]
fn a_peer_that_asks_and_does_not_read_is_not_read() {
    let mut side = met_by(bound(Kind::Rep).with_room(100), "REQ", 1);
    let pings = hex("04 07 04 50 49 4e 47 00 1e").repeat(1000);
    assert_eq!(side.feed(&pings).events(), [Seen::Blocked]);
    assert!(side.written().len() < 110);
    assert_eq!(side.events(), [Seen::Blocked]);
}

#[test]
fn many_long_frames_are_not_copied_again_for_each_frame() {
    let mut side = pull(Limits::DEFAULT);
    let mut frame = hex("03 00 00 00 00 00 01 00 00");
    frame.resize(9 + 65536, b'x');
    for n in 1..=10 {
        side.feed(&frame);
        assert!(matches!(side.poll(), Seen::Need(_)));
        assert_eq!((side.input.len(), side.held()), (0, n * frame.len()));
    }
    assert!(matches!(side.feed(b"\x00\x00").events()[..], [Seen::Part { .. }, Seen::Blocked]));
}
