//! Structs into a builder: the runtime asks for `unsafe` code for them, and takes their fields one by one as well.
//!
//! A builder writes from the back, so fields go last to first, with the padding behind each before it.

use super::{
    Builder, Offset,
    runtime::{Push, VOffsetT, Vector},
};

/// What lies inside a table, a vector or a struct: scalars, structs, arrays.
pub trait Inline: Copy {
    const SIZE: usize;
    const ALIGN: usize;

    /// Writes the value; its first bytes are the table's field `slot`, if one is named. A struct's place is aligned
    /// before.
    fn put(&self, builder: &mut Builder, slot: Option<VOffsetT>);
}

macro_rules! scalars {
    ($($scalar:ty)*) => {$(
        impl Inline for $scalar {
            const SIZE: usize = size_of::<$scalar>();
            const ALIGN: usize = size_of::<$scalar>();
            #[inline]
            fn put(&self, builder: &mut Builder, slot: Option<VOffsetT>) {
                match slot {
                    Some(slot) => builder.push_slot_always(slot, *self),
                    None => drop(builder.push(*self)),
                }
            }
        }
    )*};
}
scalars!(bool u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl<T: Inline, const N: usize> Inline for [T; N] {
    const SIZE: usize = N * T::SIZE;
    const ALIGN: usize = T::ALIGN;
    fn put(&self, builder: &mut Builder, slot: Option<VOffsetT>) {
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
pub fn push_struct<T: Inline>(builder: &mut Builder, slot: VOffsetT, value: &T) {
    let end = builder.unfinished_data().len() + T::SIZE;
    Padding(end.next_multiple_of(T::ALIGN) - end).put(builder);
    value.put(builder, Some(slot));
}

/// Writes structs as a vector.
pub fn structs<T: Inline>(builder: &mut Builder, values: &[T]) -> Offset<Vector<'static, T>> {
    let units = values.len() * T::SIZE / T::ALIGN;
    match T::ALIGN {
        1 => aligned::<u8, T>(builder, values, units),
        2 => aligned::<u16, T>(builder, values, units),
        4 => aligned::<u32, T>(builder, values, units),
        _ => aligned::<u64, T>(builder, values, units),
    }
}

/// A vector of structs begins like one of as many numbers with their alignment.
fn aligned<Unit: Push + 'static, T: Inline>(
    builder: &mut Builder,
    values: &[T],
    units: usize,
) -> Offset<Vector<'static, T>> {
    builder.start_vector::<Unit>(units);
    values.iter().rev().for_each(|value| value.put(builder, None));
    Offset::new(builder.end_vector::<Unit>(values.len()).value())
}
