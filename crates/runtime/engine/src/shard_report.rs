//! The report of a shard: its thread, its connections, and the polls that have blocked it.

use crate::{Shard, slow_polls::SlowPoll};
use std::{fs, time::Duration};

/// A shard at one moment. Times count from its start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShardReport {
    pub index: usize,
    /// The connections that the shard hosts, of servers and of channels.
    pub connections: usize,
    /// Number of calls in flight on the connections.
    pub calls: usize,
    /// Number of tasks of other threads that wait to be polled by the shard.
    pub inbox: usize,
    /// The number of polls of handlers.
    pub polls: u64,
    /// The number of polls that took longer than the limit of
    /// [`Builder::slow_poll`](crate::Builder::slow_poll).
    pub slow: u64,
    /// The method whose handler the shard polls now, as `service/method`.
    pub polling: Option<&'static str>,
    /// The time in which the shard's runtime did not sleep.
    pub busy: Duration,
    /// The number of times that the shard went to sleep.
    pub sleeps: u64,
    /// CPU time of the shard's thread. `None`: it has no thread of its own, or the system does not report it.
    pub cpu: Option<Duration>,
    /// The time in which the shard's thread could run and had no processor.
    pub delayed: Option<Duration>,
    /// The last polls that held it up, up to [`SLOW_POLLS`](crate::SLOW_POLLS), oldest first.
    pub slow_polls: Vec<SlowPoll>,
}

impl Shard {
    /// The current report of the shard. Looks at each of its connections, so it does not belong on a hot
    /// path.
    pub fn report(&self) -> ShardReport {
        let metrics = self.handle().metrics();
        let (polls, polling) = self.watch.look();
        let times = self.times();
        ShardReport {
            index: self.index(),
            connections: self.connections(),
            calls: self.connection_stats().iter().map(|connection| connection.calls() as usize).sum(),
            inbox: metrics.global_queue_depth(),
            polls,
            slow: self.slow_polls(),
            polling: polling.copied(),
            busy: metrics.worker_total_busy_duration(0),
            sleeps: metrics.worker_park_count(0),
            cpu: times.map(|(cpu, _)| cpu),
            delayed: times.map(|(_, delayed)| delayed),
            slow_polls: self.watch.slow_polls.list(),
        }
    }

    /// CPU time of the shard's thread, by one small read of a system file. `None`: it has no thread of its
    /// own, or the system does not report it.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.times().map(|(cpu, _)| cpu)
    }

    /// Whether the shard's thread waits for something other than a processor. False: it does not, or the
    /// system does not report it.
    pub(crate) fn is_asleep(&self) -> bool {
        let stat = self.thread().and_then(|thread| fs::read_to_string(thread.join("stat")).ok());
        // "(2) comm %s: The filename of the executable, in parentheses", which may contain any character;
        // "(3) state %c: R Running"; proc_pid_stat(5)
        let state = stat.as_ref().and_then(|stat| stat.rsplit_once(") ")?.1.chars().next());
        state.is_some_and(|state| state != 'R')
    }

    /// The CPU time of the shard's thread, and the time that the thread waited for a processor.
    fn times(&self) -> Option<(Duration, Duration)> {
        // "1) time spent on the cpu (in nanoseconds) 2) time spent waiting on a runqueue (in nanoseconds)";
        // Linux, Documentation/scheduler/sched-stats.rst
        let text = fs::read_to_string(self.thread()?.join("schedstat")).ok()?;
        let mut numbers = text.split_whitespace().map(|number| number.parse().ok().map(Duration::from_nanos));
        Some((numbers.next()??, numbers.next()??))
    }
}
