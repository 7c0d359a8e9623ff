//! Reports of the limits' decisions, for pages and programs.

use super::Concurrency;
use polywire_engine::{backlog::BacklogReport, memory::MemoryReport};
use std::time::Duration;

/// The decisions of one limiter.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LimiterReport {
    /// The limit as it was set by an option or a flag: a number, or how one is found.
    pub setting: Concurrency,
    /// Calls that may be under way now; `None`: any number.
    pub limit: Option<u32>,
    /// The number of calls under way. Without a limit nothing is counted.
    pub current: u32,
    /// The highest number of calls that were under way at once.
    pub highest: u32,
    /// Calls that were refused.
    pub refused: u64,
    /// The latency that the limit depends on: the lowest one lately for `auto`, the average for `timeout`.
    pub latency: Option<Duration>,
}

/// The limits of one method.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MethodLimits {
    pub service: &'static str,
    pub method: &'static str,
    pub concurrency: LimiterReport,
    /// The memory of its requests in flight; `None`: there is no memory budget.
    pub memory: Option<MemoryReport>,
}

/// The number of connections.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ConnectionsReport {
    pub limit: Option<usize>,
    pub current: usize,
    /// Connections that were closed as soon as they were accepted.
    pub refused: u64,
}

/// The decisions of a server's limits, see [`Running::overload`](crate::Running::overload).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OverloadReport {
    /// The limiter over all methods.
    pub server: LimiterReport,
    /// The memory that connections hold; `None`: it has no budget.
    pub memory: Option<MemoryReport>,
    /// Connections that are open, of how many (`None`: any number), and how many were turned away.
    pub connections: ConnectionsReport,
    /// The calls that wait for a worker; `None`: they are not shed.
    pub backlog: Option<BacklogReport>,
    /// The limiters of the application's methods.
    pub methods: Vec<MethodLimits>,
}
