//! Bytes that a connection has read and its machines have not taken yet.
//!
//! Short reads go into one buffer per thread and are cut from it. A message that is known to be long gets a
//! buffer of its own, into which the rest of it is read. The bytes after it are read in a small piece, since
//! anything read into the thread's buffer is copied once more. The long buffer grows with the received bytes:
//! an announced length alone reserves [`FIRST`] bytes at most.
//!
//! A partial message that would keep more memory alive than it is worth is copied:
//!
//! ```text
//!  waiting:  | block of our own      | piece | piece |    at most PIECES segments, those after the block in read buffers
//!              copied, or long         `- fresh -----'
//! ```
//!
//! The fresh pieces are appended to the block, whose memory grows by doubling. A byte is copied into it once
//! and moves with it a constant number of times on average, however slowly a message arrives and however
//! often a machine asks.

use crate::{Transport, spare};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use polywire_base::IoBuf;
use std::{
    cell::RefCell,
    io, mem,
    task::{Context, Poll, ready},
};

/// Size of a thread's read buffer, in bytes: the most that one read may return.
const READ_BUFFER: usize = 64 << 10;
/// A read that returns fewer bytes of a message being assembled is copied out of that buffer.
const SPARSE: usize = READ_BUFFER / 4;
/// A message with this many bytes missing, or more, gets a buffer of its own.
const LONG_BODY: usize = 64 << 10;
/// The number of bytes that this buffer reserves before the rest of the message has arrived. Later it grows
/// to four times the number of received bytes.
const FIRST: usize = 1 << 20;
/// Bytes that are read after the end of a long message: the front of the next one, if there are several.
const FRONT: usize = 8 << 10;
const PAGE: usize = 4096;
/// Offset at which the rest of a long message is written, relative to its offset within a page of the sender.
/// Offsets of 1 to 31 bytes cost AMD processors up to ten times as much (docs/design/long-messages.md). What
/// the sender had in that page before is a guess, so the offset is far from those in both directions. Growing
/// keeps it: allocations move by multiples of 16 bytes.
const SHIFT: usize = PAGE / 2;
/// A partial message shorter than this many bytes is copied out, so that it does not pin a read buffer while
/// it waits.
const COMPACT_BELOW: usize = 8 << 10;
/// Input that waits in more pieces than this is copied together, however long it is.
const PIECES: usize = 8;
/// A partial message in a block this many times its length is copied out of it.
const SPARSE_BLOCK: usize = READ_BUFFER / COMPACT_BELOW;

/// Space into which a thread reads while it does not hold its connection.
#[must_use = "what is read into it has to come back"]
pub struct Space {
    bytes: BytesMut,
    /// Bytes that were in the buffer before the read.
    before: usize,
    /// The maximum number of bytes to read.
    most: usize,
    /// Whether this is the buffer of a long message.
    long: bool,
}

impl Space {
    /// The buffer to append to, and how many bytes may be read.
    pub fn parts(&mut self) -> (&mut BytesMut, usize) {
        (&mut self.bytes, self.most)
    }
}

#[derive(Default)]
pub(crate) struct Input {
    /// Received bytes that machines take from.
    pub waiting: IoBuf,
    /// Buffer of a long message while it arrives. After that, the handle through which its memory can be used
    /// again.
    long: BytesMut,
    /// The size of the buffer's memory, including the bytes that precede the message.
    reserved: usize,
    /// Bytes still missing in `long`.
    missing: usize,
    /// Whether the last message was long.
    was_long: bool,
    /// Size of the memory to which `long` is a handle while nothing arrives in it; 0 if there is none.
    handle: usize,
    /// The number of bytes received since the input was last empty. It shows how far into a page of the
    /// sender the next ones lie, because the sender's kernel starts a new page once its buffer was drained.
    came: usize,
    /// This many bytes at the end of the input lie in read buffers (all of it if that is less).
    fresh: usize,
    /// Size of the memory that holds the bytes before those.
    block: usize,
}

