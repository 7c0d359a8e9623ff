//! Values that can be written: numbers, offsets to values that were built before, structs.

use super::{Builder, MAX_ALIGN, OFFSET};
use std::{fmt, marker::PhantomData};

/// The position of a value that was built, as its distance from the buffer's end.
pub struct Offset<T> {
    value: u32,
    what: PhantomData<fn() -> T>,
}

impl<T> Offset<T> {
    /// An offset to position `value`, at which the caller knows a `T` to be.
    #[inline]
    pub fn new(value: u32) -> Self {
        Offset { value, what: PhantomData }
    }

    #[inline]
    pub fn value(self) -> u32 {
        self.value
    }

    /// Converts a table, a text or a struct to the value of a union.
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

/// Marks an offset to the value of a union, of whatever type.
#[derive(Debug)]
pub struct UnionValue(());

/// Marks an offset to a `T` among the items of a vector.
pub struct Indirect<T>(PhantomData<fn() -> T>);

/// Marks a vector that was built, or is verified.
pub struct Items<T>(PhantomData<fn() -> T>);

/// Values that are written in one piece: numbers, and offsets to values that were built before.
pub trait Push: Copy {
    /// The item type of a vector of these values.
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

/// The values of a vector of unions; `None` stands for `NONE`, which has no value.
impl Push for Option<Offset<UnionValue>> {
    type Item = Indirect<UnionValue>;
    const SIZE: usize = 4;
    #[inline]
    fn write(self, place: &mut [u8], from_end: usize) {
        if let Some(value) = self {
            value.write(place, from_end);
        }
    }
}

/// Values stored inside a table, a vector or a struct: scalars, structs, arrays.
pub trait Inline: Copy {
    const SIZE: usize;
    const ALIGN: usize;

    /// Writes the value into its space, which is zeroed: padding need not be written.
    fn put(&self, place: &mut [u8]);
}

macro_rules! scalars {
    ($($scalar:ty)*) => {$(
        impl Inline for $scalar {
            const SIZE: usize = <$scalar as Push>::SIZE;
            const ALIGN: usize = <$scalar as Push>::SIZE;
            #[inline]
            fn put(&self, place: &mut [u8]) {
                self.write(place, 0);
            }
        }
    )*};
}
scalars!(bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl<T: Inline, const N: usize> Inline for [T; N] {
    const SIZE: usize = N * T::SIZE;
    const ALIGN: usize = T::ALIGN;
    fn put(&self, place: &mut [u8]) {
        put_all(self, place);
    }
}

/// Writes structs or enums as a vector.
pub fn structs<T: Inline>(builder: &mut Builder, values: &[T]) -> Offset<Items<T>> {
    aligned_structs(builder, values, T::ALIGN)
}

/// Like [`structs`], with the first value at a multiple of `align`: for a field with `force_align`.
///
/// # Panics
/// If `align` is not a power of two up to 32.
pub fn aligned_structs<T: Inline>(builder: &mut Builder, values: &[T], align: usize) -> Offset<Items<T>> {
    assert!(align.is_power_of_two() && align <= MAX_ALIGN, "an alignment is a power of two up to 32");
    let size = values.len().checked_mul(T::SIZE).expect("at most 2 GiB");
    put_all(values, builder.place(size, align.max(T::ALIGN).max(OFFSET)).0);
    builder.length(values.len())
}

/// A vector of unions: the vector of their types, and that of their values.
pub type Unions<T> = (Offset<Items<T>>, Offset<Items<Indirect<UnionValue>>>);

/// Writes a vector of unions: of each its type and its value, which is `None` for `NONE`.
pub fn unions<T: Inline>(builder: &mut Builder, unions: &[(T, Option<Offset<UnionValue>>)]) -> Unions<T> {
    aligned_unions(builder, unions, OFFSET)
}

/// Like [`unions`], with the first value at a multiple of `align`: for a field with `force_align`.
///
/// # Panics
/// If `align` is not a power of two up to 32.
pub fn aligned_unions<T: Inline>(
    builder: &mut Builder,
    unions: &[(T, Option<Offset<UnionValue>>)],
    align: usize,
) -> Unions<T> {
    let (types, values): (Vec<T>, Vec<_>) = unions.iter().copied().unzip();
    (structs(builder, &types), builder.create_aligned_vector(&values, align))
}

#[inline]
fn put_all<T: Inline>(values: &[T], places: &mut [u8]) {
    values.iter().zip(places.chunks_exact_mut(T::SIZE)).for_each(|(value, place)| value.put(place));
}
