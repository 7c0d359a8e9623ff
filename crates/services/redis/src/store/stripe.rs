//! A part of the keyspace with its own lock: keys, their values, expiries and watchers.

use super::{blob::Blob, key::Key, now::Now, table::Table, text::Text, trash::Trash, watchers::Watchers};
use std::{
    collections::VecDeque,
    mem,
    sync::{Weak, atomic::AtomicBool},
};

/// The value of a key.
pub(super) enum Data {
    Text(Text),
    List(Box<List>),
    Hash(Box<Fields>),
    Set(Box<Members>),
}

impl Data {
    /// The type as TYPE reports it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Data::Text(_) => "string",
            Data::List(_) => "list",
            Data::Hash(_) => "hash",
            Data::Set(_) => "set",
        }
    }

    /// Bytes of memory besides the value itself.
    #[inline]
    fn weight(&self) -> usize {
        match self {
            Data::Text(text) => text.weight(),
            Data::List(list) => size_of::<List>() + list.weight(),
            Data::Hash(fields) => size_of::<Fields>() + fields.weight(),
            Data::Set(members) => size_of::<Members>() + members.weight(),
        }
    }

    /// Number of items in the value; a string is one.
    pub(super) fn count(&self) -> usize {
        match self {
            Data::Text(_) => 1,
            Data::List(list) => list.items.len(),
            Data::Hash(fields) => fields.table.len(),
            Data::Set(members) => members.table.len(),
        }
    }

    /// Additional steps that adding or removing this many items may take.
    pub(super) fn upkeep(&self, items: usize) -> usize {
        match self {
            Data::Text(_) => 0,
            Data::List(list) => {
                let (len, capacity) = (list.items.len(), list.items.capacity());
                let moves = len + items > capacity || len < capacity / 4 + items;
                if moves { len / 16 } else { 0 } // all items are moved at once, as bytes
            }
            Data::Hash(fields) => fields.table.upkeep(items),
            Data::Set(members) => members.table.upkeep(items),
        }
    }

    /// Whether the value is empty, so that the key has to be removed.
    pub(super) fn is_spent(&self) -> bool {
        match self {
            Data::Text(_) => false,
            Data::List(list) => list.items.is_empty(),
            Data::Hash(fields) => fields.table.len() == 0,
            Data::Set(members) => members.table.len() == 0,
        }
    }
}

#[derive(Default)]
pub(super) struct List {
    pub(super) items: VecDeque<Blob>,
    /// Bytes of memory besides the deque.
    heap: usize,
}

impl List {
    /// Bytes of memory besides the list itself.
    #[inline]
    fn weight(&self) -> usize {
        self.items.capacity() * size_of::<Blob>() + self.heap
    }

    pub(super) fn push(&mut self, item: Blob, front: bool) {
        self.heap += item.heap();
        if front { self.items.push_front(item) } else { self.items.push_back(item) }
    }

    pub(super) fn pop(&mut self, front: bool) -> Option<Blob> {
        let item = if front { self.items.pop_front() } else { self.items.pop_back() }?;
        self.heap -= item.heap();
        self.tidy();
        Some(item)
    }

    /// Releases memory if most of it is unused.
    fn tidy(&mut self) {
        if self.items.capacity() > 64 && self.items.len() < self.items.capacity() / 4 {
            self.items.shrink_to(2 * self.items.len());
        }
    }

    /// Replaces the item at an index that exists.
    pub(super) fn replace(&mut self, place: usize, item: Blob) {
        let old = &mut self.items[place];
        self.heap = self.heap + item.heap() - old.heap();
        *old = item;
    }

    /// Inserts an item before the one at an index.
    pub(super) fn insert(&mut self, place: usize, item: Blob) {
        self.heap += item.heap();
        self.items.insert(place, item);
    }

    /// Keeps the items in `start..end`.
    pub(super) fn keep(&mut self, start: usize, end: usize) {
        let gone = self.items.drain(end..).map(|item| item.heap()).sum::<usize>();
        self.heap -= gone + self.items.drain(..start).map(|item| item.heap()).sum::<usize>();
        self.tidy();
    }

    /// Changes the items in any way, and updates the weight.
    pub(super) fn rework<R>(&mut self, work: impl FnOnce(&mut VecDeque<Blob>) -> R) -> R {
        let result = work(&mut self.items);
        self.heap = self.items.iter().map(Blob::heap).sum();
        self.tidy();
        result
    }
}

/// A table that tracks its weight.
pub(super) struct Weighed<V> {
    pub(super) table: Table<V>,
    /// Bytes of memory besides the table.
    heap: usize,
}
pub(super) type Fields = Weighed<Blob>;
pub(super) type Members = Weighed<()>;

/// The memory of a value besides the value itself.
pub(super) trait Weight {
    fn heap(&self) -> usize;
}
impl Weight for Blob {
    fn heap(&self) -> usize {
        Blob::heap(self)
    }
}
impl Weight for () {
    fn heap(&self) -> usize {
        0
    }
}

