//! Frames that break the rules, and the error that RFC 9113 has for each: one row here for each row of the
//! sheet's tables.

use super::super::frame::{Header, Kind, PREFACE, flag, settings};
use super::Peer;
use super::peer::{POST, setting};
use bytes::BytesMut;
use polywire_machine_testing::{Call, Seen, Side};
use polywire_wire::{Delivery, Limits, WireError};

/// `type flags stream payload`, in hex.
fn raw(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut out = BytesMut::new();
    Header { length: payload.len(), kind: Kind(kind), flags, stream }.write(&mut out);
    [&out[..], payload].concat()
}

/// A server with stream 1 open and its body incomplete, stream 3 half closed by the peer, stream 5 closed,
/// stream 7 idle.
fn server() -> Peer {
    let mut peer = Peer::of_server(Limits::default());
    peer.side.host.deliver(Delivery::Pieces);
    peer.post(1, false).post(3, true).post(5, true);
    let events = peer.events();
    let Some(Seen::Open(open)) = events.get(2) else { panic!("{events:?}") };
    peer.side.reply(open, "x");
    peer.said();
    peer
}

/// Feeds these bytes and returns the code of the GOAWAY that ends the connection, if one does.
#[track_caller]
fn connection_error(peer: &mut Peer, bytes: &[u8]) -> Option<u32> {
    peer.side.feed(bytes);
    let events = peer.events();
    let said = peer.said();
    let goaway = said.iter().find_map(|s| s.0.strip_prefix("GOAWAY ")).map(|rest| {
        let code = rest.split(' ').nth(1).expect("a code");
        u32::from_str_radix(code, 16).expect("hex")
    });
    assert_eq!(matches!(events.last(), Some(Seen::Error(_))), goaway.is_some(), "{events:?} {said:?}");
    goaway
}

const PROTOCOL: u32 = 1;
const FLOW_CONTROL: u32 = 3;
const STREAM_CLOSED: u32 = 5;
const FRAME_SIZE: u32 = 6;
const COMPRESSION: u32 = 9;
const CALM: u32 = 0xb;

