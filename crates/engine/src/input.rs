//! What a connection has read and its machines have not taken yet.
//!
//! Short reads go into one buffer per thread and are cut from it. A message that is known to be long gets a buffer of
//! exactly its size, into which the rest of it is read. What waits is copied where it would pin more than it is worth;
//! unread input lies in at most [`PIECES`] pieces, so that a peer that sends byte by byte pins no more read buffers.

use crate::Transport;
use bytes::{Bytes, BytesMut};
use polywire_base::IoBuf;
use std::{
    cell::RefCell,
    io,
    task::{Context, Poll, ready},
};

/// Size of a thread's read buffer: what one read may bring.
const READ_BUFFER: usize = 64 << 10;
/// A read that brings less of a message in assembly is copied out of that buffer.
const SPARSE: usize = READ_BUFFER / 4;
/// From this many missing bytes a message gets a buffer of its own, of exactly its size.
const LONG_BODY: usize = 64 << 10;
/// A partial message shorter than this is copied out, so that it does not pin a read buffer while it waits.
const COMPACT_BELOW: usize = 8 << 10;
/// In more pieces than this, input that waits is copied together, however long it is.
const PIECES: usize = 8;

#[derive(Default)]
pub(crate) struct Input {
    /// What machines take from.
    pub waiting: IoBuf,
    /// Buffer of exactly the size of a long message, while it arrives; empty otherwise.
    long: BytesMut,
    /// Bytes still missing in `long`.
    missing: usize,
}

impl Input {
    /// The front of a long message is in its buffer: machines wait for the whole of it.
    pub fn is_filling(&self) -> bool {
        self.missing > 0
    }

    /// Nothing was read that no machine has taken.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && !self.is_filling()
    }

    /// One read: into the thread's buffer, or into the long message that is arriving. `keeps`: the machine keeps what
    /// it takes, since it assembles a message, which must not pin that buffer.
    pub fn read(
        &mut self,
        transport: &mut dyn Transport,
        task: &mut Context<'_>,
        keeps: bool,
    ) -> Poll<io::Result<usize>> {
        if self.is_filling() {
            let n = ready!(transport.poll_read(task, &mut self.long, self.missing))?;
            self.missing -= n;
            if self.missing == 0 {
                self.waiting.push(self.long.split().freeze());
            }
            return Poll::Ready(Ok(n));
        }
        with_read_buffer(|buffer| {
            let n = ready!(transport.poll_read(task, buffer, usize::MAX))?;
            if n < SPARSE && keeps {
                self.waiting.push(Bytes::copy_from_slice(buffer));
                buffer.clear();
            } else {
                self.waiting.push(buffer.split().freeze());
            }
            Poll::Ready(Ok(n))
        })
    }

    /// The machine waits for `n` more bytes: a long message gets a buffer of its own.
    pub fn need(&mut self, n: usize) {
        if n < LONG_BODY {
            return self.compact();
        }
        self.long.reserve(self.waiting.len() + n); // the last long buffer again, once nobody refers to it any more
        let front = std::mem::take(&mut self.waiting);
        front.segments().for_each(|s| self.long.extend_from_slice(s));
        self.missing = n;
    }

    /// Nobody knows yet whose the front is: `n` more bytes would tell, and are not worth a buffer.
    pub fn need_to_recognise(&mut self, n: usize) {
        self.need(n.min(LONG_BODY - 1));
    }

    /// What waits must not pin the read buffers it came in.
    pub fn compact(&mut self) {
        let have = self.waiting.len();
        let long = have >= COMPACT_BELOW && self.waiting.segments().count() <= PIECES;
        if have > 0 && !long {
            self.waiting = IoBuf::copy_from_slice(self.waiting.contiguous());
        }
    }
}

/// Reads and forgets: how many bytes came.
pub(crate) fn discard(transport: &mut dyn Transport, task: &mut Context<'_>) -> Poll<io::Result<usize>> {
    with_read_buffer(|buffer| {
        let n = ready!(transport.poll_read(task, buffer, usize::MAX))?;
        buffer.clear();
        Poll::Ready(Ok(n))
    })
}

/// The thread's read buffer, with room: the old one again once nobody refers to it any more.
fn with_read_buffer<T>(read: impl FnOnce(&mut BytesMut) -> T) -> T {
    READ.with_borrow_mut(|buffer| {
        if buffer.capacity() - buffer.len() < READ_BUFFER / 4 {
            buffer.reserve(READ_BUFFER);
        }
        read(buffer)
    })
}

thread_local! {
    /// The buffer all connections of a thread read into, one after the other: idle ones hold none.
    static READ: RefCell<BytesMut> = RefCell::new(BytesMut::with_capacity(READ_BUFFER));
}
