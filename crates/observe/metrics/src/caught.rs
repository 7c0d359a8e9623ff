//! Variables are code of the application, too: what reads them all outlives a panic of one.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// `None`: it has panicked, which the panic hook has reported.
pub(crate) fn caught<T>(code: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(code)).ok()
}
