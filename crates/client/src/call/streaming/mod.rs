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
mod replay;
mod upload;

pub use duplex::Duplex;
pub use raw::Stream;
pub use upload::Upload;

use crate::{
    call::attempt::Tries,
    call::deadline,
    call::policy::{self, pause_after},
    call::unary::{Call, Target, Timeout, earlier, not_sent},
    connection::home::sleep,
    core::Shared,
    pool::exclusive::Lease,
    service_config::Attempts,
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Origin, Parent, Status};
use polywire_engine::{Request, Sink, Source, clock};
use polywire_formats::compression;
use polywire_streams::{Form, Item, Lines, OnEnd, Streaming};
use polywire_wire::{Outcome, Role, Streams};
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
    timeout: Timeout,
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
        StreamingCall { shared, request, timeout: Timeout::Default, compression, failed, shape: PhantomData }
    }

    /// From the opening to the end of both streams. Default: no limit; the channel's is for calls with one message each
    /// way.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Timeout::Of(timeout);
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

    /// # Errors
    /// UNIMPLEMENTED: the channel's protocol cannot carry such a call.
    fn check_protocol(&self) -> Result<(), Status>
    where
        S: Shape,
    {
        let Shared { protocol, config, .. } = &*self.shared;
        match protocol.streams {
            Streams::Messages => return Ok(()),
            Streams::Bytes if S::READS_LINES => return Ok(()),
            Streams::Bytes | Streams::None => {}
        }
        let able = config.registry.iter().filter(|p| p.machine.is_some() && p.streams == Streams::Messages);
        let able: Vec<_> = able.map(|p| p.name).collect();
        let Request { service, method, .. } = &self.request;
        Err(Status::unimplemented(format!(
            "{} cannot carry the streaming method {}/{}; these can: {}",
            protocol.name,
            &**service,
            &**method,
            able.join(", ")
        )))
    }

    /// Turns the options into the request.
    fn complete(mut self, streamed: bool) -> Result<Opening, Status> {
        if let Some(failed) = self.failed {
            return Err(not_sent(&self.shared, failed));
        }
        let request = &mut self.request;
        if request.finished {
            let body = std::mem::take(&mut request.body);
            request.body = compression::compress(self.compression, body).map_err(|error| error.request())?;
        }
        (request.compression, request.streamed) = (self.compression, streamed);
        let mut form = form(&self.shared, request);
        let mut tries = Tries {
            left: self.shared.options.retries,
            made: 0,
            limit: None,
            waits: self.shared.options.wait_for_ready,
            unseen_only: true,
        };
        let config = self.shared.service_config.as_ref();
        let attempts = config.and_then(|config| config.attempts(&request.service, &request.method));
        if let Some(method) = attempts.as_ref().map(Attempts::method) {
            if let Some(timeout) = method.timeout {
                self.timeout = self.timeout.within(timeout);
            }
            policy::check_request(method, request.body.len())?;
            tries.waits = method.wait_for_ready.unwrap_or(tries.waits);
            form.max_message = policy::max_response(method, &self.shared);
            form.max_sent = method.max_request.map_or(usize::MAX, |most| most as usize);
        }
        if let Some(timeout) = self.timeout.or(None) {
            let now = clock::now();
            request.deadline = earlier(request.deadline, now.checked_add(timeout));
            tries.limit = request.deadline.map(|at| at.saturating_duration_since(now));
        }
        Ok(Opening { shared: self.shared, request: self.request, form, tries, attempts })
    }
}

impl<S: Shape> IntoFuture for StreamingCall<S> {
    type Output = Result<S, Status>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            if S::MESSAGES {
                self.check_protocol()?;
            }
            S::open(self.complete(S::STREAMED)?).await
        })
    }
}

/// How the messages of a call travel.
pub(crate) fn form(shared: &Shared, request: &Request) -> Form {
    Form {
        role: Role::Client,
        content: request.content,
        json: polywire_formats::json::Json::DEFAULT,
        compression: request.compression,
        max_message: shared.config.limits.max_message as usize,
        max_sent: usize::MAX,
    }
}

