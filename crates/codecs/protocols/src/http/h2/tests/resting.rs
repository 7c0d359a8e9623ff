//! Stalled streams, whose readers do not read: which other streams are affected.

use super::super::frame::{Kind, settings};
use super::Peer;
use super::peer::setting;
use polywire_machine_testing::{Seen, SeenOpen};
use polywire_wire::{Answer, Denied, Limits, Patience};
use std::time::Duration;

/// More than the number of mistakes that are accepted at once.
const STREAMS: u32 = 150;

/// A client with `STREAMS` + 1 requests that are with their handlers. The server queues `queued` bytes of
/// replies.
fn requests(queued: u32, window: u32) -> (Peer, Vec<SeenOpen>) {
    let patience = Patience::DEFAULT.queued(queued);
    let mut peer = Peer::of_server(Limits::default().patience(patience));
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, window));
    peer.events();
    let open = (0..=STREAMS).map(|n| peer.post(2 * n + 1, true).side.poll().expect_open()).collect();
    peer.events();
    peer.said();
    (peer, open)
}

/// Lets two checks for stalled streams pass.
fn rest(peer: &mut Peer) -> Vec<Seen> {
    peer.side.wait(Patience::DEFAULT.stall.expect("a limit")).expect("the connection lives");
    assert_eq!(peer.events(), [], "each has its time");
    peer.side.wait(Patience::DEFAULT.stall.expect("a limit")).expect("the connection lives");
    peer.events()
}

fn lives(peer: &mut Peer) -> bool {
    !peer.side.has_ended() && !peer.said().iter().any(|said| said.0.starts_with("GOAWAY"))
}

#[test]
fn the_longest_stalled_streams_are_reset_until_others_have_room() {
    let (mut peer, open) = requests(15_000, 0);
    let (last, resting) = open.split_last().expect("many");
    for (n, open) in resting.iter().enumerate() {
        let long = n % 15 == 0;
        peer.side.answer(open.exchange, &Answer::default());
        peer.side.send_message(open.exchange, vec![1; if long { 800 } else { 50 }], false);
    }
    assert_eq!(peer.side.held(), 15_000);
    assert!(!peer.side.answer(last.exchange, &Answer::default()).is_open());
    let seen = rest(&mut peer);
    let lost = seen.iter().filter_map(|seen| match seen {
        Seen::Reset { exchange, .. } => Some(*exchange),
        _ => None,
    });
    let long: Vec<_> = resting.iter().step_by(15).map(|open| open.exchange).collect();
    assert_eq!(lost.collect::<Vec<_>>(), long, "{seen:?}");
    assert_eq!(peer.side.host.denied, [Denied::Reply; 10]);
    let goes_on = |seen: &Seen| matches!(seen, Seen::Credit { exchange, credit } if *exchange == last.exchange && credit.is_open());
    assert!(seen.iter().any(goes_on), "{seen:?}");
    assert!(lives(&mut peer));
}

#[test]
fn unread_replies_cost_their_own_streams_only_however_many_they_are() {
    let (mut peer, open) = requests(1 << 20, 0);
    open.iter().for_each(|open| peer.side.reply(open, [7; 100]));
    assert_eq!(rest(&mut peer), []);
    assert_eq!(peer.side.host.denied.len(), open.len());
    assert_eq!(peer.side.held(), 0);
    assert!(lives(&mut peer));
    assert_eq!(peer.post(2 * STREAMS + 3, true).events().len(), 1);
}

/// Readers pause: for minutes, unless memory is scarce.
#[test]
fn a_reply_waits_ten_minutes_for_its_reader_or_one_while_memory_is_scarce() {
    for (tight, kept) in [(false, 10), (true, 1)] {
        let (mut peer, open) = requests(1 << 20, 0);
        peer.side.host.tight = tight;
        peer.side.reply(&open[0], [7; 100]);
        let minutes = (0..60).take_while(|_| {
            peer.side.wait(Duration::from_secs(60)).expect("the connection lives");
            peer.events();
            peer.side.held() > 0
        });
        assert_eq!(minutes.count(), kept, "memory is scarce: {tight}");
    }
}

/// The reader opens the connection's window in small steps, so that each stream waits for its turn longer
/// than a stream may stall.
#[test]
fn a_slow_reader_that_makes_progress_loses_nothing() {
    for complete in [true, false] {
        let (mut peer, open) = requests(1_000_000, 1 << 20);
        for open in &open {
            match complete {
                true => peer.side.reply(open, [7; 10_000]),
                false if peer.side.answer(open.exchange, &Answer::default()).is_open() => {
                    peer.side.send_message(open.exchange, [7; 10_000], false);
                }
                false => {}
            }
        }
        assert!(peer.side.held() > 1_000_000, "too much is queued");
        peer.said();
        for _ in 0..40 {
            peer.side.wait(Duration::from_secs(30)).expect("the connection lives");
            peer.frame(Kind::WINDOW_UPDATE, 0, 0, &(16u32 << 10).to_be_bytes());
            let seen = peer.events();
            assert!(!seen.iter().any(|seen| matches!(seen, Seen::Reset { .. })), "{seen:?}");
            let said = peer.said();
            assert!(said.iter().all(|said| said.0.starts_with("DATA ")), "{said:?}");
        }
        assert_eq!(peer.side.host.denied, []);
    }
}

/// The same streams, once the reader stops.
#[test]
fn a_reader_that_stops_behind_the_connections_window_is_detected() {
    let (mut peer, open) = requests(1_000_000, 1 << 20);
    open.iter().for_each(|open| peer.side.reply(open, [7; 10_000]));
    peer.side.wait(Patience::DEFAULT.stall.expect("a limit")).expect("the connection lives");
    peer.frame(Kind::WINDOW_UPDATE, 0, 0, &(16u32 << 10).to_be_bytes());
    peer.events();
    // The stream moved a moment ago; then it stalls for two checks.
    peer.side.wait(Patience::DEFAULT.stall.expect("a limit")).expect("the connection lives");
    peer.events();
    assert_ne!(peer.side.held(), 0);
    rest(&mut peer);
    assert_eq!(peer.side.held(), 0);
    assert!(lives(&mut peer));
}
