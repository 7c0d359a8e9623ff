//! Settings of links: for all clients of a server, or for one of them.

use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio::time::Instant;

/// A direction of a link, and its place in arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    ToServer = 0,
    ToClient = 1,
}

impl Direction {
    pub const BOTH: &'static [Direction] = &[Direction::ToServer, Direction::ToClient];

    pub fn back(self) -> Direction {
        match self {
            Direction::ToServer => Direction::ToClient,
            Direction::ToClient => Direction::ToServer,
        }
    }
}

/// The end of a connection after a number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// Nothing arrives any more, and neither end gets an error.
    Silence,
    /// Both ends see a reset.
    Reset,
}

/// The number of bytes that may still pass, and the event after them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub bytes: u64,
    pub fate: Ending,
}

/// A client and a server; without a client: all clients of the server.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    pub from: Option<Arc<str>>,
    pub to: Arc<str>,
}

impl Key {
    pub fn is_of(&self, from: &str, to: &str) -> bool {
        *self.to == *to && self.from.as_deref().is_none_or(|this| this == from)
    }
}

/// The settings of one direction.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rule {
    pub delay: Option<Duration>,
    pub jitter: Option<Duration>,
    /// The bandwidth in bytes per second.
    pub bandwidth: Option<u64>,
    /// The number of bytes after which new connections end.
    pub budget: Option<Budget>,
    /// Since when the link is interrupted.
    pub partition: Option<Instant>,
}

impl Rule {
    /// These settings, completed by those of a more general rule.
    fn or(self, general: Rule) -> Rule {
        Rule {
            delay: self.delay.or(general.delay),
            jitter: self.jitter.or(general.jitter),
            bandwidth: self.bandwidth.or(general.bandwidth),
            budget: self.budget.or(general.budget),
            partition: self.partition.into_iter().chain(general.partition).min(),
        }
    }
}

/// The settings of a link.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rules {
    directions: [Rule; 2],
    /// The number of bytes, in both directions together, after which new connections end.
    pub budget: Option<Budget>,
    pub refuses: Option<bool>,
}

impl Rules {
    pub fn direction(&self, direction: Direction) -> &Rule {
        &self.directions[direction as usize]
    }
    pub fn direction_mut(&mut self, direction: Direction) -> &mut Rule {
        &mut self.directions[direction as usize]
    }
}

/// The settings of all links.
#[derive(Default)]
pub(crate) struct AllRules(BTreeMap<Key, Rules>);

impl AllRules {
    pub fn entry(&mut self, key: &Key) -> &mut Rules {
        self.0.entry(key.clone()).or_default()
    }

    /// The effective settings between these two.
    pub fn between(&self, from: &Arc<str>, to: &Arc<str>) -> Rules {
        let found = |from| self.0.get(&Key { from, to: to.clone() }).copied().unwrap_or_default();
        let (own, general) = (found(Some(from.clone())), found(None));
        let [there, back] = own.directions;
        let [general_there, general_back] = general.directions;
        Rules {
            directions: [there.or(general_there), back.or(general_back)],
            budget: own.budget.or(general.budget),
            refuses: own.refuses.or(general.refuses),
        }
    }
}