#[test]
fn errors_of_the_connection() {
    let data = |flags, stream, payload: &[u8]| raw(0, flags, stream, payload);
    let wide = setting(settings::INITIAL_WINDOW_SIZE, 1 << 31);
    let rows: Vec<(&str, Vec<u8>, u32)> = vec![
        ("6.1 DATA on stream 0", data(0, 0, b"x"), PROTOCOL),
        ("6.1 DATA on an idle stream", data(0, 7, b"x"), PROTOCOL),
        ("6.1 padding as long as the frame", data(flag::PADDED, 1, &[1]), PROTOCOL),
        ("6.1 padding longer than the frame", data(flag::PADDED, 1, &[9, 0, 0]), PROTOCOL),
        ("6.1 padded without a length", data(flag::PADDED, 1, &[]), FRAME_SIZE),
        ("6.2 HEADERS on stream 0", raw(1, 4, 0, &[0x82]), PROTOCOL),
        ("5.1.1 even stream of a client", raw(1, 5, 8, &[0x82]), PROTOCOL),
        ("5.1 HEADERS on a closed stream", raw(1, 5, 5, &[0x82]), STREAM_CLOSED),
        ("5.1 HEADERS behind the end of the stream", raw(1, 5, 3, &[0x82]), STREAM_CLOSED),
        ("6.2 padding longer than the frame", raw(1, 5 | flag::PADDED, 7, &[9, 0x82]), PROTOCOL),
        ("6.2 shorter than its priority", raw(1, 5 | flag::PRIORITY, 7, &[0, 0, 0]), FRAME_SIZE),
        ("6.3 PRIORITY on stream 0", raw(2, 0, 0, &[0; 5]), PROTOCOL),
        ("6.4 RST_STREAM on stream 0", raw(3, 0, 0, &[0; 4]), PROTOCOL),
        ("6.4 RST_STREAM on an idle stream", raw(3, 0, 7, &[0; 4]), PROTOCOL),
        ("6.4 RST_STREAM of 5 bytes", raw(3, 0, 1, &[0; 5]), FRAME_SIZE),
        ("6.5 SETTINGS on a stream", raw(4, 0, 1, &[]), PROTOCOL),
        ("6.5 SETTINGS of 7 bytes", raw(4, 0, 0, &[0; 7]), FRAME_SIZE),
        ("6.5 acknowledgement with a payload", raw(4, 1, 0, &[0; 6]), FRAME_SIZE),
        ("6.5.2 push neither 0 nor 1", raw(4, 0, 0, &setting(settings::ENABLE_PUSH, 2)), PROTOCOL),
        ("6.5.2 window above 2^31 - 1", raw(4, 0, 0, &wide), FLOW_CONTROL),
        ("6.5.2 frames too short", raw(4, 0, 0, &setting(settings::MAX_FRAME_SIZE, 16_383)), PROTOCOL),
        ("6.5.2 frames too long", raw(4, 0, 0, &setting(settings::MAX_FRAME_SIZE, 1 << 24)), PROTOCOL),
        ("6.6 PUSH_PROMISE from a client", raw(5, 4, 1, &[0, 0, 0, 2]), PROTOCOL),
        ("6.7 PING on a stream", raw(6, 0, 1, &[0; 8]), PROTOCOL),
        ("6.7 PING of 7 bytes", raw(6, 0, 0, &[0; 7]), FRAME_SIZE),
        ("6.8 GOAWAY on a stream", raw(7, 0, 1, &[0; 8]), PROTOCOL),
        ("6.8 GOAWAY of 7 bytes", raw(7, 0, 0, &[0; 7]), FRAME_SIZE),
        ("6.9 WINDOW_UPDATE of 0", raw(8, 0, 0, &[0; 4]), PROTOCOL),
        ("6.9 WINDOW_UPDATE of 3 bytes", raw(8, 0, 1, &[0; 3]), FRAME_SIZE),
        ("6.9 WINDOW_UPDATE on an idle stream", raw(8, 0, 7, &[0, 0, 0, 1]), PROTOCOL),
        ("6.9.1 connection's window too far", raw(8, 0, 0, &0x7fff_ffffu32.to_be_bytes()), FLOW_CONTROL),
        ("6.10 CONTINUATION alone", raw(9, 4, 1, &[0x82]), PROTOCOL),
        (
            "6.10 another frame inside a block",
            [raw(1, 0, 7, &[0x82]), raw(6, 0, 0, &[0; 8])].concat(),
            PROTOCOL,
        ),
        (
            "6.10 an unknown one inside a block",
            [raw(1, 0, 7, &[0x82]), raw(0x16, 0, 0, &[])].concat(),
            PROTOCOL,
        ),
        (
            "6.10 another stream inside a block",
            [raw(1, 0, 7, &[0x82]), raw(9, 4, 9, &[0x82])].concat(),
            PROTOCOL,
        ),
        ("4.2 longer than we announced", raw(0, 0, 1, &[0; (256 << 10) + 1])[..9].to_vec(), FRAME_SIZE),
        ("4.2 HEADERS as well", raw(1, 5, 7, &[0; (256 << 10) + 1])[..9].to_vec(), FRAME_SIZE),
        ("4.2 a long PING is not waited for", raw(6, 0, 0, &[0; 16_385])[..9].to_vec(), FRAME_SIZE),
        ("4.3 a block that cannot be decoded", raw(1, 5, 7, &[0x80]), COMPRESSION),
        ("4.3 nor one that nobody wants", raw(1, 5, 7, &[0xff, 0xff]), COMPRESSION),
    ];
    for (row, bytes, code) in rows {
        assert_eq!(connection_error(&mut server(), &bytes), Some(code), "{row}");
        // and byte by byte
        let mut peer = server();
        let (last, front) = bytes.split_last().expect("not empty");
        for byte in front {
            peer.side.feed([*byte]);
            if peer.events().iter().any(|seen| matches!(seen, Seen::Error(_))) {
                break;
            }
        }
        if !peer.side.has_ended() {
            peer.side.feed([*last]);
            peer.events();
        }
        assert!(peer.side.has_ended(), "{row}, byte by byte");
    }
}

