//! The peer's half of a call over WebSocket.

#[cfg(feature = "websocket")]
use crate::http::websocket::Reader;

#[cfg(feature = "websocket")]
pub(super) struct Socket {
    pub reader: Reader,
    /// Whether `#end` has come, or the only message of the call.
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

/// There is none where that feature is off.
#[cfg(not(feature = "websocket"))]
pub(super) enum Socket {}

#[cfg(not(feature = "websocket"))]
impl Socket {
    pub fn held(&self) -> usize {
        match *self {}
    }
}
