//! `rr`: each server in its turn.

use super::Policy;
use crate::{
    Members, NoEndpoint, Query,
    parts::{Turns, take},
};

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
        take(members, query, |query| (self.turns.next(query.thread) % n) as usize)
    }
}