#[test]
fn errors_of_one_stream_leave_the_others() {
    let head = |more: &[(&'static str, &'static str)]| [&POST[..], more].concat();
    let of = |fields: Vec<(&'static str, &'static str)>| raw(1, 5, 7, &Peer::plain_block(&fields));
    let rows: Vec<(&str, Vec<u8>, u32, u32)> = vec![
        ("5.1 DATA behind the end of the stream", raw(0, 0, 3, b"x"), 3, STREAM_CLOSED),
        ("5.1 DATA on a closed stream", raw(0, 0, 5, b"x"), 5, STREAM_CLOSED),
        ("6.3 PRIORITY of 4 bytes", raw(2, 0, 1, &[0; 4]), 1, FRAME_SIZE),
        ("5.3.1 PRIORITY on itself", raw(2, 0, 1, &[0, 0, 0, 1, 0]), 1, PROTOCOL),
        (
            "5.3.1 HEADERS that depend on themselves",
            raw(1, 0x25, 7, &[0, 0, 0, 7, 0, 0x82, 0x86, 0x84]),
            7,
            PROTOCOL,
        ),
        ("6.9 WINDOW_UPDATE of 0", raw(8, 0, 1, &[0; 4]), 1, PROTOCOL),
        ("6.9.1 stream's window too far", raw(8, 0, 1, &0x7fff_ffffu32.to_be_bytes()), 1, FLOW_CONTROL),
        ("8.1 HEADERS inside a body", raw(1, 4, 1, &[]), 1, PROTOCOL),
        ("8.1 pseudo fields in trailers", raw(1, 5, 1, &[0x82]), 1, PROTOCOL),
        ("8.2.1 upper case", of(head(&[("X", "y")])), 7, PROTOCOL),
        ("8.2.2 connection", of(head(&[("connection", "close")])), 7, PROTOCOL),
        ("8.2.2 te", of(head(&[("te", "gzip")])), 7, PROTOCOL),
        ("8.3 unknown pseudo field", of(head(&[(":x", "y")])), 7, PROTOCOL),
        ("8.3 pseudo field of a reply", of(head(&[(":status", "200")])), 7, PROTOCOL),
        ("8.3 pseudo field behind others", of([&[("x", "y")], &POST[..]].concat()), 7, PROTOCOL),
        ("8.3.1 no path", of(vec![(":method", "GET"), (":scheme", "http")]), 7, PROTOCOL),
        ("8.1.1 body announced and none", of(head(&[("content-length", "1")])), 7, PROTOCOL),
    ];
    for (row, bytes, stream, code) in rows {
        let mut peer = server();
        peer.side.feed(&bytes);
        peer.events();
        assert_eq!(peer.said(), [&format!("RST_STREAM {stream} {code:x}")[..]], "{row}");
        assert_eq!(peer.post(9, true).events().len(), 1, "{row}: the connection lives");
    }
}

#[test]
fn bodies_that_differ_from_their_content_length_are_malformed() {
    let announced = [&POST[..], &[("content-length", "3")]].concat();
    for (pieces, whole) in [
        (&[(&b"abc"[..], true)][..], true),
        (&[(b"a", false), (b"bc", false), (b"", true)], true),
        (&[(b"ab", true)], false),
        (&[(b"abcd", false)], false),
        (&[(b"abc", false), (b"d", true)], false),
    ] {
        let mut peer = Peer::of_server(Limits::default());
        peer.headers(1, false, &announced);
        for (piece, end) in pieces {
            peer.data(1, *end, piece);
        }
        let events = peer.events();
        let said = peer.said();
        assert_eq!(matches!(&events[..], [Seen::Open(_)]), whole, "{pieces:?} {events:?}");
        assert_eq!(said.iter().any(|s| *s == "RST_STREAM 1 1"), !whole, "{pieces:?} {said:?}");
        assert_eq!(peer.side.host.withdrawn, u32::from(!whole));
    }
}

#[test]
fn what_the_rfc_lets_pass_passes() {
    for (row, bytes) in [
        ("4.1 unknown frame", raw(0x16, 0xff, 1, &[0; 100])),
        ("4.1 unknown flags", raw(6, 0xfe, 0, &[0; 8])),
        ("6.3 PRIORITY of an idle stream", raw(2, 0, 99, &[0, 0, 0, 1, 0])),
        ("5.1 PRIORITY of a closed stream", raw(2, 0, 5, &[0, 0, 0, 1, 0])),
        ("5.1 RST_STREAM of a closed stream", raw(3, 0, 5, &[0; 4])),
        ("5.1 WINDOW_UPDATE of a closed stream", raw(8, 0, 5, &[0, 0, 1, 0])),
        ("6.5.2 unknown setting", raw(4, 0, 0, &setting(0xff, 1))),
        ("6.7 answer to no PING", raw(6, 1, 0, &[0; 8])),
        ("6.5 acknowledgement of no SETTINGS", raw(4, 1, 0, &[])),
    ] {
        let mut peer = server();
        peer.side.feed(&bytes);
        peer.events();
        let said = peer.said();
        assert!(!said.iter().any(|s| s.0.starts_with("RST") || s.0.starts_with("GOAWAY")), "{row}: {said:?}");
        assert_eq!(peer.post(9, true).events().len(), 1, "{row}");
    }
}

