//! The locked stripes that a command may access.

use super::{
    key::{Key, STRIPES},
    keyspace::Keyspace,
    lane::{Claim, Long, Place},
    spec::{Keys, Spec},
    stripe::Stripe,
    trash::Trash,
};
use std::{
    mem,
    sync::{MutexGuard, atomic::Ordering::Relaxed},
};

/// Change of a stripe's weight in bytes from which it is reported to the store.
const REPORT: i64 = 4096;

/// The locks of a command or a transaction. They are always taken in the order of the stripes' numbers, which
/// rules out deadlocks.
pub(super) enum Space<'a> {
    /// No key is accessed, or every stripe in turn.
    Free,
    One(usize, Held<'a>),
    Many(Box<[Option<Held<'a>>]>),
}

/// A lock. Its fields are dropped in this order: the stripe's trash is freed after the lock is released.
pub(super) struct Held<'a> {
    stripe: MutexGuard<'a, Stripe>,
    _claim: Option<Claim<'a>>,
    trash: Emptied<'a>,
    keyspace: &'a Keyspace,
}

/// The trash of a stripe, to be freed on drop.
struct Emptied<'a>(Trash, &'a Keyspace);

impl Drop for Emptied<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.0.is_empty() {
            mem::take(&mut self.0).empty(&self.1.beside);
        }
    }
}

impl<'a> Held<'a> {
    #[inline]
    fn new(keyspace: &'a Keyspace, place: Place, index: usize) -> Result<Self, Long> {
        let (stripe, claim) = keyspace.stripes[index].lock(place)?;
        Ok(Held { stripe, _claim: Some(claim), trash: Emptied(Trash::default(), keyspace), keyspace })
    }

    /// Locks a stripe for a moment, even if a long command holds it: see [`Space::visit`].
    fn wait(keyspace: &'a Keyspace, index: usize) -> Self {
        let stripe = keyspace.stripes[index].wait();
        Held { stripe, _claim: None, trash: Emptied(Trash::default(), keyspace), keyspace }
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        let change = self.stripe.weight() as i64 - self.stripe.reported;
        if change.abs() >= REPORT {
            self.stripe.reported += change;
            self.keyspace.used.fetch_add(change, Relaxed);
        }
        if !self.stripe.trash.is_empty() {
            self.trash.0 = mem::take(&mut self.stripe.trash);
        }
    }
}

impl<'a> Space<'a> {
    /// Locks the stripes of the command's keys.
    ///
    /// # Errors
    /// A lock is held for long, and a shard must not wait for that.
    #[inline]
    pub(super) fn lock(
        keyspace: &'a Keyspace,
        place: Place,
        spec: &Spec,
        args: &[&[u8]],
    ) -> Result<Self, Long> {
        match spec.keys {
            Keys::None | Keys::All => Ok(Space::Free),
            Keys::One => {
                let index = keyspace.key(args[1]).stripe();
                Ok(Space::One(index, Held::new(keyspace, place, index)?))
            }
            Keys::Range { .. } => {
                let mut needed = 0;
                spec.keys_in(args).for_each(|key| needed |= 1u64 << keyspace.key(key).stripe());
                Space::lock_set(keyspace, place, needed)
            }
        }
    }

    /// Locks the stripes whose bits are set.
    ///
    /// # Errors
    /// The errors of [`Space::lock`].
    pub(super) fn lock_set(keyspace: &'a Keyspace, place: Place, needed: u64) -> Result<Self, Long> {
        if needed.count_ones() == 1 {
            let index = needed.trailing_zeros() as usize;
            return Ok(Space::One(index, Held::new(keyspace, place, index)?));
        }
        let held = |index| (needed >> index & 1 == 1).then(|| Held::new(keyspace, place, index)).transpose();
        Ok(Space::Many((0..STRIPES).map(held).collect::<Result<_, _>>()?))
    }

    /// The stripe of a key that the command declared.
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

    /// Visits a stripe: one that is already locked, or else locks it briefly. A shard that does so holds the
    /// lane, so that no long command holds a stripe.
    pub(super) fn visit<R>(
        &mut self,
        keyspace: &'a Keyspace,
        index: usize,
        visit: impl FnOnce(&mut Stripe) -> R,
    ) -> R {
        match self {
            Space::One(held_index, held) if *held_index == index => visit(&mut held.stripe),
            Space::Many(held) => match &mut held[index] {
                Some(held) => visit(&mut held.stripe),
                None => visit(&mut Held::wait(keyspace, index).stripe),
            },
            Space::Free | Space::One(..) => visit(&mut Held::wait(keyspace, index).stripe),
        }
    }
}
