//! Token buckets by key, in bounded memory.
//!
//! A bucket is one number, the time when it is full again (the "theoretical arrival time" of GCRA, the
//! generic cell rate algorithm: ITU-T I.371, annex A). A call moves that time on by the interval of the rate;
//! it is refused if the time would then be further ahead than a whole bucket takes to fill. Nothing has to
//! run for buckets to fill, and no rounding adds up.
//!
//! When all places are taken, a hand goes round as in the second-chance algorithm: a bucket that was used
//! since it passed last stays once more, another one makes room. One that is full again loses nothing by
//! that: a new bucket is full. Whoever calls under many keys makes others lose what they had used up, never
//! what they had left.

use hashbrown::HashTable;
use std::{sync::Mutex, time::Duration};

/// Keys that are kept.
pub(super) const MOST: usize = 1 << 16;
/// Parts with a lock each, so that shards seldom wait for one another.
const PARTS: usize = 16;

/// How fast buckets fill, and how much they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pace {
    /// Nanoseconds for each call.
    pub interval: u64,
    /// Nanoseconds that a bucket may be short of being full.
    pub tolerance: u64,
}

/// Keys are hashes, whose seed nobody else knows: callers cannot choose ones that are the same.
pub(super) struct Buckets([Mutex<Part>; PARTS]);

#[derive(Default)]
struct Part {
    /// Indices into `slots`.
    index: HashTable<u32>,
    slots: Vec<Slot>,
    hand: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    /// When the bucket is full again, in nanoseconds on the clock of all calls.
    full_at: u64,
    /// Whether it was used since the hand passed.
    used: bool,
}

impl Buckets {
    pub fn new() -> Buckets {
        Buckets(std::array::from_fn(|_| Mutex::default()))
    }

    /// Takes a call out of the bucket of a key, at the time `now`.
    ///
    /// # Errors
    /// It is empty; how long until there is a call in it again.
    pub fn take(&self, key: u64, now: u64, pace: Pace) -> Result<(), Duration> {
        let mut part = polywire_base::lock(&self.0[key as usize % PARTS]);
        let slot = part.slot(key, now);
        slot.used = true;
        let earliest = slot.full_at.max(now);
        let ahead = earliest - now;
        if ahead > pace.tolerance {
            return Err(Duration::from_nanos(ahead - pace.tolerance));
        }
        slot.full_at = earliest.saturating_add(pace.interval);
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|part| polywire_base::lock(part).slots.len()).sum()
    }
}

impl Part {
    fn slot(&mut self, key: u64, now: u64) -> &mut Slot {
        let Part { index, slots, .. } = self;
        let found = index.find(key, |k| slots[*k as usize].key == key).copied();
        let k = match found {
            Some(k) => k,
            None if slots.len() < MOST / PARTS => {
                slots.push(Slot { key, full_at: now, used: false });
                let k = slots.len() as u32 - 1;
                index.insert_unique(key, k, |k| slots[*k as usize].key);
                k
            }
            None => self.replace(key, now),
        };
        &mut self.slots[k as usize]
    }

    /// Gives a place to another key. The hand goes round twice at most: the first time it takes the marks.
    fn replace(&mut self, key: u64, now: u64) -> u32 {
        let Part { index, slots, hand } = self;
        loop {
            let k = *hand;
            *hand = (k + 1) % slots.len();
            if std::mem::take(&mut slots[k].used) && slots[k].full_at > now {
                continue;
            }
            let old = std::mem::replace(&mut slots[k], Slot { key, full_at: now, used: false });
            if let Ok(entry) = index.find_entry(old.key, |found| *found == k as u32) {
                entry.remove();
            }
            index.insert_unique(key, k as u32, |k| slots[*k as usize].key);
            return k as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{hash::BuildHasher, hash::RandomState};

    const SECOND: u64 = 1_000_000_000;
    /// 10 a second, 5 at once.
    const PACE: Pace = Pace { interval: SECOND / 10, tolerance: 4 * SECOND / 10 };

    fn burst(buckets: &Buckets, key: u64, now: u64) -> usize {
        (0..100).take_while(|_| buckets.take(key, now, PACE).is_ok()).count()
    }

    #[test]
    fn a_bucket_gives_its_burst_at_once_and_then_its_rate() {
        let buckets = Buckets::new();
        assert_eq!(burst(&buckets, 1, 7), 5);
        assert_eq!(buckets.take(1, 7, PACE), Err(Duration::from_millis(100)));
        assert_eq!(burst(&buckets, 2, 7), 5, "another key");
        assert_eq!(buckets.take(1, 7 + SECOND / 10 - 1, PACE), Err(Duration::from_nanos(1)));
        assert_eq!(burst(&buckets, 1, 7 + SECOND / 10), 1);
        assert_eq!(burst(&buckets, 1, 7 + SECOND), 5, "it does not hold more than its burst");
        // In an hour of calls every millisecond, 10 a second and the burst.
        let taken = (0..3_600_000).filter(|ms| buckets.take(3, ms * 1_000_000, PACE).is_ok()).count();
        assert!((36_000..=36_005).contains(&taken), "{taken}");
    }

    #[test]
    fn a_flood_of_keys_takes_bounded_memory_and_does_not_free_a_caller_that_goes_on() {
        let (buckets, seed) = (Buckets::new(), RandomState::new());
        let key = |n: u64| seed.hash_one(n);
        let greedy = seed.hash_one("greedy");
        let mut taken = 0;
        // Four times as many keys as there are places, all at one moment, each used up, so that none is full.
        for n in 0..4 * MOST as u64 {
            (0..5).for_each(|_| {
                let _ = buckets.take(key(n), 0, PACE);
            });
            taken += usize::from(buckets.take(greedy, 0, PACE).is_ok());
            assert!(n % 4096 != 0 || buckets.len() <= MOST);
        }
        assert_eq!(buckets.len(), MOST);
        // The hand may begin a round with it, once in some thousand.
        assert!((5..=10).contains(&taken), "its bucket stays: {taken}");
        for part in &buckets.0 {
            let part = polywire_base::lock(part);
            assert_eq!((part.index.len(), part.slots.capacity()), (MOST / PARTS, MOST / PARTS));
        }
    }
}
