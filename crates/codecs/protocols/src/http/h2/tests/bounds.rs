//! What a peer can make a connection hold: replies that it does not read, bodies that it does not end, slots
//! that it no longer uses.

use super::super::frame::{Kind, settings};
use super::super::{Code, H2, Move, Phase};
use super::peer::{POST, setting};
use super::{Peer, server_with};
use crate::http::{framing::Framing, semantics::Semantics};
use polywire_base::IoBuf;
use polywire_machine_testing::{Seen, SeenOpen, Side};
use polywire_wire::{
    Answer, Delivery, Denied, Flood, Limits, Outcome, Patience, Route, ServerSetup, WireError,
};
use std::time::Duration;

const QUEUED: usize = 1000;
const SLOT_BYTES: usize = Semantics::<H2>::SLOT_BYTES;

/// A peer with closed windows, and a server that queues at most `QUEUED` bytes of replies.
fn shut(window: u32) -> Peer {
    let patience = Patience::DEFAULT.queued(QUEUED as u32);
    let mut peer = Peer::of_server(Limits::default().patience(patience));
    initial_window(&mut peer, window);
    peer
}

fn initial_window(peer: &mut Peer, value: u32) {
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, value));
    peer.events();
    peer.said();
}

fn held(peer: &mut Peer) -> usize {
    peer.side.command(|machine, _| machine.held())
}

fn opened(seen: Vec<Seen>) -> Vec<SeenOpen> {
    let open = |seen| if let Seen::Open(open) = seen { Some(open) } else { None };
    seen.into_iter().filter_map(open).collect()
}

/// Answers each request with `bytes` when it is opened.
fn answer(bytes: usize) -> impl FnMut(&mut Side, &Seen) {
    move |side, seen| {
        if let Seen::Open(open) = seen {
            side.reply(open, vec![7; bytes]);
        }
    }
}

#[test]
fn requests_wait_while_too_many_replies_are_unread() {
    let mut peer = shut(0);
    for n in 0..20 {
        peer.post(2 * n + 1, false);
    }
    peer.events();
    for n in 0..20 {
        peer.data(2 * n + 1, true, b"x");
    }
    let seen = peer.side.events_reacting(&mut answer(600));
    assert_eq!(opened(seen).len(), 2, "the second one passed the limit");
    assert_eq!(held(&mut peer), 2 * 600 + 18);
    assert_eq!(peer.side.host.denied, [Denied::Request; 18]);
    // A request that is cancelled while it waits for its handler has no handler to tell.
    peer.frame(Kind::RST_STREAM, 0, 39, &8u32.to_be_bytes());
    assert_eq!(peer.events(), []);
    assert_eq!(peer.side.host.withdrawn, 1);
    // Once replies have been sent, the waiting requests begin.
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 1 << 20));
    let seen = peer.side.events_reacting(&mut answer(600));
    assert_eq!(opened(seen).len(), 17);
    assert_eq!(held(&mut peer), 0);
}

#[test]
fn replies_beyond_four_times_the_bound_end_their_streams() {
    let mut peer = shut(0);
    let mut open = Vec::new();
    for n in 0..20 {
        open.extend(opened(peer.post(2 * n + 1, true).events()));
    }
    assert_eq!(open.len(), 20);
    peer.said();
    for open in &open {
        peer.side.reply(open, [7; 600]);
    }
    assert_eq!(held(&mut peer), 7 * 600, "the seventh passed four times the bound");
    assert_eq!(peer.side.host.denied, [Denied::Reply; 13]);
    let said = peer.said();
    assert_eq!(
        said.iter().filter(|said| said.0.starts_with("RST_STREAM") && said.0.ends_with(" b")).count(),
        13
    );
    // The limit is on several replies together: a single one may be longer.
    let mut peer = shut(0);
    let open = peer.post(1, true).side.poll().expect_open();
    peer.side.reply(&open, [7; 10 * QUEUED]);
    assert_eq!(held(&mut peer), 10 * QUEUED);
}

