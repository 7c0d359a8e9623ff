//! Decides when the table of slots is old: after an interval, and soon after a connection was lost.
//!
//! ```text
//!  read ──────── interval, 0.9 to 1.1 of it ───────► due: the next call has it read
//!        └─ a connection was lost ─► due, 100 ms after the last time it was due at the earliest
//! ```
//!
//! Of many calls that find the table due, only the first is asked to refresh it: it moves the time on.

use std::{
    hash::{BuildHasher, RandomState},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// The least time between two looks at the table.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(100);
const NEVER: u64 = u64::MAX;

/// All times are milliseconds since `begun`.
pub(super) struct Refresh {
    begun: Instant,
    /// `None`: the table does not become old by itself.
    interval: Option<Duration>,
    /// [`NEVER`]: it has not been read, which the first call does.
    due: AtomicU64,
    /// When the refresh was last due.
    last: AtomicU64,
    random: RandomState,
}

impl Refresh {
    pub(super) fn new(now: Instant, interval: Option<Duration>) -> Self {
        let (due, last) = (AtomicU64::new(NEVER), AtomicU64::new(0));
        Refresh { begun: now, interval, due, last, random: RandomState::new() }
    }

    /// Whether the caller has to have it read. Hot: once per call.
    #[inline]
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let due = self.due.load(Relaxed);
        self.at(now) >= due && self.claim(due, now)
    }

    #[cold]
    fn claim(&self, due: u64, now: Instant) -> bool {
        let claimed = self.due.compare_exchange(due, self.next(now), Relaxed, Relaxed).is_ok();
        if claimed {
            self.last.store(self.at(now), Relaxed);
        }
        claimed
    }

    /// Records that the table was read.
    pub(super) fn done(&self, now: Instant) {
        self.due.store(self.next(now), Relaxed);
    }

    /// Records that the table may be wrong.
    pub(super) fn soon(&self) {
        let earliest = self.last.load(Relaxed).saturating_add(LOOK_INTERVAL.as_millis() as u64);
        self.due.fetch_min(earliest, Relaxed);
    }

    /// The time at which a table that is read now becomes old.
    fn next(&self, now: Instant) -> u64 {
        let Some(interval) = self.interval else { return NEVER };
        let interval = interval.max(LOOK_INTERVAL);
        let tenth = u64::try_from(interval.as_millis() / 10).unwrap_or(NEVER);
        let random = self.random.hash_one(self.at(now)) % (tenth.saturating_mul(2).saturating_add(1));
        self.at(now).saturating_add(tenth.saturating_mul(9)).saturating_add(random).min(NEVER - 1)
    }

    fn at(&self, now: Instant) -> u64 {
        // Never NEVER, at which nothing is due.
        u64::try_from(now.saturating_duration_since(self.begun).as_millis()).unwrap_or(NEVER).min(NEVER - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn of_many_callers_one_is_told_that_it_is_due() {
        let begun = Instant::now();
        let refresh = Refresh::new(begun, Some(1000 * MS));
        assert!(!refresh.is_due(begun + 1_000_000 * MS), "nobody has read it yet");
        refresh.done(begun);
        assert!(!refresh.is_due(begun + 899 * MS));
        assert!(refresh.is_due(begun + 1101 * MS));
        assert!(!refresh.is_due(begun + 1101 * MS) && !refresh.is_due(begun + 2000 * MS));
        assert!(refresh.is_due(begun + 2202 * MS), "whoever was told did not do it");
    }

    #[test]
    fn lost_connections_make_it_due_ten_times_a_second_at_most() {
        let begun = Instant::now();
        for interval in [None, Some(Duration::MAX), Some(60_000 * MS)] {
            let refresh = Refresh::new(begun, interval);
            refresh.done(begun);
            let mut told = 0;
            for at in 0..1000 {
                refresh.soon();
                told += u32::from(refresh.is_due(begun + at * MS));
            }
            assert_eq!(told, 9, "{interval:?}");
        }
    }

    #[test]
    fn intervals_of_nothing_and_of_all_time_do_no_harm() {
        let begun = Instant::now();
        let often = Refresh::new(begun, Some(Duration::ZERO));
        often.done(begun);
        assert!(!often.is_due(begun + 89 * MS) && often.is_due(begun + 111 * MS));
        let never = Refresh::new(begun, Some(Duration::MAX));
        never.done(begun);
        assert!(!never.is_due(begun + Duration::from_secs(1 << 40)));
    }
}