impl<V> Default for Weighed<V> {
    fn default() -> Self {
        Weighed { table: Table::default(), heap: 0 }
    }
}

impl<V: Weight> Weighed<V> {
    /// Bytes of memory besides the table itself.
    #[inline]
    fn weight(&self) -> usize {
        self.table.weight() + self.heap
    }

    pub(super) fn get(&self, key: Key<'_>) -> Option<&V> {
        self.table.find(key.hash, key.bytes).map(|slot| self.table.value(slot))
    }

    /// Stores a value. True if the key is new.
    pub(super) fn put(&mut self, key: Key<'_>, value: V) -> bool {
        match self.table.find(key.hash, key.bytes) {
            Some(slot) => {
                let old = self.table.value_mut(slot);
                self.heap = self.heap + value.heap() - old.heap();
                *old = value;
                false
            }
            None => {
                let name = Blob::new(key.bytes);
                self.heap += name.heap() + value.heap();
                self.table.insert(key.hash, name, value);
                true
            }
        }
    }

    pub(super) fn remove(&mut self, key: Key<'_>) -> bool {
        self.table.find(key.hash, key.bytes).is_some_and(|slot| self.remove_slot(slot).is_some())
    }

    pub(super) fn remove_slot(&mut self, slot: u32) -> Option<Blob> {
        let entry = self.table.remove(slot)?;
        self.heap -= entry.key.heap() + entry.value.heap();
        self.table.tidy();
        Some(entry.key)
    }
}

/// A value and its expiry.
pub(super) struct Item {
    pub(super) data: Data,
    /// Expiry in Unix milliseconds; 0: never.
    pub(super) ends: u64,
}

impl Item {
    pub(super) fn new(data: Data) -> Self {
        Item { data, ends: 0 }
    }

    #[inline]
    fn is_over(&self, now: &Now) -> bool {
        self.ends != 0 && self.ends <= now.unix_ms()
    }
}

/// Slots that each change searches for expired keys.
const SWEEP: usize = 4;

/// One part of the keyspace.
#[derive(Default)]
pub(super) struct Stripe {
    table: Table<Item>,
    /// Number of keys with an expiry.
    pub(super) ending: usize,
    /// Slot at which the search for expired keys continues.
    sweeper: usize,
    /// Bytes of memory of keys and values, besides the table.
    heap: usize,
    /// The weight that was last reported to the store.
    pub(super) reported: i64,
    /// Connections that watch keys, by key. `None` if there are none.
    watchers: Option<Box<Watchers>>,
    /// Number of look-ups since the start.
    pub(super) lookups: u64,
    /// Values to be freed after the lock is released.
    pub(super) trash: Trash,
}

impl Stripe {
    /// Weight in bytes of memory.
    #[inline]
    pub(super) fn weight(&self) -> usize {
        self.table.weight() + self.heap + self.watchers.as_ref().map_or(0, |watchers| watchers.weight())
    }

    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    pub(super) fn table(&self) -> &Table<Item> {
        &self.table
    }

    /// The slot of a key that has not expired. Hot path: once per command.
    #[inline]
    pub(super) fn find(&mut self, key: Key<'_>, now: &Now) -> Option<u32> {
        self.lookups += 1;
        let slot = self.table.find(key.hash, key.bytes)?;
        if self.table.value(slot).is_over(now) {
            self.delete_slot(slot);
            return None;
        }
        Some(slot)
    }

    #[inline]
    pub(super) fn get(&mut self, key: Key<'_>, now: &Now) -> Option<&Item> {
        let slot = self.find(key, now)?;
        Some(self.table.value(slot))
    }

    /// Whether an item has not expired. Changes nothing: for KEYS and SCAN.
    pub(super) fn is_live(item: &Item, now: &Now) -> bool {
        !item.is_over(now)
    }

    /// Changes the value in a slot of this key, and removes the key if the value becomes empty.
    #[inline]
    pub(super) fn edit<R>(&mut self, key: Key<'_>, slot: u32, change: impl FnOnce(&mut Item) -> R) -> R {
        self.touch(key);
        let item = self.table.value_mut(slot);
        let (weight, ends) = (item.data.weight(), item.ends != 0);
        let result = change(item);
        self.heap = self.heap + item.data.weight() - weight;
        self.ending = self.ending + usize::from(item.ends != 0) - usize::from(ends);
        if item.data.is_spent() {
            self.delete_slot(slot);
        }
        result
    }

    /// Stores a value under a key and replaces any other.
    pub(super) fn put(&mut self, key: Key<'_>, item: Item) {
        if let Some(slot) = self.table.find(key.hash, key.bytes) {
            let old = self.edit(key, slot, |old| mem::replace(old, item));
            let weight = old.data.weight();
            return self.trash.put(old, weight);
        }
        self.touch(key);
        let name = Blob::new(key.bytes);
        self.heap += name.heap() + item.data.weight();
        self.ending += usize::from(item.ends != 0);
        self.table.insert(key.hash, name, item);
    }

