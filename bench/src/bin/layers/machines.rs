//! Protocol machines: parse and encode, both roles, with a host that admits everything.

use std::time::Instant;

use bytes::Bytes;
use polywire::{Compression, Content, Metadata, Status};
use polywire_base::{IoBuf, Output};
use polywire_wire::{
    ClientSetup, Cx, Delivery, Event, Exchange, Head, Host, Limits, Machine, Outcome, Outgoing, Route,
    ServerSetup, Setup, Step,
};

use crate::Bench;

const CALLS: usize = 100;

/// A protocol and what its calls look like.
struct Kind {
    protocol: &'static str,
    service: &'static str,
    method: &'static str,
    content: Content,
    request: fn(usize) -> Vec<u8>,
}

const KINDS: &[Kind] = &[
    Kind {
        protocol: "baidu_std",
        service: "example.EchoService",
        method: "Echo",
        content: Content::PROTOBUF,
        request: message,
    },
    Kind {
        protocol: "http",
        service: "example.EchoService",
        method: "Echo",
        content: Content::PROTOBUF,
        request: message,
    },
];

fn message(bytes: usize) -> Vec<u8> {
    vec![b'x'; bytes]
}

pub fn all(bench: &mut Bench) {
    for kind in KINDS {
        // A protocol that has no machine yet, or none for this role, is left out.
        let protocols = polywire_protocols::builtin();
        let Some(make) = protocols.find(kind.protocol).and_then(|protocol| protocol.machine) else {
            continue;
        };
        for bytes in [100, 64 * 1024] {
            one(bench, kind, make, bytes);
        }
    }
}

fn one(bench: &mut Bench, kind: &Kind, make: fn(&Setup<'_>) -> Box<dyn Machine>, bytes: usize) {
    let name = kind.protocol;
    // Ordered protocols would refuse a hundred calls at once.
    let limits = Limits::default().exchanges(u32::try_from(CALLS).expect("it is small"));
    let client_setup = Setup::Client(ClientSetup { limits, authority: "bench", ..ClientSetup::default() });
    let server_setup = Setup::Server(ServerSetup { limits, ..ServerSetup::default() });
    let request = IoBuf::from(Bytes::from((kind.request)(bytes)));
    // Long bodies are shared, not copied: a rate would mean nothing.
    let carried = if bytes < 1024 { bytes } else { 0 };
    let metadata = Metadata::default();
    let outgoing = Outgoing {
        service: kind.service,
        method: kind.method,
        index: None,
        timeout: None,
        metadata: &metadata,
        body: &request,
        attachment: 0,
        content: kind.content,
        compression: Compression::NONE,
        finished: true,
        streamed: false,
        streams: &[],
    };
    let exchange =
        |n: usize| Exchange { token: (1 << 32) | n as u64, slot: u32::try_from(n).expect("it is small") };
    let mut side = Side::new(make(&client_setup));
    if side.poll(|_, _, _| {}) > 0 || side.command(|m, cx| m.open(cx, exchange(0), &outgoing)).is_err() {
        return;
    }
    let one_request = side.written();
    // As many as one read brings: what fits one buffer of 64 KB, at least one.
    let batch = (64 * 1024 / one_request.len()).clamp(1, CALLS);
    let requests = Bytes::from(one_request.repeat(batch));
    let operations = batch as u64;

    bench.time_prepared(
        &format!("{name}: open a call of {bytes} B"),
        1,
        carried,
        || Side::new(make(&client_setup)),
        |mut side| {
            let opened = side.command(|m, cx| m.open(cx, exchange(0), &outgoing)).is_ok();
            (opened, side)
        },
    );
    let reply =
        || Outcome { body: request.clone(), content: kind.content, reply: true, ..Outcome::default() };
    let mut server = Side::new(make(&server_setup));
    bench.time(&format!("{name}: parse and answer {bytes} B"), operations, carried, || {
        server.input.push(requests.clone());
        let seen = server.poll(|machine, cx, opened| machine.finish(cx, opened, reply()));
        assert_eq!(seen, batch, "{name}: requests seen");
        server.discard()
    });
    let mut server = Side::new(make(&server_setup));
    server.input.push(Bytes::from(one_request));
    server.poll(|machine, cx, opened| machine.finish(cx, opened, reply()));
    let one_reply = Bytes::from(server.written());
    bench.time_prepared(
        &format!("{name}: take a reply of {bytes} B"),
        1,
        carried,
        || {
            let mut side = Side::new(make(&client_setup));
            let _ = side.command(|m, cx| m.open(cx, exchange(0), &outgoing));
            side.input.push(one_reply.clone());
            side
        },
        |mut side| (side.poll(|_, _, _| {}), side),
    );
}

/// A machine with its buffers.
struct Side {
    machine: Box<dyn Machine>,
    input: IoBuf,
    out: Output,
    now: Instant,
}

impl Side {
    fn new(machine: Box<dyn Machine>) -> Side {
        Side { machine, input: IoBuf::default(), out: Output::new(1 << 26), now: Instant::now() }
    }

    /// Takes events until there are none; `answer` is called for each request. Says how many exchanges were
    /// opened or finished.
    fn poll(&mut self, mut answer: impl FnMut(&mut dyn Machine, &mut Cx<'_>, Exchange)) -> usize {
        let Side { machine, input, out, now } = self;
        let mut host = Everybody;
        let mut cx = Cx { now: *now, input, out, host: &mut host };
        let mut seen = 0;
        loop {
            let opened = match machine.poll(&mut cx) {
                Ok(Step::Event(Event::Open(open))) => Some(open.exchange),
                Ok(Step::Event(Event::Finish { .. })) => None,
                Ok(Step::Event(_)) => continue,
                Ok(_) => return seen,
                Err(error) => panic!("our own bytes: {error:?}"),
            };
            seen += 1;
            if let Some(exchange) = opened {
                answer(&mut **machine, &mut cx, exchange);
            }
        }
    }

    fn command<T>(&mut self, command: impl FnOnce(&mut dyn Machine, &mut Cx<'_>) -> T) -> T {
        let mut host = Everybody;
        let mut cx = Cx { now: self.now, input: &mut self.input, out: &mut self.out, host: &mut host };
        command(&mut *self.machine, &mut cx)
    }

    /// What it has put out since the last time.
    fn written(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while !self.out.is_empty() {
            let mut slices = [std::io::IoSlice::new(&[]); 16];
            let filled = self.out.io_slices(&mut slices);
            let before = bytes.len();
            slices[..filled].iter().for_each(|slice| bytes.extend_from_slice(slice));
            let taken = bytes.len() - before;
            self.out.advance(taken);
        }
        bytes
    }

    /// Throws away what it has put out, as a socket does that takes everything.
    fn discard(&mut self) -> usize {
        let len = self.out.len();
        self.out.advance(len);
        len
    }
}

/// Admits everybody.
struct Everybody;

impl Host for Everybody {
    fn admit(&mut self, _: &Head<'_>, _: Option<usize>) -> Result<Route, Status> {
        Ok(Route { method: 0, max_message: u32::MAX, delivery: Delivery::Whole, ..Route::default() })
    }

    fn admit_reply(&mut self, _: Exchange, _: usize) -> bool {
        true
    }
}
