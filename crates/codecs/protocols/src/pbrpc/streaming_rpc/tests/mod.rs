//! streaming_rpc as docs/wire/streaming_rpc.md has it.

mod bad_input;
mod closing;
mod flow;
mod golden;
mod methods;
mod offers;

use super::PROTOCOL;
use crate::pbrpc::baidu_std;
use polywire_base::IoBuf;
use polywire_machine_testing::{Call, Seen, Side, hex, pass};
use polywire_wire::{Credit, Exchange, Limits, Outcome, ServerSetup};

fn server() -> Side {
    Side::server(&baidu_std::PROTOCOL)
}

fn client() -> Side {
    Side::client(&PROTOCOL)
}

fn server_with(limits: Limits) -> Side {
    Side::new(&baidu_std::PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
}

/// The call of the sheet's examples: correlation id 4294967298, version 1 and slot 2.
const CALL: Exchange = Exchange { token: 1 << 32 | 2, slot: 2 };

/// The client's streams in the examples.
const FIVE: Exchange = Exchange { token: 5, slot: 5 };
const SIX: Exchange = Exchange { token: 6, slot: 6 };
/// The server's stream in the examples.
const NINE: Exchange = Exchange { token: 9, slot: 9 };
const TEN: Exchange = Exchange { token: 10, slot: 10 };

/// Messages of a stream that [`opened`] delivers before any is taken.
const AHEAD: usize = 32;

/// brpc's default `max_buf_size`, which is also ours.
const WINDOW: u32 = 2 << 20;

fn hello() -> Call {
    let call = Call::new("example.EchoService", "Echo").body(b"\x0a\x05hello");
    Call { streams: vec![FIVE, SIX], ..call }
}

/// A server that has opened the call of example 1 with the ids of the examples.
fn opened() -> (Side, Exchange) {
    let mut server = server_with(Limits::default().ahead(AHEAD as u32));
    // A server hands out the lowest free ids: eight go to a call with seven streams, the ninth to the call of
    // the example.
    let first = frame(&settings_meta("08 64 10 01 18 01 20 01 20 02 20 03 20 04 20 05 20 06"), b"");
    assert_eq!(server.feed(first).poll().expect_open().streams.len(), 7);
    let open = server.feed(example_1()).poll().expect_open();
    assert_eq!(open.streams, [NINE, TEN]);
    (server, open.exchange)
}

/// The server of [`opened`] once it has accepted.
fn accepted() -> Side {
    let (mut server, call) = opened();
    server.finish(call, accept(b"\x0a\x05hello"));
    assert_eq!(server.written(), example_2());
    for stream in [NINE, TEN] {
        assert_eq!(server.poll(), credit(stream, WINDOW));
    }
    server
}

/// A client whose call of example 1 was accepted.
fn connected() -> Side {
    let mut client = client();
    client.open(CALL, &hello()).expect("room for two streams");
    client.written();
    let events = client.feed(example_2()).events();
    assert_eq!(events[1..], [credit(FIVE, WINDOW), credit(SIX, WINDOW)]);
    client
}

/// A client and a server that have streams FIVE and NINE, and SIX and TEN, between them, as after the reply.
fn pair() -> (Side, Side) {
    (connected(), accepted())
}

fn accept(body: &[u8]) -> Outcome {
    Outcome { body: IoBuf::copy_from_slice(body), reply: true, accept: true, ..Outcome::default() }
}

fn credit(exchange: Exchange, bytes: u32) -> Seen {
    Seen::Credit { exchange, credit: Credit { bytes, messages: 1024 } }
}

fn message(exchange: Exchange, bytes: &[u8]) -> Seen {
    Seen::Part {
        exchange,
        bytes: bytes.into(),
        end_of_message: true,
        finished: false,
        compression: Default::default(),
    }
}

fn ended(exchange: Exchange) -> Seen {
    Seen::Finish { exchange, outcome: (&Outcome::default()).into() }
}

/// The status of a `Reset` of this stream.
#[track_caller]
fn reset_of(exchange: Exchange, seen: &Seen) -> polywire_call::Status {
    match seen {
        Seen::Reset { exchange: of, why } if *of == exchange => why.clone(),
        other => panic!("no reset of {exchange:?}: {other:?}"),
    }
}

/// Frame of baidu_std of this meta and payload.
fn frame(meta: &[u8], payload: &[u8]) -> Vec<u8> {
    framed(b"PRPC", meta, payload)
}

/// Frame of a stream.
fn strm(meta: &str, data: &[u8]) -> Vec<u8> {
    framed(b"STRM", &hex(meta), data)
}

fn framed(magic: &[u8; 4], meta: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = magic.to_vec();
    frame.extend_from_slice(&((meta.len() + payload.len()) as u32).to_be_bytes());
    frame.extend_from_slice(&(meta.len() as u32).to_be_bytes());
    frame.extend_from_slice(meta);
    frame.extend_from_slice(payload);
    frame
}

/// Meta of a request to example.EchoService and Echo with these stream_settings.
fn settings_meta(settings: &str) -> Vec<u8> {
    let settings = hex(settings);
    let mut meta = hex("0a 1b 0a 13 6578616d706c652e4563686f53657276696365 12 04 4563686f 18 00");
    meta.extend(hex("20 82 80 80 80 10 42"));
    meta.push(settings.len() as u8);
    meta.extend(settings);
    meta
}

/// "Example 1: client PRPC request that opens two streams (client ids 5 and 6)"
fn example_1() -> Vec<u8> {
    hex("50 52 50 43 00 00 00 3c 00 00 00 35 0a 1b 0a 13
         65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76
         69 63 65 12 04 45 63 68 6f 18 00 20 82 80 80 80
         10 42 08 08 05 10 01 18 01 20 06 50 00 58 00 62
         00 0a 05 68 65 6c 6c 6f")
}

/// "Example 2: server reply: the whole PRPC response travels as the data of one DATA frame"
fn example_2() -> Vec<u8> {
    hex("53 54 52 4d 00 00 00 37 00 00 00 08 08 05 10 09
         18 03 20 00 50 52 50 43 00 00 00 23 00 00 00 1c
         12 02 08 00 18 00 20 82 80 80 80 10 42 08 08 09
         10 01 18 01 20 0a 50 00 58 00 62 00 0a 05 68 65
         6c 6c 6f")
}

/// "Example 3: DATA client -> server"
fn example_3() -> Vec<u8> {
    hex("53 54 52 4d 00 00 00 0d 00 00 00 08 08 09 10 05
         18 03 20 00 64 61 74 61 31")
}

/// "Example 4: FEEDBACK server -> client: 5 bytes consumed so far"
fn example_4() -> Vec<u8> {
    hex("53 54 52 4d 00 00 00 0a 00 00 00 0a 08 05 10 09
         18 04 2a 02 08 05")
}

/// "Example 5: CLOSE client -> server"
fn example_5() -> Vec<u8> {
    hex("53 54 52 4d 00 00 00 06 00 00 00 06 08 09 10 05 18 02")
}

/// "Example 6: RST for stream 9"
fn example_6() -> Vec<u8> {
    hex("53 54 52 4d 00 00 00 04 00 00 00 04 08 09 18 01")
}

/// "Example 7: one 5-byte message sent as two segments"
fn example_7() -> Vec<u8> {
    hex("53 54 52 4d 00 00 00 0b 00 00 00 08 08 09 10 05
         18 03 20 01 64 61 74 53 54 52 4d 00 00 00 0a 00
         00 00 08 08 09 10 05 18 03 20 00 61 31")
}

/// Carries bytes both ways until both sides write no more; returns what both saw.
fn settle(client: &mut Side, server: &mut Side) -> (Vec<Seen>, Vec<Seen>) {
    let (mut by_client, mut by_server) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        by_client.extend(client.events());
        by_server.extend(server.events());
        if pass(client, server) + pass(server, client) == 0 {
            return (by_client, by_server);
        }
    }
    panic!("they never come to rest");
}
