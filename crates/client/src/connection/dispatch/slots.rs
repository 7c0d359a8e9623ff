//! The calls of a connection by number.
//!
//! A call sits in a slot with a version; its [`Exchange::token`] is `version << 32 | slot`. The version changes when
//! the call ends, so that a reply that comes later is not taken for that of the slot's next call.

use polywire_base::Timer;
use polywire_exchange::Line;
use polywire_wire::{Credit, Exchange};
use std::{
    ops::{Index, IndexMut},
    sync::Arc,
};

/// Every slot of a connection, in use or free.
#[derive(Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

/// One call, or one stream that a call offers.
pub(super) struct Slot {
    pub version: u32,
    /// `None`: the slot is free.
    pub line: Option<Arc<Line>>,
    pub timer: Timer,
    /// How much more the machine takes of a stream.
    pub credit: Credit,
    /// The call was handed to the machine.
    pub opened: bool,
    /// Our half of the stream has been ended.
    pub half: bool,
    /// Slots of the streams that the call offers.
    pub offers: Vec<u32>,
    /// It is a stream that a call offers. The machine's `finish` ends our half of it.
    pub offered: bool,
}

impl Slot {
    /// What the machine calls the call in this slot, whose number is `slot`.
    #[inline]
    pub fn exchange(&self, slot: u32) -> Exchange {
        Exchange { token: u64::from(self.version) << 32 | u64::from(slot), slot }
    }
}

impl Slots {
    /// A free slot for this line, which is told its number.
    #[inline]
    pub fn place(&mut self, line: &Line) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                version: 1,
                line: None,
                timer: Timer::NONE,
                credit: Credit::CLOSED,
                opened: false,
                half: false,
                offers: Vec::new(),
                offered: false,
            });
            self.slots.len() as u32 - 1
        });
        let entry = &mut self[slot];
        (entry.opened, entry.half, entry.offered, entry.credit) = (false, false, false, Credit::CLOSED);
        line.place(slot);
        slot
    }

    /// Ends the call in a slot, which is free from then on. Returns its line and its timer.
    #[inline]
    pub fn release(&mut self, slot: u32) -> (Option<Arc<Line>>, Timer) {
        let entry = &mut self.slots[slot as usize];
        entry.version = entry.version.wrapping_add(1);
        self.free.push(slot);
        (entry.line.take(), std::mem::replace(&mut entry.timer, Timer::NONE))
    }

    /// The slot of a call that has not ended.
    #[inline]
    pub fn find(&self, exchange: Exchange) -> Option<u32> {
        let entry = self.slots.get(exchange.slot as usize)?;
        let current = entry.line.is_some() && entry.version == (exchange.token >> 32) as u32;
        current.then_some(exchange.slot)
    }

    /// Whether this line is the one in the slot.
    pub fn has(&self, slot: u32, line: &Arc<Line>) -> bool {
        let placed = self.slots.get(slot as usize).and_then(|entry| entry.line.as_ref());
        placed.is_some_and(|placed| Arc::ptr_eq(placed, line))
    }

    /// The number of slots, free ones included.
    pub fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    /// The number of calls.
    pub fn in_use(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

impl Index<u32> for Slots {
    type Output = Slot;
    #[inline]
    fn index(&self, slot: u32) -> &Slot {
        &self.slots[slot as usize]
    }
}

impl IndexMut<u32> for Slots {
    #[inline]
    fn index_mut(&mut self, slot: u32) -> &mut Slot {
        &mut self.slots[slot as usize]
    }
}
