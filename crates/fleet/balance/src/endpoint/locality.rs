//! The statistics of the policy `la` about a server: throughput divided by latency, over its last calls.

use crate::{End, Outcome, Time};
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard},
};

/// Number of calls from which throughput and latency are computed.
const HISTORY: usize = 128;
/// The weight of one call per second with a latency of one microsecond.
pub(crate) const SCALE: i64 = i64::MAX / 72_000_000 / (HISTORY as i64 - 1);
pub(crate) const LEAST_WEIGHT: i64 = 1000;
/// The age of calls in flight, in averages of latency, from which it counts against a server.
const STUCK: f64 = 1.5;
/// The latency of a failed call that has tries left is multiplied by this.
const FAILED: f64 = 1.2;

/// The statistics of one server. They stay with the endpoint when sets change.
#[derive(Debug)]
pub(crate) struct Locality(Mutex<Learnt>);

#[derive(Debug)]
pub(crate) struct Learnt {
    pub weight: i64,
    /// The weight before calls that are stuck reduce it.
    pub base: i64,
    /// Number of calls in flight, and the sum of the times when they began.
    calls: i64,
    begins: i128,
    /// Average latency in microseconds.
    average: i64,
    /// Sum of latencies in microseconds up to a call, and when that ended.
    history: VecDeque<(i64, Time)>,
}

impl Locality {
    pub fn new(weight: i64) -> Self {
        Locality(Mutex::new(Learnt {
            weight,
            base: weight,
            calls: 0,
            begins: 0,
            average: 0,
            history: VecDeque::new(),
        }))
    }

    pub fn learnt(&self) -> MutexGuard<'_, Learnt> {
        polywire_base::lock(&self.0)
    }
}

impl Learnt {
    pub fn begin(&mut self, now: Time) {
        self.calls += 1;
        self.begins += i128::from(now.0);
    }

    /// Computes the weight at this time.
    pub fn weigh(&mut self, now: Time) -> i64 {
        self.weight = self.base;
        if self.calls > 0 && self.average > 0 {
            let age = (i128::from(now.0) - self.begins / i128::from(self.calls)) as f64 / 1000.0;
            let usual = self.average as f64 * STUCK;
            if age >= usual {
                self.weight = (self.weight as f64 * usual / age) as i64;
            }
        }
        self.weight = self.weight.max(LEAST_WEIGHT);
        self.weight
    }

    pub fn ended(&mut self, outcome: &Outcome) -> i64 {
        // A call that began under another policy was not counted here.
        if self.calls > 0 {
            self.calls -= 1;
            self.begins = if self.calls == 0 { 0 } else { self.begins - i128::from(outcome.picked.0) };
        }
        // A microsecond at least: what fails sooner than can be measured has failed, too.
        let latency = outcome.latency().as_micros().clamp(1, i64::MAX as u128 / 1024) as i64;
        let sum = self.history.back().map_or(0, |(sum, _)| *sum);
        match outcome.end {
            End::GivenUp => return self.weigh(outcome.now),
            End::Answered => {
                if self.history.len() == HISTORY {
                    self.history.pop_front();
                }
                self.history.push_back((sum.saturating_add(latency), outcome.now));
            }
            End::Failed(failed) | End::Overloaded(failed) => {
                let (done, left) = match (failed.tries_before, failed.tries_left) {
                    (0, 0) => (1.0, 0.0),
                    (done, left) => (f64::from(done), f64::from(left)),
                };
                let timeout = failed.timeout.as_micros() as f64;
                let counted = ((left * latency as f64 * FAILED + done * timeout) / (done + left)) as i64;
                // Added to the latency of an earlier call, since a failure must not count as throughput.
                match self.history.back_mut() {
                    Some((sum, _)) => *sum = sum.saturating_add(counted),
                    None => self.history.push_back((counted.max(timeout as i64), outcome.now)),
                }
            }
        }
        self.rate(outcome.now);
        self.weigh(outcome.now)
    }

