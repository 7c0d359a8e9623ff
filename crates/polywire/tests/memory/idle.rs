//! Memory of idle connections that have made a call, measured at the allocator, including the client's
//! socket.

use crate::MEMORY;
use bytes::BytesMut;
use polywire::{Engine, Running, Server, redis};
use polywire_engine::{
    Transport,
    transport::{Memory, duplex},
};
use polywire_machine_testing::{hex, until};
use polywire_server::{Call, Handler, Method, Service, Started};
use polywire_wire::Outcome;
use std::{
    future::poll_fn,
    io::IoSlice,
    sync::atomic::Ordering::Relaxed,
    task::{Context, Poll, Waker},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const CONNECTIONS: usize = 50;
/// Connections that are busy and then idle again; what their thread keeps counts little in one's part.
const BUSY: usize = 16;
/// Unsent bytes of a server on a busy connection.
const OWED: u64 = 256 << 10;

/// Replies at its second poll, so that its calls are in flight together.
struct Waits;

impl Handler for Waits {
    fn start(&self, _: Call) -> Started {
        Started::Future(Box::pin(async {
            tokio::task::yield_now().await;
            Outcome { reply: true, ..Outcome::default() }
        }))
    }
}

/// The first request of a peer of each protocol; the reply may be a refusal.
fn requests() -> Vec<(&'static str, Vec<u8>)> {
    let h2 =
        "50 52 49 20 2a 20 48 54 54 50 2f 32 2e 30 0d 0a 0d 0a 53 4d 0d 0a 0d 0a 00 00 00 04 00 00 00 00 00
              00 00 0e 01 05 00 00 00 01 82 86 44 07 2f 68 65 61 6c 74 68 41 01 78";
    vec![
        (
            "baidu_std",
            hex("50 52 50 43 00 00 00 3c 00 00 00 2f 0a 1d 0a 13 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76
                 69 63 65 12 04 45 63 68 6f 18 7b 18 00 20 82 80 80 80 10 28 06 50 00 58 00 62 00 0a 05 68 65 6c
                 6c 6f 41 54 54 41 43 48"),
        ),
        (
            "hulu_pbrpc",
            hex("48 55 4c 55 28 00 00 00 1b 00 00 00 0a 0b 45 63 68 6f 53 65 72 76 69 63 65 10 00 18 00 20 82 80
                 80 80 10 28 7b 60 07 0a 05 68 65 6c 6c 6f 41 54 54 41 43 48"),
        ),
        (
            "sofa_pbrpc",
            hex("53 4f 46 41 26 00 00 00 09 00 00 00 00 00 00 00 2f 00 00 00 00 00 00 00 08 00 10 82 80 80 80 10
                 a2 06 18 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76 69 63 65 2e 45 63 68 6f e0 12 03 07 18
                 0a 05 68 65 6c 6c 6f"),
        ),
        ("http", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n".to_vec()),
        ("h2", hex(h2)),
        ("redis", b"*1\r\n$4\r\nPING\r\n".to_vec()),
    ]
}

async fn at_rest() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

/// A connection that has made one call and read the reply, and the length of the reply.
async fn spoken(address: &str, request: &[u8]) -> (TcpStream, usize) {
    let mut socket = TcpStream::connect(address).await.expect("it listens");
    socket.write_all(request).await.expect("it reads");
    let (mut answer, mut length) = ([0; 4096], 0);
    at_rest().await;
    while length == 0
        || socket.try_read(&mut answer[length..]).is_ok_and(|n| {
            n > 0 && {
                length += n;
                true
            }
        })
    {
        if length == 0 {
            length = socket.read(&mut answer).await.expect("an answer");
            assert!(length > 0, "the connection stays open");
        }
        at_rest().await;
    }
    (socket, length)
}

/// Makes calls over a connection in memory until the server has this many unsent bytes, and then reads all of
/// its replies.
async fn talk(running: &Running, stream: &mut Memory, request: &[u8], answer: usize, owed: u64) {
    let (mut calls, mut left): (usize, &[u8]) = (0, &[]);
    until("a server that owes", || {
        let cx = &mut Context::from_waker(Waker::noop());
        loop {
            if left.is_empty() {
                (calls, left) = (calls + 1, request);
            }
            match stream.poll_write(cx, &[IoSlice::new(left)]) {
                Poll::Ready(n) => left = &left[n.expect("it is there")..],
                Poll::Pending => break,
            }
        }
        running.connections().iter().any(|connection| connection.owed.load(Relaxed) >= owed)
    })
    .await;
    let (mut wanted, mut answers) = (calls * answer, BytesMut::new());
    while wanted > 0 {
        wanted -= poll_fn(|cx| {
            if !left.is_empty()
                && let Poll::Ready(n) = stream.poll_write(cx, &[IoSlice::new(left)])
            {
                left = &left[n.expect("it is there")..];
            }
            answers.clear();
            answers.reserve(1 << 16);
            match stream.poll_read(cx, &mut answers, usize::MAX) {
                Poll::Ready(Ok(0)) => panic!("the connection was closed"),
                read => read,
            }
        })
        .await
        .expect("answers");
    }
}

#[test]
fn connections_that_have_spoken_hold_little_while_they_are_idle() {
    let _alone = crate::alone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let waits = Method::new("Echo", || Box::new(Waits));
        let service = Service::new("example.EchoService", &[]).with(waits);
        let server = Server::new()
            .service(service)
            .service(redis::service(redis::Store::default()))
            .engine(&Engine::here());
        let running = server.listen("127.0.0.1:0").start().expect("a server");
        let address = running.addresses()[0].to_string();
        for (protocol, request) in requests() {
            until("the end of the connections before", || running.connections().is_empty()).await;
            // One-time allocations are made before the measurement.
            let (_first, answer) = spoken(&address, &request).await;
            at_rest().await;
            let before = MEMORY.in_use();
            let mut idle = Vec::with_capacity(CONNECTIONS);
            for _ in 0..CONNECTIONS {
                idle.push(spoken(&address, &request).await.0);
            }
            at_rest().await;
            let each = (MEMORY.in_use() - before) / CONNECTIONS as isize;
            println!("{protocol}: {each} bytes after one call");
            assert_eq!(running.connections().len(), CONNECTIONS + 1, "{protocol}: all are there");
            assert!((1 << 10..16 << 10).contains(&each), "{protocol}: {each} bytes");
            if protocol != "h2" {
                let mut streams: Vec<_> = (0..=BUSY)
                    .map(|_| {
                        let (ours, theirs) = duplex("test", 4096);
                        running.serve_stream(theirs);
                        ours
                    })
                    .collect();
                // allocates what a thread keeps
                talk(&running, &mut streams[0], &request, answer, OWED).await;
                for stream in &mut streams[1..] {
                    talk(&running, stream, &request, answer, 0).await;
                }
                at_rest().await;
                let before = MEMORY.in_use();
                for stream in &mut streams[1..] {
                    talk(&running, stream, &request, answer, OWED).await;
                }
                at_rest().await;
                let each = (MEMORY.in_use() - before) / BUSY as isize;
                println!("{protocol}: {each} bytes more after having been busy");
                assert!(each < 24 << 10, "{protocol}: {each} bytes more");
            }
        }
    });
}
