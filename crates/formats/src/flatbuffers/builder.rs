//! Builds a message from its back to its front.
//!
//! ```text
//!   buffer   |  still free      | vtable, table, strings, vectors: what was built last lies first |
//!            0                  head                                                           len
//! ```
//!
//! A place in it is named by its distance from the end, which does not change when the buffer grows: that is what an
//! [`Offset`] holds. Numbers are aligned within the message as its end is: the last step pads for the largest of them.
//!
//! The runtime of FlatBuffers' own project is not used: a small message took it 2 500 instructions, and five times what
//! protobuf takes. What is written is what it writes, for the same order of calls; `tests.rs` compares them.
//!
//! Source: <https://flatbuffers.dev/internals/>
//! Limits: a table has at most 64 KiB of fields, a message at most 2 GiB. One who goes beyond panics: the builder's own
//!         program does it, never a peer.

use bytes::{Buf, Bytes};
use std::{fmt, marker::PhantomData};

/// Where something that was built lies, as its distance from the buffer's end.
pub struct Offset<T> {
    value: u32,
    what: PhantomData<fn() -> T>,
}

impl<T> Offset<T> {
    /// Of the place `value`, which the caller knows to be one of a `T`.
    #[inline]
    pub fn new(value: u32) -> Self {
        Offset { value, what: PhantomData }
    }

    #[inline]
    pub fn value(self) -> u32 {
        self.value
    }

    /// The table as what a union holds.
    #[inline]
    pub fn as_union_value(self) -> Offset<UnionValue> {
        Offset::new(self.value)
    }
}

impl<T> Clone for Offset<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Offset<T> {}
impl<T> PartialEq for Offset<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}
impl<T> fmt::Debug for Offset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Offset({})", self.value)
    }
}

/// Stands for the table that a union holds, whichever it is.
#[derive(Debug)]
pub struct UnionValue(());

/// Stands for an offset to a `T` among the items of a vector.
pub struct Indirect<T>(PhantomData<fn() -> T>);

/// Stands for a vector that was built, or is verified.
pub struct Items<T>(PhantomData<fn() -> T>);

/// What is written in one piece: numbers, and offsets to what was built before.
pub trait Push: Copy {
    /// What an item of a vector of these is.
    type Item;
    const SIZE: usize;

