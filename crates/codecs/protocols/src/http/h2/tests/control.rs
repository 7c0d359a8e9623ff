//! Preface and SETTINGS, PING, GOAWAY, and limits on floods of frames.

use super::super::frame::{Kind, settings};
use super::Peer;
use super::peer::{POST, setting};
use polywire_machine_testing::{Call, Seen};
use polywire_wire::{
    Answer, Flood, Goodbye, Keepalive, Limits, Patience, Rate, Refusal, Role, Wake, WireError,
};
use std::time::Duration;

fn patient(patience: Patience) -> Limits {
    Limits::default().patience(patience)
}

fn alive(keepalive: Keepalive) -> Limits {
    Limits::default().keepalive(keepalive)
}

/// How the connection ends; `None` if it goes on.
fn ending(peer: &mut Peer) -> Option<WireError> {
    match peer.events().pop() {
        Some(Seen::Error(error)) => Some(error),
        _ => None,
    }
}

const NO_RATE: Rate = Rate { burst: 10, per_second: 0 };

#[test]
fn both_sides_greet() {
    let mut peer = Peer::new(super::server_with(Limits::default()));
    peer.side.events();
    assert_eq!(peer.said(), ["SETTINGS 3=1000 4=262144 5=262144 6=16384", "WINDOW_UPDATE 0 983041"]);
    let mut client = super::client_with(Limits::default());
    client.events();
    let mut peer = Peer::new(client);
    let preface = peer.side.written();
    assert_eq!(preface[..24], *super::super::PREFACE);
    peer.side.feed(&preface[24..]); // nonsense for a client, but the frames can be read
    let mut reader = Peer::new(super::server_with(Limits::default()));
    reader.side.feed(&preface);
    assert_eq!(reader.events(), []);
}

#[test]
fn a_ping_is_answered_with_its_bytes() {
    let mut peer = Peer::of_server(Limits::default());
    peer.frame(Kind::PING, 0, 0, b"12345678");
    peer.events();
    assert_eq!(peer.said(), ["PING ack 12345678"]);
}

#[test]
fn a_server_goes_in_two_steps_and_serves_what_was_on_its_way() {
    let mut peer = Peer::of_server(Limits::default());
    let open = peer.post(1, true).side.poll().expect_open();
    peer.side.goodbye(Goodbye::Drain);
    assert_eq!(peer.said(), ["GOAWAY 2147483647 0", "PING pw:drain"]);
    let late = peer.post(3, true).side.poll().expect_open();
    peer.frame(Kind::PING, 1, 0, b"pw:drain");
    assert_eq!(peer.events(), []);
    assert_eq!(peer.said(), ["GOAWAY 3 0"]);
    peer.post(5, true).data(5, true, b"x");
    assert_eq!(peer.events(), []);
    peer.side.reply(&open, "");
    assert_eq!(peer.events(), []);
    peer.side.reply(&late, "");
    assert_eq!(peer.events(), [Seen::Closed]);
    let head = "es 200 content-type=application/json content-length=0";
    assert_eq!(peer.said(), [&format!("HEADERS 1 {head}")[..], &format!("HEADERS 3 {head}")[..]]);
}

#[test]
fn a_client_that_answers_no_ping_has_a_second() {
    let mut peer = Peer::of_server(Limits::default());
    peer.side.goodbye(Goodbye::Drain);
    assert_eq!(peer.side.until_deadline(), Some(Duration::from_secs(1)));
    peer.side.wait(Duration::from_secs(1)).expect("no error");
    assert_eq!(peer.events(), [Seen::Closed]);
    assert_eq!(peer.said(), ["GOAWAY 2147483647 0", "PING pw:drain", "GOAWAY 0 0"]);
}

