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
//! Cutting and appending move references; bytes are copied only by [`IoBuf::peek`] when the asked range straddles
//! segments, and by the functions that say so in their name.
//!
//! Invariants: `len` is the sum of all segments; no segment is empty, except `first` when the whole chain is empty.

use bytes::{Buf, Bytes, BytesMut};
use std::{collections::VecDeque, fmt, io::IoSlice};

/// Bytes received or to be sent. Cloning shares them.
#[derive(Default, Clone)]
pub struct IoBuf {
    first: Bytes,
    // Boxed: few chains have a second segment, and a bare deque would make every chain 24 bytes longer.
    #[allow(clippy::box_collection)]
    more: Option<Box<VecDeque<Bytes>>>,
    len: usize,
}

const _: () = assert!(size_of::<IoBuf>() <= 64);

impl IoBuf {
    pub const fn new() -> Self {
        IoBuf { first: Bytes::new(), more: None, len: 0 }
    }

    /// Copies `bytes` into one new segment.
    pub fn copy_from_slice(bytes: &[u8]) -> Self {
        Bytes::copy_from_slice(bytes).into()
    }

    /// Bytes in the whole chain. Constant time.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first segment: what can be looked at without moving anything.
    #[inline]
    pub fn front(&self) -> &[u8] {
        &self.first
    }

    /// The whole chain, if it is one segment.
    #[inline]
    pub fn as_slice(&self) -> Option<&[u8]> {
        (self.first.len() == self.len).then_some(&self.first[..])
    }

    /// The segments in order, from either end; none of them is empty.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &Bytes> {
        (!self.first.is_empty())
            .then_some(&self.first)
            .into_iter()
            .chain(self.more.iter().flat_map(|m| m.iter()))
    }

    /// Adds a segment behind the others.
    #[inline]
    pub fn push(&mut self, segment: Bytes) {
        if segment.is_empty() {
            return;
        }
        self.len += segment.len();
        if self.first.is_empty() {
            self.first = segment;
        } else {
            self.more.get_or_insert_default().push_back(segment);
        }
    }

    /// Moves all segments of `other` behind ours.
    pub fn append(&mut self, mut other: IoBuf) {
        self.push(std::mem::take(&mut other.first));
        for segment in other.more.into_iter().flat_map(|more| *more) {
            self.push(segment);
        }
    }

    /// Takes the first `n` bytes off, sharing their memory.
    ///
    /// # Panics
    /// If fewer than `n` bytes are here.
    #[inline]
    pub fn cut(&mut self, n: usize) -> IoBuf {
        assert!(n <= self.len, "cut of {n} from {} bytes", self.len);
        if n < self.first.len() {
            self.len -= n;
            return self.first.split_to(n).into();
        }
        if n == self.len {
            return std::mem::take(self);
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
    /// If fewer than `n` bytes are here.
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
            self.first = Bytes::new(); // an empty slice would keep its segment alive
        }
    }

    /// Keeps the first `n` bytes; nothing happens if there are fewer.
    pub fn truncate(&mut self, n: usize) {
        if n < self.len {
            *self = self.cut(n);
        }
    }

    /// The first `n` bytes in one piece, or `None` if fewer are here. Copies only what straddles segments, once.
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

    /// Everything in one piece; copies if there is more than one segment.
    pub fn contiguous(&mut self) -> &[u8] {
        self.peek(self.len).expect("asked for what is here")
    }

    /// Everything as one segment; copies if there is more than one.
    pub fn into_bytes(mut self) -> Bytes {
        self.contiguous();
        self.first
    }

    #[cold]
    fn gather(&mut self, n: usize) {
        let mut joined = BytesMut::with_capacity(n);
        let head = self.cut(n);
        head.segments().for_each(|s| joined.extend_from_slice(s));
        let rest = std::mem::take(self);
        self.push(joined.freeze());
        self.append(rest);
    }

    fn shift(&mut self) {
        if self.first.is_empty()
            && let Some(next) = self.more.as_mut().and_then(|more| more.pop_front())
        {
            self.first = next;
        }
    }

    /// Copies everything out.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut copy = Vec::with_capacity(self.len);
        self.segments().for_each(|s| copy.extend_from_slice(s));
        copy
    }

    /// Fills `slices` with the front of the chain and says how many were filled.
    pub fn io_slices<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let mut n = 0;
        for (slot, segment) in slices.iter_mut().zip(self.segments()) {
            *slot = IoSlice::new(segment);
            n += 1;
        }
        n
    }
}

impl From<Bytes> for IoBuf {
    #[inline]
    fn from(segment: Bytes) -> Self {
        IoBuf { len: segment.len(), first: segment, more: None }
    }
}
impl From<Vec<u8>> for IoBuf {
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
        f.write_str(if left == 0 { "…)" } else { ")" })
    }
}
