//! The time that connections, calls and limits go by, and the time of day.

use polywire_wire::Date;
use std::{
    cell::Cell,
    time::{Duration, Instant, SystemTime},
};
use tokio::runtime;

/// The current instant by the clock of the calling runtime. That is the system's monotonic clock, unless a
/// test has paused it (tokio's `test-util`) and advances it by hand.
#[inline]
pub fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}

thread_local! {
    static SECOND: Cell<Option<Second>> = const { Cell::new(None) };
    static CALENDAR: Cell<Option<Calendar>> = const { Cell::new(None) };
}

/// The time of day at `now`, the instant at which the current turn began. The system's calendar is read once
/// a second on each thread; all other calls cost two comparisons.
#[inline]
pub fn date(now: Instant) -> Date {
    match SECOND.get() {
        Some(second) if second.contains(now) => second.date,
        _ => {
            let second = Second::at(now, time_of_day(now));
            SECOND.set(Some(second));
            second.date
        }
    }
}

/// A calendar that follows the clock of one runtime.
#[derive(Clone, Copy)]
struct Calendar {
    runtime: runtime::Id,
    /// An instant of its clock, and the time of day then.
    at: Instant,
    time: SystemTime,
}

/// Sets the time of day for the runtime of the caller, which has to be a `current_thread` runtime; from now
/// on the time of day follows that runtime's clock. For tests in virtual time, whose dates are then the same
/// in each run. No effect if that runtime's time of day was set before.
///
/// # Panics
/// Outside a runtime.
pub fn begin_calendar(time: SystemTime) {
    let runtime = runtime::Handle::current().id();
    if CALENDAR.get().is_none_or(|set| set.runtime != runtime) {
        CALENDAR.set(Some(Calendar { runtime, at: now(), time }));
        SECOND.set(None);
    }
}

/// The time of day for the calling runtime: the one set by [`begin_calendar`], or the system's.
pub fn system_time() -> SystemTime {
    if CALENDAR.get().is_some() { time_of_day(now()) } else { SystemTime::now() }
}

#[cold]
fn time_of_day(now: Instant) -> SystemTime {
    let set =
        CALENDAR.get().filter(|set| runtime::Handle::try_current().is_ok_and(|h| h.id() == set.runtime));
    let time = set.and_then(|set| set.time.checked_add(now.saturating_duration_since(set.at)));
    time.unwrap_or_else(SystemTime::now)
}

/// One calendar second, as an interval of monotonic time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Second {
    from: Instant,
    until: Instant,
    date: Date,
}

impl Second {
    /// The rest of the calendar second that contains `time`, given that `time` is now. If the calendar is set
    /// to another time, this is right again a second later.
    #[cold]
    fn at(now: Instant, time: SystemTime) -> Second {
        let begun = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
        let left = Duration::from_secs(1) - Duration::from_nanos(begun.into());
        Second { from: now, until: now + left, date: Date::of(time) }
    }

    /// Whether `now` lies within this second. An instant before its start comes from another clock: tests
    /// have several.
    #[inline]
    fn contains(&self, now: Instant) -> bool {
        self.from <= now && now < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_good_until_its_second_is_over() {
        let (now, ms) = (Instant::now(), Duration::from_millis);
        let time = SystemTime::UNIX_EPOCH + ms(784_111_777_250);
        let second = Second::at(now, time);
        assert_eq!(second.date.as_bytes(), b"Sun, 06 Nov 1994 08:49:37 GMT");
        for (after, good) in [(0, true), (749, true), (750, false), (2000, false)] {
            assert_eq!(second.contains(now + ms(after)), good, "{after} ms");
        }
        assert!(!second.contains(now - ms(1)));
        assert_eq!(Second::at(now, SystemTime::UNIX_EPOCH).until, now + ms(1000));
    }

    #[test]
    fn the_calendar_is_read_again_when_time_has_jumped() {
        let now = Instant::now();
        let day = |date: Date| date.as_bytes()[5..16].to_vec();
        let before = Date::of(SystemTime::now());
        let dates = [now, now + Duration::from_secs(100), now].map(date);
        let after = Date::of(SystemTime::now());
        // Midnight may fall between the two readings.
        assert!(dates.iter().all(|date| [day(before), day(after)].contains(&day(*date))), "{dates:?}");
    }
}
