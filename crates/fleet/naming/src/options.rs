//! Options of watching a source.

use std::time::Duration;

/// Options of watching a source.
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
    /// How long a source has to report an empty set before the servers of the last set are dropped. Default:
    /// 30 s.
    ///
    /// With an empty set every call fails at once. If the servers have really gone, keeping them is hardly
    /// worse, since they refuse connections; and registries that lose their health checks, files that are
    /// being rewritten, and selectors that are edited recover within seconds. With a shorter time, an
    /// accident at the source stops all calls. With a longer one, calls to a service that was taken down
    /// continue to fail by connecting. With zero, empty sets are accepted like others. The first set may be
    /// empty.
    #[must_use]
    pub fn empty_after(mut self, limit: Duration) -> Self {
        self.empty_after = limit;
        self
    }

    /// The time between two sets that are delivered. Default: 1 s, as in kube-proxy.
    ///
    /// Changes in between are combined, so that a source that changes with every answer does not keep its
    /// channels busy. The first change after a quiet time is delivered at once. A shorter time means more
    /// work for balancers while hundreds of servers come and go. With a longer one, servers are found later
    /// when several come one after the other.
    #[must_use]
    pub fn set_interval(mut self, interval: Duration) -> Self {
        self.set_interval = interval;
        self
    }

    /// The time between two lookups that users of the set request ([`crate::Watched::want`]). Default: 1 s,
    /// 20 % more or less.
    ///
    /// With a shorter time, thousands of clients whose servers have gone overload the source. With a longer
    /// one, new addresses are found later.
    #[must_use]
    pub fn want_interval(mut self, interval: Duration) -> Self {
        self.want_interval = interval;
        self
    }

    /// The greatest number of servers in a set. Default: 100 000. Of a larger set, the first in the order of
    /// their addresses are used, the same each time, and a warning is logged.
    #[must_use]
    pub fn max_servers(mut self, servers: usize) -> Self {
        self.max_servers = servers;
        self
    }
}
