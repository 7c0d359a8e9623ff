//! Bytes that a connection still has to write to its socket.
//!
//! ```text
//!        flushed                                          position
//! ---------|--------------- len ---------------------------|
//!          | segments: shared, in order | tail: copied bytes |
//! ```
//!
//! Short pieces are copied into the tail, so that a batch of small replies is sent in one write; segments
//! from [`Output::SHARE_FROM`] bytes are passed by reference. In steady state nothing here allocates: after a
//! complete flush the tail's memory is used again, by this output or by another one that is lent it.
//!
//! Limits: `limit` applies to bulk data ([`Output::room`]). Control frames ignore it; their writers limit
//! them.

use crate::IoBuf;
use bytes::{Buf, Bytes, BytesMut};
use std::{collections::VecDeque, io::IoSlice};

/// Bytes that are not written yet. Only the engine takes bytes off the front.
pub struct Output {
    segments: VecDeque<Bytes>,
    /// The total length of `segments`.
    shared: usize,
    tail: BytesMut,
    /// Number of unsent bytes from which `room` is 0.
    limit: usize,
    /// Bytes that were written to the socket since the connection began.
    flushed: u64,
    /// The number of unsent bytes that may wait to be sent with later ones; 0 once some were sent.
    deferred: usize,
    /// Whether the tail was cut or partly sent, so that its capacity is less than its memory.
    worn: bool,
    /// The sent bytes of the first segment, or of the tail; their memory is freed with the rest of it.
    partly: usize,
}

impl Output {
    /// Segments shorter than this many bytes are copied: a reference costs more than the copy.
    pub const SHARE_FROM: usize = 1024;
    /// Capacity for segments that is kept when nothing is unsent.
    const KEPT_SEGMENTS: usize = 64;

    /// An empty output. With `limit` or more unsent bytes, bulk data waits in the machine.
    pub fn new(limit: usize) -> Self {
        Output {
            segments: VecDeque::new(),
            shared: 0,
            tail: BytesMut::new(),
            limit,
            flushed: 0,
            deferred: 0,
            worn: false,
            partly: 0,
        }
    }

