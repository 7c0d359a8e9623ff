//! What one call costs in the HTTP/1.1 machine, without sockets, dispatch and JSON:
//! `cargo run --release --example cost_http`, with the name of a row that row alone.
//!
//! A small JSON echo as `wrk` sends it (docs/wire/http.md, section 8), one request a read and sixteen
//! pipelined in one read; best of ten runs of 100 ms each, nanoseconds per call.

mod common;

use bytes::Bytes;
use common::{Admitting, measure};
use polywire_base::{IoBuf, Output};
use polywire_call::Metadata;
use polywire_protocols::http::PROTOCOL;
use polywire_wire::*;
use std::hint::black_box;
use std::time::Instant;

const REQUEST: &[u8] = b"POST /example.EchoService/Echo HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\
    Content-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"message\":\"hi!\"}";

/// Polls and answers until nothing is left to read.
fn serve(server: &mut Box<dyn Machine>, input: &mut IoBuf, out: &mut Output, now: Instant) {
    let mut host = Admitting;
    loop {
        let mut cx = Cx { now, input, out, host: &mut host };
        match server.poll(&mut cx).expect("good requests") {
            Step::Event(Event::Open(open)) => {
                let (exchange, body, content) = (open.exchange, open.body, open.head.content);
                let outcome = Outcome { body, content, reply: true, ..Outcome::default() };
                server.finish(&mut Cx { now, input, out, host: &mut host }, exchange, outcome);
            }
            Step::Need(_) => break,
            _ => unreachable!("plain requests"),
        }
    }
}

fn main() {
    let machine = PROTOCOL.machine.expect("HTTP is built");
    let now = Instant::now();
    let (mut out, mut input) = (Output::new(16 << 20), IoBuf::new());

    let one = Bytes::from_static(REQUEST);
    let sixteen = Bytes::from(REQUEST.repeat(16));
    for (name, calls, bytes) in
        [("server poll + finish", 1, &one), ("server poll + finish, pipelined", 16, &sixteen)]
    {
        let mut server = machine(&ServerSetup::default().into());
        measure(name, calls, || {
            input.push(bytes.clone());
            serve(&mut server, &mut input, &mut out, now);
            out.advance(out.len());
        });
    }

    let mut server = machine(&ServerSetup::default().into());
    input.push(one.clone());
    serve(&mut server, &mut input, &mut out, now);
    let reply = Bytes::from(out.take().to_vec());
    let (body, metadata) = (IoBuf::from(&b"{\"message\":\"hi!\"}"[..]), Metadata::new());
    let call = Outgoing {
        service: "example.EchoService",
        method: "Echo",
        index: None,
        timeout: None,
        metadata: &metadata,
        body: &body,
        attachment: 0,
        content: Content::JSON,
        compression: Compression::NONE,
        finished: true,
        streamed: false,
        streams: &[],
    };
    let setup = ClientSetup { authority: "127.0.0.1:8000", ..ClientSetup::default() };
    let mut client = machine(&setup.into());
    let (mut host, exchange) = (Admitting, Exchange { token: 7 << 32, slot: 0 });
    measure("client open + poll", 1, || {
        let mut cx = Cx { now, input: &mut input, out: &mut out, host: &mut host };
        client.open(&mut cx, exchange, &call).expect("idle");
        out.advance(out.len());
        input.push(reply.clone());
        let mut cx = Cx { now, input: &mut input, out: &mut out, host: &mut host };
        match client.poll(&mut cx).expect("a good reply") {
            Step::Event(Event::Finish { exchange, outcome }) => drop((black_box(exchange), outcome)),
            _ => unreachable!("a whole reply"),
        }
    });
}
