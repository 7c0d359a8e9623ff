//! A memory budget that connections share: their memory is charged to it, and from 80 % of it on the largest
//! ones are not read.
//!
//! ```text
//!  used:  0 ................ 80 % ............... 90 % .............. 100 %
//!                            |                    `- new calls are refused
//!                            `- a connection is read only while it holds less than an eighth of what is free, so the largest
//!                               wait first, and all of them before the budget is spent
//! ```
//!
//! Source: the rule of the eighth is the dynamic threshold of shared-memory switches (Choudhury and Hahne,
//!         1998).

mod charge;
mod granted;

pub use charge::Charge;
pub use granted::{limit_of_group, usual_budget};

use crate::os;
use std::{
    ops::AddAssign,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    thread,
    time::Duration,
};

/// A budget in bytes, and the amount charged to it. Shared by the connections of a server.
#[derive(Debug)]
pub struct Memory {
    limit: AtomicUsize,
    /// While less than this is used, connections that hold little are read without a further check.
    plenty: AtomicUsize,
    /// The maximum that one connection may hold before it is read no further.
    connection: AtomicUsize,
    used: AtomicUsize,
    highest: AtomicUsize,
    /// Highest since memory was given back to the system.
    peak: AtomicUsize,
    held_back: AtomicU64,
    refused: AtomicU64,
    closed: AtomicU64,
}

/// The decisions of a memory budget.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MemoryReport {
    /// The limit in bytes.
    pub limit: usize,
    /// Bytes that connections hold now: received, assembled, of requests in flight, inflated, unsent.
    pub used: usize,
    /// The highest use so far.
    pub highest: usize,
    /// The number of times that a connection was not read for a while.
    pub held_back: u64,
    /// Calls that were refused.
    pub refused: u64,
    /// Connections that were closed, since they held much memory and could not continue.
    pub closed: u64,
}

/// The memory of a connection, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldBytes {
    /// Read, and not taken by a machine.
    pub input: usize,
    /// Parts of messages in the machines.
    pub assembled: usize,
    /// Requests in flight, where they are counted.
    pub requests: usize,
    /// Messages that were decompressed for handlers, or that these pass on to other peers. They are charged
    /// to the budget where that is done.
    pub inflated: usize,
    /// Bytes that are not yet written to the socket.
    pub unsent: usize,
}

impl HeldBytes {
    /// The sum of all parts.
    pub fn sum(&self) -> usize {
        self.input + self.assembled + self.requests + self.inflated + self.unsent
    }
}

impl AddAssign for HeldBytes {
    fn add_assign(&mut self, other: HeldBytes) {
        self.input += other.input;
        self.assembled += other.assembled;
        self.requests += other.requests;
        self.inflated += other.inflated;
        self.unsent += other.unsent;
    }
}

/// The memory of an open connection besides the counted parts: its task, its counters, its machine.
pub const CONNECTION_BYTES: usize = 8 << 10;
/// How long a connection that holds more than others is not read before it is closed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// The maximum error of a charge, so that a connection which holds little does not write to the shared
/// counter: a 65 536th of the budget, and at most this.
const SLACK: usize = 16 << 10;
/// How long a peer that reads nothing may keep its unsent bytes in memory while memory is scarce.
pub(crate) const STALL: Duration = Duration::from_secs(30);
/// The number of freed bytes from which on memory is returned to the system, once at most half of the peak is
/// in use.
const MUCH: usize = 16 << 20;
/// The delay after that: memory is freed a little after its charge has ended.
const SOON: Duration = Duration::from_secs(1);
/// The interval at which the connection checks again whether it may be read.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// The use of a budget from which on the largest connections are not read.
#[inline]
fn much(limit: usize) -> usize {
    limit / 10 * 8
}

/// The use of a budget from which on connections that hold little are checked: what [`Memory::lets_read`]
/// allows them.
fn plenty(limit: usize, connection: usize) -> usize {
    if connection > SLACK { much(limit) } else { 0 }
}

