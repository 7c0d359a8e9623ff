//! Methods that receive or return a stream: the traits that generated code implements, and how their handlers
//! are run.
//!
//! ```text
//!  Streaming<Request> --> handler --> impl Stream --> drive: Form, Lines --> Sink
//!                            |
//!                            `-- cx.spawn: its failure ends the stream after what is ready
//! ```
//!
//! A slow peer uses up the credit of its sink; then `drive` waits and does not poll the handler's stream. So
//! a handler can be ahead only by the length of its own queue and the parts that a sink queues.

mod drive;
mod lines;

use crate::{
    binding,
    context::Context,
    schemas::Schemas,
    service::{self, Call, Handler, Method, Service, Started},
};
#[cfg(feature = "tower")]
pub(crate) use lines::begins_with;
pub use lines::{has_frames, lines_of};
use polywire_call::{Reply, Status};
use polywire_exchange::{Sink, Source};
use polywire_formats::{Payload, rest::HttpRule};
use polywire_streams::{Form, Stream, Streaming};
use polywire_wire::{Compression, Delivery, Outcome, Role};
use std::{future::Future, marker::PhantomData, pin::pin, sync::Arc};

/// A method that takes one message and answers with a stream. Generated code implements it on a type without
/// fields.
pub trait ServerStreaming: 'static {
    type Service: Send + Sync + 'static;
    type Request: Payload;
    type Response: Payload;
    const NAME: &'static str;
    /// See [`Method::http`].
    const HTTP_RULES: &'static [HttpRule] = &[];

    fn call(
        service: &Self::Service,
        cx: &Context,
        request: Self::Request,
    ) -> impl Future<Output = Result<impl Stream<Item = Result<Self::Response, Status>> + Send, Status>> + Send;
}

/// A method that takes a stream and answers with one message.
pub trait ClientStreaming: 'static {
    type Service: Send + Sync + 'static;
    type Request: Payload;
    type Response: Payload;
    const NAME: &'static str;
    /// See [`Method::http`].
    const HTTP_RULES: &'static [HttpRule] = &[];

    fn call(
        service: &Self::Service,
        cx: &Context,
        incoming: Streaming<Self::Request>,
    ) -> impl Future<Output = Result<Reply<Self::Response>, Status>> + Send;
}

/// A method that takes a stream and answers with one.
pub trait BidiStreaming: 'static {
    type Service: Send + Sync + 'static;
    type Request: Payload;
    type Response: Payload;
    const NAME: &'static str;
    /// See [`Method::http`].
    const HTTP_RULES: &'static [HttpRule] = &[];

    fn call(
        service: &Self::Service,
        cx: &Context,
        incoming: Streaming<Self::Request>,
    ) -> impl Future<Output = Result<impl Stream<Item = Result<Self::Response, Status>> + Send, Status>> + Send;
}

impl Service {
    /// Adds a method that takes one message and answers with a stream.
    pub fn server_streaming<M: ServerStreaming>(self, service: &Arc<M::Service>) -> Self {
        let http = (Schemas::of::<M::Request, M::Response>(), M::HTTP_RULES);
        self.streamed::<OneToMany<M>>(service, M::NAME, http, Delivery::Whole, true)
    }

    /// Adds a method that takes a stream and answers with one message.
    pub fn client_streaming<M: ClientStreaming>(self, service: &Arc<M::Service>) -> Self {
        let http = (Schemas::of::<M::Request, M::Response>(), M::HTTP_RULES);
        self.streamed::<ManyToOne<M>>(service, M::NAME, http, Delivery::Messages, false)
    }

    /// Adds a method that takes a stream and answers with one.
    pub fn bidi_streaming<M: BidiStreaming>(self, service: &Arc<M::Service>) -> Self {
        let http = (Schemas::of::<M::Request, M::Response>(), M::HTTP_RULES);
        self.streamed::<ManyToMany<M>>(service, M::NAME, http, Delivery::Messages, true)
    }

