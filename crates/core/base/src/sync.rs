//! The atomics of the lock-free structures, here and in crate `exchange`: std's, or loom's when their model
//! tests run (`--cfg loom`).

#[cfg(loom)]
pub use loom::{cell::UnsafeCell, sync::Arc, sync::atomic};
#[cfg(not(loom))]
pub use std::sync::{Arc, atomic};

/// std's cell with loom's interface, so that the code reads the same under both.
#[cfg(not(loom))]
pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);
#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub const fn new(value: T) -> Self {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }
    #[inline]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.0.get())
    }
    #[inline]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.0.get())
    }
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}
