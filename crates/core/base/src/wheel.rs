//! Deadlines in 1 ms ticks: arming and disarming are O(1), nothing allocates once the table has grown.
//!
//! A hierarchy of wheels, each turn of one being a slot of the next. Write the tick of a deadline and the
//! current tick as numbers of 6-bit digits; the highest digit in which they differ is the deadline's level,
//! its value there the slot:
//!
//! ```text
//!   now  ..  0  3 17 60        level 0:  64 slots of 1 tick
//!   due  ..  0  3 19  5        level 1:  64 slots of 64 ticks        due is in slot 19 of level 1
//!                 ^^           level 2:  64 slots of 4096 ticks      ... eleven levels cover every u64
//! ```
//!
//! All slots in use on a level are ahead of the current tick's digit, and all deadlines of a level come
//! before those of the next. So the next event is in the first slot in use on the lowest level in use, which
//! a bit scan finds. When its tick comes, its timers fire or move to a lower level; each timer moves at most
//! once per level.
//!
//! (A single wheel in which distant timers stay for several rotations is simpler, but it wakes an idle thread
//! every rotation, and a burst of distant timers in one slot is scanned uselessly every rotation.)
//!
//! Slots are lists threaded through a table of timers; a handle is an index into it with a version, so that a
//! handle kept too long does not disarm another timer. It is not a [`Slab`](crate::Slab), because an entry is
//! in one list or another throughout its life, and the two links that put it there also make the list of free
//! ones.

use std::time::{Duration, Instant};

const DIGIT: u32 = 6;
const SLOTS: usize = 1 << DIGIT;
/// Levels needed for any u64.
const LEVELS: usize = u64::BITS.div_ceil(DIGIT) as usize;
const NIL: u32 = u32::MAX;
const NANOS_PER_TICK: u32 = 1_000_000;

/// Identifies an armed timer. Pass it to [`Wheel::disarm`], or drop it once the timer has fired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer {
    index: u32,
    version: u32,
}

impl Timer {
    /// No timer: disarming it has no effect.
    pub const NONE: Timer = Timer { index: NIL, version: 0 };
}

impl Default for Timer {
    fn default() -> Self {
        Timer::NONE
    }
}

struct Entry<K> {
    key: K,
    /// The tick at which the timer fires.
    due: u64,
    /// Neighbours in the slot's list, or `NIL`. For a free entry `next` is the next free one.
    prev: u32,
    next: u32,
    /// The number of times that this entry became free; a handle with another version is out of date.
    version: u32,
    /// The slot whose list contains the entry: level << 6 | slot; `FREE` if it is in none.
    place: u16,
}

const FREE: u16 = u16::MAX;

/// Returns keys when their deadlines pass. `K` identifies the owner of a deadline, for example a slot number.
pub struct Wheel<K> {
    start: Instant,
    /// The moment at which [`Wheel::arm_in`] was last called, and its distance from the start.
    seen: (Instant, Duration),
    /// Ticks up to this one have fired.
    now: u64,
    /// First entry of each slot, or `NIL`.
    heads: Box<[[u32; SLOTS]; LEVELS]>,
    /// One bit per slot, set if its list is not empty.
    used: [u64; LEVELS],
    /// One bit per level, set if its `used` is not 0.
    levels: u16,
    entries: Vec<Entry<K>>,
    /// First free entry, or `NIL`.
    free: u32,
    armed: usize,
}

impl<K: Copy> Wheel<K> {
    /// An empty wheel. Deadlines before `now` fire at the first tick after it.
    pub fn new(now: Instant) -> Self {
        Wheel {
            start: now,
            seen: (now, Duration::ZERO),
            now: 0,
            heads: Box::new([[NIL; SLOTS]; LEVELS]),
            used: [0; LEVELS],
            levels: 0,
            entries: Vec::new(),
            free: NIL,
            armed: 0,
        }
    }

    /// Number of armed timers.
    pub fn len(&self) -> usize {
        self.armed
    }

    pub fn is_empty(&self) -> bool {
        self.armed == 0
    }

    /// Arms a timer: `key` fires at the first future tick that is not before `at`.
    ///
    /// # Panics
    /// If 2^32 - 1 timers are armed.
    pub fn arm(&mut self, at: Instant, key: K) -> Timer {
        self.arm_after_start(at.saturating_duration_since(self.start), key)
    }

