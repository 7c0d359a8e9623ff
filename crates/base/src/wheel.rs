//! Deadlines in 1 ms ticks: arming and disarming are O(1), nothing allocates once the table has grown.
//!
//! A hashed wheel: deadline `due` (in ticks since the wheel began) hangs in list `due % SLOTS`; one that is further
//! away than a round stays in its list until its round has come. Lists are threaded through a table of timers, so an
//! armed timer is a small index and disarming needs no search. A bitmap of used lists finds the next tick to wake for.

use std::time::{Duration, Instant};

const SLOTS: usize = 256;
const NIL: u32 = u32::MAX;

/// Names an armed timer; give it back to [`Wheel::disarm`] or forget it once it fired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer(u32);

impl Timer {
    /// No timer: disarming it does nothing.
    pub const NONE: Timer = Timer(NIL);
}

struct Entry<K> {
    key: K,
    due: u64,
    prev: u32,
    next: u32,
}

/// Fires keys when their time has come. `K` says what is due: a slot number, say.
pub struct Wheel<K> {
    start: Instant,
    /// Ticks up to this one have fired.
    now: u64,
    heads: Box<[u32; SLOTS]>,
    used: [u64; SLOTS / 64],
    entries: Vec<Entry<K>>,
    free: u32,
    armed: usize,
}

impl<K: Copy> Wheel<K> {
    pub fn new(now: Instant) -> Self {
        Wheel {
            start: now,
            now: 0,
            heads: Box::new([NIL; SLOTS]),
            used: [0; SLOTS / 64],
            entries: Vec::new(),
            free: NIL,
            armed: 0,
        }
    }

    /// Timers armed now.
    pub fn len(&self) -> usize {
        self.armed
    }

    pub fn is_empty(&self) -> bool {
        self.armed == 0
    }

    /// `key` fires at the first tick not before `at`.
    pub fn arm(&mut self, at: Instant, key: K) -> Timer {
        let since = at.saturating_duration_since(self.start);
        let due = (since.as_nanos().div_ceil(1_000_000) as u64).max(self.now + 1);
        let slot = due as usize % SLOTS;
        let entry = Entry { key, due, prev: NIL, next: self.heads[slot] };
        let k = if self.free == NIL {
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        } else {
            let k = self.free;
            self.free = self.entries[k as usize].next;
            self.entries[k as usize] = entry;
            k
        };
        let next = self.heads[slot];
        if next != NIL {
            self.entries[next as usize].prev = k;
        }
        self.heads[slot] = k;
        self.used[slot / 64] |= 1 << (slot % 64);
        self.armed += 1;
        Timer(k)
    }

    /// The timer will not fire. It must be one that was armed and has not fired.
    pub fn disarm(&mut self, timer: Timer) {
        let Timer(k) = timer;
        if k == NIL {
            return;
        }
        let Entry { due, prev, next, .. } = self.entries[k as usize];
        let slot = due as usize % SLOTS;
        if next != NIL {
            self.entries[next as usize].prev = prev;
        }
        if prev != NIL {
            self.entries[prev as usize].next = next;
        } else {
            self.heads[slot] = next;
            if next == NIL {
                self.used[slot / 64] &= !(1 << (slot % 64));
            }
        }
        self.entries[k as usize].next = self.free;
        self.free = k;
        self.armed -= 1;
    }

    /// Everything due at `now` is disarmed and goes to `fired`.
    pub fn advance(&mut self, now: Instant, fired: &mut Vec<K>) {
        let to = now.saturating_duration_since(self.start).as_millis() as u64;
        if to <= self.now {
            return;
        }
        if self.armed > 0 {
            let ticks = (to - self.now).min(SLOTS as u64);
            for tick in to + 1 - ticks..=to {
                self.fire(tick as usize % SLOTS, to, fired);
            }
        }
        self.now = to;
    }

    fn fire(&mut self, slot: usize, to: u64, fired: &mut Vec<K>) {
        let mut k = self.heads[slot];
        while k != NIL {
            let Entry { key, due, next, .. } = self.entries[k as usize];
            if due <= to {
                self.disarm(Timer(k));
                fired.push(key);
            }
            k = next;
        }
    }

    /// When to call `advance` next: no timer fires before this. `None` if nothing is armed.
    pub fn next(&self) -> Option<Instant> {
        if self.armed == 0 {
            return None;
        }
        let first = (self.now + 1) as usize % SLOTS;
        let ahead = (0..SLOTS).find(|n| {
            let slot = (first + n) % SLOTS;
            self.used[slot / 64] & (1 << (slot % 64)) != 0
        })?;
        Some(self.start + Duration::from_millis(self.now + 1 + ahead as u64))
    }
}