#[test]
fn a_peer_without_a_preface_gets_an_error() {
    let mut peer = Peer::new(Side::server(&super::PROTOCOL));
    let first = [&PREFACE[..], &raw(6, 0, 0, &[0; 8])].concat();
    assert_eq!(connection_error(&mut peer, &first), Some(PROTOCOL));
    let mut peer = Peer::new(Side::server(&super::PROTOCOL));
    assert_eq!(connection_error(&mut peer, b"PRI * HTTP/2.0\r\n\r\nSX"), Some(PROTOCOL));
    // the peer is a server that speaks HTTP/1
    let mut peer = Peer::new(super::client_with(Limits::default()));
    peer.side.call(&Call::new("S", "M"));
    peer.side.events();
    peer.side.written();
    assert_eq!(connection_error(&mut peer, b"HTTP/1.1 400 Bad Request\r\n"), Some(PROTOCOL));
}

#[test]
fn replies_against_the_rules_end_their_call() {
    let interim = [(":status", "103")];
    let ok = [(":status", "200")];
    let rows: Vec<(&str, Box<dyn Fn(&mut Peer)>, u32)> = vec![
        ("8.1 DATA before the head", Box::new(|p| _ = p.data(1, true, b"x")), PROTOCOL),
        ("8.6 101", Box::new(|p| _ = p.headers(1, false, &[(":status", "101")])), PROTOCOL),
        ("8.1 the stream ends with 1xx", Box::new(move |p| _ = p.headers(1, true, &interim)), PROTOCOL),
        ("8.3.2 no status", Box::new(|p| _ = p.headers(1, true, &[("x", "y")])), PROTOCOL),
        (
            "8.3 field of a request",
            Box::new(|p| _ = p.headers(1, true, &[(":status", "200"), (":path", "/")])),
            PROTOCOL,
        ),
        (
            "8.1 HEADERS inside a body",
            Box::new(move |p| _ = p.headers(1, false, &ok).headers(1, false, &[])),
            PROTOCOL,
        ),
        (
            "5.3.1 a stream that depends on itself, and no status",
            Box::new(|p| {
                let payload = [&[0, 0, 0, 1, 16], &Peer::plain_block(&[("x", "y")])[..]].concat();
                p.frame(Kind::HEADERS, flag::END_HEADERS | flag::PRIORITY, 1, &payload);
            }),
            PROTOCOL,
        ),
    ];
    for (row, feed, code) in rows {
        let mut peer = Peer::of_client(Limits::default());
        peer.side.call(&Call::new("S", "M").body("x"));
        peer.said();
        feed(&mut peer);
        let events = peer.events();
        assert!(matches!(&events[..], [Seen::Reset { .. }]), "{row}: {events:?}");
        assert_eq!(peer.said(), [&format!("RST_STREAM 1 {code:x}")[..]], "{row}");
    }
}

#[test]
fn frames_that_a_server_may_not_send_end_the_connection() {
    for (row, bytes) in [
        ("8.4 PUSH_PROMISE", raw(5, 4, 1, &[0, 0, 0, 2])),
        ("5.1.1 a stream that we did not open", raw(1, 5, 9, &[0x88])),
        ("5.1.1 a stream of its own", raw(1, 5, 2, &[0x88])),
        ("6.5.2 push turned on", raw(4, 0, 0, &setting(settings::ENABLE_PUSH, 1))),
    ] {
        let mut peer = Peer::of_client(Limits::default());
        peer.side.call(&Call::new("S", "M").body("x"));
        peer.said();
        assert_eq!(connection_error(&mut peer, &bytes), Some(PROTOCOL), "{row}");
    }
}

