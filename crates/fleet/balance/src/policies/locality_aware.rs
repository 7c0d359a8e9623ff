//! `la`: shares by throughput and latency, reduced for a server whose calls are stuck.
//!
//! ```text
//!  weight = throughput / latency                      the last 128 calls
//!         x latency x 1.5 / age of calls in flight    if they are older than that on average
//! ```
//!
//! Weights change with every call, so they are stored in a tree, where a change updates the sums in the
//! logarithm of the number of servers, and a pick finds its server in the same time:
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
    Endpoint, Members, NoEndpoint, Outcome, Query,
    endpoint::{LEAST_WEIGHT, Locality, SCALE},
    parts::{Fit, fit, walk},
};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// The maximum number of searches in the tree for one pick.
const MOST_WAYS: usize = 10_000;
/// The maximum number of searches that end at servers which cannot be used; then all servers are tried one by
/// one.
const MOST_UNFIT: usize = 16;

/// Chooses servers in proportion to their measured throughput and latency.
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

    /// The node whose part of the total contains `dice`, and the offset in that part. `None`: weights have
    /// changed meanwhile.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;

    #[test]
    fn servers_are_chosen_in_proportion_to_their_weights() {
        let weights = [("a", 5), ("b", 1), ("c", 2)];
        let member = |(name, weight): (&str, i64)| {
            let endpoint = Endpoint::new(name, "");
            endpoint.locality_or(|| Locality::new(weight * SCALE));
            std::sync::Arc::new(endpoint)
        };
        let mut random = fastrand::Rng::with_seed(17);
        let members = Members::new(weights.map(member).into());
        let picker = "la".parse::<crate::Spec>().unwrap().picker(members, &mut random);
        let mut shares = [0, 0, 0];
        for _ in 0..8000 {
            let mut query = Query { now: Time(1), random: &mut random, key: None, tried: &[], thread: 0 };
            let chosen = picker.pick(&mut query).unwrap();
            shares[weights.iter().position(|(name, _)| *name == chosen.address()).unwrap()] += 1;
        }
        let expected = [5000, 1000, 2000];
        assert!(shares.iter().zip(expected).all(|(n, m): (&i32, i32)| (n - m).abs() < 150), "{shares:?}");
    }
}
