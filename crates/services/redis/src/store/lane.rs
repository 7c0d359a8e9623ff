//! The lane on which long commands run.
//!
//! ```text
//!  shard      execute --> few steps: done here
//!                |
//!                `------> many, or a stripe is claimed by one that does many: the command leaves
//!  work pool               --> waits in the lane --> claims its stripes, locks them, runs --> reply
//! ```
//!
//! Long commands run one after the other on the work pool, however many connections send them. A long command
//! claims its stripes before it locks them. A shard checks for the claim and never waits for a lock that is
//! held for long: a command that would have to wait moves to the lane itself. So other connections, in
//! particular those of other protocols, are never delayed. Commands over the whole keyspace that run on a
//! shard hold the lane for reading meanwhile.

use std::{
    hint,
    sync::{
        Mutex, MutexGuard, TryLockError,
        atomic::{AtomicU32, Ordering::*},
    },
    thread,
};

/// The kind of thread on which a command runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A shard: short commands only.
    Shard,
    /// Any other thread: commands of any length.
    Pool,
}

/// The command has to be moved off its shard; it was not executed.
#[derive(Debug)]
pub(super) struct Long;

/// A lock that can be claimed in advance by holders that keep it for long. It has cache lines of its own.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Claimable<T> {
    value: Mutex<T>,
    /// Number of present and coming holders that may keep it for long.
    claims: AtomicU32,
}

/// Marks that the lock may be held for long, until the claim is dropped.
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
    /// Locks it, waiting only as long as `place` allows. Hot path: once per command.
    ///
    /// # Errors
    /// The lock is held for long, and a shard must not wait for that.
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
                // Another shard holds it, for less than a microsecond unless its thread was preempted.
                Err(TryLockError::WouldBlock) => {
                    tries += 1;
                    if tries < 100 { hint::spin_loop() } else { thread::yield_now() }
                }
            }
        }
    }

    /// Locks it, however long that takes.
    pub(super) fn wait(&self) -> MutexGuard<'_, T> {
        // If a handler panicked, the tables of the stripe are still consistent: each is changed by single
        // calls.
        polywire_base::lock(&self.value)
    }
}
