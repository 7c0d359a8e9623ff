//! Builds a message from its end to its beginning.
//!
//! ```text
//!   buffer              |  still free      | vtable, table, strings, vectors: what was built last is first |
//!            0                  head                                                           len
//! ```
//!
//! A position is given as its distance from the end, which does not change when the buffer grows: that is
//! what an [`Offset`] holds. Numbers are aligned within the message as its end is: the last step pads for the
//! largest of them. The buffer's length is a multiple of the largest alignment, so what is aligned in the
//! buffer is aligned in the message.
//!
//! Only the free part is cleared, since padding has to be zero. The data for which a buffer is allocated,
//! usually the text that is built first, is placed after the free part, into memory that is not cleared.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `values.rs` | values: numbers, offsets, structs |
//! | `table.rs` | [`TableBuilder`], and shared vtables |
//!
//! The runtime of FlatBuffers' own project is not used: a small message took it 2 500 instructions, and five
//! times what protobuf takes. For the same order of calls, the output is the same; `tests.rs` compares them.
//!
//! Source: <https://flatbuffers.dev/internals/>
//!
//! Limits: a table has at most 64 KiB of fields, a message at most 2 GiB. Exceeding them panics: only the
//! builder's own program can do that, never a peer.

mod table;
mod values;

pub use table::TableBuilder;
pub use values::{
    Indirect, Inline, Items, Offset, Push, UnionValue, Unions, aligned_structs, aligned_unions, structs,
    unions,
};

use super::{Apart, limits::MAX_BYTES};
use bytes::{Buf, Bytes};
use table::Vtables;

/// Builds messages; see the module.
pub struct Builder {
    /// Empty until the first value is written.
    buffer: Vec<u8>,
    built: Built,
}

/// The used part of the buffer.
struct Built {
    /// Start of the buffer's used part. Everything before it is zero, so that padding need not be written.
    head: usize,
    /// The largest alignment of the values so far.
    align: usize,
    vtables: Vtables,
}

/// Largest alignment of any value.
const MAX_ALIGN: usize = 32;
/// Least number of free bytes in a new buffer.
const LEAST_FREE: usize = 256;
const OFFSET: usize = size_of::<u32>();

impl Builder {
    #[inline]
    pub(super) fn with_capacity(bytes: usize) -> Self {
        let built = Built { head: 0, align: OFFSET, vtables: Vtables::default() };
        Builder { buffer: Vec::with_capacity(bytes.min(MAX_BYTES).next_multiple_of(MAX_ALIGN)), built }
    }

    /// The bytes written so far, the last value first.
    pub fn unfinished_data(&self) -> &[u8] {
        &self.buffer[self.built.head..]
    }

    /// Position of the last value, as a distance from the end.
    #[inline]
    fn last(&self) -> usize {
        self.buffer.len() - self.built.head
    }

    /// Space for the next value, aligned and zero, and its position as a distance from the end.
    #[inline]
    fn place(&mut self, size: usize, align: usize) -> (&mut [u8], usize) {
        if align > self.built.align {
            self.built.align = align;
        }
        self.reserve(size);
        self.built.head = before(self.built.head, size, align);
        let from_end = self.last();
        (&mut self.buffer[self.built.head..][..size], from_end)
    }

    /// Appends one value to the vector.
    #[inline]
    pub fn push<P: Push>(&mut self, value: P) {
        let (place, from_end) = self.place(P::SIZE, P::SIZE);
        value.write(place, from_end);
    }

