//! The allocator that samples.

use super::{INSTALLED, INTERVAL, LIVE, LOST, STACKS};
use crate::walk::{DEPTH, walk};
use std::{
    alloc::{GlobalAlloc, Layout},
    cell::Cell,
    ptr,
    sync::atomic::Ordering::*,
};

/// Sampled allocations begin at a multiple of this, but for large ones.
const PAGE: usize = 4096;
/// Allocations of so many bytes are looked up when they are freed, wherever they begin. With another
/// alignment glibc would take new pages from the system for each, which costs more than a server's work on a
/// megabyte.
const LARGE: usize = 32 << 10;

/// An allocator that notes who allocates, for about one allocation in 512 KiB, and leaves the rest to another
/// one.
///
/// ```
/// use std::alloc::System;
///
/// #[global_allocator]
/// static ALLOCATOR: polywire_profile::Sampled<System> = polywire_profile::Sampled::new(System);
/// ```
///
/// Costs a thread-local counter for each allocation, a test of address and size for each free, and a look
/// into a table for a free of 32 KiB or more; a sample costs a walk of the stack and up to a page of memory
/// while it is held.
#[derive(Debug, Default)]
pub struct Sampled<A> {
    inner: A,
}

/// The state of a thread. It has no destructor, so that it can be used as long as the thread allocates.
struct OfThread {
    /// Bytes until the next sample; below zero: it is due.
    left: Cell<isize>,
    /// State of the random numbers; 0: not initialised.
    random: Cell<u64>,
    /// Whether a sample is being taken: allocations meanwhile are not sampled.
    inside: Cell<bool>,
}

thread_local! {
    static OF_THREAD: OfThread = const { OfThread { left: Cell::new(0), random: Cell::new(0), inside: Cell::new(false) } };
}

impl<A> Sampled<A> {
    pub const fn new(inner: A) -> Sampled<A> {
        Sampled { inner }
    }
}

/// Counts bytes; returns whether a sample is due.
#[inline]
fn is_due(size: usize) -> bool {
    OF_THREAD.with(|thread| {
        let left = thread.left.get().wrapping_sub(size as isize); // sizes are at most `isize::MAX`
        thread.left.set(left);
        left < 0
    })
}

// SAFETY: memory comes from the inner allocator and goes back to it with the layout that it was allocated
// with: of those that are not large, `LIVE` has exactly the ones whose alignment was raised, from before
// their owner knows of them until they are freed.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Sampled<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_due(layout.size()) {
            return self.sample(layout, |layout| {
                // SAFETY: the size is the caller's, which is not zero.
                unsafe { self.inner.alloc(layout) }
            });
        }
        // SAFETY: the caller's.
        unsafe { self.inner.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_due(layout.size()) {
            return self.sample(layout, |layout| {
                // SAFETY: as in `alloc`.
                unsafe { self.inner.alloc_zeroed(layout) }
            });
        }
        // SAFETY: the caller's.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if may_be_noted(memory, layout) {
            // SAFETY: the caller's.
            return unsafe { self.free_noted(memory, layout) };
        }
        // SAFETY: not sampled, since it neither begins at a page nor is large.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // As a free and an allocation: whoever makes it grow is who holds it.
        if is_due(size) || may_be_noted(memory, layout) && LIVE.has(memory.addr()) {
            // SAFETY: the caller's.
            return unsafe { self.resize(memory, layout, size) };
        }
        // SAFETY: not sampled, so that its layout is the caller's.
        unsafe { self.inner.realloc(memory, layout, size) }
    }
}

impl<A: GlobalAlloc> Sampled<A> {
    /// Allocates, and notes who did. `alloc` is called once for what is large.
    #[cold]
    fn sample(&self, layout: Layout, alloc: impl Fn(Layout) -> *mut u8) -> *mut u8 {
        let first = OF_THREAD.with(|thread| {
            let first = thread.random.get() == 0;
            thread.left.set(next(&thread.random));
            first
        });
        // A thread's first allocation begins its count.
        if first || OF_THREAD.with(|thread| thread.inside.replace(true)) {
            INSTALLED.store(true, Release);
            return alloc(layout);
        }
        let memory = match is_large(layout) {
            true => {
                let memory = alloc(layout);
                let _ = memory.is_null() || note(memory, layout);
                memory
            }
            false => self.at_page(layout, &alloc).unwrap_or_else(|| alloc(layout)),
        };
        OF_THREAD.with(|thread| thread.inside.set(false));
        memory
    }