/// How a plain request is answered whose head is too large.
const LARGE_HEAD: &str =
    "431 content-type=text/plain content-length=46 x-bd-error-code=122 polywire-status=8";

#[test]
fn heads_that_are_too_large_are_refused_alone_up_to_a_point() {
    let mut peer = Peer::of_server(Limits::default());
    let value = "~".repeat(7000);
    let large = [&POST[..], &[("a", &value), ("b", &value), ("c", &value)]].concat();
    let block = peer.block(&large);
    let (front, back) = block.split_at(10_000);
    peer.frame(Kind::HEADERS, 1, 1, front).frame(Kind::CONTINUATION, flag::END_HEADERS, 1, back);
    assert_eq!(peer.events(), []);
    assert_eq!(peer.said(), [&format!("HEADERS 1 {LARGE_HEAD}")[..], "DATA 1 es 46"]);
    assert_eq!(peer.post(3, true).events().len(), 1, "the tables are in step");

    let flood = |piece: &[u8]| {
        let mut peer = server();
        peer.frame(Kind::HEADERS, 0, 7, &[0x82]);
        for _ in 0..100 {
            peer.frame(Kind::CONTINUATION, 0, 7, piece);
        }
        (connection_error(&mut peer, b""), peer.side.held())
    };
    assert_eq!(flood(&[]).0, Some(CALM), "CVE-2024-27316: frames without end");
    let (code, held) = flood(&[0; 16_384]);
    assert_eq!(code, Some(CALM));
    assert!(held <= 65_536, "{held}");
}

/// gRPC's C core sends a long head as one frame if SETTINGS_MAX_FRAME_SIZE allows it.
#[test]
fn a_head_that_is_too_large_in_one_frame_is_refused_alone() {
    let mut peer = Peer::of_server(Limits::default());
    let under_way = peer.post(1, true).side.poll().expect_open();
    let value = "~".repeat(70_000);
    let too_large = "more header fields than allowed (Limits::head)";
    let grpc = format!("es 200 content-type=application/grpc grpc-status=8 grpc-message={too_large}");
    // more of them than `Patience::mistakes` would allow
    for n in 0..150 {
        let (kind, answer) = [("text/plain", LARGE_HEAD), ("application/grpc", &grpc)][n % 2];
        let stream = 2 * n as u32 + 3;
        let fields: [&[_]; 3] = [&POST, &[("a", &value)], &[("content-type", kind)]];
        assert_eq!(peer.headers(stream, true, &fields.concat()).events(), []);
        assert_eq!(peer.said()[0], &format!("HEADERS {stream} {answer}")[..]);
    }
    peer.side.reply(&under_way, "x");
    assert_eq!(peer.said().len(), 2);
    assert_eq!(peer.post(999, true).events().len(), 1, "the tables are in step");
}

#[test]
fn a_reply_whose_head_or_trailers_are_too_large_costs_its_call_alone() {
    let mut peer = Peer::of_client(Limits::default());
    let value = "~".repeat(70_000);
    let large = |first: &[(&'static str, &'static str)]| [first, &[("a", &value)]].concat();
    peer.side.call(&Call::new("S", "M").body("x"));
    for n in 1..150 {
        let call = peer.side.call(&Call::new("S", "M").body("x"));
        if n % 2 == 0 {
            peer.headers(2 * n + 1, false, &[(":status", "200")]).headers(2 * n + 1, true, &large(&[]));
        } else {
            peer.headers(2 * n + 1, true, &large(&[(":status", "200")]));
        }
        match &peer.events()[..] {
            [Seen::Reset { exchange, why }] => {
                assert_eq!((*exchange, why.code()), (call, polywire_call::Code::ResourceExhausted), "{n}");
            }
            other => panic!("{n}: {other:?}"),
        }
    }
    peer.headers(1, true, &[(":status", "200")]);
    assert!(matches!(&peer.events()[..], [Seen::Finish { outcome, .. }] if outcome.status.is_ok()));
}

#[test]
fn faults_are_what_the_engine_counts() {
    let error = |bytes: &[u8]| {
        let mut peer = server();
        peer.side.feed(bytes);
        match peer.events().pop() {
            Some(Seen::Error(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(error(&raw(8, 0, 0, &0x7fff_ffffu32.to_be_bytes())), WireError::FlowControl);
    assert!(matches!(error(&raw(9, 4, 1, &[])), WireError::Malformed(_)));
}
