//! TCP and Unix sockets on tokio's readiness.

use crate::{
    os::{self, TcpInfo},
    transport::{Peer, Transport, UnixPath, for_resolver, unix},
};
use bytes::BytesMut;
use std::{
    io::{self, IoSlice},
    net::SocketAddr,
    os::fd::AsFd,
    path::PathBuf,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream, UnixListener, UnixStream},
};

/// A socket with its addresses, looked up once.
struct Socket<S> {
    stream: S,
    peer: Peer,
    local: Peer,
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send + Sized + 'static {
    fn shutdown_write(&self);
    /// Duplicates the socket's descriptor and registers it with the runtime of the caller.
    fn registered_here(&self) -> io::Result<Self>;
    fn tcp_info(&self) -> Option<TcpInfo> {
        None
    }
}
impl Stream for TcpStream {
    fn shutdown_write(&self) {
        let _ = socket2::SockRef::from(self).shutdown(std::net::Shutdown::Write);
    }
    fn registered_here(&self) -> io::Result<Self> {
        TcpStream::from_std(self.as_fd().try_clone_to_owned()?.into())
    }
    fn tcp_info(&self) -> Option<TcpInfo> {
        os::tcp_info(self)
    }
}
impl Stream for UnixStream {
    fn shutdown_write(&self) {
        let _ = socket2::SockRef::from(self).shutdown(std::net::Shutdown::Write);
    }
    fn registered_here(&self) -> io::Result<Self> {
        UnixStream::from_std(self.as_fd().try_clone_to_owned()?.into())
    }
}

impl<S: Stream> Transport for Socket<S> {
    /// Reads once. tokio clears the readiness after a short read, so that no second read is made only to
    /// learn "would block".
    #[inline]
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        let spare = into.spare_capacity_mut();
        let most = most.min(spare.len());
        let mut spare = ReadBuf::uninit(&mut spare[..most]);
        match Pin::new(&mut self.stream).poll_read(cx, &mut spare) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Ready(Ok(())) => {
                let n = spare.filled().len();
                // SAFETY: `filled` says that the first `n` bytes of the spare capacity were written.
                unsafe { into.set_len(into.len() + n) };
                Poll::Ready(Ok(n))
            }
        }
    }

    #[inline]
    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        match slices {
            [one] => Pin::new(&mut self.stream).poll_write(cx, one),
            many => Pin::new(&mut self.stream).poll_write_vectored(cx, many),
        }
    }

    fn shutdown(&mut self) {
        self.stream.shutdown_write();
    }

    /// Dropping the old descriptor removes it from the old runtime.
    fn move_to_current_runtime(&mut self) -> io::Result<()> {
        self.stream = self.stream.registered_here()?;
        Ok(())
    }
    fn tcp_info(&self) -> Option<TcpInfo> {
        self.stream.tcp_info()
    }
    fn peer(&self) -> &Peer {
        &self.peer
    }
    fn local(&self) -> &Peer {
        &self.local
    }
}

/// A socket that is bound and listens, and has not accepted anything yet.
pub enum Listener {
    Tcp(std::net::TcpListener),
    /// A Unix socket. The path is removed when the listener is dropped, before its socket is closed.
    Unix(UnixPath, std::os::unix::net::UnixListener),
}

/// Binds `host:port`, `[v6]:port` or `unix:path`. Port 0 lets the kernel choose.
///
/// # Errors
/// The system's error, with the address in front.
pub fn bind(address: &str, backlog: u32) -> io::Result<Listener> {
    bind_shared(address, backlog, Share::Never)
}

/// Whether several sockets may listen on one TCP port at the same time, if all of them allow it and belong to
/// one user.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Share {
    #[default]
    Never,
    /// With `SO_REUSEPORT`, the kernel spreads connections over the sockets. Connections that wait in the
    /// queue of a socket that closes are reset.
    Port,
}

