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
    /// The head of the answer, if opening the call has waited for it.
    head: Option<Answer>,
}

impl Shape for Stream {
    const STREAMED: bool = true;
    const MESSAGES: bool = false;

    async fn open(mut opening: Opening) -> Result<Self, Status> {
        let posted = opening.post().await?;
        let mut stream = Stream::new(posted, &opening);
        while opening.until_answered {
            stream.head = stream.opened().await;
            let failed = if stream.head.is_none() { stream.source.end() } else { None };
            let Some(failed) = failed.filter(|status| !status.is_ok()) else { break };
            match opening.post_again(&mut failed.into()).await {
                Some(posted) => stream = Stream::new(posted, &opening),
                None => break,
            }
        }
        Ok(stream)
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

    /// Declares that this message is already compressed with `compression`, and is sent unchanged.
    pub fn compressed(mut self, compression: Compression) -> Self {
        self.is_compressed = true;
        self.compress(compression)
    }

    /// Opening the call waits until its answer has begun. So a call with its only
    /// [message](StreamingCall::message) is tried again, up to the channel's number of retries, where no server
    /// has looked at it. A call that fails before its answer has begun is opened, and ends at once.
    pub fn until_answered(mut self) -> Self {
        self.until_answered = self.request.finished;
        self
    }
}

impl Stream {
    fn new(((source, sink), lease): Posted, opening: &Opening) -> Self {
        let outgoing = Outgoing::new(sink, opening.form);
        let mut stream = Stream { source, outgoing, lease, watch: None, head: None };
        if opening.request.finished {
            stream.finish();
        }
        stream
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
        if let Some(head) = self.head.take() {
            return Some(head);
        }
        poll_fn(|cx| self.source.poll_answer(cx)).await
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
        self.head.take().or_else(|| self.source.answer())
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
