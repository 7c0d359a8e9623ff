//! Conversions of timestamps and durations from and to those of the standard library.

use super::{Duration, Timestamp};
use std::{
    error, fmt,
    time::{self, SystemTime},
};

/// Nanoseconds in a second.
const NANOS: i64 = 1_000_000_000;
/// The first and last second that a [`Timestamp`] can represent: the years 1 and 9999.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
/// Largest number of seconds in a [`Duration`]: 10 000 years.
const LONGEST: i64 = 315_576_000_000;

/// A [`Timestamp`] or [`Duration`] that the other type cannot represent, or that protobuf calls invalid: it
/// is beyond the year 9999 or 10 000 years, or its nanoseconds are a second or more, or have another sign
/// than its seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfRange {
    pub(super) what: &'static str,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is invalid or out of the range of the type that it is converted to", self.what)
    }
}

impl error::Error for OutOfRange {}

pub(super) const TIMESTAMP: OutOfRange = OutOfRange { what: "a google.protobuf.Timestamp" };
pub(super) const DURATION: OutOfRange = OutOfRange { what: "a google.protobuf.Duration" };

impl Timestamp {
    /// The current time of the system's clock.
    pub fn now() -> Timestamp {
        SystemTime::now().into()
    }

    /// The timestamp for seconds since 1970 and nanoseconds of either sign; a time outside the years 1 to
    /// 9999 becomes the nearest one within.
    pub(super) fn nearest(seconds: i64, nanos: i32) -> Timestamp {
        // Nanoseconds count forward, before 1970 too.
        let (seconds, nanos) =
            if nanos < 0 { (seconds.saturating_sub(1), nanos + NANOS as i32) } else { (seconds, nanos) };
        let nearest = seconds.clamp(*SECONDS.start(), *SECONDS.end());
        match seconds.cmp(&nearest) {
            std::cmp::Ordering::Less => Timestamp { seconds: nearest, nanos: 0 },
            std::cmp::Ordering::Equal => Timestamp { seconds, nanos },
            std::cmp::Ordering::Greater => Timestamp { seconds: nearest, nanos: NANOS as i32 - 1 },
        }
    }

    /// The nanoseconds, if the timestamp is valid.
    pub(crate) fn checked_nanos(self) -> Result<u32, OutOfRange> {
        let nanos = u32::try_from(self.nanos).ok().filter(|nanos| i64::from(*nanos) < NANOS);
        nanos.filter(|_| SECONDS.contains(&self.seconds)).ok_or(TIMESTAMP)
    }
}

impl Duration {
    /// The duration for seconds and nanoseconds with the same sign; one beyond 10 000 years becomes 10 000
    /// years.
    pub(super) fn nearest(seconds: i64, nanos: i32) -> Duration {
        match seconds.unsigned_abs() >= LONGEST.unsigned_abs() {
            true => Duration { seconds: LONGEST * seconds.signum(), nanos: 0 },
            false => Duration { seconds, nanos },
        }
    }

    /// The duration, if it is valid.
    pub(crate) fn checked(self) -> Result<Duration, OutOfRange> {
        let signs = self.seconds.signum() * i64::from(self.nanos.signum());
        let nanos = i64::from(self.nanos).abs() < NANOS;
        match nanos && signs >= 0 && self.seconds.unsigned_abs() <= LONGEST.unsigned_abs() {
            true => Ok(self),
            false => Err(DURATION),
        }
    }
}

/// A time outside the years 1 to 9999, which a `Timestamp` cannot represent, becomes the nearest one that it
/// can represent.
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Timestamp {
        let (since, sign) = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => (after, 1),
            Err(before) => (before.duration(), -1),
        };
        let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX) * sign;
        Timestamp::nearest(seconds, since.subsec_nanos() as i32 * sign as i32)
    }
}

impl TryFrom<Timestamp> for SystemTime {
    type Error = OutOfRange;

