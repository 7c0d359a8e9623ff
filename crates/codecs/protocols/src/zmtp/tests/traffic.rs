//! Messages in pieces, credit, heartbeats.

use super::*;
use polywire_machine_testing::at_every_split;
use polywire_wire::{Keepalive, Wake, WireError};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_message_of_many_frames_is_one_part_however_it_comes() {
    let mut wire = Vec::new();
    for n in 0..40u8 {
        wire.extend_from_slice(&[1, n]);
        wire.extend(vec![n; n.into()]);
    }
    wire.extend_from_slice(b"\x02\0\0\0\0\0\0\x01\x00");
    wire.extend(vec![b'x'; 256]);
    let run = at_every_split(|| met(Kind::Pull, "PUSH"), &wire);
    assert_eq!(run.seen, [part(&wire)]);
}

#[test]
fn several_messages_in_one_read_are_several_parts() {
    let mut side = met(Kind::Dealer, "DEALER");
    let seen = side.feed(b"\x00\x01a\x01\x00\x00\x01b\x00\x00").events();
    assert_eq!(seen, [part(b"\x00\x01a"), part(b"\x01\x00\x00\x01b"), part(b"\x00\x00")]);
}

/// A PULL that takes up to four messages at once.
fn burst(limits: Limits) -> Side {
    let settings = Settings { burst: 4, ..settings([messages(Kind::Pull)]) };
    met_by(side_with(Role::Server, settings, limits, false), "PUSH", 1)
}

#[test]
fn messages_that_are_here_come_together_up_to_the_burst_and_the_credit() {
    let (one, many) = (b"\x00\x01a", b"\x01\x01b\x00\x01c");
    let seen = burst(Limits::DEFAULT).feed([&one[..], many].concat().repeat(3)).events();
    assert_eq!(seen, [part([&one[..], many].concat().repeat(2)), part([&one[..], many].concat())]);
    let mut side = burst(Limits::DEFAULT.high_water(3));
    assert_eq!(side.feed(one.repeat(6)).events(), [part(one.repeat(3)), Seen::Blocked]);
    side.grant(Exchange::CONNECTION, 6, 2);
    assert_eq!(side.events(), [part(one.repeat(2)), Seen::Blocked], "each of them counts");
    let mut side = burst(Limits::DEFAULT.window(5));
    assert_eq!(side.feed(one.repeat(6)).events(), [part(one.repeat(2)), Seen::Blocked], "as do their bytes");
}

#[test]
fn what_ends_a_burst_is_seen_by_itself() {
    let mut side = burst(Limits::DEFAULT.max_message(300));
    let seen = side.feed(b"\x00\x01a\x00\x01b\x04\x07\x04PING\0\x1e\x00\x01c\x00\x05d").events();
    assert_eq!(seen[..2], [part(b"\x00\x01a\x00\x01b"), part(b"\x00\x01c")]);
    assert_eq!(side.written(), hex("04 05 04 50 4f 4e 47"));
    let seen = side.feed(b"ddde\x08\x00").events();
    let fault = Seen::Error(WireError::Malformed("reserved flags of a frame"));
    assert_eq!(seen, [part(b"\x00\x05dddde"), fault]);
}

#[test]
fn a_burst_has_the_same_messages_however_it_comes() {
    let wire = [&b"\x00\x01a\x01\x02bb\x01\x00\x00\x03ccc\x04\x07\x04PING\0\x1e"[..], &[0; 20]].concat();
    let whole = |pieces: &[usize]| {
        let mut side = burst(Limits::DEFAULT);
        let seen = side.feed_split(&wire, pieces);
        let bytes = seen.iter().filter_map(|seen| match seen {
            Seen::Part { bytes, .. } => Some(bytes.0.clone()),
            _ => None,
        });
        bytes.collect::<Vec<_>>().concat()
    };
    let expected = whole(&[wire.len()]);
    assert_eq!(expected.len(), wire.len() - 9);
    (1..wire.len()).for_each(|at| assert_eq!(whole(&[at]), expected, "split at {at}"));
}

#[test]
fn what_nobody_takes_is_not_read() {
    let limits = Limits::DEFAULT.high_water(2);
    let side = || met_by(side_with(Role::Server, settings([messages(Kind::Pull)]), limits, false), "PUSH", 1);
    let mut side = side();
    let seen = side.feed(b"\x00\x01a\x00\x01b\x00\x01c\x00\x01d").events();
    assert_eq!(seen, [part(b"\x00\x01a"), part(b"\x00\x01b"), Seen::Blocked]);
    side.grant(Exchange::CONNECTION, 3, 1);
    assert_eq!(side.events(), [part(b"\x00\x01c"), Seen::Blocked]);
    side.grant(Exchange::CONNECTION, 6, 2);
    assert_eq!(side.events(), [part(b"\x00\x01d")]);
}

#[test]
fn bytes_that_nobody_takes_are_not_read_either() {
    let limits = Limits::DEFAULT.window(100);
    let mut side =
        met_by(side_with(Role::Server, settings([messages(Kind::Pull)]), limits, false), "PUSH", 1);
    let message = [&[0, 98][..], &[7; 98]].concat();
    let seen = side.feed([&message[..], &message].concat()).events();
    assert_eq!(seen, [part(&message), Seen::Blocked]);
    side.grant(Exchange::CONNECTION, 100, 1);
    assert_eq!(side.events(), [part(&message), Seen::Blocked]);
}

