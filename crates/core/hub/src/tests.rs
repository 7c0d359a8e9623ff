//! The hub without connections: the tests do by hand what the connections of its peers would do.

use crate::{Hub, Options, Seat, SendError};
use polywire_base::IoBuf;
use polywire_wire::{Limits, Part};
use std::{collections::VecDeque, sync::Arc, task::Waker};

fn hub(options: Options) -> Arc<Hub> {
    Hub::new(options)
}

fn seat(hub: &Arc<Hub>, name: &str) -> Seat {
    Seat::new(hub, name.as_bytes(), &Limits::DEFAULT).expect("there is a place")
}

fn part(text: &'static str) -> Part {
    Part { bytes: text.into(), end_of_message: true, ..Part::default() }
}

/// Takes all messages that wait for the application, as bytes.
fn taken(hub: &Hub) -> Vec<Vec<u8>> {
    let mut all = VecDeque::new();
    while hub.take(&mut all) > 0 {}
    all.into_iter().map(|(_, message): (_, IoBuf)| message.to_vec()).collect()
}

#[test]
fn a_publication_reaches_each_subscriber_once() {
    let hub = hub(Options { send_high_water: 2, ..Options::default() });
    let (mut one, mut two) = (seat(&hub, ""), seat(&hub, ""));
    assert!(one.topic(true, b"") && one.topic(true, b"a") && two.topic(true, b"ab"));
    assert_eq!(hub.publish(b"abc", |out| out.put(b"x")), 2);
    assert_eq!(hub.publish(b"a", |out| out.put(b"y")), 1);
    assert_eq!(hub.publish(b"ab", |out| out.put(b"z")), 1, "the first has no room");
    assert_eq!((hub.dropped(), hub.unsent()), (1, 4));
    drop(one);
    assert_eq!(hub.publish(b"abc", |out| out.put(b"x")), 0, "the second has no room either now");
    assert_eq!((hub.dropped(), hub.connected()), (2, 1));
}

#[test]
fn turns_skip_who_has_no_room_and_who_has_gone() {
    let hub = hub(Options { send_high_water: 2, ..Options::default() });
    assert_eq!(hub.send_next(|_| ()), Err(SendError::Full));
    let (one, two) = (seat(&hub, ""), seat(&hub, ""));
    let turns: Vec<_> = (0..4).map(|_| hub.send_next(|out| out.put(b"x")).unwrap()).collect();
    assert_eq!(turns, [one.id(), two.id(), one.id(), two.id()]);
    assert_eq!(hub.send_next(|_| panic!("nobody has room")), Err(SendError::Full));
    let id = one.id();
    drop(one);
    assert_eq!(hub.send_to(id, |_| ()), Err(SendError::Unknown));
    let three = seat(&hub, "");
    assert_eq!(hub.send_next(|out| out.put(b"x")), Ok(three.id()));
}

#[test]
fn queues_are_heard_in_turns_and_outlive_their_connection() {
    let hub = hub(Options::default());
    let (mut one, mut two) = (seat(&hub, ""), seat(&hub, ""));
    for text in ["1a", "1b", "1c"] {
        one.part(part(text));
    }
    two.part(part("2a"));
    drop((one, two));
    assert_eq!(taken(&hub), [b"1a", b"2a", b"1b", b"1c"]);
    assert_eq!((hub.connected(), taken(&hub).len()), (0, 0));
}

#[test]
fn names_are_given_taken_and_free_again() {
    let hub = hub(Options::default());
    let first = seat(&hub, "a");
    assert!(Seat::new(&hub, b"a", &Limits::DEFAULT).is_none());
    assert_eq!(hub.connected(), 1);
    hub.route(b"a", |out| out.put(b"x")).unwrap();
    drop(first);
    assert_eq!(hub.route(b"a", |_| ()), Err(SendError::Unknown));
    let nameless = seat(&hub, "");
    let name = hub.name_of(nameless.id()).unwrap();
    assert_eq!((name.len(), name[0]), (5, 0));
    drop(seat(&hub, "a"));
}

#[test]
fn what_waits_for_an_expected_peer_waits_on_without_a_connection() {
    let hub = hub(Options::default());
    let id = hub.expect(true);
    assert_eq!(hub.send_next(|out| out.put(b"x")), Ok(id));
    let seat = Seat::of(&hub, id, b"", &Limits::DEFAULT).unwrap();
    drop(seat);
    assert_eq!(hub.has_unsent(id), Some(true));
    hub.forget(id);
    assert_eq!(hub.has_unsent(id), None);
}

