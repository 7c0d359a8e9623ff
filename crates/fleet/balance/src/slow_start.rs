//! Slow start: a server that joined or came back gets its full share only after a while, so that cold caches
//! and a first burst of connections do not fail it at once.

use crate::Time;
use std::time::Duration;

/// How the weight of a new server grows. Servers that were there when the first set was made have their full
/// weight.
///
/// ```text
///  share 1 ┤             ╭────     (time since it joined / window) ^ (1 / aggression),
///          │          ╭──╯         but not below `least`
///    least ┤──────────╯
///          └─────────────┴─────► time
///        joined        window
/// ```
///
/// Source: Envoy's slow start.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct SlowStart {
    /// How long a server that has joined gets less than its weight. Default: 10 s.
    pub window: Duration,
    /// The share of its weight that a server has at once. Default: 0.1.
    pub least: f32,
    /// 1: in proportion to time; more: faster at first. Default: 1.
    pub aggression: f32,
}

polywire_base::setters! {
    SlowStart {
        window: Duration,
        least: f32,
        aggression: f32,
    }
}

impl Default for SlowStart {
    fn default() -> Self {
        SlowStart { window: Duration::from_secs(10), least: 0.1, aggression: 1.0 }
    }
}

impl SlowStart {
    /// The share of its weight that a server has, above 0 and up to 1; `None`: the whole, since the window
    /// has passed.
    #[cold]
    pub(crate) fn share(&self, since: Time, now: Time) -> Option<f32> {
        let age = now.since(since);
        if age >= self.window {
            return None;
        }
        let part = age.as_secs_f32() / self.window.as_secs_f32();
        Some(part.powf(1.0 / self.aggression).max(self.least).clamp(f32::MIN_POSITIVE, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_grows_from_the_least_to_one() {
        let at =
            |slow: SlowStart, seconds: u64| slow.share(Time(0), Time(seconds * 1_000_000_000)).unwrap_or(1.0);
        let even = SlowStart::default();
        assert_eq!([0, 1, 5, 10, 11].map(|s| at(even, s)), [0.1, 0.1, 0.5, 1.0, 1.0]);
        let fast = SlowStart { aggression: 2.0, ..even };
        assert!((at(fast, 5) - 0.5_f32.sqrt()).abs() < 1e-6);
        assert_eq!(at(SlowStart { window: Duration::ZERO, ..even }, 0), 1.0);
        assert!(at(SlowStart { least: 0.0, ..even }, 0) > 0.0);
    }
}
