//! The clock of the test's runtime.

use std::time::Duration;
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    time::Instant,
};

/// Pauses the clock of the runtime that this is called in, unless it is paused already. Returns the runtime.
///
/// # Panics
/// Outside a runtime, and in one with several threads, whose clock cannot be paused.
#[track_caller]
pub(crate) fn pause() -> Handle {
    let Ok(runtime) = Handle::try_current() else {
        panic!("Net::seeded outside a tokio runtime: call it in a #[tokio::test]");
    };
    assert!(
        runtime.runtime_flavor() == RuntimeFlavor::CurrentThread,
        "Net::seeded in a runtime with several threads, whose clock cannot be paused: use #[tokio::test] without a flavor"
    );
    if !is_paused() {
        tokio::time::pause();
    }
    runtime
}

/// Whether the clock is paused. Tokio has no query for that, but a paused clock stands still while the
/// system's clock advances.
fn is_paused() -> bool {
    let before = Instant::now();
    let system = std::time::Instant::now();
    while std::time::Instant::now() == system {
        std::hint::spin_loop();
    }
    Instant::now() == before
}

/// The time for a timer that should fire at `at`. Timers have steps of a millisecond and fire at the end of
/// the step that contains their time. A paused clock advances by whole steps, so a timer set earlier by the
/// rest of a step fires at `at`, if that is a whole number of milliseconds away; otherwise it fires early,
/// and this has to be called again.
pub(crate) fn timer(at: Instant) -> Instant {
    const STEP: Duration = Duration::from_millis(1);
    let rest = STEP - Duration::from_nanos(1);
    match at.saturating_duration_since(Instant::now()) {
        wait if wait < STEP => at,
        _ => at - rest,
    }
}

/// Rounds up to whole milliseconds.
pub(crate) fn whole(wait: Duration) -> Duration {
    Duration::from_millis(u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX))
}
