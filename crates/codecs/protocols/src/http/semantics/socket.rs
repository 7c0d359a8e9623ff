//! The peer's half of a call over WebSocket.

#[cfg(feature = "websocket")]
use crate::http::websocket::Reader;

#[cfg(feature = "websocket")]
pub(super) struct Socket {
    pub reader: Reader,
    /// Whether `#end`, or the only message of the call, has been received.
    pub is_ended: bool,
    /// Whether no further bytes come.
    pub is_over: bool,
}

#[cfg(feature = "websocket")]
impl Socket {
    /// Bytes that are held of a message.
    pub fn held(&self) -> usize {
        self.reader.held()
    }
}

/// An uninhabited type: there are no sockets where the feature is off.
#[cfg(not(feature = "websocket"))]
pub(super) enum Socket {}

#[cfg(not(feature = "websocket"))]
impl Socket {
    pub fn held(&self) -> usize {
        match *self {}
    }
}
