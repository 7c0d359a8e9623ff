//! `random`: any server.

use super::Policy;
use crate::{Members, NoEndpoint, Query, parts::take};

/// Chooses each ready server with the same probability.
#[derive(Debug)]
pub struct Random;

impl Policy for Random {
    #[inline]
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        take(members, query, |query| query.random.usize(..members.len()))
    }
}