    /// As [`Wheel::arm`], `left` after `now`: cheaper where many are armed at the same moment, since the
    /// distance of two instants costs more than all the rest.
    #[inline]
    pub fn arm_in(&mut self, left: Duration, now: Instant, key: K) -> Timer {
        if self.seen.0 != now {
            self.seen = (now, now.saturating_duration_since(self.start));
        }
        self.arm_after_start(self.seen.1.saturating_add(left), key)
    }

    #[inline]
    fn arm_after_start(&mut self, since: Duration, key: K) -> Timer {
        let ticks = u64::from(since.subsec_nanos().div_ceil(NANOS_PER_TICK));
        let due = since.as_secs().saturating_mul(1000).saturating_add(ticks).max(self.now + 1);
        let index = if self.free == NIL {
            assert!(self.entries.len() < NIL as usize, "fewer timers than indexes");
            self.entries.push(Entry { key, due, prev: NIL, next: NIL, version: 0, place: FREE });
            self.entries.len() as u32 - 1
        } else {
            let entry = &mut self.entries[self.free as usize];
            (entry.key, entry.due) = (key, due);
            std::mem::replace(&mut self.free, entry.next)
        };
        self.armed += 1;
        self.hang(index);
        Timer { index, version: self.entries[index as usize].version }
    }

    /// Disarms a timer. False, without effect, if it has fired or was disarmed before.
    pub fn disarm(&mut self, timer: Timer) -> bool {
        let Some(entry) = self.entries.get(timer.index as usize) else { return false };
        if entry.version != timer.version || entry.place == FREE {
            return false;
        }
        self.unhang(timer.index);
        self.release(timer.index);
        true
    }

    /// Disarms all timers that are due at `now` and moves their keys to `fired`, earlier ticks first. The
    /// order within a tick is unspecified.
    pub fn advance(&mut self, now: Instant, fired: &mut Vec<K>) {
        let to = now.saturating_duration_since(self.start).as_millis() as u64;
        while let Some((level, slot, at)) = self.first()
            && at <= to
        {
            self.now = at;
            let mut index = self.take_slot(level, slot);
            while index != NIL {
                let Entry { key, due, next, .. } = self.entries[index as usize];
                if due <= at {
                    self.release(index);
                    fired.push(key);
                } else {
                    self.hang(index); // on a lower level
                }
                index = next;
            }
        }
        self.now = self.now.max(to);
    }

    /// When to call `advance` next: no timer fires before this instant. `None` if no timer is armed.
    ///
    /// For a distant deadline this may be earlier than the deadline, at most once per level.
    pub fn next(&self) -> Option<Instant> {
        let (_, _, at) = self.first()?;
        // Beyond the range of `Instant`: equivalent to never.
        self.start.checked_add(Duration::from_millis(at))
    }

    /// The first slot in use, and the tick at which it begins, with its level.
    #[inline]
    fn first(&self) -> Option<(usize, usize, u64)> {
        if self.levels == 0 {
            return None;
        }
        let level = self.levels.trailing_zeros();
        let slot = self.used[level as usize].trailing_zeros();
        let shift = level * DIGIT;
        // The digits above the level are those of `now`, those below are 0.
        let above =
            self.now.checked_shr(shift + DIGIT).and_then(|d| d.checked_shl(shift + DIGIT)).unwrap_or(0);
        Some((level as usize, slot as usize, above | u64::from(slot) << shift))
    }

    /// Puts an entry with `due > now` into its slot.
    #[inline]
    fn hang(&mut self, index: u32) {
        let due = self.entries[index as usize].due;
        let level = (u64::BITS - 1 - (self.now ^ due).leading_zeros()) / DIGIT;
        let slot = (due >> (level * DIGIT)) as usize % SLOTS;
        let level = level as usize;
        let next = std::mem::replace(&mut self.heads[level][slot], index);
        if next != NIL {
            self.entries[next as usize].prev = index;
        }
        let entry = &mut self.entries[index as usize];
        (entry.prev, entry.next, entry.place) = (NIL, next, (level * SLOTS + slot) as u16);
        self.used[level] |= 1 << slot;
        self.levels |= 1 << level;
    }

