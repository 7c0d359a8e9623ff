//! Bodies that are not completed: each costs its own stream, and nothing else of the connection.

use super::super::{
    H2,
    close::LINGER,
    frame::{Kind, flag, settings},
};
use super::Peer;
use super::peer::{POST, setting};
use crate::http::semantics::Semantics;
use polywire_call::{Code, Status};
use polywire_machine_testing::{Seen, SeenOpen};
use polywire_wire::{Answer, Delivery, Limits, Outcome, Patience, Route};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// A server that assembles at most 10 000 bytes of messages at a time, with windows of 1000 bytes.
fn peer(delivery: Delivery) -> Peer {
    let limits = Limits::default().window(1000).window_growth(0).max_message(10_000);
    let mut peer = Peer::of_server(limits);
    peer.side.host.route(Route { max_message: 100_000, delivery, ..Route::default() });
    peer
}

fn oldest(peer: &mut Peer) -> Option<Instant> {
    peer.side.command(|machine, _| machine.oldest())
}

/// Ends messages that began a minute ago or earlier, as the engine does. Returns their number.
fn give_up(peer: &mut Peer) -> u32 {
    let begun = peer.side.now() - MINUTE;
    peer.side.command(|machine, cx| machine.give_up(cx, begun))
}

fn wait(peer: &mut Peer, seconds: u64) {
    peer.side.wait(Duration::from_secs(seconds)).expect("the connection lives");
    peer.events();
}

fn announce(peer: &mut Peer, stream: u32, kind: &str, bytes: Option<&str>) -> Vec<Seen> {
    let length = bytes.map(|bytes| ("content-length", bytes));
    let head: Vec<_> = POST.into_iter().chain([("content-type", kind)]).chain(length).collect();
    peer.headers(stream, false, &head).events()
}

fn gives_back(said: &[super::peer::Said], stream: u32) -> bool {
    said.iter().any(|said| said.0.starts_with(&format!("WINDOW_UPDATE {stream} ")))
}

fn open(seen: Vec<Seen>) -> SeenOpen {
    match <[Seen; 1]>::try_from(seen) {
        Ok([Seen::Open(open)]) => open,
        other => panic!("expected one Open, saw {other:?}"),
    }
}

#[test]
fn a_body_that_does_not_end_costs_its_stream_alone() {
    let mut peer = peer(Delivery::Whole);
    // One call is with its handler, one body is late, one began later.
    let under_way = open(peer.post(1, true).events());
    assert_eq!(announce(&mut peer, 3, "application/json", Some("20")), []);
    peer.data(3, false, b"0123456789");
    wait(&mut peer, 30);
    assert_eq!(announce(&mut peer, 5, "application/json", Some("20")), []);
    wait(&mut peer, 30);
    peer.said();
    assert_eq!(give_up(&mut peer), 1);
    assert_eq!(peer.events(), []);
    assert_eq!(peer.side.host.withdrawn, 1);
    let said = peer.said();
    assert!(said[0].0.starts_with("HEADERS 3 408 "), "{said:?}");
    assert!(said[1].0.starts_with("DATA 3 es "), "{said:?}");
    assert_eq!(said.len(), 2, "{said:?}");
    peer.side.wait(LINGER).expect("the connection lives");
    assert_eq!(peer.events(), []);
    assert_eq!(peer.said(), ["RST_STREAM 3 0"]);
    // Data that the peer had already sent is dropped, and the other streams are completed.
    peer.data(3, true, b"0123456789");
    assert_eq!(peer.events(), []);
    assert_eq!(oldest(&mut peer), Some(peer.side.now() - LINGER - MINUTE / 2));
    peer.data(5, true, b"01234567890123456789");
    assert_eq!(open(peer.events()).body, b"01234567890123456789");
    peer.side.reply(&under_way, b"done");
    let said = peer.said();
    assert!(said.iter().any(|said| said.0.starts_with("DATA 1 es")), "{said:?}");
    assert!(!said.iter().any(|said| said.0.starts_with("GOAWAY")), "{said:?}");
}

