//! Clients that would like RDMA: they are told to stay on TCP, and call over the same connection.

use polywire::{
    Handler, Method, Running, Server, Service, Started, Status, Timeouts,
    handler::{Call, Outcome},
};
use polywire_machine_testing::hex;
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

struct Echo;

impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        Started::Ready(Outcome { body: call.body, ..Outcome::default() })
    }
}

fn server() -> Server {
    Server::new()
        .service(Service::new("example.EchoService", &[]).with(Method::new("Echo", || Box::new(Echo))))
        .listen("127.0.0.1:0")
}

fn connect(running: &Running) -> TcpStream {
    let stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("possible");
    stream.set_nodelay(true).expect("possible");
    stream
}

/// docs/wire/rdma_hello.md, examples 1 and 3
fn hello_and_refusal() -> (Vec<u8>, Vec<u8>) {
    let mut refusal = hex("52 44 4d 41 00 28 ff ff");
    refusal.resize(40, 0);
    let hello =
        hex("52 44 4d 41 00 28 00 02 00 01 00 00 1f e0 00 80 00 80 00 00 00 00 00 00 00 00 00 00 00 00 ff ff
         0a 00 00 07 00 00 01 23");
    (hello, refusal)
}

/// docs/wire/baidu_std.md, example 1
fn request() -> Vec<u8> {
    hex("50 52 50 43 00 00 00 3c 00 00 00 2f 0a 1d 0a 13 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53 65 72 76
         69 63 65 12 04 45 63 68 6f 18 7b 18 00 20 82 80 80 80 10 28 06 50 00 58 00 62 00 0a 05 68 65 6c
         6c 6f 41 54 54 41 43 48")
}

/// A frame of baidu_std, without its header.
fn frame(stream: &mut TcpStream) -> Vec<u8> {
    let mut header = [0; 12];
    stream.read_exact(&mut header).expect("a frame");
    assert_eq!(&header[..4], b"PRPC");
    let length = u32::from_be_bytes(header[4..8].try_into().expect("four bytes"));
    let mut rest = vec![0; length as usize];
    stream.read_exact(&mut rest).expect("its rest");
    rest
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|part| part == text)
}

#[test]
fn a_client_that_would_like_rdma_calls_over_the_same_connection() {
    let running = server().start().expect("it starts");
    let (hello, refusal) = hello_and_refusal();
    // The acknowledgement and the request in one segment; everything at once; everything byte by byte.
    let rest = [&[0; 4][..], &request()].concat();
    let all = [&hello[..], &rest].concat();
    let bytes: Vec<_> = all.chunks(1).collect();
    for pieces in [&[&hello[..], &rest][..], &[&all], &bytes] {
        let mut stream = connect(&running);
        pieces.iter().for_each(|piece| stream.write_all(piece).expect("it reads"));
        let mut answer = vec![0; refusal.len()];
        stream.read_exact(&mut answer).expect("a refusal");
        assert_eq!(answer, refusal);
        assert!(holds(&frame(&mut stream), b"hello"));
        stream.write_all(&request()).expect("it reads");
        assert!(holds(&frame(&mut stream), b"hello"));
    }
    let faults: Vec<_> = running.faults().iter().filter(|(_, count)| *count > 0).collect();
    assert_eq!(faults, []);
}

#[test]
fn a_hello_is_no_credential() {
    let guarded = server().guard("baidu_std", |_, _| Err(Status::unauthenticated("the guard's no")));
    let running = guarded.start().expect("it starts");
    let (hello, refusal) = hello_and_refusal();
    let mut stream = connect(&running);
    stream.write_all(&[&hello[..], &[0; 4], &request()].concat()).expect("it reads");
    let mut answer = vec![0; refusal.len()];
    stream.read_exact(&mut answer).expect("a refusal");
    let mut refused = Vec::new();
    stream.read_to_end(&mut refused).expect("an end");
    assert!(holds(&refused, b"the guard's no") && !holds(&refused, b"hello"), "{refused:?}");
}

#[test]
fn whoever_says_nothing_after_a_hello_is_not_waited_for() {
    let timeouts =
        Timeouts::default().first_bytes(Duration::from_millis(50)).message(Duration::from_millis(50));
    let running = server().timeouts(timeouts).start().expect("it starts");
    let (hello, refusal) = hello_and_refusal();
    let mut stream = connect(&running);
    stream.write_all(&hello).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an end");
    assert_eq!(answer, refusal);
}
