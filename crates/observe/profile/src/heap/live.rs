//! Addresses of sampled allocations that are held, and the number of each one's stack.
//!
//! An address is in one of two sets of eight, each of which is a cache line. A set is searched whole, so that
//! a removed address leaves nothing behind. Only the owner of an allocation adds and removes its address, so
//! that addresses need no lock.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::*};

/// The maximum number of sampled allocations that are held.
const LIVE: usize = if cfg!(miri) { 1 << 8 } else { 1 << 16 };
const WAYS: usize = 8;
const SETS: usize = LIVE / WAYS;

pub(super) struct Live {
    /// 0: free, 1: being filled, else an address.
    keys: [Set; SETS],
    stacks: [AtomicU32; LIVE],
}

#[repr(align(64))]
struct Set([AtomicUsize; WAYS]);

impl Live {
    pub const fn new() -> Live {
        Live {
            keys: [const { Set([const { AtomicUsize::new(0) }; WAYS]) }; SETS],
            stacks: [const { AtomicU32::new(0) }; LIVE],
        }
    }

    /// Adds an address that the caller owns; `false`: there is no room for it.
    pub fn add(&self, address: usize, stack: u32) -> bool {
        for set in sets(address) {
            for (way, key) in self.keys[set].0.iter().enumerate() {
                if key.load(Relaxed) == 0 && key.compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
                    self.stacks[set * WAYS + way].store(stack, Relaxed);
                    key.store(address, Release); // pairs with the acquire in `remove`
                    return true;
                }
            }
        }
        false
    }

    /// Removes an address of the caller's, and returns the number of its stack.
    pub fn remove(&self, address: usize) -> Option<u32> {
        for set in sets(address) {
            for (way, key) in self.keys[set].0.iter().enumerate() {
                if key.load(Acquire) == address {
                    let stack = self.stacks[set * WAYS + way].load(Relaxed);
                    key.store(0, Release); // pairs with the acquire of the exchange in `add`
                    return Some(stack);
                }
            }
        }
        None
    }

    pub fn has(&self, address: usize) -> bool {
        sets(address).into_iter().any(|set| self.keys[set].0.iter().any(|key| key.load(Acquire) == address))
    }
}

/// The two sets in which an address can be, by two independent hashes.
fn sets(address: usize) -> [usize; 2] {
    let page = (address >> 12) as u64;
    let first = page.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let second = (page ^ 0x5bd1_e995).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    [first, second].map(|hash| (hash >> 40) as usize % SETS)
}

#[cfg(test)]
mod tests {
    use super::*;

    static TABLE: Live = Live::new();

    #[test]
    fn addresses_are_found_until_they_are_removed_and_a_full_table_takes_no_more() {
        let address = |number: usize| 0x7000_0000_0000 + number * 4096;
        let kept: Vec<usize> =
            (0..LIVE * 2).filter(|number| TABLE.add(address(*number), *number as u32)).collect();
        // Two choices of eight fill a table nearly whole.
        assert!(kept.len() > LIVE * 8 / 10 && kept.len() <= LIVE, "{} of {LIVE}", kept.len());
        assert!(kept.iter().all(|number| TABLE.has(address(*number))));
        for number in &kept {
            assert_eq!(TABLE.remove(address(*number)), Some(*number as u32));
            assert_eq!(TABLE.remove(address(*number)), None);
        }
        assert!(TABLE.add(address(7), 7) && TABLE.remove(address(7)) == Some(7));
    }
}
