//! When a call is tried again.

use fastrand::Rng;
use std::time::Duration;

/// The rule of all clients of a run.
#[derive(Clone, Copy, Debug)]
pub enum Retry {
    Never,
    /// After each failure, up to so many tries in all.
    Always {
        tries: u32,
        wait: Wait,
    },
    /// As `Always`, but as long as the client's budget lasts: it grows by a part of a token with each call and by some tokens
    /// a second, and each retry takes one.
    Budget {
        tries: u32,
        wait: Wait,
        per_call: f64,
        per_second: f64,
    },
}

/// The pause before a retry.
#[derive(Clone, Copy, Debug)]
pub enum Wait {
    None,
    /// At random up to a bound, which doubles with each try.
    Jitter {
        first: Duration,
        most: Duration,
    },
}

/// What one client has left to retry.
#[derive(Clone, Debug)]
pub struct Budget {
    tokens: f64,
    at: f64,
}

/// Seconds of income that a budget holds at most.
const HELD: f64 = 10.0;

impl Default for Budget {
    fn default() -> Self {
        Budget { tokens: 1.0, at: 0.0 }
    }
}

impl Wait {
    fn draw(self, tries: u32, random: &mut Rng) -> Duration {
        match self {
            Wait::None => Duration::ZERO,
            Wait::Jitter { first, most } => {
                let bound = first.saturating_mul(1 << tries.saturating_sub(1).min(16)).min(most);
                bound.mul_f64(random.f64())
            }
        }
    }
}

impl Retry {
    /// Tries of a call in all.
    pub fn most_tries(self) -> u32 {
        match self {
            Retry::Never => 1,
            Retry::Always { tries, .. } | Retry::Budget { tries, .. } => tries,
        }
    }
}

impl Budget {
    /// A call begins at a time in seconds.
    pub fn call(&mut self, rule: Retry, now: f64) {
        if let Retry::Budget { per_call, per_second, .. } = rule {
            self.tokens += per_call + per_second * (now - self.at);
            self.tokens = self.tokens.min((per_second * HELD).max(10.0));
            self.at = now;
        }
    }

    /// How long to wait before the next try of a call that was tried so often and has failed; `None`: it is not tried again.
    pub fn again(&mut self, rule: Retry, tries: u32, random: &mut Rng) -> Option<Duration> {
        if tries >= rule.most_tries() {
            return None;
        }
        match rule {
            Retry::Never => None,
            Retry::Always { wait, .. } => Some(wait.draw(tries, random)),
            Retry::Budget { wait, .. } => {
                if self.tokens < 1.0 {
                    return None;
                }
                self.tokens -= 1.0;
                Some(wait.draw(tries, random))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_allows_a_part_of_the_calls_to_be_tried_again() {
        let rule = Retry::Budget { tries: 3, wait: Wait::None, per_call: 0.1, per_second: 0.0 };
        let (mut budget, mut random) = (Budget::default(), Rng::with_seed(1));
        let mut retries = 0;
        for _ in 0..1000 {
            budget.call(rule, 0.0);
            retries += u32::from(budget.again(rule, 1, &mut random).is_some());
        }
        assert!((95..=101).contains(&retries), "{retries}");
        assert_eq!(budget.again(rule, 3, &mut random), None, "three tries were made");
    }
}
