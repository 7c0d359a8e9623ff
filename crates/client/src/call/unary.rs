//! One call: options first, then a future that sends when it is first polled.

use crate::{
    call::attempt::{self, Sent, Tries},
    call::deadline,
    call::policy::{self, Managed},
    call::reply::{Answer, Raw},
    core::Shared,
    service_config::Attempts,
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Metadata, Parent, Reply, Status, brpc};
use polywire_engine::{Draft, Request, clock};
use polywire_formats::compression;
use polywire_streams::RawStream;
use polywire_wire::Streams;
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
    /// Place of the method in its service's definition, from 0, for protocols that name methods by it (hulu, nova); or the
    /// number that the definition gives it (fb_rpc).
    pub index: Option<u32>,
}

impl Target {
    pub const fn fixed(service: &'static str, method: &'static str) -> Self {
        Target { service: Name::Static(service), method: Name::Static(method), index: None }
    }
    pub fn named(service: impl Into<String>, method: impl Into<String>) -> Self {
        Target { service: service.into().into(), method: method.into().into(), index: None }
    }
    /// With the method's place in its service's definition, counted from 0, or the number that the definition gives it.
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
    timeout: Timeout,
    retries: u32,
    /// Seldom used.
    extra: Option<Box<Extra>>,
    answer: PhantomData<fn() -> R>,
}

/// How long a call may take.
#[derive(Clone, Copy)]
pub(crate) enum Timeout {
    /// It does not say.
    Default,
    Of(Duration),
}

impl Timeout {
    /// In place of what the call does not say; of two the shorter.
    pub fn within(self, limit: Duration) -> Timeout {
        match self {
            Timeout::Default => Timeout::Of(limit),
            Timeout::Of(timeout) => Timeout::Of(timeout.min(limit)),
        }
    }

    /// `default`: for calls that do not say.
    #[inline]
    pub fn or(self, default: Option<Duration>) -> Option<Duration> {
        match self {
            Timeout::Default => default,
            Timeout::Of(timeout) => Some(timeout),
        }
    }
}

#[derive(Default)]
struct Extra {
    attachment: IoBuf,
    compression: Compression,
    /// The request could not be encoded.
    failed: Option<Status>,
    /// See [`Call::wait_for_ready`].
    waits: Option<bool>,
}

