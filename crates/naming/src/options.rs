//! How a source is watched.

use std::time::Duration;

/// How a source is watched.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct WatchOptions {
    pub(crate) empty_after: Duration,
    pub(crate) set_interval: Duration,
    pub(crate) want_interval: Duration,
    pub(crate) max_servers: usize,
}

impl Default for WatchOptions {
    fn default() -> Self {
        WatchOptions {
            empty_after: Duration::from_secs(30),
            set_interval: Duration::from_secs(1),
            want_interval: Duration::from_secs(1),
            max_servers: 100_000,
        }
    }
}

impl WatchOptions {
    /// How long a source has to say that there are no servers before those that it named earlier are given up. Default: 30 s.
    ///
    /// With an empty set every call fails at once, while servers that are really gone refuse connections, which is hardly worse.
    /// Registries that lose their health checks, files that are written anew and selectors that are edited are back within
    /// seconds. Shorter: an accident at the source stops all calls. Longer: calls to a service that was taken down go on failing
    /// by connecting. Zero takes empty sets like others. The first set may be empty.
    #[must_use]
    pub fn empty_after(mut self, limit: Duration) -> Self {
        self.empty_after = limit;
        self
    }

    /// The time between two sets that are handed on. Default: 1 s, as kube-proxy has it.
    ///
    /// What comes in between is taken together, so that a source that changes with every answer does not keep its channels
    /// busy. The first change after a quiet time is handed on at once. Shorter: more work for balancers while servers come and
    /// go by the hundred. Longer: servers are found later when several come one after the other.
    #[must_use]
    pub fn set_interval(mut self, interval: Duration) -> Self {
        self.set_interval = interval;
        self
    }

    /// The time between two looks that users of the set ask for ([`crate::Watched::want`]). Default: 1 s, 20 % more or less.
    ///
    /// Shorter: thousands of clients whose servers are gone press upon the source. Longer: new addresses are found later.
    #[must_use]
    pub fn want_interval(mut self, interval: Duration) -> Self {
        self.want_interval = interval;
        self
    }

    /// How many servers a set may have. Default: 100 000. Of more, the first in the order of their addresses are taken, the same
    /// each time, and a warning says so.
    #[must_use]
    pub fn max_servers(mut self, servers: usize) -> Self {
        self.max_servers = servers;
        self
    }
}
