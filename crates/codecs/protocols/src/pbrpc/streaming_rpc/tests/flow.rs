//! Flow control in both directions, and what waits.

use super::*;
use polywire_call::brpc;
use polywire_wire::{ClientSetup, Wake};
use std::time::Duration;

/// Most bytes of one stream, at its reader and waiting together.
const MOST: usize = (2 << 20) + (256 << 10);

#[test]
fn a_sender_stops_at_the_window_and_may_overshoot_it_by_one_message() {
    let mut client = connected().with_room(8 << 20);
    let big = vec![7; WINDOW as usize - 1];
    assert_eq!(client.send_message(FIVE, &big, false).bytes, 1);
    client.written();
    assert!(!client.send_message(FIVE, [8; 1000], false).is_open());
    assert_eq!(client.feed(strm("08 05 10 09 18 04 2a 02 08 05", b"")).events(), [], "5 bytes open nothing");
    // 1000 bytes: one byte is left
    assert_eq!(client.feed(strm("08 05 10 09 18 04 2a 03 08 e8 07", b"")).events(), [credit(FIVE, 1)]);
}

#[test]
fn feedback_is_believed_as_far_as_it_can_be_true() {
    let mut client = connected();
    client.send_message(FIVE, [1; 1000], false);
    let left = |client: &mut Side| client.send_message(FIVE, b"", false).bytes;
    for (consumed, window) in [
        ("08 64", WINDOW - 900),
        ("08 32", WINDOW - 900),                            // backwards
        ("08 ff ff ff ff ff ff ff ff ff 01", WINDOW - 900), // below zero
        ("", WINDOW - 900),                                 // nothing
        ("08 ff ff ff ff ff ff ff ff 7f", WINDOW),          // more than was sent
        ("08 e9 07", WINDOW),
    ] {
        let consumed = hex(consumed);
        let meta = [hex("08 05 10 09 18 04 2a"), vec![consumed.len() as u8], consumed].concat();
        client.feed(framed(b"STRM", &meta, b"")).events();
        assert_eq!(left(&mut client), window);
    }
    // Data that was not sent cannot have been consumed, whatever the peer says.
    client.send_message(FIVE, vec![0; WINDOW as usize], false);
    assert!(!client.send_message(FIVE, b"more", false).is_open());
}

#[test]
fn a_peer_that_wants_no_feedback_gets_none() {
    let mut server = server();
    let open = server.feed(frame(&settings_meta("08 05 10 00 18 01"), b"")).poll().expect_open();
    server.finish(open.exchange, accept(b""));
    server.events();
    server.written();
    server.feed(strm("08 01 10 05 18 03 20 00", b"hello")).events();
    server.grant(open.streams[0], 5, 1);
    server.events();
    assert_eq!(server.written(), b"");
}

#[test]
fn a_slow_reader_holds_back_its_feedback_and_in_the_end_the_connection() {
    let mut server = accepted();
    let data = strm("08 09 10 05 18 03 20 00", &[7; 60_000]);
    let mut fed = 0;
    let blocked = loop {
        let events = server.feed(&data).events();
        fed += 60_000;
        if events.last() == Some(&Seen::Blocked) {
            break events;
        }
        assert!(fed < 8 << 20, "it takes without end");
    };
    assert_eq!(blocked, [Seen::Blocked]);
    assert!(
        fed > MOST - 60_000 && fed < MOST + 130_000,
        "{fed}: what is delivered and not taken counts, too"
    );
    assert_eq!(server.held() / 60_000, fed / 60_000 - AHEAD);
    server.written();
    server.grant(NINE, 180_000, 3);
    let events = server.events();
    assert!(events.first() == Some(&message(NINE, &[7; 60_000])), "more is delivered");
    // FEEDBACK for the 180000 bytes that were taken
    assert_eq!(server.written(), strm("08 05 10 09 18 04 2a 04 08 a0 fe 0a", b""));
}

#[test]
fn of_long_messages_one_is_delivered_before_its_reader_takes_it_and_one_waits() {
    let mut server = accepted();
    let long = strm("08 09 10 05 18 03 20 00", &[7; 3 << 20]);
    assert!(server.feed(&long).events() == [message(NINE, &[7; 3 << 20])]);
    assert!(server.feed(&long).events() == [Seen::Blocked], "it is longer than what may wait");
    server.grant(NINE, 3 << 20, 1);
    assert!(server.events() == [message(NINE, &[7; 3 << 20])]);
    // A message may begin below the limit and end above it; then the stream waits.
    server.grant(NINE, (3 << 20) - 100_000, 1);
    let (short, long) = (strm("08 09 10 05 18 03 20 00", &[7; 2 << 20]), &long);
    assert!(server.feed(&short).events() == [message(NINE, &[7; 2 << 20])]);
    assert!(server.feed(long).events().is_empty(), "it waits");
    assert_eq!(server.held(), (3 << 20) + 64);
    assert!(server.feed(long).events() == [Seen::Blocked]);
}

