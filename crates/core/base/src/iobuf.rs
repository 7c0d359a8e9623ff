//! A chain of shared byte segments.
//!
//! ```text
//! IoBuf (48 bytes)                       one segment: no allocation beyond it
//! +-------------+--------+-----+
//! | first Bytes | more   | len |
//! +-------------+---+----+-----+
//!                   `--> VecDeque<Bytes>  only once there is a second segment
//! ```
//!
//! Cutting and appending move references; bytes are copied only by
//! - [`IoBuf::peek`], where the range spans segments: each byte at most a constant number of times on
//!   average, however often and however far one peeks while the chain grows;
//! - [`IoBuf::push`] and [`IoBuf::append`], where two segments below [`IoBuf::SMALL`] bytes would meet. A
//!   segment costs 32 bytes and keeps all the memory alive that it was cut from; a peer that sends a body in
//!   chunks of one byte must not make us hold a hundred times what it sent;
//! - the functions that document it.
//!
//! Invariants: `len` is the sum of all segments; no segment is empty, except `first` when the whole chain is
//! empty.

use crate::Output;
use bytes::{Buf, Bytes, BytesMut};
use std::{collections::VecDeque, fmt, io::IoSlice, mem};

/// Bytes received or to be sent. Cloning shares them.
#[derive(Default)]
pub struct IoBuf {
    first: Bytes,
    more: More,
    len: usize,
}

/// The segments behind the first. Boxed: few chains have any, and an unboxed deque would make every chain 24
/// bytes longer.
#[derive(Default)]
#[allow(clippy::box_collection)]
struct More(Option<Box<VecDeque<Bytes>>>);

/// What drops them is a function of its own, so that whoever drops a chain only looks whether there are any.
impl Drop for More {
    #[inline]
    fn drop(&mut self) {
        #[inline(never)]
        #[allow(clippy::box_collection)]
        fn end(_: Box<VecDeque<Bytes>>) {}
        if let Some(segments) = self.0.take() {
            end(segments);
        }
    }
}

const _: () = assert!(size_of::<IoBuf>() <= 64);

impl IoBuf {
    /// Of two adjacent segments, at least one has this many bytes, unless the chain was built with
    /// `FromIterator`.
    pub const SMALL: usize = 256;

    pub const fn new() -> Self {
        IoBuf { first: Bytes::new(), more: More(None), len: 0 }
    }

    /// Copies `bytes` into one new segment.
    pub fn copy_from_slice(bytes: &[u8]) -> Self {
        Bytes::copy_from_slice(bytes).into()
    }

    /// Length of the whole chain in bytes. Constant time.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first segment: what can be read without copying.
    #[inline]
    pub fn front(&self) -> &[u8] {
        &self.first
    }

    /// The whole chain, if it is a single segment.
    #[inline]
    pub fn as_slice(&self) -> Option<&[u8]> {
        (self.first.len() == self.len).then_some(&self.first[..])
    }