/// Like [`bind`], with the choice to share a TCP port. For Unix sockets the choice has no effect.
///
/// # Errors
/// The errors of [`bind`].
pub fn bind_shared(address: &str, backlog: u32, share: Share) -> io::Result<Listener> {
    let explain =
        |error: io::Error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"));
    if let Some(path) = address.strip_prefix("unix:") {
        let (path, listener) = unix::bind(path.as_ref()).map_err(explain)?;
        return Ok(Listener::Unix(path, listener));
    }
    let resolved: Vec<SocketAddr> =
        std::net::ToSocketAddrs::to_socket_addrs(&*for_resolver(address)).map_err(explain)?.collect();
    let mut last = io::Error::new(io::ErrorKind::NotFound, "no address");
    for address in resolved {
        match bind_tcp(address, backlog, share) {
            Ok(listener) => return Ok(Listener::Tcp(listener)),
            Err(error) => last = error,
        }
    }
    Err(explain(last))
}

fn bind_tcp(address: SocketAddr, backlog: u32, share: Share) -> io::Result<std::net::TcpListener> {
    use socket2::{Domain, Protocol, Socket, Type};
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    if share == Share::Port {
        socket.set_reuse_port(true)?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(backlog as i32)?;
    Ok(socket.into())
}

impl Listener {
    pub fn local(&self) -> io::Result<Peer> {
        Ok(match self {
            Listener::Tcp(listener) => Peer::Ip(listener.local_addr()?),
            Listener::Unix(path, _) => Peer::Unix(Some(path.path().clone())),
        })
    }

    /// Registers the listener with the runtime of the caller.
    pub(crate) fn attach(self) -> io::Result<Acceptor> {
        Ok(match self {
            Listener::Tcp(listener) => Acceptor::Tcp(TcpListener::from_std(listener)?),
            Listener::Unix(path, listener) => Acceptor::Unix(path, UnixListener::from_std(listener)?),
        })
    }
}

/// A listener registered with a runtime.
pub(crate) enum Acceptor {
    Tcp(TcpListener),
    Unix(UnixPath, UnixListener),
}

/// A connected socket that is not registered with a runtime yet.
pub(crate) enum Accepted {
    Tcp(std::net::TcpStream, SocketAddr),
    Unix(std::os::unix::net::UnixStream, Arc<PathBuf>),
}

impl Acceptor {
    pub(crate) async fn accept(&self) -> io::Result<Accepted> {
        match self {
            Acceptor::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                let stream = stream.into_std()?;
                stream.set_nodelay(true)?;
                Ok(Accepted::Tcp(stream, peer))
            }
            Acceptor::Unix(path, listener) => {
                let (stream, _) = listener.accept().await?;
                Ok(Accepted::Unix(stream.into_std()?, path.path().clone()))
            }
        }
    }
}

impl Accepted {
    /// Registers the socket with the runtime of the caller.
    pub(crate) fn attach(self) -> io::Result<Box<dyn Transport>> {
        Ok(match self {
            Accepted::Tcp(stream, peer) => {
                let local = Peer::Ip(stream.local_addr()?);
                Box::new(Socket { stream: TcpStream::from_std(stream)?, peer: Peer::Ip(peer), local })
            }
            Accepted::Unix(stream, path) => {
                let local = Peer::Unix(Some(path));
                Box::new(Socket { stream: UnixStream::from_std(stream)?, peer: Peer::Unix(None), local })
            }
        })
    }
}

/// Connects to `host:port`, `[v6]:port` or `unix:path` on the runtime of the caller.
///
/// # Errors
/// The system's error.
pub async fn connect(address: &str) -> io::Result<Box<dyn Transport>> {
    if let Some(path) = address.strip_prefix("unix:") {
        let stream = UnixStream::connect(path).await?;
        let peer = Peer::Unix(Some(Arc::new(PathBuf::from(path))));
        return Ok(Box::new(Socket { stream, peer, local: Peer::Unix(None) }));
    }
    let stream = TcpStream::connect(&*for_resolver(address)).await?;
    stream.set_nodelay(true)?;
    let (peer, local) = (Peer::Ip(stream.peer_addr()?), Peer::Ip(stream.local_addr()?));
    Ok(Box::new(Socket { stream, peer, local }))
}
