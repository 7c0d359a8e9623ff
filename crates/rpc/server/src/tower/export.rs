//! Our services as part of another framework's router.
//!
//! An exported server has an engine, limits, deadlines and statistics like any other, and connections in
//! memory in place of sockets. Requests travel over them as HTTP/2, which `hyper` speaks for the router. So
//! every form of call over HTTP that works at a port works here too, at the cost of encoding each head once
//! more.

use super::BoxError;
use crate::{Preset, Running, Server, ServerError};
use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, Uri, header, uri};
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper::{
    body::Incoming,
    client::conn::http2::{Builder, SendRequest},
    rt::{Executor, Read, ReadBufCursor, Write},
};
use polywire_base::lock;
use polywire_call::ConfigError;
use polywire_engine::{
    Peer,
    transport::{Memory, Transport, duplex},
};
use polywire_wire::HttpVersion;
use std::{
    convert::Infallible,
    future::Future,
    io::{self, IoSlice},
    net::{Ipv4Addr, SocketAddr},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
};

/// Bytes that each direction of a connection in memory holds.
const CAPACITY: usize = 256 << 10;
/// Flow-control window of a call, in bytes.
const WINDOW: u32 = 1 << 20;

/// The services of a server as one `tower::Service`; clones share them. They end when the last clone is
/// dropped.
///
/// Made by [`Server::into_tower`]. Must be called inside a tokio runtime. Handlers see no address of the
/// caller (`0.0.0.0:0`), because only the router knows it.
#[derive(Clone)]
pub struct Exported {
    inner: Arc<Inner>,
}

struct Inner {
    server: Running,
    /// Connections, used in turn; each is one lock and one task of the router's runtime.
    lines: Box<[Mutex<Option<Line>>]>,
    next: AtomicUsize,
}

type Line = SendRequest<UnsyncBoxBody<Bytes, BoxError>>;

impl<P: Preset> Server<P> {
    /// Turns the server into a service for a router of another framework:
    /// `axum::Router::new().fallback_service(exported)`. It answers every form of call over HTTP that it
    /// would answer at a port: JSON, gRPC, grpc-web, Connect.
    ///
    /// # Errors
    /// As [`Server::start`]. Also if an address to listen on or TLS was set, because the router does both; if
    /// the authenticator [remembers](crate::Authenticator::remembers) callers, since callers of a router
    /// share connections; and if there is a guard for HTTP/1 (`http`) and none for HTTP/2 (`h2`), over which
    /// all calls of a router come.
    pub fn into_tower(self) -> Result<Exported, ServerError> {
        if self.speaks_tls() {
            let text = "tls(..): an exported server has no port, TLS is its router's";
            return Err(ConfigError::new("tls", text).into());
        }
        if self.remembers() {
            let text = "an authenticator that remembers(): callers of a router share connections, and one would pass for \
                        another";
            return Err(ConfigError::new("authenticate", text).into());
        }
        let of_router = self.protocols_over(HttpVersion::Two);
        if let Some(other) =
            self.protocols_over(HttpVersion::One).into_iter().find(|name| self.has_guard_of(name))
            && !of_router.iter().any(|name| self.has_guard_of(name))
        {
            let names = of_router.join(", ");
            let text = format!(
                "guard({other:?}, ..) is never asked by an exported server: calls of a router come by {names}"
            );
            return Err(ConfigError::new("guard", text).with_value(other).into());
        }
        let server = self.start_without_listener()?;
        let lines = std::thread::available_parallelism().map_or(1, usize::from);
        let lines = (0..lines).map(|_| Mutex::default()).collect();
        Ok(Exported { inner: Arc::new(Inner { server, lines, next: AtomicUsize::new(0) }) })
    }
}

impl Exported {
    /// The exported server, with its health and its connections.
    pub fn running(&self) -> &Running {
        &self.inner.server
    }
}

impl<B> tower_service::Service<Request<B>> for Exported
where
    B: http_body::Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    type Response = Response<ExportBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let inner = self.inner.clone();
        let request = request.map(|body| body.map_err(Into::into).boxed_unsync());
        Box::pin(
            async move { Ok(inner.exchange(request).await.unwrap_or_else(|error| unavailable(&*error))) },
        )
    }
}

