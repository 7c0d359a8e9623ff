//! `weighted_round_robin`: shares calls by the capacity that servers report.
//!
//! Servers report queries per second, utilization and errors per second:
//! [`Endpoint::reported`](crate::Endpoint::reported). A server's weight is its queries per second divided by
//! its utilization, so a server of half the speed gets half the calls:
//!
//! ```text
//!  weight = qps / (utilization + penalty x eps / qps)
//!
//!  turn s:      member i = s mod n, round g = s div n
//!  it is i's if (weight[i] x g + i x 32767) mod 65535 >= 65535 - weight[i], else the next turn      weights up to 65535
//! ```
//!
//! A server without a report, or whose reports are too young or too old, counts as the mean of the others;
//! with fewer than two weights all are equal.
//!
//! Source: gRFC A58 and its names; the turns are those of gRPC's static stride scheduler, so that shares are
//!         exact without a queue that callers would lock.

use super::Policy;
use crate::{
    Members, NoEndpoint, Query, Time,
    endpoint::Counted,
    parts::{Turns, take},
};
use std::{
    sync::atomic::{
        AtomicU16, AtomicU64,
        Ordering::{AcqRel, Relaxed},
    },
    time::Duration,
};

/// Shares by the loads that servers report.
#[derive(Debug)]
pub struct WeightedRoundRobin {
    settings: WeightedRoundRobinSettings,
    turns: Turns,
    /// When the weights are computed next, in nanoseconds.
    next: AtomicU64,
    /// Weights of at least 1, which are changed in place, one by one.
    weights: Box<[AtomicU16]>,
}

/// The settings of gRFC A58.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightedRoundRobinSettings {
    counted: Counted,
    update: Duration,
}

/// The weight to which the largest one is scaled.
const MOST: u64 = 65_535;
/// Largest weight in multiples of the mean, because a pick takes that many turns on average.
const MOST_MEANS: f64 = 10.0;
const LEAST_MEANS: f64 = 0.01;
const LEAST_UPDATE: Duration = Duration::from_millis(100);

impl Default for WeightedRoundRobinSettings {
    fn default() -> Self {
        let counted = Counted {
            blackout: Duration::from_secs(10),
            expiration: Duration::from_secs(180),
            error_penalty: 1.0,
        };
        WeightedRoundRobinSettings { counted, update: Duration::from_secs(1) }
    }
}

impl WeightedRoundRobinSettings {
    /// `blackoutPeriod`: for how long reports of a server that is new or has come back do not count, since
    /// the first calls say little. Default: 10 s.
    pub fn blackout(mut self, period: Duration) -> Self {
        self.counted.blackout = period;
        self
    }

    /// `weightExpirationPeriod`: a report does not count when it is as old. Default: 3 minutes.
    pub fn expiration(mut self, period: Duration) -> Self {
        self.counted.expiration = period;
        self
    }

    /// `weightUpdatePeriod`: the interval at which weights are computed. Default: 1 s; at least 100 ms.
    pub fn update(mut self, period: Duration) -> Self {
        self.update = period.max(LEAST_UPDATE);
        self
    }

    /// `errorUtilizationPenalty`: the utilization that a query which ends with an error counts as. Default 1;
    /// below 0 it is taken as 0.
    pub fn error_penalty(mut self, utilization: f64) -> Self {
        self.counted.error_penalty = if utilization.is_finite() { utilization.max(0.0) } else { 1.0 };
        self
    }
}

impl WeightedRoundRobin {
    pub fn new(members: &Members, settings: WeightedRoundRobinSettings, random: &mut fastrand::Rng) -> Self {
        let weights = members.iter().map(|_| AtomicU16::new(MOST as u16)).collect();
        WeightedRoundRobin { settings, turns: Turns::new(random), next: AtomicU64::new(0), weights }
    }