    #[inline]
    fn unhang(&mut self, index: u32) {
        let Entry { prev, next, place, .. } = self.entries[index as usize];
        if next != NIL {
            self.entries[next as usize].prev = prev;
        }
        if prev != NIL {
            self.entries[prev as usize].next = next;
            return;
        }
        let (level, slot) = (place as usize / SLOTS, place as usize % SLOTS);
        self.heads[level][slot] = next;
        if next == NIL {
            self.clear_slot(level, slot);
        }
    }

    /// Detaches the slot's list.
    fn take_slot(&mut self, level: usize, slot: usize) -> u32 {
        self.clear_slot(level, slot);
        std::mem::replace(&mut self.heads[level][slot], NIL)
    }

    #[inline]
    fn clear_slot(&mut self, level: usize, slot: usize) {
        self.used[level] &= !(1 << slot);
        if self.used[level] == 0 {
            self.levels &= !(1 << level);
        }
    }

    /// Frees an entry that is in no list, for the next `arm`.
    #[inline]
    fn release(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        entry.place = FREE;
        entry.version = entry.version.wrapping_add(1);
        entry.next = std::mem::replace(&mut self.free, index);
        self.armed -= 1;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn advanced(wheel: &mut Wheel<u32>, to: Instant) -> Vec<u32> {
        let mut fired = Vec::new();
        wheel.advance(to, &mut fired);
        fired
    }

    #[derive(Clone, Debug)]
    enum Op {
        /// Arms a timer, in microseconds from now; negative values are in the past.
        Arm(i64),
        /// A handle of any age.
        Disarm(usize),
        /// Advances the time by this many microseconds.
        Advance(u64),
        AdvanceToNext,
    }

    fn op() -> impl Strategy<Value = Op> {
        let far = || {
            prop_oneof![
                0..3_000i64,
                0..70_000i64,
                0..5_000_000i64,
                0..400_000_000i64,
                0..90_000_000_000_000i64
            ]
        };
        prop_oneof![
            4 => far().prop_map(Op::Arm),
            1 => (-5_000..0i64).prop_map(Op::Arm),
            2 => any::<usize>().prop_map(Op::Disarm),
            2 => far().prop_map(|us| Op::Advance(us as u64)),
            3 => Just(Op::AdvanceToNext),
        ]
    }

    proptest! {
        #[test]
        fn does_what_a_sorted_list_does(ops in prop::collection::vec(op(), 1..200)) {
            let start = Instant::now();
            let mut wheel = Wheel::new(start);
            let tick = |at: Instant| at.saturating_duration_since(start).as_nanos().div_ceil(1_000_000) as u64;
            // (due, key) of the armed timers; all handles that were ever returned.
            let (mut model, mut handles): (Vec<(u64, u32)>, Vec<(Timer, u32)>) = (Vec::new(), Vec::new());
            let mut now = start;
            for op in ops {
                match op {
                    Op::Arm(us) => {
                        let at = if us < 0 {
                            now.checked_sub(Duration::from_micros(us.unsigned_abs())).unwrap_or(start)
                        } else {
                            now + Duration::from_micros(us as u64)
                        };
                        let key = handles.len() as u32;
                        let passed = now.duration_since(start).as_millis() as u64;
                        model.push((tick(at).max(passed + 1), key));
                        let timer = match at.checked_duration_since(now) {
                            Some(left) if key.is_multiple_of(2) => wheel.arm_in(left, now, key),
                            _ => wheel.arm(at, key),
                        };
                        handles.push((timer, key));
                    }
                    Op::Disarm(i) if !handles.is_empty() => {
                        let (timer, key) = handles[i % handles.len()];
                        let was_armed = model.iter().any(|&(_, k)| k == key);
                        prop_assert_eq!(wheel.disarm(timer), was_armed);
                        model.retain(|&(_, k)| k != key);
                    }
                    Op::Disarm(_) => prop_assert!(!wheel.disarm(Timer::NONE)),
                    Op::Advance(_) | Op::AdvanceToNext => {
                        now = match op {
                            Op::Advance(us) => now + Duration::from_micros(us),
                            _ => wheel.next().unwrap_or(now).max(now),
                        };
                        let passed = now.duration_since(start).as_millis() as u64;
                        let fired = advanced(&mut wheel, now);
                        let dues: Vec<u64> = fired
                            .iter()
                            .map(|key| model.iter().find(|(_, k)| k == key).expect("was armed").0)
                            .collect();
                        prop_assert!(dues.is_sorted(), "{dues:?}");
                        prop_assert!(dues.iter().all(|&due| due <= passed));
                        model.retain(|(_, key)| !fired.contains(key));
                        prop_assert!(model.iter().all(|&(due, _)| due > passed), "late: {model:?} at {passed}");
                    }
                }
                prop_assert_eq!((wheel.len(), wheel.is_empty()), (model.len(), model.is_empty()));
                let earliest = model.iter().map(|&(due, _)| start + ms(due)).min();
                prop_assert_eq!(wheel.next().is_some(), earliest.is_some());
                prop_assert!(wheel.next() <= earliest, "next is never late");
                prop_assert!(wheel.next().is_none_or(|next| next > now), "next is ahead, or an idle thread spins");
            }
        }
    }

    #[test]
    fn a_near_deadline_is_met_to_the_tick() {
        let start = Instant::now();
        let mut wheel = Wheel::new(start);
        wheel.arm(start + Duration::from_micros(4_100), 1);
        assert_eq!(wheel.next(), Some(start + ms(5)));
        assert_eq!(advanced(&mut wheel, start + Duration::from_micros(4_999)), []);
        assert_eq!(advanced(&mut wheel, start + ms(5)), [1]);
        assert_eq!(wheel.next(), None);
    }

    #[test]
    fn a_far_deadline_costs_few_wake_ups() {
        let start = Instant::now();
        let mut wheel = Wheel::new(start);
        advanced(&mut wheel, start + ms(12_345));
        wheel.arm(start + ms(12_345) + Duration::from_secs(86_400 * 30), 7);
        let (mut fired, mut wakes) = (Vec::new(), 0);
        while let Some(at) = wheel.next() {
            wheel.advance(at, &mut fired);
            wakes += 1;
        }
        assert_eq!(fired, [7]);
        assert!(wakes <= 6, "{wakes}");
    }

    #[test]
    fn a_deadline_beyond_all_clocks_never_fires_and_stops_nothing() {
        let start = Instant::now();
        let mut wheel = Wheel::new(start);
        let mut far = start;
        for secs in (0..64).rev().map(|bit| 1u64 << bit) {
            far = far.checked_add(Duration::from_secs(secs)).unwrap_or(far);
        }
        let timer = wheel.arm(far, 1);
        wheel.arm(start + ms(1), 2);
        assert_eq!(advanced(&mut wheel, start + Duration::from_secs(1 << 33)), [2]);
        assert!(wheel.disarm(timer) && wheel.is_empty());
    }

    #[test]
    fn an_old_handle_disarms_nobody_else() {
        let start = Instant::now();
        let mut wheel = Wheel::new(start);
        let first = wheel.arm(start + ms(1), 1);
        assert_eq!(advanced(&mut wheel, start + ms(1)), [1]);
        let second = wheel.arm(start + ms(2), 2);
        assert!(!wheel.disarm(first) && !wheel.disarm(Timer::NONE) && !wheel.disarm(Timer::default()));
        assert!(wheel.disarm(second) && !wheel.disarm(second));
    }

    #[test]
    fn a_clock_that_seems_to_go_back_changes_nothing() {
        let start = Instant::now();
        let mut wheel = Wheel::new(start);
        advanced(&mut wheel, start + ms(100));
        wheel.arm(start + ms(50), 1);
        assert_eq!(advanced(&mut wheel, start + ms(60)), []);
        assert_eq!(wheel.next(), Some(start + ms(101)));
        assert_eq!(advanced(&mut wheel, start + ms(101)), [1]);
    }

    #[test]
    fn the_table_does_not_grow_in_steady_use() {
        let start = Instant::now();
        let mut wheel = Wheel::new(start);
        for i in 0..10_000u64 {
            let timers = [1, 100, 10_000].map(|d| wheel.arm(start + ms(i + d), 0));
            assert!(timers.into_iter().all(|t| wheel.disarm(t)));
            advanced(&mut wheel, start + ms(i));
        }
        assert_eq!(wheel.entries.len(), 3);
    }
}
