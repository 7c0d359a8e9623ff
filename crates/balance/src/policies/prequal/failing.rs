//! Which servers fail calls, so that a server which fails at once, and so is idle, does not look like the best one.
//!
//! A call that fails has to be made again. Where a share `s` of the calls fails, one that succeeds takes `1 / (1 - s)` calls on
//! average, so the server's report is taken as if it had so many times the calls in flight and the latency.
//!
//! The paper says that it does something against such servers ("sinkholing"), and not what.

use crate::{End, Outcome, Report, Time};
use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// For each member the share of calls that failed, a moving average. A word: the share as `f32` in the high half, when it was
/// written in milliseconds in the low half, which wraps after 49 days. 0: no call has failed.
#[derive(Debug)]
pub(super) struct Failing(Box<[AtomicU64]>);

/// What one call counts in the average.
const WEIGHT: f32 = 0.2;
/// Time constant with which failures are forgotten, so that the server is tried again.
const FORGOTTEN: Duration = Duration::from_secs(10);
/// A share below it says nothing.
const LEAST: f32 = 0.01;
const MOST: f32 = 0.99;

impl Failing {
    pub fn new(members: usize) -> Self {
        Failing((0..members).map(|_| AtomicU64::new(0)).collect())
    }

    /// A call to a member has ended. Servers that do not fail cost a read.
    #[inline]
    pub fn ended(&self, position: usize, outcome: &Outcome) {
        let failed = match outcome.end {
            End::Answered => false,
            End::Failed(_) | End::Overloaded(_) => true,
            End::GivenUp => return,
        };
        let Some(word) = self.0.get(position) else { return };
        if failed || word.load(Relaxed) != 0 {
            note(word, failed, outcome.now);
        }
    }

    /// The report of a member, as it is after calls that failed have been made again.
    pub fn adapt(&self, position: usize, report: Report, now: Time) -> Report {
        let share = self.0.get(position).map_or(0.0, |word| share(word.load(Relaxed), now));
        if share < LEAST {
            return report;
        }
        let calls = 1.0 / (1.0 - f64::from(share.min(MOST)));
        let in_flight = (f64::from(report.in_flight) + 1.0) * calls - 1.0;
        let latency =
            Duration::try_from_secs_f64(report.latency.as_secs_f64() * calls).unwrap_or(Duration::MAX);
        Report { in_flight: in_flight.round() as u32, latency }
    }
}

/// An update that another thread makes at the same time may be lost: it is one call of many.
#[cold]
fn note(word: &AtomicU64, failed: bool, now: Time) {
    let old = share(word.load(Relaxed), now);
    let new = old * (1.0 - WEIGHT) + if failed { WEIGHT } else { 0.0 };
    let new = if new < LEAST { 0 } else { u64::from(new.to_bits()) << 32 | u64::from(millis(now)) };
    word.store(new, Relaxed);
}

fn share(word: u64, now: Time) -> f32 {
    let age = millis(now).wrapping_sub(word as u32);
    // Another thread's time may be a little later.
    let age = if age > u32::MAX / 2 { 0 } else { age };
    f32::from_bits((word >> 32) as u32) * (-(age as f32) / FORGOTTEN.as_millis() as f32).exp()
}

fn millis(now: Time) -> u32 {
    (now.0 / 1_000_000) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Failed;

    const IDLE: Report = Report { in_flight: 0, latency: Duration::from_millis(2) };

    fn outcome(failed: bool, now: Time) -> Outcome {
        let why = Failed { timeout: Duration::ZERO, tries_before: 0, tries_left: 0 };
        Outcome { picked: now, now, end: if failed { End::Failed(why) } else { End::Answered } }
    }

    #[test]
    fn a_report_counts_as_often_as_a_call_must_be_made_to_succeed() {
        let (failing, now) = (Failing::new(2), Time(5_000_000_000));
        for i in 0..100 {
            failing.ended(1, &outcome(i % 2 == 0, now));
        }
        let half = failing.adapt(1, Report { in_flight: 9, ..IDLE }, now);
        assert!((17..=20).contains(&half.in_flight), "{half:?}");
        assert!(
            (Duration::from_micros(3500)..Duration::from_micros(4200)).contains(&half.latency),
            "{half:?}"
        );
        assert_eq!(failing.adapt(0, IDLE, now), IDLE, "the other one has not failed");
        assert_eq!(failing.adapt(7, IDLE, now), IDLE, "no member");
    }

    #[test]
    fn failures_are_forgotten_with_time_and_with_answers() {
        let (failing, now) = (Failing::new(2), Time(0));
        for position in [0, 1] {
            (0..30).for_each(|_| failing.ended(position, &outcome(true, now)));
        }
        assert!(failing.adapt(0, IDLE, now).in_flight >= 50, "{:?}", failing.adapt(0, IDLE, now));
        assert_eq!(failing.adapt(0, IDLE, now + 5 * FORGOTTEN), IDLE);
        (0..30).for_each(|_| failing.ended(1, &outcome(false, now)));
        assert_eq!(failing.adapt(1, IDLE, now), IDLE);
        assert_eq!(failing.0[1].load(Relaxed), 0, "and then cost a read");
    }
}