impl Inner {
    async fn exchange(
        &self,
        mut request: Request<UnsyncBoxBody<Bytes, BoxError>>,
    ) -> Result<Response<ExportBody>, BoxError> {
        let version = request.version();
        absolute(&mut request)?;
        let mut line = self.line().await?;
        line.ready().await?;
        let mut response = line.send_request(request).await?;
        *response.version_mut() = version;
        Ok(response.map(|body| ExportBody(Inside::Streamed(body))))
    }

    /// The connection whose turn it is. It is opened when it is first needed, and again after it was lost.
    async fn line(&self) -> Result<Line, BoxError> {
        let place = &self.lines[self.next.fetch_add(1, Relaxed) % self.lines.len()];
        let there = lock(place).clone();
        if let Some(line) = there.filter(|line| !line.is_closed()) {
            return Ok(line);
        }
        let (ours, theirs) = duplex("export", CAPACITY);
        let nowhere = Peer::Ip(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)));
        self.server.serve_stream(ours.with_peer(nowhere));
        let mut http2 = Builder::new(Runtime);
        http2.initial_stream_window_size(WINDOW).initial_connection_window_size(4 * WINDOW);
        let (line, connection) = http2.handshake(Io(theirs)).await?;
        tokio::spawn(connection); // ends with its last sender, or with the server
        // Two callers at once may have opened one each; the one stored last is kept.
        Ok(lock(place).insert(line).clone())
    }
}

/// Hop-by-hop fields, which HTTP/2 does not have.
const OF_A_HOP: [&str; 6] =
    ["connection", "expect", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

/// Adds scheme and authority, which HTTP/2 requires, and removes the fields that concern the router's own
/// connection.
fn absolute<B>(request: &mut Request<B>) -> Result<(), BoxError> {
    let host = request.headers_mut().remove(header::HOST);
    let mut parts = std::mem::take(request.uri_mut()).into_parts();
    if parts.authority.is_none() {
        let host = host.as_ref().map_or(b"export" as &[u8], HeaderValue::as_bytes);
        parts.authority = Some(uri::Authority::try_from(host)?);
    }
    parts.scheme.get_or_insert(uri::Scheme::HTTP);
    parts.path_and_query.get_or_insert(uri::PathAndQuery::from_static("/"));
    *request.uri_mut() = Uri::from_parts(parts)?;
    *request.version_mut() = http::Version::HTTP_2;
    for name in OF_A_HOP {
        request.headers_mut().remove(name);
    }
    Ok(())
}

#[cold]
fn unavailable(error: &(dyn std::error::Error + Send + Sync)) -> Response<ExportBody> {
    let text = Full::new(Bytes::from(format!("the exported server did not answer: {error}")));
    let mut response = Response::new(ExportBody(Inside::Whole(text)));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response
}

/// The body of an exported service's reply.
pub struct ExportBody(Inside);

enum Inside {
    Streamed(Incoming),
    Whole(Full<Bytes>),
}

impl http_body::Body for ExportBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match &mut self.get_mut().0 {
            Inside::Streamed(body) => Pin::new(body).poll_frame(cx).map_err(Into::into),
            Inside::Whole(text) => Pin::new(text).poll_frame(cx).map_err(Into::into),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inside::Streamed(body) => body.is_end_stream(),
            Inside::Whole(text) => text.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inside::Streamed(body) => body.size_hint(),
            Inside::Whole(text) => text.size_hint(),
        }
    }
}

/// An executor: tasks of a connection run on the runtime of the request that opened it.
#[derive(Clone)]
struct Runtime;

impl<F: Future<Output: Send> + Send + 'static> Executor<F> for Runtime {
    fn execute(&self, task: F) {
        tokio::spawn(task);
    }
}

/// The router's end of a connection as `hyper` needs it.
pub(super) struct Io(pub Memory);

impl Read for Io {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let room = into.remaining();
        let mut bytes = bytes::BytesMut::with_capacity(room);
        ready!(self.get_mut().0.poll_read(cx, &mut bytes, room))?;
        into.put_slice(&bytes);
        Poll::Ready(Ok(()))
    }
}

impl Write for Io {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().0.poll_write(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().0.poll_write(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().0.shutdown();
        Poll::Ready(Ok(()))
    }
}
