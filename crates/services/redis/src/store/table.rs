//! A hash table whose entries keep their positions.
//!
//! ```text
//!  index: hash -> slot        slots:  | key value | vacant | key value | ...
//! ```
//!
//! Not a `Slab`: versions would cost 8 bytes an entry, and the memory is to grow by half, not to double.
//!
//! An entry keeps its slot until it is removed, however the table grows. So a cursor is a slot number, and a
//! scan from slot to slot returns every entry that exists from its beginning to its end exactly once.
//!
//! Only when three quarters of the slots are vacant, all entries are moved together; otherwise the memory of
//! removed entries would never be released. That begins a new generation, and a cursor of an old one restarts
//! at the first slot: each remaining entry is still returned at least once.

use super::blob::Blob;
use hashbrown::HashTable;

/// Keys and values. The caller computes the hashes, because it needs them elsewhere too.
pub(super) struct Table<V> {
    index: HashTable<u32>,
    slots: Vec<Option<Entry<V>>>,
    vacant: Vec<u32>,
    /// The number of times that the entries were moved.
    generation: u16,
}

/// A table with at most this many slots never moves its entries.
const FEW: usize = 32;

pub(super) struct Entry<V> {
    pub(super) hash: u64,
    pub(super) key: Blob,
    pub(super) value: V,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Table { index: HashTable::new(), slots: Vec::new(), vacant: Vec::new(), generation: 0 }
    }
}

impl<V> Table<V> {
    /// Bytes of memory, without what keys and values allocate themselves.
    #[inline]
    pub(super) fn weight(&self) -> usize {
        self.slots.capacity() * size_of::<Option<Entry<V>>>()
            + self.vacant.capacity() * size_of::<u32>()
            + self.index.allocation_size()
    }

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Number of slots, including vacant ones: cursors are below this.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Additional steps that adding or removing this many entries may take: the index is rebuilt when it
    /// grows, and entries are moved together.
    pub(super) fn upkeep(&self, entries: usize) -> usize {
        let len = self.index.len();
        let grows = len + entries > self.index.capacity() || len + entries > self.slots.capacity();
        let shrinks = len.saturating_sub(entries) < self.slots.len() / 4;
        if grows || shrinks { self.slots.len() + entries } else { 0 }
    }

    /// The slot of a key. Hot path: once per command.
    #[inline]
    pub(super) fn find(&self, hash: u64, key: &[u8]) -> Option<u32> {
        self.index.find(hash, |&slot| self.entry(slot).is_some_and(|entry| entry.key == *key)).copied()
    }

    /// The entry in a slot, with its hash.
    #[inline]
    pub(super) fn entry(&self, slot: u32) -> Option<&Entry<V>> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// The key and value in a slot, unless it is vacant.
    #[inline]
    pub(super) fn at(&self, slot: u32) -> Option<(&Blob, &V)> {
        self.entry(slot).map(|entry| (&entry.key, &entry.value))
    }

    /// The value in a slot that [`Table::find`] returned.
    #[inline]
    pub(super) fn value(&self, slot: u32) -> &V {
        &self.entry(slot).expect("slots come from find").value
    }

    /// Like [`Table::value`], for changes.
    #[inline]
    pub(super) fn value_mut(&mut self, slot: u32) -> &mut V {
        &mut self.slots[slot as usize].as_mut().expect("slots come from find").value
    }

    /// Adds a key that is not in the table.
    pub(super) fn insert(&mut self, hash: u64, key: Blob, value: V) -> u32 {
        let entry = Some(Entry { hash, key, value });
        let slot = match self.vacant.pop() {
            Some(slot) => {
                self.slots[slot as usize] = entry;
                slot
            }
            None => {
                if self.slots.len() == self.slots.capacity() {
                    // doubling would use too much memory
                    self.slots.reserve_exact(4.max(self.slots.len() / 2));
                }
                self.slots.push(entry);
                u32::try_from(self.slots.len() - 1).expect("memory ends before 2^32 entries of 64 bytes do")
            }
        };
        let slots = &self.slots;
        self.index.insert_unique(hash, slot, |&slot| {
            slots[slot as usize].as_ref().expect("the index names full slots").hash
        });
        slot
    }

