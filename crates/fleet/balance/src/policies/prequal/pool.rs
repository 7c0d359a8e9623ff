//! Recent reports of servers, and the choice among them.

use crate::{Report, Time};
use std::{collections::VecDeque, time::Duration};

/// Age at which reports are removed.
const LONGEST_AGE: Duration = Duration::from_secs(1);
/// Number of servers whose latest reports make up the quantile.
const OBSERVED: usize = 128;
/// The number of reports after which the quantile is computed again, since that takes longer than all else;
/// while there are few reports, it is computed with each.
const QUANTIFIED: usize = 8;
/// The minimum number of reports in the pool; with fewer, it chooses no server.
const LEAST: usize = 2;
/// The minimum number of servers for comparing latencies; with fewer, only calls in flight are compared.
const LATENCY_FROM: usize = 8;
/// A cold server that takes more than this many times as long as the least loaded hot one is not preferred to
/// it: it has few calls in flight only because it receives so few.
const FAR_SLOWER: u32 = 3;
/// The maximum number of calls that one report is used for.
const MOST_USES: f64 = 8.0;
/// The maximum number of reports in a pool.
const MOST: usize = 16;
/// The maximum number of probes per call.
const MOST_PROBES: f64 = 10.0;
/// The number of reports that the pool should gain per call on balance, so that it stays full: the paper's
/// delta.
const GROWTH: f64 = 1.0;

/// The parameters that are fixed for a set of servers.
#[derive(Debug)]
pub(super) struct Rules {
    /// Number of reports that a pool holds.
    size: usize,
    /// Number of probes per call.
    probes: f64,
    /// The number of reports that are removed per call, alternately the oldest and the worst one: good
    /// reports are used up, so without this the pool would fill with bad ones.
    removals: f64,
    /// Number of calls that a report is used for.
    uses: f64,
    quantile: f64,
}

/// The reports that callers of a thread choose among.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// The oldest first, one per server.
    entries: VecDeque<Entry>,
    /// Latest calls in flight of servers that reported, the oldest report first, one per server.
    observed: VecDeque<(usize, u32)>,
    /// A server with more calls in flight than this is hot.
    hot_above: u32,
    /// Number of reports since the quantile was computed.
    unquantified: usize,
    /// Fractions of a probe and of a removal that remain from earlier calls.
    probes_due: f64,
    removals_due: f64,
    removes_oldest: bool,
}

/// An entry of the pool. Kept small, because a pick reads all of them.
#[derive(Debug)]
struct Entry {
    at: Time,
    position: u32,
    in_flight: u32,
    /// The reported latency in microseconds.
    latency: u32,
    uses: u32,
    /// Whether some of the server's calls fail, so that its latency may be that of failures.
    fails: bool,
}

impl Rules {
    pub fn new(servers: usize, probes: f64, quantile: f64) -> Self {
        let size = (servers / 2).clamp(LEAST, MOST);
        let probes = if probes.is_finite() { probes.clamp(0.0, MOST_PROBES) } else { 0.0 };
        let removals = probes / 3.0;
        // A probe of a server whose report is in the pool adds none.
        let gained = (1.0 - size as f64 / servers.max(1) as f64) * probes - removals;
        let uses = if gained > 0.0 { ((1.0 + GROWTH) / gained).clamp(1.0, MOST_USES) } else { MOST_USES };
        let quantile = if servers < LATENCY_FROM { 0.0 } else { quantile };
        Rules { size, probes, removals, uses, quantile }
    }
}

impl Pool {
    /// The server of the best report that is `usable`.
    pub fn choose(&mut self, rules: &Rules, now: Time, usable: impl Fn(usize) -> bool) -> Option<usize> {
        while self.entries.front().is_some_and(|oldest| now.since(oldest.at) >= LONGEST_AGE) {
            self.entries.pop_front();
        }
        let chosen = self.best(&usable)?;
        let entry = &mut self.entries[chosen];
        let position = entry.position as usize;
        entry.in_flight = entry.in_flight.saturating_add(1); // the call that is about to be made
        entry.uses -= 1;
        if entry.uses == 0 {
            self.entries.remove(chosen);
        }
        self.removals_due += rules.removals;
        while self.removals_due >= 1.0 {
            self.removals_due -= 1.0;
            self.remove_one();
        }
        Some(position)
    }

    /// The best usable entry. The data of a server are far away in memory, so the best entry is checked first
    /// and the others only if its server cannot be used. No entry is removed: another call may use the
    /// server, and reports age.
    fn best(&self, usable: &impl Fn(usize) -> bool) -> Option<usize> {
        let mut unusable = 0_u32; // a bit per entry
        while self.entries.len() >= LEAST + unusable.count_ones() as usize {
            let left = self.entries.iter().enumerate().filter(|(i, _)| unusable & (1 << i) == 0);
            let (mut best, mut entry) = left.clone().min_by_key(|(_, entry)| self.rank(entry))?;
            if !self.is_hot(entry)
                && let Some((other, hot)) = left
                    .filter(|(_, entry)| self.is_hot(entry) && !entry.fails)
                    .min_by_key(|(_, entry)| entry.in_flight)
                && hot.latency > 0
                && entry.latency / FAR_SLOWER > hot.latency
            {
                (best, entry) = (other, hot);
            }
            if usable(entry.position as usize) {
                return Some(best);
            }
            unusable |= 1 << best;
        }
        None
    }

