//! What a connection still owes its socket.
//!
//! ```text
//!        flushed                                          position
//! ---------|--------------- len ---------------------------|
//!          | segments: shared, in order | tail: copied bytes |
//! ```
//!
//! Short pieces are copied into the tail, so that a batch of small replies leaves in one write; segments from
//! [`Output::SHARE_FROM`] bytes are passed by reference. In steady state nothing here allocates: after a complete
//! flush the tail's memory is used again.
//!
//! Limits: `limit` bounds what bulk data may add ([`Output::room`]); control frames ignore it, their writers bound them.

use crate::IoBuf;
use bytes::{Buf, Bytes, BytesMut};
use std::{collections::VecDeque, io::IoSlice};

/// Bytes on their way out. Only the engine takes bytes off the front.
#[derive(Default)]
pub struct Output {
    segments: VecDeque<Bytes>,
    /// Sum of `segments`.
    shared: usize,
    tail: BytesMut,
    limit: usize,
    /// Bytes that have left to the socket since the connection began.
    flushed: u64,
}

impl Output {
    /// Segments shorter than this are copied: a reference costs more than the copy.
    pub const SHARE_FROM: usize = 1024;

    /// `limit`: bytes owed beyond which bulk data waits in the machine.
    pub fn new(limit: usize) -> Self {
        Output { limit, ..Default::default() }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.shared + self.tail.len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that bulk data may still add; control frames need not ask.
    #[inline]
    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.len())
    }

    /// Bytes that have left to the socket since the connection began.
    #[inline]
    pub fn flushed(&self) -> u64 {
        self.flushed
    }

    /// Stream position behind the last byte put; what has `flushed` past it has left.
    #[inline]
    pub fn position(&self) -> u64 {
        self.flushed + self.len() as u64
    }

    /// Copies `bytes`.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
    }

    /// The copied end, for writers that use `BufMut`. Only append to it.
    #[inline]
    pub fn tail(&mut self) -> &mut BytesMut {
        &mut self.tail
    }

    /// Appends by reference where that pays, by copy where it does not. Borrows: the caller keeps its buffer.
    #[inline]
    pub fn share(&mut self, bytes: &IoBuf) {
        for segment in bytes.segments() {
            if segment.len() < Self::SHARE_FROM {
                self.tail.extend_from_slice(segment);
            } else {
                self.push_segment(segment.clone());
            }
        }
    }

    /// Appends one segment, by reference where that pays.
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
            self.shared += tail.len();
            self.segments.push_back(tail);
        }
    }

    /// Fills `slices` with the front of what is owed and says how many were filled.
    pub fn io_slices<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let pieces = self.segments.iter().map(|s| &s[..]).chain(std::iter::once(&self.tail[..]));
        let mut n = 0;
        for (slot, piece) in slices.iter_mut().zip(pieces.filter(|p| !p.is_empty())) {
            *slot = IoSlice::new(piece);
            n += 1;
        }
        n
    }

    /// The whole of what is owed, if it is one piece.
    #[inline]
    pub fn as_slice(&self) -> Option<&[u8]> {
        self.segments.is_empty().then_some(&self.tail[..])
    }

    /// `n` bytes have left.
    ///
    /// # Panics
    /// If fewer were owed.
    #[inline]
    pub fn advance(&mut self, n: usize) {
        assert!(n <= self.len(), "{n} bytes left of {} owed", self.len());
        self.flushed += n as u64;
        if n == self.len() {
            self.segments.clear();
            self.shared = 0;
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
                return;
            }
            self.segments.pop_front();
        }
        self.tail.advance(n);
    }

    /// Gives back memory that a burst left behind; called when a connection goes idle.
    pub fn shrink(&mut self) {
        if self.is_empty() {
            self.tail = BytesMut::new();
            self.segments = VecDeque::new();
        }
    }

    /// Takes everything, for tests and in-memory use; counts it as flushed.
    pub fn take(&mut self) -> IoBuf {
        self.seal();
        self.flushed += self.shared as u64;
        self.shared = 0;
        let mut all = IoBuf::new();
        self.segments.drain(..).for_each(|s| all.push(s));
        all
    }
}