#[test]
fn topics_have_bounds_for_each_peer_and_for_all() {
    let refuses = |hub: &Arc<Hub>, peer: &mut Seat, topic: &[u8]| {
        let before = hub.refused();
        let welcome = peer.topic(true, topic);
        assert_eq!(hub.refused() - before, u64::from(!welcome));
        !welcome
    };
    let by_number = hub(Options { topics: 2, ..Options::DEFAULT });
    let mut peer = seat(&by_number, "");
    assert!(peer.topic(true, b"a") && peer.topic(true, b"b") && peer.topic(true, b"b"));
    assert!(refuses(&by_number, &mut peer, b"c"));
    assert!(seat(&by_number, "").topic(true, b"c"));

    let by_bytes = hub(Options { topic_bytes: 10, ..Options::DEFAULT });
    let mut peer = seat(&by_bytes, "");
    assert!(peer.topic(true, b"12345678") && peer.topic(true, b"12345678") && peer.topic(true, b"90"));
    assert!(refuses(&by_bytes, &mut peer, b"x"));
    assert!(peer.topic(false, b"90") && peer.topic(true, b"x"), "what ended is free again");

    let together = hub(Options { topic_memory: 20_000, ..Options::DEFAULT });
    let (mut one, mut two) = (seat(&together, ""), seat(&together, ""));
    let long = |n: u8| vec![n; 6000];
    assert!(one.topic(true, &long(1)) && one.topic(true, &long(2)) && two.topic(true, &long(3)));
    assert!(refuses(&together, &mut two, &long(4)) && refuses(&together, &mut one, &long(4)));
    assert!(two.topic(true, &long(1)), "a topic that somebody has takes its bytes only once");
    drop(one);
    assert!(two.topic(true, &long(4)), "what a peer that left had is free again");
}

#[test]
fn a_subscription_that_was_made_often_ends_at_once() {
    let tell = |on, topic: &[u8]| IoBuf::copy_from_slice(&[&[u8::from(on)], topic].concat());
    let hub = hub(Options { tell: Some(tell), ..Options::DEFAULT });
    let mut peer = seat(&hub, "");
    for _ in 0..1000 {
        assert!(peer.topic(true, b"a"));
    }
    let locked = hub.times_locked();
    drop(peer);
    assert_eq!(hub.times_locked() - locked, 1, "it is one subscription");
    assert_eq!(taken(&hub), [b"\x01a", b"\0a"]);
    assert_eq!(hub.topic_memory(), 0);

    let mut peer = seat(&hub, "");
    (0..1000u32).for_each(|n| assert!(peer.topic(true, &n.to_be_bytes())));
    let locked = hub.times_locked();
    drop(peer);
    assert_eq!(hub.times_locked() - locked, 4, "others have their turn between 256 and 256 topics");
    assert_eq!(taken(&hub).len(), 2000);
}

#[test]
fn changes_of_topics_that_nobody_takes_have_a_bound() {
    let tell = |on, topic: &[u8]| IoBuf::copy_from_slice(&[&[u8::from(on)], topic].concat());
    let hub = hub(Options { topics: 3, tell: Some(tell), ..Options::default() });
    let mut peer = seat(&hub, "");
    assert!(peer.topic(true, b"a") && peer.topic(false, b"a") && peer.topic(false, b"never"));
    assert!(peer.topic(true, b"b") && peer.topic(true, b"b"));
    assert!(!peer.topic(true, b"c"), "three changes wait");
    assert_eq!(taken(&hub), [&b"\x01a"[..], b"\0a", b"\x01b"]);
    assert!(peer.topic(true, b"d"));
    assert!(!peer.topic(true, b"e"), "b, c and d are three");
    drop(peer);
    assert_eq!(taken(&hub).len(), 1 + 3, "one that came, three that end");

    let by_bytes = self::hub(Options { topic_bytes: 1000, tell: Some(tell), ..Options::DEFAULT });
    let mut peer = seat(&by_bytes, "");
    let long = [7; 1000];
    let changes = (0..1_000_000).take_while(|n| peer.topic(n % 2 == 0, &long)).count();
    assert!(changes < 200, "{changes} changes of 1000 bytes wait");
    assert_eq!(by_bytes.refused(), 1);
}

#[test]
fn a_closed_hub_takes_nothing_and_gives_what_it_has() {
    let hub = hub(Options::default());
    let mut peer = seat(&hub, "");
    peer.part(part("last"));
    drop(peer);
    hub.close();
    assert!(Seat::new(&hub, b"", &Limits::DEFAULT).is_none());
    assert_eq!(hub.send_next(|_| ()), Err(SendError::Closed));
    assert_eq!(taken(&hub), [b"last"]);
}

