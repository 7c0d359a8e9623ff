//! Instants that are computed from durations of users and peers.

use std::time::{Duration, Instant};

/// The longest wait that [`later`] adds: a hundred years.
const LONGEST: Duration = Duration::from_secs(100 * 366 * 24 * 60 * 60);

/// The instant `wait` after `now`. Where `Instant + Duration` panics, as with `Duration::MAX`, this is an
/// instant that no process reaches.
#[inline]
pub fn later(now: Instant, wait: Duration) -> Instant {
    now + wait.min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_without_end_is_a_hundred_years() {
        let now = Instant::now();
        assert_eq!(now.checked_add(Duration::MAX), None);
        assert_eq!(later(now, Duration::MAX), now + LONGEST);
        assert_eq!(later(now, Duration::from_nanos(1)), now + Duration::from_nanos(1));
        assert_eq!(later(later(now, LONGEST), LONGEST), now + 2 * LONGEST, "and it can be added to");
    }
}
