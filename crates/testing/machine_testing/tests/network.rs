//! A real server with faulty transports: faults of one connection's network do not affect others.

use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_engine::{Transport, transport::duplex};
use polywire_machine_testing::{Call, Fate, FaultPlan, Faulty, Octets, Script, SeenOutcome, Side, block_on};
use polywire_protocols::baidu_std::PROTOCOL;
use polywire_server::{Call as Request, Handler, Method, Preset, Running, Server, Service, Started};
use polywire_wire::{Outcome, Protocol, ProtocolSet, Protocols};
use std::{future::poll_fn, io, io::IoSlice};

struct BaiduStd;
impl Protocols for BaiduStd {
    fn protocol_set() -> ProtocolSet {
        static ONLY: [&Protocol; 1] = [&PROTOCOL];
        ProtocolSet::new(&ONLY)
    }
}
impl Preset for BaiduStd {
    type Pages = ();
}

struct Echo;
impl Handler for Echo {
    fn start(&self, request: Request) -> Started {
        let Request { body, attachment, content, .. } = request;
        Started::Ready(Outcome { body, attachment, content, reply: true, ..Outcome::default() })
    }
}

fn server() -> Running {
    let echo = Service::new("test.Echo", &[]).with(Method::new("Echo", || Box::new(Echo)));
    Server::<BaiduStd>::new().service(echo).listen("127.0.0.1:0").start().expect("a port is free")
}

/// Drives a client's machine on a transport until its one call has ended.
async fn call(transport: &mut impl Transport, body: &[u8]) -> io::Result<SeenOutcome> {
    let mut side = Side::client(&PROTOCOL);
    side.call(&Call::new("test.Echo", "Echo").body(body));
    let mut buffer = bytes::BytesMut::new();
    loop {
        let written = side.written();
        let mut rest = &written[..];
        while !rest.is_empty() {
            rest = &rest[poll_fn(|cx| transport.poll_write(cx, &[IoSlice::new(rest)])).await?..];
        }
        buffer.reserve(4096);
        if poll_fn(|cx| transport.poll_read(cx, &mut buffer, usize::MAX)).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(last) = side.feed(buffer.split()).events().pop() {
            return Ok(last.expect_finish().1);
        }
    }
}

fn stop(server: Running) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(server.stop());
}

#[test]
fn a_torn_and_stalling_network_changes_no_byte() {
    let server = server();
    let body: Vec<u8> = (0..20_000u32).flat_map(u32::to_le_bytes).collect();
    for seed in 0..8 {
        let plan = |n: u64| FaultPlan::new(seed * 2 + n).pieces(1 + 700 * seed as usize).stalls(5);
        let (client, remote) = duplex("torn", 4096);
        server.serve_stream(Faulty::new(remote, plan(0), plan(1)));
        let mut client = Faulty::new(client, plan(1), plan(0));
        let short = if seed == 0 { &body[..500] } else { &body[..] };
        let outcome = block_on(call(&mut client, short)).expect("the connection stands");
        assert_eq!((outcome.status, outcome.body), (Status::OK, Octets(short.to_vec())));
    }
    stop(server);
}

#[test]
fn a_connection_that_breaks_anywhere_harms_no_other() {
    let server = server();
    for after in [0, 1, 4, 11, 12, 20, 60] {
        for fate in [Fate::Reset, Fate::End] {
            let (client, remote) = duplex("broken", 4096);
            server.serve_stream(Faulty::new(remote, FaultPlan::new(1).after(after, fate), FaultPlan::new(1)));
            let mut client = client;
            let failed = block_on(call(&mut client, &[7; 200]));
            assert!(failed.is_err(), "{fate:?} after {after} bytes: {failed:?}");
        }
    }
    let (mut client, remote) = duplex("sound", 4096);
    server.serve_stream(remote);
    assert_eq!(block_on(call(&mut client, b"still here")).expect("stands").body, "still here");
    stop(server);
}

#[test]
fn bytes_of_no_protocol_end_in_a_close_and_nothing_else() {
    let server = server();
    let (client, remote) = duplex("garbage", 4096);
    server.serve_stream(remote);
    block_on(Script::new().send(IoBuf::from("no such protocol").to_vec()).expect_end().play_on(client))
        .expect("is closed without a word");
    stop(server);
}
