//! The time limit of a call.

use polywire_engine::clock;
use std::time::{Duration, Instant};

/// The shorter of a call's timeout, if it has one, and a limit.
pub(crate) fn within(timeout: Option<Duration>, limit: Duration) -> Duration {
    timeout.map_or(limit, |timeout| timeout.min(limit))
}

/// The earlier of two deadlines, if there is any.
#[inline]
pub(crate) fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Ends a call that begins now by its timeout, if not by an earlier deadline. Returns how long it may take
/// and what time it is, if it has a timeout.
#[inline]
pub(crate) fn begin(
    timeout: Option<Duration>,
    deadline: &mut Option<Instant>,
) -> Option<(Duration, Instant)> {
    let limit = timeout?;
    let now = clock::now();
    *deadline = earlier(*deadline, now.checked_add(limit));
    deadline.map(|at| (at.saturating_duration_since(now), now))
}
