//! What limits have decided, for pages and programs.

use super::Concurrency;
use polywire_engine::{backlog::BacklogReport, memory::MemoryReport};
use std::time::Duration;

/// What one limiter has decided.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LimiterReport {
    /// How it is set.
    pub setting: Concurrency,
    /// Calls that may be under way now; `None`: any number.
    pub limit: Option<u32>,
    /// Calls that are under way. Without a limit nothing is counted.
    pub current: u32,
    /// Most calls that were under way at once.
    pub highest: u32,
    /// Calls that were refused.
    pub refused: u64,
    /// The latency that it goes by: the lowest one lately of `auto`, the average of `timeout`.
    pub latency: Option<Duration>,
}

/// The limits of one method.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MethodLimits {
    pub service: &'static str,
    pub method: &'static str,
    pub concurrency: LimiterReport,
    /// Of its requests in flight; `None`: they have no budget.
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

/// What a server's limits have decided, see [`Running::overload`](crate::Running::overload).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OverloadReport {
    /// Over all methods.
    pub server: LimiterReport,
    /// Of the memory that connections hold; `None`: it has no budget.
    pub memory: Option<MemoryReport>,
    /// Connections that are open, of how many (`None`: any number), and how many were turned away.
    pub connections: ConnectionsReport,
    /// Of calls that wait for a worker; `None`: they are not shed.
    pub backlog: Option<BacklogReport>,
    /// Of each method of the application.
    pub methods: Vec<MethodLimits>,
}