/// 2 KB a second are an upload over a bad link, 1000 bytes a second nothing that anybody waits for.
#[test]
fn a_body_that_comes_slowly_has_its_time_again_and_one_that_trickles_has_not() {
    for (rate, seconds) in [(2000, 300), (1000, 60)] {
        let mut peer = Peer::of_server(Limits::default());
        peer.side.host.route(Route {
            max_message: 10_000_000,
            delivery: Delivery::Whole,
            ..Route::default()
        });
        assert_eq!(announce(&mut peer, 1, "application/json", None), []);
        let lives = (1..=300).take_while(|_| {
            wait(&mut peer, 1);
            peer.data(1, false, &vec![b'x'; rate]).events();
            if peer.said().iter().any(|said| said.0.starts_with("SETTINGS")) {
                peer.frame(Kind::SETTINGS, flag::ACK, 0, b"").events();
            }
            oldest(&mut peer).is_none_or(|since| peer.side.now() - since < MINUTE) || give_up(&mut peer) == 0
        });
        assert_eq!(lives.count() + 1, seconds + usize::from(seconds == 300), "{rate} bytes a second");
        // It has its time once more when it stops.
        if seconds == 300 {
            wait(&mut peer, 120);
            assert_eq!(give_up(&mut peer), 1);
        }
    }
}

#[test]
fn each_kind_of_late_call_gets_the_error_of_its_dialect() {
    for (kind, status) in [
        ("application/json", "408"),
        ("application/grpc", "grpc-status=4"),
        ("application/connect+proto", "200"),
    ] {
        let mut peer = peer(Delivery::Whole);
        assert_eq!(announce(&mut peer, 1, kind, None), []);
        wait(&mut peer, 60);
        peer.said();
        assert_eq!(give_up(&mut peer), 1, "{kind}");
        peer.events();
        peer.side.wait(LINGER).expect("the connection lives");
        assert_eq!(peer.events(), []);
        let said = peer.said();
        assert!(said[0].0.contains(status), "{kind}: {said:?}");
        assert!(said.last().is_some_and(|said| *said == "RST_STREAM 1 0"), "{kind}: {said:?}");
    }
}

/// A message of a stream has a time limit while it is being assembled; between messages a stream may be idle.
#[test]
fn a_message_of_a_stream_that_does_not_end_gives_its_room_back() {
    let mut peer = peer(Delivery::Messages);
    let envelope = |length: u32| [&[0u8][..], &length.to_be_bytes()].concat();
    let streams: Vec<_> =
        [1, 3, 5].map(|stream| open(announce(&mut peer, stream, "application/grpc", None))).into();
    wait(&mut peer, 600);
    assert_eq!((oldest(&mut peer), give_up(&mut peer)), (None, 0), "nothing has begun");
    // Two messages are accepted, the second beyond the limit; the third waits.
    for stream in [1, 3, 5] {
        peer.data(stream, false, &envelope(6000));
        assert_eq!(peer.events(), []);
    }
    let begun = peer.side.now();
    assert_eq!(oldest(&mut peer), Some(begun));
    let said = peer.said();
    assert_eq!([1, 3, 5].map(|stream| gives_back(&said, stream)), [true, true, false]);
    wait(&mut peer, 30);
    peer.data(3, false, &[1; 6000]);
    assert_eq!(peer.events().len(), 1, "one is complete");
    assert_eq!(oldest(&mut peer), Some(begun), "the other is as old as it was");
    wait(&mut peer, 30);
    assert_eq!(give_up(&mut peer), 1);
    match &peer.events()[..] {
        [Seen::Reset { exchange, why }] => {
            assert_eq!((*exchange, why.code()), (streams[0].exchange, Code::DeadlineExceeded));
        }
        other => panic!("{other:?}"),
    }
    // The third was accepted when the second was complete, and has a minute from then on.
    assert_eq!(oldest(&mut peer), Some(begun + MINUTE / 2));
    peer.data(5, false, &[1; 6000]);
    assert_eq!(peer.events().len(), 1);
    assert_eq!((oldest(&mut peer), peer.side.held()), (None, 0));
    // The streams that were not late are still open, and have all the room.
    peer.said();
    for stream in [&streams[1], &streams[2]] {
        peer.side.grant(stream.exchange, 6000, 1);
        peer.side.finish(stream.exchange, Outcome::default());
    }
    assert!(!peer.said().iter().any(|said| said.0.contains(" 1 ")), "all was said of the first");
}

