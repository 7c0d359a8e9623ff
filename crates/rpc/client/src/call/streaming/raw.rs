//! Streams of bytes, for proxies and tools.

use crate::{
    call::{
        reply::Raw,
        streaming::{
            call::StreamingCall,
            opening::{Opening, Posted, Shape},
        },
    },
    interceptor::Watch,
    servers::InFlightGuard,
};
use polywire_base::IoBuf;
use polywire_call::{Compression, Content, Status};
use polywire_exchange::Source;
use polywire_formats::compression;
use polywire_streams::{Form, Item, Outgoing};
use polywire_wire::{Answer, Outcome, Part};
use std::{
    future::poll_fn,
    task::{Context, Poll},
};

impl Raw {
    /// A message to be sent: in the form of the call, not compressed yet.
    pub fn new(body: impl Into<IoBuf>) -> Self {
        Raw { body: body.into(), content: Content::default(), compression: Compression::NONE }
    }
}

impl Item for Raw {
    fn from_bytes(form: &Form, body: IoBuf, compression: Compression) -> Result<Self, Status> {
        Ok(Raw { body, content: form.content, compression })
    }

    fn to_part(&self, form: &Form) -> Result<Part, Status> {
        let bytes = compression::compress(form.compression, self.body.clone());
        Ok(form.part(bytes.map_err(|error| form.fault(error))?))
    }
}

/// Bytes each way. Opening it does not wait. Dropping it before its end cancels the call and notifies the
/// peer.
#[must_use = "dropping it cancels the stream"]
pub struct Stream {
    /// This field is dropped before the other half, so that a dropped call is cancelled and does not seem to
    /// end in order.
    source: Source,
    outgoing: Outgoing<Raw>,
    /// The connection, if it serves this stream alone.
    lease: InFlightGuard,
    /// The interceptors' state, if the channel has any.
    watch: Option<Box<Watch>>,
    /// What the call is made again with, until its answer has begun. It keeps the channel alive.
    opening: Option<Opening>,
}

impl Shape for Stream {
    const STREAMED: bool = true;
    const MESSAGES: bool = false;

    async fn open(mut opening: Opening) -> Result<Self, Status> {
        let posted = opening.post().await?;
        Ok(Stream::new(posted, opening))
    }

    fn watched(mut self, watch: Box<Watch>) -> Self {
        self.watch = Some(watch);
        self
    }
}

impl StreamingCall<Stream> {
    /// The only message of the client's half, for methods that answer one request by a stream.
    pub fn message(mut self, message: impl Into<IoBuf>) -> Self {
        self.request.body = message.into();
        self.request.finished = true;
        self
    }

    /// Keeps what [`Stream::again`] needs. Until the answer has begun, the stream keeps its channel alive.
    pub fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self
    }
}

impl Stream {
    fn new(((source, sink), lease): Posted, opening: Opening) -> Self {
        let outgoing = Outgoing::new(sink, opening.form);
        let finished = opening.request.finished;
        let opening = opening.repeatable.then_some(opening);
        let mut stream = Stream { source, outgoing, lease, watch: None, opening };
        if finished {
            stream.finish();
        }
        stream
    }

    /// Makes a [repeatable](StreamingCall::repeatable) call again, after it has failed before its answer: if
    /// no server has looked at it, and the retries of the call and the channel's budget allow another try.
    /// `message` is then its only one; `None`: what was sent has to be sent again. `false`: it is over, as
    /// before.
    pub async fn again(&mut self, message: Option<IoBuf>) -> bool {
        let Some(opening) = &mut self.opening else { return false };
        let Some(status) = self.source.end().filter(|status| !status.is_ok()) else { return false };
        let finished = message.is_some();
        opening.request.finished = finished;
        opening.request.body = message.unwrap_or_default();
        let Some(((source, sink), lease)) = opening.post_again(&mut status.into()).await else {
            return false;
        };
        (self.source, self.lease) = (source, lease);
        self.outgoing = Outgoing::new(sink, opening.form);
        if finished {
            self.finish();
        }
        true
    }

    /// Sends one message; waits while there is no room, for example for a slow peer.
    ///
    /// # Errors
    /// CANCELLED when the stream is over; FAILED_PRECONDITION after [`Stream::finish`].
    pub async fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.outgoing.send(Raw::new(message)).await
    }

    /// Whether the channel has dropped the server of this stream: its name or naming source now lists others.
    /// The stream goes on all the same; a long-lived stream to a service of which one server is active at a
    /// time should open a new one. False for a channel with an address.
    pub fn server_has_left(&self) -> bool {
        self.lease.has_left()
    }

    /// Ends our half; the peer's may continue.
    pub fn finish(&mut self) {
        self.outgoing.finish();
    }

    /// The next message or piece; `None` at the end. A stream that fails returns its status once, after what
    /// came before.
    pub async fn next(&mut self) -> Option<Result<Part, Status>> {
        let next = self.source.next().await;
        if !matches!(next, Some(Ok(_))) {
            self.tell_end();
        }
        next
    }

    /// Like [`Stream::send`], for a piece that is already in its wire form; the piece is taken from `part`
    /// when there is room.
    ///
    /// # Errors
    /// The errors of that method.
    pub fn poll_send(&mut self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        self.outgoing.poll_send(part, cx)
    }

    /// Like [`Stream::next`], as a poll function.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Part, Status>>> {
        let next = self.source.poll_next(cx);
        if !matches!(next, Poll::Pending | Poll::Ready(Some(Ok(_)))) {
            self.tell_end();
        }
        next
    }

    /// Waits for the head of the answer; `None`: the call has ended without it, or it was taken.
    pub async fn opened(&mut self) -> Option<Answer> {
        let answer = poll_fn(|cx| self.source.poll_answer(cx)).await;
        self.begun(answer)
    }

    /// Notifies the interceptors of the channel if the call has ended.
    fn tell_end(&mut self) {
        if (self.watch.is_some() || !self.lease.is_nothing())
            && let Some(status) = self.source.end()
        {
            self.lease.end(&status);
            if let Some(watch) = &mut self.watch {
                watch.end(&status, 0);
            }
        }
    }

    /// The head of the answer, if it has arrived.
    pub fn answer(&mut self) -> Option<Answer> {
        let answer = self.source.answer();
        self.begun(answer)
    }

    fn begun(&mut self, answer: Option<Answer>) -> Option<Answer> {
        if answer.is_some() {
            self.opening = None;
        }
        answer
    }

    /// The outcome of the call, trailers included, after `next` has returned its last message.
    pub fn outcome(&mut self) -> Option<Outcome> {
        let outcome = self.source.outcome()?;
        self.lease.ended(&outcome);
        Some(outcome)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.tell_end();
        self.outcome(); // gives the connection back if it may be used again
    }
}
