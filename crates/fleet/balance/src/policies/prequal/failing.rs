//! The failure rates of servers, so that a server which fails at once, and is therefore idle, does not look
//! like the best one.
//!
//! Where a share `s` of the calls fails, a successful one takes `1 / (1 - s)` calls on average, so the calls
//! in flight and the latency of the server's report are multiplied by that factor. That alone does not keep
//! calls away from a server that fails within microseconds and reports a latency of microseconds, and most
//! failures are not made good by another call. So `s` times the cost of a failure is added to the latency:
//! the time limit of the call, as under `p2c`. Nothing is added where more than half of the members fail
//! calls, since calls would all go to the one whose last failure is the longest ago.
//!
//! The paper states that it prevents such "sinkholing", but not how.

use crate::{End, Outcome, Report, Time};
use std::{
    sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

/// The share of failed calls of each member.
#[derive(Debug)]
pub(super) struct Failing {
    members: Box<[Member]>,
    /// The number of members that have failed calls, and have not answered enough calls since then.
    failing: AtomicUsize,
}

#[derive(Debug, Default)]
struct Member {
    /// A moving average: the share as `f32` in the high half, when it was written in milliseconds in the low
    /// half, which wraps after 49 days. 0: no call has failed.
    share: AtomicU64,
    /// The cost of the newest failure, in milliseconds.
    cost: AtomicU32,
}

/// Weight of one call in the average.
const WEIGHT: f32 = 0.2;
/// Time constant with which failures are forgotten, so that the server is tried again.
const FORGOTTEN: Duration = Duration::from_secs(10);
/// A smaller share of failures is ignored.
const LEAST: f32 = 0.01;
const MOST: f32 = 0.99;
/// The minimum and the maximum cost of a failure: a short time limit does not reduce it below the minimum.
const LEAST_COST: Duration = Duration::from_secs(1);
const MOST_COST: Duration = Duration::from_secs(30);

impl Failing {
    pub fn new(members: usize) -> Self {
        let members = (0..members).map(|_| Member::default()).collect();
        Failing { members, failing: AtomicUsize::new(0) }
    }

    /// Records that a call to a member has ended. For a server that does not fail this is one read. Returns
    /// whether this is the first failure in a while, so that earlier reports are too favourable.
    #[inline]
    pub fn ended(&self, position: usize, outcome: &Outcome) -> bool {
        let failed = match outcome.end {
            End::Answered => None,
            End::Failed(why) | End::Overloaded(why) => Some(why.timeout),
            End::GivenUp => return false,
        };
        let Some(member) = self.members.get(position) else { return false };
        (failed.is_some() || member.share.load(Relaxed) != 0) && self.note(member, failed, outcome)
    }

    /// `failed`: the time limit of the call, if it failed. An update may be lost if another thread makes one
    /// at the same time, which is one call of many.
    #[cold]
    fn note(&self, member: &Member, failed: Option<Duration>, outcome: &Outcome) -> bool {
        let now = outcome.now;
        let old = share(member.share.load(Relaxed), now);
        let new = old * (1.0 - WEIGHT) + if failed.is_some() { WEIGHT } else { 0.0 };
        let new = if new < LEAST { 0 } else { u64::from(new.to_bits()) << 32 | u64::from(millis(now)) };
        if let Some(timeout) = failed {
            let cost = timeout.max(outcome.latency()).clamp(LEAST_COST, MOST_COST);
            member.cost.store(cost.as_millis() as u32, Relaxed);
        }
        let before = member.share.swap(new, Relaxed);
        match (before, new) {
            (0, 1..) => {
                self.failing.fetch_add(1, Relaxed);
            }
            (1.., 0) => {
                self.failing.fetch_sub(1, Relaxed);
            }
            _ => {}
        }
        failed.is_some() && old < LEAST
    }

    /// Whether calls to a member have failed not long ago.
    pub fn fails(&self, position: usize, now: Time) -> bool {
        self.share(position, now) >= LEAST
    }

    fn share(&self, position: usize, now: Time) -> f32 {
        self.members.get(position).map_or(0.0, |member| share(member.share.load(Relaxed), now))
    }

    /// A member's report, corrected for the calls that had to be repeated because they failed.
    pub fn adapt(&self, position: usize, report: Report, now: Time) -> Report {
        let share = self.share(position, now);
        if share < LEAST {
            return report;
        }
        let calls = 1.0 / (1.0 - f64::from(share.min(MOST)));
        let in_flight = (f64::from(report.in_flight) + 1.0) * calls - 1.0;
        let is_one_of_few = 2 * self.failing.load(Relaxed) <= self.members.len();
        let cost = if is_one_of_few { self.members[position].cost.load(Relaxed) } else { 0 };
        let cost = Duration::from_millis(cost.into());
        let latency = report.latency.as_secs_f64() * calls + cost.as_secs_f64() * f64::from(share);
        let latency = Duration::try_from_secs_f64(latency).unwrap_or(Duration::MAX);
        Report { in_flight: in_flight.round() as u32, latency }
    }
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
            (LEAST_COST.mul_f32(0.44)..LEAST_COST.mul_f32(0.56)).contains(&half.latency),
            "half of what a failure costs: {half:?}"
        );
        assert_eq!(failing.adapt(0, IDLE, now), IDLE, "the other one has not failed");
        assert_eq!(failing.adapt(7, IDLE, now), IDLE, "no member");
    }

    #[test]
    fn one_failure_makes_a_quick_server_slower_than_any_other_until_it_is_forgotten() {
        let (failing, now) = (Failing::new(2), Time(0));
        assert!(failing.ended(1, &outcome(true, now)), "the reports from before it are not used");
        assert!(!failing.ended(1, &outcome(true, now)));
        let quick = Report { in_flight: 0, latency: Duration::from_micros(10) };
        let report = failing.adapt(1, quick, now);
        assert!(report.latency > Duration::from_millis(300), "{report:?}");
        let later = failing.adapt(1, quick, now + 2 * FORGOTTEN);
        assert!((40..60).contains(&later.latency.as_millis()), "{later:?}");
        assert_eq!(failing.adapt(1, quick, now + 4 * FORGOTTEN), quick);
        assert!(failing.ended(1, &outcome(true, now + 4 * FORGOTTEN)));
    }

    #[test]
    fn failures_are_forgotten_with_time_and_with_answers() {
        let (failing, now) = (Failing::new(2), Time(0));
        for position in [0, 1] {
            let _ = (0..30).filter(|_| failing.ended(position, &outcome(true, now))).count();
        }
        assert!(failing.adapt(0, IDLE, now).in_flight >= 50, "{:?}", failing.adapt(0, IDLE, now));
        assert_eq!(failing.adapt(0, IDLE, now + 5 * FORGOTTEN), IDLE);
        let _ = (0..30).filter(|_| failing.ended(1, &outcome(false, now))).count();
        assert_eq!(failing.adapt(1, IDLE, now), IDLE);
        assert_eq!(failing.members[1].share.load(Relaxed), 0, "and then cost a read");
    }
}