/// Several calls at once have replies that are each as long as the limit of queued bytes, 64 MiB by default:
/// all of them arrive.
#[test]
fn long_replies_at_once_wait_for_a_reader_that_takes_them_slowly() {
    const LONG: usize = 1 << 20;
    let patience = Patience::DEFAULT.queued(LONG as u32);
    let mut peer = Peer::of_server(Limits::default().patience(patience));
    initial_window(&mut peer, 0);
    let body = IoBuf::from(vec![7; LONG]);
    let mut open = Vec::new();
    for n in 0..5 {
        open.extend(opened(peer.post(2 * n + 1, true).events()));
    }
    for open in &open {
        let outcome = Outcome { body: body.clone(), reply: true, ..Outcome::default() };
        peer.side.finish(open.exchange, outcome);
    }
    assert_eq!(held(&mut peer), 5 * LONG);
    assert!(peer.side.host.denied.is_empty());
    peer.said();
    // The reader opens its windows, and reads a little at a time.
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 1 << 30));
    let mut taken = [0; 5];
    while taken != [LONG; 5] {
        peer.frame(Kind::WINDOW_UPDATE, 0, 0, &(1u32 << 17).to_be_bytes());
        peer.events();
        let said = peer.said();
        assert_ne!(said.len(), 0, "{taken:?}");
        for said in said {
            let words: Vec<_> = said.0.split(' ').collect();
            if let ["DATA", stream, .., bytes] = words[..] {
                taken[stream.parse::<usize>().unwrap() / 2] += bytes.parse::<usize>().unwrap();
            }
        }
    }
    assert_eq!((held(&mut peer), peer.side.has_ended()), (0, false));
}

#[test]
fn streams_share_what_may_wait_on_their_connection() {
    let mut peer = shut(0);
    let mut open = Vec::new();
    for n in 0..20 {
        open.extend(opened(peer.post(2 * n + 1, true).events()));
    }
    for open in &open {
        peer.side.answer(open.exchange, &Answer::default());
    }
    let credits: Vec<_> =
        open.iter().map(|open| peer.side.send_message(open.exchange, [1; 100], false).is_open()).collect();
    assert_eq!(credits.iter().filter(|open| **open).count(), 9, "{credits:?}");
    assert!(held(&mut peer) <= 2 * QUEUED);
    // Room for all replies wakes the senders that wait.
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 1 << 20));
    let seen = peer.events();
    let woken = seen.iter().filter(|seen| matches!(seen, Seen::Credit { credit, .. } if credit.is_open()));
    assert_eq!(woken.count(), 11);
    assert_eq!(held(&mut peer), 0);
}

/// Stalled streams may fill the shared limit, and no more. Those that block other streams are reset in the
/// end.
#[test]
fn stalled_streams_do_not_starve_the_others() {
    let mut peer = shut(0);
    let mut open = Vec::new();
    for n in 0..11 {
        open.extend(opened(peer.post(2 * n + 1, true).events()));
    }
    for open in &open {
        let mut credit = peer.side.answer(open.exchange, &Answer::default());
        while credit.is_open() {
            credit = peer.side.send_message(open.exchange, [1; 100], false);
        }
    }
    assert_eq!(held(&mut peer), QUEUED, "all that may wait, and nothing beyond it");
    let mut looks = Vec::new();
    for _ in 0..2 {
        peer.side.wait(Patience::DEFAULT.stall.expect("a limit")).expect("the connection lives");
        looks.push(peer.events());
    }
    assert_eq!(looks[0], [], "each has its time");
    let reset = looks[1].iter().filter(|seen| matches!(seen, Seen::Reset { .. })).count();
    assert_eq!((reset, held(&mut peer)), (1, 0), "{:?}", looks[1]);
    assert_eq!(peer.side.host.denied, [Denied::Reply]);
    let woken =
        looks[1].iter().filter(|seen| matches!(seen, Seen::Credit { credit, .. } if credit.is_open()));
    assert_eq!(woken.count(), 10);
}

/// A stalled stream that blocks no other stream may stay as long as its reader likes.
#[test]
fn a_stalled_stream_that_blocks_no_other_is_not_reset() {
    let mut peer = shut(0);
    let open: Vec<_> = [1, 3].map(|stream| opened(peer.post(stream, true).events()).remove(0)).into();
    for open in &open {
        let mut credit = peer.side.answer(open.exchange, &Answer::default());
        while credit.is_open() {
            credit = peer.side.send_message(open.exchange, [1; 100], false);
        }
    }
    peer.frame(Kind::RST_STREAM, 0, 3, &8u32.to_be_bytes());
    assert_eq!(peer.events().len(), 1);
    for _ in 0..5 {
        peer.side.wait(Patience::DEFAULT.stall.expect("a limit")).expect("the connection lives");
        assert_eq!(peer.events(), []);
    }
    assert_eq!(held(&mut peer), QUEUED);
}

