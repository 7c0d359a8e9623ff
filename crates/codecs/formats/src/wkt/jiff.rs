//! Conversions of timestamps and durations from and to those of jiff.

use super::{
    Duration, Timestamp,
    time::{OutOfRange, TIMESTAMP},
};
use jiff::SignedDuration;

/// A time outside the years 1 to 9999, which a `Timestamp` cannot represent, becomes the nearest one that it
/// can represent.
impl From<jiff::Timestamp> for Timestamp {
    fn from(time: jiff::Timestamp) -> Timestamp {
        Timestamp::nearest(time.as_second(), time.subsec_nanosecond())
    }
}

impl TryFrom<Timestamp> for jiff::Timestamp {
    type Error = OutOfRange;

    fn try_from(timestamp: Timestamp) -> Result<jiff::Timestamp, OutOfRange> {
        let nanos = timestamp.checked_nanos()? as i32;
        jiff::Timestamp::new(timestamp.seconds, nanos).map_err(|_| TIMESTAMP)
    }
}

/// A span beyond 10 000 years, which a protobuf `Duration` cannot represent, becomes 10 000 years.
impl From<SignedDuration> for Duration {
    fn from(duration: SignedDuration) -> Duration {
        Duration::nearest(duration.as_secs(), duration.subsec_nanos())
    }
}

impl TryFrom<Duration> for SignedDuration {
    type Error = OutOfRange;

    fn try_from(duration: Duration) -> Result<SignedDuration, OutOfRange> {
        duration.checked().map(|duration| SignedDuration::new(duration.seconds, duration.nanos))
    }
}

super::fields! {
    jiff::Timestamp => Timestamp;
    SignedDuration => Duration;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_there_and_back() {
        for (seconds, nanos) in [(-1, 5), (-1, 0), (0, 0), (253_402_207_199, 7)] {
            let timestamp = Timestamp { seconds, nanos };
            assert_eq!(Timestamp::from(jiff::Timestamp::try_from(timestamp).unwrap()), timestamp);
        }
        for duration in [Duration { seconds: -2, nanos: -5 }, Duration { seconds: 2, nanos: 5 }] {
            assert_eq!(Duration::from(SignedDuration::try_from(duration).unwrap()), duration);
        }
        assert_eq!(Timestamp::from(jiff::Timestamp::MIN), Timestamp { seconds: -62_135_596_800, nanos: 0 });
    }

    #[test]
    fn what_is_invalid_is_refused() {
        assert!(jiff::Timestamp::try_from(Timestamp { seconds: 0, nanos: -1 }).is_err());
        assert!(jiff::Timestamp::try_from(Timestamp { seconds: i64::MAX, nanos: 0 }).is_err());
        assert!(SignedDuration::try_from(Duration { seconds: 1, nanos: -1 }).is_err());
    }
}