/// A peer that goes on like this is let in again each time, and never holds more than the limit.
#[test]
fn bodies_that_never_end_hold_no_more_than_the_limit_at_any_time() {
    let mut peer = peer(Delivery::Whole);
    let mut given_up = 0;
    for n in 0..400 {
        let stream = 2 * n + 1;
        assert_eq!(announce(&mut peer, stream, "application/json", Some("9000")), []);
        for said in peer.said() {
            let words: Vec<_> = said.0.split(' ').collect();
            if let ["WINDOW_UPDATE", stream, bytes] = words[..]
                && stream != "0"
            {
                let bytes: usize = bytes.parse().unwrap();
                peer.data(stream.parse().unwrap(), false, &vec![1; bytes - 1]);
            }
        }
        peer.data(stream, false, &[1; 500]);
        wait(&mut peer, 10);
        given_up += give_up(&mut peer);
        peer.events();
        // Two of them are accepted, the second beyond the limit; the others have sent what their first
        // windows allow.
        let alive = (n + 1 - given_up) as usize;
        assert!(
            peer.side.held()
                <= 2 * 9000 + 500 * alive.saturating_sub(2) + alive * Semantics::<H2>::SLOT_BYTES,
            "{} of {alive}",
            peer.side.held()
        );
    }
    assert_eq!(peer.side.host.withdrawn, given_up);
    assert!(given_up > 40, "{given_up}");
    assert!(!peer.side.has_ended());
}

/// An action of a peer or a handler on a stream.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Head { kind: usize, length: u16 },
    Envelope(u16),
    Data { bytes: u16, end: bool },
    Reset,
    Grant(u16),
    Answer(u16),
    Cancel,
    Window(u16),
    Wait(u8),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => (0usize..4, 0u16..15_000).prop_map(|(kind, length)| Deed::Head { kind, length }),
        3 => (0u16..15_000).prop_map(Deed::Envelope),
        6 => (0u16..2_000, any::<bool>()).prop_map(|(bytes, end)| Deed::Data { bytes, end }),
        1 => Just(Deed::Reset),
        2 => (0u16..15_000).prop_map(Deed::Grant),
        2 => (0u16..9_000).prop_map(Deed::Answer),
        1 => Just(Deed::Cancel),
        1 => (0u16..5_000).prop_map(Deed::Window),
        3 => (0u8..40).prop_map(Deed::Wait),
    ]
}

