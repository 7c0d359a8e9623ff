//! Finds the entries of a table by hash, so that encoding a field does not compare it with all of them.
//!
//! Memory is proportional to the number of entries: most connections have few, and the whole of it would be
//! a third of what an idle connection holds.

use super::{ENTRY_BYTES, TABLE_BYTES, table::Table};

/// Where fields and names are in a table. An entry that was evicted is recognised by its number, so that
/// nothing is removed.
#[derive(Default)]
pub(super) struct Places {
    fields: Index,
    names: Index,
    /// Hashes of fields that occurred once, the latest one at each place. Allocated with the first.
    once: Option<Box<[u32; Places::ONCE]>>,
}

impl Places {
    const ONCE: usize = 64;

    /// Index in the table of this field.
    #[inline]
    pub fn field(&self, hash: u32, name: &[u8], value: &[u8], table: &Table<()>) -> Option<usize> {
        self.fields.find(hash, table, |n, v| n == name && v == value)
    }

    /// Index in the table of an entry with this name.
    #[inline]
    pub fn name(&self, name: &[u8], table: &Table<()>) -> Option<usize> {
        self.names.find(name_hash(name), table, |n, _| n == name)
    }

    /// Returns true from the second time on, unless too many others occurred in between.
    pub fn seen(&mut self, hash: u32) -> bool {
        let once = self.once.get_or_insert_with(|| Box::new([0; Places::ONCE]));
        let place = &mut once[hash as usize % Places::ONCE];
        std::mem::replace(place, hash) == hash
    }

    /// Notes the entry that was added to the table last, by its number.
    pub fn put(&mut self, hash: u32, name: &[u8], number: u16, table: &Table<()>) {
        if self.fields.is_small_for(table) {
            self.fields = Index::of(table, field_hash);
            self.names = Index::of(table, |name, _| name_hash(name));
        } else {
            self.fields.put(hash, number, table);
            self.names.put(name_hash(name), number, table);
        }
    }
}

/// Numbers of entries by hash. An evicted one may have become the number of another entry, so what is found
/// is compared.
#[derive(Default)]
struct Index(Box<[u16]>);

impl Index {
    /// Twice as many places as the table can have entries.
    const MOST: usize = 2 * TABLE_BYTES / ENTRY_BYTES;
    const LEAST: usize = 64;
    /// Most places that are tried for a hash.
    const NEAR: usize = 4;

    /// The index of a table, with room for as many entries again.
    fn of(table: &Table<()>, hash: impl Fn(&[u8], &[u8]) -> u32) -> Index {
        let places = (4 * table.len()).next_power_of_two().clamp(Self::LEAST, Self::MOST);
        let mut index = Index(vec![0; places].into());
        for (number, name, value) in table.numbered() {
            index.put(hash(name, value), number, table);
        }
        index
    }

    fn is_small_for(&self, table: &Table<()>) -> bool {
        self.0.len() < Self::MOST.min(2 * table.len())
    }

    /// The number of places is a power of two, or zero.
    #[inline]
    fn near(&self, hash: u32) -> impl Iterator<Item = usize> {
        let mask = self.0.len().wrapping_sub(1);
        (0..Self::NEAR).map(move |n| (hash as usize + n) & mask)
    }

    /// Index in the table of an entry that is the `same`.
    #[inline]
    fn find(&self, hash: u32, table: &Table<()>, same: impl Fn(&[u8], &[u8]) -> bool) -> Option<usize> {
        self.near(hash).find_map(|place| {
            let index = table.index_of(*self.0.get(place)?)?;
            let (name, value, ()) = table.get(index)?;
            same(name, value).then_some(index)
        })
    }

    /// Stores a number in the first free place, or that of the oldest entry.
    fn put(&mut self, hash: u32, number: u16, table: &Table<()>) {
        let back = |place: &usize| table.index_of(self.0[*place]).unwrap_or(usize::MAX);
        let first = |oldest: usize, place: usize| if back(&place) > back(&oldest) { place } else { oldest };
        let place = self.near(hash).reduce(first).expect("there are several");
        self.0[place] = number;
    }
}

#[inline]
pub(super) fn field_hash(name: &[u8], value: &[u8]) -> u32 {
    fold(mix(mix(name.len() as u64, name), value))
}

#[inline]
fn name_hash(name: &[u8]) -> u32 {
    fold(mix(0, name))
}

/// Reads eight bytes at a time. An application that makes fields collide only loses their compression.
#[inline]
fn mix(mut state: u64, bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        state = (state ^ word).wrapping_mul(ODD).rotate_left(29);
    }
    for &byte in chunks.remainder() {
        state = (state ^ u64::from(byte)).wrapping_mul(ODD).rotate_left(29);
    }
    state
}

#[inline]
fn fold(state: u64) -> u32 {
    (state ^ state >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry is found as long as it is in the table, also when its number has begun again.
    #[test]
    fn entries_are_found_while_they_are_there_and_memory_grows_with_them() {
        let (mut table, mut places) = (Table::new(), Places::default());
        let name = |k: u32| k.to_string().into_bytes();
        for k in 0..100_000_u32 {
            let number = table.insert(&name(k), b"value", ()).expect("it fits");
            places.put(field_hash(&name(k), b"value"), &name(k), number, &table);
            let found = |k: u32| {
                let field = places.field(field_hash(&name(k), b"value"), &name(k), b"value", &table);
                (field, places.name(&name(k), &table))
            };
            let newest = super::super::table::FIRST;
            assert_eq!(found(k), (Some(newest), Some(newest)));
            if let Some(gone) = k.checked_sub(table.len() as u32) {
                assert_eq!(found(gone), (None, None));
            }
            assert!(places.fields.0.len() <= Index::MOST.min((8 * table.len()).max(Index::LEAST)));
        }
        assert_eq!(places.fields.0.len(), Index::MOST);
    }

    #[test]
    fn nearly_all_of_a_full_table_is_found() {
        let (mut table, mut places) = (Table::new(), Places::default());
        let names: Vec<_> = (0..1000_u32).map(|k| k.to_string().into_bytes()).collect();
        for name in &names {
            let number = table.insert(name, b"", ()).expect("it fits");
            places.put(field_hash(name, b""), name, number, &table);
        }
        let there = &names[names.len() - table.len()..];
        let found = there.iter().filter(|name| places.name(name, &table).is_some()).count();
        assert!(found * 10 >= there.len() * 9, "{found} of {}", there.len());
    }
}
