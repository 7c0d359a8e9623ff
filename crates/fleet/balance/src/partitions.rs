//! Partitions: servers that each have a part of the data, and the choice between several partitionings for a
//! call.
//!
//! ```text
//!  tags      0/2 1/2 1/2        0/3 1/3 2/3 0/3 1/3 2/3
//!            ───────────        ───────────────────────
//!  ways      of 2 partitions    of 3 partitions
//!  capacity  min(1, 2) = 1      min(2, 2, 2) = 2             a third of the calls go to 2 partitions, two thirds to 3
//! ```
//!
//! So data can move from 2 partitions to 3 while clients call: servers of the new partitioning join, those of
//! the old one leave, and calls move with them. A partitioning that lacks a server for one of its partitions
//! gets no calls, unless there is no other.
//!
//! Source: Apache brpc, DynamicPartitionChannel and its balancer `_dynpart`. It counts all servers of a
//!         partition; here those that are ready count, as long as one way has some in each of its partitions.

use crate::{Endpoint, Time};
use std::{collections::BTreeMap, sync::Arc};

/// The partition that a server holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Partition {
    /// Index of the partition, from 0.
    pub index: u32,
    /// Number of partitions that the data is divided into.
    pub count: u32,
}

/// The capacity of a partition, or of a way of partitioning: the sum of weights.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Capacity {
    /// The capacity of the ready servers.
    pub ready: u64,
    /// The capacity of all servers.
    pub all: u64,
}

/// Servers by partition, for one number of partitions.
#[derive(Clone, Debug)]
pub struct Partitioning {
    partitions: Box<[Vec<Arc<Endpoint>>]>,
}

/// All partitionings of the data of a set of servers, by their numbers of partitions.
#[derive(Clone, Debug, Default)]
pub struct Partitionings(Vec<Partitioning>);

/// The maximum number of partitions; a tag is text from outside and could name any number.
const MOST_PARTITIONS: u32 = 65_536;
/// The maximum number of partitionings, as in brpc.
const MOST_WAYS: usize = 8;

impl Partition {
    /// Parses a tag `index/count`, for example `0/3`; `None` if it is not one.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let (index, count) = tag.trim().split_once('/')?;
        let (index, count) = (index.trim().parse().ok()?, count.trim().parse().ok()?);
        Some(Partition { index, count }).filter(Partition::is_valid)
    }

    fn is_valid(&self) -> bool {
        self.index < self.count && self.count <= MOST_PARTITIONS
    }
}

impl Partitioning {
    /// The servers of each partition.
    pub fn partitions(&self) -> &[Vec<Arc<Endpoint>>] {
        &self.partitions
    }

    /// The capacity of a partitioning: the smallest sum of the weights of servers (1 where there is none)
    /// over its partitions.
    pub fn capacity(&self) -> u64 {
        self.least(|_| true)
    }

    /// The capacity of the servers that are ready.
    pub fn ready_capacity(&self, now: Time) -> u64 {
        self.least(|endpoint| endpoint.is_ready(now))
    }

    fn least(&self, counts: impl Fn(&Endpoint) -> bool) -> u64 {
        let sum = |partition: &Vec<Arc<Endpoint>>| -> u64 {
            let counted = partition.iter().filter(|endpoint| counts(endpoint));
            counted.map(|endpoint| u64::from(endpoint.weight().unwrap_or(1))).sum()
        };
        self.partitions.iter().map(sum).min().unwrap_or(0)
    }
}

impl Partitionings {
    /// Servers for which `partition` returns nothing, or whose index is not below the count, are left out. At
    /// most 8 partitionings are used; those with the most partitions are left out.
    pub fn new(endpoints: &[Arc<Endpoint>], partition: impl Fn(&Endpoint) -> Option<Partition>) -> Self {
        let mut ways: BTreeMap<u32, Vec<(u32, Arc<Endpoint>)>> = BTreeMap::new();
        for endpoint in endpoints {
            if let Some(Partition { index, count }) = partition(endpoint).filter(Partition::is_valid) {
                ways.entry(count).or_default().push((index, endpoint.clone()));
            }
        }
        let way = |(count, endpoints): (u32, Vec<(u32, Arc<Endpoint>)>)| {
            let mut partitions = vec![Vec::new(); count as usize];
            endpoints.into_iter().for_each(|(index, endpoint)| partitions[index as usize].push(endpoint));
            Partitioning { partitions: partitions.into() }
        };
        Partitionings(ways.into_iter().take(MOST_WAYS).map(way).collect())
    }

    /// The partitionings by their number of partitions, ascending.
    pub fn ways(&self) -> &[Partitioning] {
        &self.0
    }

    /// `_dynpart`: chooses a partitioning for a call, at random in proportion to capacity. Those in `tried`
    /// are only chosen if there are no others. `None`: there is none, or none that has servers for all its
    /// partitions.
    pub fn choose(&self, now: Time, tried: &[usize], random: &mut fastrand::Rng) -> Option<usize> {
        let capacity = |way: &Partitioning| Capacity { ready: way.ready_capacity(now), all: way.capacity() };
        let capacities: Vec<Capacity> = self.0.iter().map(capacity).collect();
        Capacity::choose(&capacities, tried, random)
    }
}

impl Capacity {
    /// The minimum of the capacities of partitions, which is the capacity of a partitioning.
    pub fn least(partitions: impl IntoIterator<Item = Capacity>) -> Capacity {
        let least = |one: Capacity, other: Capacity| Capacity {
            ready: one.ready.min(other.ready),
            all: one.all.min(other.all),
        };
        partitions.into_iter().reduce(least).unwrap_or_default()
    }