impl Input {
    /// Whether the front of a long message is in its buffer: machines wait for the whole of it.
    pub fn is_filling(&self) -> bool {
        self.missing > 0
    }

    /// The number of bytes that were read and not taken, and the memory of the last long message, which its
    /// receiver may still use.
    pub fn held(&self) -> usize {
        self.waiting.len().max(self.handle) + if self.is_filling() { self.long.len() } else { 0 }
    }

    /// Whether machines have taken everything that was read.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && !self.is_filling()
    }

    /// Reads once, into the thread's buffer or into the long message that is arriving. `keeps`: the machine
    /// keeps the bytes that it takes, since it assembles a message; then the bytes must not keep the thread's
    /// buffer alive.
    #[inline]
    pub fn read(
        &mut self,
        transport: &mut dyn Transport,
        task: &mut Context<'_>,
        keeps: bool,
    ) -> Poll<io::Result<usize>> {
        if self.is_filling() {
            return self.fill(transport, task);
        }
        let most = self.most();
        with_read_buffer(|buffer| {
            ready!(transport.poll_read(task, buffer, most))?;
            Poll::Ready(Ok(self.push(buffer, keeps)))
        })
    }

    fn fill(&mut self, transport: &mut dyn Transport, task: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.make_room_for_long();
        let n = ready!(transport.poll_read(task, &mut self.long, self.missing))?;
        self.filled(n);
        Poll::Ready(Ok(n))
    }

    /// Lends space for one read that is made while others use this input: in the long message that is
    /// arriving, or else in `spare`.
    pub fn lend(&mut self, spare: &mut BytesMut) -> Space {
        if self.is_filling() {
            self.make_room_for_long();
            let bytes = mem::take(&mut self.long);
            return Space { before: bytes.len(), bytes, most: self.missing, long: true };
        }
        let mut bytes = mem::take(spare);
        make_room(&mut bytes);
        Space { before: 0, bytes, most: self.most(), long: false }
    }

    /// Takes the space back. True if something was read into it.
    pub fn take_back(&mut self, space: Space, spare: &mut BytesMut, keeps: bool) -> bool {
        let Space { mut bytes, before, long, .. } = space;
        let n = bytes.len() - before;
        if long {
            self.long = bytes;
            self.filled(n);
            return n > 0;
        }
        if self.is_filling() {
            // A long message was begun meanwhile, and what was read belongs to it.
            let front = n.min(self.missing);
            self.long.extend_from_slice(&bytes[..front]);
            bytes.advance(front);
            self.filled(front);
        }
        if !bytes.is_empty() {
            self.push(&mut bytes, keeps);
        }
        *spare = bytes;
        n > 0
    }

    /// Bytes that may be read at once into a buffer that is not a long message's.
    #[inline]
    fn most(&self) -> usize {
        if self.was_long { FRONT } else { usize::MAX }
    }

    /// Takes the bytes in `buffer` and returns their number.
    #[inline]
    fn push(&mut self, buffer: &mut BytesMut, keeps: bool) -> usize {
        let n = buffer.len();
        if self.waiting.is_empty() {
            (self.came, self.fresh) = (0, 0);
        }
        (self.came, self.fresh) = (self.came + n, self.fresh + n);
        self.was_long = false;
        if n < SPARSE && keeps {
            self.waiting.push(Bytes::copy_from_slice(buffer));
            buffer.clear();
        } else {
            self.waiting.push(buffer.split().freeze());
        }
        n
    }

    fn make_room_for_long(&mut self) {
        if self.long.len() == self.long.capacity() {
            // A page more, so that the next message of this length fits, wherever in a page it begins.
            self.long.reserve(self.missing.min(FIRST.max(3 * self.long.len())) + PAGE);
            self.reserved = self.reserved.max(self.long.capacity());
        }
    }

    /// Notes that `n` more bytes of the long message have arrived.
    fn filled(&mut self, n: usize) {
        self.came += n;
        self.missing -= n;
        if self.missing == 0 {
            (self.block, self.fresh) = (self.long.capacity(), 0);
            self.handle = self.reserved;
            self.waiting.push(self.long.split().freeze());
            self.was_long = true;
        }
    }

    /// The machine waits for `n` more bytes. A long message gets a buffer of its own.
    pub fn need(&mut self, n: usize) {
        if n < LONG_BODY { self.compact() } else { self.begin_long(n) }
    }

    /// The protocol is not known yet: `n` more bytes would decide it. They get no buffer of their own.
    pub fn need_to_recognise(&mut self, n: usize) {
        self.need(n.min(LONG_BODY - 1));
    }

    /// Copies a partial message that would pin the read buffers it arrived in.
    #[inline]
    pub fn compact(&mut self) {
        if self.handle > 0 && self.in_block() == 0 {
            self.give_back();
        }
        if !self.waiting.is_empty() {
            self.compact_waiting();
        }
    }

    fn compact_waiting(&mut self) {
        let (have, own) = (self.waiting.len(), self.in_block());
        let fresh = have - own;
        if fresh >= COMPACT_BELOW && self.waiting.segments().count() <= PIECES {
            return;
        }
        if own == 0 || self.block > COMPACT_BELOW.max(SPARSE_BLOCK * own) {
            self.waiting = self.waiting.detached();
            (self.block, self.fresh) = (have, 0);
        } else if fresh > 0 {
            self.drop_handle();
            self.waiting.contiguous(); // appends to the block, which grows by doubling
            (self.block, self.fresh) = (self.block.max(have), 0);
        }
    }

    /// Prepares to read `n` more bytes of a message directly after its front.
    fn begin_long(&mut self, n: usize) {
        let (have, own) = (self.waiting.len(), self.in_block());
        if own > n {
            // Most of it is here, so it is not moved for the rest: if it were moved each time, many such
            // rests would cost the square of their number.
            self.drop_handle();
            let block = mem::take(&mut self.waiting).into_bytes();
            self.long = block.try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
            self.reserved = self.long.capacity();
        } else {
            if own == 0 {
                self.give_back();
            }
            self.drop_handle();
            let first = n.min(FIRST.max(3 * have));
            (self.long, self.reserved) = spare::take(PAGE + have + n).unwrap_or_else(|| {
                let new = BytesMut::with_capacity(PAGE + have + first);
                let size = new.capacity();
                (new, size)
            });
            let rest = self.long.as_ptr().addr() + have;
            self.long.put_bytes(0, (self.came + SHIFT).wrapping_sub(rest) % PAGE);
            self.long.advance(self.long.len());
            let front = mem::take(&mut self.waiting);
            front.segments().for_each(|s| self.long.extend_from_slice(s));
        }
        self.missing = n;
    }

    /// Bytes that wait in our own block, before those in read buffers.
    fn in_block(&self) -> usize {
        self.waiting.len().saturating_sub(self.fresh)
    }

    /// The last long message was taken: its buffer becomes available to other connections once nothing refers
    /// to it any more.
    fn give_back(&mut self) {
        spare::put(mem::take(&mut self.long), mem::take(&mut self.handle));
    }

    /// Drops the handle, so that the memory of the last long message has one owner and may grow.
    fn drop_handle(&mut self) {
        (self.long, self.handle) = (BytesMut::new(), 0);
    }
}

