//! Outlier detection: servers whose calls fail more often than those of the others are ejected for a while.
//!
//! Time is divided into intervals. At the end of each one the servers are judged by the calls that ended in
//! it:
//!
//! ```text
//!              sweep                      sweep                     sweep
//!  calls ────────┴── calls: answered, failed ┴── …
//!                     success rate:       share of answered < mean - deviation x factor
//!                     failure percentage: share of failed > threshold
//!                              │
//!                              ▼ not more than a part of all servers
//!                     out for base x how often it was taken out, which falls by one with each good interval
//! ```
//!
//! Source: gRFC A50, whose names and numbers these are.

use crate::{Endpoint, Reason, Time};
use std::{sync::Arc, time::Duration};

/// When a server counts as an outlier, and how long it is ejected.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Outliers {
    /// Time between two sweeps.
    pub interval: Duration,
    /// The duration of a server's first ejection.
    pub base_ejection: Duration,
    /// The maximum duration of an ejection.
    pub max_ejection: Duration,
    /// Percentage of servers that may be out. Above 0 there may be one at least.
    pub max_percent: u32,
    pub success_rate: Option<SuccessRate>,
    pub failure_percentage: Option<FailurePercentage>,
}

/// Outliers by comparison with the other servers.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SuccessRate {
    /// Thousandths of the standard deviation that a server's success rate may be below the mean.
    pub stdev_factor: u32,
    /// Percentage of outliers that are taken out.
    pub enforcement: u32,
    /// The minimum number of servers with enough calls in the interval; with fewer, no server is judged.
    pub minimum_hosts: usize,
    /// The number of calls in the interval that are enough to judge a server.
    pub request_volume: u64,
}

/// Detects outliers by their failures alone.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct FailurePercentage {
    /// A server with a larger share of failed calls, in percent, is an outlier.
    pub threshold: u32,
    /// Percentage of outliers that are taken out.
    pub enforcement: u32,
    /// The minimum number of servers with enough calls in the interval; with fewer, no server is judged.
    pub minimum_hosts: usize,
    /// The number of calls in the interval that are enough to judge a server.
    pub request_volume: u64,
}

polywire_base::setters! {
    Outliers {
        interval: Duration,
        base_ejection: Duration,
        max_ejection: Duration,
        max_percent: u32,
    }
    optional {
        success_rate: SuccessRate,
        failure_percentage: FailurePercentage,
    }
}

polywire_base::setters! {
    SuccessRate {
        stdev_factor: u32,
        enforcement: u32,
        minimum_hosts: usize,
        request_volume: u64,
    }
}

polywire_base::setters! {
    FailurePercentage {
        threshold: u32,
        enforcement: u32,
        minimum_hosts: usize,
        request_volume: u64,
    }
}

impl Default for Outliers {
    /// The default has neither algorithm, so that no server is an outlier.
    fn default() -> Self {
        Outliers {
            interval: Duration::from_secs(10),
            base_ejection: Duration::from_secs(30),
            max_ejection: Duration::from_secs(300),
            max_percent: 10,
            success_rate: None,
            failure_percentage: None,
        }
    }
}

impl Default for SuccessRate {
    fn default() -> Self {
        SuccessRate { stdev_factor: 1900, enforcement: 100, minimum_hosts: 5, request_volume: 100 }
    }
}

impl Default for FailurePercentage {
    fn default() -> Self {
        FailurePercentage { threshold: 85, enforcement: 100, minimum_hosts: 5, request_volume: 50 }
    }
}

/// Tolerance for the rounding of a mean; far less than the effect of one call.
const ROUNDING: f64 = 1e-9;

/// The servers whose state a sweep has changed.
#[derive(Default, Debug)]
pub struct Swept {
    pub ejected: Vec<Arc<Endpoint>>,
    pub returned: Vec<Arc<Endpoint>>,
    /// The ejections by detection method: by success rate, and by percentage of failures.
    pub ejections: [Ejections; 2],
}

/// The outcomes for servers that were found to be outliers and were not ejected before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ejections {
    pub enforced: u64,
    /// Servers that stayed in by chance, since only a fraction is ejected (`enforcement`).
    pub spared: u64,
    /// Left in since too many were out (`max_percent`).
    pub overflow: u64,
}

