//! `random`: any server.

use super::{Policy, round_robin::SKIPPED};
use crate::{
    Members, NoEndpoint, Query,
    parts::{suits, walk},
};

/// Each server that is ready with the same probability.
#[derive(Debug)]
pub struct Random;

impl Policy for Random {
    #[inline]
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let mut chosen = query.random.usize(..members.len());
        for _ in 0..SKIPPED {
            if suits(members, query, chosen) {
                return Ok(chosen);
            }
            chosen = query.random.usize(..members.len());
        }
        walk(members, query, chosen)
    }
}
