//! A dynamic table: the latest fields, within a number of bytes.
//!
//! ```text
//!  entries:  oldest | .. | newest            index 62 is the newest
//!               |            |
//!  bytes:   ...[name value][name value]____  appended; when evicted bytes fill half of it, the rest moves down
//! ```
//!
//! Source:     RFC 7541 2.3.2, 4
//! Invariants: `size` is the sum over entries of name, value and 32, and at most `most`.
//! Limits:     `most` is at most [`TABLE_BYTES`]; memory is proportional to the bytes in use, and an unused
//!             table has none.

use super::{ENTRY_BYTES, TABLE_BYTES};
use std::collections::VecDeque;

/// Index of the newest entry.
pub(super) const FIRST: usize = super::statics::ENTRIES.len() + 1;

/// `N`: what the owner stores with each entry.
pub(super) struct Table<N> {
    entries: VecDeque<Entry<N>>,
    bytes: Vec<u8>,
    size: usize,
    most: usize,
    /// The number of the newest entry: how many were ever inserted, modulo 2^16.
    inserted: u16,
    /// Increased whenever the meaning of indexes may change.
    version: u64,
}

struct Entry<N> {
    /// The position of the entry's name; the value follows.
    at: u32,
    name: u16,
    value: u16,
    note: N,
}

impl<N: Copy> Table<N> {
    pub fn new() -> Self {
        Table {
            entries: VecDeque::new(),
            bytes: Vec::new(),
            size: 0,
            most: TABLE_BYTES,
            inserted: 0,
            version: 0,
        }
    }

    /// Name, value and note of an index of the whole index space, counted from [`FIRST`].
    #[inline]
    pub fn get(&self, index: usize) -> Option<(&[u8], &[u8], N)> {
        let back = index.checked_sub(FIRST)?;
        let place = self.entries.len().checked_sub(back + 1)?;
        Some(self.entry(&self.entries[place]))
    }

    #[inline]
    fn entry(&self, entry: &Entry<N>) -> (&[u8], &[u8], N) {
        let (name, rest) = self.bytes[entry.at as usize..].split_at(entry.name as usize);
        (name, &rest[..entry.value as usize], entry.note)
    }

    /// Adds an entry and evicts older ones; an entry larger than the table empties it (4.4). Returns its
    /// number, if it was added.
    pub fn insert(&mut self, name: &[u8], value: &[u8], note: N) -> Option<u16> {
        let cost = name.len() + value.len() + ENTRY_BYTES;
        self.version += 1;
        self.evict(self.most.saturating_sub(cost));
        if cost > self.most {
            return None;
        }
        self.make_room(name.len() + value.len());
        let at = self.bytes.len() as u32;
        self.bytes.extend_from_slice(name);
        self.bytes.extend_from_slice(value);
        self.entries.push_back(Entry { at, name: name.len() as u16, value: value.len() as u16, note });
        self.size += cost;
        self.inserted = self.inserted.wrapping_add(1);
        Some(self.inserted)
    }

    /// Index of the entry with this number. While it is in the table, no other entry has it: there are at
    /// most 128.
    #[inline]
    pub fn index_of(&self, number: u16) -> Option<usize> {
        let back = usize::from(self.inserted.wrapping_sub(number));
        (back < self.entries.len()).then_some(FIRST + back)
    }

    /// All entries with their numbers, the oldest first.
    pub fn numbered(&self) -> impl Iterator<Item = (u16, &[u8], &[u8])> {
        let first = self.inserted.wrapping_sub(self.entries.len() as u16).wrapping_add(1);
        self.entries.iter().zip(0..).map(move |(entry, at)| {
            let (name, value, _) = self.entry(entry);
            (first.wrapping_add(at), name, value)
        })
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Changes the limit, and evicts entries beyond it (4.3).
    pub fn limit(&mut self, most: usize) {
        self.most = most.min(TABLE_BYTES);
        self.version += 1;
        self.evict(self.most);
    }

    /// Every index keeps its field as long as this number does not change.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn most(&self) -> usize {
        self.most
    }

    fn evict(&mut self, size: usize) {
        while self.size > size
            && let Some(oldest) = self.entries.pop_front()
        {
            self.size -= oldest.name as usize + oldest.value as usize + ENTRY_BYTES;
        }
    }

    /// Moves the used bytes to the front if otherwise the memory would grow beyond twice their number.
    fn make_room(&mut self, n: usize) {
        if self.bytes.len() + n <= self.bytes.capacity() {
            return;
        }
        let from = self.entries.front().map_or(self.bytes.len(), |oldest| oldest.at as usize);
        if from > self.bytes.len() / 2 {
            self.bytes.drain(..from);
            self.entries.iter_mut().for_each(|entry| entry.at -= from as u32);
        }
    }

    #[cfg(test)]
    pub fn size(&self) -> usize {
        self.size
    }

    #[cfg(test)]
    pub fn memory(&self) -> usize {
        self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_kept_of_what_does_not_fit() {
        let mut table = Table::new();
        table.insert(b"a", b"b", ());
        assert_eq!(table.size(), 34);
        assert_eq!(table.insert(b"name", &[0; TABLE_BYTES], ()), None);
        assert_eq!((table.size(), table.get(FIRST)), (0, None));
        assert!(table.insert(b"", &[0; TABLE_BYTES - ENTRY_BYTES], ()).is_some());
        assert_eq!(table.size(), TABLE_BYTES);
    }

    proptest! {
        #[test]
        fn holds_the_latest_that_fit(
            ops in prop::collection::vec((0usize..40, 0usize..600, prop::option::weighted(0.1, 0usize..5000)), 0..200),
        ) {
            let (mut table, mut model, mut most) = (Table::new(), Vec::<(Vec<u8>, Vec<u8>, usize)>::new(), TABLE_BYTES);
            for (n, (name, value, limit)) in ops.into_iter().enumerate() {
                let fits = |model: &mut Vec<(Vec<u8>, Vec<u8>, usize)>, most: usize| {
                    let cost = |(n, v, _): &(Vec<u8>, Vec<u8>, usize)| n.len() + v.len() + 32;
                    while model.iter().map(cost).sum::<usize>() > most {
                        model.pop();
                    }
                };
                if let Some(limit) = limit {
                    table.limit(limit);
                    most = limit.min(TABLE_BYTES);
                    fits(&mut model, most);
                }
                let (name, value) = (vec![n as u8; name], vec![!n as u8; value]);
                let number = table.insert(&name, &value, n);
                model.insert(0, (name, value, n));
                fits(&mut model, most);
                prop_assert_eq!(number.and_then(|n| table.index_of(n)), number.map(|_| FIRST));
                for (back, (name, value, note)) in model.iter().enumerate() {
                    prop_assert_eq!(table.get(FIRST + back), Some((&name[..], &value[..], *note)));
                }
                prop_assert_eq!(table.get(FIRST + model.len()), None);
                prop_assert!(table.memory() <= 4 * TABLE_BYTES);
            }
        }
    }
}
