//! Connections that watch keys.

use super::{blob::Blob, key::Key, table::Table};
use std::sync::{
    Weak,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// The flags of watchers by key, for one stripe. Flags of closed connections are removed in passing.
#[derive(Default)]
pub(super) struct Watchers {
    table: Table<Flags>,
    /// Bytes of memory besides the table.
    heap: usize,
    /// Slot at which the search for unused flags continues.
    sweeper: usize,
}

/// One flag for each watching connection.
type Flags = Vec<Weak<AtomicBool>>;

/// Slots searched with each change.
const SWEEP: usize = 4;

impl Watchers {
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// Weight in bytes of memory.
    pub(super) fn weight(&self) -> usize {
        size_of::<Watchers>() + self.table.weight() + self.heap
    }

    fn heap_of(flags: &Flags) -> usize {
        flags.capacity() * size_of::<Weak<AtomicBool>>()
    }

    /// Sets `flag` when this key changes.
    pub(super) fn add(&mut self, key: Key<'_>, flag: &Weak<AtomicBool>) {
        self.sweep();
        match self.table.find(key.hash, key.bytes) {
            Some(slot) => {
                let flags = self.table.value_mut(slot);
                if flags.last().is_some_and(|last| last.ptr_eq(flag)) {
                    return; // this connection watches the key already
                }
                let before = Self::heap_of(flags);
                if flags.len() == flags.capacity() {
                    flags.retain(|flag| flag.strong_count() > 0);
                    // the next search for unused flags follows after as many more
                    flags.reserve(flags.len().max(1));
                }
                flags.push(flag.clone());
                self.heap = self.heap + Self::heap_of(flags) - before;
            }
            None => {
                let (name, flags) = (Blob::new(key.bytes), vec![flag.clone()]);
                self.heap += name.heap() + Self::heap_of(&flags);
                self.table.insert(key.hash, name, flags);
            }
        }
    }

    fn remove(&mut self, slot: u32) -> Flags {
        let Some(entry) = self.table.remove(slot) else { return Flags::new() };
        self.heap -= entry.key.heap() + Self::heap_of(&entry.value);
        entry.value
    }

    /// Sets the flags of a key that changes.
    #[inline]
    pub(super) fn raise(&mut self, key: Key<'_>) {
        if let Some(slot) = self.table.find(key.hash, key.bytes) {
            raise(&self.remove(slot));
            self.table.tidy();
        }
    }

    /// Sets the flags of all keys for which `changes` is true.
    pub(super) fn raise_where(&mut self, mut changes: impl FnMut(Key<'_>) -> bool) {
        for slot in 0..self.table.slots() as u32 {
            let entry = self.table.entry(slot);
            if entry.is_some_and(|entry| changes(Key { hash: entry.hash, bytes: entry.key.as_bytes() })) {
                raise(&self.remove(slot));
            }
        }
        self.table.tidy();
    }

    /// Visits a few keys, and removes flags whose connections no longer exist.
    pub(super) fn sweep(&mut self) {
        for _ in 0..SWEEP.min(self.table.slots()) {
            if self.sweeper >= self.table.slots() {
                self.sweeper = 0;
            }
            let slot = self.sweeper as u32;
            let gone = |flags: &Flags| flags.iter().all(|flag| flag.strong_count() == 0);
            if self.table.at(slot).is_some_and(|(_, flags)| gone(flags)) {
                drop(self.remove(slot));
            }
            self.sweeper += 1;
        }
        self.table.tidy();
    }
}

fn raise(flags: &Flags) {
    // EXEC reads it under this stripe's lock, which orders the two.
    flags.iter().filter_map(Weak::upgrade).for_each(|flag| flag.store(true, Relaxed));
}
