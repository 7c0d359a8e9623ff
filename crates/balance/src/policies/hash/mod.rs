//! `c_murmurhash`, `c_md5`, `c_ketama` and `ring_hash`: calls of one key go to one server.
//!
//! Every server has many points on a ring; a call goes to the server of the first point at or after its key. A server that
//! is added or removed moves only the keys next to its points. A server that is out keeps its points, and its keys go to the
//! points that follow, so that they come back with it.

mod points;
mod ring;

pub use points::RingKind;

use super::Policy;
use crate::{
    Members, NoEndpoint, Query,
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

    /// For each member the part of the ring that is its own; together 1.
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
            // The rings of brpc are of 32 bits, which are the upper ones here.
            (Some(key), _) => key << 32,
            (None, _) => return Err(NoEndpoint::NoKey),
        };
        let mut tried = None;
        for i in self.ring.from(point) {
            match fit(members, query, i) {
                Fit::Ready => return Ok(i),
                Fit::Tried => tried = tried.or(Some(i)),
                Fit::Out => {}
            }
        }
        tried.ok_or(NoEndpoint::NoneReady)
    }
}
