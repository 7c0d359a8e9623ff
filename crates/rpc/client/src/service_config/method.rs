//! A service config's settings for one method.

use polywire_call::Code;
use std::time::Duration;

/// A service config's settings for one method; absent ones are left to the call and the channel.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Method {
    /// The maximum duration of a call, tries included; a call with a shorter timeout keeps it.
    pub timeout: Option<Duration>,
    /// Whether a call waits for its server, unless the call itself sets it.
    pub wait_for_ready: Option<bool>,
    /// Maximum length of messages in bytes, before compression.
    pub max_request: Option<u32>,
    pub max_response: Option<u32>,
    pub retry: Option<Retry>,
    /// The hedging policy; a method has either this or a retry policy.
    pub hedging: Option<HedgingPolicy>,
}

/// Copies of a call that are sent while it is under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct HedgingPolicy {
    /// The maximum number of attempts of a call, including the first: 2 to 5.
    pub attempts: u32,
    /// The time between a copy and the next; zero: all copies are sent at once.
    pub delay: Duration,
    /// A copy that fails with one of these is followed by the next at once; others end the call.
    pub non_fatal: Codes,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Retry {
    /// The maximum number of attempts of a call, including the first: 2 to 5.
    pub attempts: u32,
    pub backoff: Backoff,
    pub codes: Codes,
}

/// The pause before each further attempt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Backoff {
    /// The first pause and the maximum pause, both above zero.
    pub initial: Duration,
    pub most: Duration,
    /// The factor from pause to pause, above zero.
    pub multiplier: f64,
}

impl Backoff {
    /// The `n`th pause (from 0) since the first, or since the server last named one. gRFC A6:
    /// "min(initialBackoff * backoffMultiplier^(n-1), maxBackoff)" times 0.8 to 1.2.
    ///
    /// `unit`: from 0 up to 1, random.
    pub fn pause(&self, n: u32, unit: f64) -> Duration {
        self.spread(n, 0.2, unit)
    }

    /// The pause after `n` attempts, times a factor from `1 - part` to `1 + part`.
    pub fn spread(&self, n: u32, part: f64, unit: f64) -> Duration {
        let factor = self.multiplier.powi(n.min(1000) as i32);
        let exact = (self.initial.as_secs_f64() * factor).min(self.most.as_secs_f64());
        Duration::try_from_secs_f64(exact * (1.0 - part + 2.0 * part * unit)).unwrap_or(self.most)
    }
}

/// A set of codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Codes(u32);

impl Codes {
    pub fn insert(&mut self, code: Code) {
        self.0 |= 1 << code as u32;
    }
    pub fn contains(self, code: Code) -> bool {
        self.0 & 1 << code as u32 != 0
    }
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest_and_are_spread_by_a_fifth() {
        let ms = Duration::from_millis;
        let backoff = Backoff { initial: ms(100), most: ms(1000), multiplier: 3.0 };
        let middle: Vec<_> = (0..4).map(|n| backoff.pause(n, 0.5)).collect();
        assert_eq!(middle, [ms(100), ms(300), ms(900), ms(1000)]);
        assert_eq!((backoff.pause(1, 0.0), backoff.pause(1, 1.0)), (ms(240), ms(360)));
        let steep = Backoff { multiplier: f64::MAX, ..backoff };
        assert_eq!(steep.pause(u32::MAX, 0.5), ms(1000), "no overflow");
        let long = Backoff { initial: Duration::MAX, most: Duration::MAX, multiplier: 1.0 };
        assert_eq!(long.pause(0, 1.0), Duration::MAX);
    }
}
