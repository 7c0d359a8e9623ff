//! A part of the keyspace behind one lock: keys, their values, when they end, who watches them.

use super::{Key, Now, blob::Blob, table::Table, text::Text, trash::Trash};
use std::{
    collections::VecDeque,
    mem,
    sync::{
        Weak,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// What lies under a key.
pub(super) enum Data {
    Text(Text),
    List(Box<List>),
    Hash(Box<Fields>),
    Set(Box<Members>),
}

impl Data {
    /// As TYPE names it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Data::Text(_) => "string",
            Data::List(_) => "list",
            Data::Hash(_) => "hash",
            Data::Set(_) => "set",
        }
    }

    /// Bytes of memory beyond itself.
    #[inline]
    fn weight(&self) -> usize {
        match self {
            Data::Text(text) => text.weight(),
            Data::List(list) => size_of::<List>() + list.weight,
            Data::Hash(fields) => size_of::<Fields>() + fields.weight,
            Data::Set(members) => size_of::<Members>() + members.weight,
        }
    }

    /// Items in it; a string is one.
    pub(super) fn count(&self) -> usize {
        match self {
            Data::Text(_) => 1,
            Data::List(list) => list.items.len(),
            Data::Hash(fields) => fields.table.len(),
            Data::Set(members) => members.table.len(),
        }
    }

    /// Steps beyond the usual that adding or removing so many items may take.
    pub(super) fn upkeep(&self, items: usize) -> usize {
        match self {
            Data::Text(_) => 0,
            Data::List(list) if list.items.len() + items > list.items.capacity() => list.items.len() / 16,
            Data::List(_) => 0,
            Data::Hash(fields) => fields.table.upkeep(items),
            Data::Set(members) => members.table.upkeep(items),
        }
    }

    /// Nothing is left in it: the key goes too.
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
    weight: usize,
}

impl List {
    pub(super) fn push(&mut self, item: Blob, front: bool) {
        self.weight += item.weight();
        if front { self.items.push_front(item) } else { self.items.push_back(item) }
    }

    pub(super) fn pop(&mut self, front: bool) -> Option<Blob> {
        let item = if front { self.items.pop_front() } else { self.items.pop_back() }?;
        self.weight -= item.weight();
        Some(item)
    }

    /// Replaces the item at a place that exists.
    pub(super) fn replace(&mut self, place: usize, item: Blob) {
        let old = &mut self.items[place];
        self.weight = self.weight + item.weight() - old.weight();
        *old = item;
    }

    /// Changes the items in any way.
    pub(super) fn rework<R>(&mut self, work: impl FnOnce(&mut VecDeque<Blob>) -> R) -> R {
        let result = work(&mut self.items);
        self.weight = self.items.iter().map(Blob::weight).sum();
        result
    }
}

/// A table that knows how much it weighs.
pub(super) struct Weighed<V> {
    pub(super) table: Table<V>,
    weight: usize,
}
pub(super) type Fields = Weighed<Blob>;
pub(super) type Members = Weighed<()>;

/// What an entry of a table weighs beside its key.
pub(super) trait Weight {
    fn weight(&self) -> usize;
}
impl Weight for Blob {
    fn weight(&self) -> usize {
        Blob::weight(self)
    }
}
impl Weight for () {
    fn weight(&self) -> usize {
        0
    }
}

impl<V> Default for Weighed<V> {
    fn default() -> Self {
        Weighed { table: Table::default(), weight: 0 }
    }
}

impl<V: Weight> Weighed<V> {
    fn entry_weight(key: &Blob, value: &V) -> usize {
        Table::<V>::OVERHEAD + key.weight() + value.weight()
    }

    pub(super) fn get(&self, key: Key<'_>) -> Option<&V> {
        self.table.find(key.hash, key.bytes).map(|slot| self.table.value(slot))
    }

