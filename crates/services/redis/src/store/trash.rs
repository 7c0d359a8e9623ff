//! Values that were removed and are not freed yet.
//!
//! Freeing a million members takes tens of milliseconds. A heavy value is kept until the lock is released,
//! and then freed by the thread that removed it or, if that is a shard, by the work pool. Until then it
//! counts as used memory.

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
};

/// Size in bytes from which a value is not freed under a lock.
pub(super) const HEAVY: usize = 64 << 10;

/// Memory that counts as used by the store until this is dropped.
#[derive(Debug)]
pub(super) struct Charge {
    used: Arc<AtomicI64>,
    bytes: usize,
}

impl Charge {
    pub(super) fn new(used: &Arc<AtomicI64>, bytes: usize) -> Self {
        used.fetch_add(bytes as i64, Relaxed);
        Charge { used: used.clone(), bytes }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sets the number of bytes that are counted.
    pub(super) fn set(&mut self, bytes: usize) {
        self.used.fetch_add(bytes as i64 - self.bytes as i64, Relaxed);
        self.bytes = bytes;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes as i64, Relaxed);
    }
}

/// Values that were removed from a stripe.
#[derive(Default)]
pub(super) struct Trash {
    values: Vec<Box<dyn Any + Send>>,
    bytes: usize,
}

impl Trash {
    /// Takes a value of this many bytes; a light one is freed at once.
    pub(super) fn put<T: Any + Send>(&mut self, value: T, bytes: usize) {
        if bytes >= HEAVY {
            self.values.push(Box::new(value));
            self.bytes += bytes;
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Frees the values: here, or on the work pool if this thread is a shard's.
    #[cold]
    pub(super) fn empty(self, used: &Arc<AtomicI64>) {
        let charge = Charge::new(used, self.bytes);
        let free = move || {
            drop(self.values);
            drop(charge);
        };
        match polywire_engine::current_shard() {
            Some(shard) => drop(shard.work().spawn(async move { free() })),
            None => free(),
        }
    }
}
