//! WebSocket of a mounted service.
//!
//! A service takes over a connection by `hyper`'s `OnUpgrade`, which is found in the extensions of a request
//! and which only a connection of `hyper` can make. So each request for WebSocket gets such a connection in
//! memory, with a request that says nothing but that; what the service then writes to it is passed on.
//!
//! ```text
//!  our port ── request ─────────────────────────────────► service ──101──► our port
//!                            OnUpgrade ──────────────────────┘
//!  our port ── frames ──► Source ──► memory ──► hyper ──► service
//!           ◄── frames ── Sink  ◄─── memory ◄── hyper ◄──┘
//! ```
//!
//! The handshake is that of HTTP/1 for the service, whichever version the caller speaks.

use super::{BoxError, export::Io};
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Version, header};
use http_body_util::Empty;
use hyper::{server::conn::http1, service::service_fn, upgrade::OnUpgrade};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_engine::transport::{Memory, Transport, duplex};
use polywire_exchange::{Sink, Source};
use polywire_wire::Part;
use std::{
    future::poll_fn,
    io::IoSlice,
    sync::Mutex,
    task::{Poll, ready},
};
use tokio::sync::oneshot;

/// Bytes that each direction holds.
const CAPACITY: usize = 64 << 10;
/// What is read at once.
const PIECE: usize = 16 << 10;
const ASKS: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";

/// Whether a request asks for WebSocket, over HTTP/1 or HTTP/2.
#[derive(Default)]
pub(super) struct Asks {
    gets: bool,
    upgrades: bool,
    connects: bool,
}

impl Asks {
    pub fn field(&mut self, name: &str, value: &[u8]) {
        let mut tokens = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        match name {
            ":method" => self.gets = value == b"GET",
            ":protocol" => self.connects = true, // only that of WebSocket comes so far
            _ if name.eq_ignore_ascii_case("upgrade") => {
                self.upgrades |= tokens.any(|token| token.eq_ignore_ascii_case(b"websocket"));
            }
            _ => {}
        }
    }

    pub fn any(&self) -> bool {
        self.connects || self.gets && self.upgrades
    }
}

/// A connection in memory that a service may take over.
pub(super) struct Connection {
    ours: Memory,
    /// Lets `hyper` answer 101.
    answer: oneshot::Sender<()>,
}

impl Connection {
    /// Makes it, and what the service takes it over with.
    pub async fn begin() -> Result<(Self, OnUpgrade), BoxError> {
        let (mut ours, theirs) = duplex("upgrade", CAPACITY);
        let (ask, asked) = oneshot::channel();
        let (answer, answered) = oneshot::channel::<()>();
        let once = Mutex::new(Some((ask, answered)));
        let service = service_fn(move |mut request| {
            let once = polywire_base::lock(&once).take();
            async move {
                let (ask, answered) = once.ok_or("one request was sent")?;
                let _ = ask.send(hyper::upgrade::on(&mut request)); // the call may be over
                answered.await?;
                let mut response = Response::new(Empty::<Bytes>::new());
                *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
                response.headers_mut().insert(header::UPGRADE, HeaderValue::from_static("websocket"));
                Ok::<_, BoxError>(response)
            }
        });
        // It ends with `ours`, or with what the service took over.
        tokio::spawn(http1::Builder::new().serve_connection(Io(theirs), service).with_upgrades());
        write(&mut ours, ASKS.to_vec().into()).await?;
        Ok((Connection { ours, answer }, asked.await?))
    }

    /// The service has answered 101: passes bytes on until both sides have ended.
    pub async fn relay(self, mut source: Source, mut sink: Sink) -> Result<(), Status> {
        let Connection { mut ours, answer } = self;
        let _ = answer.send(());
        let mut rest = head_of(&mut ours).await?;
        let mut unwritten = IoBuf::new();
        let (mut part, mut no_more) = (None, false);
        poll_fn(|cx| {
            loop {
                // From the caller. Its end is the end for the service, which may have more to say.
                let mut waits = no_more;
                while !waits {
                    if unwritten.is_empty() {
                        match source.poll_next(cx) {
                            Poll::Ready(Some(Ok(part))) => unwritten = part.bytes,
                            Poll::Ready(Some(Err(_)) | None) => {
                                ours.shutdown();
                                (waits, no_more) = (true, true);
                            }
                            Poll::Pending => waits = true,
                        }
                    }
                    while !waits && !unwritten.is_empty() {
                        match ours.poll_write(cx, &[IoSlice::new(unwritten.front())]) {
                            Poll::Ready(Ok(n)) if n > 0 => unwritten.advance(n),
                            Poll::Ready(_) => {
                                unwritten = IoBuf::new();
                                (waits, no_more) = (true, true);
                            }
                            Poll::Pending => waits = true,
                        }
                    }
                }
                // From the service.
                if part.is_none() {
                    if rest.is_empty() {
                        rest.reserve(PIECE);
                        match ready!(ours.poll_read(cx, &mut rest, PIECE)) {
                            Ok(0) | Err(_) => return Poll::Ready(Ok(())),
                            Ok(_) => {}
                        }
                    }
                    part = Some(Part { bytes: rest.split().freeze().into(), ..Part::default() });
                }
                ready!(sink.poll_send(&mut part, cx))?;
            }
        })
        .await
    }
}

async fn write(to: &mut Memory, mut bytes: IoBuf) -> Result<(), BoxError> {
    poll_fn(|cx| {
        while !bytes.is_empty() {
            let n = ready!(to.poll_write(cx, &[IoSlice::new(bytes.front())]))?;
            bytes.advance(n);
        }
        Poll::Ready(Ok(()))
    })
    .await
}

/// Skips the head of the answer, which the caller gets in our own form; returns what follows it.
async fn head_of(from: &mut Memory) -> Result<BytesMut, Status> {
    let mut read = BytesMut::new();
    loop {
        if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            let _ = read.split_to(end + 4);
            return Ok(read);
        }
        read.reserve(PIECE);
        let more = poll_fn(|cx| from.poll_read(cx, &mut read, PIECE)).await;
        if !more.is_ok_and(|n| n > 0) || read.len() > PIECE {
            return Err(Status::internal("the mounted service did not take over its connection"));
        }
    }
}

/// Gives a request the form that a service expects, whichever version the caller speaks.
pub(super) fn as_http1(request: &mut Request<()>, on: OnUpgrade) {
    *request.method_mut() = Method::GET;
    *request.version_mut() = Version::HTTP_11;
    let fields = request.headers_mut();
    fields.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    fields.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    // HTTP/2 has none; the answer to it is not passed on.
    let any = HeaderValue::from_static("AAAAAAAAAAAAAAAAAAAAAA==");
    fields.entry(header::SEC_WEBSOCKET_KEY).or_insert(any);
    request.extensions_mut().insert(on);
}

/// Removes the fields of an answer that concern its own connection.
pub(super) fn remove_hop(fields: &mut HeaderMap) {
    for name in [header::CONNECTION, header::UPGRADE, header::SEC_WEBSOCKET_ACCEPT] {
        fields.remove(name);
    }
}