    /// The memory in bytes that the unsent bytes keep alive: for a segment that was sent in part, all of it.
    #[inline]
    pub fn memory(&self) -> usize {
        self.len() + self.partly
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.shared + self.tail.len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that bulk data may still add. Control frames need not check it.
    #[inline]
    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.len())
    }

    /// Bytes that were written to the socket since the connection began.
    #[inline]
    pub fn flushed(&self) -> u64 {
        self.flushed
    }

    /// Position in the stream after the last byte appended; once `flushed` reaches it, all of them were
    /// written.
    #[inline]
    pub fn position(&self) -> u64 {
        self.flushed + self.len() as u64
    }

    /// Appends a copy of `bytes`.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
    }

    /// Appends an acknowledgement that the peer does not wait for. It may be held for one turn of the
    /// connection, to be sent in one write with the reply that a handler is about to return.
    pub fn defer<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.position();
        let result = write(self);
        self.deferred += (self.position() - before) as usize;
        result
    }

    /// Whether all unsent bytes may wait for one more turn.
    #[inline]
    pub fn can_wait(&self) -> bool {
        self.deferred > 0 && self.deferred == self.len()
    }

    /// The tail of copied bytes, for writers that use `BufMut`. Only append to it.
    #[inline]
    pub fn tail(&mut self) -> &mut BytesMut {
        &mut self.tail
    }

    /// The last `n` bytes, to be overwritten; `None` unless they were copied and none of them was sent.
    #[inline]
    pub fn end_mut(&mut self, n: usize) -> Option<&mut [u8]> {
        let start = self.tail.len().checked_sub(n)?;
        Some(&mut self.tail[start..])
    }

    /// Appends a chain, by reference where that is cheaper and otherwise by copy. The caller keeps its
    /// buffer.
    #[inline]
    pub fn share(&mut self, bytes: &IoBuf) {
        match bytes.as_slice() {
            Some(short) if short.len() < Self::SHARE_FROM => self.tail.extend_from_slice(short),
            _ => bytes.segments().for_each(|segment| self.push(segment.clone())),
        }
    }

    /// Appends one segment, by reference where that is cheaper.
    pub fn push(&mut self, segment: Bytes) {
        if segment.len() < Self::SHARE_FROM {
            self.tail.extend_from_slice(&segment);
        } else {
            self.push_segment(segment);
        }
    }

    fn push_segment(&mut self, segment: Bytes) {
        self.seal();
        self.shared += segment.len();
        self.segments.push_back(segment);
    }

    fn seal(&mut self) {
        if !self.tail.is_empty() {
            let tail = self.tail.split().freeze();
            self.worn = true;
            self.shared += tail.len();
            self.segments.push_back(tail);
        }
    }

    /// Fills `slices` with the front of the unsent bytes and returns how many were filled.
    pub fn io_slices<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let pieces = self.segments.iter().map(|s| &s[..]).chain(std::iter::once(&self.tail[..]));
        let mut n = 0;
        for (slot, piece) in slices.iter_mut().zip(pieces.filter(|p| !p.is_empty())) {
            *slot = IoSlice::new(piece);
            n += 1;
        }
        n
    }

    /// All unsent bytes as one slice, if they are one copied piece. A segment that is held by reference does
    /// not count, even alone.
    #[inline]
    pub fn as_slice(&self) -> Option<&[u8]> {
        self.segments.is_empty().then_some(&self.tail[..])
    }

    /// Notes that `n` bytes were written.
    ///
    /// # Panics
    /// If fewer were unsent.
    #[inline]
    pub fn advance(&mut self, n: usize) {
        assert!(n <= self.len(), "{n} bytes left of {} owed", self.len());
        self.flushed += n as u64;
        self.deferred = 0;
        if n == self.len() {
            self.segments.clear();
            (self.shared, self.partly) = (0, 0);
            self.tail.clear(); // keeps its memory for the next batch
            return;
        }
        self.advance_within(n);
    }

    #[cold]
    fn advance_within(&mut self, mut n: usize) {
        while let Some(front) = self.segments.front_mut() {
            let k = n.min(front.len());
            front.advance(k);
            self.shared -= k;
            n -= k;
            if !front.is_empty() {
                self.partly += k;
                return;
            }
            self.partly = 0;
            self.segments.pop_front();
        }
        if n > 0 {
            self.tail.advance(n);
            self.partly += n;
            self.worn = true;
        }
    }

    /// Discards the unsent bytes from this position of the stream on.
    #[cold]
    pub fn truncate(&mut self, position: u64) {
        let keep = position.saturating_sub(self.flushed) as usize;
        if keep >= self.len() {
            return;
        }
        self.deferred = 0;
        self.tail.truncate(keep.saturating_sub(self.shared));
        while keep < self.shared {
            let Some(mut last) = self.segments.pop_back() else { break };
            self.shared -= last.len();
            if self.shared < keep {
                last.truncate(keep - self.shared);
                self.push_segment(last);
            }
        }
        if self.is_empty() {
            self.partly = 0;
        }
    }

    /// Takes the tail's memory once nothing is unsent, for the next output that writes: an idle connection
    /// needs none. Returns an empty buffer if there is none, or if it is larger than `most` bytes.
    #[inline]
    pub fn take_memory(&mut self, most: usize) -> BytesMut {
        if !self.is_empty() {
            return BytesMut::new();
        }
        if self.segments.capacity() > Self::KEPT_SEGMENTS {
            self.segments = VecDeque::new();
        }
        let mut memory = std::mem::take(&mut self.tail);
        if std::mem::take(&mut self.worn) {
            // parts that were cut off are free: recovers the whole buffer
            let _ = memory.try_reclaim(memory.capacity() + 1);
        }
        if memory.capacity() > most { BytesMut::new() } else { memory }
    }

    /// Lends memory for bytes that will be copied; without effect if there are unsent bytes.
    #[inline]
    pub fn lend_memory(&mut self, memory: BytesMut) {
        if self.is_empty() && memory.is_empty() {
            self.tail = memory;
            self.worn = false;
        }
    }

    /// Releases memory that a burst needed; called when a connection becomes idle.
    pub fn shrink(&mut self) {
        if self.is_empty() {
            (self.tail, self.worn) = (BytesMut::new(), false);
            self.segments = VecDeque::new();
        }
    }

    /// Takes everything, for tests and in-memory use; it counts as written.
    pub fn take(&mut self) -> IoBuf {
        self.seal();
        self.flushed += self.shared as u64;
        (self.shared, self.deferred, self.partly) = (0, 0, 0);
        let mut all = IoBuf::new();
        self.segments.drain(..).for_each(|s| all.push(s));
        all
    }
}

