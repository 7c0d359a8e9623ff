//! When a call is tried again, or sent twice.

use fastrand::Rng;
use polywire_balance::{Budget, Hedger, Time};
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
    /// As `Always`, but as long as the client's [`Budget`] lasts: that many percent of its calls, and so many
    /// per second.
    Budget {
        tries: u32,
        wait: Wait,
        percent: u32,
        least_per_second: u32,
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

/// When a call is sent a second time although the first request may still be answered.
#[derive(Clone, Copy, Debug)]
pub enum Hedge {
    Never,
    /// After so long, each call.
    Fixed(Duration),
    /// As [`Hedger`] says.
    SelfTuned,
}

/// What one client keeps to decide on retries and hedges.
#[derive(Debug)]
pub struct Tries {
    rule: Retry,
    budget: Option<Budget>,
    pub hedger: Option<Hedger>,
}

impl Tries {
    pub fn new(rule: Retry, hedge: Hedge) -> Self {
        let budget = match rule {
            Retry::Budget { percent, least_per_second, .. } => {
                Some(Budget::new(percent, least_per_second, Duration::from_secs(10)))
            }
            Retry::Never | Retry::Always { .. } => None,
        };
        let hedger = matches!(hedge, Hedge::SelfTuned).then(Hedger::default);
        Tries { rule, budget, hedger }
    }

    /// A call begins.
    pub fn call(&self, now: Time) {
        if let Some(budget) = &self.budget {
            budget.called(now, 0);
        }
    }

    /// How long to wait before the next try of a call that was tried so often and has failed; `None`: it is
    /// not tried again.
    pub fn again(&self, tries: u32, now: Time, random: &mut Rng) -> Option<Duration> {
        let (Retry::Always { wait, .. } | Retry::Budget { wait, .. }) = self.rule else { return None };
        let may =
            tries < self.rule.most_tries() && self.budget.as_ref().is_none_or(|budget| budget.take(now));
        may.then(|| wait.draw(tries, random))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_allows_a_part_of_the_calls_to_be_tried_again() {
        let rule = Retry::Budget { tries: 3, wait: Wait::None, percent: 10, least_per_second: 0 };
        let (tries, mut random) = (Tries::new(rule, Hedge::Never), Rng::with_seed(1));
        let mut retries = 0;
        for _ in 0..1000 {
            tries.call(Time(0));
            retries += u32::from(tries.again(1, Time(0), &mut random).is_some());
        }
        assert_eq!(retries, 100);
        tries.call(Time(0));
        assert_eq!(tries.again(3, Time(0), &mut random), None, "three tries were made");
    }
}
