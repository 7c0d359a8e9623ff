//! Events of a socket's connections (zmq_socket_monitor).

use bytes::Bytes;
use polywire_base::LineGate;
use std::{sync::Arc, time::Duration};
use tokio::sync::broadcast;

/// An event of one socket.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The socket is bound to this address.
    Listening { endpoint: Arc<str> },
    /// A peer has connected.
    Accepted { peer: Arc<str> },
    /// We have connected to a peer.
    Connected { endpoint: Arc<str> },
    /// This side could not connect, and tries again after that time.
    ConnectFailed { endpoint: Arc<str>, error: Arc<str>, retry: Duration },
    /// The handshake is complete: messages can be exchanged.
    HandshakeSucceeded {
        peer: Arc<str>,
        kind: Arc<str>,
        identity: Bytes,
        /// The peer's other properties: `Resource`, and those of its application, `X-..`.
        properties: Vec<(String, Bytes)>,
    },
    /// The connection ended before the handshake was complete.
    HandshakeFailed { peer: Arc<str>, error: Arc<str> },
    /// The connection ended after the handshake.
    Disconnected { peer: Arc<str>, reason: Arc<str> },
    /// The socket was closed.
    Closed,
}

/// Receives a socket's events. If more than 256 are unread, the oldest are dropped.
pub struct Monitor(broadcast::Receiver<Event>);

impl Monitor {
    /// The next event; `None` once the socket no longer exists.
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

/// The sender of a socket's events.
pub(crate) struct Events(broadcast::Sender<Event>);

impl Events {
    pub fn new() -> Self {
        Events(broadcast::Sender::new(256))
    }

    pub fn monitor(&self) -> Monitor {
        Monitor(self.0.subscribe())
    }

    /// Sends an event. It is made only if there is a monitor.
    pub fn tell(&self, event: impl FnOnce() -> Event) {
        let (heard, logged) = (self.0.receiver_count() > 0, tracing::enabled!(tracing::Level::DEBUG));
        if heard || logged {
            let event = event();
            static GATE: LineGate = LineGate::new(10, 1);
            if logged && let Some(left_out) = GATE.pass() {
                tracing::debug!(?event, left_out, "socket");
            }
            let _ = self.0.send(event); // fails if the last monitor was just dropped
        }
    }
}
