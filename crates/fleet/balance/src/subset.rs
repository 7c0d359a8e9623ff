//! Subsets: some of many servers for each client, so that connections and probes do not grow with clients
//! times servers.

use crate::{Endpoint, Time};
use polywire_base::Sort;
use std::{collections::HashSet, sync::Arc};
use twox_hash::XxHash64;

/// The servers of a set that a client uses.
///
/// | subset | evenness | when a server joins or leaves |
/// | --- | --- | --- |
/// | [`Subset::Random`] | as a random draw: at 20 of 100 servers and 100 clients, some servers have half of the mean | one member changes at most |
/// | [`Subset::Slices`] | every server has the same number of clients, give or take one | many members change |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Subset {
    /// The `size` servers whose addresses hash lowest with the client's `seed` (gRFC A68).
    Random { size: usize, seed: u64 },
    /// Slices of `size` servers of a list that is shuffled again for each round of clients (Site Reliability
    /// Engineering, chapter 20). `client`: the number of this client among all, from 0, without gaps.
    Slices { size: usize, client: u64 },
}

impl Subset {
    /// The members of the subset, in no particular order. A set that is no larger than the subset is taken
    /// whole.
    pub fn of(self, mut endpoints: Vec<Arc<Endpoint>>) -> Vec<Arc<Endpoint>> {
        let (Subset::Random { size, .. } | Subset::Slices { size, .. }) = self;
        if endpoints.len() <= size || size == 0 {
            return endpoints;
        }
        match self {
            Subset::Random { seed, .. } => {
                endpoints
                    .order_by_cached_key(|one| (Subset::rank(seed, one.address()), one.tag().to_owned()));
                endpoints.truncate(size);
                endpoints
            }
            Subset::Slices { client, .. } => {
                let slices = (endpoints.len() / size) as u64;
                endpoints.order_by(|a, b| a.identity().cmp(&b.identity()));
                fastrand::Rng::with_seed(client / slices).shuffle(&mut endpoints);
                let begin = (client % slices) as usize * size;
                endpoints.drain(begin..begin + size).collect()
            }
        }
    }
}

impl Subset {
    /// The rank of an address for the client with this seed: [`Subset::Random`] takes the lowest ranks. It
    /// does not depend on the other servers, so one that joins or leaves changes at most one member.
    pub fn rank(seed: u64, address: &str) -> u64 {
        XxHash64::oneshot(seed, address.as_bytes())
    }
}

