//! What a peer may do wrong, and how this side reacts.

use super::*;
use polywire_call::brpc;
use polywire_machine_testing::survives_noise;
use polywire_wire::{Delivery, Route, WireError};

#[test]
fn a_meta_that_does_not_parse_is_dropped_with_its_frame() {
    let mut server = accepted();
    for meta in ["", "10 05 18 03", "08", "08 09 10", "ff ff ff", "08 09 2a 05 08", "08 09 0b"] {
        assert_eq!(server.feed(strm(meta, b"data")).events(), [], "{meta}");
        assert_eq!(server.written(), b"", "{meta}");
    }
    assert_eq!(server.feed(example_3()).events(), [message(NINE, b"data1")]);
}

#[test]
fn lengths_beyond_the_limits_close() {
    let header = |body: u32, meta: u32| [&b"STRM"[..], &body.to_be_bytes(), &meta.to_be_bytes()].concat();
    for (body, meta, error) in [
        ((64 << 20) + 1, 8, WireError::TooLarge),
        (u32::MAX, 8, WireError::TooLarge),
        (1 << 20, 65_537, WireError::TooLarge),
        (7, 8, WireError::Malformed("meta_size exceeds body_size")),
    ] {
        assert_eq!(accepted().feed(header(body, meta)).events(), [Seen::Error(error)]);
        assert_eq!(connected().feed(header(body, meta)).events(), [Seen::Error(error)]);
    }
}

#[test]
fn malformed_settings_close_the_connection() {
    for settings in ["", "10 01", "08", "08 05 20", "08 05 22 02 06 ff", "0b"] {
        let events = server().feed(frame(&settings_meta(settings), b"")).events();
        assert_eq!(events, [Seen::Error(WireError::Malformed("StreamSettings"))], "{settings}");
    }
}

#[test]
fn packed_ids_are_ids_too() {
    let open =
        server().feed(frame(&settings_meta("08 05 10 01 18 01 22 02 06 07"), b"")).poll().expect_open();
    assert_eq!(open.streams.len(), 3);
}

#[test]
fn frames_of_streams_come_to_a_connection_without_any() {
    let mut server = Side::server(&PROTOCOL);
    assert_eq!(server.feed(example_3()).events(), []);
    assert_eq!(server.written(), strm("08 05 18 01", b""));
    assert_eq!(server.feed(example_1()).poll().expect_open().streams.len(), 2);
}

#[test]
fn a_client_that_opened_no_stream_expects_none() {
    let mut client = client();
    client.call(&Call::new("S", "M"));
    assert_eq!(client.feed(example_3()).events(), [Seen::Error(WireError::BadMagic)]);
}

#[test]
fn other_protocols_frames_are_foreign() {
    let mut server = accepted();
    assert_eq!(server.feed(b"HULU\0\0\0\0\0\0\0\0").events(), [Seen::Foreign]);
    let mut client = connected();
    assert_eq!(client.feed(b"HULU\0\0\0\0\0\0\0\0").events(), [Seen::Error(WireError::BadMagic)]);
}

#[test]
fn a_message_without_end_ends_its_stream() {
    let limits = Limits::default().max_message(10_000);
    let mut server = server_with(limits);
    let open = server.feed(frame(&settings_meta("08 05 10 01 18 01"), b"")).poll().expect_open();
    server.finish(open.exchange, accept(b""));
    server.events();
    server.written();
    let segment = strm("08 01 10 05 18 03 20 01", &[7; 3000]);
    for _ in 0..3 {
        assert_eq!(server.feed(&segment).events(), []);
        assert!(server.held() <= 9000);
    }
    let why = reset_of(open.streams[0], &server.feed(&segment).events()[0]);
    assert_eq!(brpc::number(&why), brpc::EREQUEST);
    assert_eq!(server.written(), strm("08 05 18 01", b""));
    assert_eq!(server.held(), 0);
    assert_eq!(server.feed(&segment).events(), []);
}

