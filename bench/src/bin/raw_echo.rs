//! An echo over bare epoll, no framing and no work: what many connections cost on this machine before any
//! RPC.
//!
//! `serve` sends back what it reads, with `--http B` a reply of HTTP with B bytes, whatever was asked;
//! `press` keeps one message in flight on each connection. Both use as many threads as there are processors
//! for each of the two processes.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use polywire_bench::{Args, Load, Recorder, args::wrong_use, cpu, report::Began};
use rustix::event::{Timespec, epoll};

const USAGE: &str = "usage: raw_echo serve [--threads T] [--http B]
       raw_echo press --server ADDR [--callers N] [--bytes B] [--duration S] [--threads T]";
const BUFFER: usize = 64 * 1024;
const EVENTS: usize = 256;
/// Messages must fit the socket buffers: both sides write before they read again.
const MAX_BYTES: usize = BUFFER;
/// How often the client looks whether its time is over.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

fn main() -> io::Result<()> {
    let args = Args::from_env(USAGE);
    let threads = args.get("threads", cpu::processors().div_ceil(2));
    match args.verb.as_str() {
        "serve" => serve(threads, http_reply(args.get("http", 0))),
        "press" => press(&Load::from_args(&args), threads),
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}

/// A reply with a body of `bytes` bytes; empty for none: what was read is the reply.
fn http_reply(bytes: usize) -> Arc<[u8]> {
    if bytes == 0 {
        return Arc::default();
    }
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {bytes}\r\n\r\n");
    [head.as_bytes(), &vec![b'0'; bytes]].concat().into()
}

fn new_epoll() -> io::Result<OwnedFd> {
    Ok(epoll::create(epoll::CreateFlags::CLOEXEC)?)
}

fn watch(poller: &OwnedFd, socket: &TcpStream, index: usize) -> io::Result<()> {
    let index = u64::try_from(index).expect("an index fits 64 bits");
    Ok(epoll::add(poller, socket, epoll::EventData::new_u64(index), epoll::EventFlags::IN)?)
}

fn serve(threads: usize, reply: Arc<[u8]>) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("listening on {}", listener.local_addr()?);
    let mut workers = Vec::new();
    for _ in 0..threads {
        let poller = Arc::new(new_epoll()?);
        let (give, take) = std::sync::mpsc::channel();
        let (own, reply) = (Arc::clone(&poller), Arc::clone(&reply));
        thread::spawn(move || echo_all(&own, &take, &reply));
        workers.push((poller, give));
    }
    for (number, socket) in listener.incoming().enumerate() {
        let socket = socket?;
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
        let (poller, give) = &workers[number % threads];
        let index = number / threads;
        let watched = socket.try_clone()?;
        // The worker learns of the socket before its first event.
        give.send(socket).expect("a worker never ends");
        watch(poller, &watched, index)?;
        drop(watched);
    }
    Ok(())
}

/// One worker: sockets arrive in the order of their indices.
fn echo_all(poller: &OwnedFd, arriving: &std::sync::mpsc::Receiver<TcpStream>, reply: &[u8]) {
    let mut sockets: Vec<Option<TcpStream>> = Vec::new();
    let mut buffer = vec![0; BUFFER];
    let mut events = Vec::with_capacity(EVENTS);
    loop {
        events.clear();
        match epoll::wait(poller, rustix::buffer::spare_capacity(&mut events), None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => panic!("epoll: {error}"),
        }
        sockets.extend(arriving.try_iter().map(Some));
        for event in &events {
            let index = usize::try_from(event.data.u64()).expect("it was an index");
            let Some(socket) = &mut sockets[index] else { continue };
            let ended = match socket.read(&mut buffer) {
                Ok(0) => true,
                Ok(read) => {
                    write_whole(socket, if reply.is_empty() { &buffer[..read] } else { reply }).is_err()
                }
                Err(error) => error.kind() != ErrorKind::WouldBlock,
            };
            if ended {
                sockets[index] = None;
            }
        }
    }
}

/// Writes everything, waiting where the socket is full: rare with messages of this size.
fn write_whole(socket: &mut TcpStream, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match socket.write(bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::yield_now(),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn press(load: &Load, threads: usize) -> io::Result<()> {
    if load.bytes > MAX_BYTES {
        wrong_use(&format!("at most {MAX_BYTES} bytes"), USAGE);
    }
    let threads = threads.min(load.callers);
    let began = Began::now();
    let running: Vec<_> = (0..threads)
        .map(|n| {
            let connections = load.callers / threads + usize::from(n < load.callers % threads);
            let load = load.clone();
            thread::spawn(move || press_some(&load, connections))
        })
        .collect();
    let mut all = Recorder::default();
    for thread in running {
        all.add(&thread.join().expect("the client does not panic")?);
    }
    began.report(&all, load.bytes).print();
    Ok(())
}

/// One thread's share: `connections` connections with one message in flight each.
fn press_some(load: &Load, connections: usize) -> io::Result<Recorder> {
    struct Caller {
        socket: TcpStream,
        missing: usize,
        sent: Instant,
    }
    let poller = new_epoll()?;
    let message = vec![0; load.bytes];
    let mut callers = Vec::new();
    for index in 0..connections {
        let mut socket = TcpStream::connect(&load.server)?;
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
        watch(&poller, &socket, index)?;
        write_whole(&mut socket, &message)?;
        callers.push(Caller { socket, missing: load.bytes, sent: Instant::now() });
    }
    let mut recorder = Recorder::default();
    let mut buffer = vec![0; BUFFER];
    let mut events = Vec::with_capacity(EVENTS);
    let end = Instant::now() + load.duration;
    while Instant::now() < end {
        events.clear();
        epoll::wait(&poller, rustix::buffer::spare_capacity(&mut events), Some(&TICK))?;
        for event in &events {
            let caller = &mut callers[usize::try_from(event.data.u64()).expect("it was an index")];
            let read = caller.socket.read(&mut buffer)?;
            if read == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            caller.missing -= read;
            if caller.missing == 0 {
                let now = Instant::now();
                recorder.answered(now - caller.sent);
                (caller.missing, caller.sent) = (load.bytes, now);
                write_whole(&mut caller.socket, &message)?;
            }
        }
    }
    Ok(recorder)
}
