//! One call: options first, then a future that sends when it is first polled.

use crate::{
    backoff::Patience,
    lease::Lease,
    link,
    shared::Shared,
    streaming::{self, Stream},
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Metadata, Parent, Reply, Status};
use polywire_engine::{Caller, Draft, Request};
use polywire_formats::{Message, compression, decode_reply};
use polywire_streams::Form;
use polywire_wire::Outcome;
use std::{
    future::{Future, IntoFuture, poll_fn},
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

pub use polywire_engine::Name;

/// What is called.
#[derive(Clone)]
pub struct Target {
    /// Full name, `package.Service`.
    pub service: Name,
    pub method: Name,
    /// Place of the method in its service's definition, from 0: for protocols that name methods by it (hulu, nova).
    pub index: Option<u32>,
}

impl Target {
    pub const fn fixed(service: &'static str, method: &'static str) -> Self {
        Target { service: Name::Static(service), method: Name::Static(method), index: None }
    }
    pub fn named(service: impl Into<String>, method: impl Into<String>) -> Self {
        Target { service: service.into().into(), method: method.into().into(), index: None }
    }
    /// With the method's place in its service's definition, counted from 0.
    pub const fn at(mut self, index: u32) -> Self {
        self.index = Some(index);
        self
    }
}

/// A call that has not been sent. Awaiting it sends; dropping it sends nothing.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<R> {
    shared: Arc<Shared>,
    /// Lies where it will stay: a call is a few words to move.
    draft: Draft,
    timeout: Option<Duration>,
    retries: u32,
    /// Seldom used.
    extra: Option<Box<Extra>>,
    answer: PhantomData<fn() -> R>,
}

#[derive(Default)]
struct Extra {
    attachment: IoBuf,
    compression: Compression,
    /// The request could not be encoded.
    failed: Option<Status>,
    /// See [`Call::wait_for_ready`].
    waits: bool,
}

impl<R> Call<R> {
    #[inline]
    pub(crate) fn new(shared: Arc<Shared>, target: Target, body: Result<IoBuf, Status>) -> Self {
        let (timeout, retries) = (shared.options.timeout, shared.options.retries);
        let (body, extra) = match body {
            Ok(body) => (body, None),
            Err(failed) => (IoBuf::new(), Some(Box::new(Extra { failed: Some(failed), ..Extra::default() }))),
        };
        let draft = Draft::new(Self::request(&shared, target, body));
        Call { shared, draft, timeout, retries, extra, answer: PhantomData }
    }

    /// A request with the channel's defaults.
    #[inline]
    pub(crate) fn request(shared: &Shared, target: Target, body: IoBuf) -> Request {
        Request {
            service: target.service,
            method: target.method,
            index: target.index,
            deadline: None,
            metadata: Metadata::new(),
            body,
            attachment: 0,
            content: shared.content,
            compression: Compression::NONE,
            finished: true,
            streamed: false,
            offers: Box::default(),
        }
    }

    /// From first poll to end, tries included. Default: the channel's.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The call ends by then, whatever its timeout says: a deadline to inherit.
    pub fn deadline(mut self, deadline: Option<Instant>) -> Self {
        self.draft.deadline = deadline;
        self
    }

    /// The call is made while `parent` is served: it ends by the same deadline. Cancellation comes by itself, since the
    /// future is dropped with the handler that awaits it.
    pub fn within(self, parent: &impl Parent) -> Self {
        let deadline = earlier(self.draft.deadline, parent.deadline());
        self.deadline(deadline)
    }

    /// Raw bytes beside the message; never compressed.
    pub fn attachment(mut self, attachment: impl Into<IoBuf>) -> Self {
        self.extra.get_or_insert_default().attachment = attachment.into();
        self
    }