/// An output without a limit.
impl Default for Output {
    fn default() -> Self {
        Output::new(usize::MAX)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use bytes::BufMut;
    use proptest::prelude::*;

    #[test]
    fn what_was_sent_in_part_keeps_its_memory() {
        let mut out = Output::default();
        out.push(Bytes::from(vec![1; 5000]));
        out.push(Bytes::from(vec![2; 3000]));
        out.advance(4000);
        assert_eq!((out.len(), out.memory()), (4000, 8000));
        out.advance(2000);
        assert_eq!((out.len(), out.memory()), (2000, 3000));
        out.advance(2000);
        assert_eq!((out.len(), out.memory()), (0, 0));
    }

    #[derive(Clone, Debug)]
    enum Op {
        Put(usize),
        PutInTail(usize),
        Share(Vec<usize>),
        Push(usize),
        /// Writes this share of the unsent bytes, in 256ths; 256 is a complete flush.
        Advance(usize),
        /// Keeps this share of the unsent bytes.
        Truncate(usize),
        Take,
        Shrink,
        /// Takes the memory and lends it again, unless there is too much of it.
        Lend(usize),
    }

    fn op() -> impl Strategy<Value = Op> {
        let size = || prop_oneof![0..20usize, 1000..1030usize, 0..5000usize];
        prop_oneof![
            size().prop_map(Op::Put),
            size().prop_map(Op::PutInTail),
            prop::collection::vec(size(), 0..4).prop_map(Op::Share),
            size().prop_map(Op::Push),
            (0..=256usize).prop_map(Op::Advance),
            Just(Op::Advance(256)),
            (0..=256usize).prop_map(Op::Truncate),
            Just(Op::Take),
            Just(Op::Shrink),
            (0..10_000usize).prop_map(Op::Lend),
        ]
    }

    fn owed(out: &Output) -> Vec<u8> {
        let mut slices = [IoSlice::new(&[]); 512];
        let n = out.io_slices(&mut slices);
        assert!(n < slices.len() && slices[..n].iter().all(|s| !s.is_empty()));
        slices[..n].iter().flat_map(|s| s.to_vec()).collect()
    }

    proptest! {
        #[test]
        fn does_what_a_vec_does(ops in prop::collection::vec(op(), 0..60), limit in 0..20_000usize) {
            let (mut out, mut model, mut flushed, mut next) = (Output::new(limit), Vec::new(), 0, 0u8);
            let mut make = |n: usize| -> Vec<u8> {
                (0..n).map(|_| { next = next.wrapping_add(1); next }).collect()
            };
            for op in ops {
                match op {
                    Op::Put(n) => {
                        let bytes = make(n);
                        out.put(&bytes);
                        model.extend(bytes);
                    }
                    Op::PutInTail(n) => {
                        let bytes = make(n);
                        out.tail().put_slice(&bytes);
                        model.extend(bytes);
                    }
                    Op::Share(sizes) => {
                        let pieces: Vec<_> = sizes.into_iter().map(&mut make).collect();
                        out.share(&pieces.iter().map(|p| Bytes::copy_from_slice(p)).collect());
                        model.extend(pieces.concat());
                    }
                    Op::Push(n) => {
                        let bytes = make(n);
                        out.push(bytes.clone().into());
                        model.extend(bytes);
                    }
                    Op::Advance(share) => {
                        let n = model.len() * share / 256;
                        out.advance(n);
                        model.drain(..n);
                        flushed += n;
                    }
                    Op::Truncate(share) => {
                        model.truncate(model.len() * share / 256);
                        out.truncate((flushed + model.len()) as u64);
                    }
                    Op::Take => {
                        prop_assert_eq!(out.take().to_vec(), &model[..]);
                        flushed += model.len();
                        model.clear();
                    }
                    Op::Shrink => out.shrink(),
                    Op::Lend(most) => {
                        let mut memory = out.take_memory(most);
                        prop_assert!(memory.is_empty() && memory.capacity() <= most);
                        prop_assert!(!memory.try_reclaim(most + 1), "all of it is counted");
                        prop_assert!(!out.is_empty() || out.tail.capacity() == 0, "whoever owes nothing keeps none");
                        out.lend_memory(memory);
                    }
                }
                prop_assert_eq!(owed(&out), &model[..]);
                prop_assert_eq!((out.len(), out.is_empty()), (model.len(), model.is_empty()));
                prop_assert_eq!(out.flushed(), flushed as u64);
                prop_assert_eq!(out.position(), (flushed + model.len()) as u64);
                prop_assert_eq!(out.room(), limit.saturating_sub(model.len()));
                prop_assert!(out.as_slice().is_none_or(|s| s == model));
            }
        }
    }

    #[test]
    fn small_replies_leave_in_one_piece_and_long_ones_are_not_copied() {
        let mut out = Output::new(1 << 20);
        let long = Bytes::from(vec![1; Output::SHARE_FROM]);
        out.put(b"head");
        out.share(&IoBuf::from("body"));
        assert_eq!(out.as_slice(), Some(&b"headbody"[..]));
        out.share(&long.clone().into());
        out.put(b"next");
        let mut slices = [IoSlice::new(&[]); 8];
        assert_eq!(out.io_slices(&mut slices), 3);
        assert_eq!(slices[1].as_ptr(), long.as_ptr());
    }

    #[test]
    fn acknowledgements_can_wait_until_something_else_is_said() {
        let mut out = Output::new(1 << 20);
        assert!(!out.can_wait(), "there is nothing");
        out.defer(|out| out.put(b"ack"));
        out.defer(|out| out.put(b"ack"));
        assert!(out.can_wait());
        out.put(b"answer");
        assert!(!out.can_wait());
        out.advance(7);
        out.defer(|out| out.put(b"ack"));
        assert!(!out.can_wait(), "the rest of the answer has not left");
        out.advance(out.len());
        out.defer(|out| out.put(b"ack"));
        assert!(out.can_wait());
        out.take();
        assert!(!out.can_wait());
    }

    #[test]
    fn steady_batches_use_the_same_memory() {
        let mut out = Output::new(1 << 20);
        out.put(&[0; 4000]);
        let memory = out.as_slice().map(<[u8]>::as_ptr);
        for _ in 0..100 {
            out.advance(out.len());
            (0..40).for_each(|_| out.put(&[0; 100]));
            assert_eq!(out.as_slice().map(<[u8]>::as_ptr), memory);
        }
    }

    #[test]
    fn what_has_left_is_let_go() {
        let mut out = Output::new(1 << 20);
        let long = Bytes::from(vec![1; 5000]);
        out.share(&long.clone().into());
        out.put(b"tail");
        out.advance(4999);
        assert!(!long.is_unique());
        out.advance(1);
        assert!(long.is_unique());
        assert_eq!(out.len(), 4);
    }

    #[test]
    fn partial_flushes_of_a_long_tail_cost_no_copy_each() {
        let mut out = Output::new(1 << 20);
        out.put(&[0; 100_000]);
        let end = out.as_slice().map(|s| s.as_ptr_range().end);
        (0..1000).for_each(|_| out.advance(99));
        assert_eq!(out.as_slice().map(|s| s.as_ptr_range().end), end);
    }

    #[test]
    #[should_panic(expected = "5 bytes left of 4 owed")]
    fn more_than_is_owed_cannot_leave() {
        let mut out = Output::new(10);
        out.put(b"four");
        out.advance(5);
    }
}
