//! A server of the network.

use crate::{log::EventKind, rules::Key, state::Shared};
use polywire_engine::{ConnectionStats, Faults};
use polywire_server::{AbortedConnection, Health, MemoryReport, Running};
use std::sync::Arc;

/// A server of the network. The network keeps it running: this handle may be dropped.
///
/// After [`Served::stop`] or [`Served::crash`] another server may take the name with
/// [`Net::serve`](crate::Net::serve).
pub struct Served {
    shared: Arc<Shared>,
    name: Arc<str>,
    health: Health,
    faults: Arc<Faults>,
}

impl Served {
    pub(crate) fn new(shared: &Arc<Shared>, name: &Arc<str>, running: &Running) -> Served {
        let (health, faults) = (running.health().clone(), running.faults().clone());
        Served { shared: shared.clone(), name: name.clone(), health, faults }
    }

    /// The server's name on the network.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The server's health, which can be set.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Counters of the faults of its connections, by cause.
    pub fn faults(&self) -> &Arc<Faults> {
        &self.faults
    }

    /// The open connections; none once it was stopped.
    pub fn connections(&self) -> Vec<Arc<ConnectionStats>> {
        self.running().map_or_else(Vec::new, |running| running.connections())
    }

    /// The memory that its connections hold; `None` if it has no budget, or was stopped.
    pub fn memory(&self) -> Option<MemoryReport> {
        self.running()?.overload().memory
    }

    fn running(&self) -> Option<Arc<Running>> {
        self.shared.lock().servers.get(&self.name).filter(|running| self.is(running)).cloned()
    }

    /// Stops it as [`Running::stop`] does: connections are refused from now on, and calls in flight may end,
    /// up to the drain limit. Returns the connections that were closed then.
    pub async fn stop(&self) -> Vec<AbortedConnection> {
        let Some(running) = self.take(EventKind::Stopped) else { return Vec::new() };
        match Arc::try_unwrap(running) {
            Ok(running) => running.stop().await,
            Err(_) => Vec::new(), // others hold it for the length of a call of theirs only, on this thread
        }
    }

    /// Ends the server at once, as if its process was killed: its connections are reset, including those that
    /// it made as a client of this name ([`Net::host`](crate::Net::host)), and new ones are refused. Handlers
    /// are dropped.
    ///
    /// Clients behind an interrupted link notice it when the link works again.
    pub fn crash(&self) {
        if let Some(running) = self.take(EventKind::Crashed) {
            self.shared.change(|state, wakers| state.crash(&self.name, wakers));
            drop(running);
        }
    }

    /// Removes the server from the network; `None` if it was removed before.
    fn take(&self, what: EventKind) -> Option<Arc<Running>> {
        let mut state = self.shared.lock();
        if !state.servers.get(&self.name).is_some_and(|running| self.is(running)) {
            return None; // stopped before; another one may have the name
        }
        state.note(&Key { from: None, to: self.name.clone() }, 0, what);
        state.servers.remove(&self.name)
    }

    fn is(&self, running: &Running) -> bool {
        Arc::ptr_eq(running.faults(), &self.faults)
    }
}
