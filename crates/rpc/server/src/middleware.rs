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
use polywire_call::{Code, Status, brpc};
use polywire_engine::inline;
use polywire_exchange::{Sink, Source};
use polywire_wire::{Compression, Content, Outcome};
use std::{
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    thread,
};

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
/// A call that its caller cancels, or whose deadline passes, is dropped where it waits, and so is one whose
/// handler panics: what stands behind `run` is not reached then. [`Next::on_end`] sees the end of every call.
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
    end: OnEnd,
}

impl Next {
    /// Runs the rest of the chain until the call has ended. A streaming call has ended once its last message
    /// was passed on.
    pub async fn run(mut self, cx: Context) -> Ended {
        let mut end = mem::take(&mut self.end);
        end.runs = true;
        let ended = match self.chain.middleware.get(self.at).cloned() {
            Some(middleware) => {
                self.at += 1;
                middleware.call(cx, self).await
            }
            None => {
                let Next { chain, body, attachment, content, compression, max_message, stream, .. } = self;
                let call = Call { cx, body, attachment, content, compression, max_message, stream };
                match chain.handler.start(call) {
                    Started::Ready(outcome) => Ended(outcome),
                    Started::Future(running) => Ended(running.await),
                }
            }
        };
        end.tell(ended.status());
        ended
    }

    /// Has `tell` called once when the call ends, however it does: with the status that [`Next::run`]
    /// returns; with DEADLINE_EXCEEDED when its deadline has passed; with CANCELLED when its caller has
    /// cancelled it or is gone, or when an outer middleware drops it; with INTERNAL when the handler panics.
    /// A middleware that does not run the rest of the chain ends the call itself, and `tell` is not called.
    ///
    /// ```
    /// # use polywire_server::{Context, Ended, Next};
    /// async fn log(cx: Context, next: Next) -> Ended {
    ///     let (begun, method) = (std::time::Instant::now(), cx.method());
    ///     next.on_end(move |status| println!("{method}: {} after {:?}", status.code(), begun.elapsed()))
    ///         .run(cx)
    ///         .await
    /// }
    /// # fn takes(_: impl polywire_server::Middleware) {}
    /// # takes(log);
    /// ```
    ///
    /// It runs on the thread that ends the handler and must not block. When it panics, the call goes on.
    pub fn on_end(mut self, tell: impl FnOnce(&Status) + Send + 'static) -> Self {
        self.end.tell = Some(match self.end.tell.take() {
            None => Box::new(tell),
            Some(first) => Box::new(move |status| {
                first(status);
                tell(status);
            }),
        });
        self
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

/// What a middleware wants to be told the end of its call.
#[derive(Default)]
struct OnEnd {
    tell: Option<Box<dyn FnOnce(&Status) + Send>>,
    /// Whether the rest of the chain runs. A middleware that drops it before ends the call itself.
    runs: bool,
}

impl OnEnd {
    fn tell(&mut self, status: &Status) {
        if let Some(tell) = self.tell.take() {
            // It may run while a panic of the handler unwinds: a second one would end the process.
            let _ = catch_unwind(AssertUnwindSafe(|| tell(status)));
        }
    }
}

impl Drop for OnEnd {
    fn drop(&mut self) {
        if self.tell.is_none() {
            return;
        }
        let dropped = || self.runs.then(|| Status::cancelled("middleware has dropped the call"));
        if let Some(why) = why_dropped().or_else(dropped) {
            self.tell(&why);
        }
    }
}

/// How a call ends whose handler or middleware is being dropped before it has come to its end; `None`: a
/// middleware drops it.
pub(crate) fn why_dropped() -> Option<Status> {
    if thread::panicking() {
        return Some(Status::internal(inline::PANICKED));
    }
    Some(match inline::dropped_for()? {
        Code::DeadlineExceeded => brpc::status(brpc::ERPCTIMEDOUT, "the deadline of the call has passed"),
        Code::Unavailable => Status::unavailable("the runtime of the handler ended"),
        _ => Status::cancelled("the caller has given up the call"),
    })
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
        let end = OnEnd::default();
        let next = Next { chain, at: 0, body, attachment, content, compression, max_message, stream, end };
        Started::Future(Box::pin(async move { next.run(cx).await.0 }))
    }
}
