//! A bound for the retries of all calls of a channel together, so that retries do not add load to servers
//! that fail because of overload.

use crate::{servers::thread_number, timeline::Timeline};
use polywire_balance::Budget;
use std::time::{Duration, Instant};

/// A bound for the retries of a channel: a percentage of its calls, and a minimum per second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retries {
    percent: u32,
    least_per_second: u32,
}

impl Default for Retries {
    /// The default: 20 % of the calls of the last 10 s, and at least 10 per second.
    fn default() -> Self {
        Retries { percent: 20, least_per_second: 10 }
    }
}

impl Retries {
    /// The greatest number of retries, in percent of the calls of the last 10 s.
    pub fn percent(mut self, percent: u32) -> Self {
        self.percent = percent;
        self
    }

    /// The number of retries per second that is allowed on average even if there are few calls; the allowance
    /// of 10 s may be spent at once.
    pub fn least_per_second(mut self, retries: u32) -> Self {
        self.least_per_second = retries;
        self
    }
}

/// The budget of a channel.
pub(crate) struct RetryBudget {
    budget: Budget,
    timeline: Timeline,
}

impl RetryBudget {
    pub fn new(retries: Retries) -> Self {
        let budget = Budget::new(retries.percent, retries.least_per_second, Duration::from_secs(10));
        RetryBudget { budget, timeline: Timeline::new() }
    }

    /// A call begins. Hot: once per call.
    #[inline]
    pub fn called(&self, now: Instant) {
        self.budget.called(self.timeline.at(now), thread_number());
    }

    /// Whether an attempt that has failed may be followed by another one.
    #[cold]
    pub fn take(&self) -> bool {
        self.budget.take(self.timeline.now())
    }
}
