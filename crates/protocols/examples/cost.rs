//! What one call costs in the baidu_std machine, without sockets and dispatch: `cargo run --release --example cost`,
//! with the name of a row that row alone.
//!
//! 100 B echo, 64 frames a batch, best of ten runs of 100 ms each, nanoseconds per call.

use bytes::Bytes;
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Status};
use polywire_protocols::baidu_std::PROTOCOL;
use polywire_wire::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

struct Admitting;

impl Host for Admitting {
    fn admit(&mut self, head: &Head<'_>, announced: Option<usize>) -> Result<Route, Status> {
        black_box((head.target, announced));
        Ok(Route { method: 1, max_message: 1 << 20, delivery: Delivery::Whole })
    }
    fn admit_reply(&mut self, exchange: Exchange, announced: usize) -> bool {
        black_box((exchange, announced));
        true
    }
}

const BATCH: usize = 64;
const RUN: Duration = Duration::from_millis(100);

/// Best of ten: nanoseconds per call of `batch`, which makes `BATCH` of them.
fn measure(name: &str, mut batch: impl FnMut()) {
    if std::env::args().nth(1).is_some_and(|only| only != name) {
        return;
    }
    let mut best = f64::MAX;
    for _ in 0..10 {
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed() < RUN {
            for _ in 0..16 {
                batch();
            }
            calls += 16 * BATCH;
        }
        best = best.min(start.elapsed().as_nanos() as f64 / calls as f64);
    }
    println!("{name:<28} {best:6.1} ns");
}

fn main() {
    let machine = PROTOCOL.machine.expect("baidu_std is built");
    let mut server = machine(Role::Server, &Setup::default());
    let mut client = machine(Role::Client, &Setup::default());
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

    measure("client open", || {
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
    measure("server poll", || {
        input.push(requests.clone());
        loop {
            let mut cx = Cx { now, input: &mut input, out: &mut out, host: &mut host };
            match server.poll(&mut cx).expect("requests of our own") {
                Step::Event(Event::Open(open)) => drop((black_box(open.exchange), open.body)),
                _ => break,
            }
        }
    });
    measure("server poll + finish", || {
        served(&mut server, &mut out, &mut input, &mut host);
        out.advance(out.len());
    });

    served(&mut server, &mut out, &mut input, &mut host);
    let replies = Bytes::from(out.take().to_vec());
    measure("client poll", || {
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
