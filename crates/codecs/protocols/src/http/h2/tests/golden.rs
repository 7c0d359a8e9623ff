//! The worked frames of docs/wire/grpc.md section 7 that belong to HTTP/2.

use super::super::{PROTOCOL, error::Code, frame};
use super::echo;
use bytes::BytesMut;
use polywire_machine_testing::{
    Call, Seen, SeenTarget, Side, at_every_split, at_every_split_reacting, at_every_truncation, hex,
};
use polywire_wire::{Content, Delivery};

const PREFACE: &str = "50 52 49 20 2a 20 48 54 54 50 2f 32 2e 30 0d 0a 0d 0a 53 4d 0d 0a 0d 0a";
const SETTINGS: &str = "00 00 00 04 00 00 00 00 00";
const HEAD: &str = "
    00 00 61 01 04 00 00 00 01 83 86 44 1c 2f 68 65 6c 6c 6f 77 6f 72 6c 64 2e 47 72 65 65 74 65 72 2f 53 61 79 48 65
    6c 6c 6f 41 0f 6c 6f 63 61 6c 68 6f 73 74 3a 35 30 30 35 31 5f 10 61 70 70 6c 69 63 61 74 69 6f 6e 2f 67 72 70 63
    40 02 74 65 08 74 72 61 69 6c 65 72 73 40 0c 67 72 70 63 2d 74 69 6d 65 6f 75 74 02 31 53";
const BODY: &str = "00 00 0c 00 01 00 00 00 01 00 00 00 00 07 0a 05 77 6f 72 6c 64";
const REPLY: &str = "
    00 00 00 04 00 00 00 00 00   00 00 00 04 01 00 00 00 00
    00 00 13 01 04 00 00 00 01 88 5f 10 61 70 70 6c 69 63 61 74 69 6f 6e 2f 67 72 70 63
    00 00 12 00 00 00 00 00 01 00 00 00 00 0d 0a 0b 48 65 6c 6c 6f 20 77 6f 72 6c 64
    00 00 0f 01 05 00 00 00 01 40 0b 67 72 70 63 2d 73 74 61 74 75 73 01 30";

/// The sheet's call without its content type, which the layer above checks.
fn call() -> Vec<u8> {
    let head = HEAD.replace(
        "5f 10 61 70 70 6c 69 63 61 74 69 6f 6e 2f 67 72 70 63",
        "5f 0b 74 65 78 74 2f 6d 61 72 6b 75 70",
    );
    hex(&[PREFACE, SETTINGS, &head.replace("00 00 61", "00 00 5c"), BODY].concat())
}

#[test]
fn the_call_of_the_sheet_is_opened_with_all_its_fields() {
    let run = at_every_split(|| Side::server(&PROTOCOL), &call());
    let [Seen::Open(open)] = &run.seen[..] else { panic!("{:?}", run.seen) };
    let (verb, path) = ("POST".into(), "/helloworld.Greeter/SayHello".into());
    assert_eq!(open.head.target, SeenTarget::Path { verb, path });
    assert_eq!(open.body, hex("00 00 00 00 07 0a 05 77 6f 72 6c 64"));
    let fields: Vec<_> = open.head.fields.iter().map(|(n, v)| (&n[..], &v[..])).collect();
    let expected: [(&str, &[u8]); 7] = [
        (":method", b"POST"),
        (":scheme", b"http"),
        (":path", b"/helloworld.Greeter/SayHello"),
        ("host", b"localhost:50051"),
        ("content-type", b"text/markup"),
        ("te", b"trailers"),
        ("grpc-timeout", b"1S"),
    ];
    assert_eq!(fields, expected);
}

#[test]
fn the_call_waits_for_its_last_byte() {
    let call = call();
    at_every_truncation(|| Side::server(&PROTOCOL), &call);
    // the same call with a head that was seen before and a streamed body
    let head = call.len() - hex(BODY).len();
    let streamed = || Side::server(&PROTOCOL).hosted(|h| h.deliver(Delivery::Pieces));
    let run = at_every_split(streamed, &call[..head]);
    assert!(matches!(&run.seen[..], [Seen::Open(open)] if !open.finished), "{:?}", run.seen);
}

