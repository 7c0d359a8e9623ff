//! Detects a server that answers nothing while others do, since it is frozen or fails every call.
//!
//! Policies that choose by latency or by calls in flight avoid such a server by themselves. Policies that
//! take turns or draw would go on sending it its share, and each of these calls is lost, or waits for its
//! limit. So they skip a server that has received many more calls since its newest answer than two other
//! servers, drawn at random:
//!
//! ```text
//!  stuck: unanswered > 4 + 4 x weight x the larger of (unanswered + 1) / weight of two others
//! ```
//!
//! Only the comparison with others shows that the server is at fault: where all answer late, or all fail, no
//! server is skipped. Streams that last for hours do not count, as long as other calls are answered, and
//! neither does a call that was cancelled.
//!
//! A server that is stuck gets a call every two seconds; with its first answer it is as before.
//!
//! Cost: two loads from memory that the choice writes to in any case.

use crate::{Members, Query};
use std::time::Duration;

/// Up to this many calls without an answer never count as many.
const FEW: u32 = 8;
/// The time between two calls to a server that is stuck.
const PAUSE: Duration = Duration::from_secs(2);

/// Whether a call skips a member that answers nothing.
#[inline]
pub(crate) fn is_stuck(members: &Members, query: &mut Query<'_>, i: usize) -> bool {
    members.get(i).load().unanswered() >= FEW && is_stuck_beside_others(members, query, i)
}

#[cold]
fn is_stuck_beside_others(members: &Members, query: &mut Query<'_>, i: usize) -> bool {
    let n = members.len();
    if n < 2 {
        return false;
    }
    let weight = |i: usize| members.get(i).weight().unwrap_or(1) as f32;
    let other = |query: &mut Query<'_>| (i + 1 + query.random.usize(..n - 1)) % n;
    let mut usual = 0.0_f32;
    for _ in 0..2 {
        let other = other(query);
        if members.get(other).is_ready(query.now) {
            usual = usual.max((members.get(other).load().unanswered() + 1) as f32 / weight(other));
        }
    }
    let load = members.get(i).load();
    // None of the two is ready: nothing is known of others.
    if usual == 0.0 || load.unanswered() as f32 <= 4.0 + 4.0 * usual * weight(i) {
        return false;
    }
    !load.is_trial_due(query.now, PAUSE)
}

#[cfg(test)]
mod tests {
    use crate::{End, Endpoint, Failed, Members, Outcome, Picker, Query, Spec, Time};
    use std::{collections::BTreeMap, sync::Arc, time::Duration};

    const MS: Duration = Duration::from_millis(1);

    struct Test {
        picker: Picker,
        random: fastrand::Rng,
        now: Time,
    }

    impl Test {
        fn new(name: &str, weights: &[u32]) -> Test {
            let all = weights.iter().enumerate();
            let all: Vec<_> = all
                .map(|(i, weight)| Arc::new(Endpoint::new(&format!("s{i}"), "").weighted(*weight)))
                .collect();
            let mut random = fastrand::Rng::with_seed(11);
            let picker = name.parse::<Spec>().unwrap().picker(Members::new(all), &mut random);
            Test { picker, random, now: Time(1_000_000_000) }
        }

        /// Makes `calls` calls, a millisecond apart, which end at once with the function's result; `None`:
        /// they do not end. Returns the number of calls of each server.
        fn calls(&mut self, calls: usize, end: impl Fn(&str) -> Option<End>) -> BTreeMap<String, usize> {
            let mut shares = BTreeMap::new();
            for _ in 0..calls {
                self.now = self.now + MS;
                let (now, random) = (self.now, &mut self.random);
                let mut query = Query { now, random, key: None, tried: &[], thread: 0 };
                let chosen = self.picker.pick(&mut query).unwrap().clone();
                *shares.entry(chosen.address().to_owned()).or_insert(0) += 1;
                if let Some(end) = end(chosen.address()) {
                    self.picker.ended(&chosen, &Outcome { picked: now, now, end });
                }
            }
            shares
        }
    }

    const FAILED: End =
        End::Failed(Failed { timeout: Duration::from_secs(1), tries_before: 0, tries_left: 0 });

    #[test]
    fn a_server_that_answers_nothing_or_fails_every_call_is_passed_over_until_it_answers() {
        for name in ["rr", "random", "wrr", "wr", "weighted_round_robin"] {
            for bad in [None, Some(FAILED)] {
                let mut test = Test::new(name, &[1; 5]);
                let ends = |server: &str| if server == "s2" { bad } else { Some(End::Answered) };
                let shares = test.calls(10_000, ends);
                assert!((8..=16).contains(&shares["s2"]), "{name}, {bad:?}: {shares:?}");
                assert!(shares.values().filter(|n| **n > 2200).count() == 4, "{name}: evenly, {shares:?}");
                test.calls(3000, |_| Some(End::Answered));
                let back = test.calls(1000, |_| Some(End::Answered));
                assert!((150..=250).contains(&back["s2"]), "{name}: {back:?}");
            }
        }
    }

    #[test]
    fn nobody_is_passed_over_where_all_answer_late_or_fail() {
        for (name, weights) in [("rr", [1; 5]), ("wrr", [1, 9, 1, 1, 1]), ("random", [1; 5])] {
            for end in [None, Some(FAILED)] {
                let sum: u32 = weights.iter().sum();
                let shares = Test::new(name, &weights).calls(1300, |_| end);
                for (i, weight) in weights.iter().enumerate() {
                    let expected = 1300.0 * f64::from(*weight) / f64::from(sum);
                    let share = shares[&format!("s{i}")] as f64;
                    assert!((0.8..1.25).contains(&(share / expected)), "{name}, {end:?}: {shares:?}");
                }
            }
        }
    }
}
