//! Hedging with a delay that adapts itself: a call that takes longer than almost all others is sent a second
//! time, to another server.
//!
//! ```text
//!  call ──► begin: after this delay … ──► may_hedge? ──► second request ──► the first answer counts
//!                       ▲                     │ no: budget drained, or nearly all calls are late
//!    quantile 1 - share │                     │
//!    of latencies ──────┘◄────────────────────┴──── ended: latency, which of the two won
//! ```
//!
//! The delay is the 95th percentile of latency, so about 5 % of the calls are sent twice. Hedging only helps
//! against slowness of single servers; where all servers are slow, it adds load at the worst time. Three
//! rules prevent that:
//!
//! - a [`Budget`] of 5 % of the calls, whatever the delay is;
//! - once the number of calls per second that reach the delay has doubled, no more are hedged in this second,
//!   nor in the next one: when all servers become slow, all calls do. The delay follows the latencies, and
//!   hedging continues;
//! - if hedges seldom win (fewer than one in ten), the share is halved, down to 1/32 of its initial value; if
//!   one in four wins, or there are hardly any hedges, it is doubled again. Hedges that lose were sent too
//!   early, or to servers that were no better;
//!
//! Latencies are counted in buckets whose width is a sixteenth of their value at most; the counts decay by a
//! sixteenth per second.
//!
//! Source: Dean and Barroso, "The Tail at Scale" (2013), hedged requests; Finagle's BackupRequestFilter:
//!         delay from a quantile, budget, at least 1 ms. The halving of the share is our own.

mod histogram;

use crate::{Budget, Time};
use histogram::Histogram;
use std::{
    sync::atomic::{
        AtomicBool, AtomicU32, AtomicU64,
        Ordering::{AcqRel, Relaxed},
    },
    time::Duration,
};

/// When a [`Hedger`] sends a second request.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HedgeSettings {
    share: f64,
    budget_percent: u32,
    least_delay: Duration,
    least_calls: u32,
}

/// Decides when the calls of one method are hedged. Threads use it concurrently without locks. It takes about
/// 6 kB.
#[derive(Debug)]
pub struct Hedger {
    settings: HedgeSettings,
    latencies: Histogram,
    budget: Budget,
    /// The delay in nanoseconds; 0 while too few calls have ended.
    delay: AtomicU64,
    /// When the delay is computed next, in nanoseconds; 0: no call has ended yet.
    next: AtomicU64,
    /// The number of times that the share was halved.
    halvings: AtomicU32,
    /// The number of the last ten intervals that had calls.
    active: AtomicU32,
    /// Calls that have reached the delay since it was computed.
    late: AtomicU32,
    /// Whether there were far more late calls than usual in that interval.
    all_late: AtomicBool,
    /// When the share was last judged or doubled, in nanoseconds.
    judged: AtomicU64,
    /// The number of hedged calls since the share was last judged, and the number of those in which the hedge
    /// won.
    hedged: AtomicU32,
    won: AtomicU32,
}

/// Whether a call was hedged, and which request won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hedged {
    /// The call was not hedged.
    No,
    /// The first request has answered first.
    Lost,
    /// The second request has answered first.
    Won,
}

/// The interval at which the delay is computed.
const INTERVAL: Duration = Duration::from_secs(1);
/// The number of intervals whose calls count for a budget.
const WINDOW: u32 = 10;
/// All servers count as slow when late calls are this many times as frequent as usual.
const ALL_LATE: f64 = 2.0;
/// Late calls that are no sign of anything, in an interval.
const FEW_LATE: u32 = 8;
/// Hedged calls from which the share is judged.
const JUDGED: u32 = 16;
/// The share is halved if fewer than one hedge in `SELDOM` has won, and doubled if one in `OFTEN` has.
const SELDOM: u32 = 10;
const OFTEN: u32 = 4;
/// After this time with fewer hedged calls than that, the share is doubled: a delay that no call reaches
/// would show nothing.
const LONGEST_TRIAL: Duration = Duration::from_secs(10);
const MOST_HALVINGS: u32 = 5;

impl Default for HedgeSettings {
    fn default() -> Self {
        HedgeSettings {
            share: 0.05,
            budget_percent: 5,
            least_delay: Duration::from_millis(1),
            least_calls: 100,
        }
    }
}

impl HedgeSettings {
    /// The percentile of latencies that is the delay. Default: 95; limited to 50 to 99.9. With a lower one,
    /// more calls are hedged, and sooner; with a higher one, slow calls beyond `100 - percent` percent are
    /// not helped.
    pub fn quantile(mut self, percent: f64) -> Self {
        let percent = if percent.is_nan() { 95.0 } else { percent.clamp(50.0, 99.9) };
        self.share = 1.0 - percent / 100.0;
        self
    }

    /// Hedges at most, in percent of the calls of the last 10 s. Default: 5.
    pub fn budget(mut self, percent: u32) -> Self {
        self.budget_percent = percent;
        self
    }

    /// The shortest delay. Default: 1 ms. It should be at least twice the round-trip time to the server.
    pub fn least_delay(mut self, delay: Duration) -> Self {
        self.least_delay = delay;
        self
    }

    /// Calls that must have ended in the last seconds before any is hedged. Default: 100.
    pub fn least_calls(mut self, calls: u32) -> Self {
        self.least_calls = calls;
        self
    }
}

