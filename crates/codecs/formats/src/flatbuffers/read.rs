//! Reads values at positions, and checks every position.

use std::{fmt, marker::PhantomData};

/// Values of fields, vectors and structs.
pub trait Read<'a>: Sized {
    /// The number of bytes of the value in place; for a value elsewhere, of the offset to it.
    const SIZE: usize;

    /// The value at this position; a default if it is beyond the end of the buffer.
    fn read(buffer: &'a [u8], at: usize) -> Self;
}

macro_rules! scalars {
    ($($scalar:ty)*) => {$(
        impl<'a> Read<'a> for $scalar {
            const SIZE: usize = size_of::<$scalar>();
            #[inline]
            fn read(buffer: &'a [u8], at: usize) -> Self {
                // Where `at` is known to be small, as in a table, the compiler sees that only the end has to
                // be checked.
                let bytes = buffer.get(at..at.wrapping_add(size_of::<Self>()));
                let bytes = bytes.and_then(|bytes| bytes.first_chunk());
                bytes.map_or_else(Self::default, |bytes| Self::from_le_bytes(*bytes))
            }
        }
    )*};
}
scalars!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl<'a> Read<'a> for bool {
    const SIZE: usize = 1;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        u8::read(buffer, at) != 0
    }
}

/// Arrays of structs.
impl<'a, T: Read<'a>, const N: usize> Read<'a> for [T; N] {
    const SIZE: usize = N * T::SIZE;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        std::array::from_fn(|i| T::read(buffer, at.saturating_add(i * T::SIZE)))
    }
}

impl<'a> Read<'a> for &'a str {
    const SIZE: usize = OFFSET;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        utf8(Vector::<u8>::read(buffer, at).bytes()).unwrap_or_default()
    }
}

/// The bytes as text. Called once when a message is verified and again when its text is read, since safe code
/// cannot carry over the result of the check.
#[inline]
pub(super) fn utf8(bytes: &[u8]) -> Option<&str> {
    smoothutf8::from_utf8(bytes)
}

/// A struct that is stored apart from the reference to it, as in a union.
pub struct Apart<T>(pub T);

impl<'a, T: Read<'a>> Read<'a> for Apart<T> {
    const SIZE: usize = OFFSET;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Apart(T::read(buffer, follow(buffer, at)))
    }
}

const OFFSET: usize = size_of::<u32>();

/// The position that the offset at `at` leads to.
#[inline]
pub(super) fn follow(buffer: &[u8], at: usize) -> usize {
    at.saturating_add(u32::read(buffer, at) as usize)
}

/// A table: fields found through its vtable.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    buffer: &'a [u8],
    /// A `u32`, like offsets: the sum with a position in a vtable always fits a `usize`.
    at: u32,
    vtable: &'a [u8],
}

impl<'a> Table<'a> {
    /// The root table of a buffer.
    #[inline]
    pub fn root(buffer: &'a [u8]) -> Self {
        Table::read(buffer, 0)
    }

    /// The table that begins at `at`.
    #[inline]
    pub(super) fn at(buffer: &'a [u8], at: usize) -> Self {
        Table { buffer, at: at as u32, vtable: vtable(buffer, at).unwrap_or_default() }
    }

    /// The field at this position of the vtable, if it is present.
    #[inline]
    pub fn field<T: Read<'a>>(&self, slot: u16) -> Option<T> {
        self.position(slot).map(|at| T::read(self.buffer, at))
    }

    /// The field at this position, which a verified table of this schema has.
    #[inline]
    pub fn required<T: Read<'a>>(&self, slot: u16) -> T {
        self.field(slot).unwrap_or_else(|| T::read(&[], 0))
    }

    /// The position of that field's value.
    #[inline]
    pub(super) fn position(&self, slot: u16) -> Option<usize> {
        match u16::read(self.vtable, slot.into()) {
            0 => None,
            offset => Some((self.at as usize).wrapping_add(offset.into())),
        }
    }
}

/// The part of the vtable, for the table at `at`, that is inside the buffer.
#[inline]
fn vtable(buffer: &[u8], at: usize) -> Option<&[u8]> {
    let start = (at as i64).checked_sub(i64::from(i32::read(buffer, at)))?;
    let vtable = buffer.get(usize::try_from(start).ok()?..)?;
    let size = usize::from(u16::read(vtable, 0));
    vtable.get(..size)
}

impl fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table at {}", self.at)
    }
}

impl<'a> Read<'a> for Table<'a> {
    const SIZE: usize = OFFSET;
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        Table::at(buffer, follow(buffer, at))
    }
}

/// Values one after the other.
pub struct Vector<'a, T> {
    buffer: &'a [u8],
    /// Position of the first value.
    at: usize,
    len: usize,
    values: PhantomData<fn() -> T>,
}

impl<T> Clone for Vector<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Vector<'_, T> {}

/// An empty vector.
impl<T> Default for Vector<'_, T> {
    fn default() -> Self {
        Vector { buffer: &[], at: 0, len: 0, values: PhantomData }
    }
}

impl<'a, T: Read<'a>> Vector<'a, T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        (index < self.len).then(|| T::read(self.buffer, self.at + index * T::SIZE))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + use<'a, T> {
        let Vector { buffer, at, len, .. } = *self;
        (0..len).map(move |index| T::read(buffer, at + index * T::SIZE))
    }
}

impl<'a> Vector<'a, u8> {
    #[inline]
    pub fn bytes(&self) -> &'a [u8] {
        self.buffer.get(self.at..self.at + self.len).unwrap_or_default()
    }
}

impl<'a, T: Read<'a>> Read<'a> for Vector<'a, T> {
    const SIZE: usize = OFFSET;
    /// A vector of at most as many values as the buffer has room for.
    #[inline]
    fn read(buffer: &'a [u8], at: usize) -> Self {
        let start = follow(buffer, at);
        let at = start.saturating_add(OFFSET).min(buffer.len());
        let room = (buffer.len() - at) / T::SIZE.max(1);
        let len = (u32::read(buffer, start) as usize).min(room);
        Vector { buffer, at, len, values: PhantomData }
    }
}

impl<'a, T: Read<'a> + fmt::Debug> fmt::Debug for Vector<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
