//! Flow control in both directions.

use super::super::frame::{Kind, settings};
use super::Peer;
use super::peer::setting;
use polywire_machine_testing::{Call, Seen};
use polywire_wire::{Answer, Delivery, Limits, Outcome, Part, Route, Wake};

fn window_update(peer: &mut Peer, stream: u32, increment: u32) {
    peer.frame(Kind::WINDOW_UPDATE, 0, stream, &increment.to_be_bytes());
    peer.events();
}

fn initial_window(peer: &mut Peer, value: u32) {
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, value));
    peer.events();
}

#[test]
fn a_body_leaves_as_far_as_the_windows_let_it() {
    let mut peer = Peer::of_server(Limits::default());
    initial_window(&mut peer, 10);
    peer.said();
    let open = peer.post(1, true).side.poll().expect_open();
    peer.side.reply(&open, [7; 30]);
    assert_eq!(peer.said()[1..], ["DATA 1 10"]);
    window_update(&mut peer, 1, 5);
    assert_eq!(peer.said(), ["DATA 1 5"]);
    // 6.9.2: smaller windows may be negative, and are paid back before anything is sent
    initial_window(&mut peer, 3);
    window_update(&mut peer, 1, 6);
    assert_eq!(peer.said(), ["SETTINGS ack"]);
    window_update(&mut peer, 1, 2);
    assert_eq!(peer.said(), ["DATA 1 1"]);
    initial_window(&mut peer, 1000);
    let said = peer.said();
    assert_eq!(said, ["SETTINGS ack", "DATA 1 es 14"]);
}

#[test]
fn the_connections_window_bounds_all_and_opens_for_all() {
    let mut peer = Peer::of_server(Limits::default());
    initial_window(&mut peer, 1 << 20);
    peer.said();
    for stream in [1, 3] {
        let open = peer.post(stream, true).side.poll().expect_open();
        peer.side.reply(&open, vec![0; 60_000]);
    }
    let data: usize = peer
        .said()
        .iter()
        .filter_map(|s| s.0.strip_prefix("DATA ")?.rsplit(' ').next()?.parse::<usize>().ok())
        .sum();
    assert_eq!(data, 65_535);
    window_update(&mut peer, 0, 1 << 20);
    let said = peer.said();
    assert_eq!(said.last().map(|s| s.0.starts_with("DATA 3 es")), Some(true), "{said:?}");
}

#[test]
fn long_bodies_take_turns_with_short_ones() {
    let mut peer = Peer::of_server(Limits::default());
    peer.side = std::mem::replace(&mut peer.side, super::server_with(Limits::default()));
    initial_window(&mut peer, 1 << 30);
    window_update(&mut peer, 0, 1 << 30);
    peer.said();
    peer.side.out = polywire_base::Output::new(20_000);
    let open = peer.post(1, true).side.poll().expect_open();
    peer.side.reply(&open, vec![0; 1_000_000]);
    let open = peer.post(3, true).side.poll().expect_open();
    peer.side.reply(&open, [0; 10]);
    let mut frames = Vec::new();
    while frames.len() < 100 && !frames.iter().any(|s: &super::peer::Said| s.0.starts_with("DATA 1 es")) {
        frames.extend(peer.said());
        peer.side.resume(Wake::Room).expect("goes on");
        peer.events();
    }
    let short = frames.iter().position(|s| *s == "DATA 3 es 10").expect("it leaves");
    assert!(short < 6, "behind {short} frames");
}

#[test]
fn trailers_wait_behind_the_body_and_a_stalled_sender_is_woken() {
    let limits = Limits::default().backlog(1000);
    let mut peer = Peer::of_server(limits);
    initial_window(&mut peer, 100);
    let open = peer.post(1, true).side.poll().expect_open();
    peer.side.answer(open.exchange, &Answer::default());
    let credit = peer.side.send_message(open.exchange, [1; 1100], false);
    assert!(!credit.is_open(), "{credit:?}");
    peer.said();
    window_update(&mut peer, 1, 400);
    assert_eq!(peer.said(), ["DATA 1 400"]);
    peer.frame(Kind::WINDOW_UPDATE, 0, 1, &100u32.to_be_bytes());
    let seen = peer.events();
    assert!(matches!(&seen[..], [Seen::Credit { credit, .. }] if credit.bytes == 500), "{seen:?}");
}

#[test]
fn the_peers_window_reopens_with_grants_and_the_connections_on_receipt() {
    let mut peer = Peer::of_server(Limits::default().window(1000).window_growth(0));
    peer.side.host.deliver(Delivery::Pieces);
    let open = peer.post(1, false).side.poll().expect_open();
    peer.data(1, false, &[0; 900]);
    assert_eq!(peer.events().len(), 1);
    peer.side.grant(open.exchange, 400, 1);
    peer.events();
    assert_eq!(peer.said(), [""; 0]);
    peer.side.grant(open.exchange, 200, 1);
    peer.events();
    assert_eq!(peer.said(), ["WINDOW_UPDATE 1 600"]);
    // exactly the window is accepted, one byte more is an error
    peer.data(1, false, &[0; 700]);
    assert_eq!(peer.events().len(), 1);
    peer.data(1, false, &[0; 1]);
    let seen = peer.events();
    assert!(matches!(&seen[..], [Seen::Reset { .. }]), "{seen:?}");
    assert_eq!(peer.said(), ["RST_STREAM 1 3"]);
}

