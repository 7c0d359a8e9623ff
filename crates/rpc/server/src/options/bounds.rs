//! Limits on a server's calls, connections and memory.

use crate::{limits::Concurrency, table::INLINE_BUDGET};
use polywire_call::ConfigError;
use polywire_engine::{
    backlog::Shedding,
    memory::{Memory, usual_budget},
};
use std::{sync::Arc, time::Duration};

/// Limits on a server's calls, connections and memory, over all its peers and methods: docs/overload.md.
/// `None` always means: no limit.
///
/// ```
/// # mod polywire { pub use polywire_server::*; }
/// use polywire::{Auto, Bounds};
///
/// let bounds = Bounds::default().concurrency(Auto::default()).memory(2 << 30).connections(10_000);
/// // Server::new().bounds(bounds)
/// # let _ = bounds;
/// ```
///
/// [`Limits`](polywire_wire::Limits) are of each peer, [`Timeouts`](polywire_engine::Timeouts) of each
/// connection.
#[derive(Clone, Debug)]
#[must_use]
pub struct Bounds {
    pub(crate) concurrency: Concurrency,
    pub(crate) method_concurrency: Concurrency,
    pub(crate) connections: Option<usize>,
    memory: Budget,
    connection_memory: Option<usize>,
    pub(crate) shedding: Option<Shedding>,
    pub(crate) inline_budget: Duration,
}

#[derive(Clone, Debug)]
enum Budget {
    /// Half of the memory that is granted to the process.
    Usual,
    Given(Option<usize>),
    /// The counter of several servers.
    Shared(Option<Arc<Memory>>),
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            concurrency: Concurrency::Unlimited,
            method_concurrency: Concurrency::Unlimited,
            connections: None,
            memory: Budget::Usual,
            connection_memory: None,
            shedding: Some(Shedding::default()),
            inline_budget: INLINE_BUDGET,
        }
    }
}

impl Bounds {
    /// Maximum number of calls in flight over all methods: a number, or a limit that adapts to measurements
    /// ([`Auto`](crate::Auto), [`Timeout`](crate::Timeout)). Further ones are refused with ELIMIT, except
    /// those of pages and built-in services. Default: no limit.
    /// [`Running::set_max_concurrency`](crate::Running::set_max_concurrency) changes it.
    pub fn concurrency(mut self, most: impl Into<Concurrency>) -> Self {
        self.concurrency = most.into();
        self
    }

    /// The limit of each method of the application that does not set its own
    /// ([`Method::max_concurrency`](crate::Method::max_concurrency)). Default: no limit.
    pub fn method_concurrency(mut self, most: impl Into<Concurrency>) -> Self {
        self.method_concurrency = most.into();
        self
    }

    /// Maximum number of open connections. Further ones are closed as soon as they are accepted; with pages
    /// except for some from the same machine, so that an operator reaches them. Default: no limit.
    pub fn connections(mut self, most: impl Into<Option<usize>>) -> Self {
        self.connections = most.into();
        self
    }

    /// Maximum number of bytes that all connections may hold together: received, assembled, of requests in
    /// flight, unsent. From 80 % on, the connections that hold most are not read, and from 90 % on calls are
    /// refused with ELIMIT. A connection that could not continue for 5 s because of this is closed. Default:
    /// half of what the control group or the machine grants, for each server of a process. `None`: no limit,
    /// and nothing is counted.
    pub fn memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.memory = Budget::Given(bytes.into());
        self
    }

    /// Maximum number of bytes that one connection may hold before it is read no further. A longer message
    /// can then not be received. Default: no limit.
    pub fn connection_memory(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.connection_memory = bytes.into();
        self
    }

    /// Servers that get clones of these bounds have one budget for memory together, in place of one each.
    /// Said after [`Bounds::memory`] and [`Bounds::connection_memory`], whose limits it has.
    pub fn shared_memory(mut self) -> Self {
        self.memory = Budget::Shared(self.budget());
        self
    }

    /// When calls are shed that wait for a worker of the pool, which runs the handlers that are not quick;
    /// `None`: all of them wait, without a time limit. Default [`Shedding::default`].
    pub fn shedding(mut self, shedding: impl Into<Option<Shedding>>) -> Self {
        self.shedding = shedding.into();
        self
    }

    /// CPU time that one poll of a handler may take and still count as quick, see `polywire_engine::inline`.
    /// Default 100 µs.
    pub fn inline_budget(mut self, budget: Duration) -> Self {
        self.inline_budget = budget;
        self
    }

    /// # Errors
    /// A limit is zero, so that the server would answer nothing.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let memory = matches!(self.memory, Budget::Given(Some(0)));
        let zeros = [
            ("bounds.concurrency", self.concurrency.is_zero()),
            ("bounds.method_concurrency", self.method_concurrency.is_zero()),
            ("bounds.connections", self.connections == Some(0)),
            ("bounds.memory", memory),
            ("bounds.connection_memory", self.connection_memory == Some(0)),
        ];
        let Some((option, _)) = zeros.into_iter().find(|(_, zero)| *zero) else { return Ok(()) };
        Err(ConfigError::new(option, format!("{option}(0) leaves nothing: None is no limit")).with_value("0"))
    }

    /// The budget of memory; `None`: there is no limit. After [`Bounds::shared_memory`] it is that of the
    /// servers, and may be that of channels, too, whose replies count in it then.
    pub fn budget(&self) -> Option<Arc<Memory>> {
        let all = match &self.memory {
            Budget::Usual => usual_budget(),
            Budget::Given(bytes) => *bytes,
            Budget::Shared(memory) => return memory.clone(),
        };
        let limited = all.is_some() || self.connection_memory.is_some();
        let most = |bytes: Option<usize>| bytes.unwrap_or(usize::MAX);
        limited.then(|| Arc::new(Memory::new(most(all), most(self.connection_memory))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_a_budget_only_if_that_is_said() {
        let budget = |bounds: &Bounds| bounds.budget().expect("a limit");
        let each = Bounds::default().memory(1 << 20).connection_memory(1 << 10);
        assert!(!Arc::ptr_eq(&budget(&each), &budget(&each.clone())));
        let together = each.shared_memory();
        let (one, other) = (budget(&together), budget(&together.clone()));
        assert!(Arc::ptr_eq(&one, &other));
        assert_eq!((one.limit(), one.connection_limit()), (1 << 20, 1 << 10));
        assert!(Bounds::default().memory(None).shared_memory().budget().is_none());
    }
}
