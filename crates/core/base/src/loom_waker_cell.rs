//! Every interleaving of a task that waits and threads that wake it.

use crate::{
    WakerCell,
    loom_support::{block_on, model},
};
use loom::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::*},
    },
    thread,
};
use std::task::{Poll, Waker};

/// Waits until `flag` has the value; loom reports a deadlock if the wake is lost.
fn wait_for(flag: &AtomicUsize, cell: &WakerCell, value: usize) {
    block_on(|cx| {
        if flag.load(Relaxed) == value {
            return Poll::Ready(());
        }
        cell.register(cx.waker());
        if flag.load(Relaxed) == value { Poll::Ready(()) } else { Poll::Pending }
    });
}

/// The flag is relaxed: the cell has to make it visible.
#[test]
fn a_wake_is_never_lost() {
    model(3, || {
        let shared = Arc::new((AtomicUsize::new(0), WakerCell::default()));
        let other = shared.clone();
        let waking = thread::spawn(move || {
            other.0.store(1, Relaxed);
            other.1.wake();
        });
        wait_for(&shared.0, &shared.1, 1);
        waking.join().unwrap();
    });
}

#[test]
fn the_second_of_two_wakes_is_not_lost_in_the_first() {
    model(2, || {
        let shared = Arc::new((AtomicUsize::new(0), WakerCell::default()));
        let waking = [(); 2].map(|()| {
            let other = shared.clone();
            thread::spawn(move || {
                other.0.fetch_add(1, Relaxed);
                other.1.wake();
            })
        });
        wait_for(&shared.0, &shared.1, 2);
        waking.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_wake_before_any_registration_leaves_the_cell_usable() {
    model(3, || {
        let shared = Arc::new((AtomicUsize::new(0), WakerCell::default()));
        assert!(!shared.1.wake());
        let other = shared.clone();
        let waking = thread::spawn(move || {
            other.1.wake();
            other.0.store(1, Relaxed);
            other.1.wake();
        });
        wait_for(&shared.0, &shared.1, 1);
        waking.join().unwrap();
    });
}

/// It registers while a wake that began earlier takes the waker out, or has just done so.
#[test]
fn a_side_that_registers_again_has_the_slot_after_the_wake_before() {
    model(3, || {
        let cell = Arc::new(WakerCell::default());
        cell.register(Waker::noop());
        let waking = cell.clone();
        let waker = thread::spawn(move || waking.wake());
        block_on(|cx| {
            cell.register(cx.waker());
            Poll::Ready(())
        });
        waker.join().unwrap();
        cell.wake();
    });
}
