//! One call: options first, then a future that sends when it is first polled.

use crate::channel::{Lease, Shared};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Metadata, Reply, Status};
use polywire_engine::{Line, Request};
use polywire_formats::{Message, compression, decode_reply};
use polywire_wire::Outcome;
use std::{
    future::{Future, IntoFuture},
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
}

impl Target {
    pub const fn fixed(service: &'static str, method: &'static str) -> Self {
        Target { service: Name::Static(service), method: Name::Static(method) }
    }
    pub fn named(service: impl Into<String>, method: impl Into<String>) -> Self {
        Target { service: service.into().into(), method: method.into().into() }
    }
}

/// A call that has not been sent. Awaiting it sends; dropping it sends nothing.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<R> {
    shared: Arc<Shared>,
    target: Target,
    body: Result<IoBuf, Status>,
    attachment: IoBuf,
    metadata: Metadata,
    compression: Compression,
    content: Content,
    timeout: Option<Duration>,
    deadline: Option<Instant>,
    retries: u32,
    answer: PhantomData<fn() -> R>,
}

impl<R> Call<R> {
    pub(crate) fn new(shared: Arc<Shared>, target: Target, body: Result<IoBuf, Status>) -> Self {
        let (timeout, retries, content) = (shared.options.timeout, shared.options.retries, shared.content);
        Call {
            shared,
            target,
            body,
            attachment: IoBuf::new(),
            metadata: Metadata::new(),
            compression: Compression::NONE,
            content,
            timeout,
            deadline: None,
            retries,
            answer: PhantomData,
        }
    }

    /// From first poll to end, tries included. Default: the channel's.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The call ends by then, whatever its timeout says: a deadline to inherit.
    pub fn deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Raw bytes beside the message; never compressed.
    pub fn attachment(mut self, attachment: impl Into<IoBuf>) -> Self {
        self.attachment = attachment.into();
        self
    }

    /// A field that travels beside the message.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.metadata.append(name, value);
        self
    }

    /// Compresses the message.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Form of the body, where it differs from the channel's.
    pub fn content(mut self, content: Content) -> Self {
        self.content = content;
        self
    }

    /// Further tries of this call. Default: the channel's.
    pub fn retries(mut self, most: u32) -> Self {
        self.retries = most;
        self
    }

    fn request(self, now: Instant) -> Result<(Arc<Shared>, Request, u32), Status> {
        let mut body = compression::compress(self.compression, self.body?).map_err(|e| e.request())?;
        let attachment = self.attachment.len() as u32;
        body.append(self.attachment);
        let timed = self.timeout.map(|timeout| now + timeout);
        let deadline = match (timed, self.deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let request = Request {
            service: self.target.service,
            method: self.target.method,
            deadline,
            metadata: self.metadata,
            body,
            attachment,
            content: self.content,
            compression: self.compression,
            finished: true,
            streamed: false,
        };
        Ok((self.shared, request, self.retries))
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
pub trait Answer: Sized {
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
        let (body, attachment, metadata) = split(outcome)?;
        let (body, content, compression) = body;
        Ok(Reply::from_parts(Raw { body, content, compression }, attachment, metadata, compression))
    }
}

impl<M: Message> Answer for M {
    #[inline]
    fn read(outcome: Outcome, max_bytes: usize) -> Result<Reply<Self>, Status> {
        let ((body, content, compression), attachment, metadata) = split(outcome)?;
        let message = decode_reply(content, compression, body, max_bytes)?;
        Ok(Reply::from_parts(message, attachment, metadata, compression))
    }
}

/// Message, attachment and fields of a successful outcome.
#[inline]
fn split(outcome: Outcome) -> Result<((IoBuf, Content, Compression), IoBuf, Metadata), Status> {
    let Outcome { status, mut body, attachment, content, compression, trailers, .. } = outcome;
    if !status.is_ok() {
        return Err(status);
    }
    let attached = (attachment as usize).min(body.len());
    let message = if attached == 0 { std::mem::take(&mut body) } else { body.cut(body.len() - attached) };
    Ok(((message, content, compression), body, trailers.map(|t| *t).unwrap_or_default()))
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
    line: Arc<Line>,
    /// Taken when the try ends.
    lease: Option<Lease>,
    retries: u32,
}

impl Sent {
    fn start(shared: Arc<Shared>, request: Request, retries: u32) -> Result<Sent, Status> {
        let lease = shared.lease()?;
        let line = Line::new(&lease.link.inbox, Some(request), None);
        line.post();
        if !lease.link.is_alive() {
            lease.link.sweep(); // it ended as we posted: nobody else will look
        }
        Ok(Sent { shared, line, lease: Some(lease), retries })
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        loop {
            let outcome = ready!(self.line.poll_reply(cx));
            let clean = outcome.status.is_ok() || outcome.status.origin() == polywire_call::Origin::Remote;
            if let Some(lease) = self.lease.take() {
                self.shared.give_back(lease, clean);
            }
            if outcome.status.is_ok() || !self.may_retry(&outcome.status) {
                return Poll::Ready(outcome);
            }
            let Some(request) = self.line.reclaim_request() else { return Poll::Ready(outcome) };
            match Sent::start(self.shared.clone(), request, self.retries - 1) {
                Ok(again) => *self = again,
                Err(_) => return Poll::Ready(outcome),
            }
        }
    }

    fn may_retry(&self, status: &Status) -> bool {
        self.retries > 0 && status.is_retryable()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if !self.line.is_done() {
            self.line.abandon();
        }
        if let Some(lease) = self.lease.take() {
            self.shared.give_back(lease, false);
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
            let begun = call.request(Instant::now());
            let begun = begun.and_then(|(shared, request, retries)| Sent::start(shared, request, retries));
            match begun {
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
