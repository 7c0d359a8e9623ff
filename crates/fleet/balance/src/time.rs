//! Points in time as numbers that fit into an atomic.

use std::time::Duration;

/// Nanoseconds since an origin that the caller chooses: the same one for all endpoints, pickers and queries
/// that meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Time(pub u64);

impl Time {
    /// The time that has passed since `earlier`; zero if that is later.
    pub fn since(self, earlier: Time) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl std::ops::Add<Duration> for Time {
    type Output = Time;
    fn add(self, wait: Duration) -> Time {
        Time(self.0.saturating_add(u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX)))
    }
}