    fn try_from(timestamp: Timestamp) -> Result<SystemTime, OutOfRange> {
        let nanos = time::Duration::from_nanos(timestamp.checked_nanos()?.into());
        let seconds = time::Duration::from_secs(timestamp.seconds.unsigned_abs());
        let second = match timestamp.seconds < 0 {
            true => SystemTime::UNIX_EPOCH.checked_sub(seconds),
            false => SystemTime::UNIX_EPOCH.checked_add(seconds),
        };
        second.and_then(|second| second.checked_add(nanos)).ok_or(TIMESTAMP)
    }
}

/// A span beyond 10 000 years, which a protobuf `Duration` cannot represent, becomes 10 000 years.
impl From<time::Duration> for Duration {
    fn from(duration: time::Duration) -> Duration {
        let seconds = i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        Duration::nearest(seconds, duration.subsec_nanos() as i32)
    }
}

/// Negative durations are refused, too.
impl TryFrom<Duration> for time::Duration {
    type Error = OutOfRange;

    fn try_from(duration: Duration) -> Result<time::Duration, OutOfRange> {
        let Duration { seconds, nanos } = duration.checked()?;
        let parts = u64::try_from(seconds).ok().zip(u32::try_from(nanos).ok());
        parts.map(|(seconds, nanos)| time::Duration::new(seconds, nanos)).ok_or(DURATION)
    }
}

super::fields! {
    SystemTime => Timestamp;
    time::Duration => Duration;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MessageField;

    fn at(seconds: i64, nanos: i32) -> Timestamp {
        Timestamp { seconds, nanos }
    }

    #[test]
    fn times_go_there_and_back() {
        for timestamp in [at(0, 0), at(7, 1), at(-1, 999_999_999), at(-7, 0), at(*SECONDS.end(), 999_999_999)]
        {
            assert_eq!(Timestamp::from(SystemTime::try_from(timestamp).unwrap()), timestamp);
        }
        let half_before = SystemTime::UNIX_EPOCH - time::Duration::from_millis(500);
        assert_eq!(Timestamp::from(half_before), at(-1, 500_000_000));
    }

    #[test]
    fn times_that_protobuf_has_not_become_the_nearest() {
        let seconds = |seconds| time::Duration::from_secs(seconds);
        let far = SystemTime::UNIX_EPOCH + seconds(253_402_300_800);
        assert_eq!(Timestamp::from(far), at(*SECONDS.end(), 999_999_999));
        let early = SystemTime::UNIX_EPOCH - seconds(62_135_596_801);
        assert_eq!(Timestamp::from(early), at(*SECONDS.start(), 0));
        assert_eq!(Duration::from(time::Duration::MAX), Duration { seconds: LONGEST, nanos: 0 });
    }

    #[test]
    fn what_no_clock_shows_is_refused() {
        for wrong in [at(0, -1), at(0, 1_000_000_000), at(i64::MAX, 0), at(i64::MIN, 0)] {
            assert_eq!(SystemTime::try_from(wrong), Err(TIMESTAMP), "{wrong:?}");
        }
        for (seconds, nanos) in [(-1, 0), (0, -1), (1, -1), (-1, 1), (0, 1_000_000_000)] {
            let wrong = Duration { seconds, nanos };
            assert_eq!(time::Duration::try_from(wrong), Err(DURATION), "{wrong:?}");
        }
        assert_eq!(
            time::Duration::try_from(Duration { seconds: 2, nanos: 5 }),
            Ok(time::Duration::new(2, 5))
        );
    }

    #[test]
    fn what_becomes_a_message_becomes_a_field() {
        let field: MessageField<Timestamp> = SystemTime::UNIX_EPOCH.into();
        assert_eq!(field, at(0, 0).into());
        let field: MessageField<Duration> = time::Duration::from_millis(1500).into();
        assert_eq!(*field, Duration { seconds: 1, nanos: 500_000_000 });
    }
}
