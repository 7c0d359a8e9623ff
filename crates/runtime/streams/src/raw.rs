//! Streams of bytes that are opened inside a call and outlive it: brpc's streams.

use crate::idle::{Idle, SleepFor};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_exchange::{Sink, Source};
use polywire_wire::Part;
use std::{
    future::poll_fn,
    task::{Context, Poll},
    time::Duration,
};

/// Messages of bytes in both directions, on a stream that a call offered and its server accepted
/// (`Call::with_stream`, `Context::accept_stream`). It outlives the call, and ends when either side drops its
/// sending half.
///
/// To detect a silent peer set [`RawStream::idle_timeout`]; nothing is sent to check on it.
#[must_use = "a stream that is dropped is closed"]
pub struct RawStream {
    sender: RawSender,
    receiver: RawReceiver,
}

/// The sending half of a [`RawStream`]. Dropping it closes the stream after the messages that were sent.
#[must_use = "a stream whose sending half is dropped is closed"]
pub struct RawSender {
    sink: Sink,
}

/// The receiving half of a [`RawStream`]. When it is dropped, received messages are discarded; the stream
/// continues.
#[must_use = "dropping it discards the messages that arrive"]
pub struct RawReceiver {
    source: Source,
    /// The error of the stream, if it was received after the messages of a batch.
    failed: Option<Status>,
    idle: Idle,
}

impl RawStream {
    /// `sleep`: the timers that an idle timeout uses.
    pub fn new((source, sink): (Source, Sink), sleep: SleepFor) -> Self {
        let receiver = RawReceiver { source, failed: None, idle: Idle::never(sleep) };
        RawStream { sender: RawSender { sink }, receiver }
    }

    /// See [`RawReceiver::set_idle_timeout`]. Default: none.
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.receiver.set_idle_timeout(Some(limit));
        self
    }

    /// See [`RawSender::send`].
    ///
    /// # Errors
    /// The errors of [`RawSender::send`].
    pub async fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.sender.send(message).await
    }

    /// See [`RawSender::send_batch`].
    ///
    /// # Errors
    /// The errors of [`RawSender::send_batch`].
    pub async fn send_batch(
        &mut self,
        messages: impl IntoIterator<Item = impl Into<IoBuf>>,
    ) -> Result<(), Status> {
        self.sender.send_batch(messages).await
    }

    /// See [`RawReceiver::next_batch`].
    pub async fn next_batch(&mut self, most: usize) -> Option<Result<Vec<IoBuf>, Status>> {
        self.receiver.next_batch(most).await
    }

    /// See [`RawReceiver::next`].
    pub async fn next(&mut self) -> Option<Result<IoBuf, Status>> {
        self.receiver.next().await
    }

    /// Splits it into two halves, for two tasks.
    pub fn split(self) -> (RawSender, RawReceiver) {
        (self.sender, self.receiver)
    }
}

impl RawSender {
    /// Sends a message when there is room: a slow peer makes this wait. At a server nothing is sent before
    /// the reply of the call.
    ///
    /// # Errors
    /// CANCELLED when the stream is over; the receiving half has the reason. EBADF if the peer accepts no
    /// messages.
    ///
    /// # Cancel safety
    /// A dropped future has either queued the message or dropped it.
    pub async fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.sink.send(Part::message(message.into())).await
    }

    /// Sends several messages, in this order: as many as there is room for at once, then the others as the
    /// peer reads. The messages stay apart. For many small messages this costs less than sending each.
    ///
    /// # Errors
    /// Like [`RawSender::send`]; some of the first messages may have been sent.
    ///
    /// # Cancel safety
    /// A dropped future has queued some of the first messages and dropped the others.
    pub async fn send_batch(
        &mut self,
        messages: impl IntoIterator<Item = impl Into<IoBuf>>,
    ) -> Result<(), Status> {
        self.sink.send_batch(messages.into_iter().map(|message| Part::message(message.into()))).await
    }

    /// The number of messages that wait for room at the peer.
    pub fn unsent(&self) -> usize {
        self.sink.unsent()
    }

    /// Waits until no message waits for room at the peer, or the stream is over.
    ///
    /// # Cancel safety
    /// A dropped future has done nothing.
    pub async fn flushed(&mut self) {
        poll_fn(|cx| self.sink.poll_flushed(cx)).await;
    }

    /// Ends the stream in both directions as failed: the peer does not take what it has for whole. What was
    /// sent and has not left yet is dropped.
    pub fn reset(self) {
        self.sink.reset();
    }
}

impl RawReceiver {
    /// The longest time that [`RawReceiver::next`] and [`RawReceiver::next_batch`] wait for a message (brpc's
    /// `idle_timeout_ms`). After it they fail with DEADLINE_EXCEEDED of origin
    /// [`Local`](polywire_call::Origin::Local); the stream continues, and the time begins again. The time
    /// does not run while messages are queued, nor while the reader is not waiting. `None`, the default:
    /// without limit.
    pub fn set_idle_timeout(&mut self, limit: Option<Duration>) {
        self.idle.set(limit);
    }

    /// The next message; `None` at the end. If the stream failed, the error is returned once, after the
    /// messages that arrived before it.
    ///
    /// # Cancel safety
    /// A dropped future has taken nothing.
    pub async fn next(&mut self) -> Option<Result<IoBuf, Status>> {
        poll_fn(|cx| self.poll_message(cx)).await
    }

    /// Waits for the next message, and returns with it the messages that have arrived after it, at most
    /// `most` in all; 0 means 1. At most [`Limits::ahead`](polywire_wire::Limits::ahead) messages are queued.
    /// The end and errors are like those of [`RawReceiver::next`].
    ///
    /// # Cancel safety
    /// A dropped future has taken nothing.
    pub async fn next_batch(&mut self, most: usize) -> Option<Result<Vec<IoBuf>, Status>> {
        poll_fn(|cx| {
            self.poll_message(cx)
                .map(|first| first.map(|first| first.map(|first| self.with_others(first, most, cx))))
        })
        .await
    }

    /// Waits for the end of the stream, and returns how it ended; messages that arrived before may still be
    /// queued.
    ///
    /// # Cancel safety
    /// A dropped future has done nothing.
    pub async fn ended(&mut self) -> Result<(), Status> {
        let status = poll_fn(|cx| self.source.poll_end(cx)).await;
        if status.is_ok() { Ok(()) } else { Err(status) }
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<IoBuf, Status>>> {
        if let Some(failed) = self.failed.take() {
            return Poll::Ready(Some(Err(failed)));
        }
        match self.source.poll_next(cx) {
            Poll::Ready(next) => {
                self.idle.over();
                Poll::Ready(next.map(|part| part.map(|part| part.bytes)))
            }
            Poll::Pending => self.idle.poll(cx).map(|status| Some(Err(status))),
        }
    }

    /// A batch of `first` and the messages that have arrived after it.
    fn with_others(&mut self, first: IoBuf, most: usize, cx: &mut Context<'_>) -> Vec<IoBuf> {
        let mut batch = vec![first];
        while batch.len() < most && self.source.has_arrived() {
            match self.source.poll_next(cx) {
                Poll::Ready(Some(Ok(part))) => batch.push(part.bytes),
                Poll::Ready(Some(Err(failed))) => self.failed = Some(failed),
                Poll::Ready(None) | Poll::Pending => break,
            }
        }
        batch
    }
}