impl<R> Call<R> {
    #[inline]
    pub(crate) fn new(shared: Arc<Shared>, target: Target, body: Result<IoBuf, Status>) -> Self {
        let retries = shared.options.retries;
        let (body, extra) = match body {
            Ok(body) => (body, None),
            Err(failed) => (IoBuf::new(), Some(Box::new(Extra { failed: Some(failed), ..Extra::default() }))),
        };
        let draft = Draft::new(Self::request(&shared, target, body));
        Call { shared, draft, timeout: Timeout::Default, retries, extra, answer: PhantomData }
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
        self.timeout = Timeout::Of(timeout);
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

    /// Further tries of this call. Default: the channel's. Where a service config has a retry policy for the method, these
    /// are only for requests that no server has looked at.
    pub fn retries(mut self, most: u32) -> Self {
        self.retries = most;
        self
    }

    /// While nobody can be reached the call waits, up to its deadline, in place of failing at once. What went wrong
    /// meanwhile is not counted against its retries. Default: the channel's ([`Builder::wait_for_ready`](crate::Builder)).
    pub fn wait_for_ready(mut self, wait: bool) -> Self {
        self.extra.get_or_insert_default().waits = Some(wait);
        self
    }

    #[inline]
    fn send(mut self) -> Result<Sent, Status> {
        let tries = self.complete()?;
        Sent::post(self.shared, self.draft, tries)
    }

    /// As `send`, of a call that a service config has to do with.
    #[cold]
    fn send_managed(mut self, attempts: Attempts) -> Result<Managed, Status> {
        let tries = self.complete_managed(&attempts)?;
        Ok(Managed::new(self.shared, self.draft, tries, attempts))
    }

    /// The attempts of this call, if there is a service config that has to do with it.
    #[inline]
    fn attempts(&self) -> Option<Attempts> {
        let config = self.shared.service_config.as_ref()?;
        config.attempts(&self.draft.service, &self.draft.method)
    }

    /// Turns the options into the request.
    #[inline]
    fn complete(&mut self) -> Result<Tries, Status> {
        let mut waits = self.shared.options.wait_for_ready;
        if let Some(extra) = self.extra.take() {
            waits = extra.waits.unwrap_or(waits);
            self.add(*extra)?;
        }
        let mut limit = None;
        if let Some(timeout) = self.timeout.or(self.shared.options.timeout) {
            let now = clock::now();
            self.draft.deadline = earlier(self.draft.deadline, now.checked_add(timeout));
            limit = self.draft.deadline.map(|at| at.saturating_duration_since(now));
        }
        Ok(Tries { left: self.retries, made: 0, limit, waits, unseen_only: false })
    }

    fn complete_managed(&mut self, attempts: &Attempts) -> Result<Tries, Status> {
        let method = attempts.method();
        if let Some(timeout) = method.timeout {
            self.timeout = self.timeout.within(timeout);
        }
        if let Some(waits) = method.wait_for_ready {
            self.extra.get_or_insert_default().waits.get_or_insert(waits);
        }
        let tries = self.complete()?;
        policy::check_request(method, self.draft.body.len())?;
        Ok(Tries { unseen_only: attempts.may_repeat(), ..tries })
    }

    #[cold]
    fn add(&mut self, extra: Extra) -> Result<(), Status> {
        if let Some(failed) = extra.failed {
            return Err(not_sent(&self.shared, failed));
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
    /// Sends the call with an offer of a stream inside it, which lives on after the call (streaming_rpc). Never tried twice.
    ///
    /// # Errors
    /// As awaiting the call; and EREQUEST if the server did not accept the stream. UNIMPLEMENTED where the protocol has none.
    pub async fn with_stream(self) -> Result<(Reply<R>, RawStream), Status> {
        let (reply, mut streams) = self.with_streams(1).await?;
        match streams.pop() {
            Some(stream) => Ok((reply, stream)),
            None => Err(brpc::status(brpc::EREQUEST, "The server didn't accept the stream")),
        }
    }

    /// As [`Call::with_stream`], with several: all of them are accepted, in their order, or none.
    ///
    /// # Errors
    /// As there.
    pub async fn with_streams(mut self, streams: usize) -> Result<(Reply<R>, Vec<RawStream>), Status> {
        let tries = self.complete()?;
        let Call { shared, draft, .. } = self;
        if shared.protocol.streams == Streams::None {
            let text = format!("{} carries no streams", shared.protocol.name);
            return Err(Status::unimplemented(text));
        }
        let most = shared.config.limits.max_message as usize;
        let (caller, lease, ends) = shared.post_offering(draft, streams, tries.patience())?;
        let mut sent = Sent::once(shared, caller, lease, tries);
        let outcome = poll_fn(|cx| sent.poll(cx)).await;
        let accepted = outcome.accept;
        let reply = R::read(outcome, most)?;
        let streams = if accepted { ends.into_iter().map(RawStream::new).collect() } else { Vec::new() };
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
        if let Some(attempts) = self.attempts() {
            return self.send_managed(attempts)?.blocking();
        }
        let mut tries = self.complete()?;
        let Call { shared, draft, .. } = self;
        let mut outcome = attempt::block(&shared, draft, &mut tries);
        if !outcome.status.is_ok() {
            deadline::hint_of_blocking(&mut outcome.status);
        }
        R::read(outcome, shared.config.limits.max_message as usize)
    }
}

impl<R: Answer> IntoFuture for Call<R> {
    type Output = Result<Reply<R>, Status>;
    type IntoFuture = CallFuture<R>;

    fn into_future(self) -> CallFuture<R> {
        CallFuture { state: State::New(Some(self)) }
    }
}

/// The request could not be encoded for this channel.
#[cold]
pub(crate) fn not_sent(shared: &Shared, why: Status) -> Status {
    let text = format!("{}: {}", shared.protocol.name, why.message());
    why.with_message(text)
}

/// The earlier of two deadlines, if there is any.
#[inline]
pub(crate) fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// A call under way. Dropping it cancels: the peer is told where the protocol can.
pub struct CallFuture<R> {
    state: State<R>,
}

enum State<R> {
    New(Option<Call<R>>),
    Sent(Sent),
    Managed(Managed),
    Over,
}

impl<R> Unpin for CallFuture<R> {}

impl<R: Answer> Future for CallFuture<R> {
    type Output = Result<Reply<R>, Status>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let State::New(call) = &mut self.state {
            let call = call.take().expect("taken only here");
            let state = match call.attempts() {
                None => call.send().map(State::Sent),
                Some(attempts) => call.send_managed(attempts).map(State::Managed),
            };
            match state {
                Ok(state) => self.state = state,
                Err(status) => {
                    self.state = State::Over;
                    return Poll::Ready(Err(status));
                }
            }
        }
        let (outcome, most) = match &mut self.state {
            State::Sent(sent) => (ready!(sent.poll(cx)), sent.shared().config.limits.max_message as usize),
            State::Managed(call) => (ready!(call.poll(cx)), call.max_response()),
            State::New(_) | State::Over => panic!("a call was polled after it ended"),
        };
        self.state = State::Over;
        Poll::Ready(R::read(outcome, most))
    }
}