    /// Computes the weights, on one of the threads that find them out of date.
    #[cold]
    fn compute(&self, members: &Members, now: Time) {
        let next = self.next.load(Relaxed);
        let then = (now + self.settings.update).0;
        if now.0 < next || self.next.compare_exchange(next, then, AcqRel, Relaxed).is_err() {
            return;
        }
        let weights = members.iter().map(|member| {
            let weight = member.orca_weight(&self.settings.counted, now);
            weight.filter(|_| member.is_ready(now))
        });
        for (to, weight) in self.weights.iter().zip(scaled(&weights.collect::<Vec<_>>())) {
            to.store(weight, Relaxed);
        }
    }

    #[inline]
    fn next(&self, thread: usize) -> usize {
        let n = self.weights.len();
        let mut i = 0;
        // The largest weight has a turn in each round, unless weights change meanwhile.
        for _ in 0..2 * n {
            let turn = self.turns.next(thread);
            i = (turn % n as u64) as usize;
            if is_turn(turn / n as u64, i as u64, self.weights[i].load(Relaxed).into()) {
                break;
            }
        }
        i
    }
}

/// Whether member `i` has a turn in a round.
#[inline]
fn is_turn(round: u64, i: u64, weight: u64) -> bool {
    (weight * (round % MOST) + i * (MOST / 2)) % MOST >= MOST - weight
}

/// Whole numbers in proportion to the weights, so that the largest is [`MOST`]; members without a weight get
/// the mean.
fn scaled(weights: &[Option<f64>]) -> Vec<u16> {
    let known: Vec<f64> = weights.iter().copied().flatten().collect();
    if known.len() < 2 {
        return vec![MOST as u16; weights.len()];
    }
    let mean = known.iter().map(|weight| weight / known.len() as f64).sum::<f64>();
    let most = known.iter().copied().fold(0.0, f64::max).min(mean * MOST_MEANS);
    let scale = |weight: f64| (weight.clamp(mean * LEAST_MEANS, most) / most * MOST as f64).round();
    weights.iter().map(|weight| scale(weight.unwrap_or(mean)).max(1.0) as u16).collect()
}

