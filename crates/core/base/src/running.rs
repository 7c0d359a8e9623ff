//! The method that each thread runs, for a profiler that interrupts the thread.
//!
//! ```text
//!  thread: Running::of(7) -> cell 7 of a static table     begin(method), end(): a store each, to a line of its own
//!  signal handler on that thread: method_of(7)            loads alone: no thread-local, no lock, no allocation
//! ```
//!
//! A handler of a signal may not use thread-locals, which a library that was loaded later allocates at their
//! first use. So it finds the cell by the system's number of its thread.
//!
//! Limits: a thread is unknown if all eight cells from its number on are taken. That changes
//!         nothing else.

use std::{
    ptr,
    sync::atomic::{AtomicI32, AtomicPtr, Ordering::*},
};

/// The maximum number of threads that are known at the same time.
const CELLS: usize = 1024;
/// The number of cells in which a thread looks for its own.
const TRIES: usize = 8;

/// The name of a method. It stays valid for the rest of the process.
type Name = &'static &'static str;

/// Padded to a line, since each thread writes its own.
#[repr(align(64))]
struct Cell {
    /// The system's number of the thread that has it; 0: it is free.
    thread: AtomicI32,
    /// The method that the thread runs, written by that thread alone; null while it runs none.
    method: AtomicPtr<&'static str>,
}

static TABLE: [Cell; CELLS] =
    [const { Cell { thread: AtomicI32::new(0), method: AtomicPtr::new(ptr::null_mut()) } }; CELLS];

fn cells(thread: i32) -> impl Iterator<Item = &'static Cell> {
    (0..TRIES).map(move |tried| &TABLE[(thread.unsigned_abs() as usize + tried) % CELLS])
}

/// The cell of a thread, used by that thread. It is freed when this is dropped.
pub struct Running(Option<&'static Cell>);

impl Running {
    /// A cell for the thread with this number of the system.
    pub fn of(thread: i32) -> Running {
        let take = |cell: &&Cell| cell.thread.compare_exchange(0, thread, AcqRel, Relaxed).is_ok();
        Running(if thread == 0 { None } else { cells(thread).find(take) })
    }

    /// Sets the method that the thread runs from now on.
    #[inline]
    pub fn begin(&self, method: Name) {
        if let Some(cell) = self.0 {
            cell.method.store(ptr::from_ref(method).cast_mut(), Relaxed);
        }
    }

    /// Sets that the thread runs no method from now on.
    #[inline]
    pub fn end(&self) {
        if let Some(cell) = self.0 {
            cell.method.store(ptr::null_mut(), Relaxed);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(cell) = self.0 {
            cell.method.store(ptr::null_mut(), Relaxed);
            cell.thread.store(0, Release);
        }
    }
}

/// The method that the thread with this number runs. Of the calling thread itself it is exact. A signal
/// handler may call it.
pub fn method_of(thread: i32) -> Option<&'static str> {
    let cell = cells(thread).find(|cell| cell.thread.load(Acquire) == thread)?;
    // SAFETY: a pointer that is not null was stored by `begin`, from a `&'static &'static str`.
    unsafe { cell.method.load(Relaxed).as_ref() }.copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_known_while_it_has_its_cell() {
        static PLACE: &str = "shop.Orders/Place";
        // Numbers that no other test has: two with the same first cell.
        let (first, second) = (Running::of(700), Running::of(700 + CELLS as i32));
        assert_eq!(method_of(700), None);
        first.begin(&PLACE);
        assert_eq!((method_of(700), method_of(700 + CELLS as i32)), (Some(PLACE), None));
        second.begin(&PLACE);
        first.end();
        assert_eq!((method_of(700), method_of(700 + CELLS as i32)), (None, Some(PLACE)));
        first.begin(&PLACE);
        drop(first);
        assert_eq!(method_of(700), None);
        assert_eq!(method_of(700 + CELLS as i32), Some(PLACE), "behind a cell that is free again");
    }

    #[test]
    fn more_threads_than_cells_are_not_known_and_do_no_harm() {
        static METHOD: &str = "a/b";
        let at = |n: usize| 500 + (n * CELLS) as i32;
        let all: Vec<_> = (0..TRIES + 2).map(|n| Running::of(at(n))).collect();
        all.iter().for_each(|one| one.begin(&METHOD));
        let known = (0..all.len()).filter(|n| method_of(at(*n)).is_some()).count();
        assert_eq!(known, TRIES);
        drop(all);
        assert_eq!(method_of(at(0)), None);
    }
}
