//! Circuit breaker: a server whose calls fail too often gets no calls for a while, longer each time.
//!
//! ```text
//!              ┌────────────── half_open successes ◄──────────────┐
//!              ▼                                                  │
//!           closed ── a window is over its limit ──► broken ──► half open (only if half_open > 0)
//!              ▲                                     │  ▲         │
//!              └──── the isolation has passed ───────┘  └─ error ─┘
//! ```
//!
//! Every call counts in two windows. The short one detects a server with many failures in a short time, the
//! long one a server with few failures over a long time. The cost of a failed call is its latency, up to
//! twice the average of successful calls, because a call that fails fast does less harm than one that keeps
//! the caller waiting. Each success lets the sum of costs decay.
//!
//! The breaker judges each server alone; [`Outliers`](crate::Outliers) compare it with the others.
//!
//! Source: Apache brpc, src/brpc/circuit_breaker.cpp and its page on circuit breakers, and its numbers.
//!         Latencies are counted in nanoseconds here, where brpc's averages lose the fractions of a
//!         microsecond.

mod window;

use crate::{End, Outcome, Time};
use std::{
    sync::atomic::{
        AtomicU32, AtomicU64,
        Ordering::{AcqRel, Acquire, Relaxed, Release},
    },
    time::Duration,
};
use window::Window;

/// When a [`Breaker`] isolates a server, and for how long. The names in parentheses are brpc's flags.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BreakerSettings {
    short: (u32, u32),
    long: (u32, u32),
    free_cost: Duration,
    cost_limit: u32,
    epsilon: f64,
    isolation: (Duration, Duration),
    half_open: u32,
    max_percent: u32,
}

/// The circuit breaker of one server. Threads report to it concurrently without locks.
#[derive(Debug)]
pub struct Breaker {
    settings: BreakerSettings,
    short: Window,
    long: Window,
    /// The end of the newest isolation in nanoseconds; 0 before the first. A thread that changes it has
    /// broken the breaker; the release pairs with the acquire at the start of [`Breaker::ended`].
    until: AtomicU64,
    /// Number of isolations for which the windows have not been reset yet: 1 or 0.
    unreset: AtomicU32,
    /// Length of the newest isolation in nanoseconds.
    length: AtomicU64,
    times: AtomicU32,
    /// Number of further successes until the breaker is closed; 0 if it is closed.
    trials: AtomicU32,
}

/// The result when a breaker breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Isolation {
    /// No call may go to the server before this time: see [`State::isolate`](crate::State::isolate).
    pub until: Time,
    pub length: Duration,
    /// The number of times that this server was isolated, including this time.
    pub times: u32,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        BreakerSettings {
            short: (1500, 10),
            long: (3000, 5),
            free_cost: Duration::from_micros(500),
            cost_limit: 2,
            epsilon: 0.02,
            isolation: (Duration::from_millis(100), Duration::from_secs(30)),
            half_open: 0,
            max_percent: 100,
        }
    }
}

impl BreakerSettings {
    /// The number of calls of the short window, and the percentage of them that may fail
    /// (`circuit_breaker_short_window_size`, `circuit_breaker_short_window_error_percent`). Default: 1500
    /// calls, 10 %. With fewer calls it breaks sooner, also by chance.
    pub fn short_window(mut self, calls: u32, error_percent: u32) -> Self {
        self.short = (calls.max(1), error_percent.min(100));
        self
    }

    /// The long window (`circuit_breaker_long_window_size`, `circuit_breaker_long_window_error_percent`).
    /// Default: 3000 calls, 5 %.
    pub fn long_window(mut self, calls: u32, error_percent: u32) -> Self {
        self.long = (calls.max(1), error_percent.min(100));
        self
    }

    /// A sum of costs below this is forgotten at the next success (`circuit_breaker_min_error_cost_us`).
    /// Default: 500 µs.
    pub fn free_cost(mut self, cost: Duration) -> Self {
        self.free_cost = cost;
        self
    }

    /// The maximum cost of a failed call, as a multiple of the average latency of successful ones
    /// (`circuit_breaker_max_failed_latency_mutiple`). Default: 2. With a larger value, calls that reach
    /// their time limit count more.
    pub fn cost_limit(mut self, averages: u32) -> Self {
        self.cost_limit = averages.max(1);
        self
    }

