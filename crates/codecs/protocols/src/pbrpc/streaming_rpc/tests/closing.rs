//! Close sequences as the sheet traces them.

use super::*;
use polywire_call::{Status, brpc};
use polywire_wire::{ClientSetup, Goodbye, Wake};

const CLOSE_BY_CLIENT: &str = "08 09 10 05 18 02";
const CLOSE_BY_SERVER: &str = "08 05 10 09 18 02";
const RST_BY_CLIENT: &str = "08 09 18 01";
const RST_BY_SERVER: &str = "08 05 18 01";

#[test]
fn close_is_answered_by_close_and_that_by_rst() {
    let (mut client, mut server) = pair();
    client.finish(FIVE, Outcome::default());
    let said = client.written();
    assert_eq!(said, strm(CLOSE_BY_CLIENT, b""));
    assert_eq!(server.feed(said).events(), [ended(NINE)]);
    let said = server.written();
    assert_eq!(said, strm(CLOSE_BY_SERVER, b""));
    assert_eq!(client.feed(said).events(), []);
    let said = client.written();
    assert_eq!(said, strm(RST_BY_CLIENT, b""));
    assert_eq!(server.feed(said).events(), []);
    assert_eq!(server.written(), b"", "the RST hits an unknown id and ends there");
}

#[test]
fn both_closing_at_once_are_each_answered_by_rst() {
    let (mut client, mut server) = pair();
    client.finish(FIVE, Outcome::default());
    server.finish(NINE, Outcome::default());
    let (by_client, by_server) = (client.written(), server.written());
    assert_eq!(server.feed(by_client).events(), []);
    assert_eq!(client.feed(by_server).events(), []);
    assert_eq!(server.written(), strm(RST_BY_SERVER, b""));
    assert_eq!(client.written(), strm(RST_BY_CLIENT, b""));
}

#[test]
fn rst_is_answered_by_close_and_that_by_rst() {
    let (mut client, mut server) = pair();
    client.reset(FIVE, Status::cancelled(""));
    pass(&mut client, &mut server);
    let why = reset_of(NINE, &server.events()[0]);
    assert_eq!(brpc::number(&why), brpc::ECONNRESET);
    assert_eq!(why.origin(), polywire_call::Origin::Remote);
    assert_eq!(server.written(), strm(CLOSE_BY_SERVER, b""));
    assert_eq!(client.feed(strm(CLOSE_BY_SERVER, b"")).events(), []);
    assert_eq!(client.written(), strm(RST_BY_CLIENT, b""));
    assert_eq!(server.feed(strm(RST_BY_CLIENT, b"")).events(), []);
    assert_eq!(server.written(), b"");
}

#[test]
fn messages_before_a_close_are_delivered_before_its_end() {
    let limits = Limits::default().ahead(2);
    let mut client = Side::new(&PROTOCOL, ClientSetup { limits, ..ClientSetup::default() });
    client.open(CALL, &hello()).expect("room");
    client.feed(example_2()).events();
    client.written();
    let data = strm("08 05 10 09 18 03 20 00", b"m");
    let bytes = [data.repeat(5), strm(CLOSE_BY_SERVER, b"")].concat();
    let stopped = Seen::Stopped { exchange: FIVE }; // for who sends and does not read
    assert_eq!(client.feed(bytes).events(), [message(FIVE, b"m"), message(FIVE, b"m"), stopped]);
    // The frame that ends the stream is sent all the same.
    assert!(client.written().ends_with(&strm(CLOSE_BY_CLIENT, b"")));
    assert_eq!(client.send_message(FIVE, b"too late", false), Credit::OPEN);
    assert_eq!(client.feed(&data).events(), []);
    assert_eq!(client.written(), strm(RST_BY_CLIENT, b""), "the stream is unknown to the wire");
    client.grant(FIVE, 2, 2);
    assert_eq!(client.events(), [message(FIVE, b"m"), message(FIVE, b"m")]);
    client.grant(FIVE, 1, 1);
    assert_eq!(client.events(), [message(FIVE, b"m"), ended(FIVE)]);
    assert_eq!(client.written(), b"");
}

#[test]
fn what_waits_for_room_leaves_before_the_close() {
    let (mut client, _) = pair();
    client = client.with_room(1);
    client.send_message(FIVE, b"first", false);
    client.send_message(FIVE, b"second", false);
    client.finish(FIVE, Outcome::default());
    assert_eq!(client.written(), strm("08 09 10 05 18 03 20 00", b"first"));
    // The slot may be used again in the meantime.
    client.open(Exchange { token: 77, slot: 77 }, &Call { streams: vec![FIVE], ..hello() }).expect("room");
    client.written();
    client.resume(Wake::Room).expect("no mistake");
    assert_eq!(
        client.written(),
        [strm("08 09 10 05 18 03 20 00", b"second"), strm(CLOSE_BY_CLIENT, b"")].concat()
    );
}

#[test]
fn frames_for_unknown_streams_are_answered_as_the_sheet_says() {
    let mut server = accepted();
    let table = [
        ("08 63 10 05 18 03 20 00", true),                       // DATA
        ("08 63 10 05 18 04 2a 02 08 05", false),                // FEEDBACK
        ("08 63 10 05 18 02", true),                             // CLOSE
        ("08 63 18 01", false),                                  // RST
        ("08 63 10 05 18 01", false),                            // RST that says whence
        ("08 63 10 05", true),                                   // UNKNOWN
        ("08 63 10 05 18 63", true),                             // a type nobody knows
        ("08 63 18 02", false),                                  // CLOSE without a source
        ("08 63 10 ff ff ff ff ff ff ff ff ff 01 18 02", false), // "-1 means no stream"
    ];
    for (meta, answered) in table {
        assert_eq!(server.feed(strm(meta, b"")).events(), [], "{meta}");
        let answer = if answered { strm("08 05 18 01", b"") } else { Vec::new() };
        assert_eq!(server.written(), answer, "{meta}");
    }
}

#[test]
fn frames_of_unknown_types_for_a_known_stream_are_ignored() {
    let mut server = accepted();
    for meta in ["08 09 10 05", "08 09 10 05 18 63", "08 09 10 05 18 05"] {
        assert_eq!(server.feed(strm(meta, b"with data")).events(), []);
        assert_eq!(server.written(), b"");
    }
    assert_eq!(server.feed(example_3()).events(), [message(NINE, b"data1")]);
}

#[test]
fn a_connection_that_is_closed_breaks_its_streams_off() {
    let mut server = accepted();
    server.goodbye(Goodbye::Drain);
    assert_eq!(server.written(), b"");
    server.goodbye(Goodbye::Close);
    assert_eq!(server.written(), [strm("08 05 18 01", b""), strm("08 06 18 01", b"")].concat());
    assert_eq!(server.poll(), Seen::Closed);
}

#[test]
fn an_id_that_is_used_again_is_another() {
    let mut server = accepted();
    server.feed(example_5()).events();
    server.written();
    // The slot of stream 9 is free: the next stream in it has another id.
    let open = server.feed(frame(&settings_meta("08 05 10 01 18 01"), b"")).poll().expect_open();
    assert!([open.exchange.slot, open.streams[0].slot].contains(&9));
    assert_ne!(open.streams[0].token, 9);
    server.feed(example_3());
    assert_eq!(server.events(), []);
    assert_eq!(server.written(), strm("08 05 18 01", b""));
}
