//! A bounded queue for one producer and one consumer, whose memory grows with its length.
//!
//! ```text
//!   blocks   [v v v v] -> [v v . .]     index in a block = position mod BLOCK
//!             ^               ^
//!          head: pop       tail: push   positions only grow (and wrap around)
//! ```
//!
//! The producer links a new block when the last one is full, the consumer leaves a block when it has popped
//! its last value. One block that was left is kept for the producer, so that a queue in steady use allocates
//! nothing; a queue that was never used has no block.
//!
//! Both sides work through `&self`, since a producer's and a consumer's handle usually share one `Arc` with
//! more than the queue. Callers must ensure that there is one of each, and this is checked: each side takes a
//! flag that no other thread writes in normal use, by an uncontended exchange on a cache line that this side
//! owns anyway.

use crate::sync::{
    UnsafeCell,
    atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::*},
};
use std::{
    mem::MaybeUninit,
    ptr::{NonNull, null_mut},
};

/// A queue that holds up to its capacity; `push` returns the value when it is full. Memory is allocated for
/// `BLOCK` values at a time, a power of two.
pub struct SpscQueue<T, const BLOCK: usize = 32> {
    capacity: usize,
    /// The consumer's side: the next position to pop, and the block of the position before it.
    head: Side<T, BLOCK>,
    /// The producer's side: the next position to push, and the block of the position before it.
    tail: Side<T, BLOCK>,
    /// The first block. The producer writes it before its first push, the consumer reads it at its first pop.
    first: UnsafeCell<Option<Link<T, BLOCK>>>,
    /// A block that the consumer has left, or null. The thread that swaps it out owns it.
    spare: AtomicPtr<Block<T, BLOCK>>,
}

type Link<T, const BLOCK: usize> = NonNull<Block<T, BLOCK>>;

struct Block<T, const BLOCK: usize> {
    slots: [UnsafeCell<MaybeUninit<T>>; BLOCK],
    /// Written by the producer before it pushes into the next block, read by the consumer when it pops from
    /// there.
    next: UnsafeCell<Option<Link<T, BLOCK>>>,
}

/// The data that one side writes. It has its own cache line, since otherwise each push would invalidate the
/// line of the other side's pop.
#[repr(align(64))]
struct Side<T, const BLOCK: usize> {
    /// Written by its side, read by both.
    position: AtomicUsize,
    /// Set while a thread works on this side.
    busy: AtomicBool,
    /// Used by this side only.
    block: UnsafeCell<Option<Link<T, BLOCK>>>,
}

impl<T, const BLOCK: usize> Side<T, BLOCK> {
    fn new() -> Self {
        Side { position: AtomicUsize::new(0), busy: AtomicBool::new(false), block: UnsafeCell::new(None) }
    }

    /// Begins an operation on this side.
    ///
    /// # Panics
    /// If another thread is using this side.
    #[inline]
    fn enter(&self, who: &str) -> Turn<'_> {
        // Acquire pairs with the release in `Turn::drop`: this side's last position and block, in case it has
        // changed threads.
        assert!(!self.busy.swap(true, Acquire), "a queue has one {who}");
        Turn(&self.busy)
    }
}

/// The exclusive use of a side.
struct Turn<'a>(&'a AtomicBool);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}

// SAFETY: a slot belongs to the producer until `tail` passes it, and to the consumer until `head` passes it;
// a block belongs to the producer until the first of its slots is passed, then its slots as above and `next`
// to the producer until it has linked the next block; `busy` keeps each side to one thread at a time.
unsafe impl<T: Send, const BLOCK: usize> Send for SpscQueue<T, BLOCK> {}
// SAFETY: as above.
unsafe impl<T: Send, const BLOCK: usize> Sync for SpscQueue<T, BLOCK> {}

impl<T, const BLOCK: usize> SpscQueue<T, BLOCK> {
    /// A queue for up to `capacity` values, at least one.
    pub fn new(capacity: usize) -> Self {
        const { assert!(BLOCK.is_power_of_two()) };
        SpscQueue {
            capacity: capacity.max(1),
            head: Side::new(),
            tail: Side::new(),
            first: UnsafeCell::new(None),
            spare: AtomicPtr::new(null_mut()),
        }
    }

    /// For the producer: appends a value. `Err` returns it: the queue is full.
    ///
    /// # Panics
    /// If another thread is pushing.
    #[inline(always)] // a part is long: as a function of its own it costs a copy more
    pub fn push(&self, value: T) -> Result<(), T> {
        let _turn = self.tail.enter("producer");
        let tail = self.tail.position.load(Relaxed);
        // Acquire pairs with the release in `pop`: the consumer has left what it popped.
        if tail.wrapping_sub(self.head.position.load(Acquire)) >= self.capacity {
            return Err(value);
        }
        // SAFETY: this field is the producer's, which we are.
        let block = match self.tail.block.with(|block| unsafe { *block }) {
            Some(block) if !tail.is_multiple_of(BLOCK) => block,
            last => self.extend(last),
        };
        // SAFETY: the producer's block is not freed while the consumer has not popped all of it, and the slot
        // at `tail` is empty, so the consumer does not touch it.
        unsafe { block.as_ref() }.slots[tail % BLOCK].with_mut(|slot| unsafe { (*slot).write(value) });
        self.tail.position.store(tail.wrapping_add(1), Release);
        Ok(())
    }

