//! One end of a connection on the network.

use crate::{
    clock,
    half::CAPACITY,
    rules::Direction,
    state::{Lost, Reading, Shared},
};
use bytes::{Bytes, BytesMut};
use polywire_engine::{Peer, Transport};
use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep_until},
};

/// One end of a connection on the network. For tests that write and read bytes themselves: it comes from
/// [`Host::connect`](crate::Host::connect).
pub struct NetStream {
    shared: Arc<Shared>,
    id: u64,
    /// The direction in which this end writes.
    writes: Direction,
    timer: Option<Pin<Box<Sleep>>>,
    peer: Peer,
    local: Peer,
}

/// Both ends of a new connection: the client's, the server's.
pub(crate) fn ends(shared: &Arc<Shared>, id: u64, from: &str, to: &str) -> (NetStream, NetStream) {
    let client = Peer::Memory(format!("{from}/{id}").into());
    let server = Peer::Memory(to.into());
    let end = |writes, peer: &Peer, local: &Peer| NetStream {
        shared: shared.clone(),
        id,
        writes,
        timer: None,
        peer: peer.clone(),
        local: local.clone(),
    };
    (end(Direction::ToServer, &server, &client), end(Direction::ToClient, &client, &server))
}

impl Transport for NetStream {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        let most = most.min(into.capacity() - into.len());
        loop {
            let direction = self.writes.back();
            let read =
                self.shared.change(|state, wakers| state.read(self.id, direction, most, cx.waker(), wakers));
            match read {
                Reading::Bytes(bytes) => {
                    into.extend_from_slice(&bytes);
                    return Poll::Ready(Ok(bytes.len()));
                }
                Reading::End => return Poll::Ready(Ok(0)),
                Reading::Reset => return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
                Reading::Later(None) => return Poll::Pending,
                Reading::Later(Some(at)) => {
                    let at = clock::timer(at);
                    let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(at)));
                    if timer.deadline() != at {
                        timer.as_mut().reset(at);
                    }
                    if timer.as_mut().poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                }
            }
        }
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let mut bytes = BytesMut::new();
        for slice in slices {
            bytes.extend_from_slice(&slice[..slice.len().min(CAPACITY - bytes.len())]);
        }
        let bytes: Bytes = bytes.freeze();
        let written =
            self.shared.change(|state, wakers| state.write(self.id, self.writes, bytes, cx.waker(), wakers));
        written.map_err(|lost| match lost {
            Lost::Reset => io::ErrorKind::ConnectionReset.into(),
            Lost::Closed => io::ErrorKind::BrokenPipe.into(),
        })
    }

    fn shutdown(&mut self) {
        self.shared.change(|state, wakers| state.shut(self.id, self.writes, wakers));
    }
    fn peer(&self) -> &Peer {
        &self.peer
    }
    fn local(&self) -> &Peer {
        &self.local
    }
}

impl AsyncRead for NetStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = BytesMut::with_capacity(into.remaining().min(CAPACITY));
        ready!(Transport::poll_read(&mut *self, cx, &mut bytes, into.remaining()))?;
        into.put_slice(&bytes);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for NetStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if bytes.is_empty() {
            return Poll::Ready(Ok(0)); // without waiting for room
        }
        Transport::poll_write(&mut *self, cx, &[IoSlice::new(bytes)])
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Transport::shutdown(&mut *self);
        Poll::Ready(Ok(()))
    }
}

impl Drop for NetStream {
    fn drop(&mut self) {
        self.shared.change(|state, wakers| state.close(self.id, self.writes, wakers));
    }
}
