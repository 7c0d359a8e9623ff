//! Counts how often and how long threads wait for a hub's lock, for `benches/lock.rs`. Built with
//! `--cfg hub_measure` only.

use std::{
    sync::{
        Mutex, MutexGuard, TryLockError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

static LOCKS: AtomicU64 = AtomicU64::new(0);
static CONTENDED: AtomicU64 = AtomicU64::new(0);
static WAITED: AtomicU64 = AtomicU64::new(0);

/// The number of times that a lock was taken, the number of times that another thread held it then, and the
/// total nanoseconds until it was free.
pub fn lock_figures() -> (u64, u64, u64) {
    (LOCKS.load(Relaxed), CONTENDED.load(Relaxed), WAITED.load(Relaxed))
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    LOCKS.fetch_add(1, Relaxed);
    match mutex.try_lock() {
        Ok(guard) => return guard,
        Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => {}
    }
    let began = Instant::now();
    let guard = polywire_base::lock(mutex);
    CONTENDED.fetch_add(1, Relaxed);
    WAITED.fetch_add(began.elapsed().as_nanos() as u64, Relaxed);
    guard
}
