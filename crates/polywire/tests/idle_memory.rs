//! What connections that have spoken cost while they are idle, counted by the allocator, their client's socket included.
//! One test, since others would be counted with it.

use polywire::{Engine, Server};
use polywire_server::{Call, Handler, Method, Service, Started};
use polywire_testkit::hex;
use polywire_wire::Outcome;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicIsize, Ordering::Relaxed},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The system's allocator, with a count of the bytes that are in use.
struct Counting;

static IN_USE: AtomicIsize = AtomicIsize::new(0);

// SAFETY: every call is passed on to `System` as it came; counting touches no memory that is allocated here.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size() as isize, Relaxed);
        // SAFETY: the caller keeps `GlobalAlloc::alloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size() as isize, Relaxed);
        // SAFETY: `memory` came from `alloc` with this layout, hence from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CONNECTIONS: usize = 50;

/// Answers at its second poll, so that its calls are under way together.
struct Waits;

impl Handler for Waits {
    fn start(&self, _: Call) -> Started {
        Started::Future(Box::pin(async {
            tokio::task::yield_now().await;
            Outcome { reply: true, ..Outcome::default() }
        }))
    }
}

/// What a peer of each protocol says first: requests that are answered, be it by a refusal.
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
    ]
}

async fn at_rest() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

/// A connection that has made one call and read the answer, whose length is given, too.
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

/// Makes the server owe as much as it will, and takes it at last.
async fn busy(socket: &mut TcpStream, request: &[u8], answer: usize) {
    const CALLS: usize = 20_000;
    let (mut reading, mut writing) = socket.split();
    let batch = request.repeat(100);
    let write = async {
        for _ in 0..CALLS / 100 {
            writing.write_all(&batch).await.expect("it reads");
        }
    };
    let read = async {
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        let (mut left, mut buffer) = (CALLS * answer, vec![0; 1 << 16]);
        while left > 0 {
            left -= reading.read(&mut buffer).await.expect("answers");
        }
    };
    tokio::join!(write, read);
}

#[test]
fn connections_that_have_spoken_hold_little_while_they_are_idle() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let waits = Method::new("Echo", || Box::new(Waits));
        let service = Service::new("example.EchoService", &[]).with(waits);
        let server = Server::new().service(service).engine(&Engine::here());
        let running = server.listen("127.0.0.1:0").start().expect("a server");
        let address = running.addresses()[0].to_string();
        for (protocol, request) in requests() {
            // What is made once is made before the count.
            let (_first, answer) = spoken(&address, &request).await;
            at_rest().await;
            let before = IN_USE.load(Relaxed);
            let mut idle = Vec::with_capacity(CONNECTIONS);
            for _ in 0..CONNECTIONS {
                idle.push(spoken(&address, &request).await.0);
            }
            at_rest().await;
            let each = (IN_USE.load(Relaxed) - before) / CONNECTIONS as isize;
            println!("{protocol}: {each} bytes after one call");
            assert!(each < 16 << 10, "{protocol}: {each} bytes");
            if protocol != "h2" {
                idle.truncate(5);
                busy(&mut idle[0], &request, answer).await; // what a thread keeps, it keeps from now on
                at_rest().await;
                let before = IN_USE.load(Relaxed);
                for socket in &mut idle[1..] {
                    busy(socket, &request, answer).await;
                }
                at_rest().await;
                let each = (IN_USE.load(Relaxed) - before) / 4;
                println!("{protocol}: {each} bytes more after having been busy");
                assert!(each < 24 << 10, "{protocol}: {each} bytes more");
            }
        }
    });
}
