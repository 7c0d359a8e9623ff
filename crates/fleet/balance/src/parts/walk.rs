//! The search for a usable server, if the chosen one cannot be used.

use super::is_stuck;
use crate::{Members, NoEndpoint, Query};

/// How well a member suits a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    Ready,
    /// Ready, but an earlier try of the call went there.
    Tried,
    /// The member is not ready.
    Out,
}

/// A prime above the length of any set: steps of it visit every member once.
const STRIDE: usize = 2_147_483_647;

#[inline]
pub(crate) fn fit(members: &Members, query: &Query<'_>, i: usize) -> Fit {
    let member = members.get(i);
    if !member.is_ready(query.now) && !members.uses_in_panic(member, query.now) {
        Fit::Out
    } else if query.tried.iter().any(|tried| std::ptr::eq(&**tried, member)) {
        Fit::Tried
    } else {
        Fit::Ready
    }
}

/// How often a policy takes another turn or draws again because the server cannot be used; after that, all
/// servers are searched one by one. Taking another turn is better: the calls of the unusable server are then
/// shared evenly by the others.
const SKIPPED: usize = 16;

/// The first member in the order of `next`, which takes a turn or draws, that suits the call.
///
/// # Errors
/// No member is ready.
#[inline]
pub(crate) fn take(
    members: &Members,
    query: &mut Query<'_>,
    mut next: impl FnMut(&mut Query<'_>) -> usize,
) -> Result<usize, NoEndpoint> {
    let mut chosen = next(query);
    for _ in 0..SKIPPED {
        if suits(members, query, chosen) {
            return Ok(chosen);
        }
        chosen = next(query);
    }
    match usable(members, query, chosen) {
        [Some(found), _] => Ok(found),
        _ => walk(members, query, chosen),
    }
}

/// Whether a member is ready, was not tried and is not stuck. A new member is skipped as often as its slow
/// start requires.
#[inline]
fn suits(members: &Members, query: &mut Query<'_>, i: usize) -> bool {
    if fit(members, query, i) != Fit::Ready || is_stuck(members, query, i) {
        return false;
    }
    members.share(i, query.now).is_none_or(|share| query.random.f32() < share)
}

/// The first ready member from `start` on; if there is none, one that is ready but was tried. Members are
/// visited in large steps: otherwise the next one in order would get all calls of a server that is not ready.
///
/// # Errors
/// No member is ready.
pub(crate) fn walk(members: &Members, query: &Query<'_>, start: usize) -> Result<usize, NoEndpoint> {
    let n = members.len();
    let step = STRIDE % n;
    let mut tried = None;
    let mut i = start;
    for _ in 0..n {
        match fit(members, query, i) {
            Fit::Ready => return Ok(i),
            Fit::Tried => tried = tried.or(Some(i)),
            Fit::Out => {}
        }
        i += step;
        if i >= n {
            i -= n;
        }
    }
    tried.ok_or(NoEndpoint::NoneReady)
}

/// The number of recently ready members that are looked at.
const LOOKS: usize = 16;

/// Two members that suit the call, out of those that were ready a moment ago; the first in the order from
/// `start` on.
#[cold]
pub(crate) fn usable(members: &Members, query: &Query<'_>, start: usize) -> [Option<usize>; 2] {
    let numbers = members.usable(query.now);
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

    /// How often each of the two ready servers among ten thousand is chosen, and the time for a choice.
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