#[test]
fn credit_closes_when_the_socket_is_full_and_opens_again() {
    let mut side = met_by(bound(Kind::Push).with_room(100), "PULL", 1);
    let message = [&[0, 98][..], &[7; 98]].concat();
    assert!(!side.send_message(Exchange::CONNECTION, &message, false).is_open());
    assert_eq!(side.events(), []);
    assert_eq!(side.written(), message);
    let seen = side.events();
    assert!(
        matches!(seen[..], [Seen::Credit { exchange: Exchange::CONNECTION, credit }] if credit.is_open())
    );
}

#[test]
fn nothing_is_sent_before_there_is_a_peer() {
    let mut side = bound(Kind::Push);
    side.poll();
    side.written();
    assert!(!side.send_message(Exchange::CONNECTION, b"\x00\x01a", false).is_open());
    assert_eq!(side.written(), b"");
}

#[test]
fn messages_to_who_does_not_receive_are_dropped() {
    assert_eq!(met(Kind::Push, "PULL").feed(b"\x00\x01a").events(), []);
    assert_eq!(met(Kind::Pub, "SUB").feed(b"\x00\x01a\x01\x011\x00\x01b").events(), []);
    assert_eq!(met(Kind::XPub, "XSUB").feed(b"\x00\x01a").events(), [part(b"\x00\x01a")]);
}

fn beating() -> Limits {
    let keepalive = Keepalive::DEFAULT.every(150 * MS).within(100 * MS);
    Limits::DEFAULT.keepalive(keepalive)
}

#[test]
fn a_silent_peer_is_asked_and_then_given_up() {
    let settings = Settings { heartbeat_ttl: 3000 * MS, ..settings([messages(Kind::Dealer)]) };
    let mut side = met_by(side_with(Role::Client, settings, beating(), false), "ROUTER", 1);
    assert_eq!(side.until_deadline(), Some(150 * MS));
    side.wait(150 * MS).unwrap();
    // seen with IVL 150, TTL 3000
    assert_eq!(side.written(), hex("04 07 04 50 49 4e 47 00 1e"));
    side.feed(hex("04 05 04 50 4f 4e 47")).events();
    side.wait(150 * MS).unwrap();
    side.written();
    assert_eq!(side.wait(100 * MS), Err(WireError::Silent));
}

#[test]
fn times_without_end_pass_never() {
    let keepalive = Keepalive::DEFAULT.every(MS).within(Duration::MAX);
    let settings = Settings { handshake: Duration::MAX, ..settings([messages(Kind::Dealer)]) };
    let limits = Limits::DEFAULT.keepalive(keepalive);
    let mut side = met_by(side_with(Role::Client, settings.clone(), limits, false), "ROUTER", 1);
    for _ in 0..3 {
        side.wait(MS).unwrap();
    }
    let limits = limits.keepalive(keepalive.every(Duration::MAX));
    let mut side = met_by(side_with(Role::Client, settings, limits, false), "ROUTER", 1);
    side.written();
    side.wait(1_000_000_000 * MS).unwrap();
    assert_eq!(side.written(), b"");
}

#[test]
fn any_traffic_is_a_sign_of_life() {
    let mut side =
        met_by(side_with(Role::Client, settings([messages(Kind::Dealer)]), beating(), false), "ROUTER", 1);
    side.wait(150 * MS).unwrap();
    side.feed(b"\x00\x01a").events();
    side.wait(100 * MS).unwrap();
}

#[test]
fn a_peer_of_version_3_0_is_never_asked() {
    let mut side =
        met_by(side_with(Role::Client, settings([messages(Kind::Dealer)]), beating(), false), "ROUTER", 0);
    assert_eq!(side.until_deadline(), None);
    side.wait(1000 * MS).unwrap();
    assert_eq!(side.written(), b"");
}

#[test]
fn the_peers_own_word_for_how_long_it_lives_is_believed() {
    let mut side = met(Kind::Router, "DEALER");
    side.feed(hex("04 07 04 50 49 4e 47 00 1e")).events();
    assert_eq!(side.until_deadline(), Some(3000 * MS));
    side.wait(2999 * MS).unwrap();
    assert_eq!(side.wait(MS), Err(WireError::Silent));
}

#[test]
fn a_long_frame_under_way_is_no_silence() {
    let mut side =
        met_by(side_with(Role::Client, settings([messages(Kind::Dealer)]), beating(), false), "ROUTER", 1);
    side.feed(b"\x02\0\0\0\0\0\x10\0\0abc").events();
    side.wait(150 * MS).unwrap();
    side.wait(100 * MS).unwrap();
}

#[test]
fn the_handshake_has_its_time() {
    let mut side = bound(Kind::Rep);
    side.feed(&greeting("NULL", 1)[..10]).events();
    assert_eq!(side.until_deadline(), Some(30_000 * MS));
    assert_eq!(side.wait(30_000 * MS), Err(WireError::Silent));
    assert_eq!(met(Kind::Rep, "REQ").until_deadline(), None);
    assert_eq!(met(Kind::Rep, "REQ").resume(Wake::Eof), Ok(()));
}
