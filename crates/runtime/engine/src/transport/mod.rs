//! Byte streams under a connection: TCP, Unix sockets, memory, and TLS over any of them.
//!
//! A transport only moves bytes. The task of its connection drives it: `Pending` means that the task is woken
//! when it is worth trying again.

mod blocking;
pub mod der;
mod handed;
mod memory;
mod security;
mod socket;
#[cfg(feature = "__tls")]
pub mod tls;
mod unix;

pub use blocking::BlockingSocket;
pub use handed::{Handle, from_systemd};
pub use memory::{Memory, duplex};
pub use security::{Broken, Protection, Security};
pub(crate) use socket::Acceptor;
pub use socket::{Listener, Share, bind, bind_shared, connect};
pub use unix::{UnixPath, bind as bind_unix};

use crate::os::TcpInfo;
use bytes::BytesMut;
use std::{
    borrow::Cow,
    fmt,
    io::{self, IoSlice},
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
    task::{Context, Poll},
};

/// An address in the form that the system's resolver takes: an IPv6 address with the name of its zone (RFC
/// 4007 11) has no brackets there.
pub fn for_resolver(address: &str) -> Cow<'_, str> {
    match address.strip_prefix('[').and_then(|rest| rest.split_once("]:")) {
        Some((host, port)) if host.contains('%') => format!("{host}:{port}").into(),
        _ => address.into(),
    }
}

/// A byte stream, such as a socket.
pub trait Transport: Send + 'static {
    /// Reads once into the spare capacity of `into`, which is not empty, and at most `most` bytes. `Ok(0)`:
    /// the peer has closed its write side.
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>>;
    /// Writes once. Returns how many bytes of `slices` were taken.
    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>>;
    /// Closes the write side: the peer reads the end of the stream after the bytes written before.
    fn shutdown(&mut self);
    /// Moves the stream to the runtime of the caller. The default does nothing, which is right where no
    /// runtime drives the stream.
    ///
    /// # Errors
    /// The system's error; the stream is then driven as before.
    fn move_to_current_runtime(&mut self) -> io::Result<()> {
        Ok(())
    }
    /// The system's data about the stream, if it is a TCP stream.
    fn tcp_info(&self) -> Option<TcpInfo> {
        None
    }
    fn peer(&self) -> &Peer;
    fn local(&self) -> &Peer;
    /// The protection of the bytes in transit. It is settled before the first of them is read.
    fn protection(&self) -> Protection<'_> {
        Protection::None
    }
}

/// The address of one end of a connection.
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Peer {
    Ip(SocketAddr),
    /// `None`: an unnamed socket, as clients have.
    Unix(Option<Arc<PathBuf>>),
    Memory(Arc<str>),
}

impl Peer {
    /// Whether this end is on the same machine.
    pub fn is_local(&self) -> bool {
        match self {
            Peer::Ip(address) => address.ip().to_canonical().is_loopback(),
            Peer::Unix(_) | Peer::Memory(_) => true,
        }
    }

    /// The machine without the port; for an end without an address, its kind.
    pub fn host(&self) -> String {
        match self {
            Peer::Ip(address) => address.ip().to_canonical().to_string(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Peer::Ip(address) => address.fmt(f),
            Peer::Unix(Some(path)) => write!(f, "unix:{}", path.display()),
            Peer::Unix(None) => f.write_str("unix:"),
            Peer::Memory(name) => write!(f, "memory:{name}"),
        }
    }
}
impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_reaches_the_resolver() {
        assert_eq!(for_resolver("[fe80::1%eth0]:80"), "fe80::1%eth0:80");
        for same in ["[::1]:80", "host:80", "10.0.0.1:80", "fe80::1%eth0:80", "[fe80::1%eth0]"] {
            assert_eq!(for_resolver(same), same);
        }
        // It is an address, though not one of this machine.
        let error = bind("[fe80::1234%lo]:0", 1).err().expect("nobody has this address");
        assert!(!error.to_string().contains("lookup"), "{error}");
    }

    #[test]
    fn a_host_is_its_machine() {
        let of = |address: &str| Peer::Ip(address.parse().expect("an address")).host();
        assert_eq!(of("10.0.0.7:4000"), "10.0.0.7");
        assert_eq!(of("[::ffff:10.0.0.7]:4000"), "10.0.0.7");
        assert_eq!(of("[2001:db8::1]:4000"), "2001:db8::1");
    }
}