impl Memory {
    /// A budget of `limit` bytes, of which a connection may hold `connection`.
    pub fn new(limit: usize, connection: usize) -> Self {
        Memory {
            limit: AtomicUsize::new(limit.max(1)),
            plenty: AtomicUsize::new(plenty(limit, connection)),
            connection: AtomicUsize::new(connection),
            used: AtomicUsize::new(0),
            highest: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            held_back: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            closed: AtomicU64::new(0),
        }
    }

    /// The limit in bytes.
    #[inline]
    pub fn limit(&self) -> usize {
        self.limit.load(Relaxed)
    }

    /// Replaces the limit, at least 1 byte. Connections above the new limit are then read no further.
    pub fn set_limit(&self, bytes: usize) {
        self.limit.store(bytes.max(1), Relaxed);
        self.plenty.store(plenty(bytes, self.connection_limit()), Relaxed);
    }

    /// The maximum in bytes that one connection may hold before it is read no further.
    pub fn connection_limit(&self) -> usize {
        self.connection.load(Relaxed)
    }

    /// Sets the limit of one connection.
    pub fn set_connection_limit(&self, bytes: usize) {
        self.connection.store(bytes, Relaxed);
        self.plenty.store(plenty(self.limit(), bytes), Relaxed);
    }

    /// The decisions so far.
    pub fn report(&self) -> MemoryReport {
        MemoryReport {
            limit: self.limit(),
            used: self.used.load(Relaxed),
            highest: self.highest.load(Relaxed),
            held_back: self.held_back.load(Relaxed),
            refused: self.refused.load(Relaxed),
            closed: self.closed.load(Relaxed),
        }
    }

    /// Whether a new call is let in. A refusal counts.
    #[inline]
    pub fn admits(&self) -> bool {
        let full = self.used.load(Relaxed) >= self.limit() / 10 * 9;
        if full {
            self.refused.fetch_add(1, Relaxed);
        }
        !full
    }

    /// Whether `bytes` more bytes fit. A refusal is counted.
    pub fn fits(&self, bytes: usize) -> bool {
        let fits = self.used.load(Relaxed).saturating_add(bytes) <= self.limit();
        if !fits {
            self.refused.fetch_add(1, Relaxed);
        }
        fits
    }

    /// Charges `bytes` more bytes if they fit. A refusal is counted. Threads that ask at the same moment may
    /// exceed the limit, by what one of them is given each.
    pub fn take(&self, bytes: usize) -> bool {
        let fits = self.fits(bytes);
        if fits {
            self.recharge(0, bytes);
        }
        fits
    }

    /// Whether so little of the budget is used that a connection which holds little may be read without a
    /// further check.
    #[inline]
    pub(crate) fn has_plenty(&self) -> bool {
        self.used.load(Relaxed) < self.plenty.load(Relaxed)
    }

    /// Whether a connection that holds `held` bytes may be read.
    #[inline]
    pub(crate) fn lets_read(&self, held: usize) -> bool {
        let (used, limit) = (self.used.load(Relaxed), self.limit());
        held < self.connection.load(Relaxed)
            && (used < much(limit) || held.max(CONNECTION_BYTES) < limit.saturating_sub(used) / 8)
    }

    /// Whether half of the budget is used, so that no memory is kept for reuse, and peers that read nothing
    /// may keep less memory, for a shorter time.
    #[inline]
    pub fn is_tight(&self) -> bool {
        self.used.load(Relaxed) >= self.limit() / 2
    }

    /// The number of bytes by which the charge of a connection may differ from its memory.
    #[inline]
    pub(crate) fn slack(&self) -> usize {
        (self.limit() >> 16).min(SLACK)
    }

