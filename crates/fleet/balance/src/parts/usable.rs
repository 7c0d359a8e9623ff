//! The members that were ready a moment ago: where most are not, what was drawn among all of them is seldom of use, and a search
//! through all costs as much as there are.

use super::{Fit, fit};
use crate::{Query, Time, picker::Members};
use arc_swap::ArcSwap;
use std::{
    sync::atomic::{
        AtomicU64,
        Ordering::{AcqRel, Relaxed},
    },
    time::Duration,
};

/// How often it is looked which members are ready.
const EVERY: Duration = Duration::from_millis(10);
/// How many of them are looked at.
const LOOKS: usize = 16;

/// The numbers of the members that were ready when that was last looked at. Only searches that have failed among all members ask for
/// them, so a set whose servers are ready never has any.
#[derive(Debug, Default)]
pub(crate) struct Usable {
    /// When it is looked the next time, in nanoseconds.
    next: AtomicU64,
    numbers: ArcSwap<Vec<u32>>,
}

impl Usable {
    fn refresh(&self, members: &Members, now: Time) {
        let next = self.next.load(Relaxed);
        if now.0 >= next && self.next.compare_exchange(next, (now + EVERY).0, AcqRel, Relaxed).is_ok() {
            let is_ready = |i: &usize| members.get(*i).is_ready(now);
            let numbers = (0..members.len()).filter(is_ready).map(|i| i as u32).collect();
            self.numbers.store(std::sync::Arc::new(numbers));
        }
    }
}

/// Two members that suit the call, the first in the order from `start` on, as far as they were ready a moment ago.
#[cold]
pub(crate) fn usable(members: &Members, query: &Query<'_>, start: usize) -> [Option<usize>; 2] {
    let usable = members.usable();
    usable.refresh(members, query.now);
    let numbers = usable.numbers.load();
    let n = numbers.len();
    let number = |k: usize| numbers[(start + k) % n] as usize;
    let suits = |i: &usize| fit(members, query, *i) == Fit::Ready;
    let mut found = (0..n.min(LOOKS)).map(number).filter(suits);
    [found.next(), found.next()]
}

#[cfg(test)]
mod tests {
    use crate::{Endpoint, Members, Query, Reason, Spec, Time};
    use std::{collections::BTreeMap, sync::Arc};

    /// How often each of two servers is chosen that are ready among ten thousand, and the time for a choice.
    #[test]
    fn two_ready_servers_among_ten_thousand_share_the_calls() {
        for name in ["rr", "random", "wrr", "wr", "p2c", "least_request"] {
            let all: Vec<_> = (0..10_000).map(|i| Arc::new(Endpoint::new(&format!("s{i}"), ""))).collect();
            let mut random = fastrand::Rng::with_seed(7);
            let picker = name.parse::<Spec>().unwrap().picker(Members::new(all.clone()), &mut random);
            let (mut times, mut now) = (BTreeMap::new(), Time(1_000_000_000));
            let is_ready = |i: &usize| [17, 4711].contains(i);
            (0..all.len()).filter(|i| !is_ready(i)).for_each(|i| all[i].state().hold(Reason::Connecting));
            for _ in 0..2000 {
                now = Time(now.0 + 100_000);
                let (random, tried) = (&mut random, &[][..]);
                let mut query = Query { now, random, key: None, tried, thread: 0 };
                let chosen = picker.pick(&mut query).unwrap();
                *times.entry(chosen.address().to_owned()).or_insert(0) += 1;
                chosen.load().end();
            }
            assert!(times.values().all(|n| (800..=1200).contains(n)), "{name}: {times:?}");
            // One that was ready and is not, and one that became ready since the last look.
            all[17].state().hold(Reason::Unconnected);
            all[4711].state().hold(Reason::Unconnected);
            all[42].state().release(Reason::Connecting, now);
            let mut query = Query { now, random: &mut random, key: None, tried: &[], thread: 0 };
            assert_eq!(picker.pick(&mut query).unwrap().address(), "s42", "{name}");
        }
    }
}
