//! An allocator that counts bytes, for tests of memory use.
#![allow(unsafe_code)] // `GlobalAlloc` is an unsafe trait

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicIsize, Ordering::Relaxed},
};

/// The system's allocator, with a count of the bytes in use.
///
/// A test program that uses it as its `#[global_allocator]` must have one test only, since allocations of
/// others would be counted with it.
#[derive(Debug, Default)]
pub struct Counting {
    in_use: AtomicIsize,
}

impl Counting {
    pub const fn new() -> Self {
        Counting { in_use: AtomicIsize::new(0) }
    }

    /// Bytes that are allocated now, by all threads.
    pub fn in_use(&self) -> isize {
        self.in_use.load(Relaxed)
    }
}

// SAFETY: every call is passed on to `System` unchanged; counting touches no memory that is allocated here.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.in_use.fetch_add(layout.size() as isize, Relaxed);
        // SAFETY: the caller keeps `GlobalAlloc::alloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.in_use.fetch_sub(layout.size() as isize, Relaxed);
        // SAFETY: `memory` came from `alloc` with this layout, hence from `System`.
        unsafe { System.dealloc(memory, layout) }
    }

    // The two that follow are here so that a program counts and does what it does without this allocator:
    // their defaults allocate anew and copy, and write zeros.

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.in_use.fetch_add(layout.size() as isize, Relaxed);
        // SAFETY: the caller keeps `GlobalAlloc::alloc_zeroed`'s contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.in_use.fetch_add(size as isize - layout.size() as isize, Relaxed);
        // SAFETY: `memory` came from `alloc` with this layout, hence from `System`; the caller keeps the rest
        // of the contract.
        unsafe { System.realloc(memory, layout, size) }
    }
}
