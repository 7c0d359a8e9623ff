//! A socket driven by plain threads: no runtime, no epoll, one system call per read.

use super::for_resolver;
use crate::{Space, os};
use socket2::{SockRef, Socket};
use std::{
    io::{self, IoSlice},
    mem::MaybeUninit,
    net::ToSocketAddrs,
    os::unix::net::UnixStream,
    sync::atomic::{AtomicU32, Ordering::*},
    time::{Duration, Instant},
};

/// A connected socket that one thread may read while others write.
pub struct BlockingSocket {
    socket: Socket,
    /// The current value of SO_RCVTIMEO in milliseconds; 0 if it was never set.
    receive_timeout: AtomicU32,
}

impl BlockingSocket {
    /// Connects to `host:port`, `[v6]:port` or `unix:path` within `limit`.
    ///
    /// # Errors
    /// The system's error for the last address tried.
    pub fn connect(address: &str, limit: Duration) -> io::Result<Self> {
        let socket: Socket = if let Some(path) = address.strip_prefix("unix:") {
            UnixStream::connect(path)?.into()
        } else {
            let mut last = io::Error::new(io::ErrorKind::NotFound, "no address");
            let mut connected = None;
            for address in for_resolver(address).to_socket_addrs()? {
                match std::net::TcpStream::connect_timeout(&address, limit) {
                    Ok(stream) => {
                        stream.set_nodelay(true)?;
                        connected = Some(stream);
                        break;
                    }
                    Err(error) => last = error,
                }
            }
            connected.ok_or(last)?.into()
        };
        Ok(BlockingSocket { socket, receive_timeout: AtomicU32::new(0) })
    }

    /// Writes as many bytes as the socket accepts now, without waiting.
    ///
    /// # Errors
    /// `WouldBlock` if the socket accepts nothing.
    pub fn send_now(&self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        self.socket.send_vectored_with_flags(slices, os::SEND_NOW)
    }

    /// Reads once, waiting until `until` at most. May return earlier, to be called again. `Ok(0)`: the peer
    /// has closed its write side.
    ///
    /// # Errors
    /// `WouldBlock` if nothing was read.
    pub fn receive(&self, space: &mut Space, until: Option<Instant>) -> io::Result<usize> {
        let left = until.map_or(3_600_000, |at| {
            at.saturating_duration_since(Instant::now()).as_millis().min(3_600_000) as u32
        });
        // The largest power of two below the time left: it is the same for call after call, so that it is
        // rarely set anew. A wait that outlives it continues with the next smaller one.
        let timeout = if left < 2 { 1 } else { 1 << left.ilog2() };
        if self.receive_timeout.swap(timeout, Relaxed) != timeout {
            self.socket.set_read_timeout(Some(Duration::from_millis(timeout.into())))?;
        }
        read_into(space, |spare| self.socket.recv(spare))
    }

    /// Reads once, without waiting. `Ok(0)`: the peer has closed its write side.
    ///
    /// # Errors
    /// `WouldBlock` if there is nothing to read.
    pub fn receive_now(&self, space: &mut Space) -> io::Result<usize> {
        read_into(space, |spare| self.socket.recv_with_flags(spare, os::RECEIVE_NOW))
    }

    /// Waits until the socket can be read or written. May return earlier.
    ///
    /// # Errors
    /// The system's error.
    pub fn wait_either(&self, until: Option<Instant>) -> io::Result<()> {
        let left = until.map_or(Duration::from_secs(1), |at| at.saturating_duration_since(Instant::now()));
        os::wait_readable_or_writable(&self.socket, left)
    }

    /// Waits until the socket can be written. May return earlier.
    ///
    /// # Errors
    /// The system's error.
    pub fn wait_writable(&self, until: Instant) -> io::Result<()> {
        os::wait_writable(&self.socket, until.saturating_duration_since(Instant::now()))
    }

    /// Closes both directions; a thread that waits in [`BlockingSocket::receive`] returns.
    pub fn close(&self) {
        let _ = SockRef::from(&self.socket).shutdown(std::net::Shutdown::Both); // may be closed already
    }
}

/// Calls `receive` with the spare capacity of the space. `receive` initialises the front of it and returns
/// how many bytes.
fn read_into(
    space: &mut Space,
    receive: impl FnOnce(&mut [MaybeUninit<u8>]) -> io::Result<usize>,
) -> io::Result<usize> {
    let (into, most) = space.parts();
    let spare = into.spare_capacity_mut();
    let most = most.min(spare.len());
    let n = receive(&mut spare[..most])?;
    assert!(n <= most, "more was received than there is room for");
    // SAFETY: the socket has written the first `n` bytes of the spare capacity, and `n` is within it.
    unsafe { into.set_len(into.len() + n) };
    Ok(n)
}
