//! Several partitionings of the data at once: each call uses one of them.

use crate::{
    call::{
        moment::Moment,
        retry::{Retry, Step},
    },
    combination::{
        partitioned::keep,
        partitions::{Maker, Way},
        selective::wait,
    },
    core::{Combination, CombinedCall, Combining, SharedCore},
    servers,
};
use polywire_balance::Capacity;
use polywire_base::lock;
use polywire_call::{Origin, Status, brpc};
use polywire_naming::Set;
use polywire_wire::Outcome;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

/// The maximum number of partitionings used at a time, as in brpc; those with the most partitions are left
/// out.
const MOST_WAYS: usize = 8;

/// A combination whose servers are partitioned in several ways.
pub(super) struct Dynamic {
    maker: Maker,
    retries: u32,
    newest: Mutex<Newest>,
}

/// The set that was looked at last, and its partitionings.
#[derive(Default)]
struct Newest {
    set: Option<Set>,
    ways: Arc<[Arc<Way>]>,
}

impl Dynamic {
    pub fn new(maker: Maker, retries: u32) -> Self {
        let dynamic = Dynamic { maker, retries, newest: Mutex::default() };
        dynamic.ways();
        dynamic
    }

    /// The partitionings of the newest set of servers, by their number of partitions. Those that remain keep
    /// their connections.
    fn ways(&self) -> Arc<[Arc<Way>]> {
        keep(&self.maker.watched);
        let set = self.maker.watched.set();
        let mut newest = lock(&self.newest);
        let is_old = match (&set, &newest.set) {
            (Some(set), Some(old)) => Arc::ptr_eq(set, old),
            (set, _) => set.is_none(),
        };
        if is_old {
            return newest.ways.clone();
        }
        let filter = self.maker.fleet.filter.as_ref();
        let servers = set.iter().flat_map(|set| set.iter());
        let wanted = servers.filter(|server| filter.is_none_or(|filter| filter(server)));
        let counts: BTreeSet<u32> = wanted
            .filter_map(|server| (self.maker.parser)(server))
            .map(|partition| partition.count)
            .collect();
        let way = |count: u32| {
            let known = newest.ways.iter().find(|way| way.count == count).cloned();
            known.unwrap_or_else(|| Arc::new(self.maker.way(count)))
        };
        let ways: Arc<[Arc<Way>]> = counts.into_iter().take(MOST_WAYS).map(way).collect();
        *newest = Newest { set, ways: ways.clone() };
        ways
    }

    async fn run(&self, call: CombinedCall) -> Outcome {
        let retry = Retry::new(call.retries.unwrap_or(self.retries), None, false);
        let after_loss = self.maker.recipe.defaults.retries_after_loss;
        let mut retry = retry.idempotent(call.idempotent, after_loss).among(true);
        // The numbers of partitions of the ways that were tried.
        let mut tried: Vec<u32> = Vec::new();
        let mut before = None;
        loop {
            let ways = self.ways();
            let Some(way) = choose(&ways, &tried) else {
                if let Some(before) = before {
                    return before;
                }
                let is_first = self.maker.watched.set().is_none() && self.maker.watched.error().is_none();
                let status = self.none(&ways);
                if !is_first && !call.wait_for_ready {
                    return status.into();
                }
                match wait(call.request.deadline, &status).await {
                    Some(over) => return over.into(),
                    None => continue,
                }
            };
            let attempt = CombinedCall { retries: None, ..call.clone() };
            let outcome = way.calls.clone().call(attempt).await;
            if outcome.status.is_ok() || retry.after(&outcome, Moment::now()) == Step::End {
                return outcome;
            }
            tried.push(way.count);
            before = Some(outcome);
        }
    }

    #[cold]
    fn none(&self, ways: &[Arc<Way>]) -> Status {
        let watched = &self.maker.watched;
        let what = match (watched.set(), ways.len()) {
            (None, _) => "no servers are known yet".to_owned(),
            (Some(set), 0) => format!("none of {} servers says which partition it has", set.len()),
            (Some(_), ways) => format!("none of {ways} ways of parting has servers for all its partitions"),
        };
        let error = watched.error().map_or_else(String::new, |error| format!(" ({error})"));
        let text = format!("{}: {what}{error}", self.maker.recipe.spec.address);
        brpc::status(brpc::EHOSTDOWN, text).with_origin(Origin::Transport).unprocessed()
    }
}

fn choose(ways: &[Arc<Way>], tried: &[u32]) -> Option<Arc<Way>> {
    let capacities: Vec<Capacity> = ways.iter().map(|way| way.capacity()).collect();
    let tried: Vec<usize> = (0..ways.len()).filter(|i| tried.contains(&ways[*i].count)).collect();
    let chosen = servers::random(|random| Capacity::choose(&capacities, &tried, random))?;
    Some(ways[chosen].clone())
}

impl Combination for Dynamic {
    fn call(self: Arc<Self>, call: CombinedCall) -> Combining {
        Box::pin(async move { self.run(call).await })
    }

    fn streaming(&self, _key: Option<u64>) -> Result<SharedCore, Status> {
        Err(Status::unimplemented("partitioned channels carry no streams: call one of their servers"))
    }

    fn channels(&self) -> Vec<SharedCore> {
        self.ways().iter().flat_map(|way| way.cores.clone()).collect()
    }

    fn is_ready(&self) -> bool {
        self.ways().iter().any(|way| way.calls.is_ready())
    }
}