    /// The segments in order, from either end; none of them is empty.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &Bytes> {
        (!self.first.is_empty())
            .then_some(&self.first)
            .into_iter()
            .chain(self.more.0.iter().flat_map(|m| m.iter()))
    }

    /// Adds a segment at the end. Two small segments are joined into one.
    #[inline]
    pub fn push(&mut self, segment: Bytes) {
        if segment.is_empty() {
            // Dropped: an empty segment would keep its memory alive.
        } else if self.is_empty() {
            (self.len, self.first) = (segment.len(), segment);
        } else {
            self.push_behind(segment);
        }
    }

    fn push_behind(&mut self, segment: Bytes) {
        self.len += segment.len();
        let last = self.more.0.as_mut().and_then(|more| more.back_mut()).unwrap_or(&mut self.first);
        if segment.len() < Self::SMALL && last.len() < Self::SMALL {
            *last = [&last[..], &segment].concat().into();
        } else {
            self.more.0.get_or_insert_default().push_back(segment);
        }
    }

    /// Moves all segments of `other` to the end of this chain.
    pub fn append(&mut self, mut other: IoBuf) {
        if self.is_empty() {
            *self = other;
            return;
        }
        self.len += other.len - other.first.len();
        self.push(other.first);
        if let Some(theirs) = &mut other.more.0 {
            self.more.0.get_or_insert_default().append(theirs);
        }
    }

    /// Keeps `what` until a segment and all that shares its memory is dropped: the last one that an
    /// [`Output`] does not copy, if there is any. At once if the chain is empty.
    pub fn keep(&mut self, what: impl Send + 'static) {
        if self.is_empty() {
            return;
        }
        let is_shared = |segment: &Bytes| segment.len() >= Output::SHARE_FROM;
        let behind = self.more.0.as_mut().and_then(|more| {
            let at = more.iter().rposition(is_shared);
            let none = at.is_none() && !is_shared(&self.first);
            at.or(more.len().checked_sub(1).filter(|_| none)).and_then(|at| more.get_mut(at))
        });
        let kept = behind.unwrap_or(&mut self.first);
        *kept = Bytes::from_owner(Keeping { bytes: mem::take(kept), _what: what });
    }

    /// Splits off the first `n` bytes, sharing their memory.
    ///
    /// # Panics
    /// If there are fewer than `n` bytes.
    #[inline]
    pub fn cut(&mut self, n: usize) -> IoBuf {
        assert!(n <= self.len, "cut of {n} from {} bytes", self.len);
        if n < self.first.len() {
            self.len -= n;
            return self.first.split_to(n).into();
        }
        if n == self.len {
            return mem::take(self);
        }
        self.cut_across(n)
    }

    #[cold]
    fn cut_across(&mut self, n: usize) -> IoBuf {
        let (mut taken, mut left) = (IoBuf::new(), n);
        while left > 0 {
            let k = left.min(self.first.len());
            taken.push(self.first.split_to(k));
            self.len -= k;
            left -= k;
            self.shift();
        }
        taken
    }

    /// Drops the first `n` bytes.
    ///
    /// # Panics
    /// If there are fewer than `n` bytes.
    #[inline]
    pub fn advance(&mut self, n: usize) {
        assert!(n <= self.len, "advance of {n} in {} bytes", self.len);
        self.len -= n;
        let mut left = n;
        while left > 0 {
            let k = left.min(self.first.len());
            self.first.advance(k);
            left -= k;
            self.shift();
        }
        if self.len == 0 {
            self.first = Bytes::new(); // an empty slice would keep its memory alive
        }
    }

    /// Keeps the first `n` bytes; nothing happens if there are fewer.
    pub fn truncate(&mut self, n: usize) {
        if n < self.len {
            *self = self.cut(n);
        }
    }

    /// The first `n` bytes as one slice, or `None` if there are fewer. Copies only if they span segments, and
    /// then once.
    #[inline]
    pub fn peek(&mut self, n: usize) -> Option<&[u8]> {
        if self.len < n {
            return None;
        }
        if self.first.len() < n {
            self.gather(n);
        }
        Some(&self.first[..n])
    }

    /// The whole chain as one slice; copies if there is more than one segment.
    #[inline]
    pub fn contiguous(&mut self) -> &[u8] {
        self.peek(self.len).expect("asked for what is here")
    }

    /// The whole chain as one segment; copies if there is more than one.
    #[inline]
    pub fn into_bytes(mut self) -> Bytes {
        self.contiguous();
        self.first
    }

    /// Makes the first `n` bytes one segment. If the first segment's memory is not shared, the others are
    /// copied after it, into memory that grows by doubling: peeking at a chain that grows by a byte at a time
    /// stays linear.
    #[cold]
    fn gather(&mut self, n: usize) {
        let mut joined = mem::take(&mut self.first).try_into_mut().unwrap_or_else(|shared| {
            let mut copy = BytesMut::with_capacity(n);
            copy.extend_from_slice(&shared);
            copy
        });
        joined.reserve(n - joined.len());
        let more = self.more.0.as_mut().expect("the chain is longer than its first segment");
        while joined.len() < n {
            let next = more.front_mut().expect("`n` bytes are here");
            let k = next.len().min(n - joined.len());
            joined.extend_from_slice(&next[..k]);
            next.advance(k);
            if next.is_empty() {
                more.pop_front();
            }
        }
        self.first = joined.freeze();
    }

    fn shift(&mut self) {
        if self.first.is_empty()
            && let Some(next) = self.more.0.as_mut().and_then(|more| more.pop_front())
        {
            self.first = next;
        }
    }

    /// A copy in one segment of exactly its length, which keeps no other memory alive. Use it for bytes that
    /// outlive the tick in which they were read, because a few bytes that are a part of a read buffer keep
    /// all of that buffer alive.
    pub fn detached(&self) -> IoBuf {
        self.to_vec().into()
    }

    /// Moves everything to the front of an empty buffer of `capacity` bytes, or of the chain's length if that
    /// is more: the rest of a long message can then be read directly after it.
    pub fn take_into_buffer(&mut self, capacity: usize) -> BytesMut {
        let all = mem::take(self);
        let mut buffer = BytesMut::with_capacity(capacity.max(all.len));
        all.segments().for_each(|s| buffer.extend_from_slice(s));
        buffer
    }

    /// Copies everything into a vector.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut copy = Vec::with_capacity(self.len);
        self.segments().for_each(|s| copy.extend_from_slice(s));
        copy
    }

    /// Fills `slices` with the front of the chain and returns how many were filled.
    pub fn io_slices<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let mut n = 0;
        for (slot, segment) in slices.iter_mut().zip(self.segments()) {
            *slot = IoSlice::new(segment);
            n += 1;
        }
        n
    }
}