/// The calls of one server in the interval that has ended.
struct Judged<'a> {
    endpoint: &'a Arc<Endpoint>,
    answered: u64,
    failed: u64,
}

impl Judged<'_> {
    fn calls(&self) -> u64 {
        self.answered + self.failed
    }

    fn success(&self) -> f64 {
        self.answered as f64 / self.calls() as f64
    }
}

impl Outliers {
    /// Judges the servers by the calls since the last sweep. One caller calls it once per
    /// [`Outliers::interval`] for a set of endpoints, because a sweep resets the counts of the calls that it
    /// has judged.
    pub fn sweep(&self, endpoints: &[Arc<Endpoint>], now: Time, random: &mut fastrand::Rng) -> Swept {
        let mut swept = Swept::default();
        let judged: Vec<Judged<'_>> = endpoints
            .iter()
            .map(|endpoint| {
                let (answered, failed) = endpoint.load().take_ended();
                Judged { endpoint, answered, failed }
            })
            .collect();
        if let Some(by) = &self.success_rate {
            let enough: Vec<_> = with_calls(&judged, by.request_volume, by.minimum_hosts);
            let mean = enough.iter().map(|one| one.success()).sum::<f64>() / enough.len() as f64;
            let squares = enough.iter().map(|one| (one.success() - mean).powi(2)).sum::<f64>();
            let deviation = (squares / enough.len() as f64).sqrt();
            let least = mean - deviation * f64::from(by.stdev_factor) / 1000.0;
            // The mean of equal shares may differ from them in its last digits.
            let outliers = enough.into_iter().filter(|one| one.success() < least - ROUNDING);
            let ejections = self.eject(outliers, endpoints, by.enforcement, now, random, &mut swept.ejected);
            swept.ejections[0] = ejections;
        }
        if let Some(by) = &self.failure_percentage {
            let enough = with_calls(&judged, by.request_volume, by.minimum_hosts);
            let outliers = enough.into_iter().filter(|one| {
                100 * u128::from(one.failed) > u128::from(by.threshold) * u128::from(one.calls())
            });
            let ejections = self.eject(outliers, endpoints, by.enforcement, now, random, &mut swept.ejected);
            swept.ejections[1] = ejections;
        }
        for endpoint in endpoints {
            self.age(endpoint, now, &mut swept);
        }
        swept
    }

    fn eject<'a>(
        &self,
        outliers: impl Iterator<Item = &'a Judged<'a>>,
        all: &[Arc<Endpoint>],
        enforcement: u32,
        now: Time,
        random: &mut fastrand::Rng,
        ejected: &mut Vec<Arc<Endpoint>>,
    ) -> Ejections {
        let mut ejections = Ejections::default();
        let mut out = all.iter().filter(|endpoint| endpoint.state().holds(Reason::Ejected)).count();
        for endpoint in outliers.map(|outlier| outlier.endpoint) {
            if endpoint.state().holds(Reason::Ejected) {
                continue;
            }
            if 100 * out >= self.max_percent as usize * all.len() {
                ejections.overflow += 1;
            } else if random.u32(..100) < enforcement {
                endpoint.ejection().begin(now);
                endpoint.state().hold(Reason::Ejected);
                ejected.push(endpoint.clone());
                ejections.enforced += 1;
                out += 1;
            } else {
                ejections.spared += 1;
            }
        }
        ejections
    }

    /// Reduces the ejection count of each server that is not ejected by one, and returns ejected servers
    /// whose time is over.
    fn age(&self, endpoint: &Arc<Endpoint>, now: Time, swept: &mut Swept) {
        let ejection = endpoint.ejection();
        if !endpoint.state().holds(Reason::Ejected) {
            ejection.forgive();
            return;
        }
        let longest = self.base_ejection.max(self.max_ejection);
        let length = self.base_ejection.saturating_mul(ejection.times()).min(longest);
        if now > ejection.began() + length {
            endpoint.state().release(Reason::Ejected, now);
            swept.returned.push(endpoint.clone());
        }
    }
}