    /// `_dynpart`, like [`Partitionings::choose`], for partitionings with these capacities.
    pub fn choose(ways: &[Capacity], tried: &[usize], random: &mut fastrand::Rng) -> Option<usize> {
        if ways.len() == 1 {
            return Some(0); // it may tell which partition is missing
        }
        let is_any_ready = ways.iter().any(|way| way.ready > 0);
        let capacity = |way: &Capacity| if is_any_ready { way.ready } else { way.all };
        let untried = |(i, way): (usize, &Capacity)| if tried.contains(&i) { 0 } else { capacity(way) };
        draw(ways.iter().enumerate().map(untried), random).or_else(|| draw(ways.iter().map(capacity), random))
    }
}

/// A number with a probability in proportion to its weight.
fn draw(weights: impl Iterator<Item = u64> + Clone, random: &mut fastrand::Rng) -> Option<usize> {
    let sum: u64 = weights.clone().sum();
    if sum == 0 {
        return None;
    }
    let mut point = random.u64(..sum);
    weights.enumerate().find_map(|(i, weight)| {
        let is_here = point < weight;
        point = point.saturating_sub(weight);
        is_here.then_some(i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    fn servers(tags: &[&str]) -> Vec<Arc<Endpoint>> {
        let numbered = tags.iter().enumerate();
        numbered.map(|(i, tag)| Arc::new(Endpoint::new(&format!("s{i}"), tag))).collect()
    }

    fn ways(endpoints: &[Arc<Endpoint>]) -> Partitionings {
        Partitionings::new(endpoints, |endpoint| Partition::of_tag(endpoint.tag()))
    }

    /// The number of calls out of a thousand that each partitioning gets.
    fn calls(ways: &Partitionings, tried: &[usize]) -> Vec<usize> {
        let mut random = fastrand::Rng::with_seed(3);
        let mut calls = vec![0; ways.ways().len()];
        for _ in 0..1000 {
            if let Some(chosen) = ways.choose(Time(1), tried, &mut random) {
                calls[chosen] += 1;
            }
        }
        calls
    }

    #[test]
    fn calls_are_shared_by_the_smallest_partition_of_each_way() {
        let all =
            servers(&["0/3", "1/3", "2/3", "0/4", "1/4", "2/4", "3/4", "0/4", "1/4", "2/4", "3/4", "3/4"]);
        let found = ways(&all);
        let capacities: Vec<u64> = found.ways().iter().map(Partitioning::capacity).collect();
        assert_eq!(capacities, [1, 2]);
        let shares = calls(&found, &[]);
        assert!((290..380).contains(&shares[0]) && shares[0] + shares[1] == 1000, "{shares:?}");
        assert_eq!(calls(&found, &[1]), [1000, 0], "the other one was tried");
        assert!(calls(&found, &[0, 1])[1] > 600, "all were tried");
    }

    #[test]
    fn a_way_that_lacks_a_partition_gets_no_calls_unless_it_is_the_only_one() {
        let found = ways(&servers(&["0/2", "1/2", "0/3", "2/3"]));
        assert_eq!(calls(&found, &[]), [1000, 0]);
        assert_eq!(calls(&ways(&servers(&["0/3", "2/3"])), &[]), [1000]);
        assert_eq!(calls(&ways(&servers(&["0/3", "0/2"])), &[]), [0, 0]);
        assert!(ways(&[]).choose(Time(0), &[], &mut fastrand::Rng::new()).is_none());
    }

    #[test]
    fn a_way_whose_servers_are_out_gets_no_calls_while_another_has_some() {
        let all = servers(&["0/2", "1/2", "0/3", "1/3", "2/3"]);
        let found = ways(&all);
        all[1].state().hold(Reason::Unconnected);
        assert_eq!(calls(&found, &[]), [0, 1000]);
        all[4].state().hold(Reason::Unconnected);
        let shares = calls(&found, &[]);
        assert!((400..600).contains(&shares[0]) && shares[0] + shares[1] == 1000, "{shares:?}");
    }

    #[test]
    fn weights_count_and_tags_that_name_no_partition_do_not() {
        for tag in ["", "3", "3/3", "-1/3", "1/0", "0/99999999", "a/b", "0/1/2"] {
            assert_eq!(Partition::of_tag(tag), None, "{tag}");
        }
        assert_eq!(Partition::of_tag(" 1/ 3"), Some(Partition { index: 1, count: 3 }));
        let all = [("s0", "0/1", 7), ("s1", "x", 9), ("s2", "0/1", 2)]
            .map(|(address, tag, weight)| Arc::new(Endpoint::new(address, tag).weighted(weight)));
        let found = ways(&all);
        assert_eq!((found.ways().len(), found.ways()[0].capacity()), (1, 9));
        let wrong = Partitionings::new(&all, |_| Some(Partition { index: 5, count: 5 }));
        assert!(wrong.ways().is_empty());
    }

    #[test]
    fn there_are_at_most_eight_ways() {
        let tags: Vec<String> = (1..20).map(|count| format!("0/{count}")).collect();
        let found = ways(&servers(&tags.iter().map(String::as_str).collect::<Vec<_>>()));
        assert_eq!((found.ways().len(), found.ways()[7].partitions().len()), (8, 8));
    }
}
