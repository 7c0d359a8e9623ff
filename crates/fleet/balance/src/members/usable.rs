//! The members that were ready a moment ago. Where most are not ready, drawing among all members rarely finds
//! a usable one, and a search through all takes time in proportion to their number.

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

/// The numbers of the members that were ready at the last check. Only searches that have failed among all
/// members use them, so a set whose servers are ready never computes them.
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