    /// Removes the entry of a slot that is not vacant. Other slots stay as they are until [`Table::tidy`].
    pub(super) fn remove(&mut self, slot: u32) -> Option<Entry<V>> {
        let entry = self.slots.get_mut(slot as usize)?.take()?;
        if let Ok(indexed) = self.index.find_entry(entry.hash, |&indexed| indexed == slot) {
            indexed.remove();
        }
        if self.index.is_empty() {
            *self = Table::default(); // releases the memory
        } else {
            self.vacant.push(slot);
        }
        Some(entry)
    }

    /// Releases memory if most slots are vacant. Slot numbers that were found before are invalid afterwards.
    #[inline]
    pub(super) fn tidy(&mut self) {
        if self.slots.len() > FEW && self.index.len() < self.slots.len() / 4 {
            self.rebuild();
        }
    }

    #[cold]
    fn rebuild(&mut self) {
        let mut slots = Vec::with_capacity(self.index.len() + self.index.len() / 4 + 1);
        slots.extend(std::mem::take(&mut self.slots).into_iter().filter(Option::is_some));
        self.slots = slots;
        self.vacant = Vec::new();
        self.index = HashTable::with_capacity(self.slots.len());
        let slots = &self.slots;
        let hash = |slot: &u32| slots[*slot as usize].as_ref().expect("only full slots were kept").hash;
        (0..slots.len() as u32).for_each(|slot| {
            self.index.insert_unique(hash(&slot), slot, hash);
        });
        self.generation = (self.generation + 1) & CURSOR_GENERATIONS;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Blob, &V)> {
        self.slots.iter().flatten().map(|entry| (&entry.key, &entry.value))
    }

    /// A random slot that is not vacant.
    pub(super) fn any(&self, random: impl Fn() -> u64) -> Option<u32> {
        if self.index.is_empty() {
            return None;
        }
        // At least every fourth slot is in use, or there are few.
        let full = |slot: &usize| self.slots[*slot].is_some();
        let mut tries = (0..64).map(|_| random() as usize % self.slots.len());
        let found = tries.find(full).or_else(|| (0..self.slots.len()).find(full));
        found.map(|slot| slot as u32)
    }

    /// Continues a scan: visits the entries in up to `count` slots from `cursor` on, and ends early when
    /// `visit` returns false. `None`: the scan is complete.
    pub(super) fn scan(
        &self,
        cursor: Cursor,
        count: usize,
        mut visit: impl FnMut(&Blob, &V) -> bool,
    ) -> Option<Cursor> {
        let from = if cursor.generation == self.generation { cursor.slot as usize } else { 0 };
        let from = from.min(self.slots.len());
        let to = from.saturating_add(count).min(self.slots.len());
        let stopped = (from..to)
            .find(|slot| self.slots[*slot].as_ref().is_some_and(|entry| !visit(&entry.key, &entry.value)));
        let next = stopped.map_or(to, |slot| slot + 1);
        (next < self.slots.len()).then_some(Cursor {
            slot: next as u32,
            stripe: cursor.stripe,
            generation: self.generation,
        })
    }
}

/// Position at which a scan continues: a number of 53 bits, which every client can represent exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cursor {
    pub(super) slot: u32,
    /// The stripe, for a scan over all keys; below 64.
    pub(super) stripe: u8,
    generation: u16,
}

const CURSOR_GENERATIONS: u16 = (1 << 15) - 1;

impl Cursor {
    /// The beginning of a stripe, in any generation of its table.
    pub(super) fn of_stripe(stripe: u8) -> Self {
        Cursor { stripe, ..Cursor::default() }
    }

    /// The cursor with this number. `None`: it lies after the end.
    pub(super) fn of_number(number: u64) -> Option<Self> {
        let generation = u16::try_from(number >> 38).ok().filter(|number| *number <= CURSOR_GENERATIONS)?;
        Some(Cursor { slot: number as u32, stripe: (number >> 32 & 63) as u8, generation })
    }

