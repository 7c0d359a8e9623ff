//! A byte stream in memory, for tests and for calls inside one process.

use crate::transport::{Peer, Transport};
use bytes::{Buf, BytesMut};
use polywire_base::lock;
use std::{
    io::{self, IoSlice},
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

/// One direction of the stream.
#[derive(Default)]
struct Half {
    bytes: BytesMut,
    closed: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

/// One end of a [`duplex`].
pub struct Memory {
    incoming: Arc<Mutex<Half>>,
    outgoing: Arc<Mutex<Half>>,
    /// Bytes that a direction holds before its writer waits.
    capacity: usize,
    peer: Peer,
    local: Peer,
}

/// Two connected ends. Each direction holds up to `capacity` bytes.
pub fn duplex(name: &str, capacity: usize) -> (Memory, Memory) {
    let (there, back) = (Arc::<Mutex<Half>>::default(), Arc::<Mutex<Half>>::default());
    let end = |incoming: &Arc<_>, outgoing: &Arc<_>, peer: String, local: String| Memory {
        incoming: Arc::clone(incoming),
        outgoing: Arc::clone(outgoing),
        capacity,
        peer: Peer::Memory(peer.into()),
        local: Peer::Memory(local.into()),
    };
    let (server, client) = (name.to_owned(), format!("{name}/client"));
    (end(&back, &there, server.clone(), client.clone()), end(&there, &back, client, server))
}

impl Memory {
    /// Sets the address that this end reports for its peer, for example when it forwards what others sent.
    pub fn with_peer(mut self, peer: Peer) -> Memory {
        self.peer = peer;
        self
    }
}

impl Transport for Memory {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        let mut half = lock(&self.incoming);
        if half.bytes.is_empty() {
            if half.closed {
                return Poll::Ready(Ok(0));
            }
            half.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let n = half.bytes.len().min(into.capacity() - into.len()).min(most);
        into.extend_from_slice(&half.bytes[..n]);
        half.bytes.advance(n);
        let writer = half.writer.take();
        drop(half);
        writer.into_iter().for_each(Waker::wake);
        Poll::Ready(Ok(n))
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let mut half = lock(&self.outgoing);
        if half.closed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let room = self.capacity.saturating_sub(half.bytes.len());
        if room == 0 {
            half.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let mut written = 0;
        for slice in slices {
            let n = slice.len().min(room - written);
            half.bytes.extend_from_slice(&slice[..n]);
            written += n;
        }
        let reader = half.reader.take();
        drop(half);
        reader.into_iter().for_each(Waker::wake);
        Poll::Ready(Ok(written))
    }

    fn shutdown(&mut self) {
        close(&self.outgoing);
    }
    fn peer(&self) -> &Peer {
        &self.peer
    }
    fn local(&self) -> &Peer {
        &self.local
    }
}

fn close(half: &Mutex<Half>) {
    let mut half = lock(half);
    half.closed = true;
    let wakers = [half.reader.take(), half.writer.take()];
    drop(half);
    wakers.into_iter().flatten().for_each(Waker::wake);
}

impl Drop for Memory {
    fn drop(&mut self) {
        close(&self.outgoing);
        close(&self.incoming);
    }
}