#[test]
fn streams_above_the_last_of_a_goaway_are_safe_to_try_elsewhere() {
    let mut peer = Peer::of_client(Limits::default());
    let calls = [0, 1].map(|_| peer.side.call(&Call::new("S", "M").body("x")));
    peer.frame(Kind::GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 0]);
    let seen = peer.events();
    assert!(seen.iter().any(|s| format!("{s:?}").contains("Draining")), "{seen:?}");
    let reset = seen
        .iter()
        .find_map(|s| if let Seen::Reset { exchange, why } = s { Some((*exchange, why)) } else { None });
    let (exchange, why) = reset.expect("one call was not looked at");
    assert_eq!((exchange, why.is_unprocessed()), (calls[1], true));
    let another = polywire_wire::Exchange { token: 5 << 32, slot: 5 };
    assert_eq!(peer.side.open(another, &Call::new("S", "M")), Err(Refusal::Draining));
    assert_eq!(peer.side.vacancies(), 0);
    peer.headers(1, true, &[(":status", "200")]);
    assert!(matches!(&peer.events()[..], [Seen::Finish { outcome, .. }] if outcome.status.is_ok()));
}

#[test]
fn calls_say_why_the_server_ended_them() {
    for (code, debug, reason) in [
        (0xb, &b"too_many_pings"[..], r#" (ENHANCE_YOUR_CALM, "too_many_pings")"#),
        (2, b"", " (INTERNAL_ERROR)"),
        (0, b"max_age", r#" (NO_ERROR, "max_age")"#),
        (0, b"", ""),
        (70007, b"\xff\n\0", " (a code of its own, \"\u{fffd}\\n\\0\")"),
    ] {
        let mut peer = Peer::of_client(Limits::default());
        for _ in 0..2 {
            peer.side.call(&Call::new("S", "M").body("x"));
        }
        peer.frame(Kind::GOAWAY, 0, 0, &[&1u32.to_be_bytes()[..], &u32::to_be_bytes(code), debug].concat());
        let mut seen = peer.events();
        peer.side.resume(Wake::Eof).expect("no error");
        seen.extend(peer.events());
        let resets =
            seen.iter().filter_map(|s| if let Seen::Reset { why, .. } = s { Some(why) } else { None });
        let messages: Vec<_> = resets.map(|why| why.message()).collect();
        assert_eq!(
            messages,
            [
                format!("refused by the server{reason}, unread"),
                format!("connection closed before the reply{reason}"),
            ]
        );
    }
}

#[test]
fn a_client_learns_that_it_sent_too_many_pings() {
    let says = |code: u8, debug: &[u8]| {
        let mut peer = Peer::of_client(Limits::default());
        peer.frame(Kind::GOAWAY, 0, 0, &[&[0, 0, 0, 1, 0, 0, 0, code], debug].concat());
        peer.events().contains(&Seen::Calm)
    };
    assert!(says(0xb, b"too_many_pings"));
    assert!(!says(0xb, b"too_many_resets") && !says(0, b"too_many_pings") && !says(0xb, b""));
}

#[test]
fn closing_says_so() {
    let mut peer = Peer::of_server(Limits::default());
    peer.post(1, true).events();
    peer.side.goodbye(Goodbye::Close);
    assert_eq!(peer.said(), ["GOAWAY 1 0"]);
    assert_eq!(peer.events(), [Seen::Closed]);
    let mut peer = Peer::of_client(Limits::default());
    peer.side.goodbye(Goodbye::Close);
    assert_eq!(peer.said(), ["GOAWAY 0 0"]);
}

#[test]
fn the_end_of_the_peers_half_ends_what_is_not_whole() {
    let mut peer = Peer::of_client(Limits::default());
    for _ in 0..2 {
        peer.side.call(&Call::new("S", "M").body("x"));
    }
    peer.headers(1, false, &[(":status", "200")]);
    peer.side.resume(Wake::Eof).expect("no error");
    let seen = peer.events();
    let messages: Vec<_> = seen
        .iter()
        .filter_map(|s| if let Seen::Reset { why, .. } = s { Some(why.message().to_owned()) } else { None })
        .collect();
    assert_eq!(messages, ["connection closed inside the reply", "connection closed before the reply"]);
    assert_eq!(seen.last(), Some(&Seen::Closed));
}

#[test]
fn a_half_closed_peer_still_gets_its_replies() {
    let mut peer = Peer::of_server(Limits::default());
    let [first, second] = [1, 3].map(|id| peer.post(id, true).side.poll().expect_open());
    peer.post(5, false).data(5, false, b"cut off here");
    assert_eq!(peer.events(), []);
    peer.side.resume(Wake::Eof).expect("no error");
    assert_eq!(peer.events(), [Seen::Blocked], "two replies are owed, the third request will never be whole");
    peer.side.reply(&second, "");
    assert_eq!(peer.events(), [Seen::Blocked]);
    peer.side.reply(&first, "");
    assert_eq!(peer.events(), [Seen::Closed]);
    let head = "es 200 content-type=application/json content-length=0";
    let said = peer.said();
    assert_eq!(said[said.len() - 2..], [&format!("HEADERS 3 {head}")[..], &format!("HEADERS 1 {head}")[..]]);
}

/// Opens a request and resets it at once; whether it reached a handler.
fn give_up(peer: &mut Peer, id: u32) -> bool {
    peer.post(id, true);
    let opened = matches!(peer.events()[..], [Seen::Open(_)]);
    peer.frame(Kind::RST_STREAM, 0, id, &8u32.to_be_bytes());
    opened
}

/// A hundred times the rate, for three seconds: handlers run as often as the rate allows, nobody else
/// notices, and little is held.
#[test]
fn requests_beyond_the_rate_of_resets_are_refused() {
    let rate = Rate { burst: 100, per_second: 100 };
    let mut peer = Peer::of_server(patient(Patience::DEFAULT.resets(rate)));
    let beside = peer.post(1, true).side.poll().expect_open();
    let mut handlers = 0;
    let mut id = 1;
    for _ in 0..300 {
        peer.side.wait(Duration::from_millis(10)).expect("no error");
        for _ in 0..100 {
            id += 2;
            handlers += u32::from(give_up(&mut peer, id));
        }
        assert!(peer.events().iter().all(|seen| matches!(seen, Seen::Reset { .. })));
        assert!(peer.said().iter().all(|said| said.0.starts_with("RST_STREAM") && said.0.ends_with(" 7")));
    }
    assert!((300..=400).contains(&handlers), "{handlers} handlers ran for nothing");
    assert!(peer.side.command(|machine, _| machine.held()) < 64 << 10);
    peer.side.reply(&beside, "x");
    assert!(peer.said()[0].0.starts_with("HEADERS 1 200"));
    peer.side.wait(Duration::from_millis(10)).expect("no error");
    assert!(give_up(&mut peer, id + 2), "they are taken again when the rate has been kept for a moment");
}

/// Who opens all streams before it resets the first one has to wait for longer.
#[test]
fn resets_that_come_together_are_paid_for_before_the_next_request_is_taken() {
    let rate = Rate { burst: 100, per_second: 100 };
    let mut peer = Peer::of_server(patient(Patience::DEFAULT.resets(rate)));
    let mut opened = Vec::new();
    for round in 0..50 {
        let ids = (0..500).map(|n| 2 * (round * 500 + n) + 1);
        ids.clone().for_each(|id| _ = peer.post(id, true));
        opened.push(peer.events().iter().filter(|seen| matches!(seen, Seen::Open(_))).count());
        ids.for_each(|id| _ = peer.frame(Kind::RST_STREAM, 0, id, &8u32.to_be_bytes()));
        peer.events();
        peer.said();
        peer.side.wait(Duration::from_millis(100)).expect("no error");
    }
    assert_eq!(opened.iter().sum::<usize>(), 1000, "{opened:?}");
    assert_eq!((opened[0], opened.iter().position(|&n| n > 0 && n < 500)), (500, None));
}

#[test]
fn rapid_resets_end_the_connection() {
    let mut peer = Peer::of_server(patient(Patience::DEFAULT.resets(NO_RATE)));
    let mut id = 1;
    let ended = (0..10_000).find_map(|_| {
        peer.post(id, true).frame(Kind::RST_STREAM, 0, id, &8u32.to_be_bytes());
        id += 2;
        let ended = ending(&mut peer);
        if ended.is_none() {
            peer.said();
        }
        ended
    });
    assert_eq!(ended, Some(WireError::Flood(Flood::Resets)));
    assert_eq!(id, 2 * (10 + 400 * 10 + 1) + 1, "ten were taken, the others refused");
    assert_eq!(peer.said()[1..], [&format!("GOAWAY {} b too many streams reset", id - 2)[..]]);
}

#[test]
fn a_peer_may_give_up_as_many_requests_as_it_lets_end() {
    for (given_up, lives) in [(1, true), (2, false)] {
        let mut peer = Peer::of_server(patient(Patience::DEFAULT.resets(NO_RATE)));
        let mut id = 1;
        let rounds = (0..100).take_while(|_| {
            let Seen::Open(open) = peer.post(id, true).side.poll() else { return false };
            peer.side.reply(&open, "x");
            peer.said();
            for _ in 0..given_up {
                id += 2;
                peer.post(id, true).frame(Kind::RST_STREAM, 0, id, &8u32.to_be_bytes());
            }
            id += 2;
            assert_eq!(ending(&mut peer), None);
            true
        });
        assert_eq!(rounds.count() == 100, lives, "{given_up} for each reply");
    }
}

#[test]
fn streams_that_the_peer_makes_us_break_end_the_connection() {
    let mut peer = Peer::of_server(patient(Patience::DEFAULT.mistakes(NO_RATE)));
    for n in 0..11 {
        peer.headers(2 * n + 1, true, &[&POST[..], &[("connection", "close")]].concat());
    }
    assert_eq!(ending(&mut peer), Some(WireError::Flood(Flood::Mistakes)));
}

#[test]
fn frames_that_ask_for_nothing_end_the_connection() {
    let flood = |feed: &dyn Fn(&mut Peer)| {
        let mut peer = Peer::of_server(patient(Patience::DEFAULT.controls(NO_RATE)));
        peer.side.host.deliver(polywire_wire::Delivery::Pieces);
        peer.post(1, false);
        for n in 0..50 {
            feed(&mut peer);
            if let Some(error) = ending(&mut peer) {
                assert_eq!(error, WireError::Flood(Flood::Controls));
                return n;
            }
        }
        50
    };
    let rows: [(&str, &dyn Fn(&mut Peer)); 8] = [
        ("CVE-2019-9512 PING", &|p| _ = p.frame(Kind::PING, 1, 0, &[0; 8])),
        ("CVE-2019-9515 SETTINGS", &|p| _ = p.frame(Kind::SETTINGS, 0, 0, &[])),
        ("acknowledgements", &|p| _ = p.frame(Kind::SETTINGS, 1, 0, &[])),
        ("CVE-2019-9513 PRIORITY", &|p| _ = p.frame(Kind::PRIORITY, 0, 9, &[0; 5])),
        ("CVE-2019-9518 empty DATA", &|p| _ = p.data(1, false, b"")),
        ("unknown frames", &|p| _ = p.frame(Kind(0x99), 0, 0, b"x")),
        ("RST_STREAM of nothing", &|p| _ = p.frame(Kind::RST_STREAM, 0, 1, &[0; 4])),
        ("crumbs of a window", &|p| _ = p.frame(Kind::WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1])),
    ];
    for (row, feed) in rows {
        assert!((8..=11).contains(&flood(feed)), "{row}: {}", flood(feed));
    }
    // with requests in between, any number of SETTINGS is accepted
    assert_eq!(flood(&|p| _ = p.frame(Kind::SETTINGS, 0, 0, &[]).data(1, false, b"x")), 50);
}

/// Requests whose replies wait behind windows of no bytes.
fn behind_shut_windows(requests: u32) -> Peer {
    let mut peer = Peer::of_server(patient(Patience::DEFAULT.controls(NO_RATE)));
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 0));
    for n in 0..requests {
        let open = peer.post(2 * n + 1, true).side.poll().expect_open();
        peer.side.reply(&open, [0; 1000]);
    }
    assert_eq!(ending(&mut peer), None);
    peer.said();
    peer
}

