//! The calls of a connection by number.
//!
//! A call has a slot, which is its index in a [`Slab`]; its [`Exchange::token`] is the whole key, version
//! included. So a reply that arrives after its call has ended is not matched to the slot's next call.

use polywire_base::{Key, Slab, Timer};
use polywire_exchange::Line;
use polywire_wire::{Credit, Exchange};
use std::sync::Arc;

/// The calls of a connection that have not ended, and the streams that they offer.
#[derive(Default)]
pub(super) struct Slots {
    slots: Slab<Slot>,
}

/// A call, or a stream that a call offers.
pub(super) struct Slot {
    pub line: Arc<Line>,
    pub timer: Timer,
    /// How much more of a stream the machine accepts.
    pub credit: Credit,
    /// The call was handed to the machine.
    pub opened: bool,
    /// Where in the connection's output its first byte is at the earliest.
    pub begins: u64,
    /// Our half of the stream has been ended.
    pub half: bool,
    /// The streams that the call offers. Some may have ended.
    pub offers: Vec<Key>,
    /// Whether this is a stream that a call offers. The machine's `finish` ends our half of it.
    pub offered: bool,
}

impl Slots {
    /// The slot of the next line.
    #[inline]
    pub fn next(&self) -> u32 {
        self.slots.next_key().index
    }

    /// Gives this line a slot, and sets the slot's number in it.
    #[inline]
    pub fn place(&mut self, line: Arc<Line>, timer: Timer, offered: bool) -> Key {
        line.place(self.next());
        let slot = Slot {
            line,
            timer,
            credit: Credit::CLOSED,
            opened: false,
            begins: 0,
            half: false,
            offers: Vec::new(),
            offered,
        };
        self.slots.insert(slot)
    }

    /// Ends the call in a slot, which is free from then on.
    #[inline]
    pub fn release(&mut self, slot: u32) -> Option<Slot> {
        self.slots.remove_at(slot)
    }

    /// Ends the call of an exchange, if it has not ended. Its slot is free from then on.
    #[inline]
    pub fn take(&mut self, exchange: Exchange) -> Option<Slot> {
        let key = Key::from_bits(exchange.token);
        self.slots.remove(Key { index: exchange.slot, ..key })
    }

    #[inline]
    pub fn get(&self, slot: u32) -> Option<&Slot> {
        self.slots.at(slot)
    }

    #[inline]
    pub fn get_mut(&mut self, slot: u32) -> Option<&mut Slot> {
        self.slots.at_mut(slot)
    }

    /// The slot of a call that has not ended.
    #[inline]
    pub fn find(&self, exchange: Exchange) -> Option<u32> {
        let key = Key::from_bits(exchange.token);
        self.slots.get(Key { index: exchange.slot, ..key }).map(|_| exchange.slot)
    }

    /// The call of an exchange, if it has not ended.
    #[inline]
    pub fn find_mut(&mut self, exchange: Exchange) -> Option<&mut Slot> {
        let key = Key::from_bits(exchange.token);
        self.slots.get_mut(Key { index: exchange.slot, ..key })
    }

    /// The machine's exchange for the call in this slot.
    #[inline]
    pub fn exchange(&self, slot: u32) -> Option<Exchange> {
        self.slots.key_at(slot).map(|key| Exchange { token: key.bits(), slot })
    }

    /// The call in this slot, and the machine's exchange for it.
    #[inline]
    pub fn opening(&self, slot: u32) -> Option<(Exchange, &Slot)> {
        self.slots.with_key_at(slot).map(|(key, entry)| (Exchange { token: key.bits(), slot }, entry))
    }

    /// Names the call in this slot in a list that may outlive it.
    pub fn key(&self, slot: u32) -> Option<Key> {
        self.slots.key_at(slot)
    }

    /// The call for a key in a list, with its slot, if it has not ended.
    pub fn listed(&self, key: Key) -> Option<(u32, &Slot)> {
        self.slots.get(key).map(|slot| (key.index, slot))
    }

    /// Whether this line is the one in the slot.
    pub fn has(&self, slot: u32, line: &Arc<Line>) -> bool {
        self.slots.at(slot).is_some_and(|placed| Arc::ptr_eq(&placed.line, line))
    }

    /// Marks the calls as never opened of whose bytes none was among the first `flushed` of the connection.
    /// Returns where the first of them begins, if there are any.
    #[cold]
    pub fn take_back(&mut self, flushed: u64) -> Option<u64> {
        let mut first = None;
        for slot in 0..self.len() {
            if let Some(entry) = self.get_mut(slot)
                && entry.opened
                && entry.begins >= flushed
            {
                entry.opened = false;
                first = Some(first.map_or(entry.begins, |first: u64| first.min(entry.begins)));
            }
        }
        first
    }

    /// The number of slots, free ones included.
    pub fn len(&self) -> u32 {
        self.slots.entries() as u32
    }

    /// The number of calls.
    pub fn in_use(&self) -> usize {
        self.slots.len()
    }
}