    /// Removes a key and returns its item.
    pub(super) fn take(&mut self, key: Key<'_>, now: &Now) -> Option<Item> {
        let slot = self.find(key, now)?;
        self.touch(key);
        let item = self.drop_slot(slot);
        self.table.tidy();
        item
    }

    /// Deletes a key. False: it did not exist.
    pub(super) fn delete(&mut self, key: Key<'_>, now: &Now) -> bool {
        let Some(slot) = self.find(key, now) else { return false };
        self.touch(key);
        self.delete_slot(slot);
        true
    }

    fn delete_slot(&mut self, slot: u32) {
        self.discard_slot(slot);
        self.table.tidy();
    }

    /// Removes the entry of a slot; other slots stay as they are.
    fn discard_slot(&mut self, slot: u32) {
        if let Some(item) = self.drop_slot(slot) {
            let weight = item.data.weight();
            self.trash.put(item, weight);
        }
    }

    fn drop_slot(&mut self, slot: u32) -> Option<Item> {
        let entry = self.table.remove(slot)?;
        self.heap -= entry.key.heap() + entry.value.data.weight();
        self.ending -= usize::from(entry.value.ends != 0);
        self.touch(Key { hash: entry.hash, bytes: entry.key.as_bytes() });
        Some(entry.value)
    }

    pub(super) fn clear(&mut self) {
        if let Some(watchers) = &mut self.watchers {
            watchers.raise_where(|key| self.table.find(key.hash, key.bytes).is_some());
            self.drop_empty_watchers();
        }
        let all = mem::take(&mut self.table);
        let weight = all.weight() + self.heap;
        self.trash.put(all, weight);
        (self.heap, self.ending, self.sweeper) = (0, 0, 0);
    }

    /// Searches a few slots for expired keys, so that they are removed even if no command accesses them
    /// again, and for watchers that no longer exist.
    #[inline]
    pub(super) fn sweep(&mut self, now: &Now) {
        if self.ending > 0 {
            self.sweep_slots(now, SWEEP);
        }
        if let Some(watchers) = &mut self.watchers {
            watchers.sweep();
            self.drop_empty_watchers();
        }
    }

    /// Searches all slots, but at most as many as are `left`.
    pub(super) fn sweep_all(&mut self, now: &Now, left: &mut usize) {
        if self.ending > 0 {
            let slots = self.table.slots().min(*left);
            *left -= slots;
            self.sweep_slots(now, slots);
        }
    }

    #[cold]
    fn sweep_slots(&mut self, now: &Now, slots: usize) {
        for _ in 0..slots {
            if self.sweeper >= self.table.slots() {
                self.sweeper = 0;
            }
            let slot = self.sweeper as u32;
            if self.table.at(slot).is_some_and(|(_, item)| item.is_over(now)) {
                self.discard_slot(slot);
            }
            self.sweeper += 1;
        }
        self.table.tidy();
    }

    /// Sets `flag` when this key changes.
    pub(super) fn watch(&mut self, key: Key<'_>, flag: &Weak<AtomicBool>) {
        self.watchers.get_or_insert_default().add(key, flag);
    }

    /// Number of keys that are or were watched.
    #[cfg(test)]
    pub(super) fn watched(&self) -> usize {
        self.watchers.as_ref().map_or(0, |watchers| watchers.len())
    }

    /// Compares the counters with the actual contents.
    #[cfg(test)]
    pub(super) fn check(&self) {
        let heap = |data: &Data| match data {
            Data::Text(_) => data.weight(),
            Data::List(list) => data.weight() - list.heap + list.items.iter().map(Blob::heap).sum::<usize>(),
            Data::Hash(fields) => {
                let all = fields.table.iter().map(|(field, value)| field.heap() + value.heap());
                data.weight() - fields.heap + all.sum::<usize>()
            }
            Data::Set(members) => {
                data.weight() - members.heap
                    + members.table.iter().map(|(name, ())| name.heap()).sum::<usize>()
            }
        };
        let items = self.table.iter();
        assert_eq!(self.heap, items.map(|(key, item)| key.heap() + heap(&item.data)).sum::<usize>());
        assert_eq!(self.ending, self.table.iter().filter(|(_, item)| item.ends != 0).count());
        assert!(self.trash.is_empty());
    }

    /// Notes a change of a key: sets the flags of its watchers.
    #[inline]
    fn touch(&mut self, key: Key<'_>) {
        if let Some(watchers) = &mut self.watchers {
            watchers.raise(key);
            self.drop_empty_watchers();
        }
    }

    fn drop_empty_watchers(&mut self) {
        if self.watchers.as_ref().is_some_and(|watchers| watchers.len() == 0) {
            self.watchers = None;
        }
    }
}