#[test]
fn a_window_of_one_byte_ends_nothing() {
    let mut peer = behind_shut_windows(1);
    for round in 0..500 {
        for stream in [1, 0] {
            peer.frame(Kind::WINDOW_UPDATE, 0, stream, &[0, 0, 0, 1]);
        }
        assert_eq!(ending(&mut peer), None, "{round}");
        assert_eq!(peer.said().len(), 1, "{round}");
    }
}

#[test]
fn a_request_behind_its_reset_is_no_mistake() {
    // grpc-java, when a call is cancelled at once
    let patience = Patience::DEFAULT.mistakes(NO_RATE).controls(NO_RATE);
    let mut peer = Peer::of_server(patient(patience));
    for n in 0..100 {
        let id = 2 * n + 1;
        peer.post(id, false).frame(Kind::RST_STREAM, 0, id, &8u32.to_be_bytes()).data(id, true, b"request");
        assert_eq!(ending(&mut peer), None, "{n}");
        assert_eq!(peer.said(), [&format!("RST_STREAM {id} 5")[..]], "{n}");
    }
    // DATA alone are no more than other frames that ask for nothing
    let mut peer = Peer::of_server(patient(patience));
    let ids = || (0..100).map(|n| 2 * n + 1);
    peer.post(201, true).events();
    let borne = ids().take_while(|&id| ending(peer.data(id, true, b"x")).is_none()).count();
    assert!(borne <= 10, "{borne}");
}

