//! Typed streaming calls: options first, then awaited to a handle.
//!
//! ```text
//!  StreamingCall<Streaming<O>>   one message out, a stream back:  awaits the head of the answer
//!  StreamingCall<Upload<I, O>>   a stream out, one message back:  send, send, finish
//!  StreamingCall<Duplex<I, O>>   a stream each way:               send and next in any order, or split
//!  StreamingCall<Stream>         bytes each way, as they come:    for proxies and tools
//! ```
//!
//! Dropping a handle before its end gives the call up; the peer is told.

mod duplex;
mod raw;
mod upload;

pub use duplex::Duplex;
pub use raw::Stream;
pub use upload::Upload;

use crate::{
    call::{Call, Target, earlier},
    lease::Lease,
    shared::Shared,
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Parent, Status};
use polywire_engine::{Request, Sink, Source};
use polywire_formats::compression;
use polywire_streams::{Form, Item, OnEnd, Streaming};
use polywire_wire::Role;
use std::{
    future::{Future, IntoFuture},
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

/// A streaming call that has not been sent. Awaiting it opens it; dropping it sends nothing.
#[must_use = "a call is opened when it is awaited"]
pub struct StreamingCall<S> {
    shared: Arc<Shared>,
    request: Request,
    timeout: Option<Duration>,
    compression: Compression,
    /// The request could not be encoded.
    failed: Option<Status>,
    shape: PhantomData<fn() -> S>,
}

impl<S> StreamingCall<S> {
    pub(crate) fn new(shared: Arc<Shared>, target: Target, request: Option<Result<IoBuf, Status>>) -> Self {
        let finished = request.is_some();
        let (body, failed) = match request {
            None => (IoBuf::new(), None),
            Some(Ok(body)) => (body, None),
            Some(Err(failed)) => (IoBuf::new(), Some(failed)),
        };
        let request = Request { finished, ..Call::<()>::request(&shared, target, body) };
        let compression = Compression::NONE;
        StreamingCall { shared, request, timeout: None, compression, failed, shape: PhantomData }
    }

    /// From the opening to the end of both streams. Default: no limit; the channel's is for calls with one message each
    /// way.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The call ends by then, whatever its timeout says.
    pub fn deadline(mut self, deadline: Option<Instant>) -> Self {
        self.request.deadline = deadline;
        self
    }

    /// The call is made while `parent` is served: it ends by the same deadline. Cancellation comes by itself, since its
    /// handle is dropped with the handler that holds it.
    pub fn within(self, parent: &impl Parent) -> Self {
        let deadline = earlier(self.request.deadline, parent.deadline());
        self.deadline(deadline)
    }

    /// A field that travels with the opening.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.request.metadata.append(name, value);
        self
    }

    /// Compresses every message we send.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Turns the options into the request.
    fn complete(mut self, streamed: bool) -> Result<Opening, Status> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let request = &mut self.request;
        if request.finished {
            let body = std::mem::take(&mut request.body);
            request.body = compression::compress(self.compression, body).map_err(|error| error.request())?;
        }
        (request.compression, request.streamed) = (self.compression, streamed);
        if let Some(timeout) = self.timeout {
            request.deadline = earlier(request.deadline, Instant::now().checked_add(timeout));
        }
        let form = form(&self.shared, request);
        Ok(Opening { shared: self.shared, request: self.request, form })
    }
}

impl<S: Shape> IntoFuture for StreamingCall<S> {
    type Output = Result<S, Status>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { S::open(self.complete(S::STREAMED)?).await })
    }
}

/// How the messages of a call travel.
pub(crate) fn form(shared: &Shared, request: &Request) -> Form {
    Form {
        role: Role::Client,
        content: request.content,
        compression: request.compression,
        max_message: shared.config.limits.max_message as usize,
    }
}

/// What a [`StreamingCall`] is awaited to: [`Streaming`], [`Upload`], [`Duplex`] or [`Stream`].
pub trait Shape: Sized + Send + 'static {
    /// The answer is a stream.
    #[doc(hidden)]
    const STREAMED: bool;
    #[doc(hidden)]
    fn open(opening: Opening) -> impl Future<Output = Result<Self, Status>> + Send;
}

/// A call about to be posted.
pub struct Opening {
    shared: Arc<Shared>,
    request: Request,
    form: Form,
}

impl Opening {
    /// Posts the call; its connection may still be under way.
    fn post(&self) -> Result<(Source, Sink, Option<Lease>), Status> {
        let ((source, sink), lease) = self.shared.post_stream(self.request.clone())?;
        Ok((source, sink, lease))
    }
}

/// Gives a connection back when its call ends; one that is given up before that drops it.
fn on_end(lease: Option<Lease>) -> Option<OnEnd> {
    let lease = lease?;
    Some(Box::new(move |status| {
        if let Some(status) = status {
            lease.give_back(status);
        }
    }))
}

/// One message out, a stream back. Opening it waits for the head of the answer, so a call that fails at once fails here. It
/// is tried again, as often as the channel says, only if the peer did nothing with it.
impl<O: Item> Shape for Streaming<O> {
    const STREAMED: bool = true;

    async fn open(opening: Opening) -> Result<Self, Status> {
        let mut tries = opening.shared.options.retries;
        loop {
            let (source, _, lease) = opening.post()?;
            let mut answers = Streaming::new(source, opening.form).on_end(on_end(lease));
            match answers.opened().await {
                Ok(_) => return Ok(answers),
                Err(status) if tries > 0 && status.is_unprocessed() => tries -= 1,
                Err(status) => return Err(status),
            }
        }
    }
}
