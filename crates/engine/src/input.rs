//! What a connection has read and its machines have not taken yet.
//!
//! Short reads go into one buffer per thread and are cut from it. A message that is known to be long gets a buffer of
//! its size, into which the rest of it is read; the front of the message after it is read in a small piece, since what
//! comes into the thread's buffer is copied once more. What waits is copied where it would pin more than it is worth;
//! unread input lies in at most [`PIECES`] pieces, so that a peer that sends byte by byte pins no more read buffers.

use crate::Transport;
use bytes::{Buf, BufMut, Bytes, BytesMut};
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
/// From this many missing bytes a message gets a buffer of its own.
const LONG_BODY: usize = 64 << 10;
/// What is read behind a long message: the front of another, if there are several.
const FRONT: usize = 8 << 10;
const PAGE: usize = 4096;
/// How much further into its pages the rest of a long message is read than it lies in the sender's. Up to 15 bytes, but
/// not 0, cost processors of AMD three times as much (measured on Zen; docs/design/zeromq-numbers.md).
const SHIFT: usize = 64;
/// A partial message shorter than this is copied out, so that it does not pin a read buffer while it waits.
const COMPACT_BELOW: usize = 8 << 10;
/// In more pieces than this, input that waits is copied together, however long it is.
const PIECES: usize = 8;

#[derive(Default)]
pub(crate) struct Input {
    /// What machines take from.
    pub waiting: IoBuf,
    /// Buffer of a long message, while it arrives; empty otherwise.
    long: BytesMut,
    /// Bytes still missing in `long`.
    missing: usize,
    /// The last message was long.
    was_long: bool,
    /// Bytes that came since nothing waited: how far into a page of the sender's the next ones lie, whose kernel begins
    /// at the start of one when it has been drained.
    came: usize,
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
    #[inline]
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
                self.was_long = true;
            }
            return Poll::Ready(Ok(n));
        }
        let most = if self.was_long { FRONT } else { usize::MAX };
        with_read_buffer(|buffer| {
            let n = ready!(transport.poll_read(task, buffer, most))?;
            self.came = if self.waiting.is_empty() { n } else { self.came + n };
            self.was_long = false;
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
        // The last long buffer again, once nobody refers to it any more.
        self.long.reserve(PAGE + self.waiting.len() + n);
        let rest = self.long.as_ptr().addr() + self.waiting.len();
        self.long.put_bytes(0, (self.came + SHIFT).wrapping_sub(rest) % PAGE);
        self.long.advance(self.long.len());
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
#[inline]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Peer;
    use std::{io::IoSlice, task::Waker};

    /// Always has something to read, and remembers what each read asked for.
    struct Endless {
        peer: Peer,
        /// Where in its page a read began, and how much it might have brought.
        reads: Vec<(usize, usize)>,
        /// What one read brings at most.
        most: usize,
    }

    impl Transport for Endless {
        fn poll_read(
            &mut self,
            _: &mut Context<'_>,
            into: &mut BytesMut,
            most: usize,
        ) -> Poll<io::Result<usize>> {
            let spare = into.spare_capacity_mut();
            let most = most.min(spare.len());
            self.reads.push((spare.as_ptr().addr() % PAGE, most));
            let n = most.min(self.most);
            into.put_bytes(7, n);
            Poll::Ready(Ok(n))
        }
        fn poll_write(&mut self, _: &mut Context<'_>, _: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
            Poll::Pending
        }
        fn shutdown(&mut self) {}
        fn peer(&self) -> &Peer {
            &self.peer
        }
        fn local(&self) -> &Peer {
            &self.peer
        }
    }

    fn endless(most: usize) -> Endless {
        Endless { peer: Peer::Unix(None), reads: Vec::new(), most }
    }

    #[track_caller]
    fn read(input: &mut Input, transport: &mut Endless) -> usize {
        let mut task = Context::from_waker(Waker::noop());
        match input.read(transport, &mut task, false) {
            Poll::Ready(Ok(n)) => n,
            other => panic!("{other:?}"),
        }
    }

    /// Reads the rest of a message that is `n` bytes longer than what is here.
    #[track_caller]
    fn long_message(input: &mut Input, transport: &mut Endless, n: usize) -> Bytes {
        input.need(n);
        while input.is_filling() {
            read(input, transport);
        }
        assert_eq!(input.waiting.segments().count(), 1);
        std::mem::take(&mut input.waiting).into_bytes()
    }

    #[test]
    fn the_rest_of_a_long_message_is_read_where_it_stays() {
        let (mut input, mut transport) = (Input::default(), endless(100_000));
        let front = read(&mut input, &mut transport);
        transport.reads.clear();
        let message = long_message(&mut input, &mut transport, 250_000);
        assert_eq!((message.len(), transport.reads.len()), (front + 250_000, 3));
        assert_eq!(transport.reads.iter().map(|read| read.1).collect::<Vec<_>>(), [250_000, 150_000, 50_000]);
    }

    #[test]
    fn behind_a_long_message_the_front_of_the_next_is_read_and_then_again_what_there_is() {
        let (mut input, mut transport) = (Input::default(), endless(usize::MAX));
        assert!(read(&mut input, &mut transport) > FRONT);
        long_message(&mut input, &mut transport, LONG_BODY);
        assert_eq!(read(&mut input, &mut transport), FRONT);
        assert!(read(&mut input, &mut transport) > FRONT, "it was no long message");
    }

    #[test]
    fn a_long_message_is_not_read_where_copying_is_slow() {
        let mut input = Input::default();
        let mut held = Vec::new();
        for n in 0..200 {
            let mut transport = endless(10_000);
            let mut came = read(&mut input, &mut transport);
            if n % 2 == 0 {
                came += read(&mut input, &mut transport); // the head came in two reads
            }
            input.waiting.advance(n); // what a machine takes off before it knows
            transport.reads.clear();
            let message = long_message(&mut input, &mut transport, LONG_BODY + 20_000 * n);
            assert_eq!(transport.reads[0].0, (came + SHIFT) % PAGE);
            if n % 3 > 0 {
                held.push(message); // the buffer can be used again, or not
                held.truncate(20);
            }
        }
    }
}