    /// The rank of an entry, lower is better: cold servers come before hot ones, cold ones are compared by
    /// latency, hot ones by calls in flight.
    fn rank(&self, entry: &Entry) -> u64 {
        let hot = self.is_hot(entry);
        let (first, second) = if hot { (entry.in_flight, 0) } else { (entry.latency, entry.in_flight) };
        (u64::from(hot) << 63) | (u64::from(first) << 31) | u64::from(second).min((1 << 31) - 1)
    }

    fn is_hot(&self, entry: &Entry) -> bool {
        entry.in_flight > self.hot_above
    }

    fn remove_one(&mut self) {
        self.removes_oldest = !self.removes_oldest;
        if self.removes_oldest {
            self.entries.pop_front();
        } else {
            let worst = self.entries.iter().enumerate().max_by_key(|(_, entry)| self.rank(entry));
            if let Some((worst, _)) = worst {
                self.entries.remove(worst);
            }
        }
    }

    /// The probes that this call causes; over many calls exactly the configured mean.
    pub fn probes_due(&mut self, rules: &Rules) -> usize {
        self.probes_due += rules.probes;
        let whole = self.probes_due.floor();
        self.probes_due -= whole;
        whole as usize
    }

    /// Adds a report, in place of an earlier one of the same server. `fails`: some of the server's calls
    /// fail.
    pub fn add(
        &mut self,
        rules: &Rules,
        position: usize,
        (report, fails): (Report, bool),
        at: Time,
        random: &mut fastrand::Rng,
    ) {
        self.observe(rules, position, report.in_flight);
        // A fraction of a use is rounded at random, so that the mean is kept.
        let uses = rules.uses.floor() + f64::from(u8::from(random.f64() < rules.uses.fract()));
        self.entries.retain(|entry| entry.position as usize != position);
        if self.entries.len() == rules.size {
            self.entries.pop_front();
        }
        let latency = u32::try_from(report.latency.as_micros()).unwrap_or(u32::MAX);
        let (position, in_flight, uses) = (position as u32, report.in_flight, uses as u32);
        self.entries.push_back(Entry { at, position, in_flight, latency, uses, fails });
    }

    /// Removes the report of a server, which is not true any more.
    pub fn forget(&mut self, position: usize) {
        self.entries.retain(|entry| entry.position as usize != position);
    }