    /// A field that travels beside the message.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.draft.metadata.append(name, value);
        self
    }

    /// Compresses the message.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.extra.get_or_insert_default().compression = compression;
        self
    }

    /// Further tries of this call. Default: the channel's.
    pub fn retries(mut self, most: u32) -> Self {
        self.retries = most;
        self
    }

    /// While nobody can be reached the call waits, up to its deadline, in place of failing. What went wrong meanwhile is
    /// not counted as a try.
    pub fn wait_for_ready(mut self, wait: bool) -> Self {
        self.extra.get_or_insert_default().waits = wait;
        self
    }

    #[inline]
    fn send(mut self) -> Result<Sent, Status> {
        let tries = self.complete()?;
        let (caller, lease) = self.shared.post(self.draft, tries.patience())?;
        Ok(Sent { shared: self.shared, caller: Some(caller), lease, tries })
    }

    /// Turns the options into the request.
    #[inline]
    fn complete(&mut self) -> Result<Tries, Status> {
        let mut waits = false;
        if let Some(extra) = self.extra.take() {
            waits = extra.waits;
            self.add(*extra)?;
        }
        if let Some(timeout) = self.timeout {
            self.draft.deadline = earlier(self.draft.deadline, Instant::now().checked_add(timeout));
        }
        Ok(Tries { left: self.retries, waits })
    }

    #[cold]
    fn add(&mut self, extra: Extra) -> Result<(), Status> {
        if let Some(failed) = extra.failed {
            return Err(failed);
        }
        let request = &mut *self.draft;
        let body = std::mem::take(&mut request.body);
        request.body = compression::compress(extra.compression, body).map_err(|error| error.request())?;
        request.compression = extra.compression;
        request.attachment = extra.attachment.len() as u32;
        request.body.append(extra.attachment);
        Ok(())
    }
}

impl Call<Raw> {
    /// Form of the body, where it differs from the channel's.
    pub fn content(mut self, content: Content) -> Self {
        self.draft.content = content;
        self
    }
}

impl<R: Answer> Call<R> {
    /// Sends the call and offers `streams` streams inside it, where the protocol can. They come back if the peer accepts,
    /// and live on after the call. Never tried twice.
    ///
    /// # Errors
    /// As awaiting the call.
    pub async fn offering(mut self, streams: usize) -> Result<(Reply<R>, Vec<Stream>), Status> {
        self.complete()?;
        let Call { shared, draft, .. } = self;
        let form = Form { compression: Compression::NONE, ..streaming::form(&shared, &draft) };
        let (caller, lease, ends) = shared.post_offering(draft, streams)?;
        let mut sent = Sent { shared, caller: Some(caller), lease, tries: Tries { left: 0, waits: false } };
        let outcome = poll_fn(|cx| sent.poll(cx)).await;
        let accepted = outcome.accept;
        let reply = R::read(outcome, form.max_message)?;
        let open = |ends| Stream::new(ends, form);
        let streams = if accepted { ends.into_iter().map(open).collect() } else { Vec::new() };
        Ok((reply, streams))
    }

    /// Sends and waits on the calling thread, without a runtime. Callers on several threads share a connection.
    ///
    /// # Errors
    /// As awaiting it; and FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn blocking(mut self) -> Result<Reply<R>, Status> {
        if polywire_engine::current_shard_id().is_some() {
            return Err(Status::failed_precondition(
                "blocking() on a shard's thread would stop every connection there: await the call, \
                 or declare the method `blocking`",
            ));
        }
        let mut tries = self.complete()?;
        let Call { shared, mut draft, .. } = self;
        let most = shared.config.limits.max_message as usize;
        loop {
            let (caller, outcome) = shared.call_plain(draft, tries.patience())?;
            if !tries.take(&outcome.status) {
                return R::read(outcome, most);
            }
            let Some(again) = caller.reclaim() else { return R::read(outcome, most) };
            draft = Draft::new(again);
        }
    }
}

impl<R: Answer> IntoFuture for Call<R> {
    type Output = Result<Reply<R>, Status>;
    type IntoFuture = CallFuture<R>;

    fn into_future(self) -> CallFuture<R> {
        CallFuture { state: State::New(Some(self)) }
    }
}

/// What a reply is read into.
pub trait Answer: Sized + Send + 'static {
    /// # Errors
    /// What the peer said, or that its reply cannot be read.
    fn read(outcome: Outcome, max_bytes: usize) -> Result<Reply<Self>, Status>;
}

/// A reply's bytes as they came, with what says how to read them.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    pub body: IoBuf,
    pub content: Content,
    pub compression: Compression,
}

impl Answer for Raw {
    fn read(outcome: Outcome, _max_bytes: usize) -> Result<Reply<Self>, Status> {
        let (outcome, beside) = split(outcome)?;
        let Outcome { body, content, compression, .. } = outcome;
        Ok(with(beside, Raw { body, content, compression }, compression))
    }
}

impl<M: Message> Answer for M {
    #[inline]
    fn read(outcome: Outcome, max_bytes: usize) -> Result<Reply<Self>, Status> {
        let (outcome, beside) = split(outcome)?;
        let Outcome { body, content, compression, .. } = outcome;
        Ok(with(beside, decode_reply(content, compression, body, max_bytes)?, compression))
    }
}

