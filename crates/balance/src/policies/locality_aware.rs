//! `la`: shares by throughput and latency, and less for a server whose calls are stuck.
//!
//! ```text
//!  weight = throughput / latency                      the last 128 calls
//!         x latency x 1.5 / age of calls in flight    if they are older than that on average
//! ```
//!
//! Weights change with every call, so they stand in a tree, where a change reaches the sums in the logarithm of the number
//! of servers, and a pick finds its server in that:
//!
//! ```text
//!            0            each node: its own weight and the sum of its left side
//!          /   \
//!         1     2
//! ```
//!
//! Source: Apache brpc, src/brpc/policy/locality_aware_load_balancer.cpp and its page on it; its numbers.

use super::{Policy, observe};
use crate::{
    End, Endpoint, Members, NoEndpoint, Outcome, Query, Time,
    parts::{Fit, fit, walk},
};
use std::{
    collections::VecDeque,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
};

/// Number of calls from which throughput and latency are computed.
const HISTORY: usize = 128;
/// One call per second of one microsecond.
const SCALE: i64 = i64::MAX / 72_000_000 / (HISTORY as i64 - 1);
const LEAST_WEIGHT: i64 = 1000;
/// The age of calls in flight, in averages of latency, from which it counts against a server.
const STUCK: f64 = 1.5;
/// The latency of a failed call that has tries left is multiplied by this.
const FAILED: f64 = 1.2;
/// Searches in the tree for one pick, at most.
const MOST_WAYS: usize = 10_000;
/// Searches that end at servers which cannot be used; after so many, all servers are tried one by one.
const MOST_UNFIT: usize = 16;

/// Chooses servers in proportion to what they have shown to do.
#[derive(Debug)]
pub struct LocalityAware {
    /// Own weight of each node.
    own: Box<[AtomicI64]>,
    /// Sum of the weights below its left child.
    left: Box<[AtomicI64]>,
    total: AtomicI64,
    /// Largest weight, so that the total cannot overflow.
    most: i64,
}

/// What is known of one server. It stays with the endpoint when sets change.
#[derive(Debug)]
pub(crate) struct Locality(Mutex<Learnt>);

#[derive(Debug)]
struct Learnt {
    weight: i64,
    /// The weight before calls that are stuck reduce it.
    base: i64,
    /// Number of calls in flight, and the sum of the times when they began.
    calls: i64,
    begins: i128,
    /// Average latency in microseconds.
    average: i64,
    /// Sum of latencies in microseconds up to a call, and when that ended.
    history: VecDeque<(i64, Time)>,
}

impl LocalityAware {
    pub fn new(members: &Members) -> Self {
        let known: Vec<i64> = members.iter().filter_map(|m| Some(m.locality()?.learnt().weight)).collect();
        let first = known
            .iter()
            .map(|weight| weight / known.len() as i64)
            .sum::<i64>()
            .max(if known.is_empty() { SCALE } else { LEAST_WEIGHT });
        let most = i64::MAX / 2 / members.len().max(1) as i64;
        let zeros = || members.iter().map(|_| AtomicI64::new(0)).collect();
        let tree = LocalityAware { own: zeros(), left: zeros(), total: AtomicI64::new(0), most };
        for (i, member) in members.iter().enumerate() {
            let weight = member.locality_or(|| Locality::new(first)).learnt().weight;
            tree.set(i, weight);
        }
        tree
    }

    /// Sets the weight of node `i`.
    fn set(&self, mut i: usize, weight: i64) {
        let weight = weight.min(self.most);
        let change = weight - self.own[i].swap(weight, Relaxed);
        if change == 0 {
            return;
        }
        self.total.fetch_add(change, Relaxed);
        while i > 0 {
            let parent = (i - 1) / 2;
            if i % 2 == 1 {
                self.left[parent].fetch_add(change, Relaxed);
            }
            i = parent;
        }
    }

    /// The node whose part of the total holds `dice`, and how far into it that is. `None`: weights have changed meanwhile.
    fn find(&self, mut dice: i64) -> Option<(usize, i64)> {
        let mut i = 0;
        while i < self.own.len() {
            let left = self.left[i].load(Relaxed);
            if dice < left {
                i = 2 * i + 1;
                continue;
            }
            let into = dice - left;
            let own = self.own[i].load(Relaxed);
            if into < own {
                return Some((i, into));
            }
            dice = into - own;
            i = 2 * i + 2;
        }
        None
    }
}

impl Policy for LocalityAware {
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let n = members.len();
        let mut unfit = 0;
        for _ in 0..MOST_WAYS {
            let total = self.total.load(Relaxed);
            if total <= 0 || unfit >= MOST_UNFIT.min(n) {
                break;
            }
            let Some((i, into)) = self.find(query.random.i64(0..total)) else { continue };
            let Some(locality) = members.get(i).locality() else { continue };
            let mut learnt = locality.learnt();
            match fit(members, query, i) {
                Fit::Ready => {
                    let weight = learnt.weigh(query.now);
                    if into <= weight {
                        learnt.begin(query.now);
                        drop(learnt);
                        self.set(i, weight);
                        return Ok(i);
                    }
                }
                Fit::Tried => unfit += 1,
                Fit::Out => {
                    unfit += 1;
                    learnt.base = learnt.base.min(total / n as i64);
                    learnt.weigh(query.now);
                }
            }
            let weight = learnt.weight;
            drop(learnt);
            self.set(i, weight);
        }
        let start = query.random.usize(..n);
        let chosen = walk(members, query, start)?;
        if let Some(locality) = members.get(chosen).locality() {
            locality.learnt().begin(query.now);
        }
        Ok(chosen)
    }

    fn ended(&self, endpoint: &Endpoint, position: Option<usize>, outcome: &Outcome) {
        observe(endpoint, outcome, super::TAU);
        let Some(locality) = endpoint.locality() else { return };
        let weight = locality.learnt().ended(outcome);
        if let Some(i) = position {
            self.set(i, weight);
        }
    }
}

impl Locality {
    fn new(weight: i64) -> Self {
        Locality(Mutex::new(Learnt {
            weight,
            base: weight,
            calls: 0,
            begins: 0,
            average: 0,
            history: VecDeque::new(),
        }))
    }

    fn learnt(&self) -> MutexGuard<'_, Learnt> {
        polywire_base::lock(&self.0)
    }
}

impl Learnt {
    fn begin(&mut self, now: Time) {
        self.calls += 1;
        self.begins += i128::from(now.0);
    }

    /// Computes the weight at this time.
    fn weigh(&mut self, now: Time) -> i64 {
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

    fn ended(&mut self, outcome: &Outcome) -> i64 {
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
