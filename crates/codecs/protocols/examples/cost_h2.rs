//! What one call costs in the HTTP/2 machine, without sockets, dispatch and JSON:
//! `cargo run --release --example cost_h2`, with the name of a row that row alone.
//!
//! A small echo as a client of gRPC's kind sends it: HEADERS of indexed fields and DATA, one call a read and
//! sixteen in one read; best of ten runs of 100 ms each, nanoseconds per call.

mod common;

use bytes::Bytes;
use common::{Admitting, measure};
use polywire_base::{IoBuf, Output};
use polywire_call::Metadata;
use polywire_protocols::http::h2::PROTOCOL;
use polywire_wire::*;
use std::hint::black_box;
use std::time::Instant;

const BODY: &[u8] = b"{\"message\":\"hi!\"}";
/// Nine bytes before each frame's payload; the last four of them are the stream.
const HEADER: usize = 9;

/// WINDOW_UPDATE of the connection by 2^30: enough for all that is measured.
const WIDE: [u8; 13] = [0, 0, 4, 8, 0, 0, 0, 0, 0, 0x40, 0, 0, 0];

/// One end of a connection.
struct Side {
    machine: Box<dyn Machine>,
    input: IoBuf,
    out: Output,
    now: Instant,
}

impl Side {
    fn new<'s>(setup: impl Into<Setup<'s>>) -> Self {
        let machine = PROTOCOL.machine.expect("HTTP/2 is built");
        Side {
            machine: machine(&setup.into()),
            input: IoBuf::new(),
            out: Output::new(16 << 20),
            now: Instant::now(),
        }
    }

    fn take(&mut self) -> Vec<u8> {
        self.out.take().to_vec()
    }

    /// Polls until nothing is left to read; requests are answered.
    fn serve(&mut self) {
        let (mut host, now) = (Admitting, self.now);
        loop {
            let mut cx = Cx { now, input: &mut self.input, out: &mut self.out, host: &mut host };
            match self.machine.poll(&mut cx).expect("good frames") {
                Step::Event(Event::Open(open)) => {
                    let (exchange, body, content) = (open.exchange, open.body, open.head.content);
                    let outcome = Outcome { body, content, reply: true, ..Outcome::default() };
                    let mut cx = Cx { now, input: &mut self.input, out: &mut self.out, host: &mut host };
                    self.machine.finish(&mut cx, exchange, outcome);
                }
                Step::Event(event) => drop(black_box(event)),
                _ => return,
            }
        }
    }

    fn open(&mut self, call: &Outgoing<'_>) {
        let (mut host, now) = (Admitting, self.now);
        let mut cx = Cx { now, input: &mut self.input, out: &mut self.out, host: &mut host };
        let exchange = Exchange { token: 7 << 32, slot: 0 };
        self.machine.open(&mut cx, exchange, call).expect("there is room");
    }
}

/// The same frames for the streams `first`, `first + 2`, ...
fn renumbered(frames: &[u8], calls: usize, first: u32) -> Bytes {
    let mut all = frames.repeat(calls);
    for (n, frames) in all.chunks_exact_mut(frames.len()).enumerate() {
        let mut at = 0;
        while at < frames.len() {
            let length = u32::from_be_bytes([0, frames[at], frames[at + 1], frames[at + 2]]) as usize;
            frames[at + 5..at + HEADER].copy_from_slice(&(first + 2 * n as u32).to_be_bytes());
            at += HEADER + length;
        }
    }
    all.into()
}

fn main() {
    let (body, metadata) = (IoBuf::from(BODY), Metadata::new());
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
    // The first call fills the tables; the second is what all others look like.
    let authority = "127.0.0.1:8000";
    let mut client = Side::new(ClientSetup { authority, ..ClientSetup::default() });
    let mut server = Side::new(ServerSetup::default());
    let (mut first, mut second) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for said in [&mut first, &mut second] {
        client.open(&call);
        said.0 = client.take();
        server.input.push(said.0.clone().into());
        server.serve();
        said.1 = server.take();
        client.input.push(said.1.clone().into());
        client.serve();
    }
    // Before it stands the acknowledgement of SETTINGS.
    let request = if second.0[3] == 4 { &second.0[HEADER..] } else { &second.0[..] };
    println!("a call: {} bytes there, {} back", request.len(), second.1.len());

    for (name, calls) in [("server poll + finish", 1), ("server poll + finish, sixteen", 16)] {
        let mut server = Side::new(ServerSetup::default());
        server.input.push([&first.0[..], &WIDE].concat().into());
        server.serve();
        server.take();
        let mut stream = 3;
        measure(name, calls, || {
            server.input.push(renumbered(request, calls, stream));
            stream += 2 * calls as u32;
            server.serve();
            server.out.advance(server.out.len());
        });
        let name = format!("{name}: making frames");
        measure(&name, calls, || {
            black_box(renumbered(request, calls, 3));
        });
    }

    client.input.push(WIDE.to_vec().into());
    client.serve();
    let mut stream = 5;
    measure("client open + poll", 1, || {
        client.open(&call);
        client.out.advance(client.out.len());
        client.input.push(renumbered(&second.1, 1, stream));
        stream += 2;
        client.serve();
    });
}