impl Default for Hedger {
    fn default() -> Self {
        Hedger::new(HedgeSettings::default())
    }
}

impl Hedger {
    pub fn new(settings: HedgeSettings) -> Self {
        Hedger {
            settings,
            latencies: Histogram::default(),
            budget: Budget::new(settings.budget_percent, 0, Duration::from_secs(10)),
            delay: AtomicU64::new(0),
            next: AtomicU64::new(0),
            halvings: AtomicU32::new(0),
            active: AtomicU32::new(0),
            late: AtomicU32::new(0),
            all_late: AtomicBool::new(false),
            judged: AtomicU64::new(0),
            hedged: AtomicU32::new(0),
            won: AtomicU32::new(0),
        }
    }

    /// A call begins on the thread with this number. Returns the time after which [`Hedger::may_hedge`] has
    /// to be called; `None`: the call is not hedged, since there are too few samples.
    #[inline]
    pub fn begin(&self, now: Time, thread: usize) -> Option<Duration> {
        self.budget.called(now, thread);
        self.delay()
    }

    /// Whether a call that has taken as long as its delay is hedged: then a second request is to be sent.
    pub fn may_hedge(&self, now: Time) -> bool {
        let late = self.late.fetch_add(1, Relaxed).saturating_add(1);
        !self.all_late.load(Relaxed) && !self.are_all_late(late, now) && self.budget.take(now)
    }

    /// Whether `late` calls in an interval are far more than usual.
    fn are_all_late(&self, late: u32, now: Time) -> bool {
        // Of the calls of the last ten intervals, or of so many as there were calls in.
        let left = Time(self.next.load(Relaxed)).since(now);
        let intervals = || {
            let of_this = 1.0 - left.as_secs_f64() / INTERVAL.as_secs_f64();
            (f64::from(self.active.load(Relaxed)) + of_this).clamp(1.0, f64::from(WINDOW))
        };
        let usual = || self.budget.counts(now).0 as f64 / intervals() * self.share();
        late > FEW_LATE && f64::from(late) > ALL_LATE * usual()
    }

    /// Records that a call has ended: with an answer, whichever its status, or at its time limit. Failures
    /// without an answer are not reported. `latency`: since the call began.
    pub fn ended(&self, now: Time, latency: Duration, hedged: Hedged) {
        // Where the hedge has won, the first request would have taken longer than this.
        self.latencies.record(latency);
        if hedged != Hedged::No {
            self.hedged.fetch_add(1, Relaxed);
            self.won.fetch_add((hedged == Hedged::Won).into(), Relaxed);
        }
        let next = self.next.load(Relaxed);
        if now.0 >= next {
            self.compute(now, next);
        }
    }

    /// The delay at present.
    pub fn delay(&self) -> Option<Duration> {
        match self.delay.load(Relaxed) {
            0 => None,
            delay => Some(Duration::from_nanos(delay)),
        }
    }

    /// The share of calls that should reach the delay.
    pub fn share(&self) -> f64 {
        self.settings.share / f64::from(1_u32 << self.halvings.load(Relaxed).min(MOST_HALVINGS))
    }

    /// Calls and hedges in the last 10 s.
    pub fn counts(&self, now: Time) -> (u64, u64) {
        self.budget.counts(now)
    }

    /// Computes the delay, on one of the threads that find it out of date.
    #[cold]
    fn compute(&self, now: Time, next: u64) {
        if self.next.compare_exchange(next, (now + INTERVAL).0, AcqRel, Relaxed).is_err() || next == 0 {
            return;
        }
        let late_by = now.since(Time(next));
        self.note_interval(late_by);
        let late = self.late.swap(0, Relaxed);
        self.all_late.store(self.are_all_late(late, now), Relaxed);
        self.judge(now);
        let (calls, quantile) = self.latencies.quantile(1.0 - self.share());
        let is_enough = calls >= u64::from(self.settings.least_calls);
        let delay = if is_enough { quantile.max(self.settings.least_delay).as_nanos() } else { 0 };
        self.delay.store(u64::try_from(delay).unwrap_or(u64::MAX), Relaxed);
        self.latencies.decay(1 + late_by.as_secs());
    }

    /// Records the end of an interval with calls, and the time `idle` without any.
    fn note_interval(&self, idle: Duration) {
        let idle = u32::try_from(idle.as_secs()).unwrap_or(u32::MAX);
        let active = self.active.load(Relaxed).min(WINDOW.saturating_sub(idle));
        self.active.store((active + 1).min(WINDOW), Relaxed);
    }

    fn judge(&self, now: Time) {
        let halvings = self.halvings.load(Relaxed);
        if self.hedged.load(Relaxed) < JUDGED {
            if now.since(Time(self.judged.load(Relaxed))) >= LONGEST_TRIAL {
                self.judged.store(now.0, Relaxed);
                self.halvings.store(halvings.saturating_sub(1), Relaxed);
            }
            return;
        }
        self.judged.store(now.0, Relaxed);
        let (hedged, won) = (self.hedged.swap(0, Relaxed), self.won.swap(0, Relaxed));
        if won.saturating_mul(SELDOM) < hedged {
            self.halvings.store((halvings + 1).min(MOST_HALVINGS), Relaxed);
        } else if won.saturating_mul(OFTEN) >= hedged {
            self.halvings.store(halvings.saturating_sub(1), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
