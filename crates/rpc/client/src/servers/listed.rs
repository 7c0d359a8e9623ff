//! The connections of a channel to each of its servers, for channelz.

use super::{Connectivity, Servers};
use crate::{connection::tally::Counts, pool::Pool};
use std::sync::Arc;

impl Servers {
    /// The connections to each server, and the server's connectivity.
    pub fn pools(&self) -> Vec<(Arc<Pool>, Connectivity)> {
        match self {
            Servers::One(pool) => vec![(pool.clone(), Connectivity::of(pool))],
            Servers::Many(fleet) => fleet.pools(),
            Servers::Routed(routed) => routed.pools(),
            Servers::Combined(_) => Vec::new(),
        }
    }

    pub fn counts(&self) -> Counts {
        match self {
            Servers::One(pool) => pool.spec().ledger.counts(),
            Servers::Many(fleet) => fleet.counts(),
            Servers::Routed(routed) => routed.counts(),
            Servers::Combined(_) => Counts::default(),
        }
    }

    pub fn connectivity(&self) -> Connectivity {
        match self {
            Servers::One(pool) => Connectivity::of(pool),
            Servers::Combined(_) => Connectivity::Idle,
            several => {
                let pools = several.pools();
                match (pools.is_empty(), several.source_error()) {
                    (false, _) => Connectivity::of_all(pools.into_iter().map(|(_, state)| state)),
                    (true, None) => Connectivity::Connecting,
                    (true, Some(_)) => Connectivity::TransientFailure,
                }
            }
        }
    }

    /// The error of the source or router's last attempt, or that it lists no servers.
    fn source_error(&self) -> Option<String> {
        let why = self.state();
        why.source_error.or_else(|| why.is_known.then(|| "no servers".to_owned()))
    }
}
