//! `c_murmurhash`, `c_md5`, `c_ketama` and `ring_hash`: calls of one key go to one server.
//!
//! Every server has many points on a ring; a call goes to the server of the first point at or after its key.
//! A server that is added or removed moves only the keys next to its points. A server that is not ready keeps
//! its points, and its keys go to the points that follow, so that they return to it. While the first servers
//! of a channel are being connected to, a call waits for its own server: otherwise the first connected server
//! would get the keys of all others.

mod points;
mod ring;

pub use points::RingKind;

use super::Policy;
use crate::{
    Members, NoEndpoint, Query, Time,
    parts::{Fit, fit},
};
use ring::Ring;

/// Servers on a ring.
#[derive(Debug)]
pub struct ConsistentHash {
    ring: Ring,
    kind: RingKind,
}

impl ConsistentHash {
    pub fn new(members: &Members, kind: RingKind) -> Self {
        ConsistentHash { ring: Ring::new(points::of(members, kind)), kind }
    }

    /// For each member its part of the ring; all parts add up to 1.
    pub fn shares(&self, members: &Members) -> Vec<f64> {
        let mut shares = vec![0.0; members.len()];
        self.ring.arcs().for_each(|(i, arc)| shares[i] += arc);
        shares
    }
}

impl Policy for ConsistentHash {
    #[inline]
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let point = match (query.key, self.kind) {
            (Some(key), RingKind::RingHash { .. }) => key,
            (None, RingKind::RingHash { .. }) => query.random.u64(..),
            // brpc's rings have 32 bits: here they are the upper half of 64.
            (Some(key), _) => key << 32,
            (None, _) => return Err(NoEndpoint::NoKey),
        };
        let awaited = |i: usize| query.key.and_then(|_| members.get(i).state().awaited_until(query.now));
        first_fit(self.ring.from(point), members.len(), |i| fit(members, query, i), awaited)
    }
}

/// The number of unusable points after which the members are looked at instead: there are far fewer members
/// than points.
const POINTS: usize = 64;

/// The owner of the first point whose server is ready; if there is none, of the first that is ready and was
/// tried.
///
/// # Errors
/// No member is ready, which is checked once for each member, not for each of their points; or the call waits
/// for an earlier member.
fn first_fit(
    owners: impl Iterator<Item = usize>,
    members: usize,
    fit: impl Fn(usize) -> Fit,
    awaited: impl Fn(usize) -> Option<Time>,
) -> Result<usize, NoEndpoint> {
    let mut tried = None;
    let mut is_one_ready = true; // as far as is known
    for (looked, i) in owners.enumerate() {
        if looked == POINTS {
            let has = |wanted| (0..members).any(|i| fit(i) == wanted);
            is_one_ready = has(Fit::Ready);
            if !is_one_ready && (tried.is_some() || !has(Fit::Tried)) {
                break;
            }
        }
        match fit(i) {
            Fit::Ready => return Ok(i),
            Fit::Tried if !is_one_ready => return Ok(i),
            Fit::Tried => tried = tried.or(Some(i)),
            Fit::Out => {
                if let Some(until) = awaited(i) {
                    return Err(NoEndpoint::Awaited(until));
                }
            }
        }
    }
    tried.ok_or(NoEndpoint::NoneReady)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// The result for servers of a thousand points each, and how many were looked at.
    fn found(members: usize, fit: impl Fn(usize) -> Fit) -> (Result<usize, NoEndpoint>, usize) {
        let looks = Cell::new(0);
        let owners = (0..1000 * members).map(|i| i * 7 % members);
        let found = first_fit(
            owners,
            members,
            |i| {
                looks.set(looks.get() + 1);
                fit(i)
            },
            |_| None,
        );
        (found, looks.get())
    }

    #[test]
    fn the_first_server_that_is_ready_is_found_however_many_are_out() {
        for ready in [0, 1, 500, 1999] {
            let (found, looks) = found(2000, |i| if i == ready { Fit::Ready } else { Fit::Out });
            assert_eq!(found, Ok(ready));
            assert!(looks <= 4 * 2000 + POINTS, "{looks}");
        }
    }

    #[test]
    fn one_that_was_tried_is_taken_for_want_of_others() {
        for (ready, expected) in [(Fit::Out, 700), (Fit::Ready, 900)] {
            let fit = |i| match i {
                700 => Fit::Tried,
                900 => ready,
                _ => Fit::Out,
            };
            assert_eq!(found(2000, fit).0, Ok(expected));
        }
        let all_tried = found(2000, |_| Fit::Tried);
        assert_eq!(all_tried.0, Ok(0), "the first on the ring");
        assert!(all_tried.1 <= 2000 + POINTS, "{}", all_tried.1);
    }

    #[test]
    fn where_all_are_out_each_server_is_looked_at_and_not_each_point() {
        let (found, looks) = found(2000, |_| Fit::Out);
        assert_eq!(found, Err(NoEndpoint::NoneReady));
        assert!(looks <= 2 * 2000 + POINTS, "{looks} for two million points");
    }
}