    /// True: the key is new.
    pub(super) fn put(&mut self, key: Key<'_>, value: V) -> bool {
        match self.table.find(key.hash, key.bytes) {
            Some(slot) => {
                let old = self.table.value_mut(slot);
                self.weight = self.weight + value.weight() - old.weight();
                *old = value;
                false
            }
            None => {
                let name = Blob::new(key.bytes);
                self.weight += Self::entry_weight(&name, &value);
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
        self.weight -= Self::entry_weight(&entry.key, &entry.value);
        Some(entry.key)
    }
}

/// A value and when it ends.
pub(super) struct Item {
    pub(super) data: Data,
    /// Unix time in milliseconds; 0: never.
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

/// Slots looked at for ended keys with each change.
const SWEEP: usize = 4;

/// One part of the keyspace.
#[derive(Default)]
pub(super) struct Stripe {
    table: Table<Item>,
    /// Keys that end some time.
    pub(super) ending: usize,
    /// Where the search for ended keys goes on.
    sweeper: usize,
    /// Bytes of memory that keys and values take.
    pub(super) weight: usize,
    /// What the store knows of that.
    pub(super) reported: i64,
    /// Who is to be told of changes, by key. `None` while nobody is.
    watchers: Option<Box<Table<Vec<Weak<AtomicBool>>>>>,
    /// Watched keys at which those nobody watches any more are looked for.
    purge_at: usize,
    /// Look-ups since the beginning.
    pub(super) lookups: u64,
    /// What is to be freed when the lock has been given back.
    pub(super) trash: Trash,
}

impl Stripe {
    const OVERHEAD: usize = Table::<Item>::OVERHEAD;

    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    pub(super) fn table(&self) -> &Table<Item> {
        &self.table
    }

    /// The slot of a key that has not ended. Hot: once per command.
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

    /// Looks without changing anything: for KEYS and SCAN.
    pub(super) fn is_live(item: &Item, now: &Now) -> bool {
        !item.is_over(now)
    }

    /// Changes the value in a slot of this key; a value that is spent by that goes.
    #[inline]
    pub(super) fn edit<R>(&mut self, key: Key<'_>, slot: u32, change: impl FnOnce(&mut Item) -> R) -> R {
        self.touch(key);
        let item = self.table.value_mut(slot);
        let (weight, ends) = (item.data.weight(), item.ends != 0);
        let result = change(item);
        self.weight = self.weight + item.data.weight() - weight;
        self.ending = self.ending + usize::from(item.ends != 0) - usize::from(ends);
        if item.data.is_spent() {
            self.delete_slot(slot);
        }
        result
    }

    /// Puts a value under a key, whatever was there.
    pub(super) fn put(&mut self, key: Key<'_>, item: Item) {
        if let Some(slot) = self.table.find(key.hash, key.bytes) {
            let old = self.edit(key, slot, |old| mem::replace(old, item));
            let weight = old.data.weight();
            return self.trash.put(old, weight);
        }
        self.touch(key);
        let name = Blob::new(key.bytes);
        self.weight += Self::OVERHEAD + name.weight() + item.data.weight();
        self.ending += usize::from(item.ends != 0);
        self.table.insert(key.hash, name, item);
    }

    /// Takes a key out.
    pub(super) fn take(&mut self, key: Key<'_>, now: &Now) -> Option<Item> {
        let slot = self.find(key, now)?;
        self.touch(key);
        self.drop_slot(slot)
    }

    /// Deletes a key. False: there was none.
    pub(super) fn delete(&mut self, key: Key<'_>, now: &Now) -> bool {
        let Some(slot) = self.find(key, now) else { return false };
        self.touch(key);
        self.delete_slot(slot);
        true
    }

    fn delete_slot(&mut self, slot: u32) {
        if let Some(item) = self.drop_slot(slot) {
            let weight = item.data.weight();
            self.trash.put(item, weight);
        }
    }

    fn drop_slot(&mut self, slot: u32) -> Option<Item> {
        let entry = self.table.remove(slot)?;
        self.weight -= Self::OVERHEAD + entry.key.weight() + entry.value.data.weight();
        self.ending -= usize::from(entry.value.ends != 0);
        self.touch(Key { hash: entry.hash, bytes: entry.key.as_bytes() });
        Some(entry.value)
    }

    /// Takes everything out.
    pub(super) fn clear(&mut self) {
        if let Some(watchers) = &mut self.watchers {
            for slot in 0..watchers.slots() as u32 {
                let watched = watchers.entry(slot).map(|w| self.table.find(w.hash, w.key.as_bytes()));
                if watched.flatten().is_some() {
                    raise(watchers, slot);
                }
            }
            self.forget_nobody();
        }
        let all = mem::take(&mut self.table);
        self.trash.put(all, self.weight);
        (self.weight, self.ending, self.sweeper) = (0, 0, 0);
    }

    /// Looks at a few slots for keys that have ended, so that they go even if nobody asks for them again.
    #[inline]
    pub(super) fn sweep(&mut self, now: &Now) {
        if self.ending > 0 {
            self.sweep_some(now);
        }
    }

    #[cold]
    fn sweep_some(&mut self, now: &Now) {
        for _ in 0..SWEEP {
            if self.sweeper >= self.table.slots() {
                self.sweeper = 0;
            }
            let slot = self.sweeper as u32;
            if self.table.at(slot).is_some_and(|(_, item)| item.is_over(now)) {
                self.delete_slot(slot);
            }
            self.sweeper += 1;
        }
    }

    /// Raises `flag` when this key changes.
    pub(super) fn watch(&mut self, key: Key<'_>, flag: Weak<AtomicBool>) {
        let watchers = self.watchers.get_or_insert_default();
        if watchers.len() >= self.purge_at {
            Self::purge(watchers);
            self.purge_at = 16.max(2 * watchers.len());
        }
        match watchers.find(key.hash, key.bytes) {
            Some(slot) => {
                let flags = watchers.value_mut(slot);
                flags.retain(|flag| flag.strong_count() > 0);
                flags.push(flag);
            }
            None => {
                watchers.insert(key.hash, Blob::new(key.bytes), vec![flag]);
            }
        }
    }

    /// Keys that are watched, or were.
    #[cfg(test)]
    pub(super) fn watched(&self) -> usize {
        self.watchers.as_ref().map_or(0, |watchers| watchers.len())
    }

    /// Forgets watchers that are gone.
    fn purge(watchers: &mut Table<Vec<Weak<AtomicBool>>>) {
        for slot in 0..watchers.slots() as u32 {
            let gone =
                watchers.at(slot).is_some_and(|(_, flags)| flags.iter().all(|f| f.strong_count() == 0));
            if gone {
                watchers.remove(slot);
            }
        }
    }

    /// The key changes: tells who watches it.
    #[inline]
    fn touch(&mut self, key: Key<'_>) {
        if let Some(watchers) = &mut self.watchers
            && let Some(slot) = watchers.find(key.hash, key.bytes)
        {
            raise(watchers, slot);
            self.forget_nobody();
        }
    }

    fn forget_nobody(&mut self) {
        if self.watchers.as_ref().is_some_and(|watchers| watchers.len() == 0) {
            self.watchers = None;
        }
    }
}

fn raise(watchers: &mut Table<Vec<Weak<AtomicBool>>>, slot: u32) {
    let flags = watchers.remove(slot).map(|entry| entry.value).unwrap_or_default();
    // Read under this stripe's lock by EXEC, which is what orders the two.
    flags.iter().filter_map(Weak::upgrade).for_each(|flag| flag.store(true, Relaxed));
}
