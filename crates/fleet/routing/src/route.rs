//! One route: which calls it is for, and what is done with them.

use crate::{Fault, HashPolicy, Matcher, RetryPolicy};
use std::time::Duration;

/// Which calls it is for, and what is done with them.
///
/// ```
/// use polywire_routing::{PathMatch, Route, Target};
/// use std::time::Duration;
///
/// // One call in ten goes to the servers of the new version.
/// let split = [Target::new("stable").weight(9), Target::new("canary").weight(1)];
/// let route = Route::new(PathMatch::service("shop.Cart"), split).max_duration(Duration::from_millis(300));
/// # let _ = route;
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Route {
    /// What [`Why`] calls it. Empty: its number in the table.
    ///
    /// [`Why`]: https://docs.rs/polywire-client
    pub name: String,
    pub matcher: Matcher,
    pub action: Action,
    /// How long a call may take in all, if it does not ask for less. `None`: as long as it asks for.
    pub max_duration: Option<Duration>,
    /// Which failed attempts are followed by another one, in place of what the channel says. `None`: the
    /// channel says it.
    pub retry: Option<RetryPolicy>,
    /// By what the key of a call is made that has none, for balancers that hash.
    pub hashes: Vec<HashPolicy>,
    /// Faults that are injected into calls, in this order.
    pub faults: Vec<Fault>,
}

/// What is done with the calls of a route.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Action {
    /// They go to clusters, in shares by weight.
    To(Vec<Target>),
    /// They fail as UNAVAILABLE with this text.
    Fail(String),
}

/// A cluster that takes a share of the calls of a route.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Target {
    /// Its name in the table.
    pub cluster: String,
    /// Its share beside those of the others; 0: none.
    pub weight: u32,
    /// In place of the faults of the route.
    pub faults: Option<Vec<Fault>>,
}

impl Route {
    pub fn new(matcher: impl Into<Matcher>, action: impl Into<Action>) -> Self {
        Route {
            name: String::new(),
            matcher: matcher.into(),
            action: action.into(),
            max_duration: None,
            retry: None,
            hashes: Vec::new(),
            faults: Vec::new(),
        }
    }

    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// How long a call may take in all, if it does not ask for less.
    #[must_use]
    pub fn max_duration(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.max_duration = limit.into();
        self
    }

    /// Which failed attempts are followed by another one, in place of what the channel says.
    #[must_use]
    pub fn retry(mut self, policy: impl Into<Option<RetryPolicy>>) -> Self {
        self.retry = policy.into();
        self
    }

    /// With something more by which the keys of calls are made.
    #[must_use]
    pub fn hash(mut self, policy: HashPolicy) -> Self {
        self.hashes.push(policy);
        self
    }

    /// With a fault more that is injected into calls.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }
}

impl Target {
    /// All calls, or an equal share.
    pub fn new(cluster: impl Into<String>) -> Self {
        Target { cluster: cluster.into(), weight: 1, faults: None }
    }

    /// Its share beside those of the others; 0: none. Those of a route are at most 2^32 - 1 together.
    #[must_use]
    pub fn weight(mut self, weight: u32) -> Self {
        self.weight = weight;
        self
    }

    /// In place of the faults of the route.
    #[must_use]
    pub fn faults(mut self, faults: impl Into<Option<Vec<Fault>>>) -> Self {
        self.faults = faults.into();
        self
    }
}

impl From<&str> for Action {
    /// All calls go to this cluster.
    fn from(cluster: &str) -> Self {
        Action::To(vec![Target::new(cluster)])
    }
}

impl From<Vec<Target>> for Action {
    fn from(targets: Vec<Target>) -> Self {
        Action::To(targets)
    }
}

impl<const N: usize> From<[Target; N]> for Action {
    fn from(targets: [Target; N]) -> Self {
        Action::To(targets.into())
    }
}
