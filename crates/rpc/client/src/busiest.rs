//! Which methods have a series of their own in the metrics, where there are more than may have one: the
//! busiest.
//!
//! Names come from callers where calls are relayed, so whoever invents names must not take the places of
//! methods that are called. A method without a place gets one when it was called more often than the quietest
//! that has one:
//!
//! ```text
//!  call of a method without a place ─► counted among newcomers ─► more than the quietest? ─► takes its place
//! ```
//!
//! Newcomers are counted as Misra and Gries do: where there is no room for another one, all counts fall by
//! one. A name that comes once never has more than one, however many of them come. Counts are halved as time
//! goes on, so that what was busy long ago gives way.
//!
//! Limits: [`MOST`] newcomers. A look at all methods takes more calls of a newcomer than the quietest of them
//!         has; after a halving that may have none.
//! Source: J. Misra, D. Gries, Finding repeated elements, 1982.

use std::collections::HashMap;

/// Newcomers that are counted at once.
const MOST: usize = 1000;
/// Calls of newcomers after which all counts are halved.
const AGE: u32 = 64 * MOST as u32;

/// Methods without a place, by a hash of their names.
#[derive(Default)]
pub(crate) struct Newcomers {
    counts: HashMap<u64, u32>,
    /// A lower bound of the counts of methods that have a place.
    least: u32,
    calls: u32,
}

impl Newcomers {
    /// A newcomer was called. Returns its count, if that may be more than that of a method with a place.
    pub fn called(&mut self, hash: u64) -> Option<u32> {
        self.calls += 1;
        if self.counts.len() >= MOST && !self.counts.contains_key(&hash) {
            self.counts.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
            return None;
        }
        let count = self.counts.entry(hash).or_default();
        *count += 1;
        (*count > self.least || self.calls >= AGE).then_some(*count)
    }

    /// Whether it is time to halve the counts; those of newcomers are halved then.
    pub fn ages(&mut self) -> bool {
        if self.calls < AGE {
            return false;
        }
        (self.calls, self.least) = (0, 0);
        self.counts.retain(|_, count| {
            *count /= 2;
            *count > 0
        });
        true
    }

    /// Whether a newcomer with this count takes the place of the quietest method, which has `least`.
    pub fn displaces(&mut self, hash: u64, count: u32, least: u32) -> bool {
        self.least = least;
        count > least && self.counts.remove(&hash).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_come_once_are_never_busier_than_one_that_comes_again() {
        let mut newcomers = Newcomers { least: 1, ..Newcomers::default() };
        assert!((0..20_000).all(|hash| newcomers.called(hash).is_none()));
        assert!(newcomers.counts.len() <= MOST);
        let seen = (0..3).find_map(|_| newcomers.called(u64::MAX));
        assert_eq!(seen, Some(2));
        assert!(newcomers.displaces(u64::MAX, 2, 1) && !newcomers.displaces(u64::MAX, 2, 1));
    }
}
