//! The budget of a server sees most of what a peer can make it hold: small bytes that take much memory, over
//! every protocol, against what the allocator counts. Memory that is reserved for what a peer announces, and
//! not written, is none of it: the system does not count it either. So what is announced here has come for
//! the most part.

use crate::{
    MEMORY,
    talk::{Line, Talk},
};
use polywire::{
    Bounds, Context, Protocols, Reply, Running, Server, Standard, Status, Stream, Streaming, mongo, redis,
    thrift,
    websocket::{self, Calls, WebSocket},
    wire::{Content, Exchange, Protocol},
    zmq,
};
use polywire_engine::ConnectionStats;
use polywire_machine_testing::{Call, Side, until};
use polywire_server::{Call as Request, Handler, Method, Service, Started};
use std::{
    future::pending,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

/// A budget that refuses nothing, so that it only counts.
const BUDGET: usize = 4 << 30;
/// Connections of each attack.
const PEERS: usize = 4;
/// Of what is held, this part at least is counted.
const SEEN: f64 = 0.8;
/// Below so many bytes for a connection nothing is asked: it is no attack.
const LITTLE: isize = 96 << 10;

/// Keeps its request and waits.
struct Waits;

impl Handler for Waits {
    fn start(&self, call: Request) -> Started {
        Started::Future(Box::pin(async move {
            let _call = call;
            pending().await
        }))
    }
}

/// Keeps its stream and reads nothing of it.
struct ReadsNothing;

impl Talk for ReadsNothing {
    async fn say(&self, _: &Context, _: Line) -> Result<Reply<Line>, Status> {
        pending().await
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        pending::<Result<Streaming<Line>, _>>().await
    }
    async fn sum(&self, _: &Context, _lines: Streaming<Line>) -> Result<Reply<Line>, Status> {
        pending().await
    }
    async fn chat(
        &self,
        _: &Context,
        _lines: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        pending::<Result<Streaming<Line>, _>>().await
    }
}

struct KeepsCommands;

impl mongo::MongoService for KeepsCommands {
    async fn command(&self, _: &Context, command: mongo::Command) -> Result<mongo::Document, mongo::Error> {
        let _command = command;
        pending().await
    }
}

/// A peer whose bytes come from a client's machine, or from a list.
struct Peer {
    socket: TcpStream,
    side: Option<Side>,
    unsent: Vec<u8>,
    /// So many bytes at the end of what it has to send are kept back.
    kept_back: usize,
}

impl Peer {
    fn new(running: &Running, side: Option<Side>, unsent: Vec<u8>) -> Peer {
        let socket = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
        socket.set_nonblocking(true).expect("possible");
        Peer { socket, side, unsent, kept_back: 0 }
    }

    /// Sends and receives what is possible; how many bytes moved.
    fn pump(&mut self) -> usize {
        let mut moved = 0;
        if let Some(side) = &mut self.side {
            self.unsent.extend_from_slice(&side.written());
        }
        while self.unsent.len() > self.kept_back {
            let end = self.unsent.len() - self.kept_back;
            match self.socket.write(&self.unsent[..end]) {
                Ok(n) => moved += self.unsent.drain(..n).len(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.unsent.clear(), // it is closed
            }
        }
        let mut piece = [0; 4096];
        while self.side.is_some()
            && let Ok(n @ 1..) = self.socket.read(&mut piece)
        {
            moved += n;
            if let Some(side) = &mut self.side {
                side.feed(&piece[..n]).events();
            }
        }
        moved
    }
}

/// Pumps until nothing has changed for a while.
async fn settle(peers: &mut [Peer], running: &Running) {
    let (mut last, mut since, begin) = ((0, 0), Instant::now(), Instant::now());
    while since.elapsed() < Duration::from_millis(150) && begin.elapsed() < Duration::from_secs(30) {
        let moved: usize = peers.iter_mut().map(Peer::pump).sum();
        let now = (MEMORY.in_use(), used(running));
        if moved > 0 || now != last {
            (last, since) = (now, Instant::now());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn used(running: &Running) -> usize {
    running.overload().memory.expect("a budget").used
}

/// What peers do, and what of it is seen. `reaches`: it makes the server hold more than [`LITTLE`] for each,
/// or the row would show nothing.
async fn attack(
    running: &Running,
    what: &str,
    reaches: bool,
    peers: impl FnOnce() -> Vec<Peer>,
) -> Result<(), String> {
    until("the end of the connections before", || running.connections().is_empty()).await;
    settle(&mut [], running).await;
    let before = (MEMORY.in_use(), used(running));
    let mut peers = peers();
    let begin = Instant::now();
    while reaches
        && MEMORY.in_use() - before.0 < PEERS as isize * LITTLE
        && begin.elapsed() < Duration::from_secs(20)
    {
        peers.iter_mut().for_each(|peer| _ = peer.pump()); // a busy machine takes its time
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    settle(&mut peers, running).await;
    let _sockets: Vec<_> = peers.into_iter().map(|peer| peer.socket).collect(); // their bytes and machines are gone
    settle(&mut [], running).await;
    let held = MEMORY.in_use() - before.0;
    let seen = used(running) as isize - before.1 as isize;
    let part = seen as f64 / held.max(1) as f64;
    println!("{what}: {held} bytes are held, {seen} are seen ({:.0} %)", part * 100.0);
    match held < PEERS as isize * LITTLE {
        true if reaches => Err(format!("{what}: no more than {held} bytes are held")),
        false if part < SEEN => Err(format!("{what}: {seen} of {held}")),
        _ => Ok(()),
    }
}

/// Heads of HTTP/2 that refer to a field of 3.6 KB in the table four times: 17 bytes for each stream.
pub fn heads(streams: u32, path: &str, end: bool) -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    let frame = |bytes: &mut Vec<u8>, kind: u8, flags: u8, stream: u32, payload: &[u8]| {
        bytes.extend_from_slice(&(payload.len() as u32).to_be_bytes()[1..]);
        bytes.extend_from_slice(&[kind, flags]);
        bytes.extend_from_slice(&stream.to_be_bytes());
        bytes.extend_from_slice(payload);
    };
    frame(&mut bytes, 4, 0, 0, &[]);
    frame(&mut bytes, 4, 1, 0, &[]);
    let mut first = vec![0x83, 0x86];
    let long = "v".repeat(3600);
    for (name, value) in [(":path", path), ("content-type", "application/grpc"), ("x", &long)] {
        first.extend_from_slice(&[0x40, name.len() as u8]);
        first.extend_from_slice(name.as_bytes());
        match value.len() {
            n @ ..127 => first.push(n as u8),
            n => first.extend_from_slice(&[0x7f, (n - 127) as u8 | 0x80, ((n - 127) >> 7) as u8]),
        }
        first.extend_from_slice(value.as_bytes());
    }
    for n in 0..streams {
        let later = [0x83, 0x86, 0xc0, 0xbf, 0xbe, 0xbe, 0xbe, 0xbe];
        let block = if n == 0 { &first[..] } else { &later };
        frame(&mut bytes, 1, if end { 5 } else { 4 }, 2 * n + 1, block);
    }
    bytes
}

/// A machine that has opened so many calls with bodies of so many bytes, in the first form that its protocol
/// has.
fn caller(protocol: &'static Protocol, target: (&str, &str), calls: usize, body: usize) -> Option<Side> {
    let opened = |content| {
        let mut side = Side::client(protocol);
        if ["grpc", "h2"].contains(&protocol.name) {
            side.feed(b"\0\0\0\x04\0\0\0\0\0").events(); // SETTINGS: before them one call is opened and no more
        }
        for _ in 0..calls {
            let call = Call::new(target.0, target.1).index(0).content(content).body(vec![b'a'; body]);
            let slot = fresh();
            side.open(Exchange { token: 1 << 32 | u64::from(slot), slot }, &call).ok()?;
        }
        Some(side)
    };
    let forms = [
        Content::PROTOBUF,
        Content::RAW,
        Content::THRIFT,
        Content::MSGPACK,
        Content::MCPACK,
        Content::COMPACK,
    ];
    forms.into_iter().find_map(opened)
}

fn fresh() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Relaxed) % 60_000
}

#[test]
fn the_budget_sees_most_of_what_a_peer_can_make_it_hold() {
    let _alone = crate::alone();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let waits = Service::new("example.EchoService", &[]).with(Method::new("Echo", || Box::new(Waits)));
        let reads_all = |_: Context, mut socket: WebSocket| async move {
            while socket.next().await.is_some() {}
            Ok(())
        };
        let reads_none = |_: Context, _socket: WebSocket| pending();
        let pull = zmq::Pull::new();
        let server = Server::new()
            .service(waits)
            .service(ReadsNothing.into_service())
            .service(Calls)
            .service(websocket::route("/reads", reads_all))
            .service(websocket::route("/waits", reads_none))
            .service(thrift::Any::new(|_, _, _| pending()))
            .service(zmq::Port::new().socket(&pull))
            .service(redis::service(redis::Store::default()))
            .service(mongo::service(KeepsCommands));
        let running =
            server.bounds(Bounds::default().memory(BUDGET)).listen("127.0.0.1:0").start().expect("it starts");
        let mut wrong = Vec::new();
        let mut note = |found: Result<(), String>| wrong.extend(found.err());
        let raw =
            |bytes: Vec<u8>| (0..PEERS).map(|_| Peer::new(&running, None, bytes.clone())).collect::<Vec<_>>();
        for (what, path, end) in [
            ("heads of HTTP/2 without bodies", "/example.EchoService/Echo", false),
            ("heads of HTTP/2 of calls that wait", "/talk.Talk/Chat", false),
            ("heads of HTTP/2 of calls that are complete", "/talk.Talk/Chat", true),
        ] {
            let bytes = heads(1000, path, end);
            println!("{} bytes for each connection", bytes.len());
            note(attack(&running, what, true, || raw(bytes)).await);
        }
        let fields: String = (0..90).map(|n| format!("x-{n}: {}\r\n", "v".repeat(600))).collect();
        let one = format!(
            "POST /example.EchoService/Echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n{fields}\r\n"
        );
        note(attack(&running, "heads of HTTP/1, pipelined", true, || raw(one.repeat(16).into_bytes())).await);
        note(
            attack(&running, "half a head of HTTP/1", false, || {
                raw(one.as_bytes()[..one.len() - 100].to_vec())
            })
            .await,
        );
        let arguments = format!("*310000\r\n{}", "$1\r\na\r\n".repeat(300_000));
        note(attack(&running, "short arguments of Redis", true, || raw(arguments.into_bytes())).await);
        let none = format!("*310000\r\n{}", "$0\r\n\r\n".repeat(300_000));
        note(attack(&running, "empty arguments of Redis", true, || raw(none.into_bytes())).await);
        let of_mongo = |body: usize| {
            let fields = [16 + 5 + body as u32, 1, 0, 2013, 0];
            let head: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
            let mut message = [&head[..], &[0]].concat();
            message.extend_from_slice(&(body as u32).to_le_bytes());
            message.resize(16 + 5 + body, b'a');
            message
        };
        let half = of_mongo(900_000);
        note(attack(&running, "mongo: half a message", true, || raw(half[..800_000].to_vec())).await);
        // A command that waits: {a: "aa..", $db: "d"}.
        let text = vec![b'a'; 800_000];
        let mut document =
            [b"\x02a\0", &(text.len() as u32 + 1).to_le_bytes()[..], &text[..], b"\0"].concat();
        document.extend_from_slice(b"\x02$db\0\x02\0\0\0d\0\0");
        let mut command = of_mongo(document.len() + 4);
        let from = command.len() - document.len();
        command[from..].copy_from_slice(&document);
        note(attack(&running, "mongo: a command that waits", true, || raw(command.clone())).await);
        let mut frame = 900_000u32.to_be_bytes().to_vec();
        frame.extend_from_slice(b"\x80\x01\0\x01\0\0\0\x04Echo\0\0\0\x01\x0b\0\x01");
        frame.extend_from_slice(&890_000u32.to_be_bytes());
        frame.resize(800_000, b'a');
        note(attack(&running, "thrift: half a frame", true, || raw(frame.clone())).await);
        let upgrade = "GET PATH HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
            sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nOFFER\r\n";
        let masked = |flags: u8, length: usize, sent: usize| {
            let mut frame = vec![flags];
            match u16::try_from(length) {
                Ok(short) => frame.extend_from_slice(&[&[0xfe][..], &short.to_be_bytes()].concat()),
                Err(_) => frame.extend_from_slice(&[&[0xff][..], &(length as u64).to_be_bytes()].concat()),
            }
            frame.extend_from_slice(&[0; 4]);
            frame.resize(frame.len() + sent, b'a');
            frame
        };
        let socket = |path: &str, frames: &[Vec<u8>]| {
            let is_call = path.starts_with("/talk");
            let offer = if is_call { "sec-websocket-protocol: polywire.v1.proto\r\n" } else { "" };
            [upgrade.replace("PATH", path).replace("OFFER", offer).as_bytes(), &frames.concat()[..]].concat()
        };
        let talk = |frames: &[Vec<u8>]| socket("/talk.Talk/Chat", frames);
        let half = talk(&[masked(0x82, 900_000, 800_000)]);
        note(attack(&running, "websocket: half a message", true, || raw(half.clone())).await);
        // As many as its buffer holds before it doubles.
        let pieces: Vec<_> = (0..500).map(|n| masked(if n == 0 { 2 } else { 0 }, 2000, 2000)).collect();
        note(attack(&running, "websocket: a message in pieces", true, || raw(talk(&pieces))).await);
        let whole: Vec<_> =
            (0..20_000).map(|_| [0x82, 0x85, 0, 0, 0, 0, 0x0a, 3, b'a', b'b', b'c'].to_vec()).collect();
        note(attack(&running, "websocket: messages that are not read", true, || raw(talk(&whole))).await);
        for (what, path, frames) in [
            (
                "websocket: half a message to a handler that reads",
                "/reads",
                &[masked(0x82, 1_100_000, 1_000_000)][..],
            ),
            ("websocket: a message in pieces to a handler that reads", "/reads", &pieces),
            ("websocket: messages to a handler that waits", "/waits", &whole),
        ] {
            note(attack(&running, what, true, || raw(socket(path, frames))).await);
        }
        let greeting = [&b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01NULL"[..], &[0; 48]].concat();
        let ready = b"\x04\x1a\x05READY\x0bSocket-Type\0\0\0\x04PUSH";
        let push = |message: &[u8], times: usize| [&greeting[..], ready, &message.repeat(times)].concat();
        let long = [&b"\x02\0\0\0\0\0\x30\0\0"[..], &[b'a'; 3 << 20]].concat();
        note(attack(&running, "zmtp: messages that nobody receives", true, || raw(push(&long, 3))).await);
        let received = || (0..100).all(|_| pull.try_recv().is_err()) && running.connections().is_empty();
        until("the end of its connections, which are not read before", received).await;
        for protocol in Standard::protocol_set().iter() {
            let name = protocol.name;
            for (what, target, calls, body, kept_back) in [
                ("calls that wait", ("example.EchoService", "Echo"), 90, 5, 0),
                ("longer calls that wait", ("example.EchoService", "Echo"), 30, 6000, 0),
                ("streams that are not read", ("talk.Talk", "Chat"), 30, 5, 0),
                ("a call without its end", ("example.EchoService", "Echo"), 1, 900_000, 100_000),
            ] {
                if protocol.machine.is_none() || caller(protocol, target, 1, body).is_none() {
                    continue;
                }
                let peers = || {
                    let peer = |_| {
                        // As many as it takes.
                        let calls = (1..=calls).rev().find(|n| caller(protocol, target, *n, body).is_some());
                        let side = caller(protocol, target, calls.unwrap_or(1), body);
                        Peer { kept_back, ..Peer::new(&running, side, Vec::new()) }
                    };
                    (0..PEERS).map(peer).collect::<Vec<_>>()
                };
                note(attack(&running, &format!("{name}: {what}"), false, peers).await);
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}

/// Requests for a page over HTTP/2 whose peer keeps its windows shut: no call is open, nothing is owed to the
/// socket.
#[test]
fn replies_behind_shut_windows_are_shown() {
    let _alone = crate::alone();
    let running = Server::new().listen("127.0.0.1:0").start().expect("it starts");
    let address = running.addresses()[0].to_string();
    let assembled = || {
        let mut page = TcpStream::connect(&address).expect("it listens");
        let request = "GET /memory HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        page.write_all(request.as_bytes()).expect("it reads");
        let mut text = String::new();
        page.read_to_string(&mut text).expect("a page");
        let row = text.lines().find(|line| line.split_whitespace().next() == Some("assembled"));
        row.expect(&text).split_whitespace().nth(1).expect("bytes").parse::<usize>().expect("a number")
    };
    let before = assembled();
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend_from_slice(b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0"); // SETTINGS_INITIAL_WINDOW_SIZE 0
    let block = b"\x82\x86\x04\x05/vars\x01\x09localhost";
    for n in 0..50u32 {
        bytes.extend_from_slice(&[0, 0, block.len() as u8, 1, 5]);
        bytes.extend_from_slice(&(2 * n + 1).to_be_bytes());
        bytes.extend_from_slice(block);
    }
    let mut peer = TcpStream::connect(&address).expect("it listens");
    peer.write_all(&bytes).expect("it reads");
    // The head of each reply comes; then no call is under way.
    let mut replies = 0;
    while replies < 50 {
        let mut head = [0; 9];
        peer.read_exact(&mut head).expect("a frame");
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        peer.read_exact(&mut vec![0; length as usize]).expect("its payload");
        replies += u32::from(head[3] == 1);
    }
    let begin = Instant::now();
    let is_busy =
        |one: &Arc<ConnectionStats>| one.calls() > 0 || one.owed.load(Relaxed) > 0 || one.is_partial();
    while running.connections().iter().any(is_busy) {
        assert!(begin.elapsed() < Duration::from_secs(20), "nothing else tells that it holds something");
    }
    while assembled() < before + (100 << 10) {
        assert!(begin.elapsed() < Duration::from_secs(20), "the replies are shown");
    }
    drop(peer);
}
