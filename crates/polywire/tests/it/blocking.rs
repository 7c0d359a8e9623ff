//! Callers on plain threads that drive their connection themselves.

use polywire::{
    Channel, Code, Engine, Handler, Limits, Method, Origin, Pooling, Resilience, Running, Server, Service,
    Started, Target, brpc,
    handler::{Call, Outcome},
};
use polywire_engine::Fault;
use polywire_wire::Keepalive;
use std::{
    io::{
        ErrorKind::{ConnectionReset, UnexpectedEof},
        Read, Write,
    },
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// Longer than any step takes: the test hangs.
const NEVER: Duration = Duration::from_secs(20);
const ECHO: Target = Target::fixed("test.Echo", "Echo");
/// The length of a frame, its kind, its flags and its stream.
const FRAME: usize = 9;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const ACK: u8 = 1;

struct Echo;
impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        Started::Ready(Outcome { body: call.body, content: call.content, reply: true, ..Outcome::default() })
    }
}

fn server(limits: Limits) -> Running {
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    let service = Service::new("test.Echo", &[]).with(Method::new("Echo", || Box::new(Echo)));
    let server = Server::new().service(service).limits(limits).engine(&engine);
    server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap()
}

fn channel(address: impl ToString, limits: Limits) -> Channel {
    let channel = Channel::builder(address.to_string()).protocol("grpc").limits(limits);
    channel.timeout(NEVER).resilience(Resilience::default().retries(0)).build().unwrap()
}

/// The machine sends as much as it has room for and continues when it learns that this was written.
#[test]
fn long_messages_leave_though_the_peers_window_is_larger_than_the_room() {
    let server = server(Limits::default().window(16 << 20));
    let channel = channel(&server.addresses()[0], Limits::default());
    for length in [1 << 20, 5 << 20, 100, 1 << 20] {
        let body: Vec<u8> = (0..length).map(|n| n as u8).collect();
        let reply = channel.call(ECHO, body.clone()).blocking().unwrap();
        assert!(reply.into_message().body.to_vec() == body, "{length} bytes came back as others");
    }
}

#[test]
fn long_messages_of_several_callers_share_a_connection() {
    let server = server(Limits::default().window(16 << 20));
    let channel = channel(&server.addresses()[0], Limits::default());
    thread::scope(|scope| {
        for n in 1..5 {
            let channel = &channel;
            scope.spawn(move || {
                for _ in 0..5 {
                    let body = vec![n as u8; n << 19];
                    let reply = channel.call(ECHO, body.clone()).blocking().unwrap();
                    assert!(reply.into_message().body.to_vec() == body);
                }
            });
        }
    });
    assert_eq!(server.connections().len(), 1, "one connection for all");
}

/// A peer of HTTP/2 that never answers a call.
struct Silent(TcpStream);

impl Silent {
    fn accept(listener: &TcpListener) -> Silent {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(NEVER)).unwrap();
        stream.read_exact(&mut [0; b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".len()]).unwrap();
        stream.write_all(&[0, 0, 0, SETTINGS, 0, 0, 0, 0, 0, 0, 0, 0, SETTINGS, ACK, 0, 0, 0, 0]).unwrap();
        Silent(stream)
    }

    /// The next PING that is not an acknowledgement; `None`: the client has closed the connection.
    fn ping(&mut self) -> Option<[u8; 8]> {
        loop {
            let mut head = [0; FRAME];
            match self.0.read_exact(&mut head) {
                Err(ended) if [UnexpectedEof, ConnectionReset].contains(&ended.kind()) => return None,
                read => read.expect("a frame or the end"),
            }
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
            let mut body = vec![0; length];
            self.0.read_exact(&mut body).expect("a whole frame");
            if head[3] == PING && head[4] & ACK == 0 {
                return Some(body.try_into().unwrap());
            }
        }
    }

    fn pong(&mut self, payload: [u8; 8]) {
        self.0.write_all(&[0, 0, 8, PING, ACK, 0, 0, 0, 0]).unwrap();
        self.0.write_all(&payload).unwrap();
    }
}

#[test]
fn a_caller_that_waits_asks_a_silent_peer_whether_it_is_there() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (every, within) = (Duration::from_millis(20), Duration::from_secs(1));
    let keepalive = Keepalive::DEFAULT.every(every).within(within);
    let address = listener.local_addr().unwrap();
    let channel = channel(address, Limits::default().keepalive(keepalive));
    let peer = thread::spawn(move || {
        let mut peer = Silent::accept(&listener);
        for _ in 0..3 {
            let payload = peer.ping().expect("it asks while its caller waits");
            peer.pong(payload);
        }
        peer.ping().expect("it goes on asking");
        while peer.ping().is_some() {} // does not answer, until the client closes the connection
    });
    let status = channel.call(ECHO, "anybody there?").blocking().unwrap_err();
    let text = format!("{address} (grpc): the peer gave no sign of life in time");
    assert_eq!((status.code(), status.message()), (Code::Unavailable, &*text));
    assert_eq!((status.origin(), brpc::number(&status)), (Origin::Transport, brpc::EFAILEDSOCKET));
    assert_eq!(channel.faults().count(Fault::Silent), 1);
    peer.join().unwrap();
}

#[test]
fn connections_of_blocking_callers_are_replaced_when_they_are_old() {
    let server = server(Limits::default());
    for protocol in ["grpc", "baidu_std", "http"] {
        let channel = Channel::builder(server.addresses()[0].to_string())
            .protocol(protocol)
            .resilience(Resilience::default().retries(0));
        let channel =
            channel.timeout(NEVER).pooling(Pooling::default().age(Duration::from_millis(5))).build().unwrap();
        // Kept, so that no two of them have the same place in memory.
        let seen = Mutex::new(Vec::new());
        let look = || {
            let mut seen = seen.lock().unwrap();
            for one in server.connections() {
                if !seen.iter().any(|known| Arc::ptr_eq(known, &one)) {
                    seen.push(one);
                }
            }
            seen.len()
        };
        let before = look();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while look() < before + 10 {
                        channel.call(ECHO, &b"hi"[..]).blocking().unwrap();
                    }
                });
            }
        });
    }
}
