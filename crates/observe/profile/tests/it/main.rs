//! Profiles of this very process. There is one profiler in a process and one allocator, so these tests run
//! one at a time ([`alone`]).

mod cpu;
mod heap;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// No other test of this program runs until this is dropped.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