/// A segment, and what is dropped after it.
struct Keeping<T> {
    bytes: Bytes,
    _what: T,
}

impl<T> AsRef<[u8]> for Keeping<T> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Clone for IoBuf {
    fn clone(&self) -> Self {
        // A deque that ran empty is kept for the next segment, but is not worth an allocation in the copy.
        let more = self.more.0.as_ref().filter(|more| !more.is_empty()).cloned();
        IoBuf { first: self.first.clone(), more: More(more), len: self.len }
    }
}
/// A chain of exactly these segments, however small; empty ones are left out.
impl FromIterator<Bytes> for IoBuf {
    fn from_iter<I: IntoIterator<Item = Bytes>>(segments: I) -> Self {
        let mut segments = segments.into_iter().filter(|s| !s.is_empty());
        let first = segments.next().unwrap_or_default();
        let more: VecDeque<Bytes> = segments.collect();
        let len = first.len() + more.iter().map(Bytes::len).sum::<usize>();
        IoBuf { first, more: More((!more.is_empty()).then(|| Box::new(more))), len }
    }
}
impl From<Bytes> for IoBuf {
    #[inline]
    fn from(segment: Bytes) -> Self {
        IoBuf { len: segment.len(), first: segment, more: More(None) }
    }
}
impl From<Vec<u8>> for IoBuf {
    #[inline]
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}
impl From<BytesMut> for IoBuf {
    fn from(bytes: BytesMut) -> Self {
        bytes.freeze().into()
    }
}
impl From<&'static [u8]> for IoBuf {
    fn from(bytes: &'static [u8]) -> Self {
        Bytes::from_static(bytes).into()
    }
}
impl From<&'static str> for IoBuf {
    fn from(text: &'static str) -> Self {
        Bytes::from_static(text.as_bytes()).into()
    }
}
impl From<String> for IoBuf {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}
impl PartialEq<[u8]> for IoBuf {
    fn eq(&self, other: &[u8]) -> bool {
        let mut rest = other;
        self.len == other.len()
            && self.segments().all(|s| {
                let (head, tail) = rest.split_at(s.len());
                rest = tail;
                head == &s[..]
            })
    }
}
impl PartialEq<&[u8]> for IoBuf {
    fn eq(&self, other: &&[u8]) -> bool {
        *self == **other
    }
}
impl PartialEq for IoBuf {
    fn eq(&self, other: &IoBuf) -> bool {
        self.len == other.len
            && self.segments().flat_map(|s| s.iter()).eq(other.segments().flat_map(|s| s.iter()))
    }
}
impl fmt::Debug for IoBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IoBuf({} bytes: ", self.len)?;
        let mut left = 64;
        for segment in self.segments() {
            let shown = &segment[..segment.len().min(left)];
            write!(f, "{}", shown.escape_ascii())?;
            left -= shown.len();
        }
        f.write_str(if self.len > 64 { "…)" } else { ")" })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Operations on a chain; numbers are reduced modulo the valid range.
    #[derive(Clone, Debug)]
    enum Op {
        Push(Vec<u8>),
        /// Appends a chain of segments built separately.
        Append(Vec<Vec<u8>>),
        Cut(usize),
        Advance(usize),
        Truncate(usize),
        Peek(usize),
        CutAndAppend(usize),
        Clone,
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..4),
            prop::collection::vec(any::<u8>(), IoBuf::SMALL - 2..IoBuf::SMALL + 2),
            prop::collection::vec(any::<u8>(), 0..600),
        ]
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            4 => bytes().prop_map(Op::Push),
            2 => prop::collection::vec(bytes(), 0..4).prop_map(Op::Append),
            2 => any::<usize>().prop_map(Op::Cut),
            2 => any::<usize>().prop_map(Op::Advance),
            1 => any::<usize>().prop_map(Op::Truncate),
            3 => any::<usize>().prop_map(Op::Peek),
            1 => any::<usize>().prop_map(Op::CutAndAppend),
            1 => Just(Op::Clone),
        ]
    }

    #[test]
    fn what_a_chain_keeps_goes_with_the_last_of_its_bytes() {
        let kept = std::sync::Arc::new(());
        let keeps = || std::sync::Arc::strong_count(&kept) == 2;
        for pieces in [vec![vec![1; 500]], vec![vec![1; 500], vec![2; 10], vec![3; 500]]] {
            let mut buf = apart(&pieces);
            let bytes = buf.to_vec();
            buf.keep(kept.clone());
            check(&buf, &bytes);
            let mut copy = buf.clone();
            drop(buf);
            drop(copy.cut(copy.len() - 1));
            assert!(keeps());
            drop(copy);
            assert!(!keeps());
        }
        IoBuf::new().keep(kept.clone());
        assert!(!keeps());
        // An output copies the short end, and has the long begin for as long as it is not sent.
        let mut buf = IoBuf::from(vec![1; Output::SHARE_FROM]);
        buf.push(Bytes::from(vec![2; IoBuf::SMALL]));
        assert_eq!(buf.segments().count(), 2);
        buf.keep(kept.clone());
        let long = buf.cut(Output::SHARE_FROM);
        drop(buf);
        assert!(keeps());
        drop(long);
        assert!(!keeps());
    }

    fn apart(pieces: &[Vec<u8>]) -> IoBuf {
        pieces.iter().map(|p| Bytes::copy_from_slice(p)).collect()
    }

    fn check(buf: &IoBuf, model: &[u8]) {
        assert_eq!(buf.to_vec(), model);
        assert_eq!((buf.len(), buf.is_empty()), (model.len(), model.is_empty()));
        assert_eq!(buf.segments().map(Bytes::len).sum::<usize>(), model.len());
        assert!(buf.segments().all(|s| !s.is_empty()));
        assert!(model.starts_with(buf.front()) && (model.is_empty() || !buf.front().is_empty()));
        assert_eq!(buf.as_slice().is_some(), buf.segments().count() <= 1);
        assert!(*buf == *model);
        let mut slices = [IoSlice::new(&[]); 3];
        let n = buf.io_slices(&mut slices);
        assert_eq!(n, buf.segments().count().min(3));
        assert!(model.starts_with(&slices[..n].iter().flat_map(|s| s.to_vec()).collect::<Vec<_>>()));
    }

    proptest! {
        #[test]
        fn does_what_a_vec_does(ops in prop::collection::vec(op(), 0..40)) {
            let (mut buf, mut model) = (IoBuf::new(), Vec::new());
            // keeps segments shared, and shows that later operations do not change them
            let mut others = Vec::new();
            for op in ops {
                let size = model.len() + 1;
                match op {
                    Op::Push(bytes) => {
                        buf.push(bytes.clone().into());
                        model.extend(bytes);
                    }
                    Op::Append(pieces) => {
                        buf.append(apart(&pieces));
                        model.extend(pieces.concat());
                    }
                    Op::Cut(n) => {
                        let taken = buf.cut(n % size);
                        let expected: Vec<u8> = model.drain(..n % size).collect();
                        others.push((taken, expected));
                    }
                    Op::Advance(n) => {
                        buf.advance(n % size);
                        model.drain(..n % size);
                    }
                    Op::Truncate(n) => {
                        buf.truncate(n % (size + 5));
                        model.truncate(n % (size + 5));
                    }
                    Op::Peek(n) => {
                        let n = n % (size + 5);
                        assert_eq!(buf.peek(n), model.get(..n));
                    }
                    Op::CutAndAppend(n) => {
                        let front = buf.cut(n % size);
                        buf.append(front);
                        model.rotate_left(n % size);
                    }
                    Op::Clone => others.push((buf.clone(), model.clone())),
                }
                check(&buf, &model);
            }
            others.iter().for_each(|(buf, model)| check(buf, model));
            check(&buf.detached(), &model);
            prop_assert_eq!(&buf.clone().into_bytes()[..], &model[..]);
            prop_assert_eq!(buf.contiguous(), &model[..]);
        }

        #[test]
        fn equality_does_not_see_segments(pieces in prop::collection::vec(bytes(), 0..5)) {
            let (many, one) = (apart(&pieces), IoBuf::from(pieces.concat()));
            prop_assert_eq!(&many, &one);
            prop_assert_eq!(many.segments().count(), pieces.iter().filter(|p| !p.is_empty()).count());
        }
    }

    #[test]
    fn a_body_pushed_byte_by_byte_stays_in_few_segments() {
        let source = Bytes::from(vec![7; 100_000]);
        let mut buf = IoBuf::new();
        (0..source.len()).for_each(|i| buf.push(source.slice(i..i + 1)));
        assert_eq!(buf.len(), source.len());
        assert!(buf.segments().count() <= source.len() / IoBuf::SMALL + 1);
        let mut appended = IoBuf::new();
        (0..source.len()).for_each(|i| appended.append(source.slice(i..i + 1).into()));
        assert!(appended.segments().count() <= source.len() / IoBuf::SMALL + 1);
    }

    #[test]
    fn small_segments_do_not_keep_the_buffer_they_were_cut_from() {
        let mut source = BytesMut::with_capacity(64 << 10);
        source.extend_from_slice(b"0123456789");
        let mut source = source.freeze();
        let mut buf = IoBuf::from(source.split_to(3));
        buf.push(source.split_to(3));
        assert!(source.is_unique(), "what was pushed is copied out");
    }

    #[test]
    fn long_segments_are_shared_and_not_copied() {
        let long = Bytes::from(vec![1; 1000]);
        let mut buf = IoBuf::from("short");
        buf.push(long.clone());
        assert_eq!(buf.segments().nth(1).map(|s| s.as_ptr()), Some(long.as_ptr()));
        let mut taken = buf.cut(505);
        taken.advance(5);
        assert_eq!(taken.front().as_ptr(), long.as_ptr());
    }

    #[test]
    fn peeking_at_a_growing_chain_moves_its_memory_seldom() {
        let (mut buf, mut moves, mut at) = (IoBuf::new(), 0, std::ptr::null());
        for i in 0..50_000 {
            buf.push(Bytes::copy_from_slice(&[i as u8]));
            assert_eq!(buf.contiguous().len(), i + 1);
            if i >= IoBuf::SMALL && buf.front().as_ptr() != at {
                (moves, at) = (moves + 1, buf.front().as_ptr());
            }
        }
        assert!(moves <= 32, "moved {moves} times: peeking is not linear");
    }

    #[test]
    fn an_emptied_chain_lets_go_of_its_memory() {
        let segment = Bytes::from(vec![1; 1000]);
        let mut buf = IoBuf::from(segment.clone());
        buf.advance(1000);
        assert!(segment.is_unique());
        let mut buf = IoBuf::from(segment.clone());
        drop(buf.cut(1000));
        assert!(segment.is_unique() && buf.is_empty());
    }

    #[test]
    fn a_long_message_continues_in_a_buffer_of_its_size() {
        let mut buf = apart(&[b"head".to_vec(), b"er".to_vec()]);
        let buffer = buf.take_into_buffer(1_000_000);
        assert_eq!((&buffer[..], buffer.capacity(), buf.len()), (&b"header"[..], 1_000_000, 0));
        assert_eq!(IoBuf::from("abc").take_into_buffer(0), b"abc"[..]);
    }

    #[test]
    fn an_empty_push_does_not_keep_memory_alive() {
        let segment = Bytes::from(vec![1; 10]);
        let mut buf = IoBuf::new();
        buf.push(segment.slice(3..3));
        assert!(buf.is_empty() && segment.is_unique());
    }

    #[test]
    #[should_panic(expected = "cut of 4 from 3 bytes")]
    fn more_than_there_is_cannot_be_cut() {
        let _ = IoBuf::from("abc").cut(4);
    }

    #[test]
    fn debug_shows_the_front_as_text() {
        assert_eq!(format!("{:?}", IoBuf::from("a\n")), "IoBuf(2 bytes: a\\n)");
        assert!(format!("{:?}", IoBuf::from(vec![b'x'; 65])).ends_with("x…)"));
        assert!(format!("{:?}", IoBuf::from(vec![b'x'; 64])).ends_with("x)"));
    }
}
