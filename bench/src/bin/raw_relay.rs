//! A relay of bytes over bare epoll: each connection has one of its own to the server, and what comes on one
//! is written to the other. It looks at nothing, so it is the bound of every proxy.
//!
//! `serve --to ADDR` prints "listening on ADDR" and runs until killed, in one thread.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;

use polywire_bench::{Args, args::wrong_use};
use rustix::event::epoll::{self, EventData, EventFlags};

const USAGE: &str = "usage: raw_relay serve --to ADDR";
const BUFFER: usize = 64 * 1024;
const EVENTS: usize = 256;
/// Among the numbers of sides, that of the listener.
const LISTENER: u64 = u64::MAX;

fn main() -> io::Result<()> {
    let args = Args::from_env(USAGE);
    let to: String = args.get("to", String::new());
    if args.verb != "serve" || to.is_empty() {
        wrong_use("`serve` needs --to", USAGE);
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    println!("listening on {}", listener.local_addr()?);
    let poller = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    epoll::add(&poller, &listener, EventData::new_u64(LISTENER), EventFlags::IN)?;
    let mut relay = Relay { poller, to, pairs: Vec::new(), free: Vec::new(), buffer: vec![0; BUFFER] };
    let mut events = Vec::with_capacity(EVENTS);
    loop {
        events.clear();
        match epoll::wait(&relay.poller, rustix::buffer::spare_capacity(&mut events), None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        for event in &events {
            match event.data.u64() {
                LISTENER => relay.accept(&listener)?,
                side => relay.turn(usize::try_from(side).expect("it was an index"), event.flags),
            }
        }
    }
}

/// One of the two connections of a pair.
struct Side {
    socket: TcpStream,
    /// What came from the other side and did not fit into the socket, from `written` on.
    waiting: Vec<u8>,
    written: usize,
    /// What epoll was told to look for.
    watched: EventFlags,
}

/// Pairs by index; side 0 of a pair is the caller, side 1 the server, and epoll knows them as
/// `2 * index + side`.
struct Relay {
    poller: OwnedFd,
    to: String,
    pairs: Vec<Option<[Side; 2]>>,
    free: Vec<usize>,
    buffer: Vec<u8>,
}

impl Relay {
    fn accept(&mut self, listener: &TcpListener) -> io::Result<()> {
        loop {
            let caller = match listener.accept() {
                Ok((caller, _)) => caller,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            };
            // A caller whose server is gone is dropped.
            let Ok(server) = TcpStream::connect(&self.to) else { continue };
            let index = self.free.pop().unwrap_or_else(|| {
                self.pairs.push(None);
                self.pairs.len() - 1
            });
            let mut sides = [caller, server].map(|socket| Side {
                socket,
                waiting: Vec::new(),
                written: 0,
                watched: EventFlags::IN,
            });
            for (number, side) in sides.iter_mut().enumerate() {
                side.socket.set_nodelay(true)?;
                side.socket.set_nonblocking(true)?;
                epoll::add(&self.poller, &side.socket, data(2 * index + number), side.watched)?;
            }
            self.pairs[index] = Some(sides);
        }
    }

    /// Moves what can be moved after an event; a connection that ends takes the other one with it.
    fn turn(&mut self, number: usize, flags: EventFlags) {
        let (index, side) = (number / 2, number % 2);
        let Some(pair) = &mut self.pairs[index] else { return };
        if moved(pair, side, flags, &mut self.buffer).and_then(|()| watch(&self.poller, pair, index)).is_err()
        {
            self.pairs[index] = None;
            self.free.push(index);
        }
    }
}

fn data(number: usize) -> EventData {
    EventData::new_u64(u64::try_from(number).expect("it is small"))
}

fn moved(pair: &mut [Side; 2], side: usize, flags: EventFlags, buffer: &mut [u8]) -> io::Result<()> {
    if flags.contains(EventFlags::OUT) {
        pair[side].write_waiting()?;
    }
    let [first, second] = pair;
    let (from, to) = if side == 0 { (first, second) } else { (second, first) };
    // At most one buffer waits for a reader; then the writer waits, too.
    if !flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR) || !to.waiting.is_empty() {
        return Ok(());
    }
    match from.socket.read(buffer) {
        Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
        Ok(read) => to.write(&buffer[..read]),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
        Err(error) => Err(error),
    }
}

/// Tells epoll what changed: a side is read while the other one has nothing waiting.
fn watch(poller: &OwnedFd, pair: &mut [Side; 2], index: usize) -> io::Result<()> {
    for number in 0..2 {
        let mut wanted = EventFlags::empty();
        wanted.set(EventFlags::IN, pair[1 - number].waiting.is_empty());
        wanted.set(EventFlags::OUT, !pair[number].waiting.is_empty());
        let side = &mut pair[number];
        if side.watched != wanted {
            side.watched = wanted;
            epoll::modify(poller, &side.socket, data(2 * index + number), wanted)?;
        }
    }
    Ok(())
}

impl Side {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = match self.socket.write(bytes) {
            Ok(written) => written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(error) => return Err(error),
        };
        self.waiting.extend_from_slice(&bytes[written..]);
        Ok(())
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        match self.socket.write(&self.waiting[self.written..]) {
            Ok(written) => self.written += written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if self.written == self.waiting.len() {
            // Idle connections keep no buffer.
            (self.waiting, self.written) = (Vec::new(), 0);
        }
        Ok(())
    }
}
