//! Where commands go that take long.
//!
//! ```text
//!  shard      execute --> few steps: done here
//!                |
//!                `------> many, or a stripe is claimed by one that does many: the command leaves
//!  work pool               --> waits in the lane --> claims its stripes, locks them, runs --> reply
//! ```
//!
//! Long commands run one after the other, on the work pool, however many connections send them. Such a command claims
//! its stripes before it locks them; a shard looks for the claim and never waits for a lock that is held for long: a
//! command that would have to wait goes into the lane itself. So other connections, of other protocols above all, wait
//! for none of them. Commands over the whole keyspace that are done on a shard hold the lane for reading meanwhile.

use std::{
    hint,
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicU32, Ordering::*},
    },
    thread,
};

/// Where a command runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// On a shard: briefly, or not at all.
    Shard,
    /// Anywhere else, for as long as it takes.
    Pool,
}

/// The command has to leave its shard; nothing was done.
#[derive(Debug)]
pub(super) struct Long;

/// A lock that those who take it for long say so of beforehand. On cache lines of its own.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Claimable<T> {
    value: Mutex<T>,
    /// Holders, present or soon, that may keep it for long.
    claims: AtomicU32,
}

/// Says that the lock may be held for long, until it is dropped.
pub(super) struct Claim<'a>(Option<&'a AtomicU32>);

impl Drop for Claim<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(claims) = self.0 {
            claims.fetch_sub(1, Release);
        }
    }
}

impl<T> Claimable<T> {
    /// Locks it for as long as `place` allows. Hot: once per command.
    ///
    /// # Errors
    /// It is held for long, and that cannot be waited for here.
    #[inline]
    pub(super) fn lock(&self, place: Place) -> Result<(MutexGuard<'_, T>, Claim<'_>), Long> {
        match place {
            Place::Shard => self.lock_briefly().map(|guard| (guard, Claim(None))),
            Place::Pool => {
                self.claims.fetch_add(1, AcqRel);
                let claim = Claim(Some(&self.claims));
                Ok((self.wait(), claim))
            }
        }
    }

    #[inline]
    fn lock_briefly(&self) -> Result<MutexGuard<'_, T>, Long> {
        let mut tries = 0u32;
        loop {
            if self.claims.load(Acquire) > 0 {
                return Err(Long);
            }
            match self.value.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(error)) => return Ok(error.into_inner()),
                // Another shard holds it, which takes less than a microsecond unless its thread was interrupted.
                Err(TryLockError::WouldBlock) => {
                    tries += 1;
                    if tries < 100 { hint::spin_loop() } else { thread::yield_now() }
                }
            }
        }
    }

    /// Locks it, whoever holds it.
    pub(super) fn wait(&self) -> MutexGuard<'_, T> {
        // A handler that panicked left a stripe whose tables are whole: they are changed by single calls.
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