#[test]
fn short_frames_that_settings_let_go_on_many_streams_end_the_connection() {
    // CVE-2019-9511: a few bytes of the peer make this side write a frame for each stream
    let mut peer = behind_shut_windows(20);
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 1));
    assert_eq!(ending(&mut peer), Some(WireError::Flood(Flood::Controls)));
    // or while the connection's window is shut, so that one WINDOW_UPDATE lets all of them go
    let mut peer = behind_shut_windows(20);
    let open = peer.post(41, true).side.poll().expect_open();
    peer.side.reply(&open, [0; 70_000]);
    peer.frame(Kind::WINDOW_UPDATE, 0, 41, &70_000u32.to_be_bytes());
    peer.events();
    peer.said();
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 1));
    assert_eq!(ending(&mut peer), None);
    peer.frame(Kind::WINDOW_UPDATE, 0, 0, &5000u32.to_be_bytes());
    assert_eq!(ending(&mut peer), Some(WireError::Flood(Flood::Controls)));
}

/// A WINDOW_UPDATE of a stream, one of the connection, and a PING: what gRPC's clients and servers send for a
/// message.
fn answer_a_message(peer: &mut Peer) {
    for stream in [0, 1] {
        peer.frame(Kind::WINDOW_UPDATE, 0, stream, &[0, 0, 0, 9]);
    }
    peer.frame(Kind::PING, 0, 0, &[0; 8]);
}