    /// Begins a table of at most `FIELDS` fields, counted up to the last in its vtable. Values that it refers
    /// to have to be built before.
    ///
    /// The fields take at most `BYTES` bytes, including the padding after each; a table that takes more
    /// panics.
    #[inline]
    pub fn start_table<const FIELDS: usize, const BYTES: usize>(&mut self) -> TableBuilder<'_, FIELDS> {
        self.reserve(TableBuilder::<FIELDS>::MORE + BYTES);
        TableBuilder::new(&mut self.buffer, &mut self.built)
    }

    #[inline]
    pub fn create_string(&mut self, text: &str) -> Offset<&'static str> {
        let size = string_bytes(text);
        if size > self.built.head {
            self.grow_with(text);
        } else {
            let (length, place) = self.place(size, OFFSET).0.split_at_mut(OFFSET);
            length.copy_from_slice(&(text.len() as u32).to_le_bytes());
            place[..text.len()].copy_from_slice(text.as_bytes());
        }
        Offset::new(self.last() as u32)
    }

    /// Completes an item by writing its length in front.
    #[inline]
    fn length<T>(&mut self, items: usize) -> Offset<T> {
        self.push(items as u32);
        Offset::new(self.last() as u32)
    }

    /// Writes a vector of numbers, or of offsets to values that were built before.
    pub fn create_vector<P: Push>(&mut self, items: &[P]) -> Offset<Items<P::Item>> {
        self.create_aligned_vector(items, P::SIZE)
    }

    /// Like [`Builder::create_vector`], with the first value at a multiple of `align`: for a field with
    /// `force_align`.
    ///
    /// # Panics
    /// If `align` is not a power of two up to 32.
    pub fn create_aligned_vector<P: Push>(&mut self, items: &[P], align: usize) -> Offset<Items<P::Item>> {
        assert!(align.is_power_of_two() && align <= MAX_ALIGN, "an alignment is a power of two up to 32");
        let size = items.len().checked_mul(P::SIZE).expect("at most 2 GiB");
        let (places, from_end) = self.place(size, align.max(P::SIZE).max(OFFSET));
        for (index, (place, item)) in places.chunks_exact_mut(P::SIZE).zip(items).enumerate() {
            item.write(place, from_end - index * P::SIZE);
        }
        self.length(items.len())
    }

    /// Writes a struct apart from any table: the value of a union.
    pub fn create_struct<T: Inline>(&mut self, value: &T) -> Offset<Apart<T>> {
        let (place, from_end) = self.place(T::SIZE, T::ALIGN);
        value.put(place);
        Offset::new(from_end as u32)
    }

    /// The finished message, with the offset of its root table in front.
    #[inline]
    pub(super) fn finish<T>(&mut self, root: Offset<T>, identifier: Option<&str>) -> Bytes {
        let name = identifier.unwrap_or_default().as_bytes();
        let (place, from_end) = self.place(OFFSET + name.len(), self.built.align);
        assert!(from_end <= MAX_BYTES, "at most 2 GiB");
        let (first, second) = place.split_at_mut(OFFSET);
        root.write(first, from_end);
        second.copy_from_slice(name);
        let mut bytes = Bytes::from(std::mem::take(&mut self.buffer));
        bytes.advance(self.built.head);
        bytes
    }

    /// Makes room for this many bytes.
    #[inline]
    fn reserve(&mut self, bytes: usize) {
        if bytes > self.built.head {
            self.grow(bytes);
        }
    }

    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let old = self.renew(more);
        self.built.head = whole(self.buffer.capacity()) - old.len();
        self.buffer.resize(self.built.head, 0);
        self.buffer.extend_from_slice(&old);
    }

    /// Writes a text for which there was no room, into space that is not cleared first.
    #[inline(never)]
    fn grow_with(&mut self, text: &str) {
        let size = string_bytes(text);
        let old = self.renew(size);
        let end = whole(self.buffer.capacity()) - old.len();
        self.built.head = before(end, size, OFFSET);
        self.buffer.resize(self.built.head, 0);
        self.buffer.extend_from_slice(&(text.len() as u32).to_le_bytes());
        let (words, rest) = text.as_bytes().as_chunks::<OFFSET>();
        self.buffer.extend_from_slice(words.as_flattened());
        let mut last = [0; OFFSET]; // it has room for a zero
        last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        self.buffer.extend_from_slice(&last);
        self.buffer.resize(end, 0);
        if !old.is_empty() {
            self.buffer.extend_from_slice(&old);
        }
    }

    /// Replaces a buffer that is too small by an empty one, and returns the old one with its contents. If the
    /// builder's first buffer is large enough, it is never replaced.
    #[inline]
    fn renew(&mut self, more: usize) -> Vec<u8> {
        if self.buffer.is_empty() && more <= whole(self.buffer.capacity()) {
            return Vec::new();
        }
        self.replace(more)
    }

    #[cold]
    fn replace(&mut self, more: usize) -> Vec<u8> {
        let wanted = self.last().saturating_add(more);
        assert!(wanted <= MAX_BYTES, "at most 2 GiB");
        let doubled = (2 * self.buffer.len()).min(MAX_BYTES);
        let capacity = (wanted + LEAST_FREE).max(doubled).next_multiple_of(MAX_ALIGN);
        let mut old = std::mem::replace(&mut self.buffer, Vec::with_capacity(capacity));
        old.drain(..self.built.head);
        old
    }
}

/// Bytes of a text: its length, its bytes, and a zero.
#[inline]
fn string_bytes(text: &str) -> usize {
    OFFSET + text.len() + 1
}

/// Start of `size` aligned bytes that end before `head`. There is room for them.
#[inline]
fn before(head: usize, size: usize, align: usize) -> usize {
    (head - size) & !(align - 1)
}

/// The largest number of bytes, at most this many, whose end is aligned.
#[inline]
fn whole(bytes: usize) -> usize {
    bytes & !(MAX_ALIGN - 1)
}