    /// The fraction of its weight that a call keeps after as many further calls as the window is long
    /// (`circuit_breaker_epsilon_value`). Default: 0.02. It is limited to 0.0001 to 0.9999.
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.epsilon = if epsilon.is_nan() { 0.02 } else { epsilon.clamp(0.0001, 0.9999) };
        self
    }

    /// The lengths of the first and of the longest isolation (`circuit_breaker_min_isolation_duration_ms`,
    /// `circuit_breaker_max_isolation_duration_ms`). Default: 100 ms and 30 s. An isolation is twice as long
    /// as the one before if that has ended less than the longest isolation ago; otherwise it is as long as
    /// the first.
    pub fn isolation(mut self, first: Duration, longest: Duration) -> Self {
        self.isolation = (first, longest.max(first));
        self
    }

    /// The number of calls that must succeed after an isolation before failures are tolerated again; until
    /// then the first failure isolates the server again (`circuit_breaker_half_open_window_size`). Default:
    /// 0, none.
    pub fn half_open(mut self, successes: u32) -> Self {
        self.half_open = successes;
        self
    }

    /// The percentage of servers that may be out, for whatever reason, after another one was isolated; below
    /// 100 the last one stays in. Default: 100, as in brpc, where a caller whose requests make any server
    /// fail has all servers isolated, one after the other. With less, a server that fails stays in while too
    /// many others are out.
    pub fn max_percent(mut self, percent: u32) -> Self {
        self.max_percent = percent.min(100);
        self
    }
}

impl Default for Breaker {
    fn default() -> Self {
        Breaker::new(BreakerSettings::default())
    }
}

impl Breaker {
    pub fn new(settings: BreakerSettings) -> Self {
        Breaker {
            settings,
            short: Window::new(settings.short, &settings),
            long: Window::new(settings.long, &settings),
            until: AtomicU64::new(0),
            unreset: AtomicU32::new(0),
            length: AtomicU64::new(nanos(settings.isolation.0)),
            times: AtomicU32::new(0),
            trials: AtomicU32::new(0),
        }
    }

    /// Counts a call. If it breaks the circuit, returns for how long; the caller isolates the server.
    ///
    /// Not counted are calls that the caller cancelled, refusals because of overload (other servers have the
    /// same load, and would have to take the calls of this one, too), and calls that were picked before the
    /// newest isolation ended.
    pub fn ended(&self, outcome: &Outcome) -> Option<Isolation> {
        self.ended_if(outcome, |_| Some(())).map(|(isolation, ())| isolation)
    }

    /// The same where a set of servers has a say. `may`: asked with [`BreakerSettings::max_percent`] when the
    /// server is to be isolated; `None`: it stays in, and the next failure asks again. Otherwise what it
    /// returns is handed back, such as a lock that is held until the server is isolated.
    pub fn ended_if<G>(
        &self,
        outcome: &Outcome,
        may: impl FnOnce(u32) -> Option<G>,
    ) -> Option<(Isolation, G)> {
        let failed = match outcome.end {
            End::Answered => false,
            End::Failed(_) => true,
            End::Overloaded(_) | End::GivenUp => return None,
        };
        let until = self.until.load(Acquire);
        if outcome.picked.0 < until {
            return None;
        }
        if until > 0 && self.unreset.load(Relaxed) > 0 && self.unreset.swap(0, Relaxed) > 0 {
            self.short.reset();
            self.long.reset();
        }
        if self.is_healthy(failed, nanos(outcome.latency())) {
            return None;
        }
        let may = may(self.settings.max_percent)?;
        Some((self.break_(outcome.now, until)?, may))
    }

    fn is_healthy(&self, failed: bool, latency: u64) -> bool {
        if self.trials.load(Relaxed) > 0 {
            if failed {
                return false;
            }
            let _ = self.trials.fetch_update(Relaxed, Relaxed, |trials| trials.checked_sub(1));
        }
        // Both windows count every call, even if the other one breaks at it.
        let long = self.long.ended(failed, latency);
        let short = self.short.ended(failed, latency);
        long && short
    }

    /// `None` if another thread has broken it already.
    #[cold]
    fn break_(&self, now: Time, until: u64) -> Option<Isolation> {
        let (first, longest) = self.settings.isolation;
        let length = if until > 0 && now.since(Time(until)) < longest {
            Duration::from_nanos(self.length.load(Relaxed).saturating_mul(2)).min(longest)
        } else {
            first
        };
        let end = (now + length).0.max(until.saturating_add(1));
        self.until.compare_exchange(until, end, AcqRel, Relaxed).ok()?;
        self.length.store(nanos(length), Relaxed);
        self.trials.store(self.settings.half_open, Relaxed);
        self.unreset.store(1, Release);
        let times = self.times.fetch_add(1, Relaxed).saturating_add(1);
        Some(Isolation { until: Time(end), length, times })
    }

    /// The number of times that the server was isolated.
    pub fn times(&self) -> u32 {
        self.times.load(Relaxed)
    }

    /// When the newest isolation ends or ended; `None` if there was none.
    pub fn isolated_until(&self) -> Option<Time> {
        Some(Time(self.until.load(Relaxed))).filter(|until| until.0 > 0)
    }

    /// Whether the next failure breaks, because an isolation ended a short time ago.
    pub fn is_half_open(&self) -> bool {
        self.trials.load(Relaxed) > 0
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