proptest! {
    /// In whatever order a peer and handlers act on streams, no state is left when all streams have ended.
    #[test]
    fn nothing_is_left_of_streams_that_have_ended(
        deeds in prop::collection::vec((0usize..12, deed()), 0..150),
        delivery in prop_oneof![Just(Delivery::Whole), Just(Delivery::Messages), Just(Delivery::Pieces)],
        queued in prop_oneof![Just(2_000u32), Just(64 << 20)],
    ) {
        const KINDS: [&str; 4] =
            ["application/json", "application/grpc", "application/connect+proto", "text/plain"];
        let patience = Patience::DEFAULT.queued(queued);
        let limits =
            Limits::default().window(1000).window_growth(0).max_message(10_000).patience(patience);
        let mut peer = Peer::of_server(limits);
        peer.side.host.route(Route { max_message: 12_000, delivery, streamed: true, ..Route::default() });
        let mut streams = [0u32; 12];
        let mut next = 1;
        let mut open: Vec<SeenOpen> = Vec::new();
        let mut told = Vec::new();
        for (which, deed) in deeds {
            let stream = streams[which];
            let mut seen = Vec::new();
            let exchange = open.iter().map(|open| open.exchange).find(|open| open.token == u64::from(stream));
            match (deed, exchange) {
                (Deed::Head { kind, length }, _) => {
                    (streams[which], next) = (next, next + 2);
                    let length = length.to_string();
                    let length = (kind % 3 == 0).then_some(&*length);
                    seen = announce(&mut peer, streams[which], KINDS[kind], length);
                }
                (Deed::Envelope(length), _) if stream > 0 => {
                    peer.data(stream, false, &[&[0, 0, 0][..], &length.to_be_bytes()].concat());
                }
                (Deed::Data { bytes, end }, _) if stream > 0 => {
                    peer.data(stream, end, &vec![0; bytes.into()]);
                }
                (Deed::Reset, _) if stream > 0 => {
                    peer.frame(Kind::RST_STREAM, 0, stream, &8u32.to_be_bytes());
                }
                (Deed::Grant(bytes), Some(exchange)) => peer.side.grant(exchange, bytes.into(), 1),
                (Deed::Answer(bytes), Some(exchange)) => {
                    peer.side.answer(exchange, &Answer::default());
                    peer.side.send_message(exchange, vec![0; bytes.into()], false);
                    if bytes % 2 == 0 {
                        peer.side.finish(exchange, Outcome::default());
                        open.retain(|open| open.exchange != exchange);
                    }
                }
                (Deed::Cancel, Some(exchange)) => {
                    peer.side.reset(exchange, Status::cancelled(""));
                    open.retain(|open| open.exchange != exchange);
                }
                (Deed::Window(bytes), _) => {
                    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, bytes.into()));
                }
                (Deed::Wait(seconds), _) => {
                    peer.side.wait(Duration::from_secs(seconds.into())).expect("the next poll looks at the time");
                    give_up(&mut peer);
                }
                _ => {}
            }
            seen.extend(peer.events());
            for seen in seen {
                match seen {
                    Seen::Open(one) => {
                        told.push(one.exchange);
                        open.push(one);
                    }
                    Seen::Reset { exchange, .. } => {
                        prop_assert!(told.contains(&exchange), "the host does not know it");
                        open.retain(|open| open.exchange != exchange);
                    }
                    _ => {}
                }
            }
            if peer.said().iter().any(|said| said.0.starts_with("SETTINGS ")) {
                peer.frame(Kind::SETTINGS, 1, 0, b"");
            }
            if peer.side.has_ended() {
                return Ok(()); // it broke a rule of the connection, or too many of its streams
            }
            prop_assert!(oldest(&mut peer).is_none_or(|oldest| oldest <= peer.side.now()));
        }
        for stream in (1..next).step_by(2) {
            peer.frame(Kind::RST_STREAM, 0, stream, &8u32.to_be_bytes());
        }
        peer.events();
        open.iter().for_each(|open| peer.side.reset(open.exchange, Status::cancelled("")));
        peer.events();
        prop_assert_eq!((peer.side.held(), oldest(&mut peer)), (0, None));
        prop_assert_eq!(peer.side.host.asked.len(), told.len() + peer.side.host.withdrawn as usize);
        prop_assert!(!peer.side.command(|machine, _| machine.is_receiving()));
        // The whole limit is free again.
        peer.said();
        announce(&mut peer, next, "application/json", Some("9000"));
        if delivery != Delivery::Pieces {
            prop_assert!(gives_back(&peer.said(), next));
        }
    }
}
