//! The connections to a server: assigns calls to them, and decides when another one is made.
//!
//! ```text
//!  call ─► Post::post_to ─► thread_cache   the connections this thread knows: no lock, the common case
//!                │ none is open
//!                ├─► homes              kind Single: all connections, by the home of their callers
//!                ├─► exclusive          kinds Pooled and Short: a connection for this call alone
//!                └─► connection::connect  none is there: a new one
//!  a full connection ─► overflow ─► homes
//!  callers on plain threads ─► blocking
//! ```
//!
//! Limits: see [`Bounds`].

mod asking;
mod blocking;
mod exclusive;
mod homes;
mod overflow;
mod post;
mod posted;
pub(crate) mod shared;
mod thread_cache;

pub(crate) use exclusive::Exclusive;
pub(crate) use post::{Blocking, DraftAs, Offering, Post};
pub(crate) use posted::{Attempted, EndedCall, Undelivered};

use crate::connection::{
    backoff::Patience,
    connect::{Plan, connect},
    handle::Handle,
    home::HomeId,
    overflow::Overflow,
    spec::ConnectSpec,
};
use blocking::BlockingConnections;
use exclusive::Idle;
use homes::{For, Homes};
use polywire_call::Status;
use polywire_wire::Connections;
use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// A number that no other channel and no other pool of this process has: from 1.
pub(crate) fn new_id() -> u64 {
    static IDS: AtomicU64 = AtomicU64::new(1);
    IDS.fetch_add(1, Relaxed)
}

/// The limits on the number and lifetime of connections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The maximum number of shards and runtimes whose callers have connections of their own.
    pub homes: usize,
    /// Single: the number of connections of a home that calls take in turn. One that has ended is replaced.
    pub connections: usize,
    /// Single: the maximum number of connections of a home, including those that are added while the others
    /// are full.
    pub most: usize,
    /// Single: how long an added connection waits for a call before it ends.
    pub spare: Duration,
    /// Pooled: the most idle connections of a home.
    pub idle: usize,
}

/// The connections to a server.
pub(crate) struct Pool {
    /// Identifies the pool in the caches of threads.
    id: u64,
    kind: Connections,
    bounds: Bounds,
    spec: Arc<ConnectSpec>,
    homes: Homes,
    idle: Arc<Idle>,
    blocking: BlockingConnections,
    made: AtomicUsize,
    _entry: Option<shared::Entry>,
}

impl Pool {
    pub fn new(spec: ConnectSpec, kind: Connections, bounds: Bounds) -> Arc<Self> {
        Pool::with(spec, kind, bounds, None)
    }

    /// `entry`: the pool's entry in the table of shared pools, if it has one.
    fn with(spec: ConnectSpec, kind: Connections, bounds: Bounds, entry: Option<shared::Entry>) -> Arc<Self> {
        let idle = if kind == Connections::Pooled { bounds.idle } else { 0 };
        Arc::new(Pool {
            id: new_id(),
            kind,
            bounds,
            spec: Arc::new(spec),
            homes: Homes::new(bounds.homes, bounds.connections, bounds.most),
            idle: Arc::new(Idle::new(idle)),
            blocking: BlockingConnections::new(kind == Connections::Single, idle),
            made: AtomicUsize::new(0),
            _entry: entry,
        })
    }

    #[cfg_attr(not(feature = "channelz"), allow(dead_code))]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The settings from which the pool's connections are made.
    pub fn spec(&self) -> &Arc<ConnectSpec> {
        &self.spec
    }

    /// The number of connections made so far for homes.
    pub fn made(&self) -> usize {
        self.made.load(Relaxed)
    }

    /// A connection that takes calls, and the right to it if it serves only this call.
    fn find(
        self: &Arc<Self>,
        home: HomeId,
        patience: Patience,
        what: For,
    ) -> Result<(Arc<Handle>, Option<Exclusive>), Status> {
        if self.kind == Connections::Single {
            let connect = |further| self.connect(home, patience, further);
            let (known, handle) = self.homes.find(home, what, connect)?;
            thread_cache::remember(self.id, home, known, self.bounds.connections);
            return Ok((handle, None));
        }
        let handle = match self.idle.take(home) {
            Some(handle) => handle,
            None => self.connect(home, patience, false)?,
        };
        let exclusive = Exclusive::new(handle.clone(), home, self.idle.clone());
        Ok((handle, Some(exclusive)))
    }

    /// Makes a connection; calls that are posted to it wait for it, and their deadlines run meanwhile. In the
    /// pause after a failure to connect it is made when the pause is over, if the caller is patient.
    /// `further`: it is added because others are full, takes calls once it is made, and ends when it has been
    /// idle for a while.
    ///
    /// # Errors
    /// The pause after a failure to connect lasts, and the caller does not wait.
    fn connect(
        self: &Arc<Self>,
        home: HomeId,
        patience: Patience,
        further: bool,
    ) -> Result<Arc<Handle>, Status> {
        let not_before = self.spec.backoff.pause(patience, &self.spec.address)?;
        Ok(self.begin(home, not_before, further))
    }

    fn begin(self: &Arc<Self>, home: HomeId, not_before: Option<Instant>, further: bool) -> Arc<Handle> {
        self.made.fetch_add(1, Relaxed);
        let may_overflow = self.bounds.most > self.bounds.connections;
        let overflow = may_overflow.then(|| Arc::downgrade(self) as Weak<dyn Overflow>);
        let spare = further.then_some(self.bounds.spare);
        connect(&self.spec, home, Plan { not_before, overflow, spare })
    }

    /// Whether calls share connections, which last.
    pub fn shares(&self) -> bool {
        self.kind == Connections::Single
    }

    /// Makes a connection for callers of this home before they need it, regardless of the pause after a
    /// failure. Returns whether the server is known to take calls; if not, the observers are notified later.
    pub fn dial(self: &Arc<Self>, home: HomeId) -> bool {
        let connect = |further| Ok(self.begin(home, None, further));
        let found = self.homes.find(home, For::Call, connect);
        found.is_ok_and(|(_, handle)| {
            handle.is_connected() && (handle.has_heard() || !self.spec.protocol.peer_limits_calls)
        })
    }
}
