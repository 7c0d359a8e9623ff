//! `rr`: each server in its turn.

use super::Policy;
use crate::{
    Members, NoEndpoint, Query,
    parts::{Turns, suits, walk},
};

/// Turns that fall on servers which cannot be used, before the others are searched one by one. Whoever is skipped in this
/// way loses the turn, so the others share its calls evenly.
pub(super) const SKIPPED: usize = 16;

/// Every thread takes its own turns and begins at a random server.
#[derive(Debug)]
pub struct RoundRobin {
    turns: Turns,
}

impl RoundRobin {
    pub fn new(random: &mut fastrand::Rng) -> Self {
        RoundRobin { turns: Turns::new(random) }
    }
}

impl Policy for RoundRobin {
    #[inline]
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let n = members.len() as u64;
        let thread = query.thread;
        let turn = || (self.turns.next(thread) % n) as usize;
        let mut chosen = turn();
        for _ in 0..SKIPPED {
            if suits(members, query, chosen) {
                return Ok(chosen);
            }
            chosen = turn();
        }
        walk(members, query, chosen)
    }
}
