//! The durations of calls to a server: the latest of those that
//! [`Trace`](crate::servers::attempt::trace::Trace) samples, one in 64, so that other calls cost nothing.

use crate::below::percentile;
use polywire_balance::Time;
use polywire_base::lock;
use std::{collections::VecDeque, sync::Mutex, time::Duration};

/// Calls that are kept.
const MOST: usize = 256;
/// The time that is looked at. A server that has become slow is then seen to be slow soon, however long it
/// was quick.
const WINDOW: Duration = Duration::from_secs(10);
/// If fewer sampled calls have ended in that time, the latest of this number are used.
const ENOUGH: usize = 8;

/// The durations of the latest sampled calls, each with the time when it ended.
#[derive(Default)]
pub(in crate::servers) struct Samples(Mutex<VecDeque<(Time, Duration)>>);

impl Samples {
    #[cold]
    pub fn add(&self, now: Time, took: Duration) {
        let mut samples = lock(&self.0);
        if samples.len() == MOST {
            samples.pop_front();
        }
        samples.push_back((now, took));
    }

    /// The times within which these shares of the calls ended; `None` if none was followed.
    pub fn percentiles<const N: usize>(&self, now: Time, shares: [f64; N]) -> Option<[Duration; N]> {
        let samples = lock(&self.0);
        let lately = samples.iter().rev().take_while(|(ended, _)| now.since(*ended) <= WINDOW).count();
        let calls = lately.max(ENOUGH);
        let mut all: Vec<Duration> = samples.iter().rev().take(calls).map(|(_, took)| *took).collect();
        drop(samples);
        all.sort_unstable();
        (!all.is_empty()).then(|| shares.map(|share| percentile(&all, share)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn at(seconds: u64) -> Time {
        Time(0) + Duration::from_secs(seconds)
    }

    #[test]
    fn percentiles_are_those_of_the_last_calls() {
        let (samples, shares) = (Samples::default(), [0.0, 0.5, 0.99, 1.0]);
        assert_eq!(samples.percentiles(at(0), shares), None);
        samples.add(at(0), MS(7));
        assert_eq!(samples.percentiles(at(0), shares), Some([MS(7); 4]));
        (1..=1000).for_each(|n| samples.add(at(0), MS(n)));
        assert_eq!(samples.percentiles(at(1), shares), Some([745, 872, 998, 1000].map(MS)), "of 745 to 1000");
    }

    #[test]
    fn a_server_that_has_become_slow_is_slow_after_eight_calls() {
        let samples = Samples::default();
        (0..200).for_each(|n| samples.add(at(n), MS(2)));
        let half = |now| samples.percentiles(at(now), [0.5]).map(|[half]| half);
        assert_eq!(half(200), Some(MS(2)));
        (212..220).for_each(|n| samples.add(at(n), MS(50)));
        assert_eq!(half(220), Some(MS(50)), "of the last ten seconds");
        assert_eq!(half(9999), Some(MS(50)), "the last eight, if nothing is newer");
    }
}
