//! How the servers of a channel are connected to in the background: from where, how many at a time, and which
//! of them calls wait for.
//!
//! Nothing is connected before a call needs a server. From then on each server that joins is connected to,
//! since calls go to servers that are connected while there are any. Servers of further priorities, and of
//! other zones than the own one, are held back until one of those before them fails.

use crate::connection::home::{Home, HomeId};
use polywire_base::lock;
use std::sync::{
    Arc, Mutex,
    atomic::{
        AtomicBool, AtomicU64, AtomicUsize,
        Ordering::{AcqRel, Acquire},
    },
};
use tokio::sync::Semaphore;

/// Attempts at a time to connect to servers that have joined, and to those that could not be reached before:
/// many dead ones hold up neither those that join nor the machine.
const JOINING: usize = 64;
const RETURNING: usize = 32;

/// What is under way in the background.
pub(super) struct Dials {
    /// Where the newest call came from that found no server; `None`: no call has needed one yet.
    caller: Mutex<Option<Arc<Caller>>>,
    joining: Arc<Semaphore>,
    returning: Arc<Semaphore>,
    /// Servers that have joined and whose first attempt is not over: calls that find nobody wait for them.
    pending: AtomicUsize,
    /// How often no such server was left.
    over: AtomicU64,
    /// Whether servers may be held back.
    pub holds_back: AtomicBool,
}

/// Whose calls the connections are for.
pub(super) struct Caller {
    pub id: HomeId,
    pub home: Home,
    /// Threads that wait for their calls make the connections themselves: in the background it is only tried
    /// whether that can be done.
    pub is_bare: bool,
}

impl Default for Dials {
    fn default() -> Self {
        Dials {
            caller: Mutex::default(),
            joining: Arc::new(Semaphore::new(JOINING)),
            returning: Arc::new(Semaphore::new(RETURNING)),
            pending: AtomicUsize::new(0),
            over: AtomicU64::new(0),
            holds_back: AtomicBool::new(false),
        }
    }
}

impl Dials {
    /// A call from there has found no server. Returns whether it is the first one.
    pub fn wanted(&self, id: HomeId, is_bare: bool) -> bool {
        let caller = Arc::new(Caller { id, home: Home::of(id), is_bare });
        lock(&self.caller).replace(caller).is_none()
    }

    /// Whose calls the connections are for, if there was a call.
    pub fn caller(&self) -> Option<Arc<Caller>> {
        lock(&self.caller).clone()
    }

    /// Whether calls that find nobody wait for a server that has joined.
    pub fn are_pending(&self) -> bool {
        self.pending.load(Acquire) > 0
    }

    /// The first attempt for a server that has joined begins.
    pub fn begin(&self) {
        self.pending.fetch_add(1, AcqRel);
    }

    /// It is over. Returns whether it was the last one.
    pub fn end(&self) -> bool {
        let was_last = self.pending.fetch_sub(1, AcqRel) == 1;
        if was_last {
            self.over.fetch_add(1, AcqRel);
        }
        was_last
    }

    /// How often all servers that had joined were known to be there or not.
    pub fn over(&self) -> u64 {
        self.over.load(Acquire)
    }

    /// The places of attempts at a time.
    pub fn place(&self, joins: bool) -> Arc<Semaphore> {
        if joins { self.joining.clone() } else { self.returning.clone() }
    }
}