    /// Writes it into `place`, which begins `from_end` bytes before the end.
    fn write(self, place: &mut [u8], from_end: usize);
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Push for $number {
            type Item = $number;
            const SIZE: usize = size_of::<$number>();
            #[inline]
            fn write(self, place: &mut [u8], _: usize) {
                place.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
numbers!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl Push for bool {
    type Item = bool;
    const SIZE: usize = 1;
    #[inline]
    fn write(self, place: &mut [u8], from_end: usize) {
        u8::from(self).write(place, from_end);
    }
}

impl<T> Push for Offset<T> {
    type Item = Indirect<T>;
    const SIZE: usize = 4;
    #[inline]
    fn write(self, place: &mut [u8], from_end: usize) {
        (from_end as u32 - self.value).write(place, from_end);
    }
}

/// See the module.
pub struct Builder {
    /// Zero up to `head`: padding need not be written.
    buffer: Vec<u8>,
    head: usize,
    /// Largest alignment of what was written.
    align: usize,
    fields: Fields,
    vtables: Vtables,
}

/// A table that is being built.
#[must_use]
pub struct Begun {
    from_end: usize,
}

/// Longest message, bytes: offsets are signed in places.
const MAX_BYTES: usize = i32::MAX as usize;
/// What a buffer is that was to hold nothing.
const LEAST_BYTES: usize = 256;
const OFFSET: usize = size_of::<u32>();

impl Builder {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        let buffer = vec![0; bytes];
        Builder { head: bytes, buffer, align: OFFSET, fields: Fields::default(), vtables: Vtables::default() }
    }

    /// What was written so far, the last of it first.
    pub fn unfinished_data(&self) -> &[u8] {
        &self.buffer[self.head..]
    }

    /// Bytes that were written: the distance of `head` from the end.
    #[inline]
    fn used(&self) -> usize {
        self.buffer.len() - self.head
    }

    /// Leaves zeros so that what comes next, `size` bytes, lies at a multiple of `align`.
    #[inline]
    pub(super) fn pad(&mut self, size: usize, align: usize) {
        self.align = self.align.max(align);
        let padding = (self.used() + size).wrapping_neg() & (align - 1);
        if padding + size > self.head {
            self.grow(padding + size);
        }
        self.head -= padding;
    }

    /// The next `size` bytes, for which there is room.
    #[inline]
    fn skip(&mut self, size: usize) -> &mut [u8] {
        self.head -= size;
        &mut self.buffer[self.head..self.head + size]
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let used = self.used();
        let wanted = used.checked_add(more).filter(|bytes| *bytes <= MAX_BYTES).expect("at most 2 GiB");
        let mut buffer = vec![0; wanted.max(2 * self.buffer.len()).max(LEAST_BYTES)];
        self.head = buffer.len() - used;
        buffer[self.head..].copy_from_slice(&self.buffer[self.buffer.len() - used..]);
        self.buffer = buffer;
    }

    /// Writes one value.
    #[inline]
    pub fn push<P: Push>(&mut self, value: P) {
        self.pad(P::SIZE, P::SIZE);
        let from_end = self.used() + P::SIZE;
        value.write(self.skip(P::SIZE), from_end);
    }

    /// Begins a table. What it refers to has been built before.
    ///
    /// # Panics
    /// If another one has not been ended.
    #[inline]
    pub fn start_table(&mut self) -> Begun {
        assert!(self.fields.count == 0, "one table at a time: build what it refers to first");
        Begun { from_end: self.used() }
    }

    /// Writes a field of the table, unless it has its default. `slot` is its place in the vtable.
    #[inline]
    pub fn push_slot<P: Push + PartialEq>(&mut self, slot: u16, value: P, default: P) {
        if value != default {
            self.push_slot_always(slot, value);
        }
    }

    /// Writes a field of the table.
    #[inline]
    pub fn push_slot_always<P: Push>(&mut self, slot: u16, value: P) {
        self.push(value);
        self.fields.set(slot, self.used());
    }

    /// Ends the table: its vtable is written, or one of the last that is the same is shared.
    ///
    /// # Panics
    /// If its fields take more than 64 KiB.
    pub fn end_table<T>(&mut self, begun: Begun) -> Offset<T> {
        self.push(0i32);
        let table = self.used();
        let size = u16::try_from(table - begun.from_end).expect("at most 64 KiB of fields");
        let bytes = usize::from(Fields::FIRST) + 2 * self.fields.count;
        self.pad(bytes, 2);
        self.head -= bytes;
        let (vtable, built) = self.buffer[self.head..].split_at_mut(bytes);
        vtable[..2].copy_from_slice(&(bytes as u16).to_le_bytes());
        vtable[2..4].copy_from_slice(&size.to_le_bytes());
        self.fields.take(&mut vtable[4..], table);
        let shared = self.vtables.find(vtable, built);
        let vtable = match shared {
            Some(from_end) => {
                vtable.fill(0);
                self.head += bytes;
                from_end as usize
            }
            None => self.vtables.add(self.used()),
        };
        let at = self.buffer.len() - table;
        let back = (vtable as i64 - table as i64) as i32;
        self.buffer[at..at + OFFSET].copy_from_slice(&back.to_le_bytes());
        Offset::new(table as u32)
    }

    /// # Panics
    /// If the table has no field `slot`.
    #[inline]
    pub fn required<T>(&self, table: Offset<T>, slot: u16, name: &str) {
        let at = self.buffer.len() - table.value as usize;
        let found = super::Table::at(&self.buffer, at).has(slot);
        assert!(found, "the required field `{name}` is missing");
    }

    #[inline]
    pub fn create_string(&mut self, text: &str) -> Offset<&'static str> {
        let size = text.len() + 1; // and a zero
        self.pad(size, OFFSET);
        self.skip(size)[..text.len()].copy_from_slice(text.as_bytes());
        self.length(text.len())
    }

    /// Ends what has a length in front.
    #[inline]
    pub(super) fn length<T>(&mut self, items: usize) -> Offset<T> {
        self.push(items as u32);
        Offset::new(self.used() as u32)
    }

    /// Writes a vector of numbers, or of what was built before.
    pub fn create_vector<P: Push>(&mut self, items: &[P]) -> Offset<Items<P::Item>> {
        let size = items.len().checked_mul(P::SIZE).expect("at most 2 GiB");
        self.pad(size, P::SIZE.max(OFFSET));
        let from_end = self.used() + size;
        let places = self.skip(size).chunks_exact_mut(P::SIZE);
        for (index, (place, item)) in places.zip(items).enumerate() {
            item.write(place, from_end - index * P::SIZE);
        }
        self.length(items.len())
    }

    /// The message: what was built, with the place of its first table in front.
    pub(super) fn finish<T>(&mut self, root: Offset<T>, identifier: Option<&str>) -> Bytes {
        let name = identifier.unwrap_or_default().as_bytes();
        self.pad(name.len() + OFFSET, self.align);
        self.skip(name.len()).copy_from_slice(name);
        self.push(root);
        let mut bytes = Bytes::from(std::mem::take(&mut self.buffer));
        bytes.advance(std::mem::take(&mut self.head));
        bytes
    }
}

/// The fields of the table that is being built: their distance from the end, 0 for what is not there.
#[derive(Default)]
struct Fields {
    few: [u32; Fields::FEW],
    more: Vec<u32>,
    /// Up to the last that is there.
    count: usize,
}

impl Fields {
    const FEW: usize = 16;
    /// Slot of the first field.
    const FIRST: u16 = 4;

