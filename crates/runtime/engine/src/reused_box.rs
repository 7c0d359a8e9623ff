//! The memory of a handler's future, used again by the next one: most handlers end in their first poll, so a
//! thread that serves calls needs the same memory again and again.
//!
//! ```text
//!  call --Place--> [ future ] --polled, ready--> discarded: [ memory ] --Place--> [ the next call's future ]
//! ```
//!
//! Futures are ordinary boxes: one that is dropped anywhere else is freed by the allocator.
//!
//! Limits: a thread keeps the memory of one future, of at most [`MOST`] bytes.

use crate::inline::HandlerFuture;
use polywire_wire::Outcome;
use std::{
    alloc::{self, Layout},
    cell::Cell,
    future::Future,
    mem::MaybeUninit,
    pin::Pin,
    ptr::NonNull,
};

/// The size in bytes of the largest future whose memory is kept.
const MOST: usize = 8 << 10;

thread_local! {
    static KEPT: Cell<Option<Memory>> = const { Cell::new(None) };
}

/// Memory of the global allocator that nothing else refers to.
struct Memory {
    place: NonNull<u8>,
    /// Its size is not zero.
    layout: Layout,
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and ours alone.
        unsafe { alloc::dealloc(self.place.as_ptr(), self.layout) }
    }
}

/// Memory for a future that is made where it stays: a future that is made first is copied into its box.
#[must_use]
pub struct Place<F>(Box<MaybeUninit<F>>);

impl<F: Future<Output = Outcome> + Send + 'static> Place<F> {
    /// The memory that this thread has kept, if that fits, or new memory.
    #[inline(always)]
    pub fn take() -> Self {
        let kept = KEPT.try_with(Cell::take).ok().flatten(); // a thread that ends has none
        match kept {
            Some(kept) if kept.layout == Layout::new::<F>() => {
                let place = kept.place.cast::<MaybeUninit<F>>().as_ptr();
                std::mem::forget(kept);
                // SAFETY: allocated by the global allocator with the layout of `F`, which is not empty, and
                // ours alone; its contents need not be initialised.
                Place(unsafe { Box::from_raw(place) })
            }
            _ => Place(Box::new_uninit()),
        }
    }

    /// A future in this memory.
    #[inline(always)]
    pub fn fill(self, future: F) -> HandlerFuture {
        let future: Pin<Box<F>> = Box::into_pin(Box::write(self.0, future));
        future
    }
}

/// Drops a future and keeps its memory for the next one that is made on this thread.
#[inline]
pub(crate) fn drop_and_keep(future: HandlerFuture) {
    let layout = Layout::for_value(&*future);
    if layout.size() == 0 || layout.size() > MOST {
        return;
    }
    // SAFETY: the future is not moved: it is dropped where it is.
    let future = Box::leak(unsafe { Pin::into_inner_unchecked(future) });
    let future = NonNull::from(future);
    let memory = Memory { place: future.cast(), layout }; // frees it if the destructor panics
    // SAFETY: a box that was just taken apart; nothing uses the value afterwards.
    unsafe { future.drop_in_place() };
    let _ = KEPT.try_with(|kept| kept.set(Some(memory))); // a thread that ends keeps nothing
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering::*},
        },
    };

    /// A future of a handler that owns `owned`.
    fn owner<T: Send + 'static>(owned: T) -> HandlerFuture {
        Place::take().fill(async move {
            std::future::pending::<()>().await;
            drop(owned);
            Outcome::default()
        })
    }

    fn address(future: &HandlerFuture) -> usize {
        std::ptr::from_ref(&**future).cast::<u8>().addr()
    }

    #[test]
    fn memory_is_used_again_by_a_future_of_the_same_size() {
        let drops = Arc::new(());
        let first = owner(drops.clone());
        let place = address(&first);
        drop_and_keep(first);
        assert_eq!(Arc::strong_count(&drops), 1, "what it owned is gone");
        let [second, third] = [owner(drops.clone()), owner(drops.clone())];
        assert_eq!(address(&second), place);
        assert_ne!(address(&third), place, "it is used once");
        drop(second); // like any other box
        drop_and_keep(third);
        drop_and_keep(owner([7_u8; MOST + 1])); // too large to be kept
        drop_and_keep(owner([7_u64; 100]));
        drop(owner(drops.clone()));
        assert_eq!(Arc::strong_count(&drops), 1);
    }

    #[test]
    fn a_destructor_that_panics_leaves_nothing_to_be_used() {
        struct Bomb(Arc<AtomicUsize>);
        impl Drop for Bomb {
            fn drop(&mut self) {
                self.0.fetch_add(1, Relaxed);
                panic!("a destructor");
            }
        }
        let drops = Arc::new(AtomicUsize::new(0));
        let future = owner(Bomb(drops.clone()));
        assert!(catch_unwind(AssertUnwindSafe(|| drop_and_keep(future))).is_err());
        assert_eq!(drops.load(Relaxed), 1);
        assert!(KEPT.take().is_none());
    }
}