#[test]
fn frames_that_answer_messages_of_this_side_end_nothing() {
    let limits = patient(Patience::DEFAULT.controls(NO_RATE));
    // a server stream, also if its client asks for more than it should
    for (more, lives) in [(0, true), (1, false)] {
        let mut peer = Peer::of_server(limits);
        let open = peer.post(1, true).side.poll().expect_open();
        peer.side.answer(open.exchange, &Answer::default());
        let rounds = (0..100).take_while(|_| {
            peer.side.send_message(open.exchange, "tick", false);
            answer_a_message(&mut peer);
            (0..more).for_each(|_| _ = peer.frame(Kind::PING, 0, 0, &[0; 8]));
            peer.said();
            ending(&mut peer).is_none()
        });
        assert_eq!(rounds.count() == 100, lives, "{more} more");
    }
    // a client that sends messages, and a server that answers them so; the messages of that count for
    // themselves
    let mut peer = Peer::of_client(limits);
    let call = peer.side.call(&Call::new("S", "M").parts_follow().streamed());
    peer.headers(1, false, &[(":status", "200")]);
    for round in 0..100 {
        peer.side.send_message(call, "tick", false);
        answer_a_message(&mut peer);
        assert_eq!(ending(&mut peer), None, "{round}");
    }
    // acknowledgements of this side's own PINGs
    let mut peer =
        Peer::of_client(limits.keepalive(Keepalive::DEFAULT.every(Duration::from_secs(1)).idle(true)));
    peer.said();
    for round in 0..100 {
        peer.side.wait(Duration::from_secs(1)).expect("no error");
        peer.events();
        assert_eq!(peer.said(), ["PING pw:alive"], "{round}");
        peer.frame(Kind::PING, 1, 0, b"pw:alive");
        assert_eq!(ending(&mut peer), None, "{round}");
    }
}

