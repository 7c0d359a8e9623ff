//! A mutex whose data stays valid even if a thread panicked while it held the lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, poisoned or not. For data that is valid between any two statements: a panic of one call must not end
/// all calls that come later.
///
/// ```
/// # use std::sync::Mutex;
/// let numbers = Mutex::new(vec![1]);
/// polywire_base::lock(&numbers).push(2);
/// assert_eq!(*polywire_base::lock(&numbers), [1, 2]);
/// ```
#[inline]
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
