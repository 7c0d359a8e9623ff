//! Streams of bytes that are opened inside a call and outlive it: brpc's streams.

use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_exchange::{Sink, Source};
use polywire_wire::Part;

/// Messages of bytes in both directions, on a stream that a call offered and its server accepted
/// (`Call::with_stream`, `Context::accept_stream`). It outlives the call, and ends when either side drops its
/// sending half.
///
/// To detect a silent peer, put a timeout around [`RawStream::next`]; nothing is sent to check on it.
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
}

impl RawStream {
    pub fn new((source, sink): (Source, Sink)) -> Self {
        RawStream { sender: RawSender { sink }, receiver: RawReceiver { source } }
    }

    /// See [`RawSender::send`].
    ///
    /// # Errors
    /// As [`RawSender::send`].
    pub async fn send(&mut self, message: impl Into<IoBuf>) -> Result<(), Status> {
        self.sender.send(message).await
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
}

impl RawReceiver {
    /// The next message; `None` at the end. If the stream failed, the error is returned once, after the
    /// messages that arrived before it.
    ///
    /// # Cancel safety
    /// A dropped future has taken nothing.
    pub async fn next(&mut self) -> Option<Result<IoBuf, Status>> {
        Some(self.source.next().await?.map(|part| part.bytes))
    }
}