/// What a [`StreamingCall`] is awaited to: [`Streaming`], [`Upload`], [`Duplex`] or [`Stream`].
pub trait Shape: Sized + Send + 'static {
    /// The answer is a stream.
    #[doc(hidden)]
    const STREAMED: bool;
    /// It is about whole messages.
    #[doc(hidden)]
    const MESSAGES: bool = true;
    /// It takes one message and answers with many, which a protocol of plain bytes can carry as lines of text.
    #[doc(hidden)]
    const READS_LINES: bool = false;
    #[doc(hidden)]
    fn open(opening: Opening) -> impl Future<Output = Result<Self, Status>> + Send;
}

/// A call about to be posted, and posted again while it may be.
pub struct Opening {
    shared: Arc<Shared>,
    request: Request,
    form: Form,
    tries: Tries,
    /// Only where a service config has to do with the method.
    attempts: Option<Attempts>,
}

impl Opening {
    /// Posts the call; its connection may still be under way.
    fn post(&self) -> Result<(Source, Sink, Option<Lease>), Status> {
        let mut request = self.request.clone();
        if let Some(attempts) = &self.attempts {
            attempts.announce(&mut request.metadata);
        }
        let ((source, sink), lease) = self.shared.post_stream(request, self.tries.patience())?;
        Ok((source, sink, lease))
    }

    /// A service config has a retry policy for the method.
    fn may_repeat(&self) -> bool {
        self.attempts.as_ref().is_some_and(Attempts::may_repeat)
    }

    /// The call has ended so: waits until it may be posted again. False: it may not.
    async fn again(&mut self, outcome: &Outcome) -> bool {
        if self.tries.take(&outcome.status) {
            return true;
        }
        let Some(attempts) = &mut self.attempts else { return false };
        let Some(pause) = pause_after(attempts, outcome, self.request.deadline) else { return false };
        sleep(pause).await;
        true
    }

    /// The call has ended well, or has come so far that it is not tried again.
    fn succeeded(&mut self) {
        if let Some(attempts) = &mut self.attempts {
            attempts.ended(&Status::OK, None);
        }
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
/// is tried again, as often as the channel says, if the peer did nothing with it, and otherwise as a service config says.
impl<O: Item> Shape for Streaming<O> {
    const STREAMED: bool = true;
    const READS_LINES: bool = true;

    async fn open(mut opening: Opening) -> Result<Self, Status> {
        let reads_lines = opening.shared.protocol.streams == Streams::Bytes;
        if reads_lines && opening.request.metadata.get("accept").is_none() {
            opening.request.metadata.append("accept", Lines::ACCEPT);
        }
        loop {
            let failed = match opening.post() {
                Ok((source, _, lease)) => {
                    let mut answers = Streaming::new(source, opening.form).on_end(on_end(lease));
                    match answers.opened().await {
                        Ok(_) => {
                            opening.succeeded();
                            return if reads_lines {
                                divided(answers, &opening.request)
                            } else {
                                Ok(answers)
                            };
                        }
                        Err(status) => status,
                    }
                }
                Err(status) => status,
            };
            let mut outcome = Outcome::from(failed);
            if !opening.again(&outcome).await {
                deadline::explain(&mut outcome.status, &opening.tries);
                return Err(outcome.into_status());
            }
        }
    }
}

/// An answer whose messages are lines of text.
///
/// # Errors
/// UNIMPLEMENTED: it is something else.
fn divided<O: Item>(answers: Streaming<O>, request: &Request) -> Result<Streaming<O>, Status> {
    let content_type = answers.metadata().get("content-type");
    if let Some(lines) = content_type.and_then(Lines::by_type) {
        return Ok(answers.divided(lines));
    }
    let given = content_type.map_or("no content type".into(), String::from_utf8_lossy);
    let Request { service, method, .. } = request;
    Err(Status::unimplemented(format!(
        "{}/{} was answered with {given}, in which one message cannot be told from the next; these can be read: {}",
        &**service,
        &**method,
        Lines::ACCEPT
    ))
    .with_origin(Origin::Remote))
}