#[test]
fn calls_in_a_row_are_answered_at_every_split() {
    let mut two = call();
    // the same head again, indexed: 62 is the newest entry of the table
    two.extend(hex("00 00 07 01 04 00 00 00 03 83 86 c2 c1 c0 bf be  00 00 01 00 01 00 00 00 03 2a"));
    let run = at_every_split_reacting(|| Side::server(&PROTOCOL), echo, &two);
    let length = |seen: &Seen| if let Seen::Open(open) = seen { open.body.len() } else { 0 };
    let bodies: Vec<_> = run.seen.iter().map(length).collect();
    assert_eq!(bodies, [12, 1]);
}

#[test]
fn the_reply_of_the_sheet_is_read_at_every_split() {
    let calling = || {
        let mut side = Side::client(&PROTOCOL);
        side.call(&Call::new("helloworld.Greeter", "SayHello").content(Content::RAW).body("x"));
        side
    };
    // As a reply of plain HTTP: a body, followed by trailers.
    let reply = REPLY.replace(
        "5f 10 61 70 70 6c 69 63 61 74 69 6f 6e 2f 67 72 70 63",
        "5f 0b 74 65 78 74 2f 6d 61 72 6b 75 70",
    );
    let reply = hex(&reply.replace("00 00 13 01", "00 00 0e 01"));
    let mut run = at_every_split(calling, &reply);
    let last = run.seen.pop().expect("a reply");
    let (_, outcome) = last.expect_finish();
    assert!(outcome.status.is_ok(), "{outcome:?}");
    assert_eq!(outcome.body, hex("00 00 00 00 0d 0a 0b 48 65 6c 6c 6f 20 77 6f 72 6c 64"));
}

#[test]
fn frames_of_the_sheet_are_what_we_write() {
    let mut out = BytesMut::new();
    frame::ping::write(&mut out, false, *b"12345678");
    frame::ping::write(&mut out, true, *b"12345678");
    frame::rst_stream::write(&mut out, 1, Code::CANCEL);
    frame::window_update::write(&mut out, 0, 983_041);
    frame::goaway::write(&mut out, 1, Code::ENHANCE_YOUR_CALM, "too_many_pings");
    frame::settings::write(&mut out, &[(3, 100), (4, 1_048_576), (6, 8192)]);
    frame::settings::write_ack(&mut out);
    let expected = hex("
        00 00 08 06 00 00 00 00 00 31 32 33 34 35 36 37 38 | 00 00 08 06 01 00 00 00 00 31 32 33 34 35 36 37 38
        00 00 04 03 00 00 00 00 01 00 00 00 08
        00 00 04 08 00 00 00 00 00 00 0f 00 01
        00 00 16 07 00 00 00 00 00 00 00 00 01 00 00 00 0b 74 6f 6f 5f 6d 61 6e 79 5f 70 69 6e 67 73
        00 00 12 04 00 00 00 00 00 00 03 00 00 00 64 00 04 00 10 00 00 00 06 00 00 20 00
        00 00 00 04 01 00 00 00 00");
    assert_eq!(out, expected);
}

#[test]
fn a_repeated_head_is_an_index_a_field() {
    let mut client = Side::client(&PROTOCOL);
    let call = Call::new("S", "M").content(Content::JSON).body("{}");
    client.call(&call);
    client.feed([0, 0, 0, 4, 0, 0, 0, 0, 0]); // SETTINGS, without which there is one stream
    client.events();
    client.written();
    client.call(&call);
    let again = client.written();
    let block = again[2] as usize;
    // :method, :scheme, :path, :authority, content-type, content-length (a literal of four bytes), user-agent
    assert_eq!(block, 10, "{again:02x?}");
}
