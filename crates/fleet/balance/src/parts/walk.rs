//! The search for a usable server, if the chosen one cannot be used.

use super::{is_stuck, usable};
use crate::{NoEndpoint, Query, picker::Members};

/// How well a member suits a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    Ready,
    /// Ready, but an earlier try of the call went there.
    Tried,
    /// It is not ready.
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

/// How often a policy takes another turn or draws again because the server cannot be used; after that, all servers are
/// searched one by one. Another turn is better: the calls of the server are then shared evenly by the others.
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

/// Whether a member is ready, was not tried and is not stuck. One that is new is passed over as often as its slow start says.
#[inline]
fn suits(members: &Members, query: &mut Query<'_>, i: usize) -> bool {
    if fit(members, query, i) != Fit::Ready || is_stuck(members, query, i) {
        return false;
    }
    members.share(i, query.now).is_none_or(|share| query.random.f32() < share)
}

/// The first member that is ready, from `start` on; if there is none, one that is ready but was tried. Members are visited in
/// large steps: the next one in order would otherwise get all calls of a server that is not ready.
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
