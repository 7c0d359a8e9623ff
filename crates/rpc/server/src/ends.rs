//! Open connections, counted, and what a server learns when one of them ends.

use crate::ledger::Ledger;
use polywire_engine::{ClosedConnections, ConnectionStats, End, OnEnd};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};
use tokio::sync::Notify;

/// An open connection: counted while this exists.
pub(crate) struct OpenConnection(Arc<AtomicUsize>);

impl OpenConnection {
    /// Counts one more; returns how many there were.
    pub fn begin(open: &Arc<AtomicUsize>) -> (OpenConnection, usize) {
        (OpenConnection(open.clone()), open.fetch_add(1, Relaxed))
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The records of connections that have ended.
#[derive(Default)]
pub(crate) struct Ends {
    /// The latest ended connections, by reason.
    pub closed: Arc<ClosedConnections>,
    /// The protocols that they have used.
    pub ledger: Arc<Ledger>,
    /// Notified at each end.
    pub notify: Notify,
}

impl OnEnd for Ends {
    fn ended(&self, connection: &ConnectionStats, end: End<'_>) {
        self.closed.add(connection, end);
        self.ledger.ended(connection);
        self.notify.notify_one();
    }
}
