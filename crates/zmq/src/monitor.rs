//! What happens to a socket's connections (zmq_socket_monitor).

use bytes::Bytes;
use std::{sync::Arc, time::Duration};
use tokio::sync::broadcast;

/// News of one socket.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Bound here.
    Listening { endpoint: Arc<str> },
    /// A peer came.
    Accepted { peer: Arc<str> },
    /// We reached a peer.
    Connected { endpoint: Arc<str> },
    /// We did not, and try again after that time.
    ConnectFailed { endpoint: Arc<str>, error: Arc<str>, retry: Duration },
    /// The handshake is over: messages pass.
    HandshakeSucceeded {
        peer: Arc<str>,
        kind: Arc<str>,
        identity: Bytes,
        /// What it said of itself beside that: `Resource`, and those of its application, `X-..`.
        properties: Vec<(String, Bytes)>,
    },
    /// The connection ended before that.
    HandshakeFailed { peer: Arc<str>, error: Arc<str> },
    /// The connection ended after that.
    Disconnected { peer: Arc<str>, reason: Arc<str> },
    /// The socket was closed.
    Closed,
}

/// Receives a socket's events; those that it does not take in time are dropped, oldest first, beyond 256.
pub struct Monitor(broadcast::Receiver<Event>);

impl Monitor {
    /// The next event; `None`: the socket is gone.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            match self.0.recv().await {
                Ok(event) => return Some(event),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}

/// Where they come from.
pub(crate) struct Events(broadcast::Sender<Event>);

impl Events {
    pub fn new() -> Self {
        Events(broadcast::Sender::new(256))
    }

    pub fn monitor(&self) -> Monitor {
        Monitor(self.0.subscribe())
    }

    /// The event is made only if somebody listens.
    pub fn tell(&self, event: impl FnOnce() -> Event) {
        let (heard, logged) = (self.0.receiver_count() > 0, tracing::enabled!(tracing::Level::DEBUG));
        if heard || logged {
            let event = event();
            tracing::debug!(?event, "socket");
            let _ = self.0.send(event); // the last listener may have just gone
        }
    }
}
