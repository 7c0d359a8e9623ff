//! A `tower` service at our port.

use super::{
    Body, BoxError,
    upgrade::{self, Asks, Connection},
};
use crate::{
    context::Context,
    service::{Binding, Call, Handler, Method, Service, Started},
    streaming::begins_with,
    table::FALLBACK,
};
use base64::{Engine as _, prelude::BASE64_STANDARD_NO_PAD};
use bytes::Buf;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Version, header};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Status};
use polywire_engine::{Peer, transport::Security};
use polywire_exchange::{Sink, Source};
use polywire_wire::{Answer, HttpVersion, Outcome, Part};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    time::Instant,
};

/// What can be mounted: a service that takes requests with our [`Body`], such as `axum::Router` and `tonic`'s
/// `Routes`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be mounted at a polywire server",
    note = "it has to be a `tower::Service<http::Request<polywire::tower::Body>>`, `Clone + Send + Sync`, that answers \
            with `http::Response<_>`; an `axum::Router<S>` becomes one by `.with_state(..)`"
)]
pub trait Mount: Clone + Send + Sync + 'static {
    /// Answers one request; head and body are sent through `reply`.
    #[doc(hidden)]
    fn answer(&mut self, request: Request<Body>, reply: Sink) -> impl Future<Output = Outcome> + Send;

    /// Answers a request for WebSocket, with which the service may take over the connection.
    #[doc(hidden)]
    fn upgrade(
        &mut self,
        request: Request<()>,
        source: Source,
        reply: Sink,
    ) -> impl Future<Output = Outcome> + Send;
}

impl<S, B> Mount for S
where
    S: tower_service::Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError> + Send,
    S::Future: Send,
    B: http_body::Body<Data: Send, Error: Into<BoxError> + Send> + Send,
{
    async fn answer(&mut self, request: Request<Body>, reply: Sink) -> Outcome {
        let answered = async {
            poll_fn(|cx| self.poll_ready(cx)).await?;
            self.call(request).await
        };
        match answered.await {
            Ok(response) => pass_on(response, reply).await.unwrap_or_else(Outcome::from),
            Err(error) => failed(error.into()).into(),
        }
    }

    async fn upgrade(&mut self, mut request: Request<()>, source: Source, mut reply: Sink) -> Outcome {
        let answered = async {
            let (connection, on) = Connection::begin().await?;
            upgrade::as_http1(&mut request, on);
            poll_fn(|cx| self.poll_ready(cx)).await.map_err(Into::into)?;
            let response = self.call(request.map(|()| Body::none())).await.map_err(Into::into)?;
            Ok::<_, BoxError>((connection, response))
        };
        let (connection, mut response) = match answered.await {
            Ok(both) => both,
            Err(error) => return failed(error).into(),
        };
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            return pass_on(response, reply).await.unwrap_or_else(Outcome::from);
        }
        upgrade::remove_hop(response.headers_mut());
        let metadata = Some(Box::new(metadata(response.headers())));
        reply.answer(Answer { status: 101, metadata, ..Answer::default() });
        connection.relay(source, reply).await.map_or_else(Outcome::from, |()| Outcome::default())
    }
}

/// Who made a request. It is among the extensions of each request that a mounted service receives.
#[derive(Clone, Debug)]
pub struct Caller {
    pub peer: Peer,
    /// The local address that the caller connected to.
    pub local: Peer,
    /// The result of the TLS handshake.
    pub security: Option<Security>,
    /// The deadline of the call, if the caller sent one.
    pub deadline: Option<Instant>,
}

/// The service that handles requests for which there is no other.
pub(crate) fn service(mounted: impl Mount) -> Service {
    let method = Method::new(FALLBACK, move || Box::new(Mounted { service: mounted.clone() }));
    Service::new("mounted", &[]).bound_to(Binding::Http).with(method.upgrades())
}

struct Mounted<S> {
    service: S,
}

impl<S: Mount> Handler for Mounted<S> {
    fn start(&self, mut call: Call) -> Started {
        let mut service = self.service.clone();
        Started::Future(Box::pin(async move {
            let (source, sink) =
                call.stream.take().expect("the dispatcher gives both ends to a method that streams");
            let mut asks = Asks::default();
            call.cx.visit_fields(|name, value| asks.field(name, value));
            match head(&call.cx) {
                Ok((request, _)) if asks.any() => service.upgrade(request, source, sink).await,
                Ok((request, length)) => {
                    service.answer(request.map(|()| Body::new(source, length)), sink).await
                }
                Err(status) => status.into(),
            }
        }))
    }
}

