//! Conversions of timestamps and durations from and to those of chrono.

use super::{
    Duration, Timestamp,
    time::{DURATION, OutOfRange, TIMESTAMP},
};
use chrono::{DateTime, TimeDelta, TimeZone, Utc};

/// chrono counts the nanoseconds of a leap second beyond a second; protobuf has none.
const LAST_NANO: u32 = 999_999_999;

/// A time outside the years 1 to 9999, which a `Timestamp` cannot represent, becomes the nearest one that it
/// can represent, and so does a time within a leap second.
impl<Z: TimeZone> From<DateTime<Z>> for Timestamp {
    fn from(time: DateTime<Z>) -> Timestamp {
        Timestamp::nearest(time.timestamp(), time.timestamp_subsec_nanos().min(LAST_NANO) as i32)
    }
}

impl TryFrom<Timestamp> for DateTime<Utc> {
    type Error = OutOfRange;

    fn try_from(timestamp: Timestamp) -> Result<DateTime<Utc>, OutOfRange> {
        DateTime::from_timestamp(timestamp.seconds, timestamp.checked_nanos()?).ok_or(TIMESTAMP)
    }
}

/// A span beyond 10 000 years, which a protobuf `Duration` cannot represent, becomes 10 000 years.
impl From<TimeDelta> for Duration {
    fn from(delta: TimeDelta) -> Duration {
        Duration::nearest(delta.num_seconds(), delta.subsec_nanos())
    }
}

impl TryFrom<Duration> for TimeDelta {
    type Error = OutOfRange;

    fn try_from(duration: Duration) -> Result<TimeDelta, OutOfRange> {
        let Duration { seconds, nanos } = duration.checked()?;
        let seconds = TimeDelta::try_seconds(seconds).ok_or(DURATION)?;
        seconds.checked_add(&TimeDelta::nanoseconds(nanos.into())).ok_or(DURATION)
    }
}

impl<Z: TimeZone, P: crate::Storage<Timestamp>> From<DateTime<Z>> for crate::MessageField<Timestamp, P> {
    fn from(time: DateTime<Z>) -> Self {
        Self::some(time.into())
    }
}

super::fields! {
    TimeDelta => Duration;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_there_and_back() {
        for timestamp in
            [Timestamp { seconds: -1, nanos: 5 }, Timestamp { seconds: 253_402_300_799, nanos: 7 }]
        {
            assert_eq!(Timestamp::from(DateTime::<Utc>::try_from(timestamp).unwrap()), timestamp);
        }
        for duration in [Duration { seconds: -2, nanos: -5 }, Duration { seconds: 2, nanos: 5 }] {
            assert_eq!(Duration::from(TimeDelta::try_from(duration).unwrap()), duration);
        }
        let leap = DateTime::<Utc>::from_timestamp(1_483_228_799, 1_500_000_000).unwrap();
        assert_eq!(Timestamp::from(leap).nanos, 999_999_999);
        assert_eq!(
            Timestamp::from(DateTime::<Utc>::MAX_UTC),
            Timestamp { seconds: 253_402_300_799, nanos: 999_999_999 }
        );
    }

    #[test]
    fn what_is_invalid_is_refused() {
        assert!(DateTime::<Utc>::try_from(Timestamp { seconds: 0, nanos: -1 }).is_err());
        assert!(DateTime::<Utc>::try_from(Timestamp { seconds: i64::MAX, nanos: 0 }).is_err());
        assert!(TimeDelta::try_from(Duration { seconds: i64::MAX, nanos: 0 }).is_err());
        assert!(TimeDelta::try_from(Duration { seconds: 1, nanos: -1 }).is_err());
    }
}
