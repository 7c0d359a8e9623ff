//! Background attempts to connect to the servers of a channel: for which home, how many at a time, and which
//! of them calls wait for.
//!
//! No connection is made before a call needs a server. From then on each server that joins is connected to,
//! since calls prefer connected servers. Servers of lower priorities, and of other zones, are held back until
//! one of the preferred servers fails.

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

/// The number of simultaneous attempts to connect to servers that have joined, and to those that could not be
/// reached before. Many unreachable servers delay neither those that join nor the machine.
const JOINING: usize = 64;
const RETURNING: usize = 32;

/// The state of the background attempts.
pub(in crate::servers) struct Dials {
    /// The home of the newest call that found no server; `None`: no call has needed a server yet.
    caller: Mutex<Option<Arc<Caller>>>,
    joining: Arc<Semaphore>,
    returning: Arc<Semaphore>,
    /// The number of servers that have joined and whose first attempt is not over: calls that find no server
    /// wait for them.
    pending: AtomicUsize,
    /// The number of times that this count fell to zero.
    over: AtomicU64,
    /// Whether servers may be held back.
    pub holds_back: AtomicBool,
}

/// The callers that background connections are made for.
pub(in crate::servers) struct Caller {
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

    /// The callers that background connections are made for; `None` before the first call.
    pub fn caller(&self) -> Option<Arc<Caller>> {
        lock(&self.caller).clone()
    }

    /// Whether a server that has joined is still being tried, so that calls which find no server wait.
    pub fn are_pending(&self) -> bool {
        self.pending.load(Acquire) > 0
    }

    /// The first attempt for a server that has joined begins.
    pub fn begin(&self) {
        self.pending.fetch_add(1, AcqRel);
    }

    /// Ends one first attempt. Returns whether it was the last one.
    pub fn end(&self) -> bool {
        let was_last = self.pending.fetch_sub(1, AcqRel) == 1;
        if was_last {
            self.over.fetch_add(1, AcqRel);
        }
        was_last
    }

    /// The number of times that all first attempts were over.
    pub fn over(&self) -> u64 {
        self.over.load(Acquire)
    }

    /// The places of attempts at a time.
    pub fn place(&self, joins: bool) -> Arc<Semaphore> {
        if joins { self.joining.clone() } else { self.returning.clone() }
    }
}