#[test]
fn a_server_that_refuses_calls_does_not_end_the_connection() {
    let mut peer = Peer::of_client(patient(Patience::DEFAULT.controls(NO_RATE)));
    for n in 0..100 {
        peer.side.call(&Call::new("S", "M").body("0123456789"));
        // RFC 9113 8.7; the C core gives the bytes of the request back
        peer.frame(Kind::WINDOW_UPDATE, 0, 0, &[0, 0, 0, 10]);
        peer.frame(Kind::RST_STREAM, 0, 2 * n + 1, &7u32.to_be_bytes());
        assert!(matches!(&peer.events()[..], [Seen::Reset { why, .. }] if why.is_unprocessed()), "{n}");
    }
}

#[test]
fn answers_that_are_not_read_end_the_connection() {
    let patience = Patience::DEFAULT.unread(20);
    let keepalive = Keepalive::DEFAULT.strikes(1000);
    let mut peer = Peer::of_server(Limits::default().patience(patience).keepalive(keepalive));
    let mut ping = |read: bool| {
        for n in 0..100 {
            peer.frame(Kind::PING, 0, 0, &[0; 8]);
            if let Some(error) = ending(&mut peer) {
                return Some((n, error));
            }
            if read {
                peer.said();
            }
        }
        None
    };
    assert_eq!(ping(true), None);
    assert_eq!(ping(false), Some((20, WireError::Flood(Flood::Unread))));
}

#[test]
fn settings_that_are_not_acknowledged_end_the_connection() {
    let mut peer = Peer::new(super::server_with(Limits::default()));
    peer.side.feed(super::super::PREFACE);
    peer.frame(Kind::SETTINGS, 0, 0, &[]);
    peer.events();
    peer.said();
    peer.side.wait(Duration::from_millis(9999)).expect("not yet");
    assert_eq!(peer.events(), []);
    peer.side.wait(Duration::from_millis(1)).expect("the next poll says it");
    assert_eq!(peer.events(), [Seen::Error(WireError::Silent)]);
    assert_eq!(peer.said(), ["GOAWAY 0 4 SETTINGS not acknowledged"]);
}

#[test]
fn too_many_pings_are_strikes_unless_the_server_had_data_to_send() {
    let ten = Duration::from_secs(10);
    let mut peer = Peer::of_server(alive(Keepalive::DEFAULT.least(ten).least_idle(ten)));
    let ping = |peer: &mut Peer, after: u64| {
        peer.side.wait(Duration::from_secs(after)).expect("no deadline");
        peer.frame(Kind::PING, 0, 0, &[0; 8]);
        ending(peer)
    };
    for _ in 0..5 {
        assert_eq!(ping(&mut peer, 10), None, "that is allowed");
    }
    assert_eq!((ping(&mut peer, 9), ping(&mut peer, 9)), (None, None));
    let open = peer.post(1, true).side.poll().expect_open();
    peer.side.reply(&open, "x");
    for _ in 0..3 {
        assert_eq!(ping(&mut peer, 1), None);
    }
    peer.said();
    assert_eq!(ping(&mut peer, 1), Some(WireError::Flood(Flood::Pings)));
    assert_eq!(peer.said()[1..], ["GOAWAY 1 b too_many_pings"]);
}

#[test]
fn by_the_rule_of_grpc_a_client_may_ask_every_five_minutes_and_without_calls_every_two_hours() {
    let minutes = |n: u64| Duration::from_secs(60 * n);
    for (open, seconds, strikes) in [(true, 300, 0), (true, 299, 1), (false, 7200, 0), (false, 7199, 1)] {
        let keepalive = Keepalive::DEFAULT.least(minutes(5)).least_idle(minutes(120));
        let keepalive = keepalive.every(None).strikes(0);
        let mut peer = Peer::of_server(alive(keepalive));
        if open {
            peer.post(1, true).events();
        }
        peer.frame(Kind::PING, 0, 0, &[0; 8]);
        assert_eq!(ending(&mut peer), None);
        peer.side.wait(Duration::from_secs(seconds)).expect("no deadline");
        peer.frame(Kind::PING, 0, 0, &[0; 8]);
        let calm = (strikes > 0).then_some(WireError::Flood(Flood::Pings));
        assert_eq!(ending(&mut peer), calm, "{open} {seconds}");
    }
}