/// A server that assembles at most 10 000 bytes of messages at a time, with windows of 1000 bytes.
fn assembling() -> Peer {
    let limits = Limits::default().window(1000).window_growth(0).max_message(10_000);
    let mut peer = Peer::of_server(limits);
    let route = Route { max_message: 100_000, delivery: Delivery::Whole, ..Route::default() };
    peer.side.host.route(route);
    peer
}

/// The WINDOW_UPDATE frames of streams that the server has written.
fn let_in(peer: &mut Peer) -> Vec<String> {
    let said = peer.said().into_iter().map(|said| said.0);
    let mut windows: Vec<_> = said
        .filter(|said| said.starts_with("WINDOW_UPDATE") && !said.starts_with("WINDOW_UPDATE 0"))
        .collect();
    windows.sort();
    windows
}

fn announce(peer: &mut Peer, stream: u32, bytes: &str) {
    let head = [&POST[..], &[("content-length", bytes)]].concat();
    peer.headers(stream, false, &head);
    assert_eq!(peer.events(), []);
}

#[test]
fn long_messages_are_let_in_as_far_as_there_is_room_and_then_in_turn() {
    let mut peer = assembling();
    for n in 0..10 {
        announce(&mut peer, 2 * n + 1, "6000");
    }
    // The first message fits; the second is the one that may exceed the limit.
    assert_eq!(let_in(&mut peer), ["WINDOW_UPDATE 1 5000", "WINDOW_UPDATE 3 5000"]);
    // All streams send what their windows allow, without the last byte.
    for n in 0..10 {
        peer.data(2 * n + 1, false, &vec![1; if n < 2 { 5999 } else { 1000 }]);
    }
    assert_eq!(peer.events(), []);
    assert_eq!(held(&mut peer), 2 * 5999 + 8 * 1000 + 10 * SLOT_BYTES);
    // A message that is complete makes room for the next.
    peer.data(1, true, b"x");
    assert_eq!(opened(peer.events()).len(), 1);
    assert_eq!(let_in(&mut peer), [""; 0], "the one beyond the room fills it now");
    peer.data(3, true, b"x");
    assert_eq!(opened(peer.events()).len(), 1);
    assert_eq!(let_in(&mut peer), ["WINDOW_UPDATE 5 5000", "WINDOW_UPDATE 7 5000"]);
    // So does a stream that is reset, whether its message was let in or waited.
    for stream in [9, 5, 7] {
        peer.frame(Kind::RST_STREAM, 0, stream, &8u32.to_be_bytes());
    }
    peer.events();
    assert_eq!(let_in(&mut peer), ["WINDOW_UPDATE 11 5000", "WINDOW_UPDATE 13 5000"]);
}

#[test]
fn a_message_longer_than_all_the_room_comes_in_alone() {
    let mut peer = assembling();
    announce(&mut peer, 1, "50000");
    announce(&mut peer, 3, "50000");
    assert_eq!(let_in(&mut peer), ["WINDOW_UPDATE 1 49000"]);
    peer.data(1, true, &[1; 50_000]);
    assert_eq!(opened(peer.events()).len(), 1);
    assert_eq!(let_in(&mut peer), ["WINDOW_UPDATE 3 49000"]);
}

#[test]
fn messages_of_unknown_length_grow_one_at_a_time_when_there_is_no_room() {
    let mut peer = assembling();
    for stream in [1, 3, 5] {
        peer.post(stream, false);
    }
    peer.events();
    let mut sent = [0usize; 3];
    let mut open = [1000usize; 3];
    for _ in 0..20 {
        for (n, stream) in [1, 3, 5].into_iter().enumerate() {
            let bytes = open[n].min(16_000);
            if bytes > 0 {
                peer.data(stream, false, &vec![1; bytes]);
                (sent[n], open[n]) = (sent[n] + bytes, 0);
            }
        }
        assert_eq!(peer.events(), []);
        for said in let_in(&mut peer) {
            let words: Vec<usize> = said.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
            open[words[0] / 2] += words[1];
        }
    }
    let total: usize = sent.iter().sum();
    assert_eq!(held(&mut peer), total + 3 * SLOT_BYTES);
    let longest = (0..3).max_by_key(|&n| sent[n]).expect("three");
    assert!(sent[longest] > 60_000, "one goes on to its end: {sent:?}");
    assert!(total - sent[longest] <= 10_000, "the others do not: {sent:?}");
    peer.data(2 * longest as u32 + 1, true, b"");
    assert_eq!(opened(peer.events()).len(), 1);
    assert_ne!(let_in(&mut peer), [""; 0], "the next one does");
}