    /// The producer's next block, linked behind the last one.
    fn extend(&self, last: Option<Link<T, BLOCK>>) -> Link<T, BLOCK> {
        // Acquire pairs with the release in `advance`: the consumer has popped everything in it.
        let spare = NonNull::new(self.spare.swap(null_mut(), Acquire));
        let block = spare.unwrap_or_else(Block::alloc);
        match last {
            // SAFETY: the consumer does not free the producer's last block before it finds the next one, and
            // it reads `next` only after a position beyond this block was stored.
            Some(last) => unsafe { last.as_ref() }.next.with_mut(|next| unsafe { *next = Some(block) }),
            // SAFETY: the consumer reads it only after the first position was stored.
            None => self.first.with_mut(|first| unsafe { *first = Some(block) }),
        }
        // SAFETY: this field is the producer's, which we are.
        self.tail.block.with_mut(|mine| unsafe { *mine = Some(block) });
        block
    }

    /// For the consumer: takes the oldest value.
    ///
    /// # Panics
    /// If another thread is popping.
    #[inline]
    pub fn pop(&self) -> Option<T> {
        let _turn = self.head.enter("consumer");
        let head = self.head.position.load(Relaxed);
        // Acquire pairs with the release in `push`: the slot, and the links to its block, have been written.
        if head == self.tail.position.load(Acquire) {
            return None;
        }
        // SAFETY: this field is the consumer's, which we are.
        let block = match self.head.block.with(|block| unsafe { *block }) {
            Some(block) if !head.is_multiple_of(BLOCK) => block,
            left => self.advance(left),
        };
        // SAFETY: we are the consumer, who alone frees blocks, and `head` is below `tail`, so the slot was
        // written and the producer will not touch it before `head` moves.
        let slot = &unsafe { block.as_ref() }.slots[head % BLOCK];
        // SAFETY: as above.
        let value = slot.with_mut(|slot| unsafe { (*slot).assume_init_read() });
        self.head.position.store(head.wrapping_add(1), Release);
        Some(value)
    }

    /// The block after the one that the consumer leaves; it contains a value.
    fn advance(&self, left: Option<Link<T, BLOCK>>) -> Link<T, BLOCK> {
        let next = match left {
            // SAFETY: the block is still allocated, as only we free it; the producer linked the next one
            // before it stored the position that we have read.
            Some(left) => unsafe { left.as_ref() }.next.with(|next| unsafe { *next }),
            // SAFETY: the producer wrote it before it stored the position that we have read.
            None => self.first.with(|first| unsafe { *first }),
        };
        let next = next.expect("a value was pushed into the next block");
        // SAFETY: this field is the consumer's, which we are.
        self.head.block.with_mut(|mine| unsafe { *mine = Some(next) });
        if let Some(left) = left {
            // SAFETY: the producer has gone on to the next block, so nobody else uses this one.
            unsafe { left.as_ref() }.next.with_mut(|next| unsafe { *next = None });
            // Release pairs with the acquire in `extend`; acquire pairs with our own release, if this moved
            // threads.
            let older = self.spare.swap(left.as_ptr(), AcqRel);
            // SAFETY: swapped out by us, so nobody else has it.
            unsafe { Block::free(NonNull::new(older)) };
        }
        next
    }

    /// The number of values in the queue. For a thread that is neither side, an estimate.
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

impl<T, const BLOCK: usize> Block<T, BLOCK> {
    fn alloc() -> Link<T, BLOCK> {
        let slots = std::array::from_fn(|_| UnsafeCell::new(MaybeUninit::uninit()));
        let block = Box::new(Block { slots, next: UnsafeCell::new(None) });
        NonNull::from(Box::leak(block))
    }

    /// Frees a block that `alloc` made, without dropping the values in it.
    ///
    /// # Safety
    /// The pointer must not be used afterwards.
    unsafe fn free(block: Option<Link<T, BLOCK>>) {
        // SAFETY: made by `Box` in `alloc`, and no longer used.
        block.map(|block| unsafe { Box::from_raw(block.as_ptr()) });
    }
}

impl<T, const BLOCK: usize> Drop for SpscQueue<T, BLOCK> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
        // What is left is the consumer's block, or, if it has never popped, none; it has popped everything,
        // so the producer's block is the same one.
        // SAFETY: nobody else has the queue any more.
        unsafe {
            Block::free(self.head.block.with(|block| *block));
            Block::free(NonNull::new(self.spare.swap(null_mut(), Acquire)));
        }
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
            let queue = SpscQueue::<_, 4>::new(capacity);
            // Near the wrap-around of the positions, over which a batch of any length has to work.
            queue.head.position.store(usize::MAX - 50, Relaxed);
            queue.tail.position.store(usize::MAX - 50, Relaxed);
            let (mut model, capacity) = (VecDeque::new(), capacity.max(1));
            for (i, push) in ops.into_iter().enumerate() {
                if push {
                    let pushed = queue.push(i);
                    if model.len() < capacity {
                        prop_assert_eq!(pushed, Ok(()));
                        model.push_back(i);
                    } else {
                        prop_assert_eq!(pushed, Err(i));
                    }
                } else {
                    prop_assert_eq!(queue.pop(), model.pop_front());
                }
                prop_assert_eq!((queue.len(), queue.is_empty()), (model.len(), model.is_empty()));
            }
        }
    }

    #[test]
    fn values_left_behind_are_dropped_once() {
        let value = Rc::new(());
        let queue = SpscQueue::<_, 4>::new(3);
        (0..3).for_each(|_| queue.push(value.clone()).expect("three fit"));
        drop(queue.pop());
        drop(queue);
        assert_eq!(Rc::strong_count(&value), 1);
    }

    #[test]
    fn threads_hand_over_everything_in_order() {
        let queue = Arc::new(SpscQueue::<_, 4>::new(7));
        let producer = queue.clone();
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
            match queue.pop() {
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
    #[should_panic(expected = "a queue has one producer")]
    fn a_second_producer_at_the_same_time_is_refused() {
        let queue = SpscQueue::<_, 1>::new(1);
        let _turn = queue.tail.enter("producer");
        let _ = queue.push(());
    }
}