#[test]
fn a_client_without_calls_may_ask_all_the_time_and_not_as_fast_as_it_can() {
    let pings = |apart: Duration| {
        let mut peer = Peer::of_server(Limits::default());
        (0..10_000)
            .take_while(|_| {
                peer.side.wait(apart).expect("no deadline");
                peer.frame(Kind::PING, 0, 0, &[0; 8]);
                peer.said();
                ending(&mut peer).is_none()
            })
            .count()
    };
    assert_eq!(pings(Duration::from_secs(1)), 10_000);
    assert_eq!(pings(Duration::from_millis(10)), 10_000);
    assert_eq!(pings(Duration::ZERO), 998, "`Patience::controls`, less SETTINGS and their answer");
}

#[test]
fn a_server_asks_after_two_hours_whether_its_client_is_there() {
    let mut peer = Peer::of_server(Limits::default());
    peer.said();
    assert_eq!(peer.side.until_deadline(), Some(Duration::from_secs(7200)));
    peer.side.wait(Duration::from_secs(7200)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), ["PING pw:alive"]);
    peer.side.wait(Duration::from_secs(20)).expect("the next poll says it");
    assert_eq!(peer.events(), [Seen::Error(WireError::Silent)]);
}

#[test]
fn limits_that_are_off_do_not_end_a_connection_and_endless_ones_are_long() {
    let keepalive = |time: Option<Duration>| {
        let within = time.unwrap_or_default();
        Keepalive::DEFAULT.every(time).within(within).max_idle(time).max_age(time).max_age_grace(time)
    };
    let patience = |time: Option<Duration>| Patience::DEFAULT.settings(time).stall(time);
    for (time, deadline) in [(None, false), (Some(Duration::ZERO), false), (Some(Duration::MAX), true)] {
        let mut peer = Peer::of_server(Limits::default().keepalive(keepalive(time)).patience(patience(time)));
        assert_eq!(peer.side.until_deadline().is_some(), deadline);
        peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 0));
        let open = peer.post(1, true).side.events().pop().map(|s| s.expect_open()).expect("a request");
        peer.side.reply(&open, "never taken");
        peer.side.wait(Duration::from_secs(1_000_000)).expect("no error");
        assert_eq!(peer.events(), []);
    }
    let mut client = Peer::of_client(alive(keepalive(None)));
    client.side.call(&Call::new("S", "M").body("x"));
    client.said();
    client.side.wait(Duration::from_secs(1_000_000)).expect("no error");
    assert_eq!(client.events(), []);
    assert_eq!(client.said(), [""; 0]);
}

#[test]
fn old_connections_go_not_all_at_once_and_not_later_than_their_grace() {
    let age = |random| {
        let (max_age, max_age_grace) = (Some(Duration::from_secs(100)), Some(Duration::from_secs(5)));
        let settled =
            Keepalive::DEFAULT.max_age(max_age).max_age_grace(max_age_grace).settled(Role::Server, random);
        settled.max_age.expect("it was given").as_millis()
    };
    assert_eq!((age(i64::MIN), age(0), age(i64::MAX)), (90_000, 100_000, 110_000));
    let keepalive = Keepalive::DEFAULT
        .every(None)
        .max_age(Duration::from_secs(100))
        .max_age_grace(Duration::from_secs(5));
    let mut peer = Peer::of_server(alive(keepalive));
    peer.post(1, true).events();
    peer.said();
    peer.side.wait(Duration::from_secs(100)).expect("no error");
    peer.frame(Kind::PING, 1, 0, b"pw:drain");
    assert_eq!(peer.events(), []);
    assert_eq!(peer.said(), ["GOAWAY 2147483647 0", "PING pw:drain", "GOAWAY 1 0"]);
    peer.side.wait(Duration::from_millis(4999)).expect("no error");
    assert_eq!(peer.events(), [], "the call may still end");
    peer.side.wait(Duration::from_millis(1)).expect("no error");
    assert_eq!(peer.events(), [Seen::Closed]);
    assert_eq!(peer.said(), ["GOAWAY 1 0"]);
}

