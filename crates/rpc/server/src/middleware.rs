//! Code that runs around the handler of every call: access logs, request ids, authorization, spans.
//!
//! ```text
//!  dispatch -> first -> second -> handler
//!                 <- Ended   <- Ended
//! ```
//!
//! A server without middleware does not pay for this: methods are wrapped when their table is made.

use crate::{
    context::Context,
    service::{Call, Handler, Instance, Method, Service, Started},
};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_exchange::{Sink, Source};
use polywire_wire::{Compression, Content, Outcome};
use std::{future::Future, mem, pin::Pin, sync::Arc};

/// Runs around the handler of every call, over all protocols and kinds of call.
///
/// Implemented by async functions that take the call's context and the rest of the chain:
///
/// ```
/// # use polywire_server::{Context, Ended, Next};
/// async fn log(cx: Context, next: Next) -> Ended {
///     let (begun, method) = (std::time::Instant::now(), cx.method());
///     let ended = next.run(cx).await;
///     println!("{method}: {} after {:?}", ended.status().code(), begun.elapsed());
///     ended
/// }
/// # fn takes(_: impl polywire_server::Middleware) {}
/// # takes(log);
/// ```
///
/// A call that its caller cancels, or whose deadline passes, is dropped where it waits: code that must run
/// then belongs into a `Drop`. A call whose handler panics is dropped too, and the caller receives INTERNAL.
pub trait Middleware: Send + Sync + 'static {
    fn call(&self, cx: Context, next: Next) -> Pin<Box<dyn Future<Output = Ended> + Send>>;
}

impl<F, R> Middleware for F
where
    F: Fn(Context, Next) -> R + Send + Sync + 'static,
    R: Future<Output: Into<Ended>> + Send + 'static,
{
    fn call(&self, cx: Context, next: Next) -> Pin<Box<dyn Future<Output = Ended> + Send>> {
        let running = self(cx, next);
        Box::pin(async move { running.await.into() })
    }
}

/// The rest of the chain: further middleware, then the handler. A middleware that drops it refuses the call,
/// which then ends with what the middleware returns.
#[must_use = "the handler runs in `run`"]
pub struct Next {
    chain: Arc<Chain>,
    /// Index of the next middleware in the chain.
    at: usize,
    body: IoBuf,
    attachment: u32,
    content: Content,
    compression: Compression,
    max_message: u32,
    stream: Option<(Source, Sink)>,
}

impl Next {
    /// Runs the rest of the chain until the call has ended. A streaming call has ended once its last message
    /// was passed on.
    pub async fn run(mut self, cx: Context) -> Ended {
        if let Some(middleware) = self.chain.middleware.get(self.at) {
            let middleware = middleware.clone();
            self.at += 1;
            return middleware.call(cx, self).await;
        }
        let Next { chain, body, attachment, content, compression, max_message, stream, .. } = self;
        let call = Call { cx, body, attachment, content, compression, max_message, stream };
        match chain.handler.start(call) {
            Started::Ready(outcome) => Ended(outcome),
            Started::Future(running) => Ended(running.await),
        }
    }

    /// Whether the request is one message and the reply another.
    pub(crate) fn is_unary(&self) -> bool {
        self.stream.is_none()
    }

    /// Length of the request in bytes as it arrived, with its attachment; 0 if it is a stream.
    pub fn request_len(&self) -> usize {
        self.body.len()
    }
}

/// How a call ended.
#[derive(Debug)]
pub struct Ended(Outcome);

impl Ended {
    pub fn status(&self) -> &Status {
        &self.0.status
    }

    /// Length of the reply in bytes as it is sent, with its attachment; 0 if it was a stream.
    pub fn reply_len(&self) -> usize {
        self.0.body.len()
    }

    /// Adds a field to the end of the call: a trailer of gRPC, a header field of HTTP unless the reply was a
    /// stream.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.0.trailers.get_or_insert_default().append(name, value);
        self
    }
}

impl From<Status> for Ended {
    /// Ends the call with this status and without a reply.
    fn from(status: Status) -> Self {
        Ended(status.into())
    }
}

impl From<Result<Ended, Status>> for Ended {
    fn from(ended: Result<Ended, Status>) -> Self {
        ended.unwrap_or_else(Ended::from)
    }
}

/// All middleware of a server around one handler.
struct Chain {
    middleware: Arc<[Arc<dyn Middleware>]>,
    handler: Box<dyn Handler>,
}

/// A handler with the server's middleware around it.
struct Wrapped {
    chain: Arc<Chain>,
}

/// The services with middleware around each of their methods.
pub(crate) fn around(mut services: Vec<Service>, middleware: Vec<Arc<dyn Middleware>>) -> Vec<Service> {
    if middleware.is_empty() {
        return services;
    }
    let middleware: Arc<[_]> = middleware.into();
    let methods = services.iter_mut().flat_map(|service| &mut service.methods);
    methods.for_each(|method| method.wrap(middleware.clone()));
    services
}

impl Method {
    fn wrap(&mut self, middleware: Arc<[Arc<dyn Middleware>]>) {
        let placeholder: Instance = Box::new(|| unreachable!("replaced below"));
        let instance = mem::replace(&mut self.instance, placeholder);
        self.instance = Box::new(move || {
            let chain = Chain { middleware: middleware.clone(), handler: instance() };
            Box::new(Wrapped { chain: Arc::new(chain) })
        });
    }
}

impl Handler for Wrapped {
    fn start(&self, call: Call) -> Started {
        let Call { cx, body, attachment, content, compression, max_message, stream } = call;
        let chain = self.chain.clone();
        let next = Next { chain, at: 0, body, attachment, content, compression, max_message, stream };
        Started::Future(Box::pin(async move { next.run(cx).await.0 }))
    }
}
