//! A token bucket: limits how often a peer may cause work without progress of any call.

use polywire_wire::Rate;
use std::time::Instant;

/// The tokens of one peer, refilled evenly up to `rate.burst`.
pub(super) struct TokenBucket {
    rate: Rate,
    left: u32,
    /// When the bucket was last refilled.
    since: Option<Instant>,
}

impl TokenBucket {
    pub fn new(rate: Rate) -> Self {
        TokenBucket { rate, left: rate.burst, since: None }
    }

    /// Takes a token; false if there is none.
    #[inline]
    pub fn take(&mut self, now: Instant) -> bool {
        if self.left == 0 {
            self.refill(now);
        }
        let since = self.since.get_or_insert(now);
        debug_assert!(*since <= now);
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => return false,
        }
        true
    }

    /// Whether there was no token when one was taken last.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Adds the tokens that have become due since the last refill. Only called when the bucket is empty.
    #[cold]
    pub fn refill(&mut self, now: Instant) {
        let elapsed = self.since.map_or_else(Default::default, |since| now.saturating_duration_since(since));
        let tokens =
            (elapsed.as_millis() * u128::from(self.rate.per_second) / 1000).min(self.rate.burst.into());
        if tokens > 0 {
            (self.left, self.since) = (tokens as u32, Some(now));
        }
    }

    /// Returns `tokens` tokens to the bucket.
    #[inline]
    pub fn give(&mut self, tokens: u32) {
        self.left = self.left.saturating_add(tokens).min(self.rate.burst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_machine_testing::epoch;
    use std::time::Duration;

    #[test]
    fn a_bucket_allows_its_burst_and_then_its_rate() {
        let mut bucket = TokenBucket::new(Rate { burst: 3, per_second: 10 });
        let mut taken = |after: u64| {
            let now = epoch() + Duration::from_millis(after);
            (0..10).take_while(|_| bucket.take(now)).count()
        };
        assert_eq!((taken(0), taken(0), taken(99), taken(100), taken(350)), (3, 0, 0, 1, 2));
        assert_eq!(taken(9999), 3);
    }
}
