//! A mutex whose data stays valid even if a thread panicked while it held the lock, and hooks for a profiler
//! of waits.

use std::{
    sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError},
    time::{Duration, Instant},
};

/// Locks a mutex, poisoned or not. For data that is valid between any two statements: a panic of one call
/// must not end all later calls.
///
/// ```
/// # use std::sync::Mutex;
/// let numbers = Mutex::new(vec![1]);
/// polywire_base::lock(&numbers).push(2);
/// assert_eq!(*polywire_base::lock(&numbers), [1, 2]);
/// ```
#[inline]
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What `Mutex::lock` begins with, too: a free lock costs no more than there.
    match mutex.try_lock() {
        Ok(guard) => guard,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => wait(mutex),
    }
}

/// The callbacks of a profiler that records which locks threads wait for.
#[derive(Clone, Copy, Debug)]
pub struct LockWatch {
    /// Called by a thread that is about to wait; `None`: the duration need not be reported.
    pub begin: fn() -> Option<u32>,
    /// Called after the wait, under the lock, with the result of `begin`: it must be quick, and take no lock.
    pub end: fn(u32, Duration),
}

static WATCH: OnceLock<LockWatch> = OnceLock::new();

/// Reports waits of [`lock`] to `watch` from now on. The first watch of a process is the only one: later
/// calls have no effect.
pub fn watch_locks(watch: LockWatch) {
    let _ = WATCH.set(watch);
}

#[cold]
fn wait<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    let wait = Wait::begin();
    let guard = mutex.lock().unwrap_or_else(PoisonError::into_inner);
    wait.end();
    guard
}

/// A wait that a profiler follows, if one does. Apart, since [`wait`] is compiled once for each type.
struct Wait(Option<(&'static LockWatch, u32, Instant)>);

impl Wait {
    #[inline(never)]
    fn begin() -> Wait {
        let watched = WATCH.get().and_then(|watch| Some((watch, (watch.begin)()?)));
        Wait(watched.map(|(watch, number)| (watch, number, Instant::now())))
    }

    #[inline(never)]
    fn end(self) {
        if let Some((watch, number, begin)) = self.0 {
            (watch.end)(number, begin.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_under_the_lock_ends_nobody_else() {
        let number = Mutex::new(1);
        let panicked = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let _guard = lock(&number);
                panic!("under the lock");
            });
            thread.join().is_err()
        });
        assert!(panicked && number.is_poisoned());
        assert_eq!(*lock(&number), 1);
    }
}
