//! The cell in which a shard publishes the handler that it polls.

use crate::slow_polls::SlowPolls;
use std::{
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::*},
    },
    thread::Thread,
};

/// The poll that a shard is currently in. Padded to two cache lines, because processors prefetch lines in
/// pairs.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Watch {
    /// The method's name, null while no user code runs. Written by the shard.
    method: AtomicPtr<&'static str>,
    /// Counts polls. Written by the shard.
    polls: AtomicU64,
    /// Number of polls longer than the limit. Written by the watchdog.
    pub(crate) slow: AtomicU64,
    /// The latest slow polls.
    pub(crate) slow_polls: SlowPolls,
    /// Whether the watchdog sleeps, or is about to: the next poll has to wake it. Rarely written.
    pub(crate) unwatched: AtomicBool,
    pub(crate) watchdog: OnceLock<Thread>,
}

/// The name of a method, as the watchdog prints it. It stays valid for the rest of the process.
pub type MethodName = &'static &'static str;

impl Watch {
    #[inline]
    pub(crate) fn begin(&self, method: MethodName) {
        self.polls.store(self.polls.load(Relaxed) + 1, Relaxed);
        self.method.store(std::ptr::from_ref(method).cast_mut(), Release);
        if self.unwatched.load(Relaxed) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        self.unwatched.store(false, Relaxed);
        self.watchdog.get().into_iter().for_each(Thread::unpark);
    }

    pub(crate) fn set_unwatched(&self, unwatched: bool) {
        self.unwatched.store(unwatched, Relaxed);
    }

    #[inline]
    pub(crate) fn end(&self) {
        self.method.store(ptr::null_mut(), Release);
    }

    pub(crate) fn look(&self) -> (u64, Option<MethodName>) {
        let method = self.method.load(Acquire);
        // SAFETY: a pointer that is not null was stored by `begin`, from a `&'static &'static str`.
        (self.polls.load(Relaxed), unsafe { method.as_ref() })
    }
}

/// A watchdog that sleeps has to notice that its shards have ended.
impl Drop for Watch {
    fn drop(&mut self) {
        self.wake();
    }
}
