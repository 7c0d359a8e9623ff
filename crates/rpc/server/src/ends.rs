//! What a server learns when one of its connections ends.

use crate::ledger::Ledger;
use polywire_engine::{ClosedConnections, ConnectionStats, End, OnEnd};
use tokio::sync::Notify;

/// What is kept of connections that have ended.
#[derive(Default)]
pub(crate) struct Ends {
    /// The last ones, by reason.
    pub closed: ClosedConnections,
    /// What they have spoken.
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