#[test]
fn messages_without_end_are_bounded_over_all_streams() {
    let limits = Limits::default().max_message(10_000);
    let mut server = server_with(limits);
    let ids = "20 06 20 07 20 08 20 09 20 0a 20 0b 20 0c";
    let open =
        server.feed(frame(&settings_meta(&format!("08 05 10 01 18 01 {ids}")), b"")).poll().expect_open();
    server.finish(open.exchange, accept(b""));
    server.events();
    let mut ended = 0;
    for round in 0..3 {
        for stream in 1..=8u8 {
            let segment = strm(&format!("08 0{stream} 10 05 18 03 20 01"), &[round; 3000]);
            ended += server.feed(segment).events().len();
            assert!(server.held() <= 23_000, "{}", server.held());
        }
    }
    assert!((1..8).contains(&ended), "{ended} were broken off, the others go on");
}

#[test]
fn segments_of_a_byte_cost_about_a_byte() {
    let mut server = accepted();
    let segment = strm("08 09 10 05 18 03 20 01", b"x").repeat(1000);
    for _ in 0..20 {
        assert_eq!(server.feed(&segment).events(), []);
    }
    assert_eq!(server.held(), 20_000);
    assert_eq!(server.feed(strm("08 09 10 05 18 03 20 00", b"")).events(), [message(NINE, &[b'x'; 20_000])]);
}

#[test]
fn a_storm_of_frames_for_nobody_is_heard_as_fast_as_its_sender_reads() {
    let mut server = accepted().with_room(1000);
    let storm = strm("08 63 10 05 18 03 20 00", b"").repeat(1000);
    assert_eq!(server.feed(storm).events(), [Seen::Blocked]);
    assert!(server.written().len() <= 1000 + 16);
    // A client always reads, and keeps what it has to write while there is no room for it.
    let mut client = connected().with_room(1000);
    let storm = strm("08 63 10 09 18 03 20 00", b"").repeat(1000);
    assert_eq!(client.feed(storm).events(), []);
    assert!(client.written().len() <= 1000 + 16);
}

#[test]
fn a_storm_of_resets_ends_where_it_hits() {
    let mut server = accepted();
    let storm = [example_6().repeat(1000), strm("08 0a 18 01", b"").repeat(1000)].concat();
    assert_eq!(server.feed(storm).events().len(), 2);
    let closes = [strm("08 05 10 09 18 02", b""), strm("08 06 10 0a 18 02", b"")].concat();
    assert_eq!(server.written(), closes);
}

#[test]
fn streams_that_wait_for_their_reply_are_unknown_to_the_peer() {
    let (mut server, call) = opened();
    assert_eq!(server.feed([example_3(), example_5(), example_6()].concat()).events(), []);
    assert_eq!(
        server.written(),
        strm("08 05 18 01", b""),
        "DATA; CLOSE and RST of what is not open say nothing"
    );
    server.finish(call, accept(b"\x0a\x05hello"));
    assert_eq!(server.written(), example_2());
    assert_eq!(server.events().len(), 2);
}

#[test]
fn noise_breaks_nothing() {
    let goldens = [example_1(), example_2(), example_3(), example_4(), example_5(), example_6(), example_7()];
    let goldens: Vec<&[u8]> = goldens.iter().map(|golden| &golden[..]).collect();
    survives_noise(accepted, &goldens, 31, 3000);
    survives_noise(connected, &goldens, 32, 3000);
    survives_noise(server, &goldens, 33, 3000);
    let route =
        Route { delivery: Delivery::Messages, streamed: true, max_message: u32::MAX, ..Route::default() };
    survives_noise(|| server().hosted(|host| host.route(route)), &goldens, 34, 3000);
    let method = || {
        let mut client = client();
        client.open(CALL, &Call::new("S", "M").parts_follow().streamed()).expect("room");
        client
    };
    survives_noise(method, &goldens, 35, 3000);
}
