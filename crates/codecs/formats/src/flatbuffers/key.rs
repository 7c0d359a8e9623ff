//! Vectors that are sorted by the `key` of their tables or structs: their order, building them, and finding
//! in them.
//!
//! The order is flatc's: numbers by value, texts byte by byte. flatc sorts equal keys in any order; here they
//! keep their order.

use super::{Builder, Indirect, Inline, Items, Offset, Read, Root, Table, Vector, structs};
use std::cmp::Ordering;

/// The types of keys.
pub trait Key: Copy {
    fn order(self, other: Self) -> Ordering;
}

macro_rules! keys {
    ($($key:ty)*) => {$(
        impl Key for $key {
            #[inline]
            fn order(self, other: Self) -> Ordering {
                self.cmp(&other)
            }
        }
    )*};
}
keys!(bool u8 i8 u16 i16 u32 i32 u64 i64 &str);

macro_rules! fractions {
    ($($key:ty)*) => {$(
        impl Key for $key {
            /// Orders numbers by value, and NaN after all others.
            #[inline]
            fn order(self, other: Self) -> Ordering {
                self.partial_cmp(&other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
            }
        }
    )*};
}
fractions!(f32 f64);

/// A table or a struct with a `key`. Generated code implements it.
pub trait Keyed {
    type Key<'k>;

    fn key(&self) -> Self::Key<'_>;

    /// Compares the key of this value with `key`.
    fn compare_key(&self, key: Self::Key<'_>) -> Ordering;
}

impl<'a, T: Read<'a> + Keyed> Vector<'a, T> {
    /// The first item with this key, in a sorted vector. The order is not checked: in an unsorted vector an
    /// item may be missed.
    pub fn find<'k>(&self, key: T::Key<'k>) -> Option<T>
    where
        T::Key<'k>: Copy,
    {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle)?.compare_key(key) {
                Ordering::Less => low = middle + 1,
                _ => high = middle,
            }
        }
        self.get(low).filter(|item| item.compare_key(key) == Ordering::Equal)
    }
}

/// Writes structs as a vector that is sorted by their keys.
pub fn sorted_structs<T: Inline + Keyed>(builder: &mut Builder, values: &[T]) -> Offset<Items<T>> {
    let mut values = values.to_vec();
    values.sort_by(|one, other| one.compare_key(other.key()));
    structs(builder, &values)
}

/// Writes a vector of tables that were built before, sorted by their keys.
pub fn sorted_tables<T: Root>(builder: &mut Builder, tables: &[Offset<T>]) -> Offset<Items<Indirect<T>>>
where
    for<'a> T::View<'a>: Keyed,
{
    let built = builder.unfinished_data();
    let view = |table: &Offset<T>| T::view(Table::at(built, built.len() - table.value() as usize));
    let mut tables = tables.to_vec();
    tables.sort_by(|one, other| view(one).compare_key(view(other).key()));
    builder.create_vector(&tables)
}
