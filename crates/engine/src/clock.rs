//! The time that connections, calls and limits go by.

use std::time::Instant;

/// Now, by the clock of the runtime this is called in: the system's, unless a test has paused it (tokio's `test-util`) and
/// lets time jump.
#[inline]
pub fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}