impl Policy for WeightedRoundRobin {
    #[inline]
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        if query.now.0 >= self.next.load(Relaxed) {
            self.compute(members, query.now);
        }
        take(members, query, |query| self.next(query.thread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Endpoint, OrcaLoad, Picker, Spec};
    use std::sync::Arc;

    /// The result of gRPC's static stride scheduler from turn 0 on.
    #[test]
    fn turns_are_those_of_grpc() {
        for (weights, expected) in [
            (&[65_535, 32_768, 16_384][..], "0120010201001020"),
            (&[65_535, 21_845], "001000100010"),
            (&[10_923, 21_845, 65_535], "212221202212"),
        ] {
            let n = weights.len() as u64;
            let found = (0_u64..).filter(|turn| is_turn(turn / n, turn % n, weights[(turn % n) as usize]));
            let found: String = found.take(expected.len()).map(|turn| (turn % n).to_string()).collect();
            assert_eq!(found, expected, "{weights:?}");
        }
    }

    #[test]
    fn weights_are_scaled_to_the_largest_and_bounded_by_the_mean() {
        let all = MOST as u16;
        for (weights, expected) in [
            (vec![Some(4.0), Some(2.0), Some(1.0)], vec![all, 32_768, 16_384]),
            (vec![Some(3.0), None, Some(1.0)], vec![all, 43_690, 21_845]),
            (vec![Some(3.0), None, None], vec![all; 3]),
            (vec![None, None], vec![all; 2]),
            (vec![Some(1e300), Some(1e300)], vec![all; 2]),
        ] {
            assert_eq!(scaled(&weights), expected, "{weights:?}");
        }
        let mut uneven = vec![Some(1.0); 99];
        uneven.push(Some(1e9));
        let found = scaled(&uneven);
        assert_eq!((found[99], found[0]), (all, 66), "ten means, and a hundredth of one");
        assert!(scaled(&[Some(1.0), Some(1e-300)])[1] > 0);
    }

    struct Test {
        endpoints: Vec<Arc<Endpoint>>,
        picker: Picker,
        random: fastrand::Rng,
        now: Time,
    }

    impl Test {
        fn new(n: usize) -> Self {
            let endpoints: Vec<_> = (0..n).map(|i| Arc::new(Endpoint::new(&format!("s{i}"), ""))).collect();
            let mut random = fastrand::Rng::with_seed(3);
            let spec: Spec = "weighted_round_robin".parse().unwrap();
            let picker = spec.picker(Members::new(endpoints.clone()), &mut random);
            Test { endpoints, picker, random, now: Time(1_000_000_000_000) }
        }

        fn report(&self, server: usize, qps: f64, cpu_utilization: f64) {
            let load = OrcaLoad { qps, cpu_utilization, ..OrcaLoad::default() };
            self.endpoints[server].reported(&load, self.now);
        }

        /// Advances the clock by `seconds`, makes 1200 calls, and returns how many went to each server.
        fn calls(&mut self, seconds: u64) -> Vec<usize> {
            self.now = self.now + Duration::from_secs(seconds);
            let mut calls = vec![0; self.endpoints.len()];
            for _ in 0..1200 {
                let mut query =
                    Query { now: self.now, random: &mut self.random, key: None, tried: &[], thread: 0 };
                let chosen = self.picker.pick(&mut query).unwrap();
                calls[chosen.address()[1..].parse::<usize>().unwrap()] += 1;
            }
            calls
        }
    }

    #[track_caller]
    fn assert_near(found: &[usize], expected: &[usize]) {
        let is_near = found.iter().zip(expected).all(|(found, expected)| found.abs_diff(*expected) <= 3);
        assert!(is_near, "{found:?} is not {expected:?}");
    }

    #[test]
    fn shares_follow_the_reports_after_the_blackout_and_until_they_expire() {
        let mut test = Test::new(3);
        assert_near(&test.calls(0), &[400, 400, 400]);
        test.report(0, 300.0, 1.0);
        test.report(1, 100.0, 0.5);
        test.report(2, 100.0, 1.0);
        assert_near(&test.calls(9), &[400, 400, 400]);
        assert_near(&test.calls(1), &[600, 400, 200]);
        test.report(0, 100.0, 1.0);
        assert_near(&test.calls(0), &[600, 400, 200]);
        assert_near(&test.calls(1), &[300, 600, 300]);
        test.endpoints[1].state().hold(crate::Reason::Unhealthy);
        assert_near(&test.calls(1), &[600, 0, 600]);
        test.endpoints[1].state().release(crate::Reason::Unhealthy, test.now);
        assert_near(&test.calls(1), &[400, 400, 400]);
        test.report(0, 300.0, 1.0);
        test.report(2, 100.0, 1.0);
        assert_near(&test.calls(179), &[600, 400, 200]);
        assert_near(&test.calls(1), &[400, 400, 400]);
    }

    #[test]
    fn a_new_set_uses_the_reports_of_the_servers_that_stay() {
        let mut test = Test::new(2);
        test.report(0, 300.0, 1.0);
        test.report(1, 100.0, 1.0);
        test.now = test.now + Duration::from_secs(11);
        let spec: Spec = "weighted_round_robin".parse().unwrap();
        test.picker = spec.picker(Members::new(test.endpoints.clone()), &mut test.random);
        assert_near(&test.calls(0), &[900, 300]);
    }

    #[test]
    fn the_settings_are_those_of_the_name() {
        let text =
            "weighted_round_robin:blackout_ms=0 expiration_ms=5000 update_ms=100 error_penalty_percent=0";
        let spec: Spec = text.parse().unwrap();
        let mut test = Test::new(2);
        test.picker = spec.picker(Members::new(test.endpoints.clone()), &mut test.random);
        let load = OrcaLoad { qps: 300.0, eps: 299.0, cpu_utilization: 1.0, ..OrcaLoad::default() };
        test.endpoints[0].reported(&load, test.now);
        test.report(1, 100.0, 1.0);
        assert_near(&test.calls(0), &[900, 300]);
        assert_near(&test.calls(5), &[600, 600]);
    }
}
