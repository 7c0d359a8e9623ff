//! One waker, one registering side, any waking side.
//!
//! ```text
//!           register              wake
//!  EMPTY ------------> SET ---------------> SET | WOKEN --taken--> EMPTY
//!    ^                  |
//!    `---- register ----'  (to put another waker in)
//! ```
//!
//! A wake that finds nobody only leaves its mark: `EMPTY | WOKEN`. Whoever registers next reads the mark,
//! and with it what was written before that wake. So registering costs one atomic operation, a wake of
//! nobody one, and a wake of somebody two.

use crate::sync::{
    UnsafeCell,
    atomic::{AtomicU8, Ordering::*},
};
use std::task::Waker;

/// The slot belongs to the registering side.
const EMPTY: u8 = 0;
/// There is a waker in the slot, which belongs to whoever takes this flag away.
const SET: u8 = 1;
/// Somebody has woken. With `SET`: it is about to take the waker out, and the slot is its own.
const WOKEN: u8 = 2;

/// Stores a task's waker for another thread to wake.
pub struct WakerCell {
    state: AtomicU8,
    /// Accessed only by the side that `state` says.
    waker: UnsafeCell<Option<Waker>>,
}

// SAFETY: `waker` is accessed only by the side that `state` says.
unsafe impl Send for WakerCell {}
// SAFETY: as above.
unsafe impl Sync for WakerCell {}

impl Default for WakerCell {
    fn default() -> Self {
        WakerCell { state: AtomicU8::new(EMPTY), waker: UnsafeCell::new(None) }
    }
}

impl WakerCell {
    /// Registers `waker` for the next `wake`. Only one thread may register at a time. Afterwards check the
    /// awaited condition again: either you see everything that a thread wrote before its `wake`, or that wake
    /// will come.
    pub fn register(&self, waker: &Waker) {
        // Acquire, here and below: a wake that has ended no longer uses the slot.
        let set = self.state.load(Acquire) & SET != 0;
        if set
            && let Err(now) = self.state.compare_exchange(SET, EMPTY, Acquire, Acquire)
            && now & SET != 0
        {
            waker.wake_by_ref(); // a wake is in progress: poll again
            return;
        }
        // SAFETY: not SET, so the slot is ours. What was in it is dropped when it is no longer: that may be
        // anything.
        let _old = self.waker.with_mut(|slot| unsafe {
            let same = (*slot).as_ref().is_some_and(|old| old.will_wake(waker));
            if same { None } else { (*slot).replace(waker.clone()) }
        });
        // Release pairs with the acquire in `wake`: the slot. Acquire pairs with the release there: what
        // was written before a wake that found nobody.
        self.state.swap(SET, AcqRel);
    }

    /// Wakes the registered waker, if there is one. Returns whether there was one.
    pub fn wake(&self) -> bool {
        // Release even if nobody is woken here: whoever registers next, or is woken by another thread, must
        // see what our caller wrote.
        if self.state.fetch_or(WOKEN, AcqRel) != SET {
            return false; // nobody has registered, or another thread wakes it
        }
        let waker = self.take();
        waker.map(Waker::wake).is_some()
    }

    /// Takes out the waker of a wake that is ours alone.
    fn take(&self) -> Option<Waker> {
        // SAFETY: `SET | WOKEN`, which we have made of `SET`.
        let waker = self.waker.with_mut(|slot| unsafe { (*slot).take() });
        // An exchange rather than a store: it passes on what others wrote before their wakes meanwhile.
        self.state.swap(EMPTY, AcqRel);
        waker
    }

    /// Drops the registered waker without waking it.
    pub fn clear(&self) {
        if self.state.fetch_or(WOKEN, AcqRel) == SET {
            drop(self.take());
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::{
        sync::{Arc, atomic::AtomicUsize},
        task::Wake,
    };

    #[derive(Default)]
    struct Bell(AtomicUsize);
    impl Wake for Bell {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }

    #[test]
    fn a_registration_is_good_for_one_wake() {
        let (cell, bell) = (WakerCell::default(), Arc::new(Bell::default()));
        assert!(!cell.wake());
        cell.register(&Waker::from(bell.clone()));
        assert!(cell.wake() && !cell.wake());
        assert_eq!(bell.0.load(SeqCst), 1);
    }

    #[test]
    fn a_waker_that_is_cleared_is_let_go_and_not_woken() {
        let (cell, bell) = (WakerCell::default(), Arc::new(Bell::default()));
        cell.register(&Waker::from(bell.clone()));
        cell.clear();
        assert_eq!((Arc::strong_count(&bell), bell.0.load(SeqCst)), (1, 0));
        cell.register(&Waker::from(bell.clone()));
        assert!(cell.wake());
    }

    #[test]
    fn a_wake_of_nobody_is_not_kept() {
        let (cell, bell) = (WakerCell::default(), Arc::new(Bell::default()));
        assert!(!cell.wake() && !cell.wake());
        cell.register(&Waker::from(bell.clone()));
        cell.register(&Waker::from(bell.clone()));
        assert_eq!(bell.0.load(SeqCst), 0);
        assert!(cell.wake());
    }

    #[test]
    fn the_last_registration_counts() {
        let (cell, old, new) = (WakerCell::default(), Arc::new(Bell::default()), Arc::new(Bell::default()));
        cell.register(&Waker::from(old.clone()));
        cell.register(&Waker::from(new.clone()));
        cell.wake();
        assert_eq!((old.0.load(SeqCst), new.0.load(SeqCst)), (0, 1));
        assert_eq!(Arc::strong_count(&old), 1, "a replaced waker is let go");
    }

    /// A waker whose drop wakes the cell that holds it, like a task that ends when its last waker is dropped.
    #[test]
    fn a_waker_may_wake_the_cell_while_it_is_replaced() {
        struct Meddler(Arc<WakerCell>);
        impl Wake for Meddler {
            fn wake(self: Arc<Self>) {}
        }
        impl Drop for Meddler {
            fn drop(&mut self) {
                self.0.wake();
            }
        }
        let (cell, bell) = (Arc::new(WakerCell::default()), Arc::new(Bell::default()));
        cell.register(&Waker::from(Arc::new(Meddler(cell.clone()))));
        cell.register(&Waker::from(bell.clone()));
        assert_eq!(bell.0.load(SeqCst), 1, "the wake that came during the registration is passed on");
        cell.register(&Waker::from(bell.clone()));
        assert!(cell.wake());
    }
}