    /// Takes the calls in flight of a server into the quantile.
    fn observe(&mut self, rules: &Rules, position: usize, in_flight: u32) {
        self.observed.retain(|(other, _)| *other != position);
        if self.observed.len() == OBSERVED {
            self.observed.pop_front();
        }
        self.observed.push_back((position, in_flight));
        self.unquantified += 1;
        if self.observed.len() > 2 * QUANTIFIED && self.unquantified < QUANTIFIED {
            return;
        }
        self.unquantified = 0;
        if rules.quantile <= 0.0 {
            self.hot_above = 0;
            return;
        }
        let mut sorted = [0; OBSERVED];
        let sorted = &mut sorted[..self.observed.len()];
        sorted.iter_mut().zip(&self.observed).for_each(|(to, (_, from))| *to = *from);
        sorted.sort_unstable();
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        // When the loads of servers drift apart the quantile rises with them, and ever more of them would
        // count as cold.
        let bound = at(0.5).saturating_add(at(0.5) / 2).saturating_add(1);
        self.hot_above = if rules.quantile >= 1.0 { u32::MAX } else { at(rules.quantile).min(bound) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    struct Test {
        pool: Pool,
        rules: Rules,
        random: fastrand::Rng,
        now: Time,
    }

    impl Test {
        fn new(servers: usize) -> Self {
            let rules = Rules::new(servers, 2.0, 0.6);
            Test { pool: Pool::default(), rules, random: fastrand::Rng::with_seed(4), now: Time(0) }
        }

        fn report(&mut self, position: usize, in_flight: u32, latency: Duration) {
            let report = Report { in_flight, latency };
            self.pool.add(&self.rules, position, (report, false), self.now, &mut self.random);
        }

        fn report_failing(&mut self, position: usize, in_flight: u32, latency: Duration) {
            let report = (Report { in_flight, latency }, true);
            self.pool.add(&self.rules, position, report, self.now, &mut self.random);
        }

        fn choose(&mut self) -> Option<usize> {
            self.pool.choose(&self.rules, self.now, |_| true)
        }
    }

    #[test]
    fn the_cold_server_of_least_latency_is_chosen_and_if_all_are_hot_the_least_loaded() {
        let mut test = Test::new(100);
        for (i, (in_flight, latency)) in [(3, 50), (1, 40), (9, 1), (2, 30), (2, 60)].into_iter().enumerate()
        {
            test.report(i, in_flight, latency * MS);
        }
        assert_eq!(test.pool.hot_above, 2, "3 of 5 servers have no more");
        assert_eq!(test.choose(), Some(3));
        let mut hot = Test::new(100);
        (0..50).for_each(|i| hot.report(i, 1, MS));
        hot.pool.entries.clear();
        (0..3).for_each(|i| hot.report(60 + i, 9 - i as u32, MS));
        assert_eq!(hot.choose(), Some(62));
    }

    #[test]
    fn few_servers_are_told_apart_by_their_calls_in_flight_alone() {
        let mut test = Test::new(4);
        test.report(0, 2, MS);
        test.report(1, 1, 90 * MS);
        assert_eq!(test.choose(), Some(1));
    }

    #[test]
    fn a_report_is_used_a_few_times_and_counts_the_calls_that_it_has_caused() {
        let mut test = Test::new(100);
        test.report(1, 5, MS);
        test.report(2, 5, 2 * MS);
        assert_eq!(test.choose(), Some(1));
        assert!(test.pool.entries.iter().all(|entry| entry.position != 1 || entry.in_flight == 6));
        assert!(test.rules.uses >= 1.0 && test.rules.uses <= MOST_USES, "{:?}", test.rules);
        assert!((0..20).map_while(|_| test.choose()).count() < 10, "they are used up");
    }

    #[test]
    fn reports_age_and_one_alone_chooses_nothing() {
        let mut test = Test::new(100);
        test.report(1, 0, MS);
        assert_eq!(test.choose(), None);
        test.report(2, 0, MS);
        test.now = Time(999_999_999);
        assert!(test.choose().is_some());
        test.now = Time(1_000_000_000);
        assert_eq!(test.choose(), None);
    }

    #[test]
    fn a_server_that_is_far_slower_is_not_chosen_for_being_idle() {
        for (latency, expected) in [(25, 1), (90, 0)] {
            let mut test = Test::new(100);
            for (server, in_flight) in [(2, 4), (3, 5), (0, 3)] {
                test.report(server, in_flight, 10 * MS);
            }
            test.report(1, 0, latency * MS);
            test.pool.hot_above = 2;
            assert_eq!(test.choose(), Some(expected), "{latency} ms beside 10 ms");
        }
    }

    #[test]
    fn a_server_whose_failures_are_quick_is_not_chosen_for_its_latency() {
        let mut test = Test::new(100);
        (0..9).for_each(|server| test.report(server, 2, 2 * MS));
        test.report_failing(9, 20, MS / 100);
        assert_eq!(test.pool.hot_above, 2);
        for _ in 0..9 {
            assert_ne!(test.choose(), Some(9));
        }
    }

    #[test]
    fn a_server_that_cannot_be_used_is_not_chosen() {
        let mut test = Test::new(100);
        test.report(1, 0, MS);
        test.report(2, 0, 2 * MS);
        test.report(3, 0, 3 * MS);
        assert_eq!(test.pool.choose(&test.rules, test.now, |i| i != 1), Some(2));
    }

    #[test]
    fn pools_and_what_they_observe_are_bounded() {
        let mut test = Test::new(10_000);
        (0..10_000).for_each(|i| test.report(i, i as u32, MS));
        assert_eq!((test.pool.entries.len(), test.pool.observed.len()), (16, OBSERVED));
        (0..50).for_each(|_| test.report(7, 1, MS));
        assert_eq!(test.pool.entries.iter().filter(|entry| entry.position == 7).count(), 1);
    }

    #[test]
    fn probes_are_as_many_as_asked_for_in_the_long_run() {
        for probes in [0.3, 1.0, 2.5] {
            let (mut pool, rules) = (Pool::default(), Rules::new(100, probes, 0.6));
            let sum: usize = (0..1000).map(|_| pool.probes_due(&rules)).sum();
            assert!(sum.abs_diff((probes * 1000.0) as usize) <= 1, "{probes}: {sum}");
        }
    }

    #[test]
    fn no_number_of_servers_or_probes_makes_a_report_useless_or_eternal() {
        for servers in [1, 2, 3, 4, 8, 16, 17, 100, 10_000] {
            for probes in [0.1, 0.5, 1.0, 2.0, 3.0, 10.0] {
                let rules = Rules::new(servers, probes, 0.6);
                assert!((1.0..=MOST_USES).contains(&rules.uses), "{servers} {probes}: {rules:?}");
                assert!(rules.size >= LEAST);
            }
        }
    }
}