    #[inline]
    fn set(&mut self, slot: u16, from_end: usize) {
        let index = usize::from(slot - Fields::FIRST) / 2;
        self.count = self.count.max(index + 1);
        match self.few.get_mut(index) {
            Some(place) => *place = from_end as u32,
            None => {
                let index = index - Fields::FEW;
                self.more.resize(self.more.len().max(index + 1), 0);
                self.more[index] = from_end as u32;
            }
        }
    }

    /// Writes where in `table` the fields lie; afterwards there is none.
    #[inline]
    fn take(&mut self, places: &mut [u8], table: usize) {
        let few = self.count.min(Fields::FEW);
        let (first, rest) = places.split_at_mut(2 * few);
        move_fields(&mut self.few[..few], first, table);
        if self.count > few {
            move_fields(&mut self.more[..self.count - few], rest, table);
        }
        self.count = 0;
    }
}

#[inline]
fn move_fields(fields: &mut [u32], places: &mut [u8], table: usize) {
    for (field, place) in fields.iter_mut().zip(places.chunks_exact_mut(2)) {
        if *field > 0 {
            place.copy_from_slice(&((table as u32 - *field) as u16).to_le_bytes());
            *field = 0;
        }
    }
}

/// The last vtables that were written: equal ones are shared. Not all are kept, so that looking for one stays cheap.
#[derive(Default)]
struct Vtables {
    /// Distances from the end; 0 for none.
    last: [u32; 16],
    next: usize,
}

impl Vtables {
    /// One that is the same as `vtable`, in front of which lies what was `built` before.
    #[inline]
    fn find(&self, vtable: &[u8], built: &[u8]) -> Option<u32> {
        let known = self.last.iter().copied().take_while(|from_end| *from_end > 0);
        known.into_iter().find(|from_end| built[built.len() - *from_end as usize..].starts_with(vtable))
    }

    #[inline]
    fn add(&mut self, from_end: usize) -> usize {
        self.last[self.next % self.last.len()] = from_end as u32;
        self.next += 1;
        from_end
    }
}
