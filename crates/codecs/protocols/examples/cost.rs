//! What one call costs in the baidu_std machine, without sockets and dispatch:
//! `cargo run --release --example cost`, with the name of a row that row alone.
//!
//! 100 B echo, 64 frames a batch, best of ten runs of 100 ms each, nanoseconds per call.

mod common;

use bytes::Bytes;
use common::{Admitting, measure};
use polywire_base::{IoBuf, Output};
use polywire_call::Metadata;
use polywire_protocols::baidu_std::PROTOCOL;
use polywire_wire::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

const BATCH: usize = 64;

fn main() {
    let machine = PROTOCOL.machine.expect("baidu_std is built");
    let mut server = machine(&ServerSetup::default().into());
    let mut client = machine(&ClientSetup::default().into());
    let (mut host, now) = (Admitting, Instant::now());
    let (mut out, mut input) = (Output::new(16 << 20), IoBuf::new());

    let (body, metadata) = (IoBuf::from(vec![b'x'; 100]), Metadata::new());
    let call = Outgoing {
        service: "example.EchoService",
        method: "Echo",
        index: None,
        timeout: Some(Duration::from_millis(500)),
        metadata: &metadata,
        body: &body,
        attachment: 0,
        content: Content::PROTOBUF,
        compression: Compression::NONE,
        finished: true,
        streamed: false,
        streams: &[],
    };
    let open = |client: &mut Box<dyn Machine>, out: &mut Output, input: &mut IoBuf, host: &mut Admitting| {
        let mut cx = Cx { now, input, out, host };
        for slot in 0..BATCH as u32 {
            let exchange = Exchange { token: 7 << 32 | u64::from(slot), slot };
            client.open(&mut cx, exchange, &call).expect("a client opens calls");
        }
    };

    measure("client open", BATCH, || {
        open(&mut client, &mut out, &mut input, &mut host);
        out.advance(out.len());
    });

    open(&mut client, &mut out, &mut input, &mut host);
    let requests = Bytes::from(out.take().to_vec());
    let served =
        |server: &mut Box<dyn Machine>, out: &mut Output, input: &mut IoBuf, host: &mut Admitting| {
            input.push(requests.clone());
            loop {
                let mut cx = Cx { now, input, out, host };
                match server.poll(&mut cx).expect("requests of our own") {
                    Step::Event(Event::Open(open)) => {
                        let (exchange, body) = (open.exchange, open.body);
                        let outcome = Outcome { body, reply: true, ..Outcome::default() };
                        server.finish(&mut Cx { now, input, out, host }, exchange, outcome);
                    }
                    Step::Need(_) => break,
                    _ => unreachable!("plain requests"),
                }
            }
        };
    measure("server poll", BATCH, || {
        input.push(requests.clone());
        loop {
            let mut cx = Cx { now, input: &mut input, out: &mut out, host: &mut host };
            match server.poll(&mut cx).expect("requests of our own") {
                Step::Event(Event::Open(open)) => drop((black_box(open.exchange), open.body)),
                _ => break,
            }
        }
    });
    measure("server poll + finish", BATCH, || {
        served(&mut server, &mut out, &mut input, &mut host);
        out.advance(out.len());
    });

    served(&mut server, &mut out, &mut input, &mut host);
    let replies = Bytes::from(out.take().to_vec());
    measure("client poll", BATCH, || {
        input.push(replies.clone());
        loop {
            let mut cx = Cx { now, input: &mut input, out: &mut out, host: &mut host };
            match client.poll(&mut cx).expect("replies of our own") {
                Step::Event(Event::Finish { exchange, outcome }) => drop((black_box(exchange), outcome)),
                _ => break,
            }
        }
    });
}
