//! A map of few entries in the order of their keys, for settings, pages and tables that are made once.
//!
//! The map is a sorted list with binary search. `BTreeMap` is up to ten thousand lines of LLVM IR for each
//! type of key and value, in each crate that uses it; this is a few hundred. Inserting moves all later
//! entries, so it is unsuitable for large maps that grow one by one.

use crate::Sort;
use std::{borrow::Borrow, fmt, mem, vec};

/// A map in a sorted vector, see the [module](self).
#[derive(Clone, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> SortedMap<K, V> {
    /// A map without entries, which has allocated nothing.
    pub const fn new() -> Self {
        SortedMap(Vec::new())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// The position of the key, or where it would be inserted.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(one, _)| one.borrow().cmp(key))
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        Some(&self.0[at].1)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Inserts a value; returns the previous value of the key.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// The value of the key, which is made if it is missing.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, make()));
            at
        });
        &mut self.0[at].1
    }

    /// Removes a key; returns it with its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        Some(self.0.remove(at))
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Of several values with the same key the last one is kept.
impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut entries: Vec<(K, V)> = entries.into_iter().collect();
        entries.order_by(|one, other| one.0.cmp(&other.0));
        entries.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                mem::swap(later, first);
            }
            is_same
        });
        SortedMap(entries)
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The same steps, in a random order, have the same results in a `BTreeMap`.
    #[test]
    fn is_like_a_tree() {
        let (mut ours, mut theirs, mut state) = (SortedMap::new(), BTreeMap::new(), 7_u32);
        for step in 0..2000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = state >> 26;
            match state >> 8 & 3 {
                0 => assert_eq!(ours.remove(&key), theirs.remove_entry(&key)),
                1 => assert_eq!(*ours.get_or_insert_with(key, || step), *theirs.entry(key).or_insert(step)),
                _ => assert_eq!(ours.insert(key, step), theirs.insert(key, step)),
            }
            assert_eq!(
                (ours.get(&key), ours.contains_key(&key)),
                (theirs.get(&key), theirs.contains_key(&key))
            );
            assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
            assert!(ours.iter().eq(theirs.iter()));
        }
    }

    #[test]
    fn of_several_values_the_last_one_stays() {
        let entries = [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (2, 'e')];
        let map: SortedMap<_, _> = entries.into_iter().collect();
        assert!(map.keys().eq(&[1, 2]) && map.values().eq(&['d', 'e']));
        assert!(map.into_iter().eq(BTreeMap::from_iter(entries)));
    }
}
