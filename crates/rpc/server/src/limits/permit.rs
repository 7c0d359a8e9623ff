//! A call that a limit has let in.

use super::{Limiter, Sample};
use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

/// A call that a [`Limiter`] has let in. It is under way until this is dropped.
#[must_use]
pub struct Permit(Arc<Limiter>);

impl Permit {
    pub(super) fn new(limiter: Arc<Limiter>) -> Permit {
        Permit(limiter)
    }

    /// The call has ended, after this time: limits that measure take it into account. Without it the call
    /// counts for none of them, as one whose caller has gone or that was not executed.
    pub fn end(self, now: Instant, took: Duration, ok: bool) {
        self.0.ended(Sample { now, took, ok });
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Permit").field(&self.0).finish()
    }
}
