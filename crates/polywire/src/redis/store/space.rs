//! The stripes a command may touch, locked.

use super::{
    Key, STRIPES, Store,
    catalogue::{Keys, Spec},
    stripe::Stripe,
};
use std::sync::{MutexGuard, atomic::Ordering::Relaxed};

/// Weight that a stripe may change by before it is reported to the store.
const REPORT: i64 = 4096;

/// Locks held for a command or a transaction. Always taken in the order of the stripes' numbers, so that two can never
/// wait for each other.
pub(super) enum Space<'a> {
    /// No key is touched, or every stripe in its turn.
    Free,
    One(usize, Held<'a>),
    Many(Box<[Option<Held<'a>>]>),
}

/// A lock, and what its stripe weighed when it was taken.
pub(super) struct Held<'a> {
    stripe: MutexGuard<'a, Stripe>,
    store: &'a Store,
}

impl<'a> Held<'a> {
    #[inline]
    fn new(store: &'a Store, index: usize) -> Self {
        Held { stripe: store.stripe(index), store }
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        let change = self.stripe.weight as i64 - self.stripe.reported;
        if change.abs() >= REPORT {
            self.stripe.reported += change;
            self.store.used.fetch_add(change, Relaxed);
        }
    }
}

impl<'a> Space<'a> {
    /// Locks what the command's keys need.
    #[inline]
    pub(super) fn lock(store: &'a Store, spec: &Spec, args: &[&[u8]]) -> Self {
        match spec.keys {
            Keys::None | Keys::All => Space::Free,
            Keys::One => {
                let index = store.key(args[1]).stripe();
                Space::One(index, Held::new(store, index))
            }
            Keys::Range { .. } => {
                let mut needed = 0;
                spec.keys_in(args).for_each(|key| needed |= 1u64 << store.key(key).stripe());
                Space::lock_set(store, needed)
            }
        }
    }

    /// Locks the stripes whose bits are set.
    pub(super) fn lock_set(store: &'a Store, needed: u64) -> Self {
        if needed.count_ones() == 1 {
            let index = needed.trailing_zeros() as usize;
            return Space::One(index, Held::new(store, index));
        }
        let held = |index| (needed >> index & 1 == 1).then(|| Held::new(store, index));
        Space::Many((0..STRIPES).map(held).collect())
    }

    /// The stripe of a key that the command was said to touch.
    #[inline]
    pub(super) fn of(&mut self, key: Key<'_>) -> &mut Stripe {
        match self {
            Space::One(_, held) => &mut held.stripe,
            Space::Many(held) => {
                &mut held[key.stripe()].as_mut().expect("the catalogue names every key of a command").stripe
            }
            Space::Free => unreachable!("a command with keys has locks"),
        }
    }

    /// Visits a stripe: one that is held, or locks it for the moment.
    pub(super) fn visit<R>(
        &mut self,
        store: &'a Store,
        index: usize,
        visit: impl FnOnce(&mut Stripe) -> R,
    ) -> R {
        match self {
            Space::One(held_index, held) if *held_index == index => visit(&mut held.stripe),
            Space::Many(held) => match &mut held[index] {
                Some(held) => visit(&mut held.stripe),
                None => visit(&mut Held::new(store, index).stripe),
            },
            Space::Free | Space::One(..) => visit(&mut Held::new(store, index).stripe),
        }
    }
}
