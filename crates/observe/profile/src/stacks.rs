//! Stacks that have allocated, or waited for locks, each once, with their values. Entries are never removed.

use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering::*};

/// Frames of a stack that are kept, from the allocation outwards.
pub(crate) const DEPTH: usize = 48;
/// The maximum number of different stacks. Further ones are combined under number 0.
pub(crate) const STACKS: usize = if cfg!(miri) { 1 << 6 } else { 1 << 13 };
/// The number of places at which a stack may be, counted from that of its hash.
const WINDOW: usize = 32;

pub(crate) struct Table {
    stacks: [Stack; STACKS],
    count: AtomicU64,
}

struct Stack {
    /// The hash of the frames; 0: the place is free. Set once.
    hash: AtomicU64,
    /// Frames that are there. Set once, after the frames: pairs with the acquire in `read`.
    depth: AtomicUsize,
    frames: [AtomicU64; DEPTH],
    /// Allocations and bytes that are held.
    held: [AtomicI64; 2],
    /// The values at the last mark.
    base: [AtomicI64; 2],
}

/// The number of allocations and of bytes.
pub(crate) struct Values {
    pub held: [i64; 2],
    pub base: [i64; 2],
}

impl Table {
    pub const fn new() -> Table {
        Table { stacks: [const { Stack::new() }; STACKS], count: AtomicU64::new(0) }
    }

    /// The number of a stack.
    pub fn number(&self, frames: &[u64]) -> u32 {
        let frames = &frames[..frames.len().min(DEPTH)];
        // FNV-1a over words, then mixed; never 0.
        let hash = frames.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, frame| {
            (hash ^ frame).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
        });
        let hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for step in 0..WINDOW {
            // Number 0 is for all that have no place.
            let at = ((hash >> 20) as usize + step) % (STACKS - 1) + 1;
            let stack = &self.stacks[at];
            let known = stack.hash.load(Acquire);
            let taken = known == 0 && stack.hash.compare_exchange(0, hash, AcqRel, Acquire).is_ok();
            if taken {
                stack.frames.iter().zip(frames).for_each(|(into, frame)| into.store(*frame, Relaxed));
                stack.depth.store(frames.len(), Release);
                self.count.fetch_add(1, Relaxed);
            }
            // Another thread may have set it just now, to the same.
            if taken || known == hash || stack.hash.load(Acquire) == hash {
                return at as u32;
            }
        }
        0
    }

    /// Adds to the values of a stack.
    pub fn add(&self, number: u32, values: [i64; 2]) {
        let held = &self.stacks[number as usize].held;
        held.iter().zip(values).for_each(|(into, value)| _ = into.fetch_add(value, Relaxed));
    }

    pub fn mark(&self) {
        for stack in &self.stacks {
            stack
                .base
                .iter()
                .zip(&stack.held)
                .for_each(|(base, held)| base.store(held.load(Relaxed), Relaxed));
        }
    }

    /// Number of different stacks.
    pub fn count(&self) -> u64 {
        self.count.load(Relaxed)
    }

    /// Hands out each stack, innermost address first.
    pub fn read(&self, mut read: impl FnMut(&[u64], Values)) {
        let mut frames = [0; DEPTH];
        for (number, stack) in self.stacks.iter().enumerate() {
            let depth = stack.depth.load(Acquire);
            if depth == 0 && number != 0 {
                continue;
            }
            frames.iter_mut().zip(&stack.frames).for_each(|(into, frame)| *into = frame.load(Relaxed));
            let of = |values: &[AtomicI64; 2]| [values[0].load(Relaxed), values[1].load(Relaxed)];
            read(&frames[..depth], Values { held: of(&stack.held), base: of(&stack.base) });
        }
    }
}

impl Stack {
    const fn new() -> Stack {
        Stack {
            hash: AtomicU64::new(0),
            depth: AtomicUsize::new(0),
            frames: [const { AtomicU64::new(0) }; DEPTH],
            held: [const { AtomicI64::new(0) }; 2],
            base: [const { AtomicI64::new(0) }; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TABLE: Table = Table::new();

    #[test]
    fn a_stack_has_one_number_and_those_beyond_the_bound_share_one() {
        let number = TABLE.number(&[1, 2, 3]);
        assert!(number != 0);
        assert_eq!(TABLE.number(&[1, 2, 3]), number);
        assert_ne!(TABLE.number(&[1, 3, 2]), number);
        TABLE.add(number, [2, 100]);
        TABLE.mark();
        TABLE.add(number, [-1, -40]);
        (10..10 + 4 * STACKS as u64).for_each(|frame| TABLE.add(TABLE.number(&[frame]), [1, 1]));
        let (mut found, mut others, mut all) = (0, 0, 0);
        TABLE.read(|frames, values| match frames {
            [1, 2, 3] => {
                assert_eq!((values.held, values.base), ([1, 60], [2, 100]));
                found += 1;
            }
            [] => others += values.held[0],
            _ => all += values.held[0],
        });
        assert_eq!((found, others + all), (1, 4 * STACKS as i64), "nothing is lost");
        assert!(others > STACKS as i64, "{others}");
        assert!(TABLE.count() < STACKS as u64);
    }
}
