//! Who is to be told when a key changes.

use super::{Key, blob::Blob, table::Table};
use std::sync::{
    Weak,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// Flags by key, of one stripe. Those of connections that are gone are found in passing.
#[derive(Default)]
pub(super) struct Watchers {
    table: Table<Flags>,
    /// Bytes beyond the table.
    heap: usize,
    /// Where the search for flags that nobody has any more goes on.
    sweeper: usize,
}

/// Each belongs to a connection.
type Flags = Vec<Weak<AtomicBool>>;

/// Slots looked at with each change.
const SWEEP: usize = 4;

impl Watchers {
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// Bytes of memory.
    pub(super) fn weight(&self) -> usize {
        size_of::<Watchers>() + self.table.weight() + self.heap
    }

    fn heap_of(flags: &Flags) -> usize {
        flags.capacity() * size_of::<Weak<AtomicBool>>()
    }

    /// Raises `flag` when this key changes.
    pub(super) fn add(&mut self, key: Key<'_>, flag: &Weak<AtomicBool>) {
        self.sweep();
        match self.table.find(key.hash, key.bytes) {
            Some(slot) => {
                let flags = self.table.value_mut(slot);
                if flags.last().is_some_and(|last| last.ptr_eq(flag)) {
                    return; // the same connection, the same key
                }
                let before = Self::heap_of(flags);
                if flags.len() == flags.capacity() {
                    flags.retain(|flag| flag.strong_count() > 0);
                    flags.reserve(flags.len().max(1)); // the next search comes behind as many more
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

    /// The key changes.
    #[inline]
    pub(super) fn raise(&mut self, key: Key<'_>) {
        if let Some(slot) = self.table.find(key.hash, key.bytes) {
            raise(&self.remove(slot));
            self.table.tidy();
        }
    }

    /// All keys change of which `changes` says so.
    pub(super) fn raise_where(&mut self, mut changes: impl FnMut(Key<'_>) -> bool) {
        for slot in 0..self.table.slots() as u32 {
            let entry = self.table.entry(slot);
            if entry.is_some_and(|entry| changes(Key { hash: entry.hash, bytes: entry.key.as_bytes() })) {
                raise(&self.remove(slot));
            }
        }
        self.table.tidy();
    }

    /// Looks at a few keys, and forgets those whose watchers are gone.
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
    // Read under this stripe's lock by EXEC, which is what orders the two.
    flags.iter().filter_map(Weak::upgrade).for_each(|flag| flag.store(true, Relaxed));
}
