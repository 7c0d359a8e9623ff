//! One route: the calls that it matches, and their destination.

use crate::{Fault, HashPolicy, Matcher, RetryPolicy};
use std::time::Duration;

/// The calls that a route matches, and their destination.
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
    /// The route's name in [`Why`]. Empty: its number in the table.
    ///
    /// [`Why`]: https://docs.rs/polywire-client
    pub name: String,
    pub matcher: Matcher,
    pub action: Action,
    /// The maximum duration of a call; a shorter timeout of the call holds. `None`: only the call's own
    /// timeout.
    pub max_duration: Option<Duration>,
    /// The retry policy of the calls, in place of the channel's. `None`: the channel's.
    pub retry: Option<RetryPolicy>,
    /// How the key of a call is made that has none, for balancers that hash.
    pub hashes: Vec<HashPolicy>,
    /// Faults that are injected into calls, in this order.
    pub faults: Vec<Fault>,
}

/// The destination of a route's calls.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Action {
    /// The calls go to clusters, in shares by weight.
    To(Vec<Target>),
    /// The calls fail as UNAVAILABLE with this text.
    Fail(String),
}

/// A cluster that takes a share of the calls of a route.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Target {
    /// The cluster's name in the table.
    pub cluster: String,
    /// The target's weight relative to the others; 0: it gets no calls.
    pub weight: u32,
    /// The faults of this target, in place of those of the route.
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

    /// Sets the maximum duration of a call; a shorter timeout of the call holds.
    #[must_use]
    pub fn max_duration(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.max_duration = limit.into();
        self
    }

    /// Sets the retry policy of the calls, in place of the channel's.
    #[must_use]
    pub fn retry(mut self, policy: impl Into<Option<RetryPolicy>>) -> Self {
        self.retry = policy.into();
        self
    }

    /// Adds a hash policy, from which the keys of calls are made.
    #[must_use]
    pub fn hash(mut self, policy: HashPolicy) -> Self {
        self.hashes.push(policy);
        self
    }

    /// Adds a fault that is injected into calls.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }
}

impl Target {
    /// A target for all calls, or for an equal share of them.
    pub fn new(cluster: impl Into<String>) -> Self {
        Target { cluster: cluster.into(), weight: 1, faults: None }
    }

    /// Sets the weight relative to the other targets; 0: it gets no calls. The weights of a route add up to
    /// at most 2^32 - 1.
    #[must_use]
    pub fn weight(mut self, weight: u32) -> Self {
        self.weight = weight;
        self
    }

    /// Sets the faults of this target, in place of those of the route.
    #[must_use]
    pub fn faults(mut self, faults: impl Into<Option<Vec<Fault>>>) -> Self {
        self.faults = faults.into();
        self
    }
}

impl From<&str> for Action {
    /// A target for all calls: this cluster.
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