fn left_by(hub: &Arc<Hub>, bytes: usize) {
    let mut peer = seat(hub, "");
    peer.part(Part { bytes: IoBuf::from(vec![7; bytes]), end_of_message: true, ..Part::default() });
}

#[test]
fn what_peers_left_behind_is_bounded_over_all_of_them() {
    let hub = hub(Options { left_bytes: 100_000, ..Options::DEFAULT });
    (1..=1000).for_each(|n| left_by(&hub, 1000 + n));
    assert!(hub.left_bytes() <= 100_000);
    let lengths: Vec<_> = taken(&hub).iter().map(Vec::len).collect();
    assert_eq!(lengths, (2001 - lengths.len()..=2000).collect::<Vec<_>>(), "the oldest are given up");
    assert!((30..50).contains(&lengths.len()), "{lengths:?}");
    assert_eq!((hub.discarded(), hub.left_bytes()), (1000 - lengths.len() as u64, 0));
    left_by(&hub, 1_000_000);
    assert_eq!(taken(&hub).len(), 1, "one message may be longer");
    // Connected peers lose no messages.
    let mut stays = seat(&hub, "");
    stays.part(Part { bytes: IoBuf::from(vec![7; 200_000]), end_of_message: true, ..Part::default() });
    stays.part(part("x"));
    assert!(stays.sleep(Waker::noop()));
    (0..300).for_each(|_| left_by(&hub, 1000));
    assert_eq!(taken(&hub).iter().filter(|message| message.len() != 1000).count(), 2);
}

#[test]
fn short_messages_and_those_who_left_them_count_with_what_they_take() {
    let hub = hub(Options { left_bytes: 100_000, ..Options::DEFAULT });
    (0..1000).for_each(|_| left_by(&hub, 1));
    assert!(hub.left_bytes() <= 100_000);
    let kept = taken(&hub);
    // Each message counts with the memory of the message and its peer in addition to the one byte: some
    // hundreds of bytes.
    assert!((100..200).contains(&kept.len()), "{} are kept", kept.len());
    assert!(kept.iter().all(|message| message == &[7]));
    assert_eq!((hub.discarded(), hub.left_bytes()), (1000 - kept.len() as u64, 0));
}

#[test]
fn a_peer_that_comes_back_again_and_again_leaves_no_more_than_others() {
    let hub = hub(Options { left_bytes: 100_000, ..Options::DEFAULT });
    let id = hub.expect(true);
    for n in 0..1000u32 {
        let mut seat = Seat::of(&hub, id, b"", &Limits::DEFAULT).unwrap();
        let bytes = IoBuf::from([&n.to_be_bytes()[..], &[0; 1000]].concat());
        seat.part(Part { bytes, end_of_message: true, ..Part::default() });
    }
    assert!(hub.left_bytes() <= 100_000);
    let all = taken(&hub);
    assert_eq!(all.last().map(|last| &last[..4]), Some(&999u32.to_be_bytes()[..]));
    assert_eq!(all.len() as u64 + hub.discarded(), 1000);
    assert_eq!(hub.left_bytes(), 0);
}

#[test]
fn what_a_forgotten_peer_sent_can_still_be_taken() {
    let hub = hub(Options::DEFAULT);
    let id = hub.expect(true);
    let mut seat = Seat::of(&hub, id, b"", &Limits::DEFAULT).unwrap();
    seat.part(part("last"));
    drop(seat);
    hub.forget(id);
    assert_eq!(taken(&hub), [b"last"]);
    assert_eq!((hub.has_unsent(id), hub.left_bytes()), (None, 0));
}

#[test]
fn news_of_topics_grants_its_peer_nothing() {
    let tell = |on, topic: &[u8]| IoBuf::copy_from_slice(&[&[u8::from(on)], topic].concat());
    let hub = hub(Options { tell: Some(tell), ..Options::DEFAULT });
    let limits = Limits::DEFAULT.high_water(2);
    let mut peer = Seat::new(&hub, b"", &limits).unwrap();
    for topic in [b"a", b"b", b"c"] {
        assert!(peer.topic(true, topic));
    }
    assert_eq!(taken(&hub).len(), 3);
    assert!(peer.sleep(Waker::noop()), "there is nothing to grant");
    peer.part(part("message"));
    assert!(peer.sleep(Waker::noop()));
    assert_eq!(taken(&hub).len(), 1);
    assert!(!peer.sleep(Waker::noop()), "there is now");
}
