//! Byte streams without calls, for code that implements a protocol itself.

use crate::connection::connector::Connector;
use polywire_engine::Transport;
use std::{fmt, io, time::Duration};

/// Makes byte streams to one server, like a channel with the same options: see
/// [`Builder::byte_streams`](crate::Builder::byte_streams).
pub struct ByteStreams {
    address: Box<str>,
    connector: Connector,
    limit: Duration,
}

impl ByteStreams {
    pub(crate) fn new(address: String, connector: Connector, limit: Duration) -> Self {
        ByteStreams { address: address.into(), connector, limit }
    }

    /// The server's address, without `http://` or `https://`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Connects. The runtime of the caller drives the stream.
    ///
    /// # Errors
    /// The error of the system, the connector or TLS; `TimedOut` after the connect timeout, which applies to
    /// the connection and separately to the TLS handshake.
    pub async fn connect(&self) -> io::Result<Box<dyn Transport>> {
        self.connector.connect(&self.address, None, self.limit).await
    }
}

impl fmt::Debug for ByteStreams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ByteStreams").field(&self.address).finish()
    }
}
