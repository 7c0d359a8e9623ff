//! The streams of a connection, and the calls that offered them.
//!
//! An entry is found by its index in the slab. At a server the index is the exchange's slot, too, and the key
//! with its version is the id on the wire; at a client slots and ids come from the dispatcher, and `by_slot`
//! turns slots into indices.

use super::settings::Settings;
use super::stream::Stream;
use polywire_base::{Key, Slab};
use polywire_wire::{Exchange, Role};

pub(super) struct Table {
    role: Role,
    entries: Slab<Entry>,
    by_slot: Vec<u32>,
}

pub(super) enum Entry {
    Stream(Box<Stream>),
    Call(Call),
}

/// A call whose reply decides about its offered streams.
pub(super) struct Call {
    pub exchange: Exchange,
    /// The streams' keys, in the order in which they were offered.
    pub streams: Vec<u32>,
    /// Server: the settings that the client offered.
    pub offer: Settings,
}

impl Entry {
    fn exchange(&self) -> Exchange {
        match self {
            Entry::Stream(stream) => stream.exchange,
            Entry::Call(call) => call.exchange,
        }
    }
}

impl Table {
    pub fn new(role: Role) -> Self {
        Table { role, entries: Slab::new(), by_slot: Vec::new() }
    }

    /// Number of streams and calls.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The index that the next entry will have, and the id that a server gives it on the wire. The id holds
    /// the index and its version, counted from 0.
    pub fn next(&self) -> (u32, u64) {
        let key = self.entries.next_key();
        (key.index, Key { version: key.version.wrapping_sub(1), ..key }.bits())
    }

    /// Adds an entry, and returns its index.
    pub fn insert(&mut self, entry: Entry) -> u32 {
        let slot = entry.exchange().slot as usize;
        let index = self.entries.insert(entry).index;
        if self.role == Role::Client {
            if self.by_slot.len() <= slot {
                self.by_slot.resize(slot + 1, u32::MAX);
            }
            self.by_slot[slot] = index;
        }
        index
    }

    /// The index of the dispatcher's exchange.
    pub fn find(&self, exchange: Exchange) -> Option<u32> {
        let key = self.key_of(exchange.slot)?;
        (self.entry(key)?.exchange() == exchange).then_some(key)
    }

    /// The index of the stream with this id.
    pub fn find_id(&self, id: u64) -> Option<u32> {
        let key = self.key_of(id as u32)?;
        matches!(self.entry(key)?, Entry::Stream(stream) if stream.id == id).then_some(key)
    }

    fn key_of(&self, slot: u32) -> Option<u32> {
        match self.role {
            Role::Server => Some(slot),
            Role::Client => self.by_slot.get(slot as usize).copied(),
        }
    }

    pub fn entry(&self, key: u32) -> Option<&Entry> {
        self.entries.at(key)
    }

    pub fn stream(&mut self, key: u32) -> Option<&mut Stream> {
        match self.entries.at_mut(key)? {
            Entry::Stream(stream) => Some(stream),
            Entry::Call(_) => None,
        }
    }

    pub fn call(&mut self, key: u32) -> Option<&mut Call> {
        match self.entries.at_mut(key)? {
            Entry::Call(call) => Some(call),
            Entry::Stream(_) => None,
        }
    }

    pub fn remove(&mut self, key: u32) -> Option<Entry> {
        self.entries.remove_at(key)
    }

    pub fn streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.entries.iter_mut().filter_map(|(_, entry)| match entry {
            Entry::Stream(stream) => Some(&mut **stream),
            Entry::Call(_) => None,
        })
    }

    /// The streams that hold bytes beyond their window, by when something of them was taken: their keys.
    pub fn holders(&self) -> impl Iterator<Item = (u64, u32)> {
        self.entries.iter().filter_map(|(key, entry)| match entry {
            Entry::Stream(stream) if stream.inward.excess() > 0 => Some((stream.inward.taken_at, key)),
            Entry::Stream(_) | Entry::Call(_) => None,
        })
    }

    pub fn held(&self) -> usize {
        let held = |(_, entry): (u32, &Entry)| match entry {
            Entry::Stream(stream) => stream.held(),
            Entry::Call(_) => 0,
        };
        self.entries.iter().map(held).sum()
    }
}
