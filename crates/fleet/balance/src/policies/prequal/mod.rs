//! `prequal`: servers report their load, and a call goes to the best of those that have just reported.
//!
//! ```text
//!  a call ──► pool of recent reports ──► the best of them                 nothing is waited for
//!     └─────► probes of a few random servers ──► reports ──► pool
//!
//!  best:  cold servers (in flight up to the quantile of all): the least latency
//!         none is cold: the fewest calls in flight
//! ```
//!
//! The information about a server is milliseconds old and comes from the server itself, so it counts the
//! calls of all clients, which no single client can see. Targets of probes are random, so that each client
//! knows other servers, and they do not all choose the same one.
//!
//! Source: Wydrowski, Kleinberg, Rumble and Archer, "Load is not what you should balance: Introducing
//!         Prequal" (NSDI 2024). What the paper leaves open, or what open reproductions found to be better:
//!         one entry per server in the pool; calls in flight are added to the entry of the chosen server; the
//!         quantile is that of the latest report of each server and is bounded by the median; a pool that is
//!         too small falls back to `p2c`. The simulator (docs/simulator.md) added two: a cold server that is
//!         far slower than the least loaded hot one is not preferred to it; and a report of a server that
//!         fails calls counts for less, see `failing.rs`.

mod failing;
mod pool;

use super::{Cost, Policy, PowerOfChoices, TAU, observe};
use crate::{
    Endpoint, Members, NoEndpoint, Outcome, Query, Report, Time,
    parts::{Fit, fit},
};
use failing::Failing;
use pool::{Pool, Rules};
use std::sync::{Mutex, MutexGuard};

/// Number of pools. Threads whose numbers are equal modulo this share one.
const POOLS: usize = 16;

/// Chooses the best of the servers that have reported their load a short time ago.
#[derive(Debug)]
pub struct Prequal {
    pools: Box<[Mutex<Pool>]>,
    rules: Rules,
    failing: Failing,
    /// The policy for the first calls, and while no reports arrive.
    without_reports: PowerOfChoices,
}

impl Prequal {
    /// `probes`: the mean number of probes per call, up to 10; it may be a fraction. `quantile`: the share of
    /// servers that count as cold, from 0 (the calls in flight decide alone) to 1 (the latency decides
    /// alone).
    pub fn new(members: &Members, probes: f64, quantile: f64) -> Self {
        let rules = Rules::new(members.len(), probes, quantile);
        let pools = (0..POOLS).map(|_| Mutex::new(Pool::default())).collect();
        let without_reports = PowerOfChoices::new(2, Cost::Latency { tau: TAU });
        Prequal { pools, rules, failing: Failing::new(members.len()), without_reports }
    }

    fn pool(&self, thread: usize) -> MutexGuard<'_, Pool> {
        polywire_base::lock(&self.pools[thread % POOLS])
    }
}

impl Policy for Prequal {
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let usable = |i| fit(members, query, i) == Fit::Ready;
        let chosen = self.pool(query.thread).choose(&self.rules, query.now, usable);
        match chosen {
            Some(chosen) => Ok(chosen),
            None => self.without_reports.choose(members, query),
        }
    }

    fn ended(&self, endpoint: &Endpoint, position: Option<usize>, outcome: &Outcome) {
        observe(endpoint, outcome, TAU);
        if let Some(position) = position
            && self.failing.ended(position, outcome)
        {
            self.pools.iter().for_each(|pool| polywire_base::lock(pool).forget(position));
        }
    }

    fn probes(&self, members: &Members, query: &mut Query<'_>) -> Vec<usize> {
        let count = self.pool(query.thread).probes_due(&self.rules);
        let mut targets: Vec<usize> = Vec::with_capacity(count);
        // A few draws more than it takes, since some fall on servers that are out or were drawn already.
        for _ in 0..4 * count {
            if targets.len() == count {
                break;
            }
            let i = query.random.usize(..members.len());
            if members.get(i).is_ready(query.now) && !targets.contains(&i) {
                targets.push(i);
            }
        }
        targets
    }

    fn probed(&self, thread: usize, position: usize, report: Report, now: Time, random: &mut fastrand::Rng) {
        let report = (self.failing.adapt(position, report, now), self.failing.fails(position, now));
        self.pool(thread).add(&self.rules, position, report, now, random);
    }
}
