//! Sorting whose code is compiled once, not once for each type and comparison: for lists that people read,
//! and for settings.
//!
//! The standard library's sort is about three thousand lines of LLVM IR for each type and comparison, in
//! every crate that sorts. This one sorts positions, by a comparison behind a pointer, and then swaps. It
//! takes three times as long for a thousand items, and does not belong on a hot path.

use std::cmp::Ordering;

/// Stable sorts of a slice, off hot paths.
pub trait Sort<T> {
    /// Like [`sort`](slice::sort).
    fn order(&mut self)
    where
        T: Ord;

    /// Like [`sort_by`](slice::sort_by).
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Like [`sort_by_key`](slice::sort_by_key).
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);

    /// Like [`sort_by_cached_key`](slice::sort_by_cached_key): for keys that may change meanwhile.
    fn order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Sort<T> for [T] {
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }

    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let swaps = swaps(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        swaps.into_iter().for_each(|(one, other)| self.swap(one, other));
    }

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }

    fn order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let swaps = swaps(self.len(), &mut |one, other| keys[one].cmp(&keys[other]));
        swaps.into_iter().for_each(|(one, other)| self.swap(one, other));
    }
}

/// The swaps, one pair of positions after the other, that sort `len` items; `compare` compares two items by
/// their positions.
#[inline(never)]
fn swaps(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut from: Vec<usize> = (0..len).collect();
    from.sort_by(|one, other| compare(*one, *other));
    let mut swaps = Vec::new();
    for start in 0..len {
        // A circle of items that take each other's places, begun at its first.
        let mut place = start;
        while from[place] != start {
            let next = std::mem::replace(&mut from[place], place);
            swaps.push((place, next));
            place = next;
        }
        from[place] = place;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Reverse;

    /// Lists of every length up to 100, with equal items among them, are sorted as by the standard library.
    #[test]
    fn sorts_like_the_standard_library() {
        let mut state = 1_u32;
        for len in 0..100 {
            let list: Vec<(u32, usize)> = (0..len)
                .map(|place| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 28, place)
                })
                .collect();
            let sorted = |sort: fn(&mut [(u32, usize)])| {
                let mut sorted = list.clone();
                sort(&mut sorted);
                sorted
            };
            assert_eq!(sorted(|list| list.order()), sorted(|list| list.sort()));
            assert_eq!(
                sorted(|list| list.order_by_key(|one| one.0)),
                sorted(|list| list.sort_by_key(|one| one.0))
            );
            assert_eq!(
                sorted(|list| list.order_by_cached_key(|one| Reverse(one.0))),
                sorted(|list| list.sort_by_cached_key(|one| Reverse(one.0)))
            );
            assert_eq!(
                sorted(|list| list.order_by(|one, other| other.0.cmp(&one.0))),
                sorted(|list| list.sort_by_key(|item| std::cmp::Reverse(item.0)))
            );
        }
    }
}
