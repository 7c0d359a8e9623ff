//! A hash table whose entries stay where they are.
//!
//! ```text
//!  index: hash -> slot        slots:  | key value | vacant | key value | ...
//! ```
//!
//! An entry keeps its slot for as long as it lives, however the table grows. So a cursor is a slot number, and a scan
//! that goes from slot to slot meets everything that was there from its beginning to its end exactly once.

use super::blob::Blob;
use hashbrown::HashTable;

/// Keys and values. Hashes are the caller's, who needs them elsewhere too.
pub(super) struct Table<V> {
    index: HashTable<u32>,
    slots: Vec<Option<Entry<V>>>,
    vacant: Vec<u32>,
}

pub(super) struct Entry<V> {
    pub(super) hash: u64,
    pub(super) key: Blob,
    pub(super) value: V,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Table { index: HashTable::new(), slots: Vec::new(), vacant: Vec::new() }
    }
}

impl<V> Table<V> {
    /// What an entry takes beside its key and value.
    pub(super) const OVERHEAD: usize = size_of::<Option<Entry<V>>>() + 2 * size_of::<u32>();

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Slots, vacant ones included: cursors are below this.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Steps beyond the usual that adding or removing so many entries may take: the index grows by being made anew.
    pub(super) fn upkeep(&self, entries: usize) -> usize {
        let len = self.index.len();
        if len + entries > self.index.capacity() { len + entries } else { 0 }
    }

    /// The slot of a key. Hot: once per command.
    #[inline]
    pub(super) fn find(&self, hash: u64, key: &[u8]) -> Option<u32> {
        self.index.find(hash, |&slot| self.entry(slot).is_some_and(|entry| entry.key == *key)).copied()
    }

    /// What lies in a slot, with its hash.
    #[inline]
    pub(super) fn entry(&self, slot: u32) -> Option<&Entry<V>> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// What lies in a slot, if anything does.
    #[inline]
    pub(super) fn at(&self, slot: u32) -> Option<(&Blob, &V)> {
        self.entry(slot).map(|entry| (&entry.key, &entry.value))
    }

    /// The value in a slot that [`Table::find`] gave.
    #[inline]
    pub(super) fn value(&self, slot: u32) -> &V {
        &self.entry(slot).expect("slots come from find").value
    }

    /// As [`Table::value`].
    #[inline]
    pub(super) fn value_mut(&mut self, slot: u32) -> &mut V {
        &mut self.slots[slot as usize].as_mut().expect("slots come from find").value
    }

    /// Adds a key that is not here.
    pub(super) fn insert(&mut self, hash: u64, key: Blob, value: V) -> u32 {
        let entry = Some(Entry { hash, key, value });
        let slot = match self.vacant.pop() {
            Some(slot) => {
                self.slots[slot as usize] = entry;
                slot
            }
            None => {
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

    /// Takes out what lies in a full slot.
    pub(super) fn remove(&mut self, slot: u32) -> Option<Entry<V>> {
        let entry = self.slots.get_mut(slot as usize)?.take()?;
        if let Ok(indexed) = self.index.find_entry(entry.hash, |&indexed| indexed == slot) {
            indexed.remove();
        }
        if self.index.is_empty() {
            *self = Table::default(); // gives the memory back
        } else {
            self.vacant.push(slot);
        }
        Some(entry)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Blob, &V)> {
        self.slots.iter().flatten().map(|entry| (&entry.key, &entry.value))
    }

    /// A full slot near the one that `random` picks.
    pub(super) fn any(&self, random: u64) -> Option<u32> {
        let slots = self.slots.len();
        if self.index.is_empty() {
            return None;
        }
        let start = (random % slots as u64) as usize;
        let full = |slot: &usize| self.slots[*slot].is_some();
        (start..slots).chain(0..start).find(full).map(|slot| slot as u32)
    }

    /// Goes on with a scan: visits the full ones of up to `count` slots from `cursor` on, and ends early when `visit` says
    /// false. `None`: that was the end.
    pub(super) fn scan(
        &self,
        cursor: u64,
        count: usize,
        mut visit: impl FnMut(&Blob, &V) -> bool,
    ) -> Option<u64> {
        let from = usize::try_from(cursor).unwrap_or(usize::MAX).min(self.slots.len());
        let to = from.saturating_add(count).min(self.slots.len());
        let stopped = (from..to)
            .find(|slot| self.slots[*slot].as_ref().is_some_and(|entry| !visit(&entry.key, &entry.value)));
        let next = stopped.map_or(to, |slot| slot + 1);
        (next < self.slots.len()).then_some(next as u64)
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
        let (mut table, mut model) = (Table::default(), BTreeMap::new());
        for step in 0u32..5000 {
            let key = (step.wrapping_mul(2_654_435_761) % 97).to_string().into_bytes();
            let found = table.find(hash(&key), &key);
            assert_eq!(found.map(|slot| *table.value(slot)), model.get(&key).copied());
            match (found, step % 3) {
                (Some(slot), 0) => {
                    let removed = table.remove(slot).map(|entry| entry.value);
                    assert_eq!(removed, model.remove(&key));
                }
                (Some(slot), _) => *table.value_mut(slot) = step,
                (None, _) => {
                    table.insert(hash(&key), Blob::new(&key), step);
                }
            }
            if table.find(hash(&key), &key).is_some() {
                model.insert(key.clone(), *table.value(table.find(hash(&key), &key).expect("just seen")));
            }
            assert_eq!(table.len(), model.len());
        }
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
        let (mut seen, mut cursor, mut step) = (Vec::new(), Some(0), 100);
        while let Some(at) = cursor {
            cursor = table.scan(at, 7, |_, &n| {
                seen.push(n);
                n % 3 != 0
            });
            // Meanwhile odd ones go and others come.
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
}
