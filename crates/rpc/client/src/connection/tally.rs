//! Counts the tries on the connections to a server, by how they ended.
//!
//! ```text
//!  connection ─► Tally: its own, in memory that no other thread writes ─┐
//!  connection ─► Tally ─────────────────────────────────────────────────┼─► Ledger::counts, when somebody asks
//!  connections that have ended: Ledger::closed ─────────────────────────┘
//! ```
//!
//! A try costs two additions to memory that only its connection writes: no lock, no allocation, no atomic
//! read-modify-write.

use crate::connection::handle::Handle;
use polywire_base::lock;
use polywire_engine::{ConnectionStats, clock};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// How many tries have begun, and how those that have ended did so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub started: u64,
    /// Tries that ended with OK.
    pub succeeded: u64,
    /// Tries that ended with an error or were given up.
    pub failed: u64,
    /// When the latest try started, to the millisecond.
    pub last: Option<Instant>,
}

impl Counts {
    pub fn in_flight(&self) -> u64 {
        self.started.saturating_sub(self.succeeded + self.failed)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.started += other.started;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.last = self.last.max(other.last);
    }
}

impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        let mut sum = Counts::default();
        all.for_each(|counts| sum += counts);
        sum
    }
}

/// The tries of one connection. The thread that drives the connection writes it; any thread reads it.
#[repr(align(128))] // callers write to what lies beside it
pub(super) struct Tally {
    started: AtomicU64,
    succeeded: AtomicU64,
    failed: AtomicU64,
    /// When the latest try started, in milliseconds after `since`, plus 1; 0: none has started.
    last: AtomicU64,
    since: Instant,
}

/// Adds to a counter that no other thread writes.
#[inline]
fn add(counter: &AtomicU64, n: u64) {
    counter.store(counter.load(Relaxed).wrapping_add(n), Relaxed);
}

impl Tally {
    pub fn new() -> Self {
        Tally {
            started: AtomicU64::new(0),
            succeeded: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            last: AtomicU64::new(0),
            since: clock::now(),
        }
    }

    #[inline]
    pub fn started(&self) {
        add(&self.started, 1);
    }

    /// Records `now` as the start of the latest try; called once for a batch.
    #[inline]
    pub fn started_at(&self, now: Instant) {
        self.last.store(now.saturating_duration_since(self.since).as_millis() as u64 + 1, Relaxed);
    }

    #[inline]
    pub fn ended(&self, is_ok: bool) {
        add(if is_ok { &self.succeeded } else { &self.failed }, 1);
    }

    /// Takes back one started try: it is started again on another connection, which counts it.
    #[cold]
    pub fn moved(&self) {
        add(&self.started, u64::MAX);
    }

    pub fn counts(&self) -> Counts {
        let last = self.last.load(Relaxed).checked_sub(1);
        Counts {
            succeeded: self.succeeded.load(Relaxed),
            failed: self.failed.load(Relaxed),
            started: self.started.load(Relaxed),
            last: last.and_then(|ms| self.since.checked_add(Duration::from_millis(ms))),
        }
    }
}

/// The open connections to a server, and the counts of those that have ended.
#[cfg_attr(not(feature = "channelz"), allow(dead_code))]
pub(crate) struct Ledger {
    since: Instant,
    entries: Mutex<Entries>,
}

impl Default for Ledger {
    fn default() -> Self {
        Ledger { since: clock::now(), entries: Mutex::default() }
    }
}

#[derive(Default)]
struct Entries {
    closed: Counts,
    open: Vec<Arc<Handle>>,
}

#[cfg_attr(not(feature = "channelz"), allow(dead_code))]
impl Ledger {
    /// The time from which on tries are counted.
    pub fn since(&self) -> Instant {
        self.since
    }

    pub(super) fn opened(&self, handle: &Arc<Handle>) {
        lock(&self.entries).open.push(handle.clone());
    }

    pub(super) fn closed(&self, handle: &Arc<Handle>) {
        let mut entries = lock(&self.entries);
        if let Some(at) = entries.open.iter().position(|open| Arc::ptr_eq(open, handle)) {
            let handle = entries.open.swap_remove(at);
            entries.closed += handle.tally.counts();
        }
    }

    /// The counts of all tries so far.
    pub fn counts(&self) -> Counts {
        let entries = lock(&self.entries);
        let mut counts: Counts = entries.open.iter().map(|handle| handle.tally.counts()).sum();
        counts += entries.closed;
        counts
    }

    /// The number of open connections, and of those that are being made.
    pub fn connections(&self) -> (usize, usize) {
        let entries = lock(&self.entries);
        let made = entries.open.iter().filter(|handle| handle.is_connected()).count();
        (made, entries.open.len() - made)
    }

    /// The open connections, except those that blocking callers drive on their own threads.
    pub fn sockets(&self) -> Vec<Arc<ConnectionStats>> {
        lock(&self.entries).open.iter().filter_map(|handle| handle.connection_stats().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_that_have_ended_stay_in_the_sum() {
        let ledger = Ledger::default();
        let (one, _desk) = Handle::new();
        let (other, _desk) = Handle::new();
        for handle in [&one, &other] {
            ledger.opened(handle);
            handle.tally.started();
            handle.tally.started();
            handle.tally.ended(true);
        }
        assert_eq!(ledger.connections(), (0, 2));
        one.tally.ended(false);
        other.tally.moved();
        ledger.closed(&one);
        ledger.closed(&one);
        let counts = ledger.counts();
        assert_eq!((counts.started, counts.succeeded, counts.failed, counts.in_flight()), (3, 2, 1, 0));
        assert_eq!((ledger.connections(), counts.last), ((0, 1), None));
    }
}