#[test]
fn the_connections_window_reopens_whoever_holds_the_bytes() {
    let mut peer = Peer::of_server(Limits::default().window(1 << 20).window_growth(0));
    peer.side.host.deliver(Delivery::Pieces);
    peer.post(1, false);
    for _ in 0..10 {
        peer.data(1, false, &[0; 60_000]);
    }
    peer.events();
    assert_eq!(peer.said(), ["WINDOW_UPDATE 0 540000"]);
}

#[test]
fn padding_counts_and_is_granted_at_once() {
    let mut peer = Peer::of_server(Limits::default().window(1000).window_growth(0));
    peer.side.host.deliver(Delivery::Pieces);
    peer.post(1, false);
    let mut payload = vec![255];
    payload.extend(b"abc");
    payload.extend([0; 255]);
    for _ in 0..2 {
        peer.frame(Kind::DATA, super::super::frame::flag::PADDED, 1, &payload);
    }
    let seen = peer.events();
    let bytes: Vec<u8> = seen
        .iter()
        .flat_map(|seen| if let Seen::Part { bytes, .. } = seen { bytes.0.clone() } else { vec![] })
        .collect();
    assert_eq!(bytes, b"abcabc");
    // 256 bytes of padding each, of a window of 1000
    assert_eq!(peer.said(), ["WINDOW_UPDATE 1 512"]);
}

#[test]
fn a_message_that_was_let_in_comes_in_whole_whatever_the_window() {
    let mut peer = Peer::of_server(Limits::default().window(1000).window_growth(0));
    let route = Route { method: 0, max_message: 1 << 20, delivery: Delivery::Whole, ..Route::default() };
    peer.side.host.route(route);
    let length = [&super::peer::POST[..], &[("content-length", "100000")]].concat();
    peer.headers(1, false, &length);
    assert_eq!(peer.events(), []);
    // "announce a larger MAX_FRAME_SIZE when long messages are expected"
    assert_eq!(peer.said(), ["SETTINGS 5=1048576", "WINDOW_UPDATE 1 99000"]);
    peer.data(1, true, &[1; 100_000]);
    let open = peer.events();
    assert!(matches!(&open[..], [Seen::Open(open)] if open.body.len() == 100_000 && open.finished));
    assert_eq!(peer.said(), [""; 0], "no window is opened behind the end");
}

/// Sends what the window allows, in round trips of 10 ms; returns whether 15 000 bytes at once are then
/// accepted.
fn grows(growth: u32) -> bool {
    let mut peer = Peer::of_server(Limits::default().window(10_000).window_growth(growth));
    peer.side.host.deliver(Delivery::Pieces);
    let open = peer.post(1, false).side.poll().expect_open();
    for _ in 0..4 {
        peer.data(1, false, &[0; 9000]);
        peer.events();
        peer.side.wait(std::time::Duration::from_millis(10)).expect("no deadline");
        for said in peer.said() {
            if let Some(payload) = said.0.strip_prefix("PING ") {
                peer.frame(Kind::PING, 1, 0, payload.as_bytes());
            }
        }
        peer.events();
        peer.side.grant(open.exchange, 9000, 1);
        peer.events();
    }
    peer.data(1, false, &[0; 15_000]);
    peer.events().len() == 1 && !peer.said().iter().any(|s| s.0.starts_with("RST"))
}

#[test]
fn windows_grow_when_what_comes_in_a_round_trip_fills_them() {
    assert!(grows(15_000));
    assert!(!grows(0));
    assert!(!grows(4_000), "up to their bound");
}

#[test]
fn a_client_stops_at_the_window_and_goes_on() {
    let mut peer = Peer::of_client(Limits::default());
    initial_window(&mut peer, 5);
    peer.side.call(&Call::new("S", "M").body("0123456789"));
    assert_eq!(peer.said().last().map(|s| s.0.clone()).as_deref(), Some("DATA 1 5"));
    window_update(&mut peer, 1, 5);
    assert_eq!(peer.said(), ["DATA 1 es 5"]);
}

#[test]
fn messages_that_are_ready_together_share_a_frame() {
    let mut peer = Peer::of_server(Limits::default());
    peer.side.host.deliver(Delivery::Pieces);
    let [one, two] = [1, 3].map(|stream| peer.post(stream, true).side.poll().expect_open().exchange);
    let part = |bytes: usize| Part { bytes: vec![b'x'; bytes].into(), ..Part::default() };
    for exchange in [one, two] {
        peer.side.answer(exchange, &Answer { status: 200, ..Answer::default() });
    }
    peer.said();
    for (exchange, bytes) in [(one, 10), (one, 20), (two, 5), (one, 7), (one, 2000), (one, 3)] {
        peer.side.send(exchange, &part(bytes));
    }
    // another stream's frame lies between; nothing can be appended to a piece that is passed by reference
    assert_eq!(peer.said(), ["DATA 1 30", "DATA 3 5", "DATA 1 2007", "DATA 1 3"]);
    // bytes that were sent are not changed
    peer.side.send(one, &part(4));
    peer.side.finish(one, Outcome::default());
    assert_eq!(peer.said(), ["DATA 1 4", "DATA 1 es 0"]);
}
