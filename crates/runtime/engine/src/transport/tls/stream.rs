//! A client's end of TLS over any transport.

use super::{failure, records::Records, session::Session};
use crate::transport::{Peer, Protection, Transport};
use bytes::BytesMut;
use rustls::{ClientConfig, pki_types::ServerName};
use std::{
    future::poll_fn,
    io::{self, IoSlice},
    sync::Arc,
    task::{Context, Poll},
};

struct Stream {
    inner: Box<dyn Transport>,
    records: Records,
}

/// Connects to the server at the other end of `inner`. Its certificate must be valid for `name`.
///
/// # Errors
/// The transport's error, or the reason why the handshake failed.
pub async fn connect(
    inner: Box<dyn Transport>,
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
) -> io::Result<Box<dyn Transport>> {
    let session = Session::client(config, name).map_err(|error| failure::broken(&error, true))?;
    let mut stream = Stream { inner, records: Records::new(session) };
    stream.records.receive(&mut [], &mut BytesMut::new(), 0)?; // the client speaks first
    poll_fn(|cx| stream.records.poll_handshake(&mut *stream.inner, cx)).await?;
    Ok(Box::new(stream))
}

impl Transport for Stream {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        self.records.poll_read(&mut *self.inner, cx, into, most)
    }
    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        self.records.poll_write(&mut *self.inner, cx, slices)
    }
    fn shutdown(&mut self) {
        self.records.close(&mut *self.inner);
        self.inner.shutdown();
    }
    fn move_to_current_runtime(&mut self) -> io::Result<()> {
        self.inner.move_to_current_runtime()
    }
    fn tcp_info(&self) -> Option<crate::os::TcpInfo> {
        self.inner.tcp_info()
    }
    fn peer(&self) -> &Peer {
        self.inner.peer()
    }
    fn local(&self) -> &Peer {
        self.inner.local()
    }
    fn protection(&self) -> Protection<'_> {
        self.records.protection()
    }
}
