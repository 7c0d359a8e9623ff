//! Atomics and cells: std's, or loom's when the model tests run (`--cfg loom`). As `base::sync`.

#[cfg(loom)]
pub(crate) use loom::{cell::UnsafeCell, sync::Arc, sync::atomic};
#[cfg(not(loom))]
pub(crate) use std::sync::{Arc, atomic};

/// std's cell with loom's interface, so that the code reads the same under both.
#[cfg(not(loom))]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);
#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub(crate) const fn new(value: T) -> Self {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }
    #[inline]
    pub(crate) fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }
    #[inline]
    pub(crate) fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
}