/// The earlier of two deadlines, if there is any.
#[inline]
pub(crate) fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// A successful outcome with its message alone, and what came beside it.
#[inline]
fn split(mut outcome: Outcome) -> Result<(Outcome, Option<Beside>), Status> {
    if !outcome.status.is_ok() {
        return Err(outcome.into_status());
    }
    let something = outcome.attachment > 0 || outcome.headers.is_some() || outcome.trailers.is_some();
    let beside = something.then(|| take_beside(&mut outcome));
    Ok((outcome, beside))
}

/// Attachment, fields before the message, fields behind it.
type Beside = (IoBuf, Metadata, Metadata);

#[cold]
fn take_beside(outcome: &mut Outcome) -> Beside {
    let attached = (outcome.attachment as usize).min(outcome.body.len());
    let message = outcome.body.cut(outcome.body.len() - attached);
    let attachment = std::mem::replace(&mut outcome.body, message);
    let fields = |fields: Option<Box<Metadata>>| fields.map(|fields| *fields).unwrap_or_default();
    (attachment, fields(outcome.headers.take()), fields(outcome.trailers.take()))
}

#[inline]
fn with<M>(beside: Option<Beside>, message: M, compression: Compression) -> Reply<M> {
    match beside {
        None => Reply::new(message).compress(compression),
        Some((attachment, headers, metadata)) => {
            Reply::from_parts(message, attachment, metadata, compression).with_headers(headers)
        }
    }
}

/// A call under way. Dropping it cancels: the peer is told where the protocol can.
pub struct CallFuture<R> {
    state: State<R>,
}

enum State<R> {
    New(Option<Call<R>>),
    Sent(Sent),
    Over,
}

struct Sent {
    shared: Arc<Shared>,
    /// Taken to try again.
    caller: Option<Caller>,
    /// A connection that is this call's alone; given back when the try ends.
    lease: Option<Lease>,
    tries: Tries,
}

/// Whether a call is tried again.
#[derive(Clone, Copy)]
struct Tries {
    left: u32,
    /// Not reaching anybody is not counted.
    waits: bool,
}

impl Tries {
    fn patience(&self) -> Patience {
        if self.waits || self.left > 0 { Patience::Pause } else { Patience::None }
    }

    /// Whether there is another try after one that ended so.
    #[inline]
    fn take(&mut self, status: &Status) -> bool {
        !status.is_ok() && self.take_after(status)
    }

    #[cold]
    fn take_after(&mut self, status: &Status) -> bool {
        if self.waits && link::is_of_connect(status) {
            return true;
        }
        let again = self.left > 0 && status.is_retryable();
        self.left -= u32::from(again);
        again
    }
}

impl Sent {
    #[inline]
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        loop {
            let caller = self.caller.as_mut().expect("taken below, and then put back or never polled again");
            let outcome = ready!(caller.poll_reply(cx));
            if let Some(lease) = self.lease.take() {
                lease.give_back(&outcome.status);
            }
            if !self.tries.take(&outcome.status) {
                return Poll::Ready(outcome);
            }
            let Some(request) = self.caller.take().and_then(Caller::reclaim) else {
                return Poll::Ready(outcome);
            };
            match self.shared.post(Draft::new(request), Patience::Pause) {
                Ok((caller, lease)) => (self.caller, self.lease) = (Some(caller), lease),
                Err(_) => return Poll::Ready(outcome),
            }
        }
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if let Some(caller) = self.caller.as_ref().filter(|caller| !caller.is_done()) {
            caller.abandon();
        }
    }
}

impl<R> Unpin for CallFuture<R> {}

impl<R: Answer> Future for CallFuture<R> {
    type Output = Result<Reply<R>, Status>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let State::New(call) = &mut self.state {
            let call = call.take().expect("taken only here");
            match call.send() {
                Ok(sent) => self.state = State::Sent(sent),
                Err(status) => {
                    self.state = State::Over;
                    return Poll::Ready(Err(status));
                }
            }
        }
        let State::Sent(sent) = &mut self.state else { panic!("a call was polled after it ended") };
        let outcome = ready!(sent.poll(cx));
        let most = sent.shared.config.limits.max_message as usize;
        self.state = State::Over;
        Poll::Ready(R::read(outcome, most))
    }
}