/// The request without its body, and the body's length if the head gives it.
fn head(cx: &Context) -> Result<(Request<()>, Option<u64>), Status> {
    let mut request = Request::new(());
    let mut bad = None;
    let encoded = has_encoded_fields(cx);
    cx.visit_fields(|name, value| {
        let taken = match name {
            ":method" => value.try_into().map(|method| *request.method_mut() = method).is_ok(),
            ":path" => value.try_into().map(|uri| *request.uri_mut() = uri).is_ok(),
            _ if name.starts_with(':') => true,
            _ if encoded && is_binary(name) => {
                add(request.headers_mut(), name, BASE64_STANDARD_NO_PAD.encode(value).as_bytes())
            }
            _ => add(request.headers_mut(), name, value),
        };
        if !taken {
            bad = Some(format!("the value of {name} is not valid in an HTTP request"));
        }
    });
    if let Some(bad) = bad {
        return Err(Status::invalid_argument(bad).with_native(Native::Http(400)));
    }
    *request.version_mut() = match cx.http() {
        Some(HttpVersion::Two) => Version::HTTP_2,
        _ => Version::HTTP_11,
    };
    request.extensions_mut().insert(Caller {
        peer: cx.peer().clone(),
        local: cx.local().clone(),
        security: cx.security().cloned(),
        deadline: cx.deadline(),
    });
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|digits| digits.to_str().ok()?.parse().ok());
    Ok((request, length))
}

/// Whether the fields were decoded (as those of gRPC and Connect are, see `Context::metadata`). A mounted
/// service needs them as they were.
fn has_encoded_fields(cx: &Context) -> bool {
    let mut encoded = false;
    cx.visit_fields(|name, value| {
        encoded |= match name {
            ":path" => value.windows(10).any(|part| part == b"connect=v1"),
            _ if name.eq_ignore_ascii_case("content-type") => {
                begins_with(value, "application/grpc") || begins_with(value, "application/connect+")
            }
            _ => name.eq_ignore_ascii_case("connect-protocol-version"),
        }
    });
    encoded
}

fn is_binary(name: &str) -> bool {
    name.get(name.len().saturating_sub(4)..).is_some_and(|end| end.eq_ignore_ascii_case("-bin"))
}

fn add(headers: &mut HeaderMap, name: &str, value: &[u8]) -> bool {
    match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value)) {
        (Ok(name), Ok(value)) => headers.try_append(name, value).is_ok(),
        _ => false,
    }
}

/// Sends head, body and trailers of the service's response. If the body fails, the reply is cut off.
async fn pass_on<B>(response: Response<B>, mut reply: Sink) -> Result<Outcome, Status>
where
    B: http_body::Body<Data: Send, Error: Into<BoxError> + Send> + Send,
{
    let (head, body) = response.into_parts();
    if head.status == StatusCode::SWITCHING_PROTOCOLS {
        let text = "a mounted service cannot switch protocols";
        return Err(Status::unimplemented(text).with_native(Native::Http(501)));
    }
    let mut fields = metadata(&head.headers);
    if let (Some(length), None) = (body.size_hint().exact(), head.headers.get(header::CONTENT_LENGTH)) {
        let text = if body.is_end_stream() { "0".to_owned() } else { length.to_string() };
        fields.append("content-length", text);
    }
    reply.answer(Answer {
        status: head.status.as_u16(),
        metadata: Some(Box::new(fields)),
        ..Answer::default()
    });
    let mut body = pin!(body);
    let mut trailers = None;
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|error| failed(error.into()))?;
        match frame.into_data() {
            Ok(mut data) => {
                // no copy if it is `Bytes` already
                let bytes = IoBuf::from(data.copy_to_bytes(data.remaining()));
                if !bytes.is_empty() {
                    reply.send(Part { bytes, ..Part::default() }).await?;
                }
            }
            Err(frame) => trailers = frame.into_trailers().ok().map(|fields| Box::new(metadata(&fields))),
        }
    }
    Ok(Outcome { trailers, ..Outcome::default() })
}

fn metadata(fields: &HeaderMap) -> Metadata {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect()
}

#[cold]
fn failed(error: BoxError) -> Status {
    Status::internal(format!("the mounted service failed: {error}"))
}
