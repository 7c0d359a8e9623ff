//! Bounded queue, one producer, one consumer.
//!
//! ```text
//!   slots  | . . . v v v v v . . . |     index = position & mask
//!                  ^         ^
//!              head: pop   tail: push    positions only grow (and wrap around)
//! ```
//!
//! Both sides work through `&self`, since a producer's and a consumer's handle usually share one `Arc` with
//! more than the ring. Callers must ensure that there is one of each, and this is checked: each side takes a
//! flag that no other thread writes in normal use, by an uncontended exchange on a cache line that this side
//! owns anyway.

use crate::sync::{
    UnsafeCell,
    atomic::{AtomicBool, AtomicUsize, Ordering::*},
};
use std::mem::MaybeUninit;

/// A queue that holds up to its capacity; `push` returns the value when it is full.
pub struct Ring<T> {
    /// The number of slots is a power of two, at least `capacity`.
    slots: Box<[UnsafeCell<MaybeUninit<T>>]>,
    capacity: usize,
    /// Of the consumer: next position to pop.
    head: Side,
    /// Of the producer: next position to push.
    tail: Side,
}

/// The data that one side writes. It has its own cache line, since otherwise each push would invalidate the
/// line of the other side's pop.
#[repr(align(64))]
struct Side {
    /// Written by its side, read by both.
    position: AtomicUsize,
    /// Set while a thread works on this side.
    busy: AtomicBool,
}

impl Side {
    fn new() -> Self {
        Side { position: AtomicUsize::new(0), busy: AtomicBool::new(false) }
    }

    /// Begins an operation on this side.
    ///
    /// # Panics
    /// If another thread is using this side.
    #[inline]
    fn enter(&self, who: &str) -> Turn<'_> {
        // Acquire pairs with the release in `Turn::drop`: this side's last position, in case it has changed
        // threads.
        assert!(!self.busy.swap(true, Acquire), "a ring has one {who}");
        Turn(self)
    }
}

/// The exclusive use of a side.
struct Turn<'a>(&'a Side);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Release);
    }
}

// SAFETY: a slot belongs to the producer until `tail` passes it, and to the consumer until `head` passes it; `busy`
// keeps each side to one thread at a time.
unsafe impl<T: Send> Send for Ring<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Ring<T> {}

impl<T> Ring<T> {
    /// A ring with room for `capacity` values, at least one.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        let slots =
            (0..capacity.next_power_of_two()).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect();
        Ring { slots, capacity, head: Side::new(), tail: Side::new() }
    }

    #[inline]
    fn slot(&self, position: usize) -> &UnsafeCell<MaybeUninit<T>> {
        &self.slots[position & (self.slots.len() - 1)]
    }

    /// For the producer: appends a value. `Err` returns it: the ring is full.
    ///
    /// # Panics
    /// If another thread is pushing.
    #[inline]
    pub fn push(&self, value: T) -> Result<(), T> {
        let _turn = self.tail.enter("producer");
        let tail = self.tail.position.load(Relaxed);
        // Acquire pairs with the release in `pop`: the slot has been read out.
        if tail.wrapping_sub(self.head.position.load(Acquire)) >= self.capacity {
            return Err(value);
        }
        // SAFETY: we are the producer, and the slot at `tail` is empty, so the consumer does not touch it.
        self.slot(tail).with_mut(|slot| unsafe { (*slot).write(value) });
        self.tail.position.store(tail.wrapping_add(1), Release);
        Ok(())
    }

    /// For the consumer: takes the oldest value.
    ///
    /// # Panics
    /// If another thread is popping.
    #[inline]
    pub fn pop(&self) -> Option<T> {
        let _turn = self.head.enter("consumer");
        let head = self.head.position.load(Relaxed);
        // Acquire pairs with the release in `push`: the slot has been written.
        if head == self.tail.position.load(Acquire) {
            return None;
        }
        // SAFETY: we are the consumer, and `head` is below `tail`, so the slot was written and the producer
        // will not touch it before `head` moves.
        let value = self.slot(head).with_mut(|slot| unsafe { (*slot).assume_init_read() });
        self.head.position.store(head.wrapping_add(1), Release);
        Some(value)
    }

    /// Number of values in it. For a thread that is neither side, an estimate.
    pub fn len(&self) -> usize {
        // Head first: it never passes the tail that is read after it. The tail may have advanced meanwhile.
        let head = self.head.position.load(Acquire);
        self.tail.position.load(Acquire).wrapping_sub(head).min(self.capacity)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

impl<T> Drop for Ring<T> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::{collections::VecDeque, rc::Rc, sync::Arc, thread};

    proptest! {
        #[test]
        fn does_what_a_bounded_deque_does(capacity in 0..20usize, ops in prop::collection::vec(any::<bool>(), 0..200)) {
            let ring = Ring::new(capacity);
            // Near the wrap-around of the positions, over which a batch of any length has to work.
            ring.head.position.store(usize::MAX - 50, Relaxed);
            ring.tail.position.store(usize::MAX - 50, Relaxed);
            let (mut model, capacity) = (VecDeque::new(), capacity.max(1));
            for (i, push) in ops.into_iter().enumerate() {
                if push {
                    let pushed = ring.push(i);
                    if model.len() < capacity {
                        prop_assert_eq!(pushed, Ok(()));
                        model.push_back(i);
                    } else {
                        prop_assert_eq!(pushed, Err(i));
                    }
                } else {
                    prop_assert_eq!(ring.pop(), model.pop_front());
                }
                prop_assert_eq!((ring.len(), ring.is_empty()), (model.len(), model.is_empty()));
            }
        }
    }

    #[test]
    fn values_left_behind_are_dropped_once() {
        let value = Rc::new(());
        let ring = Ring::new(3);
        (0..3).for_each(|_| ring.push(value.clone()).expect("three fit"));
        drop(ring.pop());
        drop(ring);
        assert_eq!(Rc::strong_count(&value), 1);
    }

    #[test]
    fn threads_hand_over_everything_in_order() {
        let ring = Arc::new(Ring::new(7));
        let producer = ring.clone();
        let pushing = thread::spawn(move || {
            for mut i in 0..100_000u32 {
                while let Err(back) = producer.push(i) {
                    i = back;
                    thread::yield_now();
                }
            }
        });
        let mut next = 0;
        while next < 100_000 {
            match ring.pop() {
                Some(i) => {
                    assert_eq!(i, next);
                    next += 1;
                }
                None => thread::yield_now(),
            }
        }
        pushing.join().expect("the producer ends");
    }

    #[test]
    #[should_panic(expected = "a ring has one producer")]
    fn a_second_producer_at_the_same_time_is_refused() {
        let ring = Ring::new(1);
        let _turn = ring.tail.enter("producer");
        let _ = ring.push(());
    }
}