    /// Computes throughput divided by latency from the history.
    fn rate(&mut self, now: Time) {
        let (Some(&(oldest, begin)), Some(&(newest, _))) = (self.history.front(), self.history.back()) else {
            return;
        };
        let steps = self.history.len() as i64 - 1;
        let elapsed = i64::try_from(now.since(begin).as_micros()).unwrap_or(i64::MAX);
        let throughput = if steps > 0 && (self.history.len() == HISTORY || elapsed >= 1_000_000) {
            let per_second = i128::from(steps) * 1_000_000 * i128::from(SCALE) / i128::from(elapsed.max(1));
            i64::try_from(per_second).unwrap_or(i64::MAX).max(SCALE)
        } else {
            SCALE
        };
        self.average = if steps > 0 { (newest - oldest) / steps } else { newest }.max(1);
        self.base = throughput / self.average;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Failed;
    use std::time::Duration;

    /// The statistics of a server after `calls` calls of a millisecond each, one after another.
    fn after(calls: u32) -> (Learnt, Time) {
        let (mut learnt, mut now) = (Locality::new(SCALE).0.into_inner().unwrap(), Time(1_000_000_000));
        for _ in 0..calls {
            now = call(&mut learnt, now, Duration::from_millis(1), End::Answered);
        }
        (learnt, now)
    }

    fn call(learnt: &mut Learnt, picked: Time, took: Duration, end: End) -> Time {
        learnt.begin(picked);
        let now = picked + took;
        learnt.ended(&Outcome { picked, now, end });
        now
    }

    fn is_near(found: i64, expected: f64) -> bool {
        (found as f64 / expected - 1.0).abs() < 0.001
    }

    #[test]
    fn the_weight_is_throughput_over_latency() {
        let (learnt, now) = after(200);
        assert_eq!(learnt.average, 1000);
        let per_second = SCALE as f64 * 1000.0; // a call each millisecond
        assert!(is_near(learnt.base, per_second / 1000.0), "{learnt:?}");
        // With four at a time throughput is four times as much.
        let (mut learnt, mut picked) = (Locality::new(SCALE).0.into_inner().unwrap(), now);
        for _ in 0..200 {
            picked = picked + Duration::from_micros(250);
            learnt.begin(picked);
            let ended = picked + Duration::from_millis(1);
            learnt.ended(&Outcome { picked, now: ended, end: End::Answered });
        }
        assert!(is_near(learnt.base, 4.0 * per_second / 1000.0), "{learnt:?}");
    }

    /// The first law: the weight falls once calls in flight are older than 1.5 times the average, in
    /// proportion to their age.
    #[test]
    fn calls_that_are_stuck_take_weight_from_one_and_a_half_latencies_on() {
        let (mut learnt, now) = after(200);
        let whole = learnt.base;
        learnt.begin(now);
        let mut at = |micros| learnt.weigh(now + Duration::from_micros(micros));
        assert_eq!([at(500), at(1000), at(1499)], [whole; 3]);
        assert!(is_near(at(3000), whole as f64 / 2.0) && is_near(at(15_000), whole as f64 / 10.0));
        // It is the average of their ages that counts, and all of it is given back.
        learnt.begin(now + Duration::from_millis(3));
        assert!(is_near(learnt.weigh(now + Duration::from_millis(3)), whole as f64), "1.5 ms on average");
        assert!(is_near(learnt.weigh(now + Duration::from_micros(4500)), whole as f64 / 2.0), "3 ms");
        let end = |picked, now| Outcome { picked, now, end: End::GivenUp };
        learnt.ended(&end(now, now + Duration::from_secs(1)));
        learnt.ended(&end(now + Duration::from_millis(3), now + Duration::from_secs(1)));
        assert_eq!(learnt.weight, whole);
    }

    /// The second law: a failure counts as 1.2 times its latency while the call has tries left, as its time
    /// limit where it had tries before, and as the mean of both by their numbers.
    #[test]
    fn a_failure_counts_as_more_than_it_took() {
        let counted = |tries_before, tries_left| {
            let (mut learnt, now) = after(200);
            let sum = learnt.history.back().unwrap().0;
            let failed = Failed { timeout: Duration::from_secs(1), tries_before, tries_left };
            call(&mut learnt, now, Duration::from_millis(10), End::Failed(failed));
            assert_eq!(learnt.history.len(), HISTORY, "it is no throughput");
            learnt.history.back().unwrap().0 - sum
        };
        assert_eq!(counted(0, 3), 12_000);
        assert_eq!(counted(3, 0), 1_000_000);
        assert_eq!(counted(0, 0), 1_000_000, "there was no other try");
        assert_eq!(counted(1, 3), (3 * 12_000 + 1_000_000) / 4);
        // The average of 127 calls of a millisecond grows by what is counted.
        let (mut learnt, now) = after(200);
        let failed = Failed { timeout: Duration::from_secs(1), tries_before: 0, tries_left: 3 };
        let before = learnt.base;
        call(&mut learnt, now, Duration::from_millis(10), End::Failed(failed));
        assert_eq!(learnt.average, 1000 + 12_000 / 127);
        assert!(learnt.base < before, "{learnt:?}");
    }
}