    /// Replaces the charge of a connection or a call.
    #[inline]
    pub fn recharge(&self, before: usize, now: usize) {
        if now > before {
            let used = self.used.fetch_add(now - before, Relaxed) + (now - before);
            if used > self.peak.load(Relaxed) {
                self.peak.fetch_max(used, Relaxed);
                self.highest.fetch_max(used, Relaxed);
            }
        } else if now < before {
            let used = self.used.fetch_sub(before - now, Relaxed) - (before - now);
            let peak = self.peak.load(Relaxed);
            if peak >= used.saturating_mul(2) && peak - used >= MUCH {
                self.give_back(used);
            }
        }
    }

    /// Returns memory to the system when much less is used than before.
    #[cold]
    fn give_back(&self, used: usize) {
        self.peak.store(used, Relaxed);
        trim();
    }

    pub(crate) fn note_held_back(&self) {
        self.held_back.fetch_add(1, Relaxed);
    }

    pub(crate) fn note_closed(&self) {
        self.closed.fetch_add(1, Relaxed);
    }
}

/// Returns the free memory of the allocator to the system, soon, and on a thread of its own, as that may take
/// milliseconds.
fn trim() {
    static SOON_DONE: AtomicBool = AtomicBool::new(false);
    if SOON_DONE.swap(true, Relaxed) {
        return;
    }
    let work = || {
        thread::sleep(SOON);
        SOON_DONE.store(false, Relaxed);
        os::trim_heap();
    };
    if thread::Builder::new().name("polywire-trim".to_owned()).spawn(work).is_err() {
        SOON_DONE.store(false, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_wait_first_and_all_before_the_budget_is_spent() {
        let memory = Memory::new(100 << 20, usize::MAX);
        assert!(memory.lets_read(79 << 20));
        memory.recharge(0, 84 << 20);
        assert!(!memory.lets_read(2 << 20) && memory.lets_read(1 << 20), "an eighth of 16 MiB is 2 MiB");
        assert!(memory.admits());
        memory.recharge(84 << 20, 96 << 20);
        assert!(!memory.lets_read(1 << 20) && memory.lets_read(100 << 10));
        assert!(!memory.admits());
        memory.recharge(96 << 20, 100 << 20);
        assert!(!memory.lets_read(0), "nobody");
        memory.recharge(100 << 20, 1 << 20);
        assert!(memory.lets_read(90 << 20) && memory.admits());
        let report = memory.report();
        assert_eq!((report.used, report.highest, report.refused), (1 << 20, 100 << 20, 1));
    }

    #[test]
    fn a_connection_has_a_budget_of_its_own() {
        let memory = Memory::new(usize::MAX, 1 << 20);
        assert!(memory.lets_read((1 << 20) - 1) && !memory.lets_read(1 << 20));
    }

    #[test]
    fn limits_are_replaced_while_it_is_in_use() {
        let memory = Memory::new(100 << 20, usize::MAX);
        memory.recharge(0, 50 << 20);
        assert!(memory.lets_read(1 << 20) && memory.admits());
        memory.set_limit(50 << 20);
        assert!(!memory.lets_read(1 << 20) && !memory.admits());
        memory.set_limit(100 << 20);
        memory.set_connection_limit(1 << 20);
        assert!(!memory.lets_read(1 << 20) && memory.lets_read(1000) && memory.admits());
        assert_eq!((memory.report().limit, memory.connection_limit()), (100 << 20, 1 << 20));
    }

    /// More and more connections each take as much as they are allowed: the sum stays below the limit plus
    /// one read for each that reads.
    #[test]
    fn any_number_of_greedy_connections_stays_within_the_budget() {
        let memory = Memory::new(64 << 20, usize::MAX);
        let mut held = vec![0usize; 4000];
        for _ in 0..200 {
            for one in &mut held {
                if memory.lets_read(*one) {
                    memory.recharge(*one, *one + (64 << 10));
                    *one += 64 << 10;
                }
            }
        }
        assert!(memory.report().highest <= (64 << 20) + (64 << 10), "{:?}", memory.report());
    }
}