#[test]
fn the_oldest_message_is_timed_whatever_else_ends() {
    let mut peer = assembling();
    let oldest = |peer: &mut Peer| peer.side.command(|machine, _| machine.oldest());
    assert_eq!(oldest(&mut peer), None);
    let begun = peer.side.now();
    announce(&mut peer, 1, "500");
    for stream in [3, 5, 7] {
        peer.side.wait(Duration::from_secs(1)).expect("nothing is due");
        assert_eq!(opened(peer.post(stream, true).events()).len(), 1);
        assert_eq!(oldest(&mut peer), Some(begun));
    }
    peer.data(1, true, &[1; 500]);
    peer.events();
    assert_eq!(oldest(&mut peer), None);
}

#[test]
fn slots_that_are_not_used_any_more_are_given_back() {
    let mut peer = Peer::new(server_with(Limits::default()));
    let mut peer = Peer::greeting(std::mem::replace(&mut peer.side, server_with(Limits::default())));
    let burst = |peer: &mut Peer, first: u32| {
        let mut open = Vec::new();
        for n in 0..500 {
            open.extend(opened(peer.post(first + 2 * n, true).events()));
        }
        open.iter().for_each(|open| peer.side.finish(open.exchange, Outcome::default()));
        peer.events();
        open.iter().map(|open| open.exchange.slot).max()
    };
    assert_eq!(burst(&mut peer, 1), Some(499));
    // The first check sees how many slots were used, the second that none was used since.
    for _ in 0..2 {
        peer.side.wait(Duration::from_secs(5)).expect("the connection lives");
        peer.events();
    }
    let open = opened(peer.post(1001, true).events());
    assert!(open[0].exchange.slot < 8, "{open:?}");
    peer.side.finish(open[0].exchange, Outcome::default());
    assert_eq!(burst(&mut peer, 1003), Some(499));
}

/// A stream that was reset may still stand in the list of streams that wait to send.
#[test]
fn a_slot_that_was_given_back_has_no_turn_any_more() {
    let mut peer = Peer::greeting(server_with(Limits::default()));
    initial_window(&mut peer, 1 << 20);
    let mut open = Vec::new();
    for n in 0..30 {
        open.extend(opened(peer.post(2 * n + 1, true).events()));
    }
    // The connection's window takes less than the first reply: all the others wait behind it.
    open.iter().for_each(|open| peer.side.reply(open, [7; 70_000]));
    for n in 1..30 {
        peer.frame(Kind::RST_STREAM, 0, 2 * n + 1, &8u32.to_be_bytes());
    }
    peer.events();
    for _ in 0..2 {
        peer.side.wait(Duration::from_secs(5)).expect("the connection lives");
        peer.events();
    }
    peer.frame(Kind::WINDOW_UPDATE, 0, 0, &(1u32 << 20).to_be_bytes());
    assert_eq!(peer.events(), []);
    assert_eq!(held(&mut peer), 0, "the first reply has left");
}

/// One stream cannot send because the connection's window is closed; other streams open, wait behind it, and
/// are reset.
#[test]
fn streams_that_end_while_they_wait_for_their_turn_leave_nothing_behind() {
    let mut h2 = H2::new(&ServerSetup::default().into());
    h2.settings.peer.window = 1 << 20;
    server_with(Limits::default()).command(|_, cx| {
        for id in (1..20_000).step_by(2) {
            let slot = h2.begin(id, Phase::Unreported);
            h2.advance(slot, Move::RecvEnd);
            h2.send(cx, slot, b"", &IoBuf::from(vec![7; 70_000]), true);
            if id > 1 {
                h2.release(slot);
                h2.break_off(cx, slot, Code::CANCEL);
            }
        }
    });
    assert_eq!(h2.streams.live(), 1);
    assert!(h2.sending.ready.len() <= 4, "{}", h2.sending.ready.len());
}

#[test]
fn empty_frames_for_reset_streams_count_as_mistakes() {
    let mut peer = Peer::of_server(Limits::default());
    peer.side.host.deliver(Delivery::Pieces);
    let open = peer.post(1, false).side.poll().expect_open();
    peer.side.reset(open.exchange, polywire_call::Status::cancelled(""));
    peer.events();
    peer.said();
    let empty = |peer: &mut Peer, n: usize| {
        match n % 2 {
            0 => peer.data(1, false, b""),
            _ => peer.headers(1, true, &[("a", "b")]),
        };
    };
    let mut borne = 0;
    let end = loop {
        empty(&mut peer, borne);
        match peer.events().pop() {
            None if borne < 2000 => borne += 1,
            end => break end,
        }
    };
    assert_eq!(end, Some(Seen::Error(WireError::Flood(Flood::Controls))), "after {borne} frames");
    let burst = Patience::DEFAULT.controls.burst as usize;
    assert!((burst - 5..=burst).contains(&borne), "{borne}: the greeting has used some");
    assert_eq!(peer.said(), ["GOAWAY 1 b too many control frames"]);
}

