//! The members that were ready a moment ago: where most are not, what was drawn among all of them is seldom
//! of use, and a search through all costs as much as there are.

use crate::{Endpoint, Time};
use arc_swap::{ArcSwap, Guard};
use std::{
    sync::{
        Arc,
        atomic::{
            AtomicU64,
            Ordering::{AcqRel, Relaxed},
        },
    },
    time::Duration,
};

/// The interval at which the ready members are determined.
const EVERY: Duration = Duration::from_millis(10);

/// The numbers of the members that were ready when that was last looked at. Only searches that have failed
/// among all members ask for them, so a set whose servers are ready never has any.
#[derive(Debug, Default)]
pub(crate) struct Usable {
    /// When they are determined next, in nanoseconds.
    next: AtomicU64,
    numbers: ArcSwap<Vec<u32>>,
}

impl Usable {
    pub fn numbers(&self, members: &[Arc<Endpoint>], now: Time) -> Guard<Arc<Vec<u32>>> {
        let next = self.next.load(Relaxed);
        if now.0 >= next && self.next.compare_exchange(next, (now + EVERY).0, AcqRel, Relaxed).is_ok() {
            let is_ready = |i: &usize| members[*i].is_ready(now);
            let numbers = (0..members.len()).filter(is_ready).map(|i| i as u32).collect();
            self.numbers.store(Arc::new(numbers));
        }
        self.numbers.load()
    }
}