/// The servers with enough calls to be judged; none, if there are too few of them.
fn with_calls<'a>(judged: &'a [Judged<'a>], volume: u64, hosts: usize) -> Vec<&'a Judged<'a>> {
    let enough: Vec<_> = judged.iter().filter(|one| one.calls() >= volume.max(1)).collect();
    if enough.len() < hosts { Vec::new() } else { enough }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Failed, Members, Outcome, Picker, Spec};

    const FAILED: End = End::Failed(Failed { timeout: Duration::ZERO, tries_before: 0, tries_left: 0 });

    struct Fleet {
        outliers: Outliers,
        picker: Picker,
        random: fastrand::Rng,
        now: Time,
        ejections: [Ejections; 2],
    }

    impl Fleet {
        fn new(servers: usize, outliers: Outliers) -> Self {
            let mut random = fastrand::Rng::with_seed(3);
            let endpoints = (0..servers).map(|i| Arc::new(Endpoint::new(&format!("s{i:02}"), ""))).collect();
            let picker = "rr".parse::<Spec>().unwrap().picker(Members::new(endpoints), &mut random);
            Fleet { outliers, picker, random, now: Time(1_000_000_000), ejections: Default::default() }
        }

        /// An interval in which `failures(i)` of 100 calls to server `i` fail. Returns the ejected servers
        /// and those that returned.
        fn interval(&mut self, failures: impl Fn(usize) -> usize) -> (Vec<usize>, Vec<usize>) {
            for (i, member) in self.picker.members().iter().enumerate() {
                for call in 0..100 {
                    let end = if call < failures(i) { FAILED } else { End::Answered };
                    self.picker.ended(member, &Outcome { picked: self.now, now: self.now, end });
                }
            }
            self.now = self.now + self.outliers.interval;
            let swept = self.outliers.sweep(self.picker.members(), self.now, &mut self.random);
            self.ejections = swept.ejections;
            let numbers =
                |them: &[Arc<Endpoint>]| them.iter().map(|e| e.address()[1..].parse().unwrap()).collect();
            (numbers(&swept.ejected), numbers(&swept.returned))
        }
    }

    fn by_success_rate() -> Outliers {
        Outliers { success_rate: Some(SuccessRate::default()), ..Outliers::default() }
    }

    fn by_failures() -> Outliers {
        Outliers { failure_percentage: Some(FailurePercentage::default()), ..Outliers::default() }
    }

    #[test]
    fn a_server_that_fails_more_than_the_others_is_out_for_the_base_time() {
        let mut fleet = Fleet::new(10, by_success_rate());
        let one_fails = |i| if i == 4 { 50 } else { 1 };
        assert_eq!(fleet.interval(one_fails), (vec![4], vec![]));
        assert!(!fleet.picker.members()[4].is_ready(fleet.now));
        let returned: Vec<_> = (0..4).map(|_| fleet.interval(|_| 0).1).collect();
        assert_eq!(returned, [vec![], vec![], vec![], vec![4]], "30 s, and the first sweep after them");
        assert!(fleet.picker.members()[4].is_ready(fleet.now));
    }

    #[test]
    fn who_fails_again_is_out_for_longer_and_is_forgiven_with_time() {
        let mut fleet = Fleet::new(10, by_failures());
        let out_for = |fleet: &mut Fleet| {
            assert_eq!(fleet.interval(|i| if i == 4 { 90 } else { 0 }).0, [4]);
            (1..).find(|_| fleet.interval(|_| 0).1 == [4]).unwrap()
        };
        let found: Vec<usize> = (0..3).map(|_| out_for(&mut fleet)).collect();
        assert_eq!(found, [4, 7, 10]);
        (0..3).for_each(|_| drop(fleet.interval(|_| 0)));
        assert_eq!(out_for(&mut fleet), 4, "three good intervals forgive three ejections");
    }

    #[test]
    fn the_longest_ejection_is_bounded() {
        let mut fleet = Fleet::new(10, by_failures());
        let fails = |i| if i == 4 { 100 } else { 0 };
        let returns: Vec<usize> = (0..200).filter(|_| fleet.interval(fails).1 == [4]).collect();
        let waits: Vec<usize> = returns.windows(2).map(|two| two[1] - two[0]).collect();
        assert_eq!(waits.last(), Some(&32), "300 s: {waits:?}");
    }

    #[test]
    fn no_more_than_a_part_of_the_servers_is_out_and_one_may_always_be() {
        for (servers, max_percent, expected) in [(10, 10, 1), (10, 50, 5), (10, 11, 2), (5, 1, 1), (5, 0, 0)]
        {
            let mut fleet = Fleet::new(servers, Outliers { max_percent, ..by_failures() });
            let (ejected, _) = fleet.interval(|_| 100);
            assert_eq!(ejected.len(), expected, "{max_percent} % of {servers}");
            let [none, by_share] = fleet.ejections;
            assert_eq!(none, Ejections::default());
            let overflow = (servers - expected) as u64;
            assert_eq!(by_share, Ejections { enforced: expected as u64, spared: 0, overflow });
        }
    }

    #[test]
    fn few_calls_and_few_servers_are_not_judged() {
        let mut fleet = Fleet::new(4, by_failures());
        assert_eq!(fleet.interval(|_| 100).0, [0; 0], "four servers are too few");
        let more = FailurePercentage { request_volume: 101, ..FailurePercentage::default() };
        let outliers = Outliers { failure_percentage: Some(more), ..Outliers::default() };
        assert_eq!(Fleet::new(10, outliers).interval(|_| 100).0, [0; 0], "100 calls are too few");
        let all = FailurePercentage { minimum_hosts: 0, request_volume: 0, ..FailurePercentage::default() };
        let outliers = Outliers { failure_percentage: Some(all), ..Outliers::default() };
        let mut fleet = Fleet::new(10, outliers.clone());
        assert_eq!(
            outliers.sweep(fleet.picker.members(), fleet.now, &mut fleet.random).ejected.len(),
            0,
            "none ended"
        );
        let none = Outliers { success_rate: Some(SuccessRate::default()), ..Outliers::default() };
        assert_eq!(none.sweep(&[], Time(1), &mut fleet.random).ejected.len(), 0, "there are no servers");
    }

    #[test]
    fn enforcement_is_the_share_of_outliers_that_are_taken_out() {
        let half = FailurePercentage { enforcement: 50, ..FailurePercentage::default() };
        let outliers = Outliers { failure_percentage: Some(half), max_percent: 100, ..Outliers::default() };
        let mut fleet = Fleet::new(400, outliers);
        let (ejected, _) = fleet.interval(|_| 100);
        assert!((150..250).contains(&ejected.len()), "{} of 400", ejected.len());
        let Ejections { enforced, spared, overflow } = fleet.ejections[1];
        assert_eq!((enforced as usize, enforced + spared, overflow), (ejected.len(), 400, 0));
    }

    #[test]
    fn servers_that_are_all_alike_have_no_outlier() {
        let mut fleet = Fleet::new(10, by_success_rate());
        assert_eq!(fleet.interval(|_| 30).0, [0; 0]);
        assert_eq!(fleet.interval(|_| 100).0, [0; 0]);
    }

    #[test]
    fn a_share_equal_to_the_threshold_is_not_above_it() {
        let mut wrong = Vec::new();
        for threshold in 0..=100 {
            let by = FailurePercentage { threshold, ..FailurePercentage::default() };
            let outliers = Outliers { failure_percentage: Some(by), max_percent: 100, ..Outliers::default() };
            let mut fleet = Fleet::new(10, outliers);
            if !fleet.interval(|_| threshold as usize).0.is_empty() {
                wrong.push(threshold);
            }
        }
        assert_eq!(wrong, Vec::<u32>::new());
    }

    #[test]
    fn equal_servers_are_no_outliers() {
        let mut wrong = Vec::new();
        for failures in 0..=100 {
            let by = SuccessRate { stdev_factor: 500, ..SuccessRate::default() };
            let outliers = Outliers { success_rate: Some(by), max_percent: 100, ..Outliers::default() };
            let mut fleet = Fleet::new(10, outliers);
            let out = fleet.interval(|_| failures).0.len();
            if out > 0 {
                wrong.push((failures, out));
            }
        }
        assert_eq!(wrong, Vec::<(usize, usize)>::new());
    }
}
