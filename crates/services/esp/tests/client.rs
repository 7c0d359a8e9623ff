//! The client over sockets, against servers of the test. What a server can send that is wrong is tested by
//! the protocol's own tests.

use polywire::{
    Channel, Code, Native, brpc,
    esp::{Address, Client, Frame, Head},
};
use polywire_client::Pooling;
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

/// A server that answers each request by `answer`: `msg` of the reply and its body. Ends with the process.
struct Fake {
    address: String,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
}

impl Fake {
    fn start(answer: fn(&Head, Vec<u8>) -> (u32, Vec<u8>)) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound").to_string();
        let fake = Fake { address, connections: Arc::default(), requests: Arc::default() };
        let (connections, requests) = (fake.connections.clone(), fake.requests.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                connections.fetch_add(1, SeqCst);
                let requests = requests.clone();
                thread::spawn(move || serve(stream, &requests, answer));
            }
        });
        fake
    }

    fn client(&self) -> Client {
        let channel = Channel::builder(&self.address).protocol("esp").timeout(Duration::from_secs(10));
        Client::new(channel.build().expect("a valid channel"))
    }
}

/// Serves one connection until it ends.
fn serve(
    mut stream: TcpStream,
    requests: &AtomicUsize,
    answer: fn(&Head, Vec<u8>) -> (u32, Vec<u8>),
) -> Option<()> {
    let mut prologue = [0; 8];
    stream.read_exact(&mut prologue).ok()?;
    assert_eq!(&prologue, b"\0ESP\x01\x02\0\0");
    loop {
        let mut head = [0; Head::BYTES];
        stream.read_exact(&mut head).ok()?;
        let (head, body_len) = Head::read(&head);
        let mut body = vec![0; body_len as usize];
        stream.read_exact(&mut body).ok()?;
        requests.fetch_add(1, SeqCst);
        let (msg, body) = answer(&head, body);
        let reply = Head { from: head.to, to: head.from, msg, ..head };
        stream.write_all(&reply.write(body.len() as u32)).ok()?;
        stream.write_all(&body).ok()?;
    }
}

#[tokio::test]
async fn a_frame_is_answered_by_a_frame_over_a_connection_that_is_kept() {
    let fake = Fake::start(|_, body| (0, body.to_ascii_uppercase()));
    let client = fake.client();
    let to = Address { stub: 1, port: 2, ip: 3 };
    for msg_id in 0..50 {
        let head = Head { to, msg: 9, msg_id, ..Head::default() };
        let reply = client.call(&Frame { head, body: "hello".into() }).await.expect("it is answered");
        assert_eq!(reply.head, Head { from: to, msg_id, ..Head::default() });
        assert_eq!(reply.body.to_vec(), b"HELLO");
    }
    assert_eq!((fake.connections.load(SeqCst), fake.requests.load(SeqCst)), (1, 50));
    let empty = client.call(&Frame::default()).await.expect("it is answered");
    assert!(empty.body.is_empty());
}

#[tokio::test]
async fn calls_at_the_same_time_get_their_own_replies() {
    let fake = Fake::start(|head, body| {
        thread::sleep(Duration::from_millis(u64::from(head.msg)));
        (0, body)
    });
    let calls = (0..20u8).map(|n| {
        let client = fake.client();
        tokio::spawn(async move {
            let head = Head { msg: u32::from(20 - n), msg_id: n.into(), ..Head::default() };
            let reply =
                client.call(&Frame { head, body: vec![n; 1000].into() }).await.expect("it is answered");
            assert_eq!((reply.head.msg_id, reply.body.to_vec()), (n.into(), vec![n; 1000]));
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.expect("it ended well");
    }
}

#[tokio::test]
async fn a_failure_has_the_frame_that_the_server_sent_and_the_request_is_sent_once() {
    let fake = Fake::start(|_, _| (7, b"no such thing".to_vec()));
    let client = fake.client();
    let failed =
        client.call(&Frame { head: Head { msg_id: 3, ..Head::default() }, ..Frame::default() }).await;
    let error = failed.expect_err("msg is 7");
    assert_eq!(
        (error.status().code(), error.status().native()),
        (Code::Internal, Native::Brpc(brpc::ENOENT))
    );
    let reply = error.reply().expect("a frame came");
    assert_eq!((reply.head.msg, reply.head.msg_id, reply.body.to_vec()), (7, 3, b"no such thing".to_vec()));
    assert!(error.status().details().is_empty(), "they are the frame's, and nobody else's");
    assert_eq!(fake.requests.load(SeqCst), 1);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_no_reply() {
    let gone = TcpListener::bind("127.0.0.1:0").expect("a port is free").local_addr().expect("it is bound");
    let channel = Channel::builder(gone.to_string()).protocol("esp").build().expect("a valid channel");
    let error = Client::new(channel).call(&Frame::default()).await.expect_err("nobody listens");
    assert!(error.reply().is_none());
    assert_eq!(error.status().code(), Code::Unavailable);
}

#[test]
fn a_frame_is_its_bytes() {
    assert!(Frame::from_bytes(vec![0; 31]).is_none());
    let frame = Frame { head: Head { msg: 1, ..Head::default() }, body: "body".into() };
    let read = Frame::from_bytes(frame.to_bytes()).expect("a whole head");
    assert_eq!((read.head, read.body.to_vec()), (frame.head, b"body".to_vec()));
}

#[test]
fn a_shared_connection_is_refused() {
    let shared = Channel::builder("127.0.0.1:1")
        .protocol("esp")
        .pooling(Pooling::default().kind(polywire::Connections::Single))
        .build();
    assert!(shared.is_err());
}