#[test]
fn all_streams_together_hold_a_window_each_and_one_long_message() {
    let most = 4 << 20;
    let mut server = server_with(Limits::default().max_message(most as u32));
    let mut streams = Vec::new();
    for _ in 0..100 {
        let open = server.feed(frame(&settings_meta("08 05 10 00 18 01"), b"")).poll().expect_open();
        server.finish(open.exchange, accept(b""));
        server.events();
        server.written();
        streams.push(open.streams[0]);
    }
    let data = |stream: &Exchange, bytes: usize| {
        let to = stream.token as u8;
        strm(&format!("08 {to:02x} 10 05 18 03 20 00"), &vec![7; bytes])
    };
    // Each stream may always have one window of data, whether it was taken or not.
    for stream in &streams {
        assert_eq!(server.feed(data(stream, 256 << 10)).events().len(), 1);
    }
    for stream in &streams[..2] {
        assert_eq!(server.feed(data(stream, 2 << 20)).events().len(), 1);
    }
    assert_eq!(server.feed(data(&streams[2], 1)).events().len(), 1, "not more than the limit");
    assert_eq!(server.feed(data(&streams[3], 1)).events(), [Seen::Blocked]);
    // The connection goes on when data of any of them is taken, and when a stream ends.
    server.grant(streams[0], 1 << 20, 1);
    assert_eq!(server.events().len(), 1);
    assert_eq!(server.feed(data(&streams[4], 1 << 20)).events().len(), 1);
    assert_eq!(server.feed(data(&streams[5], 1)).events(), [Seen::Blocked]);
    server.reset(streams[4], polywire_call::Status::cancelled(""));
    assert_eq!(server.events().len(), 1);
}

#[test]
fn a_handler_that_answers_a_peer_with_a_large_window_does_not_wait_for_feedback_behind_its_data() {
    let mut server = accepted().with_room(3 << 19);
    let data = strm("08 09 10 05 18 03 20 00", &[7; 60_000]);
    while server.feed(&data).events().last() != Some(&Seen::Blocked) {}
    server.written();
    assert!(!server.send_message(NINE, vec![8; WINDOW as usize], false).is_open());
    assert_eq!(server.events(), [Seen::Blocked], "what waits here is not consumed");
    server.written();
    server.resume(Wake::Room).expect("no mistake");
    assert_eq!(server.events(), [credit(NINE, WINDOW), Seen::Blocked]);
    // Everything is read again: the peer says what it has consumed, and is sent no more than that and one
    // window.
    server.send_message(NINE, vec![8; 1000], false);
    for _ in 0..3 {
        server.grant(NINE, 60_000 * AHEAD, AHEAD as u32);
        server.events();
    }
    let left = |server: &mut Side| server.send_message(NINE, b"", false).bytes;
    server.feed(strm("08 09 10 05 18 04 2a 05 08 80 80 80 01", b"")).events(); // WINDOW: known
    assert_eq!(left(&mut server), WINDOW - 1000);
    server.feed(strm("08 09 10 05 18 04 2a 05 08 e8 87 80 01", b"")).events(); // and 1000
    assert_eq!(left(&mut server), WINDOW);
}

#[test]
fn empty_messages_are_bounded_by_their_number() {
    let mut server = accepted();
    let empty = strm("08 09 10 05 18 03 20 00", b"").repeat(1000);
    let mut fed = 0;
    while server.feed(&empty).events().last() != Some(&Seen::Blocked) {
        fed += 1000;
        assert!(fed < 100_000, "it takes without end");
    }
    assert!(server.held() < 3 << 20);
    // Frames that this side writes.
    let mut client = connected().with_room(1);
    client.send_message(FIVE, b"fills the room", false);
    let mut sent = 0;
    while client.send_message(FIVE, b"", false).is_open() {
        sent += 1;
        assert!(sent <= 1024, "it queues without end");
    }
    client.written();
    client.resume(Wake::Room).expect("no mistake");
    assert!(matches!(client.poll(), Seen::Credit { .. }), "they left, and more are welcome");
}

