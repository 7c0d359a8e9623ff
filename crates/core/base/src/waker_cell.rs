//! One waker, one registering side, any waking side: the algorithm of `futures::task::AtomicWaker`.
//!
//! ```text
//!  IDLE --register--> REGISTERING --done--> IDLE
//!   |                      |
//!  wake                  wake (sets WAKING): the registering side wakes itself
//!   v                      v
//!  WAKING --taken--> IDLE
//! ```

use crate::sync::{
    UnsafeCell,
    atomic::{AtomicU8, Ordering::*},
};
use std::task::Waker;

const IDLE: u8 = 0;
const REGISTERING: u8 = 1;
const WAKING: u8 = 2;

/// Stores a task's waker for another thread to wake.
pub struct WakerCell {
    state: AtomicU8,
    /// Accessed only by the side that moved `state` away from `IDLE`.
    waker: UnsafeCell<Option<Waker>>,
}

// SAFETY: `waker` is accessed only by the side that holds `state`.
unsafe impl Send for WakerCell {}
// SAFETY: as above.
unsafe impl Sync for WakerCell {}

impl Default for WakerCell {
    fn default() -> Self {
        WakerCell { state: AtomicU8::new(IDLE), waker: UnsafeCell::new(None) }
    }
}

impl WakerCell {
    /// Registers `waker` for the next `wake`. Only one thread may register at a time. Afterwards check the
    /// awaited condition again: either you see everything that a thread wrote before its `wake`, or that wake
    /// will come.
    pub fn register(&self, waker: &Waker) {
        // Acquire pairs with the release in `wake`, also on failure: we see what was written before that
        // wake.
        if self.state.compare_exchange(IDLE, REGISTERING, Acquire, Acquire).is_err() {
            waker.wake_by_ref(); // a wake is in progress: poll again
            return;
        }
        // SAFETY: REGISTERING is ours alone.
        self.waker.with_mut(|slot| unsafe {
            if !(*slot).as_ref().is_some_and(|old| old.will_wake(waker)) {
                *slot = Some(waker.clone());
            }
        });
        // Release pairs with the acquire in `wake`: the slot. Acquire again: a wake that came meanwhile.
        if self.state.compare_exchange(REGISTERING, IDLE, AcqRel, Acquire).is_err() {
            // A wake came meanwhile and left it to us to wake. SAFETY: the state is REGISTERING | WAKING; the
            // waking side does not touch the slot.
            let waker = self.waker.with_mut(|slot| unsafe { (*slot).take() });
            self.state.swap(IDLE, AcqRel);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    /// Wakes the registered waker, if there is one. Returns whether there was one.
    pub fn wake(&self) -> bool {
        // Release even if another thread does the waking: the registering side must see what our caller
        // wrote.
        if self.state.fetch_or(WAKING, AcqRel) != IDLE {
            return false; // another thread will wake it
        }
        // SAFETY: WAKING from IDLE is ours alone.
        let waker = self.waker.with_mut(|slot| unsafe { (*slot).take() });
        self.state.fetch_and(!WAKING, Release);
        waker.map(Waker::wake).is_some()
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
