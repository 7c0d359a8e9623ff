//! The gate between client and server, which makes runs alike.
//!
//! ```text
//! client  ──► requests of all callers ──► server
//!         ◄── their replies           ◄──
//! ```
//!
//! It passes bytes on in lock step: what one side has written is passed to the other at once, in one write,
//! when the writer has gone to sleep and so has nothing to add, and the reader sleeps as well. So each side
//! finds the same bytes in the same reads whatever the scheduler does, and only one of the two works at a
//! time. A reader of several sockets is stopped while they are written to, and finds them ready together. The
//! gate knows no protocol.

use crate::asleep::{until_asleep, until_stopped};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{self, ErrorKind::WouldBlock, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
};

pub struct Gate {
    listener: TcpListener,
    server: SocketAddr,
    /// Of a client's connection both ends that are here: the one to the client and the one to the server.
    connections: Vec<[TcpStream; 2]>,
}

impl Gate {
    /// A gate to the server with this address, on a port of its own.
    pub fn new(server: SocketAddr) -> io::Result<Gate> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        Ok(Gate { listener, server, connections: Vec::new() })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Passes on what the processes have written, once in each direction. How many of the two there was
    /// something for.
    pub fn turn(&mut self, client: u32, server: u32) -> io::Result<u64> {
        until_asleep(client)?;
        self.accept()?;
        let requests = self.pass(0, server)?;
        until_asleep(server)?;
        Ok(requests + self.pass(1, client)?)
    }

    fn accept(&mut self) -> io::Result<()> {
        loop {
            match self.listener.accept() {
                Ok((client, _)) => {
                    let connection = [client, TcpStream::connect(self.server)?];
                    for socket in &connection {
                        socket.set_nodelay(true)?;
                        socket.set_nonblocking(true)?;
                    }
                    self.connections.push(connection);
                }
                Err(error) if error.kind() == WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// From this end of all connections to the other, where `reader` is; whether there was anything.
    fn pass(&mut self, from: usize, reader: u32) -> io::Result<u64> {
        let mut letters = Vec::new();
        for (index, connection) in self.connections.iter_mut().enumerate() {
            let bytes = read_all(&mut connection[from])?;
            if !bytes.is_empty() {
                letters.push((index, bytes));
            }
        }
        until_asleep(reader)?;
        let stops = letters.len() > 1;
        if stops {
            signal(reader, Signal::STOP)?;
            until_stopped(reader)?;
        }
        for (index, bytes) in &letters {
            // More than a socket takes would come in pieces; it is an error.
            let socket = &mut self.connections[*index][1 - from];
            if socket.write(bytes)? < bytes.len() {
                return Err(io::Error::other("a round of messages is longer than a socket's buffer"));
            }
        }
        if stops {
            signal(reader, Signal::CONT)?;
        }
        Ok(u64::from(!letters.is_empty()))
    }
}

fn read_all(socket: &mut TcpStream) -> io::Result<Vec<u8>> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 1 << 16]);
    loop {
        match socket.read(&mut buffer) {
            Ok(0) => return Ok(bytes), // it is closed
            Ok(n) => bytes.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == WouldBlock => return Ok(bytes),
            Err(error) => return Err(error),
        }
    }
}

fn signal(pid: u32, signal: Signal) -> io::Result<()> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    kill_process(pid, signal).map_err(|error| io::Error::from_raw_os_error(error.raw_os_error()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};

    /// A process that sleeps: both sides' sockets are the test's, which does not.
    struct Sleeper(Child);

    impl Sleeper {
        fn new() -> Sleeper {
            let mut cat = Command::new("cat");
            Sleeper(cat.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("cat is there"))
        }

        fn id(&self) -> u32 {
            self.0.id()
        }
    }

    impl Drop for Sleeper {
        fn drop(&mut self) {
            drop(self.0.stdin.take());
            let ended = self.0.wait().expect("it ends");
            assert!(ended.success() || std::thread::panicking(), "it was neither killed nor left stopped");
        }
    }

    fn read(socket: &mut TcpStream, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        socket.read_exact(&mut bytes).expect("they are there");
        bytes
    }

    #[test]
    fn what_was_written_in_pieces_arrives_in_one_turn_and_so_do_the_replies() -> io::Result<()> {
        let sleeper = Sleeper::new();
        let server = TcpListener::bind("127.0.0.1:0")?;
        let mut gate = Gate::new(server.local_addr()?)?;
        let mut client = TcpStream::connect(gate.address()?)?;
        client.write_all(b"one ")?;
        client.write_all(b"two")?;
        assert_eq!(gate.turn(sleeper.id(), sleeper.id())?, 1, "there is no reply yet");
        let (mut accepted, _) = server.accept()?;
        assert_eq!(read(&mut accepted, 7), b"one two");
        accepted.write_all(b"three")?;
        assert_eq!(gate.turn(sleeper.id(), sleeper.id())?, 1, "there is no request");
        assert_eq!(read(&mut client, 5), b"three");
        assert_eq!(gate.turn(sleeper.id(), sleeper.id())?, 0);
        Ok(())
    }

    #[test]
    fn bytes_for_several_sockets_arrive_while_their_reader_is_stopped_and_it_goes_on() -> io::Result<()> {
        let sleeper = Sleeper::new();
        let server = TcpListener::bind("127.0.0.1:0")?;
        let mut gate = Gate::new(server.local_addr()?)?;
        let mut clients = Vec::new();
        for name in [b"a", b"b", b"c"] {
            let mut client = TcpStream::connect(gate.address()?)?;
            client.write_all(name)?;
            clients.push(client);
        }
        assert_eq!(gate.turn(sleeper.id(), sleeper.id())?, 1);
        for name in [b"a", b"b", b"c"] {
            assert_eq!(read(&mut server.accept()?.0, 1), name);
        }
        Ok(())
    }
}
