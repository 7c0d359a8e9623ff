//! Structs into a builder, field by field.
//!
//! A builder writes from the back, so fields go last to first, with the padding behind each before it.

use super::{Builder, Offset, builder::Items};

/// What lies inside a table, a vector or a struct: scalars, structs, arrays.
pub trait Inline: Copy {
    const SIZE: usize;
    const ALIGN: usize;

    /// Writes the value; its first bytes are the table's field `slot`, if one is named. A struct's place is aligned
    /// before.
    fn put(&self, builder: &mut Builder, slot: Option<u16>);
}

macro_rules! scalars {
    ($($scalar:ty)*) => {$(
        impl Inline for $scalar {
            const SIZE: usize = size_of::<$scalar>();
            const ALIGN: usize = size_of::<$scalar>();
            #[inline]
            fn put(&self, builder: &mut Builder, slot: Option<u16>) {
                match slot {
                    Some(slot) => builder.push_slot_always(slot, *self),
                    None => builder.push(*self),
                }
            }
        }
    )*};
}
scalars!(bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl<T: Inline, const N: usize> Inline for [T; N] {
    const SIZE: usize = N * T::SIZE;
    const ALIGN: usize = T::ALIGN;
    fn put(&self, builder: &mut Builder, slot: Option<u16>) {
        for (index, value) in self.iter().enumerate().rev() {
            value.put(builder, slot.filter(|_| index == 0));
        }
    }
}

/// Bytes between the fields of a struct.
pub struct Padding(pub usize);

impl Padding {
    #[inline]
    pub fn put(self, builder: &mut Builder) {
        for _ in 0..self.0 {
            builder.push(0u8);
        }
    }
}

/// Writes a struct as the field `slot` of the table that is being built.
pub fn push_struct<T: Inline>(builder: &mut Builder, slot: u16, value: &T) {
    builder.pad(T::SIZE, T::ALIGN);
    value.put(builder, Some(slot));
}

/// Writes structs or enums as a vector.
pub fn structs<T: Inline>(builder: &mut Builder, values: &[T]) -> Offset<Items<T>> {
    let size = values.len().checked_mul(T::SIZE).expect("at most 2 GiB");
    builder.pad(size, T::ALIGN.max(size_of::<u32>()));
    values.iter().rev().for_each(|value| value.put(builder, None));
    builder.length(values.len())
}
