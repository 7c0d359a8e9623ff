//! One of the windows of a breaker: averages over about as many calls as it is long.

use super::{BreakerSettings, nanos};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// ```text
///  s = epsilon ^ (1 / calls)              what a call keeps of its weight at the next one
///  average latency = old x s + new x (1 - s)              successful calls
///  cost: + min(latency, average x cost_limit) at a failure;   x s at a success
///  healthy: cost <= average x calls x error share x (1 + epsilon)
/// ```
///
/// The averages have no meaning until the window was full once; until then it counts failures. Each number is
/// changed separately, so a reader may see one of them newer than the other.
#[derive(Debug)]
pub(super) struct Window {
    calls: u32,
    error_share: f64,
    /// Number of failures among the first calls that are ignored.
    forgiven: u32,
    smooth: f64,
    epsilon: f64,
    cost_limit: u64,
    free_cost: u64,
    /// Number of calls and failures before the window was full for the first time.
    first_calls: AtomicU32,
    first_failures: AtomicU32,
    /// Average latency in nanoseconds.
    average: AtomicU64,
    cost: AtomicU64,
}

impl Window {
    pub fn new((calls, error_percent): (u32, u32), settings: &BreakerSettings) -> Self {
        Window {
            calls,
            error_share: f64::from(error_percent) / 100.0,
            forgiven: (u64::from(calls) * u64::from(error_percent) / 100) as u32,
            smooth: settings.epsilon.powf(1.0 / f64::from(calls)),
            epsilon: settings.epsilon,
            cost_limit: settings.cost_limit.into(),
            free_cost: nanos(settings.free_cost),
            first_calls: AtomicU32::new(0),
            first_failures: AtomicU32::new(0),
            average: AtomicU64::new(0),
            cost: AtomicU64::new(0),
        }
    }

    /// Whether the server looks healthy after this call.
    pub fn ended(&self, failed: bool, latency: u64) -> bool {
        let is_healthy = if failed {
            self.add_cost(latency)
        } else {
            self.average_in(latency);
            self.forgive();
            true
        };
        if self.first_calls.load(Relaxed) < self.calls && self.first_calls.fetch_add(1, Relaxed) < self.calls
        {
            return !failed || self.first_failures.fetch_add(1, Relaxed) < self.forgiven;
        }
        is_healthy
    }

    fn average_in(&self, latency: u64) {
        change(&self.average, |average| match average {
            0 => latency,
            _ => (average as f64 * self.smooth + latency as f64 * (1.0 - self.smooth)) as u64,
        });
    }

    fn add_cost(&self, latency: u64) -> bool {
        let average = self.average.load(Relaxed);
        let cost = if average == 0 { latency } else { latency.min(average.saturating_mul(self.cost_limit)) };
        let sum = change(&self.cost, |sum| sum.saturating_add(cost));
        let limit = average as f64 * f64::from(self.calls) * self.error_share * (1.0 + self.epsilon);
        cost == 0 || sum as f64 <= limit
    }

    fn forgive(&self) {
        if self.cost.load(Relaxed) == 0 {
            return;
        }
        change(&self.cost, |sum| if sum < self.free_cost { 0 } else { (sum as f64 * self.smooth) as u64 });
    }

    /// Resets the costs after an isolation; a window that was not full yet begins again.
    pub fn reset(&self) {
        if self.first_calls.load(Relaxed) < self.calls {
            self.first_calls.store(0, Relaxed);
            self.first_failures.store(0, Relaxed);
            self.average.store(0, Relaxed);
        }
        self.cost.store(0, Relaxed);
    }
}

/// Changes a number atomically; returns the new value.
fn change(number: &AtomicU64, change: impl Fn(u64) -> u64) -> u64 {
    change(number.fetch_update(Relaxed, Relaxed, |old| Some(change(old))).unwrap_or_else(|old| old))
}
