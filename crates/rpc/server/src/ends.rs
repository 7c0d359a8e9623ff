//! The records that a server makes when one of its connections ends.

use crate::ledger::Ledger;
use polywire_engine::{ClosedConnections, ConnectionStats, End, OnEnd};
use tokio::sync::Notify;

/// The records of connections that have ended.
#[derive(Default)]
pub(crate) struct Ends {
    /// The latest ended connections, by reason.
    pub closed: ClosedConnections,
    /// The protocols that they have used.
    pub ledger: Ledger,
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