/// Reads and discards. Returns the number of bytes.
pub(crate) fn discard(transport: &mut dyn Transport, task: &mut Context<'_>) -> Poll<io::Result<usize>> {
    with_read_buffer(|buffer| {
        let n = ready!(transport.poll_read(task, buffer, usize::MAX))?;
        buffer.clear();
        Poll::Ready(Ok(n))
    })
}

/// Calls `read` with the thread's read buffer, which has room. The old memory is used again once nothing
/// refers to it any more.
#[inline]
fn with_read_buffer<T>(read: impl FnOnce(&mut BytesMut) -> T) -> T {
    READ.with_borrow_mut(|buffer| {
        make_room(buffer);
        read(buffer)
    })
}

#[inline]
fn make_room(buffer: &mut BytesMut) {
    if buffer.capacity() - buffer.len() < READ_BUFFER / 4 {
        buffer.reserve(READ_BUFFER);
    }
}

thread_local! {
    /// The buffer into which all connections of a thread read, one after the other, so that idle connections
    /// hold none.
    static READ: RefCell<BytesMut> = RefCell::new(BytesMut::with_capacity(READ_BUFFER));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Peer;
    use std::{io::IoSlice, task::Waker};

    /// A transport that always has something to read and records what each read asked for.
    struct Endless {
        peer: Peer,
        /// For each read: its offset within a page, and the maximum that it could have returned.
        reads: Vec<(usize, usize)>,
        /// The maximum number of bytes that one read returns.
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

    /// Reads the rest of a message that has `n` more bytes than those received.
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
    fn the_buffer_of_a_message_that_was_taken_has_the_next_one_of_that_length() {
        for length in [990_000, 10_000_000] {
            spare::clear();
            let (mut input, mut transport) = (Input::default(), endless(10_000));
            let mut buffers = Vec::new();
            for held in [false, false, true, false, false] {
                read(&mut input, &mut transport);
                let message = long_message(&mut input, &mut transport, length);
                input.compact();
                buffers.push(message.as_ptr().addr() / PAGE);
                if held {
                    mem::forget(message);
                }
            }
            assert_eq!(buffers[0], buffers[1], "{length}");
            assert_eq!(buffers[1], buffers[2], "{length}");
            assert_ne!(buffers[2], buffers[3], "{length}: somebody looks at it");
            assert_eq!(buffers[3], buffers[4], "{length}");
        }
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
            input.waiting.advance(n); // taken off by the machine before it knows the length
            transport.reads.clear();
            let message = long_message(&mut input, &mut transport, LONG_BODY + 20_000 * n);
            assert_eq!(transport.reads[0].0, (came + SHIFT) % PAGE);
            if n % 3 > 0 {
                held.push(message); // whether or not the buffer can be used again
                held.truncate(20);
            }
        }
    }

    /// Reads a message of `total` bytes in reads of `most`, whose machine asks for `ask` more bytes each
    /// time. Returns the number of bytes moved, which is the whole front whenever its address has changed.
    fn moved(total: usize, most: usize, ask: usize) -> usize {
        let (mut input, mut transport) = (Input::default(), endless(most));
        let (mut came, mut moved, mut front) = (0, 0, (std::ptr::null(), 0));
        while came < total {
            came += read(&mut input, &mut transport);
            if !input.is_filling() {
                input.need(ask);
                assert!(input.waiting.segments().count() <= PIECES);
            }
            let now = if input.is_filling() { &input.long[..] } else { input.waiting.front() };
            if now.as_ptr() != front.0 {
                moved += front.1;
            }
            front = (now.as_ptr(), now.len());
        }
        moved
    }

    #[test]
    fn what_waits_is_moved_a_constant_number_of_times_however_it_comes() {
        for total in [100_000, 5_000_000, 33_000_000] {
            for (most, ask) in
                [(1400, 50_000), (1400, 70_000), (20_000, 1), (60_000, 100_000), (1400, 1 << 20)]
            {
                let moved = moved(total, most, ask);
                assert!(
                    moved <= 3 * total,
                    "{total} bytes in reads of {most}, asked for {ask}: {moved} moved"
                );
            }
        }
        // Pieces below `IoBuf::SMALL` are put together by `IoBuf` itself, up to that length.
        assert!(moved(20_000, 1, 1) <= 3 * 20_000 + IoBuf::SMALL * IoBuf::SMALL);
    }

    #[test]
    fn a_length_that_is_announced_reserves_little_and_what_comes_reserves_more() {
        let (mut input, mut transport) = (Input::default(), endless(12));
        read(&mut input, &mut transport);
        input.need(64 << 20);
        assert!(input.long.capacity() <= FIRST + 2 * PAGE);
        transport.most = 100_000;
        while input.is_filling() {
            read(&mut input, &mut transport);
            assert!(input.long.capacity() <= 4 * (FIRST + input.long.len()));
        }
        assert_eq!(input.waiting.len(), 12 + (64 << 20));
    }

    #[test]
    fn a_message_that_grew_lies_where_copying_is_fast() {
        let (mut input, mut transport) = (Input::default(), endless(12));
        read(&mut input, &mut transport);
        transport.most = 100_000;
        input.need(20 << 20);
        transport.reads.clear();
        let mut came = 12;
        while input.is_filling() {
            let begun = came;
            came += read(&mut input, &mut transport);
            let further = (transport.reads.last().expect("a read").0 + PAGE - begun % PAGE) % PAGE;
            assert!(further == 0 || further >= 16, "{further}");
        }
    }

    #[test]
    fn the_front_of_the_next_message_does_not_keep_the_buffer_of_the_last() {
        let mut input = Input { waiting: vec![7; 100_000].into(), block: 100_000, ..Input::default() };
        input.waiting.advance(99_000);
        let address = input.waiting.front().as_ptr();
        input.need(1);
        assert_ne!(input.waiting.front().as_ptr(), address);
        let address = input.waiting.front().as_ptr();
        input.waiting.advance(500);
        input.need(1);
        assert_eq!(input.waiting.front().as_ptr().addr(), address.addr() + 500, "worth its memory");
    }

    #[test]
    fn a_large_buffer_counts_in_full_after_it_held_a_shorter_message() {
        let (mut input, mut transport) = (Input::default(), endless(100_000));
        for length in [8 << 20, 200_000, 300_000] {
            read(&mut input, &mut transport);
            drop(long_message(&mut input, &mut transport, length));
            input.compact();
            let (buffer, size) = spare::take(1).expect("the buffer that the message was in");
            assert!(size >= 8 << 20, "{size} after {length}");
            spare::put(buffer, size);
        }
    }

    #[test]
    fn a_connection_whose_long_message_was_taken_keeps_no_buffer() {
        let (mut input, mut transport) = (Input::default(), endless(100_000));
        read(&mut input, &mut transport);
        let message = long_message(&mut input, &mut transport, 1 << 20);
        input.need(12);
        assert_eq!((input.long.capacity(), input.handle), (0, 0));
        let address = message.as_ptr().addr() / PAGE;
        drop(message);
        let mut other = Input::default();
        read(&mut other, &mut transport);
        let message = long_message(&mut other, &mut transport, 1 << 20);
        assert!(message.as_ptr().addr() / PAGE <= address + 2, "the next one of the thread has it");
    }

    #[test]
    fn what_is_read_elsewhere_keeps_its_place() {
        for (announced, lengths) in [(0, [10, 20, 30]), (100_000, [60_000, 39_000, 5000])] {
            let (mut input, mut spare, mut sent) = (Input::default(), BytesMut::new(), Vec::new());
            for (n, length) in lengths.into_iter().enumerate() {
                let mut space = input.lend(&mut spare);
                if n == 0 && announced > 0 {
                    input.need(announced); // by the machine, on a command that arrived meanwhile
                }
                let (into, most) = space.parts();
                let bytes: Vec<u8> = (0..length.min(most)).map(|byte| (byte * (n + 7)) as u8).collect();
                into.put_slice(&bytes);
                sent.extend(bytes);
                assert!(input.take_back(space, &mut spare, false));
            }
            assert!(!input.is_filling());
            assert_eq!(input.waiting.contiguous(), sent);
            let space = input.lend(&mut spare);
            assert!(!input.take_back(space, &mut spare, false), "nothing was read");
        }
    }
}