#[test]
fn an_idle_peer_is_pinged_and_given_up() {
    let keepalive = Keepalive::DEFAULT.every(Duration::from_secs(30));
    let mut peer = Peer::of_client(alive(keepalive));
    peer.said();
    peer.side.wait(Duration::from_secs(31)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), [""; 0], "nobody waits for anything");
    peer.side.call(&Call::new("S", "M").body("x"));
    peer.said();
    peer.side.wait(Duration::from_secs(31)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), ["PING pw:alive"]);
    peer.frame(Kind::PING, 1, 0, b"pw:alive");
    peer.events();
    peer.side.wait(Duration::from_secs(20)).expect("it is there");
    assert_eq!(peer.events(), []);
    peer.side.wait(Duration::from_secs(11)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), ["PING pw:alive"]);
    peer.side.wait(Duration::from_secs(20)).expect("the next poll says it");
    assert_eq!(peer.events(), [Seen::Error(WireError::Silent)]);
}

#[test]
fn old_and_idle_connections_are_asked_to_go() {
    let age = Keepalive::DEFAULT.max_age(Duration::from_secs(100));
    let mut peer = Peer::of_server(alive(age));
    peer.post(1, true).events();
    peer.side.wait(Duration::from_secs(100)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), ["GOAWAY 2147483647 0", "PING pw:drain"]);

    let idle = Keepalive::DEFAULT.max_idle(Duration::from_secs(100));
    let mut peer = Peer::of_server(alive(idle));
    peer.side.wait(Duration::from_secs(60)).expect("no error");
    let open = peer.post(1, true).side.poll().expect_open();
    peer.side.wait(Duration::from_secs(60)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), [""; 0], "it has something to do");
    peer.side.reply(&open, "");
    peer.events();
    peer.said();
    peer.side.wait(Duration::from_secs(99)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), [""; 0]);
    peer.side.wait(Duration::from_secs(1)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), ["GOAWAY 2147483647 0", "PING pw:drain"]);
}

#[test]
fn settings_without_end_in_one_frame_end_the_connection() {
    let mut peer = Peer::of_server(patient(Patience::DEFAULT.controls(NO_RATE)));
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 1).repeat(2000));
    assert_eq!(ending(&mut peer), Some(WireError::Flood(Flood::Controls)));
    assert_eq!(peer.side.until_deadline(), None, "what has ended waits for nothing");
}

#[test]
fn a_message_in_assembly_is_reported_to_the_engine() {
    let mut peer = Peer::of_server(Limits::default());
    let receiving = |peer: &mut Peer| peer.side.command(|machine, _| machine.is_receiving());
    peer.post(1, false).post(3, false).data(1, false, b"some").events();
    assert!(receiving(&mut peer));
    peer.data(1, true, b"more").frame(Kind::RST_STREAM, 0, 3, &8u32.to_be_bytes()).events();
    assert!(!receiving(&mut peer));
    peer.side.host.deliver(polywire_wire::Delivery::Pieces);
    peer.post(5, false).events();
    assert!(!receiving(&mut peer), "a stream may rest");
}

#[test]
fn a_stalled_reply_is_reset() {
    let mut peer = Peer::of_server(Limits::default());
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 0));
    let open = peer.post(1, true).side.events().pop().map(|s| s.expect_open()).expect("a request");
    peer.side.reply(&open, "never taken");
    peer.said();
    assert_eq!(peer.side.held(), 11);
    for seconds in [60, 599] {
        peer.side.wait(Duration::from_secs(seconds)).expect("no error");
        peer.events();
        assert_eq!(peer.said(), [""; 0]);
    }
    peer.side.wait(Duration::from_secs(60)).expect("no error");
    peer.events();
    assert_eq!(peer.said(), ["RST_STREAM 1 8"]);
    assert_eq!(peer.side.held(), 0);
}

#[test]
fn who_leaves_too_much_untaken_gets_nothing_more() {
    let patience = Patience::DEFAULT.queued(100);
    let mut peer = Peer::of_server(patient(patience));
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 0));
    let open = peer.post(1, true).side.events().pop().map(|s| s.expect_open()).expect("a request");
    peer.side.reply(&open, [0; 101]);
    peer.said();
    peer.post(3, true);
    assert_eq!(peer.events(), []);
    assert_eq!(peer.said(), ["RST_STREAM 3 7"]);
}

#[test]
fn the_ids_of_a_connection_come_to_their_end() {
    let mut peer = Peer::of_server(Limits::default());
    let last = (1 << 31) - 1;
    assert_eq!(peer.post(last, true).events().len(), 1);
    // every stream with a smaller id is closed now
    peer.post(last - 2, true);
    assert!(ending(&mut peer).is_some());
}