    pub(super) fn number(self) -> u64 {
        u64::from(self.slot) | u64::from(self.stripe) << 32 | u64::from(self.generation) << 38
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A hash with many collisions.
    fn hash(key: &[u8]) -> u64 {
        key.iter().map(|&b| u64::from(b)).sum::<u64>() % 7
    }

    #[test]
    fn it_is_a_map() {
        let (mut table, mut model, mut done) = (Table::default(), BTreeMap::new(), [0; 3]);
        for step in 0u32..5000 {
            let key = (step.wrapping_mul(2_654_435_761) % 97).to_string().into_bytes();
            let found = table.find(hash(&key), &key);
            assert_eq!(found.map(|slot| *table.value(slot)), model.get(&key).copied());
            match (found, step % 3) {
                (Some(slot), 0) => {
                    let removed = table.remove(slot).map(|entry| entry.value);
                    assert_eq!(removed, model.remove(&key));
                    done[0] += 1;
                }
                (Some(slot), _) => {
                    *table.value_mut(slot) = step;
                    model.insert(key, step);
                    done[1] += 1;
                }
                (None, _) => {
                    table.insert(hash(&key), Blob::new(&key), step);
                    model.insert(key, step);
                    done[2] += 1;
                }
            }
            assert_eq!(table.len(), model.len());
        }
        assert!(done.iter().all(|&times| times > 1000), "removed, changed and inserted: {done:?}");
        let seen: BTreeMap<_, _> = table.iter().map(|(k, v)| (k.as_bytes().to_vec(), *v)).collect();
        assert_eq!(seen, model);
    }

    #[test]
    fn a_scan_meets_everything_that_stays_once() {
        let mut table = Table::default();
        let key = |n: u32| n.to_string().into_bytes();
        let add = |table: &mut Table<u32>, n| table.insert(hash(&key(n)), Blob::new(&key(n)), n);
        (0..100).for_each(|n| {
            add(&mut table, n);
        });
        let (mut seen, mut cursor, mut step) = (Vec::new(), Some(Cursor::default()), 100);
        while let Some(at) = cursor {
            cursor = table.scan(at, 7, |_, &n| {
                seen.push(n);
                n % 3 != 0
            });
            // Meanwhile entries with odd numbers are removed and others added.
            let odd = (step - 100) * 2 + 1;
            if odd < 100
                && let Some(slot) = table.find(hash(&key(odd)), &key(odd))
            {
                table.remove(slot);
            }
            add(&mut table, step);
            step += 1;
        }
        for n in (0..100).step_by(2) {
            assert_eq!(seen.iter().filter(|&&s| s == n).count(), 1, "{n}");
        }
    }

    #[test]
    fn most_of_it_goes_and_so_does_its_memory() {
        let mut table = Table::default();
        let key = |n: u32| n.to_string().into_bytes();
        let good_hash = |n: u32| u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..10_000).for_each(|n| {
            table.insert(good_hash(n), Blob::new(&key(n)), n);
        });
        let (full, mut seen) = (table.weight(), Vec::new());
        let mut cursor = table.scan(Cursor::default(), 5000, |_, &n| {
            seen.push(n);
            true
        });
        for n in (0..10_000).filter(|n| n % 100 != 7) {
            let slot = table.find(good_hash(n), &key(n)).expect("it is here");
            table.remove(slot);
            table.tidy();
        }
        assert!(table.weight() < full / 20 && table.slots() < 4 * 100 + FEW, "{}", table.weight());
        while let Some(at) = cursor {
            assert_eq!(Cursor::of_number(at.number()), Some(at));
            cursor = table.scan(at, 10, |_, &n| {
                seen.push(n);
                true
            });
        }
        for n in (7..10_000).step_by(100) {
            assert!(seen.contains(&n) && table.find(good_hash(n), &key(n)).is_some(), "{n}");
        }
    }
}