/// Marks the servers of `new` that are not in `old` as newly joined, for slow start; unless no server of
/// `old` remains, since then all are equally new.
pub fn mark_joined(old: &[Arc<Endpoint>], new: &[Arc<Endpoint>], now: Time) {
    let known: HashSet<*const Endpoint> = old.iter().map(Arc::as_ptr).collect();
    if new.iter().any(|endpoint| known.contains(&Arc::as_ptr(endpoint))) {
        let joined = new.iter().filter(|endpoint| !known.contains(&Arc::as_ptr(endpoint)));
        joined.for_each(|endpoint| endpoint.state().joined(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn servers(n: usize) -> Vec<Arc<Endpoint>> {
        (0..n).map(|i| Arc::new(Endpoint::new(&format!("10.0.0.{i}:80"), ""))).collect()
    }

    fn names(endpoints: &[Arc<Endpoint>]) -> Vec<&str> {
        endpoints.iter().map(|endpoint| endpoint.address()).collect()
    }

    #[test]
    fn a_subset_has_its_size_and_a_small_set_is_taken_whole() {
        for subset in [Subset::Random { size: 20, seed: 9 }, Subset::Slices { size: 20, client: 9 }] {
            for (servers_, expected) in [(0, 0), (1, 1), (20, 20), (21, 20), (100, 20), (119, 20)] {
                assert_eq!(subset.of(servers(servers_)).len(), expected, "{subset:?} of {servers_}");
            }
        }
    }

    #[test]
    fn the_order_of_the_set_does_not_matter() {
        for subset in [Subset::Random { size: 5, seed: 9 }, Subset::Slices { size: 5, client: 9 }] {
            let (straight, mut reversed) = (servers(30), servers(30));
            reversed.reverse();
            assert_eq!(names(&subset.of(straight)), names(&subset.of(reversed)), "{subset:?}");
        }
    }

    #[test]
    fn a_server_that_joins_or_leaves_changes_one_member_of_a_random_subset_at_most() {
        for seed in 0..50 {
            let subset = Subset::Random { size: 20, seed };
            let (all, fewer) = (subset.of(servers(100)), subset.of(servers(99)));
            let same = names(&all).iter().filter(|name| names(&fewer).contains(name)).count();
            assert!(same >= 19, "{same}");
        }
    }

    #[test]
    fn whichever_server_leaves_only_its_place_in_a_random_subset_is_filled_anew() {
        for seed in 0..20 {
            let subset = Subset::Random { size: 5, seed };
            let before = subset.of(servers(30));
            for gone in 0..30 {
                let mut fewer = servers(30);
                let gone = fewer.remove(gone);
                let after = subset.of(fewer);
                let lost: Vec<_> =
                    names(&before).into_iter().filter(|name| !names(&after).contains(name)).collect();
                let expected: &[&str] =
                    if names(&before).contains(&gone.address()) { &[gone.address()] } else { &[] };
                assert_eq!((lost.as_slice(), after.len()), (expected, 5), "seed {seed}");
            }
        }
    }

    /// Each server is in the subset of a client with the chance `size / servers`: the clients of a server are
    /// a binomial draw.
    #[test]
    fn random_subsets_are_as_even_as_a_fair_draw() {
        let mut random = fastrand::Rng::with_seed(68);
        for (clients, servers_, size) in [(2000, 10, 5), (2000, 100, 20), (500, 10, 1)] {
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            for _ in 0..clients {
                for endpoint in (Subset::Random { size, seed: random.u64(..) }).of(servers(servers_)) {
                    *counts.entry(endpoint.address().to_owned()).or_default() += 1.0;
                }
            }
            let share = size as f64 / servers_ as f64;
            let (mean, variance) = (f64::from(clients) * share, f64::from(clients) * share * (1.0 - share));
            // One in a million draws of all servers is farther from the mean.
            let bound = 5.7 * variance.sqrt();
            assert_eq!(counts.len(), servers_);
            assert!(
                counts.values().all(|count| (count - mean).abs() < bound),
                "{mean} +- {bound}: {counts:?}"
            );
            // Together: chi square, which has its mean at `servers - 1` and a deviation of the square root of
            // twice that.
            let freedom = servers_ as f64 - 1.0;
            let square: f64 = counts.values().map(|count| (count - mean).powi(2) / variance).sum::<f64>()
                * freedom
                / servers_ as f64;
            assert!((square - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{square} of {freedom}");
        }
    }

    #[test]
    fn slices_give_every_server_the_same_number_of_clients() {
        let mut clients: BTreeMap<String, usize> = BTreeMap::new();
        for client in 0..300 {
            for endpoint in (Subset::Slices { size: 10, client }).of(servers(100)) {
                *clients.entry(endpoint.address().to_owned()).or_default() += 1;
            }
        }
        assert_eq!(clients.len(), 100);
        assert!(clients.values().all(|n| *n == 30), "{clients:?}");
    }

    #[test]
    fn only_servers_that_join_others_are_new() {
        let (now, mut all) = (Time(7), servers(3));
        mark_joined(&[], &all, now);
        assert!(all.iter().all(|endpoint| endpoint.state().ready_since().is_none()), "all are equally new");
        let old = all.clone();
        all.push(Arc::new(Endpoint::new("10.0.0.9:80", "")));
        mark_joined(&old, &all, now);
        let since: Vec<_> = all.iter().map(|endpoint| endpoint.state().ready_since()).collect();
        assert_eq!(since, [None, None, None, Some(now)]);
    }
}