#[test]
fn a_small_window_of_the_peer_never_waits_for_our_batches() {
    // The application reports what it took in halves of `AHEAD` messages; a peer with a window of ten bytes
    // must be able to go on earlier.
    let mut server = accepted();
    for n in 1..=15u8 {
        server.feed(strm("08 09 10 05 18 03 20 00", b"0123456789")).events();
        assert_eq!(
            server.written(),
            strm(&format!("08 05 10 09 18 04 2a 0{} 08 {}", if n < 13 { 2 } else { 3 }, varint(10 * n)), b"")
        );
    }
    server.feed(strm("08 09 10 05 18 03 20 00", b"0123456789")).events();
    assert_eq!(server.written(), b"", "so many may wait for a slow reader");
    server.grant(NINE, 160, 16);
    server.events();
    assert_eq!(server.written(), strm("08 05 10 09 18 04 2a 03 08 a0 01", b""));
}

fn varint(n: u8) -> String {
    if n < 128 { format!("{n:02x}") } else { format!("{:02x} 01", n) }
}

#[test]
fn long_messages_leave_in_segments_in_turns_and_come_whole() {
    let (mut client, mut server) = pair();
    client = client.with_room(300_000);
    let (one, two) = (vec![1; 2_000_000], vec![2; 300_000]);
    client.send_message(FIVE, &one, false);
    client.send_message(SIX, &two, false);
    client.send_message(FIVE, b"behind", false);
    let (mut seen, mut longest) = (Vec::new(), 0);
    for _ in 0..20 {
        let written = client.written();
        longest = longest.max(written.len());
        seen.extend(server.feed(written).events());
        client.resume(Wake::Room).expect("no mistake");
    }
    assert!(longest < 300_000 + (256 << 10) + 100, "{longest}");
    assert_eq!(seen, [message(TEN, &two), message(NINE, &one), message(NINE, b"behind")]);
}

#[test]
fn streams_do_not_wait_for_each_other() {
    let mut server = accepted();
    let nine = strm("08 09 10 05 18 03 20 00", b"nine");
    assert_eq!(server.feed(nine.repeat(40)).events().len(), AHEAD, "more than it may be ahead");
    let ten = strm("08 0a 10 06 18 03 20 00", b"ten");
    assert_eq!(server.feed(ten).events(), [message(TEN, b"ten")]);
    let call = frame(&hex("0a 1b 0a 13 6578616d706c652e4563686f53657276696365 12 04 4563686f 20 07"), b"");
    assert_eq!(server.feed(call).poll().expect_open().exchange.token, 7);
}

/// Whoever passes streams on does not choose who reads them.
#[test]
fn a_client_gives_up_streams_that_nobody_reads_when_the_connection_waits_for_them() {
    let limits = Limits::default().max_message(1 << 20);
    let mut client = Side::new(&PROTOCOL, ClientSetup { limits, ..ClientSetup::default() });
    client.open(CALL, &hello()).expect("room");
    client.feed(example_2()).events();
    client.written();
    let five = strm("08 05 10 09 18 03 20 00", &[7; 60_000]);
    let six = strm("08 06 10 0a 18 03 20 00", &[7; 60_000]);
    client.feed(&five).events();
    client.grant(FIVE, 60_000, 1);
    for _ in 0..32 {
        assert_eq!(client.feed(&six).events().len(), 1);
    }
    let blocked = (0..20).any(|_| client.feed(&five).events().last() == Some(&Seen::Blocked));
    assert!(blocked, "both together hold too much");
    client.written();
    let patience = Duration::from_secs(10);
    assert_eq!(client.until_deadline(), Some(patience));
    client.wait(patience / 2).expect("no mistake");
    assert_eq!(client.events(), [Seen::Blocked], "it may be read yet");
    client.wait(patience / 2).expect("no mistake");
    let events = client.events();
    assert_eq!(
        brpc::number(&reset_of(SIX, &events[0])),
        brpc::EOVERCROWDED,
        "of which nothing was ever taken"
    );
    assert!(events[1] == message(FIVE, &[7; 60_000]), "which the connection has waited with");
    assert_eq!(client.written(), strm("08 0a 18 01", b""));
    assert_eq!(client.until_deadline(), None);
}

/// By itself it is longer than what one stream may hold.
#[test]
fn a_client_gives_up_the_only_stream_that_nobody_reads() {
    let mut client = connected();
    let data = strm("08 05 10 09 18 03 20 00", &[7; 60_000]);
    assert!((0..100).any(|_| client.feed(&data).events().last() == Some(&Seen::Blocked)));
    client.written();
    client.wait(Duration::from_secs(10)).expect("no mistake");
    assert_eq!(brpc::number(&reset_of(FIVE, &client.events()[0])), brpc::EOVERCROWDED);
    assert_eq!(
        client.written(),
        [strm("08 09 18 01", b""), strm("08 09 18 01", b"")].concat(),
        "and the frame"
    );
    assert_eq!(client.feed(strm("08 06 10 0a 18 03 20 00", b"m")).events(), [message(SIX, b"m")]);
}
