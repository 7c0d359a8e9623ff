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

/// Where a task leaves its waker for another thread to find.
pub struct WakerCell {
    state: AtomicU8,
    /// Touched only by whoever moved `state` away from `IDLE`.
    waker: UnsafeCell<Option<Waker>>,
}

// SAFETY: `waker` is touched only by the side that holds `state`.
unsafe impl Send for WakerCell {}
// SAFETY: as above.
unsafe impl Sync for WakerCell {}

impl Default for WakerCell {
    fn default() -> Self {
        WakerCell { state: AtomicU8::new(IDLE), waker: UnsafeCell::new(None) }
    }
}

impl WakerCell {
    /// The next `wake` wakes `waker`. One side registers; after it, look again at what you wait for.
    pub fn register(&self, waker: &Waker) {
        if self.state.compare_exchange(IDLE, REGISTERING, Acquire, Acquire).is_err() {
            waker.wake_by_ref(); // a wake is under way: poll again
            return;
        }
        // SAFETY: REGISTERING is ours alone.
        self.waker.with_mut(|slot| unsafe {
            if !(*slot).as_ref().is_some_and(|old| old.will_wake(waker)) {
                *slot = Some(waker.clone());
            }
        });
        if self.state.compare_exchange(REGISTERING, IDLE, AcqRel, Acquire).is_err() {
            // A wake came meanwhile and left the work to us.
            // SAFETY: the state is REGISTERING | WAKING; the waking side does not touch the slot.
            let waker = self.waker.with_mut(|slot| unsafe { (*slot).take() });
            self.state.swap(IDLE, AcqRel);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    /// Wakes what is registered, if anything; says whether there was something.
    pub fn wake(&self) -> bool {
        if self.state.fetch_or(WAKING, AcqRel) != IDLE {
            return false; // somebody else will wake it
        }
        // SAFETY: WAKING from IDLE is ours alone.
        let waker = self.waker.with_mut(|slot| unsafe { (*slot).take() });
        self.state.fetch_and(!WAKING, Release);
        waker.map(Waker::wake).is_some()
    }
}
