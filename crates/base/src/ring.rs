//! Bounded queue, one producer, one consumer.

use crate::sync::{
    UnsafeCell,
    atomic::{AtomicUsize, Ordering::*},
};
use std::mem::MaybeUninit;

/// Holds up to its capacity; `push` gives the value back when it is full.
pub struct Ring<T> {
    slots: Box<[UnsafeCell<MaybeUninit<T>>]>,
    /// Next slot to pop. Written by the consumer, read by both.
    head: AtomicUsize,
    /// Next slot to push. Written by the producer, read by both.
    tail: AtomicUsize,
}

// SAFETY: a slot belongs to the producer until `tail` passes it, and to the consumer until `head` passes it.
unsafe impl<T: Send> Send for Ring<T> {}
// SAFETY: as above; one producer and one consumer are the callers' contract, kept by `client` and `server` through
// handles that are not cloned.
unsafe impl<T: Send> Sync for Ring<T> {}

impl<T> Ring<T> {
    pub fn new(capacity: usize) -> Self {
        let slots = (0..capacity.max(1)).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect();
        Ring { slots, head: AtomicUsize::new(0), tail: AtomicUsize::new(0) }
    }

    /// Producer only. `Err` gives the value back: the ring is full.
    pub fn push(&self, value: T) -> Result<(), T> {
        let tail = self.tail.load(Relaxed);
        // Acquire pairs with the release in `pop`: the slot has been read out.
        if tail - self.head.load(Acquire) == self.slots.len() {
            return Err(value);
        }
        // SAFETY: the slot lies at `tail` and is not full, so the consumer does not touch it.
        self.slots[tail % self.slots.len()].with_mut(|slot| unsafe { (*slot).write(value) });
        self.tail.store(tail + 1, Release);
        Ok(())
    }

    /// Consumer only.
    pub fn pop(&self) -> Option<T> {
        let head = self.head.load(Relaxed);
        // Acquire pairs with the release in `push`: the slot has been written.
        if head == self.tail.load(Acquire) {
            return None;
        }
        // SAFETY: `head < tail`, so the slot was written and the producer will not touch it before `head` moves.
        let value =
            self.slots[head % self.slots.len()].with_mut(|slot| unsafe { (*slot).assume_init_read() });
        self.head.store(head + 1, Release);
        Some(value)
    }

    pub fn len(&self) -> usize {
        self.tail.load(Acquire) - self.head.load(Acquire)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Drop for Ring<T> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}