    /// Allocates at the begin of a page; `None`: there is no such memory, or no place to note it.
    fn at_page(&self, layout: Layout, alloc: &impl Fn(Layout) -> *mut u8) -> Option<*mut u8> {
        let memory = alloc(placed(layout)?);
        if memory.is_null() {
            return None;
        }
        let noted = note(memory, layout);
        if !noted {
            // SAFETY: allocated by `alloc` with this layout, and nobody knows of it.
            unsafe { self.inner.dealloc(memory, placed(layout).expect("it was allocated")) };
        }
        noted.then_some(memory)
    }

    /// # Safety
    /// Like [`GlobalAlloc::dealloc`].
    #[cold]
    unsafe fn free_noted(&self, memory: *mut u8, layout: Layout) {
        let layout = match LIVE.remove(memory.addr()) {
            Some(stack) => {
                forget(stack, layout);
                placed(layout).expect("it was allocated")
            }
            None => layout,
        };
        // SAFETY: sampled memory was allocated with the layout for it, other memory with the caller's.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    /// # Safety
    /// Like [`GlobalAlloc::realloc`].
    #[cold]
    unsafe fn resize(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: "new_size, when rounded up to the nearest multiple of layout.align(), must not overflow
        // isize".
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let due = OF_THREAD.with(|thread| thread.left.get() < 0);
        if is_large(layout) && is_large(new) {
            // SAFETY: the caller's.
            let moved = unsafe { self.resize_large(memory, layout, size) };
            return if due && !moved.is_null() { self.sample(new, |_| moved) } else { moved };
        }
        let alloc = |layout| {
            // SAFETY: "new_size must be greater than zero".
            unsafe { self.inner.alloc(layout) }
        };
        let moved = if due { self.sample(new, alloc) } else { alloc(new) };
        if !moved.is_null() {
            // SAFETY: both have so many bytes, and they are two allocations.
            unsafe { ptr::copy_nonoverlapping(memory, moved, layout.size().min(size)) };
            // SAFETY: the caller's.
            unsafe { self.dealloc(memory, layout) };
        }
        moved
    }

    /// Lets the inner allocator move it, which for what is large costs no copy. Afterwards it is not noted.
    ///
    /// # Safety
    /// Like [`GlobalAlloc::realloc`].
    unsafe fn resize_large(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Before others can get this address.
        let stack = LIVE.remove(memory.addr());
        // SAFETY: what is large has the caller's layout.
        let moved = unsafe { self.inner.realloc(memory, layout, size) };
        if let Some(stack) = stack
            && (!moved.is_null() || !LIVE.add(memory.addr(), stack))
        {
            forget(stack, layout);
        }
        moved
    }
}

/// Notes who allocates this memory; `false`: there is no place for it.
fn note(memory: *mut u8, layout: Layout) -> bool {
    let mut frames = [0; DEPTH];
    let depth = walk(&mut frames);
    let stack = STACKS.number(&frames[..depth]);
    if !LIVE.add(memory.addr(), stack) {
        LOST.fetch_add(1, Relaxed);
        return false;
    }
    STACKS.add(stack, stands_for(layout.size()));
    true
}

/// Memory that was noted is no longer held.
fn forget(stack: u32, layout: Layout) {
    STACKS.add(stack, stands_for(layout.size()).map(|value| -value));
}

#[inline]
fn may_be_noted(memory: *mut u8, layout: Layout) -> bool {
    memory.addr().is_multiple_of(PAGE) || is_large(layout)
}

#[inline]
fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE
}

/// The layout of a sampled allocation; `None`: there is none.
fn placed(layout: Layout) -> Option<Layout> {
    if is_large(layout) { Some(layout) } else { layout.align_to(PAGE).ok() }
}

/// The allocations and bytes that a sampled allocation represents.
fn stands_for(size: usize) -> [i64; 2] {
    let size = size.max(1) as f64;
    let chance = -(-size / INTERVAL as f64).exp_m1();
    [(1.0 / chance).round() as i64, (size / chance).round() as i64]
}

/// Bytes until the next sample.
fn next(state: &Cell<u64>) -> isize {
    let mut random = state.get();
    if random == 0 {
        // Differs between threads; how it is distributed does not matter after some steps.
        random = (ptr::from_ref(state).addr() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        random = (0..8).fold(random, |random, _| xorshift(random));
    }
    random = xorshift(random);
    state.set(random);
    let uniform = ((random >> 11) as f64 + 1.0) / (1_u64 << 53) as f64; // above 0, at most 1
    (-uniform.ln() * INTERVAL as f64) as isize
}

fn xorshift(mut random: u64) -> u64 {
    random ^= random << 13;
    random ^= random >> 7;
    random ^ random << 17
}
