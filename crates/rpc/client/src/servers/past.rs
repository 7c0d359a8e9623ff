//! The counts of servers that have left the set.

use crate::connection::tally::{Counts, Ledger};
use polywire_base::lock;
use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

/// The tries on servers that have left the set of a channel, so that its figures never go down.
#[derive(Default)]
pub(super) struct Past(Mutex<Left>);

#[derive(Default)]
struct Left {
    /// The summed counts of servers whose last connection has ended.
    counts: Counts,
    /// The ledgers of servers that may have calls under way, or that another channel uses.
    ledgers: Vec<Arc<Ledger>>,
}

impl Left {
    /// Adds up the ledgers that cannot change any more.
    fn settle(&mut self) {
        let Left { counts, ledgers } = self;
        ledgers.retain(|ledger| {
            let is_used = Arc::strong_count(ledger) > 1;
            if !is_used {
                *counts += ledger.counts();
            }
            is_used
        });
    }
}

impl Past {
    /// Takes over the counters of servers that have left together: there may be a hundred thousand.
    pub fn leave(&self, gone: Vec<Arc<Ledger>>) {
        if gone.is_empty() {
            return;
        }
        let mut left = lock(&self.0);
        left.settle();
        let mut known = addresses(&left.ledgers);
        left.ledgers.extend(gone.into_iter().filter(|ledger| known.insert(Arc::as_ptr(ledger))));
    }

    /// The counts of all tries: on the present servers, and on those that have left.
    #[cfg_attr(not(feature = "channelz"), allow(dead_code))]
    pub fn counts_with(&self, present: &[Arc<Ledger>]) -> Counts {
        let mut left = lock(&self.0);
        left.settle();
        let back = addresses(present);
        let away = left.ledgers.iter().filter(|ledger| !back.contains(&Arc::as_ptr(ledger)));
        let mut counts: Counts = present.iter().chain(away).map(|ledger| ledger.counts()).sum();
        counts += left.counts;
        counts
    }
}

/// The addresses of the ledgers in memory, which identify them.
fn addresses(ledgers: &[Arc<Ledger>]) -> HashSet<*const Ledger> {
    ledgers.iter().map(Arc::as_ptr).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn ledgers_are_kept_while_somebody_may_add_to_them() {
        let (past, used, unused) =
            (Past::default(), Arc::new(Ledger::default()), Arc::new(Ledger::default()));
        past.leave(vec![used.clone(), used.clone()]);
        past.leave(vec![used.clone(), unused]);
        past.counts_with(&[]);
        assert_eq!(lock(&past.0).ledgers.len(), 1);
        drop(used);
        past.counts_with(&[]);
        assert!(lock(&past.0).ledgers.is_empty());
    }

    /// A search through all servers for each one would take minutes.
    #[test]
    fn a_hundred_thousand_leave_at_once() {
        let begun = Instant::now();
        let (past, ledgers): (_, Vec<_>) = (Past::default(), (0..100_000).map(|_| Arc::default()).collect());
        past.leave(ledgers.clone());
        past.counts_with(&ledgers);
        assert_eq!(lock(&past.0).ledgers.len(), 100_000);
        drop(ledgers);
        past.counts_with(&[]);
        assert!(lock(&past.0).ledgers.is_empty());
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
}