    fn streamed<K: Kind>(
        self,
        service: &Arc<K::Service>,
        name: &'static str,
        (schemas, rules): (Schemas, &[HttpRule]),
        delivery: Delivery,
        answers: bool,
    ) -> Self {
        let service = service.clone();
        let mut method = Method::new(name, move || {
            Box::new(StreamingHandler::<K> { service: service.clone(), kind: PhantomData })
        })
        .streaming(delivery, answers);
        method.schemas = Some(schemas);
        method.rules = rules.to_vec();
        self.with(method)
    }
}

/// The differences between the three kinds. What is long is passed by reference: a future has room for each
/// place that a value passes through.
trait Kind: 'static {
    type Service: Send + Sync + 'static;

    fn run(service: &Self::Service, call: &mut Call) -> impl Future<Output = Outcome> + Send;
}

struct StreamingHandler<K: Kind> {
    service: Arc<K::Service>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Handler for StreamingHandler<K> {
    fn start(&self, mut call: Call) -> Started {
        let service = self.service.clone();
        Started::Future(Box::pin(async move { K::run(&service, &mut call).await }))
    }
}

struct OneToMany<M>(PhantomData<fn() -> M>);
struct ManyToOne<M>(PhantomData<fn() -> M>);
struct ManyToMany<M>(PhantomData<fn() -> M>);

impl<M: ServerStreaming> Kind for OneToMany<M> {
    type Service = M::Service;

    async fn run(service: &M::Service, call: &mut Call) -> Outcome {
        let (_, sink) = ends(call);
        let lines = lines::of_call(&call.cx);
        if call.compression != Compression::NONE {
            call.room_to_inflate().await;
        }
        let request = match call.take_request::<M::Request>() {
            Ok(request) => request,
            Err(status) => return binding::failed(status, &call.cx),
        };
        let (form, handler) = (form(call), pin!(M::call(service, &call.cx, request)));
        drive::answer(&call.cx, handler, sink, form, lines).await
    }
}

impl<M: ClientStreaming> Kind for ManyToOne<M> {
    type Service = M::Service;

    async fn run(service: &M::Service, call: &mut Call) -> Outcome {
        let incoming = match incoming(call) {
            Ok((incoming, _)) => incoming,
            Err(status) => return status.into(),
        };
        let cx = &call.cx;
        let handler = pin!(M::call(service, cx, incoming));
        let replied = cx.unless_failed(handler).await.and_then(|reply| reply);
        service::outcome(replied, call)
    }
}

impl<M: BidiStreaming> Kind for ManyToMany<M> {
    type Service = M::Service;

    async fn run(service: &M::Service, call: &mut Call) -> Outcome {
        let (incoming, sink) = match incoming(call) {
            Ok(both) => both,
            Err(status) => return status.into(),
        };
        let (form, handler) = (form(call), pin!(M::call(service, &call.cx, incoming)));
        drive::answer(&call.cx, handler, sink, form, None).await
    }
}

fn ends(call: &mut Call) -> (Source, Sink) {
    call.stream.take().expect("the dispatcher gives both ends to a method that streams")
}

fn form(call: &Call) -> Form {
    Form {
        role: Role::Server,
        content: call.content,
        json: call.cx.json(polywire_wire::Content::JSON),
        compression: Compression::NONE,
        longest: call.longest(),
        max_sent: usize::MAX,
    }
}

/// The caller's stream, and the sink for the reply.
fn incoming<T: Payload>(call: &mut Call) -> Result<(Streaming<T>, Sink), Status> {
    if lines::of_call(&call.cx).is_some() {
        let (service, method) = (call.cx.service(), call.cx.method());
        let text = format!("{service}/{method} takes a stream of messages, which plain HTTP cannot carry");
        return Err(Status::unimplemented(text));
    }
    call.settle_content();
    let (source, sink) = ends(call);
    // The head says whether messages may be compressed.
    let inflating = (call.compression != Compression::NONE).then(|| call.cx.inflating().clone());
    Ok((Streaming::new(source, form(call)).inflating(inflating), sink))
}