#[test]
fn credentials_that_are_refused_all_the_time_end_the_connection() {
    let setup = ServerSetup { authenticate: true, ..ServerSetup::default() };
    let mut peer = Peer::greeting(Side::new(&super::PROTOCOL, setup));
    let guess = |peer: &mut Peer, n: u32| {
        let guess = format!("Bearer {n}");
        let head = [&POST[..], &[("authorization", &guess)]].concat();
        peer.headers(2 * n + 1, true, &head);
        let asked = matches!(peer.events().first(), Some(Seen::Authenticate { .. }));
        if asked {
            peer.side.authenticated(Err(polywire_call::Status::unauthenticated("")));
        }
        asked
    };
    let goaways = |peer: &mut Peer| -> Vec<String> {
        peer.said().into_iter().map(|said| said.0).filter(|said| said.starts_with("GOAWAY")).collect()
    };
    assert!((0..100).all(|n| guess(&mut peer, n)));
    assert_eq!(goaways(&mut peer), [""; 0], "a hundred are borne");
    assert!(guess(&mut peer, 100));
    assert_eq!(
        goaways(&mut peer),
        ["GOAWAY 2147483647 0", "GOAWAY 201 0"],
        "an end in peace: NO_ERROR, whatever is under way"
    );
    assert_eq!(peer.side.host.denied, [Denied::Credentials]);
    assert!(
        (101..200).all(|n| !guess(&mut peer, n)),
        "nobody is asked about requests that were on their way"
    );
}

/// A few bytes of HPACK stand for a long field of the table, in as many streams as there may be.
#[test]
fn long_heads_of_open_streams_are_counted_and_bounded() {
    for (bytes, end, least) in
        [(4096, false, 1000), (4096, true, 1000), (14_000, false, 500), (14_000, true, 500)]
    {
        let mut peer = Peer::greeting(Side::server(&super::PROTOCOL));
        let value = "v".repeat(bytes / 4);
        let long = ["a", "b", "c", "d"].map(|name| (name, value.as_str()));
        for n in 0..1000 {
            peer.headers(2 * n + 1, end, &[&POST[..], &long].concat());
            peer.events();
        }
        let refused = peer.said().into_iter().filter(|said| said.0.starts_with("RST_STREAM")).count();
        let taken = 1000 - refused;
        assert!(taken >= least && (taken - 1) * bytes < 8 << 20, "{taken} of {bytes} bytes");
        // Those that are complete have been copied by the host, and are kept here no longer.
        let held = held(&mut peer);
        match end {
            true => assert_eq!(held, 0),
            false => assert!((taken * bytes..taken * (bytes + 2048)).contains(&held), "{held} of {taken}"),
        }
        if end && refused > 0 {
            // A stream that ends makes room for another one.
            peer.side
                .fail(polywire_wire::Exchange { token: 1, slot: 0 }, polywire_call::Status::internal(""));
            peer.events();
            peer.said();
            peer.headers(2001, end, &[&POST[..], &long].concat());
            assert!(matches!(peer.events().first(), Some(Seen::Open(_))), "there is room");
        }
    }
}

/// A long outage of the authenticator's database must not close connections.
#[test]
fn failures_of_the_authenticator_do_not_count_as_refusals() {
    let setup = ServerSetup { authenticate: true, ..ServerSetup::default() };
    let mut peer = Peer::greeting(Side::new(&super::PROTOCOL, setup));
    for n in 0..200 {
        let shown = format!("Bearer {n}");
        let head = [&POST[..], &[("authorization", &shown)]].concat();
        peer.headers(2 * n + 1, true, &head);
        assert!(matches!(peer.events().first(), Some(Seen::Authenticate { .. })), "{n}");
        peer.side.authenticated(Err(polywire_call::Status::unavailable("")));
        peer.events();
        assert!(peer.said().iter().all(|said| !said.0.starts_with("GOAWAY")), "{n}");
    }
    assert!(peer.side.host.denied.is_empty());
}
